"""What else the reader saw, where cards were found by their drawings: a card lies where it was found, and what was
taken for a card, or for something on one, and is a part of its drawing, is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from rules.pieces import Face, Kind
from vision import odds
from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify.deck import BACK, SHARED, CardFound, overlap
from vision.piece import DetectedPiece

WITHIN: Final = 0.85
"""What is drawn on a card shows the card's details; what lies on it hides them, except at its edge (in its own
size)..."""
DRAWN: Final = 0.45
"""... where less than this share of them shows (of 328 things drawn on cards 36 % show more, of 78 that lay on one
10 %)."""
ONE_SIZE: Final = 1.6
"""A card is at most so many times larger or smaller (in area) than the nearest one of its deck, even down a long table
that is seen aslant."""
SURE: Final = 4.0
"""So many details leave one in three doubts (as many more one in three of those)."""
MANY: Final = 5
"""Where so many cards of a deck are found, it is played with..."""
DOUBTED: Final = 2.5
"""... and what seems a card and is none of them is less likely one by so much (log odds)."""
PRESENT: Final = 1.0
"""Where so many cards are seen, a deck is looked for."""


def shows_cards(pieces: Sequence[DetectedPiece]) -> bool:
    """Whether it is worth while to look for cards that are known."""
    return sum(piece.certainty for piece in pieces if piece.kind == "card") >= PRESENT


def is_played(cards: Sequence[CardFound]) -> bool:
    """Whether a deck is played with, of which these were found."""
    return len(cards) >= MANY


def joined(pieces: Sequence[DetectedPiece], cards: Sequence[CardFound]) -> list[DetectedPiece]:
    """The pieces, where these cards were found by their drawings: each lies there as it was found, and what was taken
    for a card, or for something on one, and is a part of its drawing, is nothing."""
    if not cards:
        return list(pieces)
    drawing = _Drawing.of(cards)
    rest = [piece for piece in pieces if not drawing.explains(piece)]
    if is_played(cards):
        rest = [_doubted(piece) if piece.kind == "card" else piece for piece in rest]
    return [*rest, *map(_as_seen, cards)]


def _doubted(piece: DetectedPiece) -> DetectedPiece:
    return replace(piece, certainty=odds.sigmoid(odds.logit(piece.certainty) - DOUBTED))


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What all cards that were found show, and what is hidden of them."""

    cards: Sequence[CardFound]
    middles: Floats
    shown: Floats
    hidden: Floats

    @staticmethod
    def of(cards: Sequence[CardFound]) -> _Drawing:
        shown, hidden = (np.concatenate(each) for each in zip(*((c.shown, c.hidden) for c in cards), strict=True))
        return _Drawing(cards, np.array([card.center for card in cards]), shown, hidden)

    def explains(self, piece: DetectedPiece) -> bool:
        if len(piece.outline) < 3:
            return False
        if piece.kind in ("card", "tile"):
            return (piece.kind == "card" and not self._is_as_large(piece)) or any(
                overlap(piece.outline, card.corners) > SHARED for card in self.cards
            )
        middle = piece.outline.mean(axis=0)
        outline = middle + WITHIN * (piece.outline - middle)
        shown, hidden = _covered(outline, self.shown), _covered(outline, self.hidden)
        return shown > DRAWN * (shown + hidden)

    def _is_as_large(self, piece: DetectedPiece) -> bool:
        """As the nearest card: all of a deck are of one size."""
        nearest = self.cards[int(np.linalg.norm(self.middles - piece.center, axis=1).argmin())]
        larger = shape.area(piece.outline) / max(shape.area(nearest.corners), 1.0)
        return 1 / ONE_SIZE < larger < ONE_SIZE


def _covered(outline: Floats, points: Floats) -> int:
    hull = outline.astype(np.float32)
    low, high = hull.min(axis=0), hull.max(axis=0)
    near = points[((points > low) & (points < high)).all(axis=1)]
    return sum(cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0 for x, y in near)


def _as_seen(card: CardFound) -> DetectedPiece:
    sure = 1.0 - 3.0 ** (-len(card.details) / SURE)
    face = Face.BACK if card.mark == BACK else Face.FRONT
    marks = {} if card.mark == BACK else {card.mark: sure}
    return DetectedPiece(Kind.CARD, card.center, card.corners, sure, face=face, marks=marks)
