"""The pieces of a piecepack (PP-1)."""

from __future__ import annotations

from rules.pieces.piece import Piece, coin, die, pawn, tile
from rules.pieces.rank import RANKS
from rules.pieces.suit import SUITS

TILES: tuple[Piece, ...] = tuple(tile(suit, rank) for suit in SUITS for rank in RANKS)
COINS: tuple[Piece, ...] = tuple(coin(suit, rank) for suit in SUITS for rank in RANKS)
DICE: tuple[Piece, ...] = tuple(die(suit) for suit in SUITS)
PAWNS: tuple[Piece, ...] = tuple(pawn(suit) for suit in SUITS)
PIECEPACK: tuple[Piece, ...] = TILES + COINS + DICE + PAWNS
