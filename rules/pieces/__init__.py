"""Pieces: their identity, names and sizes."""

from rules.pieces.piece import (
    RANKS,
    SUITS,
    Face,
    Kind,
    Piece,
    Pose,
    Rank,
    Size,
    Suit,
    card,
    coin,
    die,
    parse_piece,
    parse_rank,
    parse_suit,
    pawn,
    pyramid,
    tile,
)

__all__ = [
    "RANKS", "SUITS", "Face", "Kind", "Piece", "Pose", "Rank", "Size", "Suit", "card", "coin", "die", "parse_piece",
    "parse_rank", "parse_suit", "pawn", "pyramid", "tile"
]  # fmt: skip
