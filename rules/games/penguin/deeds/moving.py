"""The penguin moves, or is out because it cannot (PENG-4.1 to 4.7)."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.engine.refusal import Facts
from rules.games.penguin.deeds.common import MAX_ECHO, no_such_space, occupied, out, penguin_of, spot, what_follows
from rules.games.penguin.ice import own_targets
from rules.games.penguin.opening import SUIT_OF, Phase, State
from rules.games.penguin.turns import next_turn
from rules.sentence import say, several


class Move(Deed[State]):
    verb = Verb.of("move", "penguin to {to}", "PENG-4.2", to=ParamKind.PLACE, from_="place?")
    phases = (Phase.MOVE,)

    def legal(self, state: State) -> Iterable[Action]:
        moves = state.board.moves
        return [moves[goal] for goal in own_targets(state)]

    def sample(self, state: State, rng: random.Random) -> Action | None:
        goals = own_targets(state)
        return state.board.moves[goals[int(rng.random() * len(goals))]] if goals else None

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_such_space(state, action[0]) or _stands_elsewhere(state, action) or _out_of_reach(state, action[0])

    def advance(self, state: State, action: Action) -> State:
        seat, penguins = state.to_act, state.penguins
        return State(
            state.options, state.pawns, Phase.MELT, state.tiles, state.suits, state.stacks,
            (*penguins[:seat], state.board.cells[action.args[0]], *penguins[seat + 1 :]),
            state.first, seat, penguins[seat], state.first_suit,
        )  # fmt: skip

    def do(self, state: State, action: Action) -> Step[State]:
        after, seat = self.advance(state, action), state.to_act
        source, goal = state.penguins[seat], state.board.cells[action[0]]
        assert source is not None
        here, there = state.stacks[source], state.stacks[goal]
        hop = state.suits[here[-1]] == state.suits[there[-1]]
        step = len(here) == len(there) and bool(state.board.near[source] >> goal & 1)
        facts: Facts = {"how": [word for word, true in (("step", step), ("hop", hop)) if true], "height": len(there)}
        clause = "PENG-4.2" if step else "PENG-4.3"
        who, ends = penguin_of(state, seat), (spot(state, source), spot(state, goal))
        moved = Effect(EffectKind.MOVE, *who, *ends, seat=seat, clause=clause, facts=facts)
        return Step(after, (moved, what_follows(state, after)))


class DropOut(Deed[State]):
    verb = Verb.of("drop_out", "drop out, because the penguin cannot move", "PENG-4.5")
    phases = (Phase.MOVE,)
    last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        names = [state.board.names[goal] for goal in own_targets(state)]
        if not names:
            return None
        text = say("a penguin that can move must move; it can go to {moves}", moves=several(names))
        return Refusal(Code.MUST_MOVE, "PENG-4.5", text, {"moves": names})

    def advance(self, state: State, action: Action) -> State:
        penguins = tuple(None if seat == state.to_act else cell for seat, cell in enumerate(state.penguins))
        return next_turn(state, state.tiles, state.suits, state.stacks, penguins)

    def do(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        told = out(state, state.to_act, say("its penguin can neither step nor hop"), "PENG-4.5")
        return Step(after, (*told, what_follows(state, after)))


def _stands_elsewhere(state: State, action: Action) -> Refusal | None:
    """Who says from where must be right about it."""
    source = state.penguins[state.to_act]
    assert source is not None
    standing, said = state.board.names[source], action.args[1] if len(action.args) > 1 else ""
    if said in ("", standing):
        return None
    text = say("your penguin stands on {source}, not on {said}", source=standing, said=said[:MAX_ECHO])
    return Refusal(Code.NOT_YOURS, "PENG-4.7", text, {"from": standing, "said": said[:MAX_ECHO]})


def _out_of_reach(state: State, end: str) -> Refusal | None:
    source, goal = state.penguins[state.to_act], state.board.cells[end]
    assert source is not None
    if goal in own_targets(state):
        return None
    if goal == source:
        text = say("the penguin stands on {place} already; it must move", place=end)
        return Refusal(Code.MUST_MOVE, "PENG-4.7", text, {"place": end})
    if not state.stacks[goal]:
        return Refusal(
            Code.EMPTY, "PENG-2.5", say("{place} is water; a penguin stands on a coin", place=end), {"place": end}
        )
    return occupied(state, end) if goal in state.penguins else _neither_step_nor_hop(state, source, goal)


def _neither_step_nor_hop(state: State, source: int, goal: int) -> Refusal:
    names, stacks = state.board.names, state.stacks
    start, end = names[source], names[goal]
    suits = [SUIT_OF[state.suits[stacks[cell][-1]]] for cell in (source, goal)]
    heights = [len(stacks[cell]) for cell in (source, goal)]
    near = bool(state.board.near[source] >> goal & 1)
    facts: Facts = {
        "from": start, "to": end, "from_suit": suits[0].value, "to_suit": suits[1].value,
        "from_height": heights[0], "to_height": heights[1], "neighbours": near,
    }  # fmt: skip
    no_hop = say(
        "no hop: {source} shows {from_suit} and {target} shows {to_suit}",
        source=start,
        from_suit=suits[0],
        target=end,
        to_suit=suits[1],
    )
    if near:
        text = say(
            "no step: {source} is {from_height} high and {target} is {to_height} high; {no_hop}",
            source=start,
            from_height=heights[0],
            target=end,
            to_height=heights[1],
            no_hop=no_hop,
        )
        return Refusal(Code.NOT_ALLOWED, "PENG-4.2", text, facts)
    return Refusal(
        Code.NOT_ADJACENT,
        "PENG-4.3",
        say("{no_hop}; no step: {target} is not a neighbour of {source}", no_hop=no_hop, target=end, source=start),
        facts,
    )
