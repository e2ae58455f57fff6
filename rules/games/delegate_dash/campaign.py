"""The five rounds: set-up by dice, reveals, moves, surrenders, caucuses (DASH-3, DASH-4)."""

from __future__ import annotations

from rules.engine import EffectKind
from rules.games.delegate_dash.chart import (
    COINS,
    GAP,
    NAMES,
    NULLS,
    REGION_OF,
    REGION_SUITS,
    SHUFFLED,
    TITLES,
    marker_piece,
)
from rules.games.delegate_dash.convention import begin_convention, next_share
from rules.games.delegate_dash.opening import (
    AREA,
    DEALS,
    NOBODY,
    POOL,
    ROUNDS,
    Phase,
    State,
    clockwise,
    next_holder,
)
from rules.games.delegate_dash.telling import Telling, marker_key, spot_of
from rules.pieces import RANKS, die, tile

# Setting up -------------------------------------------------------------------------------------------------


def deal(telling: Telling, *regions: str) -> None:
    tiles: list[int | None] = [0 if cell in NULLS else None for cell in range(GAP)]
    for region, values in enumerate(regions):
        for cell, value in zip(SHUFFLED[region], values, strict=True):
            tiles[cell] = int(value)
    telling.set(tiles=tuple(tiles))
    for cell, rank in enumerate(tiles):
        piece = tile(REGION_SUITS[REGION_OF[cell]], RANKS[rank or 0])
        telling.tell(
            EffectKind.PLACE,
            piece=piece,
            key=f"tile-{piece.code[1:]}",
            target=spot_of(telling.state, cell),
            clause="DASH-3.1",
        )
    telling.phase(Phase.SCATTER, "DASH-3.3")


def throw_four(telling: Telling, *faces: str) -> None:
    """All four dice: in the set-up they place coins, in the campaign they give the order of moves."""
    values = tuple(int(face) for face in faces)
    scatters = telling.state.phase is Phase.SCATTER
    for candidate, value in enumerate(values):
        tell_die(telling, candidate, value, "DASH-3.3" if scatters else "DASH-4.3")
    telling.set(roll=values)
    if scatters:
        _scatter(telling, values)
    else:
        _begin_moves(telling, values)


def tell_die(telling: Telling, candidate: int, value: int, clause: str) -> None:
    suit = REGION_SUITS[candidate]
    facts = {"candidate": TITLES[candidate]}
    telling.tell(
        EffectKind.ROLL,
        piece=die(suit, RANKS[value]),
        key=f"die-{suit}",
        amount=value,
        clause=clause,
        facts=facts,
    )


def _scatter(telling: Telling, values: tuple[int, ...]) -> None:
    state = telling.state
    for region, value in enumerate(values):
        cell = next(c for c, own in enumerate(REGION_OF) if own == region and state.tiles[c] == value)
        telling.put(EffectKind.PLACE, 6 * region + state.deals, cell, "DASH-3.3")
    telling.set(deals=state.deals + 1)
    if telling.state.deals < DEALS:
        return telling.phase(Phase.SCATTER, "DASH-3.3", coins_left=DEALS - telling.state.deals)
    telling.set(roll=NOBODY)
    return begin_round(telling)


# Rounds -----------------------------------------------------------------------------------------------------


def states_of_round(state: State) -> list[int]:
    values = ROUNDS[state.round] if state.campaigning else ()
    return [cell for cell, value in enumerate(state.tiles) if value in values]


def begin_round(telling: Telling) -> None:
    """The next round with coins on its states; after the fifth comes the convention."""
    telling.set(idle=0)
    while telling.state.campaigning:
        if any(telling.state.hidden_at(cell) for cell in states_of_round(telling.state)):
            facts = {"round": telling.state.round + 1, "dice_with": TITLES[telling.state.holder]}
            return telling.phase(Phase.REVEAL, "DASH-4.2", **facts)
        if any(telling.state.stake_at(cell) for cell in states_of_round(telling.state)):
            return telling.phase(Phase.ROLL, "DASH-4.3")
        _pass_dice(telling)
    return begin_convention(telling)


def _pass_dice(telling: Telling) -> None:
    state = telling.state
    holder = next_holder(state.players, (state.holder + 1) % 4)
    telling.set(round=state.round + 1, holder=holder)


def reveal(telling: Telling, cell: int, values: str) -> None:
    state = telling.state
    ranks = list(state.ranks)
    for coin, value in zip(state.hidden_at(cell), values.split("+"), strict=True):
        ranks[coin] = int(value)
        piece = marker_piece(coin, int(value))
        facts = {"worth": 10 * int(value) or 1}
        telling.tell(
            EffectKind.REVEAL,
            piece=piece,
            key=marker_key(coin),
            target=spot_of(state, cell),
            clause="DASH-4.2",
            facts=facts,
        )
    telling.set(ranks=tuple(ranks))
    left = [other for other in states_of_round(state) if telling.state.hidden_at(other)]
    if left:
        telling.phase(Phase.REVEAL, "DASH-4.2", states_left=len(left))
    else:
        telling.phase(Phase.ROLL, "DASH-4.3")


# Moves ------------------------------------------------------------------------------------------------------


