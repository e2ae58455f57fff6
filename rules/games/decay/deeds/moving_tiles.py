"""Step 2: a tile is moved (DECAY-4.15 to 4.20); checks of payments and tolls (DECAY-4.4 to 4.10, 4.22)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import NUMBER, PRICE, TILE
from rules.engine.refusal import Fact
from rules.games.decay import geometry, money
from rules.games.decay.deeds.building import random_spot, wrong_place
from rules.games.decay.deeds.fighting import after_split, begin_slides, keep_section, split_of
from rules.games.decay.deeds.narration import (
    ANOTHER_STEP,
    DecayDeed,
    DecayNarration,
    no_tile,
    place_effect,
    tiles_named,
)
from rules.games.decay.layout import spot_of
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Coins, Phase, State, suit_of, value_of
from rules.pieces import SUITS
from rules.sentence import Joint, Person, Sentence, enumerated, say, several


def wrong_price(state: State, tile: int, pay: str, prices: tuple[Coins, ...], clause: str) -> Refusal | None:
    """`prices` are all payments that this hand could make."""
    paid = money.read_coins(pay)
    if paid is None:
        text = say("“{pay}” is not a payment; write the suits of the coins, for example M or C+C+S", pay=pay[:30])
        return Refusal(Code.BAD_ARGUMENT, "DECAY-4.4", text)
    if paid in prices:
        return None
    hand = state.hand(state.to_act)
    ways = [money.spell(price) or "nothing" for price in prices]
    facts: dict[str, Fact] = {"tile": NAMES[tile], "hand": money.spell(hand), "pay": pay, "prices": ways}
    name = NAMES[tile]
    price = _price_words(tile)
    held = money.spell(hand) or say("no coin")
    if not prices:
        text = say("{tile} costs {price}; you have {hand}", tile=name, price=price, hand=held)
        return Refusal(Code.CANNOT_PAY, clause, text, facts)
    told = [say("nothing") if way == "nothing" else way for way in ways[:4]]
    payable = several([*told, "..."] if len(ways) > 4 else told, Joint.OR)
    if min(money.minus(hand, paid)) < 0:
        text = say(
            "you have only {hand} left and cannot pay {pay}; for {tile} you can pay: {ways}",
            hand=held,
            pay=pay,
            tile=name,
            ways=payable,
        )
        return Refusal(Code.CANNOT_PAY, "DECAY-4.2", text, facts)
    text = say(
        "{paid} does not pay for {tile}; it costs {price}. With your hand you can pay: {ways}",
        paid=pay if sum(paid) else say("nothing"),
        tile=name,
        price=price,
        ways=payable,
    )
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.5" if ways == ["nothing"] else "DECAY-4.4", text, facts)


def _price_words(tile: int) -> Sentence:
    if value_of(tile) == 0:
        return say("nothing")
    return say("one {suit} coin, or exactly {value} of other suits", suit=SUITS[suit_of(tile)], value=value_of(tile))


def wrong_step_payment(state: State, tile: int, pay: str, toll: str) -> Refusal | None:
    hand = state.hand(state.to_act)
    prices = money.entry_payments(state, tile, hand)
    if refusal := wrong_price(state, tile, pay, prices, "DECAY-4.4"):
        return refusal
    paid = money.read_coins(pay)
    assert paid is not None
    toll = "" if toll == "-" else toll
    owner = money.occupant(state, tile)
    if owner is None and toll:
        text = say("nobody stands on {tile}; no toll is due", tile=NAMES[tile])
        return Refusal(Code.WRONG_PAYMENT, "DECAY-4.7", text, {"toll": toll[:20]})
    possible = money.tolls(state, tile, money.minus(hand, paid))
    choices = {"" if suit is None else LETTERS[suit]: after for suit, after in possible}
    if toll not in choices:
        return _wrong_toll(state, tile, owner, toll, sorted(choices))
    if not money.step_is_complete(state, tile, choices[toll]):
        left = money.spell(choices[toll])
        text = say(
            "the pawn cannot stay on {tile} and could not go on from there with {left}",
            tile=NAMES[tile],
            left=left or say("no coin"),
        )
        return Refusal(Code.STUCK, "DECAY-4.10", text, {"tile": NAMES[tile], "left": left})
    return None


def _wrong_toll(state: State, tile: int, owner: int | None, toll: str, choices: list[str]) -> Refusal:
    whose = "nobody" if owner is None else SUITS[state.suits[owner]]
    if not choices:
        text = say(
            "the pawn of {owner} on {tile} is due one coin, and none is left after paying for the tile",
            owner=Person(owner),
            tile=NAMES[tile],
        )
        return Refusal(Code.CANNOT_PAY, "DECAY-4.7", text, {"tile": NAMES[tile], "owner": whose})
    due = several(choices, Joint.OR)
    text = say(
        "the pawn of {owner} on {tile} is due one unspent coin ({due}), not {toll}",
        owner=Person(owner),
        tile=NAMES[tile],
        due=due,
        toll=toll[:20] or say("nothing"),
    )
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.7", text, {"tile": NAMES[tile], "owner": whose, "choices": choices})


class SkipTile(DecayDeed):
    verb = Verb.of("skip_tile", "move no tile", "DECAY-4.20")
    phases = (Phase.TILE,)
    wrong_phase = ANOTHER_STEP

    def play(self, narration: DecayNarration, action: Action) -> None:
        narration.tell_choice("DECAY-4.20", "no tile is moved")
        narration.take_die_off(narration.state.to_act, "DECAY-4.20")
        begin_slides(narration)


class MoveTile(DecayDeed):
    verb = Verb.of(
        "move_tile", "move {tile} to ({x}, {y}), paying {pay}", "DECAY-4.15", tile=TILE, pay=PRICE, x=NUMBER, y=NUMBER
    )
    phases = (Phase.TILE,)
    wrong_phase = ANOTHER_STEP
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        return self.near(state, INDEX)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        for tile in tiles_named(state, names):
            if tile_is_free(state, tile):
                yield from _moves_of_tile(state, tile)

    def sample(self, state: State, rng: random.Random) -> Action:
        if rng.random() < 0.3:
            return SKIP
        tiles = [tile for tile, _, _ in geometry.on_table(state.tiles)]
        rng.shuffle(tiles)
        for tile in tiles:
            prices = tile_prices(state, tile) if tile_is_free(state, tile) else ()
            if prices and (spot := random_spot(state, tile, forbidden_to(state, tile), rng)):
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
        narration.spend(money.read_coins(pay) or NO_COINS, "DECAY-4.16", name)
        source = spot_of(narration.state.tiles, tile)
        narration.lay(tile, (int(x), int(y)))
        narration.set(moved=tile)
        fields = place_effect(narration.state, tile, "DECAY-4.17")
        narration.tell(EffectKind.MOVE, source=source, seat=narration.state.to_act, **fields)
        split = split_of(narration.state, tile)
        if split is None:
            return after_split(narration)
        if split.kept is not None:
            return keep_section(narration, split, split.kept)
        narration.set(phase=Phase.KEEP)
        return narration.tell_phase("DECAY-5.7", "keep")

    def describe(self, action: Action) -> str:
        return for_free(super().describe(action))


SKIP = Action("skip_tile")


def for_free(text: str) -> str:
    """The text with “for free” instead of “paying -”."""
    return text.replace(f"paying {money.NOTHING}", "for free")


def tile_is_free(state: State, tile: int) -> bool:
    """Whether sides, dice, pawns and owner let the tile be moved (DECAY-2.13 to 2.16)."""
    if tile in state.dice or (value_of(tile) == 1 and suit_of(tile) != state.active_suit):
        return False
    return _is_allowed_by_pawns(state, tile) and _is_allowed_by_sides(state, tile)


def _is_allowed_by_pawns(state: State, tile: int) -> bool:
    rule = state.options.move_tile_with_pawn
    if rule == "allow" or tile not in state.pawns:
        return True
    return rule == "own_only" and state.pawns[state.to_act] == tile


def _is_allowed_by_sides(state: State, tile: int) -> bool:
    sides = geometry.touched_sides(geometry.contacts(state.tiles, state.touch), tile)
    if len(sides) == 2 and state.options.movable_sides == "adjacent_only":
        return sum(sides) % 2 == 1
    return len(sides) <= 2


def forbidden_to(state: State, tile: int) -> geometry.Forbidden:
    return geometry.forbidden_sides(geometry.contacts(state.tiles, state.touch), tile)


def tile_prices(state: State, tile: int) -> tuple[Coins, ...]:
    return money.payments(state.hand(state.to_act), suit_of(tile), value_of(tile))


def _moves_of_tile(state: State, tile: int) -> Iterator[Action]:
    """Every place with the first payment, then the first place with every other payment."""
    prices = tile_prices(state, tile)
    if not prices:
        return
    edges = geometry.placements(state.tiles, tile, state.touch, forbidden_to(state, tile))
    first: geometry.Position | None = None
    for spot in geometry.spots_of(state.tiles, edges):
        first = first or spot
        yield move_action(tile, prices[0], spot)
    if first:
        for price in prices[1:]:
            yield move_action(tile, price, first)


def move_action(tile: int, price: Coins, spot: geometry.Position) -> Action:
    return Action("move_tile", (NAMES[tile], money.spell(price) or money.NOTHING, str(spot[0]), str(spot[1])))


def _not_liftable(state: State, tile: int) -> Refusal | None:
    name = NAMES[tile]
    if tile in state.dice:
        owner = SUITS[state.suits[state.dice.index(tile)]]
        text = say(
            "the die of {die} lies on {tile}; a tile with a die cannot be moved by anybody", die=owner, tile=name
        )
        return Refusal(Code.PROTECTED, "DECAY-2.14", text, {"tile": name, "die": owner})
    if value_of(tile) == 1 and suit_of(tile) != state.active_suit:
        text = say("{tile} is the ace of {suit}; only its owner may move it", tile=name, suit=SUITS[suit_of(tile)])
        return Refusal(Code.PROTECTED, "DECAY-2.15", text, {"tile": name})
    if not _is_allowed_by_pawns(state, tile):
        text = say("a pawn stands on {tile}; no tile with a pawn is moved in this game", tile=name)
        if state.options.move_tile_with_pawn == "own_only":
            text = say("a pawn stands on {tile}; only the tile of one's own pawn may be moved", tile=name)
        return Refusal(Code.PROTECTED, "DECAY-2.16", text)
    if not _is_allowed_by_sides(state, tile):
        touched = geometry.touched_sides(geometry.contacts(state.tiles, state.touch), tile)
        sides = sorted(geometry.SIDE_WORDS[side].text for side in touched)
        text = say(
            "{tile} is touched on its {sides} sides; to be lifted, a tile may be touched on at most two sides, "
            "and these must meet in a corner",
            tile=name,
            sides=enumerated((geometry.SIDE_WORDS[side] for side in touched), Joint.AND),
        )
        return Refusal(Code.STUCK, "DECAY-2.13", text, {"tile": name, "sides": sides})
    return None
