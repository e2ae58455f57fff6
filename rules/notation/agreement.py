"""Whether a table of PPN is the table that a layout describes: which pieces are where they should be, which not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from rules.notation.looks import Appearance, look_at, look_of
from rules.notation.scribe import on_table
from rules.notation.tabletop import Lying, Table
from rules.pieces import RANKS, Kind, Pose, Rank, Suit
from rules.table.layout import Layout, Place, Placed, Zone, bounds, half_extent

TOLERANCE = 0.3
_IDLE = {Kind.PAWN, Kind.DIE, Kind.COIN}


class Care(Enum):
    """How closely a table is looked at. STRICT: whatever lies within the board must belong there. LOOSE: in a record
    made by hand people also lay down pawns, dice and coins that the game does not ask for. TOLD: the action is
    written down, and a hand may lie where the board has grown to."""

    STRICT = 1
    LOOSE = 2
    TOLD = 3


@dataclass(frozen=True, slots=True)
class Offset:
    """Where the board of a record lies relative to ours, and which suits of men stand for which of ours."""

    dx: float = 0.0
    dy: float = 0.0
    suits: tuple[tuple[Suit, Suit], ...] = ()

    def renamed(self, look: Appearance) -> Appearance:
        suit = dict(self.suits).get(look.piece.suit) if look.piece.suit and look.piece.kind is not Kind.TILE else None
        return look if suit is None else replace(look, piece=replace(look.piece, suit=suit))


@dataclass(frozen=True, slots=True, eq=False)
class Lain:
    """A piece of a PPN table in our coordinates. Each is one of its own, however alike they look."""

    look: Appearance
    x: float
    y: float
    id: str
    # What the record says of the side that nobody sees. It proves nothing, but it may help to guess.
    under: Rank | None = None
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Agreement:
    """`missing` should be on the board and is not; `extra` lies there and should not. `pairs` agree. `beside` is
    what may lie beside the board, each with the piece of a hand or of the supply that it may be."""

    pairs: tuple[tuple[Placed, Lain], ...]
    missing: tuple[Placed, ...]
    extra: tuple[Lain, ...]
    beside: tuple[tuple[Lain, Placed | None], ...] = ()

    @property
    def is_full(self) -> bool:
        return not self.missing and not self.extra

    @property
    def news(self) -> tuple[Lain, ...]:
        """Dice that agree, but tell more than the game knows yet."""
        return tuple(seen for seen, of in self.beside if of and of.piece.kind is Kind.DIE and of.piece.rank is None)


def seen_on(table: Table, shift: Offset = Offset()) -> list[Lain]:
    """What our sets know of a table."""
    looks = ((lying, look_at(lying)) for lying in table)
    return [_seen(lying, look, shift) for lying, look in looks if look is not None]


def _seen(lying: Lying, look: Appearance, shift: Offset) -> Lain:
    under = RANKS[lying.rank - 1] if lying.kind == "coin" and lying.rank and lying.rank <= 6 else None
    return Lain(shift.renamed(look), lying.x + shift.dx, lying.y + shift.dy, lying.id, under, lying.angle)


def compare(
    layout: Layout, seen: Iterable[Lain], care: Care = Care.STRICT, settled: frozenset[str] = frozenset()
) -> Agreement:
    """Each piece that should be on the board is given the nearest one like it; whatever else there is must be in
    somebody's hand, or lie beside the board since before (`settled`)."""
    free, places = _Free(seen), {place.name: place for place in layout.places}
    pairs: list[tuple[Placed, Lain]] = []
    missing: list[Placed] = []
    for placed in layout.board:
        found = free.take(placed, places)
        if found is None:
            missing.append(placed)
        else:
            pairs.append((placed, found))
    strange, beside = _sorted_out(layout, free.rest(), care, settled)
    return Agreement(tuple(pairs), tuple(missing), tuple(strange), tuple(beside))


