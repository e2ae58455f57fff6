"""What has changed beside the board since the table was last understood.

Nothing there has an exact place in a layout: what can be said is what is gone from where it lay, and what is new. An
explanation that takes something from hands, heaps or a supply says that it is gone, one that puts something there says
that it is new; what is gone or new and is not said is a fault of the eyes or of somebody's elbow. What lies as it lay
says nothing new, however it is misread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rules.assignment import assigned
from rules.pieces import Face, Kind, Piece, Size
from rules.pieces.sizes import half_extent
from rules.referee.fit import BoardSighting, placed_from
from rules.referee.off_board import Owner, is_known_card, off_board_piece, owner_of, reads_as, top_first
from rules.referee.tuning import OffBoardCosts, Tuning
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Sighting


@dataclass(frozen=True, slots=True)
class OffBoardState:
    """How it lay beside the board when the table was last understood: what the layout had there, and what was seen
    there, clearly or faintly, in the board's frame."""

    pieces: tuple[Placed, ...]
    seen: tuple[BoardSighting, ...]
    doubted: tuple[BoardSighting, ...] = ()
    """What was new, and what was gone, and nothing that was accepted said so: it may be news of the next action, but
    not of a later one."""

    @staticmethod
    def of(layout: Layout, seen: Iterable[BoardSighting]) -> OffBoardState:
        return OffBoardState(_undiced(layout), tuple(s for s in seen if s.sighting.kind is not Kind.DIE))

    def contains(self, kind: Kind, x: float, y: float, within: float) -> bool:
        """Whether something of this kind was seen there, clearly or faintly, in ground that nobody marked out."""
        return any(
            s.sighting.kind is kind and s.sighting.zone is None and math.hypot(s.x - x, s.y - y) < within
            for s in self.seen
        )


@dataclass(frozen=True, slots=True)
class _Trace:
    """Something that is gone, or new, or lies as it lay; `owner`: among whose things."""

    seen: BoardSighting
    owner: Owner | None

    @property
    def sighting(self) -> Sighting:
        return self.seen.sighting


