"""The difference of two layouts, in words and as places. It tells what a person would say happened on the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.sentence import Fact, Person, Sentence, say
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True, slots=True)
class MovedPiece:
    before: Placed
    after: Placed

    @property
    def words(self) -> Sentence:
        name = self.after.shown
        if (self.before.x, self.before.y, self.before.place) != (
            self.after.x,
            self.after.y,
            self.after.place,
        ):
            start, end = where(self.before), where(self.after)
            return say(
                "{piece} goes from {source} to {target}",
                piece=name,
                source=start,
                target=end if end != start else _spot(self.after),
            )
        return say("{piece} on {place} is turned", piece=name, place=where(self.after))


@dataclass(frozen=True, slots=True)
class Change:
    """`added` and `removed` by key; `moved` are those that lie elsewhere, show another side or stand otherwise."""

    added: tuple[Placed, ...] = ()
    removed: tuple[Placed, ...] = ()
    moved: tuple[MovedPiece, ...] = ()

    @property
    def is_nothing(self) -> bool:
        return not (self.added or self.removed or self.moved)

    @property
    def count(self) -> int:
        """How many pieces it touches."""
        return len(self.added) + len(self.removed) + len(self.moved)

    @property
    def places(self) -> frozenset[str]:
        """Every place and piece that the change touches."""
        touched = [*self.added, *self.removed]
        for move in self.moved:
            touched += [move.before, move.after]
        names = {p.place for p in touched} | {p.piece.code for p in touched} | {p.key for p in touched}
        return frozenset(names - {""})

    @property
    def keys(self) -> frozenset[str]:
        """The pieces that lie otherwise."""
        lay = (*self.added, *self.removed, *(move.before for move in self.moved))
        return frozenset(placed.key for placed in lay)

    @property
    def words(self) -> list[Sentence]:
        gone = [say("{piece} is gone from {place}", piece=p.shown, place=where(p)) for p in self.removed]
        new = [say("{piece} is new on {place}", piece=p.shown, place=where(p)) for p in self.added]
        return gone + new + [move.words for move in self.moved]


def where(placed: Placed) -> Fact:
    if placed.zone is Zone.BOARD:
        return placed.place or _spot(placed)
    if placed.seat is None:
        return _HEAPS[placed.zone]
    return _HEAPS_OF[placed.zone](Person(placed.seat))


_HEAPS = {Zone.HAND: say("the hand"), Zone.SPENT: say("the spent heap"), Zone.SUPPLY: say("the supply")}
_HEAPS_OF: dict[Zone, Callable[[Person], Sentence]] = {
    Zone.HAND: lambda owner: say("the hand of {owner}", owner=owner),
    Zone.SPENT: lambda owner: say("the spent heap of {owner}", owner=owner),
    Zone.SUPPLY: lambda owner: say("the supply of {owner}", owner=owner),
}


def _spot(placed: Placed) -> str:
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
    """Interchangeable pieces are keyed by where they lie: one gone and one like it new is one that moved."""
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
        # Where in a hand a coin lies is nobody's business; whose hand and which side up is.
        return (before.seat, before.shown) != (after.seat, after.shown)
    return _pose(before) != _pose(after)


def _pose(placed: Placed) -> tuple[object, ...]:
    return (
        placed.x,
        placed.y,
        placed.zone,
        placed.seat,
        placed.shown,
        placed.angle,
        placed.lean,
        placed.pose,
        placed.level,
    )


def laid_as_seen(layout: Layout, change: Change) -> Layout:
    """The layout with what differs put where it was seen, on top of everything."""
    gone = {p.key for p in change.removed} | {m.before.key for m in change.moved}
    kept = [p for p in layout.pieces if p.key not in gone]
    moved = [m.after._replace(lean=m.before.lean) for m in change.moved]
    return replace(layout, pieces=(*kept, *moved, *change.added))
