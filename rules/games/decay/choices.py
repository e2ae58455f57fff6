"""What may be done: lazily for lists, quickly for games of luck."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from rules.engine import Action
from rules.games.decay.battle import split_of
from rules.games.decay.geometry import (
    NOWHERE,
    Forbidden,
    Position,
    beside,
    contacts,
    forbidden_sides,
    free_offsets,
    offsets_in,
    on_table,
    placements,
    spots_of,
    touched_sides,
)
from rules.games.decay.money import (
    NOTHING,
    entry_payments,
    may_end_on,
    may_pass,
    minus,
    payments,
    spell,
    step_is_complete,
    tolls,
)
from rules.games.decay.opening import LETTERS, NAMES, PER_SUIT, Coins, Phase, State, suit_of, value_of
from rules.games.decay.sliding import SlideRule, free_side, slides
from rules.games.decay.tile_step import victim_of

END_PAWN, SKIP, END_TURN = Action("end_pawn_move"), Action("skip_tile"), Action("end_turn")
OFFER, ACCEPT, DECLINE, RESIGN = (
    Action("offer_draw"),
    Action("accept_draw"),
    Action("decline_draw"),
    Action("resign"),
)
ATTACK, WAIVE = Action("attack"), Action("waive_attack")
_TRIES = 40
OWN_TURN = (Phase.PAWN, Phase.TILE, Phase.SLIDE)


def actions_of(state: State) -> Iterator[Action]:
    yield from _BY_PHASE[state.phase](state)
    if may_offer_draw(state):
        yield OFFER
    if state.options.allow_resign and state.phase in OWN_TURN:
        yield RESIGN


def may_offer_draw(state: State) -> bool:
    by_word = state.options.draw == "by_agreement"
    return by_word and state.phase in OWN_TURN and not state.offered and len(state.persons_left) == 2


def _rolls(state: State) -> Iterator[Action]:
    for seat in state.contenders:
        if state.rolls[seat] is None:
            for value in range(6):
                yield Action("roll", (LETTERS[state.suits[seat]], str(value)))


# Board creation ---------------------------------------------------------------------------------------------


def unplaced(state: State) -> list[int]:
    own = range(state.active_suit * PER_SUIT, (state.active_suit + 1) * PER_SUIT)
    return [tile for tile in own if state.tiles[tile] is None]


def _creations(state: State) -> Iterator[Action]:
    for tile in unplaced(state):
        for x, y in _create_spots(state):
            yield Action("create_tile", (NAMES[tile], str(x), str(y)))


def _create_spots(state: State) -> Iterable[Position]:
    if not any(state.tiles):
        return [(0, 0)]
    return spots_of(state.tiles, placements(state.tiles, -1, state.touch))


# The pawn ---------------------------------------------------------------------------------------------------


def pawn_actions(state: State) -> Iterator[Action]:
    here = state.pawns[state.to_act]
    if here is None:
        return
    for tile in contacts(state.tiles, state.touch)[here]:
        yield from steps_to(state, tile)
    if may_end_on(state, here):
        yield END_PAWN


def steps_to(state: State, tile: int) -> Iterator[Action]:
    """Every way to pay for a step onto a neighbouring tile."""
    if not may_pass(state, tile):
        return
    hand = state.hand(state.to_act)
    for price in entry_payments(state, tile, hand):
        for toll, rest in tolls(state, tile, minus(hand, price)):
            if step_is_complete(state, tile, rest):
                yield step_action(tile, price, toll)


def step_action(tile: int, price: Coins, toll: int | None) -> Action:
    toll_paid = () if toll is None else (LETTERS[toll],)
    return Action("pawn_step", (NAMES[tile], spell(price) or NOTHING, *toll_paid))


# One tile ---------------------------------------------------------------------------------------------------


def tile_is_free(state: State, tile: int) -> bool:
    """Whether it may be moved, as far as its sides, dice, pawns and owner go (DECAY-2.13 to 2.16)."""
    if tile in state.dice or (value_of(tile) == 1 and suit_of(tile) != state.active_suit):
        return False
    return pawns_allow(state, tile) and sides_allow(state, tile)


def pawns_allow(state: State, tile: int) -> bool:
    rule = state.options.move_tile_with_pawn
    if rule == "allow" or tile not in state.pawns:
        return True
    return rule == "own_only" and state.pawns[state.to_act] == tile


def sides_allow(state: State, tile: int) -> bool:
    sides = touched_sides(contacts(state.tiles, state.touch), tile)
    if len(sides) == 2 and state.options.movable_sides == "adjacent_only":
        return sum(sides) % 2 == 1
    return len(sides) <= 2


def forbidden_to(state: State, tile: int) -> Forbidden:
    return forbidden_sides(contacts(state.tiles, state.touch), tile)


def tile_prices(state: State, tile: int) -> tuple[Coins, ...]:
    return payments(state.hand(state.to_act), suit_of(tile), value_of(tile))


def _tile_actions(state: State) -> Iterator[Action]:
    yield SKIP
    for tile, _, _ in on_table(state.tiles):
        if tile_is_free(state, tile):
            yield from moves_of_tile(state, tile)


def moves_of_tile(state: State, tile: int) -> Iterator[Action]:
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


# The rest of a turn -----------------------------------------------------------------------------------------


def _keeps(state: State) -> Iterator[Action]:
    split = split_of(state, state.moved) if state.moved is not None else None
    for part in split.tied if split else ():
        for tile in sorted(part):
            yield Action("keep_section", (NAMES[tile],))


def _takes(state: State) -> Iterator[Action]:
    for victim in sorted({victim_of(state, tile) for tile in state.gains}):
        who = LETTERS[state.suits[victim]]
        for suit, count in enumerate(state.hand(victim)[: len(LETTERS)]):
            if count:
                yield Action("take_coin", (who, LETTERS[suit]))
        yield Action("decline_coin", (who,))


def slide_rule(state: State) -> SlideRule:
    options = state.options
    return SlideRule(state.touch, options.min_slide, options.stop_slack, options.slide_obeys_placement)


def may_slide(state: State, tile: int) -> bool:
    """As far as pawns, dice, owners and repetition go (DECAY-2.18, 8.8)."""
    foreign_ace = value_of(tile) == 1 and suit_of(tile) != state.active_suit
    again = tile in state.slid and not state.options.slide_same_tile_again
    return not (foreign_ace or again or tile in state.pawns or tile in state.dice)


def slides_of(state: State, tile: int) -> tuple[int, ...]:
    near = contacts(state.tiles, state.touch)
    if free_side(near, tile) is None or not may_slide(state, tile):
        return ()
    return slides(state.tiles, tile, slide_rule(state))


def _slide_actions(state: State) -> Iterator[Action]:
    hand = state.hand(state.to_act)
    pays = [letter for letter, count in zip(LETTERS, hand, strict=False) if count]
    near = contacts(state.tiles, state.touch)
    for tile, _, _ in on_table(state.tiles) if pays else ():
        if len(near[tile]) < 3:
            continue
        for distance in slides_of(state, tile):
            for pay in pays:
                yield Action("slide", (NAMES[tile], str(distance), pay))
    yield END_TURN


_BY_PHASE: dict[Phase, Callable[[State], Iterator[Action]]] = {
    Phase.ROLL: _rolls,
    Phase.CREATE: _creations,
    Phase.PAWN: pawn_actions,
    Phase.TILE: _tile_actions,
    Phase.KEEP: _keeps,
    Phase.ATTACK: lambda _: iter((ATTACK, WAIVE)),
    Phase.TAKE: _takes,
    Phase.SLIDE: _slide_actions,
    Phase.DRAW: lambda _: iter((ACCEPT, DECLINE)),
    Phase.OVER: lambda _: iter(()),
}


# By luck ----------------------------------------------------------------------------------------------------


def random_action(state: State, rng: random.Random) -> Action:
    """One legal action. Draws, resignation and long walks are rare, as at a real table."""
    if may_offer_draw(state) and rng.random() < 0.002:
        return OFFER
    if state.phase is Phase.CREATE:
        return _random_creation(state, rng)
    if state.phase is Phase.TILE:
        return _random_tile(state, rng)
    if state.phase is Phase.SLIDE:
        return _random_slide(state, rng)
    if state.phase is Phase.PAWN:
        return _random_step(state, rng)
    return rng.choice(list(_BY_PHASE[state.phase](state)))


def _random_spot(state: State, tile: int, forbidden: Forbidden, rng: random.Random) -> Position | None:
    """A free place flush at a random side of a random tile."""
    bases = [(index, (x, y)) for index, x, y in on_table(state.tiles) if index != tile]
    for _ in range(_TRIES):
        base, spot = rng.choice(bases)
        side = rng.randrange(4)
        if mask := free_offsets(state.tiles, tile, base, side, state.touch, forbidden):
            return beside(spot, side, rng.choice(list(offsets_in(mask))))
    edges = placements(state.tiles, tile, state.touch, forbidden)
    return next(iter(spots_of(state.tiles, edges)), None)


def _random_creation(state: State, rng: random.Random) -> Action:
    tile = rng.choice(unplaced(state))
    spot = _random_spot(state, -1, NOWHERE, rng) if any(state.tiles) else (0, 0)
    assert spot is not None
    return Action("create_tile", (NAMES[tile], str(spot[0]), str(spot[1])))


def _random_step(state: State, rng: random.Random) -> Action:
    here = state.pawns[state.to_act]
    assert here is not None
    if may_end_on(state, here) and rng.random() < 0.7:
        return END_PAWN
    near = list(contacts(state.tiles, state.touch)[here])
    rng.shuffle(near)
    for tile in near:
        if steps := list(steps_to(state, tile)):
            return rng.choice(steps)
    return END_PAWN


def _random_tile(state: State, rng: random.Random) -> Action:
    if rng.random() < 0.3:
        return SKIP
    tiles = [tile for tile, _, _ in on_table(state.tiles)]
    rng.shuffle(tiles)
    for tile in tiles:
        prices = tile_prices(state, tile) if tile_is_free(state, tile) else ()
        if prices and (spot := _random_spot(state, tile, forbidden_to(state, tile), rng)):
            return move_action(tile, rng.choice(prices), spot)
    return SKIP


def _random_slide(state: State, rng: random.Random) -> Action:
    if rng.random() < 0.5:
        return END_TURN
    return rng.choice(list(_slide_actions(state)))
