"""The bridge between the two models of a table: a piece of a Layout and a piece of PPN, by what one sees of them.

What a physical table hides is not written: a tile on its face is "t", a coin on its value is "cS" (PPN.md 11.5).
"""

from __future__ import annotations

from rules.notation.spec import PieceSpec
from rules.notation.tabletop import PIECEPACK, TablePiece
from rules.pieces import RANKS, SUITS, Face, Kind, Piece, Pose, Size
from rules.pieces.decktet import DECKTET
from rules.pieces.piece import LOONEY_SIZES, PIECEPACK_SIZES
from rules.table.appearance import Appearance

MARKS = ("red", "black", "green", "blue", "yellow", "white", "orange", "purple", "cyan", "pink", "grey", "clear")
_CARDS = tuple(DECKTET)
_DECKTET = "decktet"
_ICEHOUSE = "icehouse_pieces"


# To PPN ---------------------------------------------------------------------------------------------------------


def spec_of(look: Appearance, angle: float = 0.0) -> PieceSpec:
    """Says everything that shows, with the side in any case, so that nothing is left to defaults."""
    piece = look.piece
    turned = angle % 360 or None
    if piece.kind is Kind.PYRAMID:
        return _pyramid_spec(look, turned)
    if piece.kind is Kind.CARD:
        return _card_spec(look, turned)
    return PieceSpec(
        kind=piece.kind.value,
        side=None if piece.kind in (Kind.DIE, Kind.PAWN) else _SIDES[look.face or Face.BACK],
        suit=SUITS.index(piece.suit) + 1 if piece.suit else None,
        rank=None if piece.rank is None else int(piece.rank),
        angle=turned,
    )


_SIDES = {Face.FRONT: "face", Face.BACK: "back"}


def _pyramid_spec(look: Appearance, angle: float | None) -> PieceSpec:
    """Piecepack pyramids A to F are null to 5; Looney pyramids have their pips as rank and a colour."""
    piece = look.piece
    side = "face" if look.pose is Pose.FLAT else "top"
    suit = SUITS.index(piece.suit) + 1 if piece.suit else None
    if piece.size in PIECEPACK_SIZES:
        return PieceSpec("pyramid", side, suit, PIECEPACK_SIZES.index(piece.size), angle)
    rank = LOONEY_SIZES.index(piece.size) + 1 if piece.size else None
    number = MARKS.index(piece.mark) + 1 if piece.mark in MARKS else suit or 1
    return PieceSpec("pyramid", side, number, rank, angle, colour="RKGBYW"[(number - 1) % 6])


def _card_spec(look: Appearance, angle: float | None) -> PieceSpec:
    mark = look.piece.mark
    rank = _CARDS.index(mark) if mark in _CARDS else None
    return PieceSpec("card", _SIDES[look.face or Face.FRONT], None, rank, angle, set=_DECKTET)


# From PPN -------------------------------------------------------------------------------------------------------


def look_at(table_piece: TablePiece) -> Appearance | None:
    """What a piece of PPN shows; None for things that none of our sets has (boards, draughts men, dominoes)."""
    kind = _KINDS.get(table_piece.kind)
    if kind is Kind.PYRAMID:
        return _pyramid_look(table_piece)
    if kind is Kind.CARD:
        return _card_look(table_piece)
    if kind is None or table_piece.set != PIECEPACK:
        return None
    return _piecepack_look(table_piece, kind)


_KINDS = {kind.value: kind for kind in Kind}


def _piecepack_look(table_piece: TablePiece, kind: Kind) -> Appearance | None:
    suit = SUITS[table_piece.suit - 1] if table_piece.suit and table_piece.suit <= len(SUITS) else None
    rank = RANKS[table_piece.rank - 1] if table_piece.rank and table_piece.rank <= len(RANKS) else None
    if kind is Kind.DIE:
        return Appearance(Piece(kind, suit, rank))
    if kind is Kind.PAWN:
        return Appearance(Piece(kind, suit))
    if table_piece.side not in ("face", "back"):
        return None
    face = Face.FRONT if table_piece.side == "face" else Face.BACK
    if kind is Kind.TILE:
        return Appearance(Piece(kind, suit, rank) if face is Face.FRONT else Piece(kind), face)
    return Appearance(Piece(kind, None, rank) if face is Face.FRONT else Piece(kind, suit), face)


def _pyramid_look(table_piece: TablePiece) -> Appearance | None:
    pose = Pose.UPRIGHT if table_piece.side in ("top", "base") else Pose.FLAT
    if table_piece.set == PIECEPACK and table_piece.suit and table_piece.suit <= len(SUITS):
        size = (
            PIECEPACK_SIZES[table_piece.rank - 1]
            if table_piece.rank and table_piece.rank <= len(PIECEPACK_SIZES)
            else None
        )
        return Appearance(Piece(Kind.PYRAMID, SUITS[table_piece.suit - 1], None, size), None, pose)
    if table_piece.set != _ICEHOUSE or table_piece.suit is None:
        return None
    size = LOONEY_SIZES[table_piece.rank - 1] if table_piece.rank and table_piece.rank <= len(LOONEY_SIZES) else None
    return Appearance(_looney(table_piece.suit, size), None, pose)


def _looney(suit: int, size: Size | None) -> Piece:
    """Red, black, green and blue are also the suits; a colour that only a mark tells is a mark."""
    if suit <= 4:
        return Piece(Kind.PYRAMID, SUITS[suit - 1], None, size)
    return Piece(Kind.PYRAMID, None, None, size, MARKS[suit - 1] if suit <= len(MARKS) else None)


def _card_look(table_piece: TablePiece) -> Appearance | None:
    if table_piece.set != _DECKTET:
        return None
    face = Face.FRONT if table_piece.side == "face" else Face.BACK
    known = face is Face.FRONT and table_piece.rank is not None and table_piece.rank <= len(_CARDS)
    return Appearance(Piece(Kind.CARD, mark=_CARDS[(table_piece.rank or 1) - 1] if known else None), face)
