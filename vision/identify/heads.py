"""Layout of the reader's output row; shared by training and inference."""

from __future__ import annotations

from typing import Final

CROP: Final = 96
"""Side of the reader's crops in pixels; an older reader gives its own in the registry."""

CLASSES: Final = ("nothing", "tile front", "tile back", "coin front", "coin back", "die", "pawn", "pyramid", "card")
SUITS: Final = ("suns", "moons", "crowns", "arms")
VALUES: Final = ("null", "ace", "2", "3", "4", "5")
SIZES: Final = ("small", "medium", "large")
POSES: Final = ("upright", "flat")

MARGIN: Final = {"tile": 1.15, "card": 1.15, "coin": 1.3, "die": 1.7, "pawn": 1.2, "pyramid": 1.2}
"""Side of a crop relative to its piece: wide enough to show the edge, and the sides of a die."""


def _slices() -> dict[str, slice]:
    widths = {
        "class": len(CLASSES),
        "suit tile": 4,
        "suit coin": 4,
        "suit die": 4,
        "suit pawn": 4,
        "suit pyramid": 4,
        "value tile": 6,
        "value coin": 6,
        "value die": 6,
        "turn tile": 4,
        "turn die": 4,
        "turn coin": 2,
        "size": 3,
        "pose": 2,
        "point": 2,
        "refine": 8,
    }
    found, start = {}, 0
    for name, width in widths.items():
        found[name] = slice(start, start + width)
        start += width
    return found


HEADS: Final = _slices()
READER_CHANNELS: Final = HEADS["refine"].stop
SOFTMAX: Final = tuple(name for name in HEADS if name not in ("turn coin", "point", "refine"))
"""Heads that are distributions; the others are regressions."""


def shows_suit(kind: str, face: str | None) -> bool:
    """Whether this side of a piece shows a suit."""
    return kind in ("die", "pawn", "pyramid") or (kind, face) in (("tile", "front"), ("coin", "back"))


def shows_value(kind: str, face: str | None) -> bool:
    """Whether this side of a piece shows a value."""
    return kind == "die" or (kind in ("tile", "coin") and face == "front")
