"""Difference of two layouts: pieces added, removed and moved, and the sentences that describe it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

from rules.sentence import Fact, Person, Sentence, say
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True, slots=True)
class MovedPiece:
    before: Placed
    after: Placed

    @property
    def distance(self) -> float:
        """How far it went on the board, in spaces."""
        return math.hypot(self.before.x - self.after.x, self.before.y - self.after.y)

    @property
    def words(self) -> Sentence:
        before, after = self.before, self.after
        start, end = where(before), where(after)
        if (before.x, before.y, before.place) == (after.x, after.y, after.place):
            return say("{piece} on {place} is turned", piece=after.shown, place=end)
        target = end if end != start else _coordinates(after)
        return say("{piece} goes from {source} to {target}", piece=after.shown, source=start, target=target)


@dataclass(frozen=True, slots=True)
class Change:
    """`added` and `removed` by key; `moved` are those with another place, side or pose."""

    added: tuple[Placed, ...] = ()
    removed: tuple[Placed, ...] = ()
    moved: tuple[MovedPiece, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.moved)

    @property
    def count(self) -> int:
        """Number of pieces added, removed or moved."""
        return len(self.added) + len(self.removed) + len(self.moved)

    @property
    def places(self) -> frozenset[str]:
        """Names of all places, piece codes and keys that the change touches."""
        touched = [*self.added, *self.removed]
        for move in self.moved:
            touched += [move.before, move.after]
        names = {p.place for p in touched} | {p.piece.code for p in touched} | {p.key for p in touched}
        return frozenset(names - {""})

    @property
    def placed(self) -> list[Placed]:
        """The pieces that are new or lie differently, as they lie now."""
        return [*self.added, *(move.after for move in self.moved)]

    @property
    def keys(self) -> frozenset[str]:
        """Keys of the pieces added, removed or moved."""
        pieces = (*self.added, *self.removed, *(move.before for move in self.moved))
        return frozenset(placed.key for placed in pieces)

    @property
    def words(self) -> list[Sentence]:
        gone = [say("{piece} is gone from {place}", piece=p.shown, place=where(p)) for p in self.removed]
        new = [say("{piece} is new on {place}", piece=p.shown, place=where(p)) for p in self.added]
        return gone + new + [move.words for move in self.moved]


def where(placed: Placed) -> Fact:
    """The place of a piece as a fact of a sentence: its name or coordinates on the board, else the zone."""
    if placed.zone is Zone.BOARD:
        return placed.place or _coordinates(placed)
    if placed.seat is None:
        return _ZONES[placed.zone]
    return _ZONES_OF[placed.zone](Person(placed.seat))


_ZONES = {Zone.HAND: say("the hand"), Zone.SPENT: say("the spent heap"), Zone.SUPPLY: say("the supply")}
_ZONES_OF: dict[Zone, Callable[[Person], Sentence]] = {
    Zone.HAND: lambda owner: say("the hand of {owner}", owner=owner),
    Zone.SPENT: lambda owner: say("the spent heap of {owner}", owner=owner),
    Zone.SUPPLY: lambda owner: say("the supply of {owner}", owner=owner),
}


def _coordinates(placed: Placed) -> str:
    return f"({round(placed.x, 1):g}, {round(placed.y, 1):g})"


def change_between(before: Layout, after: Layout) -> Change:
    old = {p.key: p for p in before}
    new = {p.key: p for p in after}
    moved = [MovedPiece(old[key], placed) for key, placed in new.items() if key in old and _differs(old[key], placed)]
    added = [p for key, p in new.items() if key not in old]
    removed = [p for key, p in old.items() if key not in new]
    return Change(*_pair_up(added, removed, moved))


def _pair_up(
    added: list[Placed], removed: list[Placed], moved: list[MovedPiece]
) -> tuple[tuple[Placed, ...], tuple[Placed, ...], tuple[MovedPiece, ...]]:
    """Turns a removed and an added piece that look alike into one moved: interchangeable pieces are keyed by place."""
    new = list(added)
    gone = []
    for before in removed:
        twin = next((p for p in new if p.shown == before.shown), None)
        if twin is None:
            gone.append(before)
        else:
            new.remove(twin)
            moved = [*moved, MovedPiece(before, twin)]
    return tuple(new), tuple(gone), tuple(moved)


def _differs(before: Placed, after: Placed) -> bool:
    if before.zone is not Zone.BOARD and after.zone is before.zone:
        # The place within a hand does not matter; whose hand and which side is up does.
        return (before.seat, before.shown) != (after.seat, after.shown)
    return _pose(before) != _pose(after)


_pose = attrgetter("x", "y", "zone", "seat", "shown", "angle", "lean", "pose", "level")


def changed_layout(layout: Layout, change: Change) -> Layout:
    """The layout with the change applied; changed pieces lie on top of all others."""
    gone = {p.key for p in change.removed} | {m.before.key for m in change.moved}
    kept = [p for p in layout.pieces if p.key not in gone]
    moved = [replace(m.after, lean=m.before.lean) for m in change.moved]
    return replace(layout, pieces=(*kept, *moved, *change.added))
