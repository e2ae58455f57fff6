"""Who has won (GW-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.global_warming.opening import ENDED, State


def outcome_of(state: State) -> Outcome:
    if state.phase != ENDED:
        return Outcome()
    winners = tuple(state.survivors)
    left = ", ".join(state.suits[index].value for index in state.alive) or "nobody"
    return Outcome(True, winners, (), f"only {left} is left on the island", "GW-5.3")
