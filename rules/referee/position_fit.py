"""The table taken as it lies: the position that explains best what is seen, whatever the rules say about how it came
to be.

No game writes anything for it. A state is data, and `layout` says how it would lie: things of the state are changed
(`edits.py`), one after the other, as long as what should lie there then comes nearer to what is seen. Nothing that lies
as it should is touched, and what is found must be a position that the game can go on from, with all pieces of the set.
Where no position lies quite like that, the nearest one is found, and what still lies otherwise is told, to be put right
by hand.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.detection_rates import NOTHING_LEARNED
from rules.referee.edits import NO_POSITION, Address, Edit, Scope, coordinates, edits, paired, probes
from rules.referee.fit import BoardSighting, Residual, placed_from
from rules.referee.likelihood import TableLikelihood, surprise_of_extra
from rules.referee.memory import Memory
from rules.referee.register import register
from rules.referee.tuning import TUNING, LikelihoodRates, PositionFitLimits, Tuning
from rules.referee.verdict import Wrong
from rules.sentence import SaidError, say
from rules.table.change import change_between
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable

_WHOSE = "to_act"


class UnclearTableError(SaidError):
    """No position of the game comes near to what is seen."""


@dataclass(frozen=True, slots=True)
class FittedPosition:
    """A state that lies as it is seen; `others` are the same with another seat to move; `rest` is what lies otherwise
    even so, to be put right by hand."""

    state: Any
    effects: tuple[Effect, ...]
    others: dict[int, Any]
    rest: tuple[Wrong, ...] = ()


def fit_position(history: History, memory: Memory, observed: ObservedTable, tuning: Tuning = TUNING) -> FittedPosition:
    """UnclearTableError where the board is not seen, or where nothing that the game knows lies nearly like that."""
    game, state = history.game, history.state
    layout = game.layout(state)
    found = register(layout, observed, memory.registration, tuning)
    if found is None:
        raise UnclearTableError(say("the board is not in the picture"))
    view = TableLikelihood(
        observed, found, layout, memory.detection or NOTHING_LEARNED, then=memory.off_board, tuning=tuning
    )
    best = _StateSearch(game, view, state, tuning).found()
    rest = best.compared.rest
    if len(rest) > tuning.position_fit.max_rest:
        raise UnclearTableError(say("no position of this game lies like that"))
    return FittedPosition(best.state, position_as_moves(layout, best.layout), dict(_others(game, best.state)), rest)


def position_as_moves(before: Layout, after: Layout) -> tuple[Effect, ...]:
    """What lies otherwise now, as effects, so that every phone shows it like a move."""
    change = change_between(before, after)
    moved = ((m.before, m.after) for m in change.moved if Zone.BOARD in (m.before.zone, m.after.zone))
    told = [Effect(EffectKind.MOVE, a.shown, a.key, _spot(b), _spot(a)) for b, a in moved]
    told += [Effect(EffectKind.PLACE, p.shown, p.key, None, _spot(p)) for p in change.added if p.zone is Zone.BOARD]
    return (
        *told,
        *(Effect(EffectKind.REMOVE, p.shown, p.key, _spot(p)) for p in change.removed if p.zone is Zone.BOARD),
    )


def _spot(placed: Placed) -> Spot:
    return Spot(placed.place, placed.x, placed.y, placed.zone, placed.seat)


def _others(game: AnyGame, state: Any) -> Iterator[tuple[int, Any]]:
    """The same position with each seat to move, where the game says that in one place."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT or not hasattr(state, _WHOSE):
        return
    for seat in range(max(game.card.seats)):
        try:
            other = replace(state, **{_WHOSE: seat})
            if game.turn(other).kind is TurnKind.SEAT and game.turn(other).seats == (seat,) and _goes_on(game, other):
                yield seat, other
        except NO_POSITION:
            continue


def _goes_on(game: AnyGame, state: Any) -> bool:
    """Whether it is a position of the game at all: it can be written down, told and played on."""
    try:
        whole = game.decode(game.encode(state)) == state
        return whole and (game.turn(state).is_over or all(map(game.describe, islice(game.legal(state), 3))))
    except NO_POSITION:
        return False


