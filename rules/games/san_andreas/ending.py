"""How the game stands and ends (SAND-5.26)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.san_andreas.opening import Phase, State


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = max(state.scores)
    winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
    how = "is the highest total, and shared" if len(winners) > 1 else "is the highest total"
    return Outcome(True, winners, state.scores, f"a player has played all coins; {best} {how}", "SAND-5.26")
