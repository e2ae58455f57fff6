"""Layout of the finder's stride-4 output map; shared by training and inference."""

from __future__ import annotations

from typing import Final

STRIDE: Final = 4
UNIT_PX: Final = 16.0
"""Unit of predicted sizes in pixels, which keeps the net's outputs near one."""

KINDS: Final = ("tile", "coin", "die", "pawn", "pyramid", "card")
HEAT: Final = slice(0, 6)
HAND: Final = 6

SQUARE: Final = slice(7, 14)  # tile and card: dx dy, sxx sxy syy, cos 4a, sin 4a
COIN: Final = slice(14, 19)  # dx dy, sxx sxy syy
DIE: Final = slice(19, 26)  # as SQUARE
STANDING: Final = slice(26, 36)  # pawn and pyramid: dx dy, hull distance in eight directions
FINDER_CHANNELS: Final = 36

STAND: Final = ("pawn", "pyramid")
"""Standing kinds, outlined by their silhouette."""

GEOMETRY: Final = {"tile": SQUARE, "card": SQUARE, "coin": COIN, "die": DIE, "pawn": STANDING, "pyramid": STANDING}