class OffBoardChange:
    """Answers for many layouts: how surprising what came and went beside the board is if the table lies so now."""

    def __init__(
        self,
        then: OffBoardState,
        now: Sequence[BoardSighting],
        layout: Layout,
        changed: Callable[[Placed], float | None] | None,
        tuning: Tuning,
    ) -> None:
        """`layout`: what should lie there if nothing was done since.
        `now`: what is seen beside the board, clearly or faintly. `changed`: how likely a place looks otherwise than
        then, where there are pictures of both moments."""
        self._beside = beside = tuning.off_board
        self._then = then
        self._had = Counter(map(_sort, then.pieces))
        self._lay = {placed.key: placed for placed in then.pieces}
        now = [s for s in now if s.sighting.kind is not Kind.DIE]
        pairs = _pairs(then.seen, now, tuning.places.aside, beside)
        self._stayed: list[_Trace] = []
        self._gone: list[_Trace] = []
        for index, seen in enumerate(then.seen):
            if index in pairs:
                self._stayed.append(self._trace(now[pairs[index]]))
            else:
                (self._stayed if _stood(seen, changed, tuning) else self._gone).append(self._trace(seen))
        known = set(pairs.values())
        self._new = [
            self._trace(seen)
            for index, seen in enumerate(now)
            if index not in known and not _stood(seen, changed, tuning)
        ]
        marked = any(s.sighting.zone is not None for s in now)
        self._weight = beside.marked_nats if marked else beside.guessed_nats
        self._flickers = [self._flicker(trace) for trace in self._gone]
        self._news = [self._newness(trace) for trace in self._new]
        went, came, _ = self._accounts(*self._differing(_undiced(layout)))
        self._common = max(0.0, self._unsaid(went, came)[1] - beside.max_idle_nats)
        """So much that nothing says if nothing was done is no news of anything: things are pushed about, and eyes
        flicker. Nobody makes up a card that is known by its drawing."""
        self._known: dict[object, float] = {}

    def _trace(self, seen: BoardSighting) -> _Trace:
        owner = owner_of(seen.sighting, seen.x, seen.y, self._then.pieces, self._beside)
        return _Trace(seen, self._whose_row(seen) if owner is None and seen.sighting.kind is Kind.CARD else owner)

    def _whose_row(self, seen: BoardSighting) -> Owner | None:
        """Cards are so wide that the next of a hand lies far from the last."""
        cards = [trace for trace in self._stayed if trace.sighting.kind is Kind.CARD]
        last = min(cards, key=lambda trace: _gap(trace, seen), default=None)
        return last.owner if last is not None and _gap(last, seen) <= self._beside.next_card_spaces else None

    def surprise(self, layout: Layout) -> float:
        left, came = self._differing(_undiced(layout))
        key = tuple(left), tuple(came)
        if key not in self._known:
            went, arrived, cost = self._accounts(left, came)
            self._known[key] = cost + sum(self._unsaid(went, arrived)) - self._common
        return self._known[key]

    @property
    def is_told(self) -> bool:
        """Whether most of what lay there is found again. Where it is not, the board was found elsewhere than then, or
        somebody tidied up, and what lay where says nothing."""
        return len(self._stayed) >= len(self._gone)

    def change(self, layout: Layout) -> tuple[list[Placed], list[Placed]]:
        """What is gone from there and what is new there that this layout says nothing of. Where in a hand or heap
        something lies does not matter."""
        pieces = _undiced(layout)
        went, came, _ = self._accounts(*self._differing(pieces))
        left_over, added, same = self._pushed_along(went, came, self._same)
        gone = [self._gone[index] for index in left_over if index not in same and self._is_clear(self._gone[index])]
        moved = set(same.values())
        new = [self._new[index] for index in added if index not in moved and self._is_clear(self._new[index])]
        owned = [placed for placed in pieces if placed.zone is not Zone.SUPPLY]
        rows = [[self._unlike(_sort(placed), trace) for trace in gone] for placed in owned]
        found = assigned(rows, [self._beside.max_mismatch_nats] * len(rows)) if gone else []
        missing = [placed for placed, column in zip(owned, found, strict=False) if column is not None]
        return missing, [off_board_piece(t.sighting, t.owner) for t in new if t.owner is not None]

    def after(self, layout: Layout, accepted: bool) -> OffBoardState:
        """How it lies from now on if the table lies so. `accepted`: something was done; else what is gone and what is
        new waits for its explanation."""
        pieces, doubted = _undiced(layout), self._then.doubted
        went, came, _ = self._accounts(*self._differing(pieces))
        gone = [t.seen for index, t in enumerate(self._gone) if index not in went and self._is_clear(t)]
        odd = [t.seen for index, t in enumerate(self._new) if index not in came and self._is_clear(t)]
        old = [s for s in (*gone, *odd) if accepted and any(_is_one(s, other, self._beside) for other in doubted)]
        seen = [
            *(t.seen for t in self._stayed),
            *(s for s in gone if s not in old),
            *(t.seen for t in self._new if t.seen not in odd or t.seen in old),
        ]
        return OffBoardState(
            pieces, tuple(seen), tuple(s for s in (*gone, *odd) if s not in old) if accepted else doubted
        )

    def _accounts(self, left: list[_Sort], came: list[_Sort]) -> tuple[set[int], set[int], float]:
        """What of all that is gone, and of all that is new, these account for, and what they cost."""
        went, cost_left = self._accounted(left, self._gone, self._flickers, self._overlooked)
        arrived, cost_came = self._accounted(came, self._new, self._news, self._unseen)
        return went, arrived, cost_left + cost_came

    def _is_clear(self, trace: _Trace) -> bool:
        return trace.sighting.certainty >= self._beside.faint_certainty

    def _differing(self, pieces: Sequence[Placed]) -> tuple[list[_Sort], list[_Sort]]:
        """What went from there and what came there if these lie there now. Nearly all lies there still."""
        came = [placed for placed in pieces if not _is_unmoved(placed, self._lay.get(placed.key))]
        stay = {placed.key for placed in pieces}.difference(placed.key for placed in came)
        left = Counter(_sort(placed) for placed in self._then.pieces if placed.key not in stay)
        new = Counter(map(_sort, came))
        return _beneath(left - new, self._then.pieces), _beneath(new - left, pieces)

    def _accounted(
        self,
        sorts: list[_Sort],
        traces: list[_Trace],
        saved: list[float],
        alone: Callable[[_Sort], float],
    ) -> tuple[set[int], float]:
        """Which trace is which of these pieces, and what that costs. `saved`: what a trace costs that is none."""
        if not sorts:
            return set(), 0.0
        rows = [
            [self._unlike(one, trace) - spared for trace, spared in zip(traces, saved, strict=True)] for one in sorts
        ]
        without = [alone(one) for one in sorts]
        found = assigned(rows, without)
        cost = sum(
            without[row] if column is None else rows[row][column] + saved[column] for row, column in enumerate(found)
        )
        return {column for column in found if column is not None}, cost

    def _unlike(self, one: _Sort, trace: _Trace) -> float:
        """How surprising it is that this is what was seen there."""
        seen = trace.sighting
        if seen.kind is not one.piece.kind:
            return math.inf
        turned = seen.face is not None and one.face not in (None, seen.face)
        if turned and is_known_card(seen):
            return math.inf
        cost = (
            self._beside.max_mismatch_nats
            if turned
            else _doubt(reads_as(one.piece, one.face, seen, self._beside), self._beside)
        )
        if one.piece.size is not None:
            cost += _resized(one.piece.size, seen, self._beside)
        return cost + self._strayed(one, trace)

    def _strayed(self, one: _Sort, trace: _Trace) -> float:
        """That it lies among another's things than it should."""
        if trace.owner in (None, (one.zone, one.seat)):
            return 0.0
        in_hands = trace.owner[0] is Zone.HAND is one.zone and one.piece.kind is Kind.CARD
        return self._beside.strayed_card_nats if in_hands else self._beside.strayed_nats

    def _overlooked(self, one: _Sort) -> float:
        """That it went and is not among what is gone: it was never seen there, or what lies there still is taken for
        it."""
        if one.beneath:
            return 0.0
        alike = [trace for trace in self._stayed if self._unlike(one, trace) == 0.0]
        count = sum(n for sort, n in self._had.items() if sort.looks_as(one))
        sure = sorted((max(t.sighting.certainty, self._beside.standing_certainty) for t in alike), reverse=True)
        if len(sure) < count:
            return self._beside.never_seen_nats
        return self._beside.still_there_nats * min(sure[:count], default=0.0)

    def _unseen(self, one: _Sort) -> float:
        return self._weight[one.zone] if not one.beneath and self._is_in_view(one) else 0.0

    def _is_in_view(self, one: _Sort) -> bool:
        """Whether anything of its heap is seen: a whole heap may lie outside the picture."""
        return any(trace.owner == (one.zone, one.seat) for trace in (*self._stayed, *self._new))

    def _flicker(self, trace: _Trace) -> float:
        """That it was seen, lies there still and is not seen any more."""
        missed = -math.log(max(1.0 - trace.sighting.certainty, 1e-4))
        return min(self._beside.max_flicker_nats, missed)

    def _newness(self, trace: _Trace) -> float:
        """That it is seen now, and lay there before or is nothing."""
        seen, zone = trace.sighting, trace.owner[0] if trace.owner else Zone.SUPPLY
        if is_known_card(seen) and not self._lay_unseen(trace):
            return self._beside.known_card_nats * seen.certainty
        apart = zone is Zone.SPENT or (zone is Zone.HAND and seen.kind is Kind.CARD)
        weight = (
            max(self._weight[zone], self._beside.new_piece_nats) if apart and self._weight[zone] else self._weight[zone]
        )
        return weight * seen.certainty

    def _lay_unseen(self, trace: _Trace) -> bool:
        """Whether more of what looks like it lay open among the same things than was seen there."""
        open_, _ = top_first(p for p in self._then.pieces if (p.zone, p.seat) == trace.owner)
        lay = sum(self._unlike(_sort(placed), trace) == 0.0 for placed in open_)
        return lay > sum(self._alike(before, trace) == 0.0 for before in (*self._stayed, *self._gone))

    def _unsaid(self, went: set[int], came: set[int]) -> tuple[float, float]:
        """What the rest costs, of cards that are known by their drawing and of all else; what both went and came may
        have been pushed along."""
        gone, new, pushed = self._pushed_along(went, came, self._pushed)
        known = {index for index in new if is_known_card(self._new[index].sighting)}
        certain = sum(self._news[index] for index in known - set(pushed.values()))
        doubtful = sum(self._news[index] for index in set(new) - known - set(pushed.values()))
        for index in gone:
            other = pushed.get(index)
            doubtful += self._flickers[index] if other is None else self._pushed(self._gone[index], self._new[other])
        return certain, doubtful

    def _pushed_along(
        self, went: set[int], came: set[int], costs: Callable[[_Trace, _Trace], float]
    ) -> tuple[list[int], list[int], dict[int, int]]:
        """What is gone and what is new beyond those, and which of them are one."""
        gone = [index for index in range(len(self._gone)) if index not in went]
        new = [index for index in range(len(self._new)) if index not in came]
        rows = [[costs(self._gone[one], self._new[other]) - self._news[other] for other in new] for one in gone]
        found = assigned(rows, [self._flickers[one] for one in gone]) if gone else []
        pairs = zip(gone, found, strict=True)
        return gone, new, {one: new[column] for one, column in pairs if column is not None}

    def _pushed(self, gone: _Trace, new: _Trace) -> float:
        return self._alike(gone, new) + self._beside.pushed_nats * (1.0 + _gap(gone, new.seen))

    def _same(self, gone: _Trace, new: _Trace) -> float:
        return 0.0 if self._alike(gone, new) == 0.0 else math.inf

    def _alike(self, gone: _Trace, new: _Trace) -> float:
        """How surprising it is that they are one thing of the same owner."""
        one, other = gone.sighting, new.sighting
        if one.kind is not other.kind or (one.face and other.face and one.face is not other.face):
            return math.inf
        return _doubt(other.chance_of(*one.best), self._beside) if gone.owner == new.owner else math.inf


