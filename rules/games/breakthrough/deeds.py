"""The one deed of Breakthrough: a coin moves forward, and captures diagonally (BRKT-4)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Action, Code, Deed, ParamKind, Refusal, Step, Verb
from rules.engine.effects import what_follows
from rules.engine.refusal import Facts
from rules.games.breakthrough.ending import outcome_of
from rules.games.breakthrough.moves import moves
from rules.games.breakthrough.opening import BIT, BOARD, SIZE, State
from rules.sentence import Person, say


class Move(Deed[State]):
    verb = Verb.of("move", "{from_} to {to}", "BRKT-4.1", from_=ParamKind.PLACE, to=ParamKind.PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return moves(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            BOARD.no_such_space(source, "BRKT-2.1")
            or BOARD.no_such_space(target, "BRKT-2.1")
            or BOARD.not_own(state, source)
            or _not_ahead(state, source, target)
            or _in_the_way(state, source, target)
        )

    def advance(self, state: State, action: Action) -> State:
        source, target = BIT[action[0]], BIT[action[1]]
        suns, moons, crowns, arms = (mask & ~(source | target) | bool(mask & source) * target for mask in state.coins)
        return State(state.options, (suns, moons, crowns, arms), 1 - state.to_act)

    def do(self, state: State, action: Action) -> Step[State]:
        after, (source, target) = self.advance(state, action), action.args
        captured = state.army(1 - state.to_act) & BIT[target]
        taken = (BOARD.removed(state, target, "BRKT-4.2"),) if captured else ()
        moved = BOARD.moved(state, source, target, self.verb.clause)
        return Step(after, (*taken, moved, what_follows(outcome_of(after), after.to_act)))


DEEDS = (Move(),)


# Why not ----------------------------------------------------------------------------------------------------


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


def _in_the_way(state: State, source: str, target: str) -> Refusal | None:
    if state.army(state.to_act) & BIT[target]:
        return Refusal(
            Code.OCCUPIED, "BRKT-4.1", say("one of your own coins lies on {place}", place=target), {"place": target}
        )
    if source[0] == target[0] and state.army(1 - state.to_act) & BIT[target]:
        text = say("a coin lies on {place}, and no coin captures straight ahead", place=target)
        return Refusal(Code.BLOCKED, "BRKT-4.3", text, {"place": target})
    return None
