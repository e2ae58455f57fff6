"""What the outliner's row means: the closer look at one found thing, before it is read."""

from __future__ import annotations

from typing import Final

from vision.detect.channels import KINDS

CLOSE: Final = 80
"""The outliner's picture is CLOSE x CLOSE, where its file does not say otherwise."""
ROOM: Final = 1.9
"""How much wider than the found thing that picture is."""

CLASSES: Final = ("nothing", *KINDS)
CLASS: Final = slice(0, 7)
FLAT: Final = slice(7, 14)
"""Tile, card, die, coin: dx dy, sxx sxy syy, cos 4a, sin 4a; lengths in half pictures."""
STANDING: Final = slice(14, 24)
"""Pawn, pyramid: dx dy of the base, hull distance in eight directions."""
OUTLINER_CHANNELS: Final = 24