def _gap(trace: _Trace, seen: BoardSighting) -> float:
    return math.hypot(trace.seen.x - seen.x, trace.seen.y - seen.y)


@dataclass(frozen=True, slots=True)
class _Sort:
    """A piece beside the board, as far as one can be told from another there."""

    zone: Zone
    seat: int | None
    piece: Piece
    face: Face | None
    beneath: bool = False
    """Whether it lies in a pile beneath others: that is not missed."""

    def looks_as(self, other: _Sort) -> bool:
        mine = self.zone, self.seat, self.piece.kind, self.piece.suit, self.piece.rank
        return mine == (other.zone, other.seat, other.piece.kind, other.piece.suit, other.piece.rank)


def _sort(placed: Placed) -> _Sort:
    return _Sort(placed.zone, placed.seat, placed.shown, placed.face)


def _beneath(differing: Counter[_Sort], pieces: Sequence[Placed]) -> list[_Sort]:
    """What differs, one by one; as many of a sort as lie beneath others are taken to be those."""
    if not differing:
        return []
    owners = {(sort.zone, sort.seat) for sort in differing}
    hidden = Counter(map(_sort, top_first(p for p in pieces if (p.zone, p.seat) in owners)[1]))
    return [replace(sort, beneath=index < hidden[sort]) for sort, count in differing.items() for index in range(count)]


