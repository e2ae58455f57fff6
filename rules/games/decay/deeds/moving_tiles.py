"""Step 2: one tile may be lifted and laid elsewhere (DECAY-4.15 to 4.20)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from rules.engine import Action, Code, EffectKind, ParamKind, Refusal, Verb
from rules.engine.arguments import PRICE, TILE
from rules.games.decay.battle import split_of
from rules.games.decay.deeds.common import ANOTHER_STEP, no_tile, say_side, tiles_named
from rules.games.decay.deeds.fighting import after_split, begin_slides, keep
from rules.games.decay.deeds.narration import DecayDeed, DecayNarration, place_effect
from rules.games.decay.deeds.payment import wrong_price
from rules.games.decay.deeds.placement import spot_by_luck, wrong_place
from rules.games.decay.geometry import (
    SIDE_WORDS,
    Forbidden,
    Position,
    contacts,
    forbidden_sides,
    on_table,
    placements,
    spots_of,
    touched_sides,
)
from rules.games.decay.money import NOTHING, payments, read_coins, spell
from rules.games.decay.opening import INDEX, NAMES, NO_COINS, Coins, Phase, State, suit_name, suit_of, value_of
from rules.games.decay.places import spot_of
from rules.sentence import Joint, enumerated, say


class SkipTile(DecayDeed):
    verb = Verb.of("skip_tile", "move no tile", "DECAY-4.20")
    phases = (Phase.TILE,)
    elsewhere = ANOTHER_STEP

    def play(self, narration: DecayNarration, action: Action) -> None:
        narration.tell(
            EffectKind.CHOOSE, seat=narration.state.to_act, clause="DECAY-4.20", facts={"choice": "no tile is moved"}
        )
        narration.take_die_off(narration.state.to_act, "DECAY-4.20")
        begin_slides(narration)


class MoveTile(DecayDeed):
    verb = Verb.of(
        "move_tile",
        "move {tile} to ({x}, {y}), paying {pay}",
        "DECAY-4.15",
        tile=TILE,
        pay=PRICE,
        x=ParamKind.NUMBER,
        y=ParamKind.NUMBER,
    )
    phases = (Phase.TILE,)
    elsewhere = ANOTHER_STEP
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        for tile, _, _ in on_table(state.tiles):
            if tile_is_free(state, tile):
                yield from _moves_of_tile(state, tile)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        for tile in tiles_named(state, names):
            if tile_is_free(state, tile):
                yield from _moves_of_tile(state, tile)

    def sample(self, state: State, rng: random.Random) -> Action:
        if rng.random() < 0.3:
            return SKIP
        tiles = [tile for tile, _, _ in on_table(state.tiles)]
        rng.shuffle(tiles)
        for tile in tiles:
            prices = tile_prices(state, tile) if tile_is_free(state, tile) else ()
            if prices and (spot := spot_by_luck(state, tile, forbidden_to(state, tile), rng)):
                return move_action(tile, rng.choice(prices), spot)
        return SKIP

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_tile(state, action[0]):
            return refusal
        name, pay, x, y = action.args
        tile = INDEX[name]
        return (
            _not_liftable(state, tile)
            or wrong_price(state, tile, pay, tile_prices(state, tile), "DECAY-4.16")
            or wrong_place(state, tile, x, y, forbidden_to(state, tile))
        )

    def play(self, narration: DecayNarration, action: Action) -> None:
        name, pay, x, y = action.args
        tile = INDEX[name]
        narration.spend(read_coins(pay) or NO_COINS, "DECAY-4.16", name)
        source = spot_of(narration.state.tiles, tile)
        narration.lay(tile, (int(x), int(y)))
        narration.set(moved=tile)
        fields = place_effect(narration.state, tile, "DECAY-4.17")
        narration.tell(EffectKind.MOVE, source=source, seat=narration.state.to_act, **fields)
        split = split_of(narration.state, tile)
        if split is None:
            return after_split(narration)
        if split.kept is not None:
            return keep(narration, split, split.kept)
        narration.set(phase=Phase.KEEP)
        return narration.tell(
            EffectKind.PHASE, seat=narration.state.to_act, clause="DECAY-5.7", facts={"phase": "keep"}
        )

    def describe(self, action: Action) -> str:
        return for_free(super().describe(action))


SKIP = Action("skip_tile")


def for_free(text: str) -> str:
    """What costs nothing, said in words."""
    return text.replace(f"paying {NOTHING}", "for free")


def tile_is_free(state: State, tile: int) -> bool:
    """Whether it may be moved, as far as its sides, dice, pawns and owner go (DECAY-2.13 to 2.16)."""
    if tile in state.dice or (value_of(tile) == 1 and suit_of(tile) != state.active_suit):
        return False
    return _pawns_allow(state, tile) and _sides_allow(state, tile)


def _pawns_allow(state: State, tile: int) -> bool:
    rule = state.options.move_tile_with_pawn
    if rule == "allow" or tile not in state.pawns:
        return True
    return rule == "own_only" and state.pawns[state.to_act] == tile


def _sides_allow(state: State, tile: int) -> bool:
    sides = touched_sides(contacts(state.tiles, state.touch), tile)
    if len(sides) == 2 and state.options.movable_sides == "adjacent_only":
        return sum(sides) % 2 == 1
    return len(sides) <= 2


def forbidden_to(state: State, tile: int) -> Forbidden:
    return forbidden_sides(contacts(state.tiles, state.touch), tile)


def tile_prices(state: State, tile: int) -> tuple[Coins, ...]:
    return payments(state.hand(state.to_act), suit_of(tile), value_of(tile))


def _moves_of_tile(state: State, tile: int) -> Iterator[Action]:
    """Every place with the first payment, then every other payment with the first place."""
    prices = tile_prices(state, tile)
    if not prices:
        return
    edges = placements(state.tiles, tile, state.touch, forbidden_to(state, tile))
    first: Position | None = None
    for spot in spots_of(state.tiles, edges):
        first = first or spot
        yield move_action(tile, prices[0], spot)
    if first:
        for price in prices[1:]:
            yield move_action(tile, price, first)


def move_action(tile: int, price: Coins, spot: Position) -> Action:
    return Action("move_tile", (NAMES[tile], spell(price) or NOTHING, str(spot[0]), str(spot[1])))


def _not_liftable(state: State, tile: int) -> Refusal | None:
    name = NAMES[tile]
    if tile in state.dice:
        owner = suit_name(state.suits[state.dice.index(tile)])
        text = say(
            "the die of {die} lies on {tile}; a tile with a die cannot be moved by anybody", die=owner, tile=name
        )
        return Refusal(Code.PROTECTED, "DECAY-2.14", text, {"tile": name, "die": owner})
    if value_of(tile) == 1 and suit_of(tile) != state.active_suit:
        text = say("{tile} is the ace of {suit}; only its owner may move it", tile=name, suit=suit_name(suit_of(tile)))
        return Refusal(Code.PROTECTED, "DECAY-2.15", text, {"tile": name})
    if not _pawns_allow(state, tile):
        text = say("a pawn stands on {tile}; no tile with a pawn is moved in this game", tile=name)
        if state.options.move_tile_with_pawn == "own_only":
            text = say("a pawn stands on {tile}; only the tile of one's own pawn may be moved", tile=name)
        return Refusal(Code.PROTECTED, "DECAY-2.16", text, {"tile": name})
    if not _sides_allow(state, tile):
        touched = touched_sides(contacts(state.tiles, state.touch), tile)
        sides = sorted(SIDE_WORDS[side] for side in touched)
        text = say(
            "{tile} is touched on its {sides} sides; to be lifted, a tile may be touched on at most two sides, "
            "and these must meet in a corner",
            tile=name,
            sides=enumerated(map(say_side, touched), Joint.AND),
        )
        return Refusal(Code.STUCK, "DECAY-2.13", text, {"tile": name, "sides": sides})
    return None
