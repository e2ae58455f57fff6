"""What each channel of the finder's stride-4 map means; shared by training and by the eyes."""

from __future__ import annotations

from typing import Final

STRIDE: Final = 4
UNIT_PX: Final = 16.0
"""Sizes are predicted in this unit, so that the net's numbers stay near one."""

KINDS: Final = ("tile", "coin", "die", "pawn", "pyramid", "card")
HEAT: Final = slice(0, 6)
HAND: Final = 6

SQUARE: Final = slice(7, 14)  # tile and card: dx dy, sxx sxy syy, cos 4a, sin 4a
COIN: Final = slice(14, 19)  # dx dy, sxx sxy syy
DIE: Final = slice(19, 26)  # as SQUARE
STANDING: Final = slice(26, 36)  # pawn and pyramid: dx dy, hull distance in eight directions
FINDER_CHANNELS: Final = 36

STAND: Final = ("pawn", "pyramid")
"""What stands on the table, and is outlined by its figure."""

GEOMETRY: Final = {"tile": SQUARE, "card": SQUARE, "coin": COIN, "die": DIE, "pawn": STANDING, "pyramid": STANDING}
