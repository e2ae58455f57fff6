"""Pieces: their identity, names and sizes."""

from rules.pieces.piece import Face, Kind, Piece, Pose, Size, card, coin, die, parse_piece, pawn, pyramid, tile
from rules.pieces.rank import RANKS, Rank, parse_rank
from rules.pieces.suit import SUITS, Suit, parse_suit

__all__ = [
    "RANKS",
    "SUITS",
    "Face",
    "Kind",
    "Piece",
    "Pose",
    "Rank",
    "Size",
    "Suit",
    "card",
    "coin",
    "die",
    "parse_piece",
    "parse_rank",
    "parse_suit",
    "pawn",
    "pyramid",
    "tile",
]
