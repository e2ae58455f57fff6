"""For tests that need the real eyes: where their weights cannot be opened they say why."""

from __future__ import annotations

import pytest

from companion_api.watching.lookout import blindness

_WHY = blindness()
needs_eyes = pytest.mark.skipif(_WHY is not None, reason=f"no eyes: {_WHY}")
