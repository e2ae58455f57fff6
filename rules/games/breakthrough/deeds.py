"""Deed and outcome of Breakthrough (BRKT-4, BRKT-5): a coin steps forward or captures diagonally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.engine import Action, Code, Effect, NarratedDeed, Outcome, Refusal, Verb
from rules.engine.action import PLACE
from rules.engine.effects import next_turn_effect
from rules.engine.refusal import Facts
from rules.games.breakthrough.opening import BIT, BOARD, NAMES, SIZE, State
from rules.sentence import Person, say

Steps = tuple[tuple[int, Action], ...]
"""Bits of the spaces that a coin can reach, each with its action."""


def moves(state: State) -> Iterator[Action]:
    own, other = state.army(state.to_act), state.army(1 - state.to_act)
    for bit, ahead, aside in _PATHS[state.to_act]:
        if own & bit:
            yield from (action for target, action in ahead if not target & (own | other))
            yield from (action for target, action in aside if not target & own)


def _paths(direction: int) -> Iterator[tuple[int, Steps, Steps]]:
    """By space: the step straight ahead and the steps diagonally ahead."""
    for number, name in enumerate(NAMES):
        file, rank = number % SIZE, number // SIZE + direction
        if 0 <= rank < SIZE:
            steps = {across: _step(name, file + across, rank) for across in (0, -1, 1) if 0 <= file + across < SIZE}
            yield BIT[name], (steps[0],), tuple(steps[across] for across in (-1, 1) if across in steps)


def _step(name: str, file: int, rank: int) -> tuple[int, Action]:
    target = NAMES[rank * SIZE + file]
    return BIT[target], Action("move", (name, target))


_PATHS = (tuple(_paths(1)), tuple(_paths(-1)))


_FAR = (((1 << SIZE) - 1) << SIZE * (SIZE - 1), (1 << SIZE) - 1)
"""Goal rank of each seat."""


def is_over(state: State) -> bool:
    first, second = state.army(0), state.army(1)
    return bool(first & _FAR[0] or second & _FAR[1] or not first or not second)


def outcome_of(state: State) -> Outcome:
    for seat in (0, 1):
        if arrived := state.army(seat) & _FAR[seat]:
            place = NAMES[arrived.bit_length() - 1]
            return Outcome(
                True, (seat,), (), say("a coin of {who} has reached {place}", who=Person(seat), place=place), "BRKT-5.1"
            )
    for seat in (0, 1):
        if not state.army(seat):
            return Outcome(True, (1 - seat,), (), say("{who} has lost all coins", who=Person(seat)), "BRKT-5.2")
    return Outcome()


class Move(NarratedDeed[State]):
    verb = Verb.of("move", "{from_} to {to}", "BRKT-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return moves(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            BOARD.no_such_space(source, "BRKT-2.1")
            or BOARD.no_such_space(target, "BRKT-2.1")
            or BOARD.not_own(state, source)
            or _not_ahead(state, source, target)
            or _blocked_target(state, source, target)
        )

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        return State(state.options, BOARD.coins_after(state.coins, source, target, BIT[target]), 1 - state.to_act)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        if before.army(1 - before.to_act) & BIT[target]:
            yield BOARD.removed(before, target, "BRKT-4.2")
        yield BOARD.moved(before, source, target, self.verb.clause)
        yield next_turn_effect(outcome_of(after), after.to_act)


DEEDS = (Move(),)


def _not_ahead(state: State, source: str, target: str) -> Refusal | None:
    forward = 1 if state.to_act == 0 else -1
    across, up = abs(ord(target[0]) - ord(source[0])), forward * (int(target[1]) - int(source[1]))
    facts: Facts = {"from": source, "to": target, "files": across, "ranks": up}
    if up <= 0:
        goal = SIZE if forward > 0 else 1
        text = say(
            "{source} to {target} is not forward; {who} moves towards rank {goal}",
            source=source,
            target=target,
            who=Person(state.to_act),
            goal=goal,
        )
        return Refusal(Code.WRONG_DIRECTION, "BRKT-4.4", text, facts)
    if up > 1 or across > 1:
        text = say(
            "{target} is too far from {source}; a coin moves one space, straight or diagonally forward",
            target=target,
            source=source,
        )
        return Refusal(Code.WRONG_DISTANCE, "BRKT-4.1", text, facts)
    return None


def _blocked_target(state: State, source: str, target: str) -> Refusal | None:
    if state.army(state.to_act) & BIT[target]:
        return Refusal(Code.OCCUPIED, "BRKT-4.1", say("one of your own coins lies on {place}", place=target))
    if source[0] == target[0] and state.army(1 - state.to_act) & BIT[target]:
        text = say("a coin lies on {place}, and no coin captures straight ahead", place=target)
        return Refusal(Code.BLOCKED, "BRKT-4.3", text)
    return None
