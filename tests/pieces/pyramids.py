"""The pyramids that piecepack games may add."""

from __future__ import annotations

from rules.pieces.piece import LOONEY_SIZES, PIECEPACK_SIZES, SUITS, Piece, Suit, pyramid


def piecepack_pyramids() -> tuple[Piece, ...]:
    """Six per suit, A to F."""
    return tuple(pyramid(suit, size) for suit in SUITS for size in PIECEPACK_SIZES)


def looney_pyramids(suit: Suit | None, mark: str | None = None) -> tuple[Piece, ...]:
    """Three nests of one colour: a small, a medium and a large each."""
    return tuple(pyramid(suit, size, mark) for size in LOONEY_SIZES for _ in range(3))