class _Free:
    """Pieces that have not been given a place yet. Most lie exactly where they should: those are found at once."""

    def __init__(self, seen: Iterable[Lain]) -> None:
        self._kinds: dict[Kind, list[Lain]] = {}
        self._spots: dict[tuple[Kind, float, float], list[Lain]] = {}
        for piece in seen:
            kind = piece.look.piece.kind
            self._kinds.setdefault(kind, []).append(piece)
            self._spots.setdefault((kind, round(piece.x, 1), round(piece.y, 1)), []).append(piece)

    def take(self, placed: Placed, places: dict[str, Place]) -> Lain | None:
        wanted, kind = look_of(placed), placed.piece.kind
        exact = self._spots.get((kind, round(placed.x, 1), round(placed.y, 1)), [])
        found = next((seen for seen in exact if _looks_like(placed, wanted, seen)), None)
        if found is None:
            there = [seen for seen in self._kinds.get(kind, []) if _is_there(placed, seen, places)]
            near = [seen for seen in there if _looks_like(placed, wanted, seen)]
            found = min(near, key=lambda seen: math.dist((seen.x, seen.y), (placed.x, placed.y)), default=None)
        if found is not None:
            self._kinds[kind].remove(found)
            self._spots[kind, round(found.x, 1), round(found.y, 1)].remove(found)
        return found

    def rest(self) -> list[Lain]:
        return [seen for pieces in self._kinds.values() for seen in pieces]


def _looks_like(placed: Placed, wanted: Appearance, seen: Lain) -> bool:
    """A pyramid on its side also points the right way."""
    points = placed.pose is Pose.FLAT and seen.look.pose is Pose.FLAT
    return seen.look.may_be(wanted) and not (points and abs((seen.angle - placed.angle + 180) % 360 - 180) > 45)


def _is_there(placed: Placed, seen: Lain, places: dict[str, Place]) -> bool:
    """On its very place; a pyramid anywhere on its tile."""
    if abs(seen.x - placed.x) <= TOLERANCE and abs(seen.y - placed.y) <= TOLERANCE:
        return True
    place = places.get(placed.place) if placed.piece.kind is Kind.PYRAMID else None
    return place is not None and 2 * abs(seen.x - place.x) < place.width and 2 * abs(seen.y - place.y) < place.height


def _sorted_out(
    layout: Layout, free: list[Lain], care: Care, settled: frozenset[str]
) -> tuple[list[Lain], list[tuple[Lain, Placed | None]]]:
    """What lies there although the game does not know it, and what may well lie beside the board."""
    west, south, east, north = bounds(layout.board)
    spare = [placed for placed in layout if placed.zone is not Zone.BOARD and on_table(placed)]
    spent = [placed for placed in layout if placed.zone is Zone.SPENT] if care is Care.LOOSE else []
    idle = _IDLE - {placed.piece.kind for placed in spare}
    strange: list[Lain] = []
    beside: list[tuple[Lain, Placed | None]] = []
    # What is new has the first choice: what lay there before may have left its hand long ago.
    for piece in sorted(free, key=lambda piece: piece.id in settled):
        inside = west < piece.x < east and south < piece.y < north
        on_it = inside and care is not Care.TOLD and _lies_on(layout.board, piece)
        match = None if on_it else _take(spare, piece.look)
        may_lie = care is Care.LOOSE and (piece.id in settled or piece.look.piece.kind in idle)
        if match is not None or (not inside and (may_lie or _take(spent, piece.look))):
            beside.append((piece, match))
        else:
            strange.append(piece)
    return strange, beside


def _lies_on(board: Iterable[Placed], piece: Lain) -> bool:
    """A hand may lie in a corner that the board leaves free, but not on a tile or a card."""
    grounds = (placed for placed in board if placed.piece.kind in (Kind.TILE, Kind.CARD))
    return any(max(abs(g.x - piece.x), abs(g.y - piece.y)) < half_extent(g.piece) for g in grounds)


def _take(spare: list[Placed], look: Appearance) -> Placed | None:
    """Takes away the first that may be this."""
    found = next((placed for placed in spare if look_of(placed).may_be(look)), None)
    if found is not None:
        spare.remove(found)
    return found
