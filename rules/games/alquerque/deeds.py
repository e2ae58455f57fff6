"""Deeds and outcome of Alquerque (ALQU-4, ALQU-5): steps along the lines of a point, and chains of captures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, NarratedDeed, Outcome, PhaseText, Refusal, Verb
from rules.engine.action import PLACE
from rules.engine.effects import next_turn_effect
from rules.games.alquerque.opening import BIT, BOARD, NAMES, QUIET, SIZE, State
from rules.sentence import Person, say

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
Jump = tuple[int, int, Action]
"""The bit of the coin jumped over, that of the point behind it, and the action."""


def _name(file: int, rank: int) -> str | None:
    return NAMES[rank * SIZE + file] if 0 <= file < SIZE and 0 <= rank < SIZE else None


def _lines(name: str) -> Iterator[tuple[int, str, str | None]]:
    """For every line from a point: the change of rank, the next point and the one behind it."""
    file, rank = ord(name[0]) - 97, int(name[1]) - 1
    for right, up in _STRAIGHT + (_DIAGONAL if (file + rank) % 2 == 0 else ()):
        if near := _name(file + right, rank + up):
            yield up, near, _name(file + 2 * right, rank + 2 * up)


STEPS = {name: {near: up for up, near, _ in _lines(name)} for name in NAMES}
"""Points one step away, each with the number of ranks that it lies higher."""
JUMPS = {name: {far: near for _, near, far in _lines(name) if far} for name in NAMES}
"""Points two steps away on a line, each with the point between."""
_MOVES = {name: tuple((BIT[to], up, Action("move", (name, to))) for to, up in STEPS[name].items()) for name in NAMES}
_CAPTURES: dict[str, tuple[Jump, ...]] = {
    name: tuple((BIT[over], BIT[to], Action("capture", (name, to))) for to, over in JUMPS[name].items())
    for name in NAMES
}


def moves(state: State) -> Iterator[Action]:
    """Steps to empty points (ALQU-4.1), whether or not a capture is possible."""
    own, taken = state.army(state.to_act), state.board
    back = 0 if state.options.backward else (-1 if state.to_act == 0 else 1)
    for name, bit in BIT.items():
        if own & bit:
            yield from (action for to, up, action in _MOVES[name] if not to & taken and (not back or up != back))


def captures(state: State) -> Iterator[Action]:
    """Jumps (ALQU-4.2); during a chain of captures only those of its coin."""
    own, other = state.army(state.to_act), state.army(1 - state.to_act)
    for name in (state.capturing,) if state.capturing else NAMES:
        if own & BIT[name]:
            yield from (action for over, to, action in _CAPTURES[name] if over & other and not to & (own | other))


def can_capture(state: State) -> bool:
    return any(True for _ in captures(state))


def is_over(state: State) -> bool:
    if state.capturing:
        return False
    return state.quiet >= QUIET or not (any(True for _ in moves(state)) or can_capture(state))


def outcome_of(state: State) -> Outcome:
    if not is_over(state):
        return Outcome()
    loser = state.to_act
    if not state.army(loser):
        return Outcome(True, (1 - loser,), (), say("{who} has lost all coins", who=Person(loser)), "ALQU-5.1")
    if state.quiet >= QUIET:
        return Outcome(True, (), (), say("nothing was captured in {count} turns in a row", count=QUIET), "ALQU-5.3")
    return Outcome(True, (1 - loser,), (), say("{who} cannot move", who=Person(loser)), "ALQU-5.2")


MOVING, CAPTURING = "moving", "capturing"
PHASES = {
    MOVING: PhaseText("ALQU-4.1", "a coin is moved now"),
    CAPTURING: PhaseText("ALQU-4.4", "the coin on {place} goes on capturing"),
}


class AlquerqueDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> tuple[Effect, ...]:
        return (next_turn_effect(outcome_of(after), after.to_act),)


class Move(AlquerqueDeed):
    verb = Verb.of("move", "{from_} to {to}", "ALQU-4.1", from_=PLACE, to=PLACE)
    phases = (MOVING,)

    def legal(self, state: State) -> Iterable[Action]:
        return () if can_capture(state) else moves(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            _no_such_point(source)
            or _no_such_point(target)
            or BOARD.not_own(state, source)
            or _no_line(source, target)
            or _occupied(state, target)
            or _backward(state, source, target)
            or _must_capture(state)
        )

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        coins = BOARD.coins_after(state.coins, source, target)
        return replace(state, coins=coins, to_act=1 - state.to_act, quiet=state.quiet + 1)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        yield BOARD.moved(before, source, target, self.verb.clause)


class Capture(AlquerqueDeed):
    verb = Verb.of("capture", "{from_} captures to {to}", "ALQU-4.2", from_=PLACE, to=PLACE)
    phases = (MOVING, CAPTURING)

    def legal(self, state: State) -> Iterable[Action]:
        return captures(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            _no_such_point(source)
            or _no_such_point(target)
            or BOARD.not_own(state, source)
            or _another_coin(state, source)
            or _no_jump(source, target)
            or _occupied(state, target)
            or _nothing_to_capture(state, source, target)
        )

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        coins = BOARD.coins_after(state.coins, source, target, BIT[JUMPS[source][target]])
        after = replace(state, coins=coins, capturing=target, quiet=0)
        return after if can_capture(after) else replace(after, capturing="", to_act=1 - state.to_act)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        yield BOARD.moved(before, source, target, self.verb.clause)
        yield BOARD.removed(before, JUMPS[source][target], self.verb.clause)


DEEDS = (Move(), Capture())


def phase_of(state: State) -> str:
    return CAPTURING if state.capturing else MOVING


def _no_such_point(place: str) -> Refusal | None:
    if place in BIT:
        return None
    text = say("there is no point “{place}” on this board; it goes from a1 to e5", place=place[:20])
    return Refusal(Code.NO_SUCH_PLACE, "ALQU-2.1", text)


def _another_coin(state: State, place: str) -> Refusal | None:
    if state.capturing in ("", place):
        return None
    return Refusal(Code.MUST_MOVE, "ALQU-4.4", say("the coin on {place} goes on capturing", place=state.capturing))


def _no_line(source: str, target: str) -> Refusal | None:
    if target in STEPS[source]:
        return None
    text = say("no line leads from {source} to the next point {target}", source=source, target=target)
    return Refusal(Code.NOT_ADJACENT, "ALQU-2.2", text, {"from": source, "to": target})


def _no_jump(source: str, target: str) -> Refusal | None:
    if target in JUMPS[source]:
        return None
    text = say("{target} is not two points from {source} on a line", target=target, source=source)
    return Refusal(Code.WRONG_DISTANCE, "ALQU-4.2", text, {"from": source, "to": target})


def _occupied(state: State, place: str) -> Refusal | None:
    if not state.board & BIT[place]:
        return None
    return Refusal(Code.OCCUPIED, "ALQU-2.1", say("a coin lies on {place}", place=place))


def _backward(state: State, source: str, target: str) -> Refusal | None:
    forward = 1 if state.to_act == 0 else -1
    if state.options.backward or STEPS[source][target] != -forward:
        return None
    text = say("{source} to {target} is backward; only a capture goes back", source=source, target=target)
    return Refusal(Code.WRONG_DIRECTION, "ALQU-9.1", text, {"from": source, "to": target})


def _must_capture(state: State) -> Refusal | None:
    first = next(iter(captures(state)), None)
    if first is None:
        return None
    text = say(
        "{who} can capture and must: {source} to {target}", who=Person(state.to_act), source=first[0], target=first[1]
    )
    return Refusal(Code.MUST_MOVE, "ALQU-4.3", text, {"from": first[0], "to": first[1]})


def _nothing_to_capture(state: State, source: str, target: str) -> Refusal | None:
    over = JUMPS[source][target]
    if state.army(1 - state.to_act) & BIT[over]:
        return None
    text = say(
        "no coin of {owner} lies on {place}, between {source} and {target}",
        owner=Person(1 - state.to_act),
        place=over,
        source=source,
        target=target,
    )
    return Refusal(Code.EMPTY, "ALQU-4.2", text, {"place": over})
