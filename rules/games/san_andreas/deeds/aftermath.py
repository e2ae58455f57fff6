"""After a quake: cities score by their distance to the coast, nulls may be exchanged, the game may end
(SAND-5.21 to 5.26)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Effect, EffectKind, Spot
from rules.engine.open_grid import name_of
from rules.engine.refusal import Facts
from rules.games.san_andreas.deeds.quake import remove_islands, spot
from rules.games.san_andreas.opening import City, Coin, Phase, State
from rules.pieces import Rank, Suit, coin
from rules.table.layout import Zone


def begin_scoring(state: State, story: list[Effect]) -> State:
    story.append(Effect(EffectKind.PHASE, clause="SAND-5.16", facts={"phase": Phase.SCORE.value}))
    return settle(replace(state, phase=Phase.SCORE, waiting=tuple(range(len(state.cities)))), story)


def settle(state: State, story: list[Effect]) -> State:
    """Score every city whose value has been seen; stop where a coin must be turned or an owner must choose."""
    for index in state.waiting:
        value = state.cities[index].coin.value
        if not state.cities[index].coin.seen:
            continue
        if value is Rank.NULL and may_swap(state, state.cities[index].coin.suit):
            waiting = (index, *(i for i in state.waiting if i != index))
            return replace(state, phase=Phase.SWAP, waiting=waiting)
        state = score(state, index, story)
    if state.waiting:
        return replace(state, phase=Phase.SCORE)
    return _close(state, story)


def may_swap(state: State, suit: Suit) -> bool:
    """A null with any destroyed coin of its own suit beside it."""
    return any(ruin.suit is suit for ruin in state.ruins)


def score(state: State, index: int, story: list[Effect]) -> State:
    """SAND-5.24; the coin is turned suit side up again (SAND-5.25)."""
    city = state.cities[index]
    seat = state.owner(city.coin.suit)
    cell = state.cell(city)
    value = city.coin.value or Rank.NULL
    coast = state.terrain.distance(cell)
    points = max(0, value - coast[0]) if coast else 0
    facts: Facts = {
        "place": name_of(cell),
        "value": int(value),
        "distance": coast[0] if coast else None,
        "coast": coast[1] if coast else None,
    }
    piece, key = coin(city.coin.suit), city.coin.key
    story.append(Effect(EffectKind.SCORE, piece, key, seat=seat, amount=points, clause="SAND-5.24", facts=facts))
    story.append(Effect(EffectKind.FLIP, piece, key, spot(cell), clause="SAND-5.25"))
    scores = tuple(have + points * (player == seat) for player, have in enumerate(state.scores))
    return replace(state, scores=scores, waiting=tuple(i for i in state.waiting if i != index))


def reveal(state: State, index: int, value: Rank, story: list[Effect]) -> State:
    """A city is turned value side up (SAND-5.21)."""
    city = state.cities[index]
    known = replace(city.coin, value=value, seen=True)
    piece = coin(city.coin.suit, value)
    facts: Facts = {"place": name_of(state.cell(city)), "value": int(value)}
    where = spot(state.cell(city))
    seat = state.owner(city.coin.suit)
    story.append(Effect(EffectKind.REVEAL, piece, known.key, where, seat=seat, clause="SAND-5.21", facts=facts))
    return settle(replace(state, cities=_with(state.cities, index, known)), story)


def swap(state: State, value: Rank, story: list[Effect]) -> State:
    """The null on the board goes to the destroyed coins, one of those comes back (SAND-5.23)."""
    index = state.waiting[0]
    city = state.cities[index]
    seat = state.owner(city.coin.suit)
    chosen = ruin_of(state, city.coin.suit, value)
    assert chosen is not None, "only called with a destroyed coin"
    ruins = (*(ruin for ruin in state.ruins if ruin != chosen), city.coin)
    back = replace(chosen, value=value, seen=True)
    here, pile = spot(state.cell(city)), Spot(zone=Zone.SPENT, seat=seat)
    null = coin(city.coin.suit, Rank.NULL)
    story.append(Effect(EffectKind.REMOVE, null, city.coin.key, here, pile, seat=seat, clause="SAND-5.23"))
    facts: Facts = {"value": int(value)}
    piece = coin(city.coin.suit, value)
    story.append(Effect(EffectKind.PLACE, piece, back.key, pile, here, seat=seat, clause="SAND-5.23", facts=facts))
    return settle(replace(state, cities=_with(state.cities, index, back), ruins=ruins), story)


def keep_null(state: State, story: list[Effect]) -> State:
    index = state.waiting[0]
    seat = state.owner(state.cities[index].coin.suit)
    story.append(Effect(EffectKind.CHOOSE, seat=seat, clause="SAND-5.23", facts={"choice": "keep the null"}))
    return settle(score(state, index, story), story)


def ruin_of(state: State, suit: Suit, value: Rank) -> Coin | None:
    """The destroyed coin that has this value, or else one that may have it (SAND-8.12)."""
    own = [ruin for ruin in state.ruins if ruin.suit is suit]
    known = next((ruin for ruin in own if ruin.value is value), None)
    if known or value not in state.free_values(suit):
        return known
    return next((ruin for ruin in own if ruin.value is None), None)


def swappable(state: State) -> Iterator[Rank]:
    suit = state.cities[state.waiting[0]].coin.suit
    return (rank for rank in Rank if rank is not Rank.NULL and ruin_of(state, suit, rank))


def _with(cities: tuple[City, ...], index: int, known: Coin) -> tuple[City, ...]:
    return (*cities[:index], replace(cities[index], coin=known), *cities[index + 1 :])


def _close(state: State, story: list[Effect]) -> State:
    """SAND-5.16 and 5.26: the end, or the next player's turn."""
    if not state.options.islands_before_scoring:
        state = remove_islands(state, story)
    done = [seat for seat in range(state.seats) if state.has_founded_all(seat)]
    if done:
        facts: Facts = {"all_founded": [str(seat) for seat in done], "scores": [str(score) for score in state.scores]}
        story.append(Effect(EffectKind.END, clause="SAND-5.26", facts=facts))
        return replace(state, phase=Phase.OVER)
    following = (state.to_act + 1) % state.seats
    story.append(Effect(EffectKind.TURN, seat=following, clause="SAND-5.16"))
    return replace(state, phase=Phase.TURN, to_act=following)
