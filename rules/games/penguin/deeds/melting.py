"""The coin that the penguin has left melts; what lay beneath comes to light (PENG-4.4, PENG-6.2)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Spot, Step, Verb
from rules.engine.refusal import Facts
from rules.games.penguin.deeds.common import no_such_space, no_such_suit, out, spot, what_follows
from rules.games.penguin.geometry import Tiles
from rules.games.penguin.ice import Stacks, coin_piece, melt_cells, unknown_suits
from rules.games.penguin.opening import PER_SUIT, SUIT_OF, UNKNOWN, Phase, State
from rules.games.penguin.turns import after_melt
from rules.pieces import coin, parse_suit, tile
from rules.sentence import say
from rules.table.layout import Zone


class Melt(Deed[State]):
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
        left = (*stacks[:cell], stack, *stacks[cell + 1 :])
        if not stack and cell in penguins:
            # Only with `share` can somebody still stand there: the coin melts beneath them (PENG-8.1).
            penguins = tuple(None if where == cell else where for where in penguins)
        if stack and state.suits[stack[-1]] == UNKNOWN:
            return replace(state, stacks=left, phase=Phase.REVEAL, left=cell)
        tiles = _without_empty(state.tiles, left) if state.options.remove_empty_tiles else state.tiles
        return after_melt(state, tiles, left, penguins, state.suits)

    def do(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, (*_melted(state, _melting(state, action), after), what_follows(state, after)))


class Reveal(Deed[State]):
    verb = Verb.of("reveal", "{space} shows {suit}", "PENG-6.2", space=ParamKind.PLACE, suit=ParamKind.SUIT)
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

    def do(self, state: State, action: Action) -> Step[State]:
        assert state.left is not None
        number, suit = state.stacks[state.left][-1], parse_suit(action[1])
        suits = state.suits[:number] + suit.letter + state.suits[number + 1 :]
        after = after_melt(state, state.tiles, state.stacks, state.penguins, suits)
        shown, place = coin(suit), spot(state, state.left)
        revealed = Effect(EffectKind.REVEAL, shown, f"coin{number}", target=place, clause="PENG-6.2")
        return Step(after, (revealed, what_follows(state, after)))


def _melting(state: State, action: Action) -> int:
    assert state.left is not None
    return state.board.cells[action.args[0]] if action.args and action.args[0] else state.left


def _without_empty(tiles: Tiles, stacks: Stacks) -> Tiles:
    return tuple(corner if any(stacks[4 * tile : 4 * tile + 4]) else None for tile, corner in enumerate(tiles))


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
    return Refusal(Code.EMPTY, "PENG-9.7", say("there is no coin on {place} to melt", place=name), {"place": name})


def _melted(before: State, cell: int, after: State) -> Iterator[Effect]:
    number = before.stacks[cell][-1]
    piece, ends = coin_piece(before, number), (spot(before, cell), Spot(zone=Zone.SPENT))
    clause = "PENG-4.4" if cell == before.left else "PENG-9.7"
    facts: Facts = {"left": len(after.stacks[cell]), "place": before.board.names[cell]}
    yield Effect(
        EffectKind.REMOVE, piece, f"coin{number}", *ends, seat=before.to_act, clause=clause, facts=facts
    )  # fmt: skip
    for seat, where in enumerate(before.penguins):
        if where is not None and after.penguins[seat] is None:
            yield from out(before, seat, say("the last coin melted beneath it"), "PENG-8.1")
    for index, (old, new) in enumerate(zip(before.tiles, after.tiles, strict=True)):
        if old and not new:
            source = Spot("", old[0] + 1.5, old[1] + 1.5)
            yield Effect(EffectKind.REMOVE, tile(), f"tile{index}", source, Spot(zone=Zone.SPENT), clause="PENG-8.11")
