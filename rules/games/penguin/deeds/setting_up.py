"""Deeds of the set-up: roll for the start, coins onto the ice, first places of the penguins (PENG-3, PENG-9.2)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import DICE, PLACE, SUIT, WORD, Luck
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.throws import ThrowDeed, example_of
from rules.engine.values import with_item
from rules.games.penguin import ice
from rules.games.penguin.deeds.common import PenguinDeed, no_such_space, no_such_suit, occupied, penguin_of, spot
from rules.games.penguin.opening import (
    COINS,
    PER_SUIT,
    SUIT_OF,
    UNKNOWN,
    Phase,
    State,
    after_roll,
    deal_problem,
    dealt_stacks,
    first_placer,
)
from rules.pieces import Suit, die, parse_suit
from rules.sentence import say, several
from rules.table.layout import Zone


class Roll(ThrowDeed[State], PenguinDeed):
    verb = Verb.of("roll", "roll {dice} for the first turn", "PENG-3.5", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.ROLL,)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return tuple(state.pawns[seat] for seat in state.rollers)

    def unreadable(self, state: State, action: Action) -> Refusal:
        count, example = len(state.rollers), example_of(self.dice(state))
        text = say(
            "{dice} dice are rolled, each shows 0 to 5; write for example {example}", dice=count, example=example
        )
        return Refusal(Code.BAD_ARGUMENT, "PENG-3.5", text, {"dice": count})

    def advance(self, state: State, action: Action) -> State:
        rolled = dict(zip(state.rollers, (rank for _, rank in self.thrown(state, action)), strict=True))
        best = leaders(rolled)
        if len(best) > 1:
            return replace(state, rollers=best)
        after = replace(state, rollers=(), first=best[0], to_act=best[0], phase=after_roll(state.options))
        return _place_penguins(after) if after.phase is Phase.PLACE_PENGUINS else after

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for seat, (suit, rank) in zip(before.rollers, self.thrown(before, action), strict=True):
            yield Effect(EffectKind.ROLL, die(suit, rank), seat=seat, amount=int(rank), clause="PENG-3.5")
        if after.rollers:
            again = [str(seat) for seat in after.rollers]
            yield Effect(EffectKind.CHOOSE, clause="PENG-3.5", facts={"choice": "roll again", "seats": again})
        else:
            yield Effect(EffectKind.CHOOSE, seat=after.first, clause="PENG-3.5", facts={"choice": "begins"})


class Deal(PenguinDeed):
    """The next coins from the bag; after the last one penguins are placed."""

    verb = Verb.of("deal", "lay the coins {coins}", "PENG-3.2", luck=Luck.DEAL, coins=WORD)
    phases = (Phase.DEAL,)
    exhaustive = False
    """Coins may come in any order and number, which cannot be listed."""

    def legal(self, state: State) -> Iterator[Action]:
        left = COINS - len(ice.dealt_letters(state))
        yield Action("deal", ("".join(ice.bag(state)[:left]),))

    def sample(self, state: State, rng: random.Random) -> Action | None:
        letters = ice.bag(state)
        rng.shuffle(letters)
        return Action("deal", ("".join(letters[: len(ice.loose_coins(state))]),))

    def check(self, state: State, action: Action) -> Refusal | None:
        dealt, coins = ice.dealt_letters(state), action[0]
        if problem := deal_problem(dealt + coins, state.options):
            return Refusal(Code.BAD_ARGUMENT, "PENG-3.2", problem, {"coins": coins[:40]})
        if not coins:
            return Refusal(Code.BAD_ARGUMENT, "PENG-3.2", say("say which coins were laid, SMCA for example"))
        if state.options.match_first_suit and coins[0] == UNKNOWN and not dealt:
            return Refusal(Code.BAD_ARGUMENT, "PENG-9.1", say("the suit of the first coin must be known to end on it"))
        return None

    def advance(self, state: State, action: Action) -> State:
        dealt = ice.dealt_letters(state) + action[0]
        suits, stacks = dealt + UNKNOWN * (COINS - len(dealt)), dealt_stacks(state.options, len(dealt))
        after = replace(state, suits=suits, stacks=stacks, first_suit=dealt[0])
        return _place_penguins(after) if len(dealt) == COINS else after

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        lay = {number for stack in before.stacks for number in stack}
        laid = [(number, cell, level) for cell, stack in enumerate(after.stacks) for level, number in enumerate(stack)]
        for number, cell, level in sorted(item for item in laid if item[0] not in lay):
            yield _laid_effect(after, number, cell, "PENG-3.3" if level else "PENG-3.2", level + 1)


class PlaceCoin(PenguinDeed):
    verb = Verb.of("place_coin", "lay a coin of {coin} on {space}", "PENG-9.2", coin=SUIT, space=PLACE)
    phases = (Phase.PLACE_COINS,)

    def legal(self, state: State) -> Iterator[Action]:
        cells, names = ice.coin_cells(state), state.board.names
        for letter in ice.loose_suits(state):
            for cell in cells:
                yield Action("place_coin", (SUIT_OF[letter].value, names[cell]))

    def sample(self, state: State, rng: random.Random) -> Action | None:
        letter, cell = rng.choice(ice.loose_suits(state)), rng.choice(ice.coin_cells(state))
        return Action("place_coin", (SUIT_OF[letter].value, state.board.names[cell]))

    def check(self, state: State, action: Action) -> Refusal | None:
        suit, name = action.args
        if refusal := no_such_suit(suit, "PENG-9.2") or no_such_space(state, name):
            return refusal
        if parse_suit(suit).letter not in ice.loose_suits(state):
            text = say("all {count} coins of {suit} lie on the ice already", count=PER_SUIT, suit=suit)
            return Refusal(Code.NO_SUCH_PIECE, "PENG-9.2", text, {"suit": suit})
        return None if state.board.cells[name] in ice.coin_cells(state) else _no_coin_here(state, name)

    def advance(self, state: State, action: Action) -> State:
        letter, cell = parse_suit(action[0]).letter, state.board.cells[action[1]]
        number = next(number for number in ice.loose_coins(state) if state.suits[number] == letter)
        stacks = with_item(state.stacks, cell, (*state.stacks[cell], number))
        after = replace(state, stacks=stacks, first_suit=state.first_suit or letter)
        following = (state.to_act + 1) % len(state.penguins)
        return replace(after, to_act=following) if ice.loose_coins(after) else _place_penguins(after)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        cell = before.board.cells[action[1]]
        stack = after.stacks[cell]
        clause = {"strategic": "PENG-9.2", "irregular": "PENG-9.3"}.get(before.options.start, "PENG-9.4")
        yield _laid_effect(after, stack[-1], cell, clause, len(stack), before.to_act)


class PlacePenguin(PenguinDeed):
    verb = Verb.of("place_penguin", "place a penguin on {space}", "PENG-4.1", space=PLACE)
    phases = (Phase.PLACE_PENGUINS,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("place_penguin", (state.board.names[cell],)) for cell in ice.penguin_cells(state))

    def sample(self, state: State, rng: random.Random) -> Action | None:
        return Action("place_penguin", (state.board.names[rng.choice(ice.penguin_cells(state))],))

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_such_space(state, name):
            return refusal
        cell = state.board.cells[name]
        if not state.stacks[cell]:
            return Refusal(Code.EMPTY, "PENG-4.1", say("{place} is water; a penguin stands on a coin", place=name))
        return occupied(state, name) if cell in state.penguins and not state.options.share else None

    def advance(self, state: State, action: Action) -> State:
        seat, cell = state.to_act, state.board.cells[action[0]]
        penguins = with_item(state.penguins, seat, cell)
        if None in penguins:
            step = 1 if state.options.placement == "clockwise" else -1
            return replace(state, penguins=penguins, to_act=(seat + step) % len(penguins))
        return ice.begin_turn(replace(state, penguins=penguins, to_act=state.first))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = before.to_act
        ends = Spot(zone=Zone.HAND, seat=seat), spot(before, before.board.cells[action[0]])
        yield Effect(EffectKind.PLACE, *penguin_of(before, seat), *ends, seat=seat, clause="PENG-4.1")


def _place_penguins(state: State) -> State:
    to_act = first_placer(state.options, state.first, len(state.penguins))
    return replace(state, phase=Phase.PLACE_PENGUINS, to_act=to_act)


def _laid_effect(state: State, number: int, cell: int, clause: str, height: int, seat: int | None = None) -> Effect:
    piece, ends = (ice.coin_piece(state, number), f"coin{number}"), (Spot(zone=Zone.SUPPLY), spot(state, cell))
    return Effect(EffectKind.PLACE, *piece, *ends, seat=seat, clause=clause, facts={"height": height})


def _no_coin_here(state: State, name: str) -> Refusal:
    empty = [state.board.names[c] for c, stack in enumerate(state.stacks) if not stack]
    height = len(state.stacks[state.board.cells[name]])
    facts: Facts = {"place": name, "height": height, "empty": empty}
    if empty:
        text = say(
            "{place} has a coin already, and the first level is not complete: {empty} are empty",
            place=name,
            empty=several(empty),
        )
        return Refusal(Code.OUT_OF_ORDER, "PENG-9.2", text, facts)
    if height > 1:
        clause = "PENG-9.2" if state.options.start == "strategic" else "PENG-9.3"
        text = say("{place} has two coins already; higher is not allowed here", place=name)
        return Refusal(Code.LIMIT, clause, text, facts)
    text = say("{place} gets no second coin; the second level is only for the spaces of the X", place=name)
    return Refusal(Code.NOT_ALLOWED, "PENG-9.2", text, facts)