# How near a layout comes to what is seen ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Compared:
    """A layout beside what is seen. What is missing and what is strange nearby may be one piece that somebody laid
    down carelessly: `beside`."""

    layout: Layout
    fit: Residual
    beside: tuple[tuple[Placed, BoardSighting], ...]
    fitting: LikelihoodRates

    @staticmethod
    def of(layout: Layout, fit: Residual, tuning: Tuning) -> _Compared:
        left, beside = list(fit.extra), []
        for placed in fit.missing:
            near = [
                seen
                for seen in left
                if _may_be(placed, seen, tuning.likelihood) and _is_beside(layout, placed, seen, tuning.position_fit)
            ]
            if near:
                seen = min(near, key=lambda one: _apart(placed, one))
                left.remove(seen)
                beside.append((placed, seen))
        return _Compared(layout, fit, tuple(beside), tuning.likelihood)

    @property
    def price(self) -> float:
        laid = sum(
            self.fitting.missing_nats + surprise_of_extra(seen, self.fitting) - _apart(placed, seen)
            for placed, seen in self.beside
        )
        return max(0.0, self.fit.cost - laid) + sum(_apart(placed, seen) for placed, seen in self.beside)

    @property
    def missing(self) -> list[Placed]:
        found = {placed.key for placed, _ in self.beside}
        return [placed for placed in self.fit.missing if placed.key not in found]

    @property
    def extra(self) -> list[BoardSighting]:
        known = {seen.index for _, seen in self.beside}
        return [seen for seen in self.fit.extra if seen.index not in known]

    @property
    def rest(self) -> tuple[Wrong, ...]:
        """What lies otherwise than the layout says."""
        clear = [seen for seen in self.extra if surprise_of_extra(seen, self.fitting) > self.fitting.certain_extra_nats]
        found = []
        for placed in self.missing:
            twin = next((seen for seen in clear if _may_be(placed, seen, self.fitting)), None)
            if twin is not None:
                clear.remove(twin)
            found.append(Wrong(placed, placed_from(twin, "") if twin is not None else None))
        found += [Wrong(placed, placed_from(seen, "")) for placed, seen in self.fit.mismatched]
        return (*found, *(Wrong(None, placed_from(seen, "")) for seen in clear))


def _may_be(placed: Placed, seen: BoardSighting, fitting: LikelihoodRates) -> bool:
    same_side = placed.face is None or seen.sighting.face in (None, placed.face)
    likely = seen.sighting.chance_of(placed.shown.suit, placed.shown.rank) > fitting.moved_chance
    return placed.piece.kind is seen.sighting.kind and same_side and likely


def _may_look(placed: Placed, seen: BoardSighting, fitting: LikelihoodRates) -> bool:
    """Whether it would be that piece whichever side was up."""
    piece, sighting = placed.piece, seen.sighting
    same_size = piece.size is None or sighting.size is None or piece.size.look is sighting.size.look
    return (
        piece.kind is sighting.kind and same_size and sighting.chance_of(piece.suit, piece.rank) > fitting.moved_chance
    )


def _is_beside(layout: Layout, placed: Placed, seen: BoardSighting, taking: PositionFitLimits) -> bool:
    """Near enough to be meant for that place, or anywhere on it where it is wide."""
    if _apart(placed, seen) < taking.near_spaces:
        return True
    here = next((place for place in layout.places if place.name == placed.place), None)
    return (
        here is not None
        and placed.piece.kind not in (Kind.TILE, Kind.CARD)
        and abs(here.x - seen.x) < here.width / 2
        and abs(here.y - seen.y) < here.height / 2
    )


def _apart(placed: Placed, seen: BoardSighting) -> float:
    return math.hypot(placed.x - seen.x, placed.y - seen.y)


# The search ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Candidate:
    state: Any
    layout: Layout
    compared: _Compared
    lost: int
    price: float
    enough: float

    @property
    def is_it(self) -> bool:
        return self.lost == 0 and not self.compared.rest and self.compared.fit.cost < self.enough

    @cached_property
    def wrong(self) -> dict[str, Placed]:
        fit = self.compared.fit
        return {p.key: p for p in (*fit.missing, *(placed for placed, _ in fit.mismatched))}

    @cached_property
    def strange(self) -> list[BoardSighting]:
        fit = self.compared.fit
        return [*fit.extra, *(one for _, one in fit.mismatched)]

    @cached_property
    def lying(self) -> frozenset[tuple[object, ...]]:
        return frozenset(map(_lying, self.layout.board))

    @cached_property
    def lying_wrong(self) -> frozenset[tuple[object, ...]]:
        return frozenset(map(_lying, self.wrong.values()))


