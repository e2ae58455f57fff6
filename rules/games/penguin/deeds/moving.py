"""Deeds of a turn: the penguin moves, or is out without a move (PENG-4.1 to 4.7); the coin it left melts, which may
reveal a coin below (PENG-4.4, PENG-6.2)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PLACE, SUIT
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.penguin.deeds.common import (
    MAX_ECHO,
    PenguinDeed,
    no_such_space,
    no_such_suit,
    occupied,
    penguin_of,
    removal_effects,
    spot,
)
from rules.games.penguin.ice import after_melt, coin_piece, melt_cells, next_turn, own_targets, unknown_suits
from rules.games.penguin.opening import PER_SUIT, SUIT_OF, UNKNOWN, Phase, State
from rules.pieces import coin, parse_suit, tile
from rules.sentence import say, several
from rules.table.layout import Zone


class Melt(PenguinDeed):
    verb = Verb.of("melt", "melt the top coin of {space}", "PENG-4.4", space="place?")
    phases = (Phase.MELT,)

    def legal(self, state: State) -> Iterable[Action]:
        melts = state.board.melts
        return [melts[cell] for cell in melt_cells(state)]

    def sample(self, state: State, rng: random.Random) -> Action | None:
        return (
            rng.choice(list(self.legal(state))) if state.options.flame_throwers else state.board.melts[state.left or 0]
        )

    def check(self, state: State, action: Action) -> Refusal | None:
        if not action.args or not action[0]:
            return None
        return no_such_space(state, action[0]) or _cannot_melt(state, action[0])

    def advance(self, state: State, action: Action) -> State:
        cell, stacks, penguins = _melting(state, action), state.stacks, state.penguins
        stack = stacks[cell][:-1]
        left = with_item(stacks, cell, stack)
        if not stack and cell in penguins:
            # Only with `share` can somebody still stand there: the coin melts beneath them (PENG-8.1).
            penguins = tuple(None if where == cell else where for where in penguins)
        if stack and state.suits[stack[-1]] == UNKNOWN:
            return replace(state, stacks=left, phase=Phase.REVEAL, left=cell)
        tiles = state.tiles
        if state.options.remove_empty_tiles:
            tiles = tuple(corner if any(left[4 * tile : 4 * tile + 4]) else None for tile, corner in enumerate(tiles))
        return after_melt(state, tiles, left, penguins, state.suits)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        cell = _melting(before, action)
        number = before.stacks[cell][-1]
        gone = coin_piece(before, number), f"coin{number}", spot(before, cell), Spot(zone=Zone.SPENT)
        clause = "PENG-4.4" if cell == before.left else "PENG-9.7"
        facts: Facts = {"left": len(after.stacks[cell]), "place": before.board.names[cell]}
        yield Effect(EffectKind.REMOVE, *gone, seat=before.to_act, clause=clause, facts=facts)
        for seat, where in enumerate(before.penguins):
            if where is not None and after.penguins[seat] is None:
                yield from removal_effects(before, seat, say("the last coin melted beneath it"), "PENG-8.1")
        for index, (old, new) in enumerate(zip(before.tiles, after.tiles, strict=True)):
            if old and not new:
                ends = Spot("", old[0] + 1.5, old[1] + 1.5), Spot(zone=Zone.SPENT)
                yield Effect(EffectKind.REMOVE, tile(), f"tile{index}", *ends, clause="PENG-8.11")


class Reveal(PenguinDeed):
    verb = Verb.of("reveal", "{space} shows {suit}", "PENG-6.2", space=PLACE, suit=SUIT)
    phases = (Phase.REVEAL,)

    def legal(self, state: State) -> Iterator[Action]:
        assert state.left is not None
        for letter in unknown_suits(state):
            yield Action("reveal", (state.board.names[state.left], SUIT_OF[letter].value))

    def check(self, state: State, action: Action) -> Refusal | None:
        place, suit = action.args
        if refusal := no_such_space(state, place) or no_such_suit(suit, "PENG-6.2"):
            return refusal
        name = state.board.names[state.left or 0]
        if place != name:
            text = say("a coin has come to light on {place}, not on {place2}", place=name, place2=place)
            return Refusal(Code.CONTRADICTS, "PENG-6.2", text, {"place": name})
        if parse_suit(suit).letter in unknown_suits(state):
            return None
        text = say("all {known} coins of {suit} are known; it cannot be one more", known=PER_SUIT, suit=suit)
        return Refusal(Code.CONTRADICTS, "PENG-6.2", text, {"suit": suit, "known": PER_SUIT})

    def advance(self, state: State, action: Action) -> State:
        number = state.stacks[state.left or 0][-1]
        suits = state.suits[:number] + parse_suit(action[1]).letter + state.suits[number + 1 :]
        return after_melt(state, state.tiles, state.stacks, state.penguins, suits)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        cell = before.left or 0
        shown, key = coin(parse_suit(action[1])), f"coin{before.stacks[cell][-1]}"
        yield Effect(EffectKind.REVEAL, shown, key, target=spot(before, cell), clause="PENG-6.2")


def _melting(state: State, action: Action) -> int:
    assert state.left is not None
    return state.board.cells[action.args[0]] if action.args and action.args[0] else state.left


def _cannot_melt(state: State, name: str) -> Refusal | None:
    cell = state.board.cells[name]
    if cell in melt_cells(state):
        return None
    assert state.left is not None
    left = state.board.names[state.left]
    if not state.options.flame_throwers:
        text = say("the coin that the penguin has left melts: the one on {left}, not on {place}", left=left, place=name)
        return Refusal(Code.NOT_ALLOWED, "PENG-4.4", text, {"place": name, "left": left})
    if cell in state.penguins:
        text = say("a penguin stands on {place}; a flame-thrower melts a coin that is free", place=name)
        return Refusal(Code.OCCUPIED, "PENG-9.7", text, {"place": name, "seat": state.penguins.index(cell)})
    return Refusal(Code.EMPTY, "PENG-9.7", say("there is no coin on {place} to melt", place=name))


class Move(PenguinDeed):
    verb = Verb.of("move", "penguin to {to}", "PENG-4.2", to=PLACE, from_="place?")
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
            with_item(penguins, seat, state.board.cells[action.args[0]]),
            state.first, seat, penguins[seat], state.first_suit,
        )  # fmt: skip

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat, goal = before.to_act, before.board.cells[action[0]]
        source = before.penguins[seat]
        assert source is not None
        here, there = before.stacks[source], before.stacks[goal]
        hop = before.suits[here[-1]] == before.suits[there[-1]]
        step = len(here) == len(there) and bool(before.board.near[source] >> goal & 1)
        facts: Facts = {"how": [word for word, true in (("step", step), ("hop", hop)) if true], "height": len(there)}
        clause = "PENG-4.2" if step else "PENG-4.3"
        who, ends = penguin_of(before, seat), (spot(before, source), spot(before, goal))
        yield Effect(EffectKind.MOVE, *who, *ends, seat=seat, clause=clause, facts=facts)


class DropOut(PenguinDeed):
    verb = Verb.of("drop_out", "drop out, because the penguin cannot move", "PENG-4.5")
    phases = (Phase.MOVE,)
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        names = [state.board.names[goal] for goal in own_targets(state)]
        if not names:
            return None
        text = say("a penguin that can move must move; it can go to {moves}", moves=several(names))
        return Refusal(Code.MUST_MOVE, "PENG-4.5", text, {"moves": names})

    def advance(self, state: State, action: Action) -> State:
        penguins = tuple(None if seat == state.to_act else cell for seat, cell in enumerate(state.penguins))
        return next_turn(state, state.tiles, state.suits, state.stacks, penguins)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        return removal_effects(before, before.to_act, say("its penguin can neither step nor hop"), "PENG-4.5")


def _stands_elsewhere(state: State, action: Action) -> Refusal | None:
    """Refusal where the named source is not the penguin's space."""
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
        return Refusal(Code.MUST_MOVE, "PENG-4.7", text)
    if not state.stacks[goal]:
        return Refusal(Code.EMPTY, "PENG-2.5", say("{place} is water; a penguin stands on a coin", place=end))
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
    text = say("{no_hop}; no step: {target} is not a neighbour of {source}", no_hop=no_hop, target=end, source=start)
    return Refusal(Code.NOT_ADJACENT, "PENG-4.3", text, facts)
