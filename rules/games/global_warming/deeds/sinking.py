"""Deeds of sinking: the blank moves a tile or none (GW-4.9, GW-R2); the leftmost coin is turned over and its tile sinks
(GW-4.12 to GW-4.14)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PIECE, PLACE
from rules.engine.refusal import Fact
from rules.engine.values import replace, with_item
from rules.games.global_warming import coins
from rules.games.global_warming.cells import is_cell, near, shore
from rules.games.global_warming.deeds.common import WarmingDeed, drowning_effects, new_coin, wrong_line, wrong_side
from rules.games.global_warming.layout import line_spot, side_word, spot
from rules.games.global_warming.opening import COINS, TILES, Phase, State
from rules.games.global_warming.turns import NO_COIN, after_action, free_tiles, handler_after
from rules.pieces import parse_rank
from rules.sentence import say
from rules.table.layout import Zone


class MoveTile(WarmingDeed):
    verb = Verb.of("move_tile", "move the tile on {from_} to {to}", "GW-4.9", from_=PLACE, to=PLACE)
    phases = (Phase.ACTIONS,)

    def legal(self, state: State) -> Iterator[Action]:
        if _face(state) == "n":
            for source in free_tiles(state):
                yield from _tile_moves(state, source)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        """For a tile: its moves to any cell; for a cell: moves of any free tile to it."""
        if _face(state) == "n":
            for source in free_tiles(state):
                yield from (a for a in _tile_moves(state, source) if source in names or a[1] in names)

    def check(self, state: State, action: Action) -> Refusal | None:
        return _needs_blank(state) or _lift_refusal(state, action[0]) or _lay(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        tiles = tuple([target if place == source else place for place in state.tiles])
        return after_action(state, tiles=tiles)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        piece = TILES[before.tiles.index(source)]
        seat = before.owners[before.order[0]]
        yield Effect(EffectKind.MOVE, piece, piece.code, spot(source), spot(target), seat=seat, clause="GW-4.9")


class Decline(WarmingDeed):
    verb = Verb.of("decline", "leave the tiles as they are", "GW-R2")
    phases = (Phase.ACTIONS,)

    def legal(self, state: State) -> Iterator[Action]:
        if _face(state) == "n" and state.options.blank_optional:
            yield Action("decline")

    def check(self, state: State, action: Action) -> Refusal | None:
        if _face(state) != "n":
            text = say("the die shows {face}: all its steps must be made", face=_face(state))
            return Refusal(Code.MUST_MOVE, "GW-4.7", text)
        if not state.options.blank_optional:
            return Refusal(Code.MUST_MOVE, "GW-R2", say("in this game the blank must move a tile"))
        return None

    def advance(self, state: State, action: Action) -> State:
        return after_action(state)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = before.owners[before.order[0]]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="GW-R2", facts={"choice": "decline"})


def _face(state: State) -> str:
    return state.faces[state.order[0]]


def _needs_blank(state: State) -> Refusal | None:
    if _face(state) == "n":
        return None
    steps = int(parse_rank(_face(state)))
    text = say(
        "the die shows an ace: one step with a pawn", "the die shows a {count}: {count} steps with pawns", count=steps
    )
    return Refusal(Code.NOT_ALLOWED, "GW-4.5", text, {"face": _face(state)})


def _lift_refusal(state: State, source: str) -> Refusal | None:
    if source in free_tiles(state):
        return None
    if source in state.pawns:
        owner = state.suits[state.pawns.index(source)]
        text = say(
            "the {pawn} pawn stands on {place}; only a tile without a pawn can be moved", pawn=owner, place=source
        )
        return Refusal(Code.PROTECTED, "GW-4.9", text, {"place": source, "pawn": owner.value})
    return Refusal(Code.EMPTY, "GW-4.9", say("there is no tile on “{place}”", place=source[:20]))


def _lay(state: State, source: str, target: str) -> Refusal | None:
    facts = {"from": source, "to": target[:20]}
    if not is_cell(target):
        text = say("“{target}” is not a cell; write for example 2/1", target=target[:20])
        return Refusal(Code.NO_SUCH_PLACE, "GW-2.3", text, facts)
    if target == source:
        text = say("the tile must go to another cell than {source}", source=source)
        return Refusal(Code.REPEATS, "GW-R4", text, facts)
    if target in state.tiles:
        return Refusal(Code.OCCUPIED, "GW-4.9", say("there is a tile on {target} already", target=target), facts)
    neighbours = [place for place in near(target) if place in state.tiles]
    if neighbours == [source]:
        text = say(
            "{target} touches only {source}, where the tile comes from; without it there is no neighbour",
            target=target,
            source=source,
        )
        return Refusal(Code.NO_CONTACT, "GW-4.10", text, facts)
    if not neighbours:
        text = say("{target} shares no edge with another tile; a corner is not enough", target=target)
        return Refusal(Code.NO_CONTACT, "GW-4.9", text, facts)
    return None


def _tile_moves(state: State, source: str) -> Iterator[Action]:
    others = [place for place in state.tiles if place and place != source]
    for target in shore(others):
        if target != source:
            yield Action("move_tile", (source, target))


def random_tile_move(state: State, rng: random.Random) -> Action:
    """A random free tile moved next to another tile; a few tries nearly always find one."""
    if state.options.blank_optional and rng.random() < 0.1:
        return Action("decline")
    free = free_tiles(state)
    source = free[int(rng.random() * len(free))]
    others = [place for place in state.tiles if place and place != source]
    targets: list[str] = []
    while not targets:
        anchor = others[int(rng.random() * len(others))]
        targets = [place for place in near(anchor) if place not in state.tiles]
    return Action("move_tile", (source, targets[int(rng.random() * len(targets))]))


class Sink(WarmingDeed):
    verb = Verb.of("sink", "new coin: {new}; the left coin turns to {revealed}", "GW-4.12", new=PIECE, revealed=PIECE)
    phases = (Phase.SINK,)

    def describe(self, action: Action) -> str:
        return self.verb.text.format(new=side_word(action[0]), revealed=side_word(action[1]))

    def legal(self, state: State) -> Iterator[Action]:
        for new in coins.SIDES if state.bag else ("-",):
            for revealed in coins.other_sides(state.line[0], state.sunk):
                action = Action("sink", (new, revealed))
                if self.check(state, action) is None:
                    yield action

    def sample(self, state: State, rng: random.Random) -> Action:
        hidden = coins.draw_hidden(rng, state.line, state.sunk)
        new = coins.draw_side(rng, {*hidden, *state.sunk}) if state.bag else "-"
        return Action("sink", (new, coins.side_of(hidden[0], not coins.shows_suit(state.line[0]))))

    def check(self, state: State, action: Action) -> Refusal | None:
        new, revealed = action.args
        if refusal := wrong_side(revealed):
            return refusal
        return _check_new(state, new) or _check_left(state, revealed) or _check_rest(state, new, revealed)

    def advance(self, state: State, action: Action) -> State:
        new, revealed = action.args
        index = _sinking(state, revealed)
        lost = state.tiles[index]
        pawns = tuple("" if place == lost else place for place in state.pawns)
        owners = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
        return replace(
            state,
            tiles=with_item(state.tiles, index, ""),
            pawns=pawns,
            line=_rest(state, new),
            sunk=(*state.sunk, index),
            faces=("",) * len(pawns),
            handler=handler_after(state, pawns),
            turn=state.turn + 1,
            phase=Phase.SELECT if len(owners) > 1 else Phase.ENDED,
        )

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        new, revealed = action.args
        index, drawn = _sinking(before, revealed), len(before.sunk)
        if new not in NO_COIN:
            yield new_coin(new, drawn + len(before.line), before.handler, after.bag, "GW-4.12")
        facts, here = {"showed": before.line[0], "shows": revealed}, line_spot(drawn)
        yield Effect(EffectKind.FLIP, COINS[index], f"coin{drawn}", here, here, clause="GW-4.12", facts=facts)
        yield from _collapse(before, index)
        for lost, place in enumerate(before.pawns):
            if place == before.tiles[index]:
                yield from drowning_effects(before, lost, "GW-4.12")
        if after.handler != before.handler:
            yield Effect(EffectKind.CHOOSE, seat=after.handler, clause="GW-5.2", facts={"handler": after.handler})


def _check_new(state: State, new: str) -> Refusal | None:
    if new in NO_COIN:
        if state.bag == 0:
            return None
        text = say("add a coin at the right end first; coins left in the bag: {bag}", bag=state.bag)
        return Refusal(Code.OUT_OF_ORDER, "GW-4.12", text)
    if state.bag == 0:
        return Refusal(Code.EMPTY, "GW-4.14", say("the bag is empty; no coin can be added"), {"bag": 0})
    return wrong_side(new)


def _check_left(state: State, revealed: str) -> Refusal | None:
    left = state.line[0]
    index = coins.identity(left, revealed)
    facts = {"left": left, "revealed": revealed}
    if index is None:
        text = say(
            "the leftmost coin showed {side}; its other side cannot be {other}",
            side=coins.visible_piece(left),
            other=coins.visible_piece(revealed),
        )
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, facts)
    if index in state.sunk:
        text = say(
            "{coin} has already been retired, so it cannot lie at the left; please read it again", coin=COINS[index]
        )
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, {**facts, "tile": TILES[index].code})
    return None


def _check_rest(state: State, new: str, revealed: str) -> Refusal | None:
    """Refusal unless the rest of the line is possible without the coin that sinks."""
    return wrong_line(_rest(state, new), {*state.sunk, _sinking(state, revealed)})


def _sinking(state: State, revealed: str) -> int:
    """The tile that sinks, by the other side of the leftmost coin."""
    index = coins.identity(state.line[0], revealed)
    assert index is not None
    return index


def _rest(state: State, new: str) -> tuple[str, ...]:
    """The line without its leftmost coin, and with the new one."""
    return state.line[1:] if new in NO_COIN else (*state.line[1:], new)


def _collapse(before: State, index: int) -> Iterator[Effect]:
    place, tile, drawn = before.tiles[index], TILES[index], len(before.sunk)
    gone = Spot(zone=Zone.SPENT)
    chance = next((d for d in coins.danger(before.line, before.sunk) if d.tile == tile.code), None)
    facts: dict[str, Fact] = {"places": [place], "tile": tile.code, "turn": before.turn}
    if chance:
        facts |= {"cases": chance.next, "of": chance.cases}
    yield Effect(EffectKind.COLLAPSE, tile, tile.code, spot(place), clause="GW-4.12", facts=facts)
    yield Effect(EffectKind.REMOVE, tile, tile.code, spot(place), gone, clause="GW-4.12")
    yield Effect(EffectKind.REMOVE, COINS[index], f"coin{drawn}", line_spot(drawn), gone, clause="GW-4.12")