@dataclass
class _StateSearch:
    """Goes from the state as it was towards the one that is seen, several ways at once."""

    game: AnyGame
    view: TableLikelihood
    first: Any
    tuning: Tuning
    known: set[tuple[Placed, ...]] = field(default_factory=set)
    moves: dict[Address, set[Placed]] = field(default_factory=lambda: defaultdict(set))
    """What lies otherwise when a thing of the state is changed: how it lay, and how it came to lie."""

    tried: int = 0
    """So many changes were made to a state."""

    @property
    def is_spent(self) -> bool:
        return self.tried >= self.taking.max_changes

    @property
    def taking(self) -> PositionFitLimits:
        return self.tuning.position_fit

    @cached_property
    def whole(self) -> Counter[str]:
        """All pieces of the set."""
        return _pieces(self.game.layout(self.first))

    def found(self) -> _Candidate:
        start = self._candidate(self.first, self.game.layout(self.first))
        self._learn(start)
        beam, all_found, least, idle = [start], [start], start.price, 0
        for _ in range(self.taking.max_steps):
            if any(one.is_it for one in beam) or self.is_spent or idle == self.taking.max_idle_steps:
                break
            found = sorted((after for one in beam for after in self._after(one)), key=lambda one: one.price)
            beam = found[: self.taking.beam]
            all_found += beam
            idle = 0 if beam and beam[0].price < least - self.taking.min_gain_nats else idle + 1
            least = min(least, beam[0].price) if beam else least
        whole = sorted((one for one in all_found if one.lost == 0), key=lambda one: one.price)
        return next((one for one in whole if one.price < start.price and _goes_on(self.game, one.state)), start)

    def _candidate(self, state: Any, layout: Layout) -> _Candidate:
        self.known.add(layout.pieces)
        compared = _Compared.of(layout, self.view.fit(layout), self.tuning)
        lost = self._lost(layout)
        price = compared.price + self.taking.lost_nats * lost
        return _Candidate(state, layout, compared, lost, price, self.taking.done_nats)

    def _after(self, before: _Candidate) -> Iterator[_Candidate]:
        """What is to the point, and not much worse: a piece may have to go before another one can come. What nearly is
        may need another thing of the same piece changed too: where on its place it stands."""
        dear = before.price + self.taking.max_worse_nats
        for edit in self._edits(before):
            state, layout = self._new(before.state, edit)
            if layout is None:
                continue
            after = self._candidate(state, layout) if self._is_to_the_point(before, layout, 0.0) else None
            if after is not None and after.price < dear:
                yield after
            elif self._is_to_the_point(before, layout, self.taking.astray_spaces):
                yield from (one for one in self._nudged(before, state, layout, edit) if one.price < dear)

    def _new(self, state: Any, edit: Edit) -> tuple[Any, Layout | None]:
        """What it leads to, if that is a table that was not tried before."""
        if self.is_spent:
            return None, None
        self.tried += 1
        after = edit.done_to(state)
        layout = self._layout(after)
        return (after, layout) if layout is not None and layout.pieces not in self.known else (None, None)

    def _nudged(self, before: _Candidate, state: Any, layout: Layout, edit: Edit) -> Iterator[_Candidate]:
        keys = before.wrong.keys() & {p.key for p in set(layout.board) - set(before.layout.board)}
        same = {a for a, moves in self.moves.items() if any(p.key in keys for p in moves)} - {*edit.addresses}
        if not same or len(same) > self.taking.max_nudges:
            return
        for other in edits(state, Scope.of(before.layout, (), self.taking.max_number), frozenset(same)):
            nudged, lies = self._new(state, other)
            if lies is not None and self._is_to_the_point(before, lies, 0.0):
                yield self._candidate(nudged, lies)

    def _learn(self, before: _Candidate) -> None:
        """What every thing of the state has to do with, from a few changes of it."""
        lies = set(before.layout.pieces)
        for edit in probes(before.state, Scope.of(before.layout, (), self.taking.max_number)):
            layout = self._layout(edit.done_to(before.state))
            if layout is not None:
                self.moves[edit.addresses[0]] |= lies ^ set(layout.pieces)

    def _useful(self, before: _Candidate) -> frozenset[Address]:
        """What of a state has to do with what lies otherwise than it should."""
        wrong, strange = before.wrong, before.strange

        def concerns(placed: Placed) -> bool:
            return placed.key in wrong or any(_may_look(placed, seen, self.tuning.likelihood) for seen in strange)

        return frozenset(address for address, moves in self.moves.items() if any(map(concerns, moves)))

    def _edits(self, before: _Candidate) -> Iterator[Edit]:
        useful = self._useful(before)
        yield from self._measured(before, useful)
        yield from edits(before.state, Scope.of(before.layout, self._places(before), self.taking.max_number), useful)

    def _places(self, before: _Candidate) -> Iterator[str]:
        """Where something lies otherwise than it should."""
        yield from (placed.place for placed in before.wrong.values() if placed.place)
        for seen in before.strange:
            for place in before.layout.places:
                if max(abs(place.x - seen.x) - place.width / 2, abs(place.y - seen.y) - place.height / 2) < 0.5:
                    yield place.name

    def _layout(self, state: Any) -> Layout | None:
        if state is None:
            return None
        try:
            return self.game.layout(state)
        except NO_POSITION:
            return None

    def _measured(self, before: _Candidate, useful: frozenset[Address]) -> Iterator[Edit]:
        """Pieces that lie anywhere, laid where they are seen: what a coordinate does is learnt by changing it."""
        wrong = before.wrong
        if not wrong or not before.strange:
            return
        steps = dict(self._steps(before, wrong, useful))
        numbers = dict(coordinates(before.state))
        for one, other in paired(steps):
            for key in steps[one].keys() & steps[other].keys():
                for seen in before.strange:
                    if _may_be(wrong[key], seen, self.tuning.likelihood):
                        yield from _solved(wrong[key], seen, one, other, steps[one][key], steps[other][key], numbers)

    def _steps(
        self, before: _Candidate, wrong: dict[str, Placed], useful: frozenset[Address]
    ) -> Iterator[tuple[Address, dict[str, tuple[float, float]]]]:
        """How far a piece goes that lies otherwise, for every number that carries it about."""
        for address, value in coordinates(before.state):
            if address not in useful:
                continue
            for shift in (self.taking.shift, 1, -1):
                lies = self._layout(Edit(((address, value + shift),)).done_to(before.state))
                went = _went(lies, wrong, shift) if lies is not None else {}
                if went:
                    yield address, went
                    break

    def _is_to_the_point(self, before: _Candidate, after: Layout, astray: float) -> bool:
        """Whether what lies as it is seen stays there, and what comes lies where something is seen, or so near it."""
        new = {_lying(p): p for p in after.board}
        gone, come = before.lying - new.keys(), [new[lying] for lying in new.keys() - before.lying]
        if not gone and not come:
            return self._lost(after) < before.lost or set(before.layout.board) != set(after.board)
        return gone <= before.lying_wrong and all(
            any(_is_there(after, p, seen, astray, self.taking) for seen in before.strange) for p in come
        )

    def _lost(self, layout: Layout) -> int:
        """How many pieces of the set would be nowhere, or twice."""
        now = _pieces(layout)
        return (now - self.whole).total() + (self.whole - now).total()


