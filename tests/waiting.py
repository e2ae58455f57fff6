"""Waiting for a condition. A test never waits for a fixed time before it asserts: a busy machine would fail it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 120.0
"""Only what never comes takes so long."""


def until(ready: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Returns when `ready` is true."""
    limit = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < limit, "it did not come to that"
        time.sleep(0.02)
