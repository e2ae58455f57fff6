"""Layout of the outliner's output row."""

from __future__ import annotations

from typing import Final

from vision.detect.channels import KINDS

CLOSE: Final = 80
"""Side of the outliner's crops in pixels, unless its file gives another."""
ROOM: Final = 1.9
"""Side of a crop relative to the detection."""

CLASSES: Final = ("nothing", *KINDS)
CLASS: Final = slice(0, 7)
FLAT: Final = slice(7, 14)
"""Tile, card, die, coin: dx dy, sxx sxy syy, cos 4a, sin 4a; lengths in half crops."""
STANDING: Final = slice(14, 24)
"""Pawn, pyramid: dx dy of the base, hull distance in eight directions."""
OUTLINER_CHANNELS: Final = 24
