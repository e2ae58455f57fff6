"""Conversion between pieces of a Layout and pieces of PPN by their visible features.

Hidden features are not written: a face-down tile is "t", a coin lying on its value is "cS" (PPN.md 11.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rules.notation.spec import PieceSpec
from rules.notation.tabletop import PIECEPACK, TablePiece
from rules.pieces import RANKS, SUITS, Face, Kind, Piece, Pose
from rules.pieces.decktet import DECKTET
from rules.pieces.piece import LOONEY_SIZES, PIECEPACK_SIZES
from rules.table.layout import Appearance

T = TypeVar("T")
MARKS = ("red", "black", "green", "blue", "yellow", "white", "orange", "purple", "cyan", "pink", "grey", "clear")
_CARDS = tuple(DECKTET)


def spec_of(look: Appearance, angle: float = 0.0) -> PieceSpec:
    """All visible features, always with the side, so that no default applies. Piecepack pyramids A to F have ranks null
    to 5; Looney pyramids have their pips as rank, and a colour."""
    piece, turned = look.piece, angle % 360 or None
    suit = SUITS.index(piece.suit) + 1 if piece.suit else None
    if piece.kind is Kind.CARD:
        rank = _CARDS.index(piece.mark) if piece.mark in _CARDS else None
        return PieceSpec("card", _SIDES[look.face or Face.FRONT], None, rank, turned, set="decktet")
    if piece.kind is not Kind.PYRAMID:
        side = None if piece.kind in (Kind.DIE, Kind.PAWN) else _SIDES[look.face or Face.BACK]
        return PieceSpec(piece.kind.value, side, suit, None if piece.rank is None else int(piece.rank), turned)
    side = "face" if look.pose is Pose.FLAT else "top"
    if piece.size in PIECEPACK_SIZES:
        return PieceSpec("pyramid", side, suit, PIECEPACK_SIZES.index(piece.size), turned)
    pips = LOONEY_SIZES.index(piece.size) + 1 if piece.size else None
    number = MARKS.index(piece.mark) + 1 if piece.mark in MARKS else suit or 1
    return PieceSpec("pyramid", side, number, pips, turned, colour="RKGBYW"[(number - 1) % 6])


_SIDES = {Face.FRONT: "face", Face.BACK: "back"}


def visible_appearance(table_piece: TablePiece) -> Appearance | None:
    """The appearance of a PPN piece; None for pieces that no set here has (boards, draughts men, dominoes)."""
    kind, rank = _KINDS.get(table_piece.kind), table_piece.rank
    face = Face.FRONT if table_piece.side == "face" else Face.BACK
    if kind is Kind.PYRAMID:
        return _pyramid_appearance(table_piece)
    if kind is Kind.CARD:
        known = face is Face.FRONT and rank is not None and rank <= len(_CARDS)
        mark = _CARDS[(rank or 1) - 1] if known else None
        return Appearance(Piece(Kind.CARD, mark=mark), face) if table_piece.set == "decktet" else None
    if kind is None or table_piece.set != PIECEPACK:
        return None
    return _piecepack_appearance(table_piece, kind, face)


_KINDS = {kind.value: kind for kind in Kind}


def nth(items: Sequence[T], number: int | None) -> T | None:
    """The item of a number from 1; None for None and for numbers outside."""
    return items[number - 1] if number and number <= len(items) else None


def _piecepack_appearance(table_piece: TablePiece, kind: Kind, face: Face) -> Appearance | None:
    suit, value = nth(SUITS, table_piece.suit), nth(RANKS, table_piece.rank)
    if kind is Kind.DIE:
        return Appearance(Piece(kind, suit, value))
    if kind is Kind.PAWN:
        return Appearance(Piece(kind, suit))
    if table_piece.side not in ("face", "back"):
        return None
    if kind is Kind.TILE:
        return Appearance(Piece(kind, suit, value) if face is Face.FRONT else Piece(kind), face)
    return Appearance(Piece(kind, None, value) if face is Face.FRONT else Piece(kind, suit), face)


def _pyramid_appearance(table_piece: TablePiece) -> Appearance | None:
    """Of Looney pyramids red, black, green and blue are suits; other colours are marks."""
    pose = Pose.UPRIGHT if table_piece.side in ("top", "base") else Pose.FLAT
    suit = nth(SUITS, table_piece.suit)
    if table_piece.set == PIECEPACK and suit:
        return Appearance(Piece(Kind.PYRAMID, suit, None, nth(PIECEPACK_SIZES, table_piece.rank)), None, pose)
    if table_piece.set != "icehouse_pieces" or table_piece.suit is None:
        return None
    mark = None if suit else nth(MARKS, table_piece.suit)
    return Appearance(Piece(Kind.PYRAMID, suit, None, nth(LOONEY_SIZES, table_piece.rank), mark), None, pose)
