"""What is at stake in a round, where a candidate can go for it, and what may be taken (DASH-4, DASH-8.9)."""

from __future__ import annotations

from rules.games.delegate_dash.chart import DISTANCES, NULLS, REGION_OF
from rules.games.delegate_dash.opening import ROUNDS, State


def states_of_round(state: State) -> list[int]:
    values = ROUNDS[state.round] if state.campaigning else ()
    return [cell for cell, value in enumerate(state.tiles) if value in values]


def hidden_states(state: State) -> list[int]:
    return [cell for cell in states_of_round(state) if state.hidden_at(cell)]


def can_reach(state: State, candidate: int, cell: int) -> bool:
    """Within the die, or in the home region (DASH-4.4)."""
    if REGION_OF[cell] == candidate:
        return True
    return DISTANCES[state.pawn_at(candidate)][cell] <= (state.roll[candidate] or 0)


def automatic_goals(state: State, candidate: int) -> list[int]:
    """The reachable caucuses with the most at stake, or the home null state (DASH-4.10)."""
    stakes = {cell: sum(map(state.worth_of, state.stake_at(cell))) for cell in states_of_round(state)}
    reachable = {cell: stake for cell, stake in stakes.items() if stake and can_reach(state, candidate, cell)}
    if not reachable:
        return [NULLS[candidate]]
    best = max(reachable.values())
    return [cell for cell, stake in reachable.items() if stake == best]
