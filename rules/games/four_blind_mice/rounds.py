"""From cheese to cheese: who thinks, who tries in which order, who chooses next, who leads (MICE-4, MICE-5)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.four_blind_mice.cheese import covered, with_cheese
from rules.games.four_blind_mice.opening import Phase, State, Where


def bidders(state: State) -> tuple[int, ...]:
    """Everybody, or those who are tied (MICE-5.2)."""
    return state.tied or tuple(range(state.players))


def think(state: State) -> State:
    """The coin is turned: everybody thinks and bids; alone one simply begins (MICE-5.3)."""
    state = replace(state, home=state.mice, bids=(None,) * state.players, first_bid=None, used=0, plan=())
    if state.is_solo:
        return replace(state, phase=Phase.ATTEMPT, to_act=0)
    return replace(state, phase=Phase.BID)


def bid_order(state: State) -> tuple[int, ...]:
    """Fewest moves first, of equal ones the earlier (MICE-4.3)."""
    given = [(bid.moves, bid.time, bid.number, seat) for seat, bid in enumerate(state.bids) if bid]
    return tuple(seat for *_, seat in sorted(given))


def is_decided(state: State) -> bool:
    """Whether the goal or the tie-break is reached."""
    goal = state.options.goal
    solo_clears_all = state.is_solo and not state.options.replacement
    if goal and not solo_clears_all and max(state.scores) >= goal:
        return True
    return bool(state.tied) and len(leaders(state)) == 1


def leaders(state: State) -> tuple[int, ...]:
    best = max(state.scores)
    return tuple(seat for seat, score in enumerate(state.scores) if score == best)


def end_round(state: State) -> State:
    """The next player chooses, unless the game is decided or no cheese is left (MICE-4.9, MICE-5.1)."""
    over = is_decided(state) or not covered(state)
    chooser = next_chooser(state)
    return replace(
        state, phase=Phase.OVER if over else Phase.CHOOSE, to_act=chooser, chooser=chooser, order=(), used=0,
        plan=(), bids=(None,) * state.players, first_bid=None,
    )  # fmt: skip


def next_chooser(state: State) -> int:
    seat = (state.chooser + 1) % state.players
    while seat not in bidders(state):
        seat = (seat + 1) % state.players
    return seat


def may_end_by_time(state: State) -> bool:
    return bool(state.options.time_limit) and not state.tied


def discarded(state: State) -> State:
    """The cheese is lost, and the mice are where they were."""
    assert state.target is not None
    cheese = replace(state.cheeses[state.target], where=Where.GONE, cell=None)
    moves = state.moves + state.used * state.is_solo
    cheeses = with_cheese(state, state.target, cheese)
    return end_round(replace(state, cheeses=cheeses, target=None, mice=state.home, moves=moves))
