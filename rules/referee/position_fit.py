"""Takes the table as it lies: the position that fits what is seen best, however it came about.

It needs nothing from a game but its state and `layout`: fields of the state are edited (`edits.py`), one after the
other, while the fit improves. Nothing that lies right is touched, and the result must be a position that can be
played on, with all pieces of the set. Where no position fits exactly, the nearest is returned with the remaining
differences, to be put right by hand.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
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
from rules.sentence import InputError, say
from rules.table.change import change_between
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable

_TO_MOVE = "to_act"


class UnclearTableError(InputError):
    """No position of the game is near what is seen."""


@dataclass(frozen=True, slots=True)
class FittedPosition:
    """A state that fits the table. `others`: the same with another seat to move. `remaining`: what still lies
    otherwise, to be put right by hand."""

    state: Any
    effects: tuple[Effect, ...]
    others: dict[int, Any]
    remaining: tuple[Wrong, ...] = ()


def fit_position(history: History, memory: Memory, observed: ObservedTable, tuning: Tuning = TUNING) -> FittedPosition:
    """The position that fits the table. UnclearTableError where the board is not seen, or no position is near."""
    game, state = history.game, history.state
    layout = game.layout(state)
    pose = register(layout, observed, memory.registration, tuning)
    if pose is None:
        raise UnclearTableError(say("the board is not in the picture"))
    view = TableLikelihood(
        observed, pose, layout, memory.detection or NOTHING_LEARNED, previous=memory.off_board, tuning=tuning
    )
    fitted = _StateSearch(game, view, state, tuning).best()
    remaining = fitted.remaining
    if len(remaining) > tuning.accusation.max_differences:
        raise UnclearTableError(say("no position of this game lies like that"))
    moves = position_as_moves(layout, fitted.layout)
    return FittedPosition(fitted.state, moves, dict(_other_seats(game, fitted.state)), remaining)


def position_as_moves(before: Layout, after: Layout) -> tuple[Effect, ...]:
    """The difference of two layouts as effects, for clients to show like a move."""
    change = change_between(before, after)
    moved = ((m.before, m.after) for m in change.moved if Zone.BOARD in (m.before.zone, m.after.zone))
    effects = [Effect(EffectKind.MOVE, a.shown, a.key, _spot(b), _spot(a)) for b, a in moved]
    effects += [Effect(EffectKind.PLACE, p.shown, p.key, None, _spot(p)) for p in change.added if p.zone is Zone.BOARD]
    return (
        *effects,
        *(Effect(EffectKind.REMOVE, p.shown, p.key, _spot(p)) for p in change.removed if p.zone is Zone.BOARD),
    )


def _spot(placed: Placed) -> Spot:
    return Spot(placed.place, placed.x, placed.y, placed.zone, placed.seat)


def _other_seats(game: AnyGame, state: Any) -> Iterator[tuple[int, Any]]:
    """The same position with each other seat to move, where the state has one field for it."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT or not hasattr(state, _TO_MOVE):
        return
    for seat in range(max(game.card.seats)):
        try:
            other = replace(state, **{_TO_MOVE: seat})
            turn = game.turn(other)
            if turn.kind is TurnKind.SEAT and turn.seats == (seat,) and _is_playable(game, other):
                yield seat, other
        except NO_POSITION:
            continue


def _is_playable(game: AnyGame, state: Any) -> bool:
    """Whether it is a position of the game: it can be encoded, described and played on."""
    try:
        round_trips = game.decode(game.encode(state)) == state
        return round_trips and (game.turn(state).is_over or all(map(game.describe, islice(game.legal(state), 3))))
    except NO_POSITION:
        return False