def _went(after: Layout, wrong: dict[str, Placed], shift: int) -> dict[str, tuple[float, float]]:
    lies = {placed.key: placed for placed in after.board if placed.key in wrong}
    steps = {key: ((p.x - wrong[key].x) / shift, (p.y - wrong[key].y) / shift) for key, p in lies.items()}
    return {key: step for key, step in steps.items() if math.hypot(*step) > 1e-6}


def _solved(
    placed: Placed,
    seen: BoardSighting,
    one: Address,
    other: Address,
    first: tuple[float, float],
    second: tuple[float, float],
    numbers: dict[Address, int],
) -> Iterator[Edit]:
    """Both coordinates so that the piece lies where it is seen."""
    (a, c), (b, d) = first, second
    turn = a * d - b * c
    if abs(turn) < 1e-9:
        return
    dx, dy = seen.x - placed.x, seen.y - placed.y
    by = round((d * dx - b * dy) / turn), round((a * dy - c * dx) / turn)
    if by != (0, 0):
        yield Edit(((one, numbers[one] + by[0]), (other, numbers[other] + by[1])))


def _is_there(layout: Layout, placed: Placed, seen: BoardSighting, astray: float, taking: PositionFitLimits) -> bool:
    near = _apart(placed, seen) < astray or _is_beside(layout, placed, seen, taking)
    return placed.piece.kind is seen.sighting.kind and near


def _pieces(layout: Layout) -> Counter[str]:
    return Counter(placed.piece.code for placed in layout)


def _lying(placed: Placed) -> tuple[object, ...]:
    """On a place a piece lies anywhere; a tile and what has no place lie where they lie."""
    named = placed.place and placed.piece.kind not in (Kind.TILE, Kind.CARD)
    where = placed.place if named else (round(placed.x, 2), round(placed.y, 2))
    return (placed.shown.code, where, placed.face, placed.pose, placed.lean)
