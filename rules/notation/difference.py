"""How a table of a record differs from a layout, as the change that the games' `suggest` reads."""

from __future__ import annotations

from dataclasses import replace

from rules.notation.agreement import Agreement, Lain
from rules.pieces import Face, Kind, Piece
from rules.table.change import Change, Move
from rules.table.layout import Layout, Placed, Zone


def change_of(layout: Layout, agreement: Agreement) -> Change:
    """Pieces that are not where they should be, matched with like ones that lie where none should."""
    moved: list[Move] = []
    gone = list(agreement.missing)
    extra = [*agreement.extra, *_turned_together(agreement)]
    for placed in agreement.missing:
        twin = _twin(placed, extra)
        if twin is not None:
            extra.remove(twin)
            gone.remove(placed)
            moved.append(Move(placed, placed_as(twin, placed.key, layout, placed.piece)))
    added = tuple(placed_as(seen, f"seen{index}", layout, None) for index, seen in enumerate(extra))
    return Change(added, tuple(gone), tuple(moved))


def _turned_together(agreement: Agreement) -> list[Lain]:
    """Dice are thrown together, and votes uncovered together: where one shows something new, the others that lie
    beside the board have a say too, also those that show what they showed before."""
    kinds = {seen.look.piece.kind for seen in agreement.extra}
    return [
        seen
        for seen, of in agreement.beside
        if (kind := seen.look.piece.kind) in kinds and (kind is Kind.DIE or (kind is Kind.COIN and of is None))
    ]


def _twin(placed: Placed, extra: list[Lain]) -> Lain | None:
    """The same piece elsewhere; or in the same place, turned over."""
    same_kind = [seen for seen in extra if seen.look.piece.kind is placed.piece.kind]
    here = [s for s in same_kind if abs(s.x - placed.x) < 0.3 and abs(s.y - placed.y) < 0.3]
    alike = [s for s in same_kind if _merged(placed.piece, s.look.piece) is not None and s.look.face is placed.face]
    return next(iter([*here, *alike]), None)


def _merged(known: Piece, shown: Piece) -> Piece | None:
    """What is known together; None if it contradicts itself."""
    for one, other in ((known.suit, shown.suit), (known.rank, shown.rank), (known.mark, shown.mark)):
        if one is not None and other is not None and one != other and known.kind is not Kind.DIE:
            return None
    return replace(known, suit=shown.suit or known.suit, rank=known.rank if shown.rank is None else shown.rank)


def placed_as(seen: Lain, key: str, layout: Layout, known: Piece | None) -> Placed:
    piece = (known and _merged(known, seen.look.piece)) or seen.look.piece
    if piece.kind is Kind.COIN and piece.rank is None:
        piece = replace(piece, rank=seen.under)
    face: Face | None = seen.look.face
    return Placed(
        piece, key, seen.x, seen.y, face, seen.angle, pose=seen.look.pose, zone=Zone.BOARD, place=_place(layout, seen)
    )


def _place(layout: Layout, seen: Lain) -> str:
    for place in layout.places:
        if abs(place.x - seen.x) <= place.width / 2 and abs(place.y - seen.y) <= place.height / 2:
            return place.name
    return ""