@dataclass(frozen=True)
class _Candidate:
    """A state compared with what is seen. `lost_count`: pieces of the set that would be missing or doubled."""

    state: Any
    layout: Layout
    fit: Residual
    lost_count: int
    tuning: Tuning

    @property
    def rates(self) -> LikelihoodRates:
        return self.tuning.likelihood

    @cached_property
    def displaced(self) -> list[tuple[Placed, BoardSighting]]:
        """Missing pieces and extra sightings near them that may be one piece laid carelessly."""
        unmatched, displaced = list(self.fit.extra), []
        for placed in self.fit.missing:
            alike = [seen for seen in unmatched if _may_be_same(placed, seen, self.rates)]
            near = [seen for seen in alike if _is_near(self.layout, placed, seen, self.tuning.position_fit)]
            if near:
                seen = min(near, key=lambda one: _distance(placed, one))
                unmatched.remove(seen)
                displaced.append((placed, seen))
        return displaced

    @cached_property
    def cost(self) -> float:
        distances = sum(_distance(placed, seen) for placed, seen in self.displaced)
        nats = sum(self.rates.missing_nats + surprise_of_extra(seen, self.rates) for _, seen in self.displaced)
        lost_nats = self.tuning.decision.explained_nats * self.lost_count  # one is too many
        return max(0.0, self.fit.cost - (nats - distances)) + distances + lost_nats

    @property
    def remaining(self) -> tuple[Wrong, ...]:
        """What lies otherwise, without the displaced."""
        placed_keys = {placed.key for placed, _ in self.displaced}
        indices = {seen.index for _, seen in self.displaced}
        extra = [seen for seen in self.fit.extra if seen.index not in indices]
        certain = [seen for seen in extra if surprise_of_extra(seen, self.rates) > self.rates.certain_extra_nats]
        wrong = []
        for placed in (placed for placed in self.fit.missing if placed.key not in placed_keys):
            match = next((seen for seen in certain if _may_be_same(placed, seen, self.rates)), None)
            if match is not None:
                certain.remove(match)
            wrong.append(Wrong(placed, placed_from(match, "") if match is not None else None))
        wrong += [Wrong(placed, placed_from(seen, "")) for placed, seen in self.fit.mismatched]
        return (*wrong, *(Wrong(None, placed_from(seen, "")) for seen in certain))

    @cached_property
    def wrong(self) -> dict[str, Placed]:
        return {p.key: p for p in (*self.fit.missing, *(placed for placed, _ in self.fit.mismatched))}

    @cached_property
    def unexplained(self) -> list[BoardSighting]:
        return [*self.fit.extra, *(one for _, one in self.fit.mismatched)]

    @cached_property
    def comparable(self) -> frozenset[tuple[object, ...]]:
        return frozenset(map(_comparable, self.layout.board))

    @cached_property
    def wrong_comparable(self) -> frozenset[tuple[object, ...]]:
        return frozenset(map(_comparable, self.wrong.values()))


def _may_be_same(placed: Placed, seen: BoardSighting, rates: LikelihoodRates) -> bool:
    same_side = placed.face is None or seen.sighting.face in (None, placed.face)
    likely = seen.sighting.chance_of(placed.shown.suit, placed.shown.rank) > rates.moved_chance
    return placed.piece.kind is seen.sighting.kind and same_side and likely


def _may_be_turned(placed: Placed, seen: BoardSighting, rates: LikelihoodRates) -> bool:
    """Whether it may be that piece with either side up."""
    piece, sighting = placed.piece, seen.sighting
    same_size = piece.size is None or sighting.size is None or piece.size.look is sighting.size.look
    return piece.kind is sighting.kind and same_size and sighting.chance_of(piece.suit, piece.rank) > rates.moved_chance


def _is_near(layout: Layout, placed: Placed, seen: BoardSighting, limits: PositionFitLimits) -> bool:
    """Whether it may be meant for that place: near it, or anywhere on a wide one."""
    if _distance(placed, seen) < limits.near_spaces:
        return True
    place_here = next((place for place in layout.places if place.name == placed.place), None)
    return (
        place_here is not None
        and placed.piece.kind not in (Kind.TILE, Kind.CARD)
        and abs(place_here.x - seen.x) < place_here.width / 2
        and abs(place_here.y - seen.y) < place_here.height / 2
    )


def _distance(placed: Placed, seen: BoardSighting) -> float:
    return math.hypot(placed.x - seen.x, placed.y - seen.y)


