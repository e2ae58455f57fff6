"""What is in the box (PP-1, PP-8)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.pieces.piece import LOONEY_SIZES, PIECEPACK_SIZES, Piece, coin, die, pawn, pyramid, tile
from rules.pieces.rank import RANKS
from rules.pieces.suit import SUITS, Suit

TILES: tuple[Piece, ...] = tuple(tile(suit, rank) for suit in SUITS for rank in RANKS)
COINS: tuple[Piece, ...] = tuple(coin(suit, rank) for suit in SUITS for rank in RANKS)
DICE: tuple[Piece, ...] = tuple(die(suit) for suit in SUITS)
PAWNS: tuple[Piece, ...] = tuple(pawn(suit) for suit in SUITS)
PIECEPACK: tuple[Piece, ...] = TILES + COINS + DICE + PAWNS


def piecepack_pyramids(suits: Iterable[Suit] = SUITS) -> tuple[Piece, ...]:
    """Six per suit, A to F."""
    return tuple(pyramid(suit, size) for suit in suits for size in PIECEPACK_SIZES)


def looney_pyramids(suit: Suit | None, mark: str | None = None, nests: int = 3) -> tuple[Piece, ...]:
    """Some nests of one colour: a small, a medium and a large each."""
    return tuple(pyramid(suit, size, mark) for size in LOONEY_SIZES for _ in range(nests))