def _is_unmoved(placed: Placed, before: Placed | None) -> bool:
    """Whether it is among the things where it was, and shows the same."""
    return before is not None and (placed.zone, placed.seat, placed.face, placed.piece) == (
        before.zone,
        before.seat,
        before.face,
        before.piece,
    )


def _undiced(layout: Layout) -> tuple[Placed, ...]:
    return tuple(p for p in layout.pieces if p.zone is not Zone.BOARD and p.piece.kind is not Kind.DIE)


def _doubt(chance: float, beside: OffBoardCosts) -> float:
    return 0.0 if chance >= beside.match_chance else min(beside.max_mismatch_nats, -math.log(max(chance, 1e-4)))


def _resized(size: Size, seen: Sighting, beside: OffBoardCosts) -> float:
    """How surprising it is that a pyramid of this size looks as large."""
    if seen.size is None or seen.size.look is size.look:
        return 0.0
    return _doubt(seen.sizes.get(size.look, 0.0), beside)


def _stood(seen: BoardSighting, changed: Callable[[Placed], float | None] | None, tuning: Tuning) -> bool:
    chance = changed(placed_from(seen, "")) if changed is not None else None
    return chance is not None and chance <= tuning.change.unchanged_chance


def _pairs(
    then: Sequence[BoardSighting], now: Sequence[BoardSighting], reach: float, beside: OffBoardCosts
) -> dict[int, int]:
    """What is seen again where it was seen."""
    rows = [[_apart(one, other, reach, beside) for other in now] for one in then]
    found = assigned(rows, [reach] * len(then)) if then else []
    return {row: column for row, column in enumerate(found) if column is not None}


def _is_one(one: BoardSighting, other: BoardSighting, beside: OffBoardCosts) -> bool:
    return _apart(one, other, 2 * half_extent(Piece(one.sighting.kind)), beside) < math.inf


def _apart(one: BoardSighting, other: BoardSighting, reach: float, beside: OffBoardCosts) -> float:
    if one.sighting.kind is not other.sighting.kind:
        return math.inf
    if one.sighting.face and other.sighting.face and one.sighting.face is not other.sighting.face:
        return math.inf
    gap = math.hypot(one.x - other.x, one.y - other.y)
    alike = other.sighting.chance_of(*one.sighting.best) >= beside.other_chance
    return gap if gap < reach and alike else math.inf
