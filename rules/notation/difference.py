"""How a table of a record differs from a layout, as the change that the games' `suggest` reads: paired as the referee
pairs what cameras see."""

from __future__ import annotations

from dataclasses import replace

from rules.notation.agreement import Agreement, Lain
from rules.pieces import Face, Kind
from rules.referee.hypothesis import nearest_place, paired, with_known
from rules.referee.tuning import TUNING
from rules.table.change import Change, Move
from rules.table.layout import Layout, Placed, Zone


def change_of(layout: Layout, agreement: Agreement) -> Change:
    """Pieces that are not where they should be, matched with like ones that lie where none should; what lies in the
    very place of one that is missing is that one, turned."""
    gone, extra = list(agreement.missing), [*agreement.extra, *_turned_together(agreement)]
    turned: list[Move] = []
    for placed in agreement.missing:
        here = next((seen for seen in extra if _lies_there(placed, seen)), None)
        if here is not None:
            extra.remove(here)
            gone.remove(placed)
            turned.append(Move(placed, with_known(placed, placed_as(here, placed.key, layout))))
    added = [placed_as(seen, f"seen{index}", layout) for index, seen in enumerate(extra)]
    return paired(added, gone, turned)


def _turned_together(agreement: Agreement) -> list[Lain]:
    """Dice are thrown together, and votes uncovered together: where one shows something new, the others that lie
    beside the board have a say too, also those that show what they showed before."""
    kinds = {seen.look.piece.kind for seen in agreement.extra}
    return [
        seen
        for seen, of in agreement.beside
        if (kind := seen.look.piece.kind) in kinds and (kind is Kind.DIE or (kind is Kind.COIN and of is None))
    ]


def _lies_there(placed: Placed, seen: Lain) -> bool:
    same = seen.look.piece.kind is placed.piece.kind
    return same and max(abs(seen.x - placed.x), abs(seen.y - placed.y)) < TUNING.places.elsewhere


def placed_as(seen: Lain, key: str, layout: Layout) -> Placed:
    """A piece of a record as one on the board; what the record says of a hidden value may help to guess."""
    piece, look = seen.look.piece, seen.look
    if piece.kind is Kind.COIN and piece.rank is None:
        piece = replace(piece, rank=seen.under)
    face: Face | None = look.face
    place = nearest_place(layout, seen.x, seen.y)
    return Placed(piece, key, seen.x, seen.y, face, seen.angle, pose=look.pose, zone=Zone.BOARD, place=place)
