"""The leftmost coin is turned over, and its tile sinks (GW-4.12 to GW-4.14)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, ParamKind, Refusal, Spot, Verb
from rules.engine.refusal import Fact
from rules.engine.values import replace
from rules.games.global_warming.as_text import side_word
from rules.games.global_warming.coins import (
    SIDES,
    draw_hidden,
    draw_side,
    identity,
    other_sides,
    shown,
    shows_suit,
    side_of,
)
from rules.games.global_warming.danger import danger
from rules.games.global_warming.deeds.common import WarmingDeed, drowns, new_coin
from rules.games.global_warming.deeds.reading_coins import wrong_line, wrong_side
from rules.games.global_warming.layout import line_spot, spot
from rules.games.global_warming.opening import COINS, ENDED, SELECT, SINK, TILES, State
from rules.games.global_warming.turns import NO_COIN, handler_after
from rules.sentence import say
from rules.table.layout import Zone


class Sink(WarmingDeed):
    verb = Verb.of(
        "sink",
        "new coin: {new}; the left coin turns to {revealed}",
        "GW-4.12",
        new=ParamKind.PIECE,
        revealed=ParamKind.PIECE,
    )
    phases = (SINK,)

    def describe(self, action: Action) -> str:
        return self.verb.text.format(new=side_word(action[0]), revealed=side_word(action[1]))

    def legal(self, state: State) -> Iterator[Action]:
        for new in SIDES if state.bag else ("-",):
            for revealed in other_sides(state.line[0], state.sunk):
                action = Action("sink", (new, revealed))
                if self.check(state, action) is None:
                    yield action

    def sample(self, state: State, rng: random.Random) -> Action:
        hidden = draw_hidden(rng, state.line, state.sunk)
        new = draw_side(rng, {*hidden, *state.sunk}) if state.bag else "-"
        return Action("sink", (new, side_of(hidden[0], not shows_suit(state.line[0]))))

    def check(self, state: State, action: Action) -> Refusal | None:
        new, revealed = action.args
        if refusal := wrong_side(revealed):
            return refusal
        return _check_new(state, new) or _check_left(state, revealed) or _check_rest(state, new, revealed)

    def advance(self, state: State, action: Action) -> State:
        new, revealed = action.args
        index = identity(state.line[0], revealed)
        assert index is not None
        lost = state.tiles[index]
        pawns = tuple("" if place == lost else place for place in state.pawns)
        owners = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
        return replace(
            state,
            tiles=(*state.tiles[:index], "", *state.tiles[index + 1 :]),
            pawns=pawns,
            line=state.line[1:] if new in NO_COIN else (*state.line[1:], new),
            sunk=(*state.sunk, index),
            faces=("",) * len(pawns),
            handler=handler_after(state, pawns),
            turn=state.turn + 1,
            phase=SELECT if len(owners) > 1 else ENDED,
        )

    def happens(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        new, revealed = action.args
        index = identity(before.line[0], revealed)
        assert index is not None
        drawn = len(before.sunk)
        if new not in NO_COIN:
            yield new_coin(new, drawn + len(before.line), before.handler, after.bag, "GW-4.12")
        facts = {"showed": before.line[0], "shows": revealed}
        yield Effect(
            EffectKind.FLIP,
            COINS[index],
            f"coin{drawn}",
            line_spot(drawn),
            line_spot(drawn),
            clause="GW-4.12",
            facts=facts,
        )
        yield from _collapse(before, index)
        for lost, place in enumerate(before.pawns):
            if place == before.tiles[index]:
                yield from drowns(before, lost, "GW-4.12")
        if after.handler != before.handler:
            yield Effect(EffectKind.CHOOSE, seat=after.handler, clause="GW-5.2", facts={"handler": after.handler})


def _check_new(state: State, new: str) -> Refusal | None:
    if new in NO_COIN:
        if state.bag == 0:
            return None
        text = say("add a coin at the right end first; coins left in the bag: {bag}", bag=state.bag)
        return Refusal(Code.OUT_OF_ORDER, "GW-4.12", text, {"bag": state.bag})
    if state.bag == 0:
        return Refusal(Code.EMPTY, "GW-4.14", say("the bag is empty; no coin can be added"), {"bag": 0})
    return wrong_side(new)


def _check_left(state: State, revealed: str) -> Refusal | None:
    left = state.line[0]
    index = identity(left, revealed)
    facts = {"left": left, "revealed": revealed}
    if index is None:
        text = say(
            "the leftmost coin showed {side}; its other side cannot be {other}", side=shown(left), other=shown(revealed)
        )
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, facts)
    if index in state.sunk:
        text = say(
            "{coin} has already been retired, so it cannot lie at the left; please read it again", coin=COINS[index]
        )
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, {**facts, "tile": TILES[index].code})
    return None


def _check_rest(state: State, new: str, revealed: str) -> Refusal | None:
    """The other coins of the line must be possible without the one that sinks."""
    index = identity(state.line[0], revealed)
    gone = {*state.sunk, -1 if index is None else index}
    rest = state.line[1:] if new in NO_COIN else (*state.line[1:], new)
    return wrong_line(rest, gone)


def _collapse(before: State, index: int) -> Iterator[Effect]:
    place, tile = before.tiles[index], TILES[index]
    gone = Spot(zone=Zone.SPENT)
    chance = next((d for d in danger(before.line, before.sunk) if d.tile == tile.code), None)
    facts: dict[str, Fact] = {"places": [place], "tile": tile.code, "turn": before.turn}
    if chance:
        facts |= {"cases": chance.next, "of": chance.cases}
    yield Effect(EffectKind.COLLAPSE, tile, tile.code, spot(place), clause="GW-4.12", facts=facts)
    yield Effect(EffectKind.REMOVE, tile, tile.code, spot(place), gone, clause="GW-4.12")
    yield Effect(
        EffectKind.REMOVE, COINS[index], f"coin{len(before.sunk)}", line_spot(len(before.sunk)), gone, clause="GW-4.12"
    )
