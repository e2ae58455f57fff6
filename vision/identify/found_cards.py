"""Combines the pieces of the reader with the cards found by their print: a card lies where it was found, and pieces
that look like parts of its print are doubted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.pieces import Face, Kind
from vision import odds
from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify.deck import BACK, SAME_CARD_OVERLAP, FoundCard, overlap
from vision.piece import DetectedPiece

INNER_SHARE: Final = 0.85
"""Share of a piece's outline in which the picture is compared with the print of a card, without its edge."""
PRINT_SIMILARITY, NATS_PER_SIMILARITY, MAX_PRINT_NATS = 0.75, 16.0, 3.0
"""Evidence against a piece on a card, in nats: the mean similarity to the print beyond the first, times the second, up
to the last (a line through the log odds of two groups: of 62 false pieces on foreign cards 61 have more than .8, of 125
true ones on drawn cards, translucent pyramids most of them, 10)."""
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
    """The pieces without those that found cards replace, less certain where they look like a part of their print; and
    the found cards."""
    if not cards:
        return list(pieces)
    prints = _CardPrints.of(cards)
    rest = [prints.doubted(piece) for piece in pieces if not prints.replaces(piece)]
    if is_played(cards):
        rest = [_with_card_penalty(piece) if piece.kind == "card" else piece for piece in rest]
    return [*rest, *map(_as_piece, cards)]


def _with_card_penalty(piece: DetectedPiece) -> DetectedPiece:
    return _less_certain(piece, UNKNOWN_CARD_PENALTY)


def _less_certain(piece: DetectedPiece, nats: float) -> DetectedPiece:
    return replace(piece, certainty=odds.sigmoid(odds.logit(piece.certainty) - nats))


@dataclass(frozen=True, slots=True)
class _CardPrints:
    """The keypoints of all found cards, and how much the picture looks like each."""

    cards: Sequence[FoundCard]
    centers: Floats
    keypoints: Floats
    similarity: Floats

    @staticmethod
    def of(cards: Sequence[FoundCard]) -> _CardPrints:
        centers = np.array([card.center for card in cards])
        keypoints = np.concatenate([card.expected for card in cards])
        return _CardPrints(cards, centers, keypoints, np.concatenate([card.similarity for card in cards]))

    def replaces(self, piece: DetectedPiece) -> bool:
        """Whether a piece is a found card, in whole or in part, or a card of impossible size."""
        if piece.kind not in ("card", "tile"):
            return False
        return (piece.kind == "card" and not self._has_card_size(piece)) or any(
            overlap(piece.outline, card.corners) > SAME_CARD_OVERLAP for card in self.cards
        )

    def doubted(self, piece: DetectedPiece) -> DetectedPiece:
        """The piece, less certain where the picture looks like the print of a card: what lies on a card hides it,
        though translucent pieces not wholly."""
        middle = piece.outline.mean(axis=0)
        inner = middle + INNER_SHARE * (piece.outline - middle)
        is_inside = shape.inside(self.keypoints, inner[None])[:, 0]
        if not is_inside.any():
            return piece
        excess = float(self.similarity[is_inside].mean()) - PRINT_SIMILARITY
        return _less_certain(piece, float(np.clip(NATS_PER_SIMILARITY * excess, 0.0, MAX_PRINT_NATS)))

    def _has_card_size(self, piece: DetectedPiece) -> bool:
        """Whether a piece is about as large as the nearest found card: all of a deck are of one size."""
        nearest = self.cards[int(np.linalg.norm(self.centers - piece.center, axis=1).argmin())]
        area_ratio = shape.area(piece.outline) / max(shape.area(nearest.corners), 1.0)
        return 1 / MAX_AREA_RATIO < area_ratio < MAX_AREA_RATIO


def _as_piece(card: FoundCard) -> DetectedPiece:
    probability = 1.0 - 3.0 ** (-len(card.keypoints) / KEYPOINTS_PER_THIRD)
    face = Face.BACK if card.mark == BACK else Face.FRONT
    marks = {} if card.mark == BACK else {card.mark: probability}
    return DetectedPiece(Kind.CARD, card.center, card.corners, probability, face=face, marks=marks)