@dataclass
class _StateSearch:
    """Beam search from the last state towards the one that is seen."""

    game: AnyGame
    view: TableLikelihood
    first: Any
    tuning: Tuning
    seen_layouts: set[tuple[Placed, ...]] = field(default_factory=set)
    moved_by: dict[Address, set[Placed]] = field(default_factory=lambda: defaultdict(set))
    """For each field of the state the pieces that lie otherwise when it is edited, before and after."""

    tried: int = 0
    """Number of edits tried."""

    @property
    def is_spent(self) -> bool:
        return self.tried >= self.limits.max_changes

    @property
    def limits(self) -> PositionFitLimits:
        return self.tuning.position_fit

    @cached_property
    def piece_counts(self) -> Counter[str]:
        """All pieces of the set."""
        return _pieces(self.game.layout(self.first))

    def best(self) -> _Candidate:
        start = self._candidate(self.first, self.game.layout(self.first))
        self._learn(start)
        beam, all_found, least_cost, idle_steps = [start], [start], start.cost, 0
        for _ in range(self.limits.max_steps):
            if any(map(self._is_solution, beam)) or self.is_spent or idle_steps == self.limits.max_idle_steps:
                break
            successors = sorted((after for one in beam for after in self._successors(one)), key=lambda one: one.cost)
            beam = successors[: self.limits.beam]
            all_found += beam
            idle_steps = 0 if beam and beam[0].cost < least_cost - self.limits.min_gain_nats else idle_steps + 1
            least_cost = min(least_cost, beam[0].cost) if beam else least_cost
        complete = sorted((one for one in all_found if one.lost_count == 0), key=lambda one: one.cost)
        return next((one for one in complete if one.cost < start.cost and _is_playable(self.game, one.state)), start)

    def _candidate(self, state: Any, layout: Layout) -> _Candidate:
        self.seen_layouts.add(layout.pieces)
        return _Candidate(state, layout, self.view.fit(layout), self._lost_count(layout), self.tuning)

    def _is_solution(self, one: _Candidate) -> bool:
        return one.fit.cost < self.tuning.decision.explained_nats and one.lost_count == 0 and not one.remaining

    def _successors(self, before: _Candidate) -> Iterator[_Candidate]:
        """Useful edits that are not much worse: a piece may have to go before another comes. One that nearly fits
        may need a second field of its piece edited: where on its place it stands."""
        max_cost = before.cost + self.limits.max_worse_nats
        for edit in self._edits(before):
            state, layout = self._apply(before.state, edit)
            if layout is None:
                continue
            after = self._candidate(state, layout) if self._is_progress(before, layout, 0.0) else None
            if after is not None and after.cost < max_cost:
                yield after
            elif self._is_progress(before, layout, self.limits.astray_spaces):
                yield from (one for one in self._nudge(before, state, layout, edit) if one.cost < max_cost)

    def _apply(self, state: Any, edit: Edit) -> tuple[Any, Layout | None]:
        """The edited state and its layout; None where that layout was tried before."""
        if self.is_spent:
            return None, None
        self.tried += 1
        after = edit.applied_to(state)
        layout = self._layout(after)
        return (after, layout) if layout is not None and layout.pieces not in self.seen_layouts else (None, None)

    def _nudge(self, before: _Candidate, state: Any, layout: Layout, edit: Edit) -> Iterator[_Candidate]:
        keys = before.wrong.keys() & {p.key for p in set(layout.board) - set(before.layout.board)}
        moving = {a for a, moved_by in self.moved_by.items() if any(p.key in keys for p in moved_by)}
        addresses = moving - {*edit.addresses}
        if not addresses or len(addresses) > self.limits.max_nudges:
            return
        for other in edits(state, self._scope(before), frozenset(addresses)):
            nudged, nudged_layout = self._apply(state, other)
            if nudged_layout is not None and self._is_progress(before, nudged_layout, 0.0):
                yield self._candidate(nudged, nudged_layout)

    def _learn(self, before: _Candidate) -> None:
        """Learns which pieces each field of the state moves, from a few edits of it."""
        pieces = set(before.layout.pieces)
        for edit in probes(before.state, self._scope(before)):
            layout = self._layout(edit.applied_to(before.state))
            if layout is not None:
                self.moved_by[edit.addresses[0]] |= pieces ^ set(layout.pieces)

    def _edits(self, before: _Candidate) -> Iterator[Edit]:
        """Edits of the fields that move a piece which lies otherwise."""
        rates = self.tuning.likelihood

        def is_relevant(placed: Placed) -> bool:
            return placed.key in before.wrong or any(_may_be_turned(placed, one, rates) for one in before.unexplained)

        relevant = frozenset(address for address, moved in self.moved_by.items() if any(map(is_relevant, moved)))
        yield from self._coordinate_edits(before, relevant)
        yield from edits(before.state, self._scope(before, self._places(before)), relevant)

    def _scope(self, before: _Candidate, near: Iterable[str] = ()) -> Scope:
        return Scope.of(before.layout, near, self.limits.max_number)

    def _places(self, before: _Candidate) -> Iterator[str]:
        """Places where something lies otherwise."""
        yield from (placed.place for placed in before.wrong.values() if placed.place)
        for seen in before.unexplained:
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

    def _coordinate_edits(self, before: _Candidate, relevant: frozenset[Address]) -> Iterator[Edit]:
        """Edits that put freely placed pieces where they are seen, by the measured effect of each coordinate."""
        wrong = before.wrong
        if not wrong or not before.unexplained:
            return
        steps = dict(self._steps(before, relevant))
        numbers = dict(coordinates(before.state))
        for one, other in paired(steps):
            for key in steps[one].keys() & steps[other].keys():
                for seen in before.unexplained:
                    if _may_be_same(wrong[key], seen, self.tuning.likelihood):
                        offset = seen.x - wrong[key].x, seen.y - wrong[key].y
                        first, second = _solve(offset, steps[one][key], steps[other][key])
                        if first or second:
                            yield Edit(((one, numbers[one] + first), (other, numbers[other] + second)))

    def _steps(
        self, before: _Candidate, relevant: frozenset[Address]
    ) -> Iterator[tuple[Address, dict[str, tuple[float, float]]]]:
        """For each number that moves a misplaced piece: its displacement per unit."""
        for address, value in coordinates(before.state):
            if address not in relevant:
                continue
            for shift in (self.limits.shift, 1, -1):
                layout = self._layout(Edit(((address, value + shift),)).applied_to(before.state))
                displacements = _displacements(layout, before.wrong, shift) if layout is not None else {}
                if displacements:
                    yield address, displacements
                    break

    def _is_progress(self, before: _Candidate, after: Layout, max_distance: float) -> bool:
        """Whether pieces that lie right stay, and those that come are within `max_distance` of a sighting."""
        new = {_comparable(p): p for p in after.board}
        removed, added = before.comparable - new.keys(), [new[key] for key in new.keys() - before.comparable]
        if not removed and not added:
            return self._lost_count(after) < before.lost_count or set(before.layout.board) != set(after.board)
        return removed <= before.wrong_comparable and all(
            any(_is_explained_by(after, p, seen, max_distance, self.limits) for seen in before.unexplained)
            for p in added
        )

    def _lost_count(self, layout: Layout) -> int:
        now = _pieces(layout)
        return (now - self.piece_counts).total() + (self.piece_counts - now).total()


