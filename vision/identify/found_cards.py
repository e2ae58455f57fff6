"""Combines the pieces of the reader with the cards found by their print: a card lies where it was found, and pieces
that are parts of its print are dropped."""

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
from vision.identify.deck import BACK, SAME_CARD_OVERLAP, FoundCard, overlap
from vision.piece import DetectedPiece

INNER_SHARE: Final = 0.85
"""Share of a piece's outline that is tested for visible card keypoints, without its edge: something drawn on a card
leaves them visible, something lying on it hides them."""
PRINT_SHARE: Final = 0.45
"""Share of visible keypoints above which a piece is part of the print (of 328 things drawn on cards 36 % show more, of
78 that lay on one 10 %)."""
MAX_AREA_RATIO: Final = 1.6
"""Largest ratio of the areas of two cards of one deck near each other, even on a long table seen at an angle."""
KEYPOINTS_PER_THIRD: Final = 4.0
"""Number of matched keypoints that reduces a card's remaining doubt to a third."""
MIN_CARDS_PLAYED: Final = 5
"""Number of found cards of a deck from which the table is taken to play with it."""
UNKNOWN_CARD_PENALTY: Final = 2.5
"""Log odds taken from pieces that look like cards but were not found, where a deck is played with."""
MIN_EXPECTED_CARDS: Final = 1.0
"""Expected number of cards from which the deck is searched for."""


def shows_cards(pieces: Sequence[DetectedPiece]) -> bool:
    """Whether searching for the cards of a deck is worth its time."""
    return sum(piece.certainty for piece in pieces if piece.kind == "card") >= MIN_EXPECTED_CARDS


def is_played(cards: Sequence[FoundCard]) -> bool:
    """Whether enough cards of a deck were found for it to be in use."""
    return len(cards) >= MIN_CARDS_PLAYED


def with_found_cards(pieces: Sequence[DetectedPiece], cards: Sequence[FoundCard]) -> list[DetectedPiece]:
    """The pieces without those that are parts of found cards, and the found cards as pieces."""
    if not cards:
        return list(pieces)
    prints = _CardPrints.of(cards)
    rest = [piece for piece in pieces if not prints.explains(piece)]
    if is_played(cards):
        rest = [_with_card_penalty(piece) if piece.kind == "card" else piece for piece in rest]
    return [*rest, *map(_as_piece, cards)]


def _with_card_penalty(piece: DetectedPiece) -> DetectedPiece:
    return replace(piece, certainty=odds.sigmoid(odds.logit(piece.certainty) - UNKNOWN_CARD_PENALTY))


@dataclass(frozen=True, slots=True)
class _CardPrints:
    """Visible and hidden keypoints of all found cards."""

    cards: Sequence[FoundCard]
    centers: Floats
    visible: Floats
    hidden: Floats

    @staticmethod
    def of(cards: Sequence[FoundCard]) -> _CardPrints:
        visible, hidden = (np.concatenate(each) for each in zip(*((c.visible, c.hidden) for c in cards), strict=True))
        return _CardPrints(cards, np.array([card.center for card in cards]), visible, hidden)

    def explains(self, piece: DetectedPiece) -> bool:
        """Whether a piece is a found card, a part of its print, or a card of impossible size."""
        if len(piece.outline) < 3:
            return False
        if piece.kind in ("card", "tile"):
            return (piece.kind == "card" and not self._has_card_size(piece)) or any(
                overlap(piece.outline, card.corners) > SAME_CARD_OVERLAP for card in self.cards
            )
        middle = piece.outline.mean(axis=0)
        outline = middle + INNER_SHARE * (piece.outline - middle)
        visible, hidden = _count_inside(outline, self.visible), _count_inside(outline, self.hidden)
        return visible > PRINT_SHARE * (visible + hidden)

    def _has_card_size(self, piece: DetectedPiece) -> bool:
        """Whether a piece is about as large as the nearest found card: all of a deck are of one size."""
        nearest = self.cards[int(np.linalg.norm(self.centers - piece.center, axis=1).argmin())]
        area_ratio = shape.area(piece.outline) / max(shape.area(nearest.corners), 1.0)
        return 1 / MAX_AREA_RATIO < area_ratio < MAX_AREA_RATIO


def _count_inside(outline: Floats, points: Floats) -> int:
    """Number of points inside a convex outline."""
    hull = outline.astype(np.float32)
    low, high = hull.min(axis=0), hull.max(axis=0)
    near = points[((points > low) & (points < high)).all(axis=1)]
    return sum(cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0 for x, y in near)


def _as_piece(card: FoundCard) -> DetectedPiece:
    probability = 1.0 - 3.0 ** (-len(card.keypoints) / KEYPOINTS_PER_THIRD)
    face = Face.BACK if card.mark == BACK else Face.FRONT
    marks = {} if card.mark == BACK else {card.mark: probability}
    return DetectedPiece(Kind.CARD, card.center, card.corners, probability, face=face, marks=marks)