def _begin_moves(telling: Telling, values: tuple[int, ...]) -> None:
    """Higher die first; ties the holder first, then clockwise from the holder (DASH-4.3)."""
    order = sorted(clockwise(telling.state.holder), key=lambda candidate: -values[candidate])
    telling.set(order=tuple(order), taken=False, phase=Phase.MOVE, surrendered=0)
    _tell_turn(telling)


def _tell_turn(telling: Telling) -> None:
    state = telling.state
    candidate = state.order[0]
    facts = {
        "candidate": TITLES[candidate],
        "die": state.roll[candidate],
        "automatic": state.is_automatic(candidate),
    }
    telling.tell(EffectKind.TURN, seat=state.seat_for(candidate), clause="DASH-4.4", facts=facts)


def move(telling: Telling, candidate: int, cell: int) -> None:
    telling.put(EffectKind.MOVE, COINS + candidate, cell, "DASH-4.4", candidate)
    _after_move(telling)


def stay(telling: Telling, candidate: int) -> None:
    facts = {"choice": "stays", "candidate": TITLES[candidate]}
    telling.tell(EffectKind.CHOOSE, seat=telling.state.players[candidate], clause="DASH-4.5", facts=facts)
    _after_move(telling)


def may_surrender(state: State, candidate: int) -> bool:
    again = state.options.surrender_limit == "any" or not state.surrendered
    return again and not state.is_automatic(candidate) and bool(state.markers_of(candidate))


def _after_move(telling: Telling) -> None:
    candidate = telling.state.order[0]
    if may_surrender(telling.state, candidate):
        return telling.phase(Phase.AFTER, "DASH-4.6", candidate=TITLES[candidate])
    return done(telling)


def done(telling: Telling) -> None:
    telling.set(order=telling.state.order[1:], phase=Phase.MOVE, surrendered=0)
    if telling.state.order:
        return _tell_turn(telling)
    return begin_caucuses(telling)


def surrender(telling: Telling, candidate: int, marker: int) -> None:
    telling.put(EffectKind.PAY, marker, POOL, "DASH-4.6", candidate)
    telling.set(surrendered=telling.state.surrendered + 1)
    telling.throw(Phase.REROLL, (candidate,), "DASH-4.6")


def rerolled(telling: Telling) -> None:
    state = telling.state
    candidate = state.order[0]
    value = state.dice[candidate]
    roll = (*state.roll[:candidate], value, *state.roll[candidate + 1 :])
    telling.set(roll=roll, phase=Phase.MOVE)
    _tell_turn(telling)


# Caucuses ---------------------------------------------------------------------------------------------------


def begin_caucuses(telling: Telling) -> None:
    state = telling.state
    present = {state.pawn_at(candidate) for candidate in range(4)}
    telling.set(caucuses=tuple(cell for cell in sorted(present) if cell != GAP and state.stake_at(cell)))
    _next_caucus(telling)


def _next_caucus(telling: Telling) -> None:
    """The dice holder says which comes next, where there is a choice (DASH-8.4)."""
    left = telling.state.caucuses
    if len(left) > 1:
        telling.phase(Phase.CAUCUS, "DASH-4.7", states=[NAMES[cell] for cell in left])
    elif left:
        open_caucus(telling, left[0])
    else:
        _end_sub_round(telling)


def open_caucus(telling: Telling, cell: int) -> None:
    state = telling.state
    present = tuple(candidate for candidate in range(4) if state.pawn_at(candidate) == cell)
    telling.set(caucuses=tuple(other for other in state.caucuses if other != cell), place=cell)
    if len(present) > 1:
        return telling.throw(Phase.VOTE, present, "DASH-4.8")
    telling.set(takers=present)
    return telling.phase(Phase.TAKE, "DASH-4.8", candidate=TITLES[present[0]], state=NAMES[cell])


def voted(telling: Telling) -> None:
    """Higher die first; ties the candidate at home first, then clockwise from there (DASH-4.8)."""
    state = telling.state
    assert state.place is not None
    around = [candidate for candidate in clockwise(REGION_OF[state.place]) if state.dice[candidate] is not None]
    takers = sorted(around, key=lambda candidate: -(state.dice[candidate] or 0))
    telling.set(takers=tuple(takers[: len(state.stake_at(state.place))]))
    telling.phase(Phase.TAKE, "DASH-4.8", order=[TITLES[candidate] for candidate in takers])


def take(telling: Telling, candidate: int, marker: int) -> None:
    state = telling.state
    clause = "DASH-4.8" if state.campaigning else "DASH-5.4"
    telling.put(EffectKind.TAKE, marker, AREA + candidate, clause, candidate, worth=state.worth_of(marker))
    telling.set(taken=True, takers=state.takers[1:])
    if not state.campaigning:
        return next_share(telling)
    if telling.state.takers:
        return telling.phase(Phase.TAKE, "DASH-4.8", candidate=TITLES[telling.state.takers[0]])
    telling.set(place=None)
    return _next_caucus(telling)


def _end_sub_round(telling: Telling) -> None:
    state = telling.state
    left = [coin for cell in states_of_round(state) for coin in state.stake_at(cell)]
    idle = 0 if state.taken else state.idle + 1
    telling.set(idle=idle, roll=NOBODY)
    if left and idle < state.options.stall_limit:
        return telling.phase(Phase.ROLL, "DASH-4.11", coins_at_stake=len(left))
    for coin in left:
        telling.put(EffectKind.REMOVE, coin, POOL, "DASH-5.7")
    _pass_dice(telling)
    return begin_round(telling)
