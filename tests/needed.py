"""What a test drives but the project does not bring."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(how: str) -> NoReturn:
    """Skips, with how to get it; in CI, which installs everything, that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(how)
    pytest.skip(how)