def _displacements(after: Layout, wrong: dict[str, Placed], shift: int) -> dict[str, tuple[float, float]]:
    by_key = {placed.key: placed for placed in after.board if placed.key in wrong}
    steps = {key: ((p.x - wrong[key].x) / shift, (p.y - wrong[key].y) / shift) for key, p in by_key.items()}
    return {key: step for key, step in steps.items() if math.hypot(*step) > 1e-6}


def _solve(offset: tuple[float, float], first: tuple[float, float], second: tuple[float, float]) -> tuple[int, int]:
    """How many of either step together go so far; none where both go the same way."""
    (a, c), (b, d), (dx, dy) = first, second, offset
    determinant = a * d - b * c
    if abs(determinant) < 1e-9:
        return 0, 0
    return round((d * dx - b * dy) / determinant), round((a * dy - c * dx) / determinant)


def _is_explained_by(
    layout: Layout, placed: Placed, seen: BoardSighting, max_distance: float, limits: PositionFitLimits
) -> bool:
    is_near = _distance(placed, seen) < max_distance or _is_near(layout, placed, seen, limits)
    return placed.piece.kind is seen.sighting.kind and is_near


def _pieces(layout: Layout) -> Counter[str]:
    return Counter(placed.piece.code for placed in layout)


def _comparable(placed: Placed) -> tuple[object, ...]:
    """What matters of a lying piece: its place, where it has one it may lie anywhere on; else its position."""
    has_place = placed.place and placed.piece.kind not in (Kind.TILE, Kind.CARD)
    where = placed.place if has_place else (round(placed.x, 2), round(placed.y, 2))
    return (placed.shown.code, where, placed.face, placed.pose, placed.lean)
