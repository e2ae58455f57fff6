"""How the game stands and ends (SAND-5.26)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.san_andreas.opening import Phase, State
from rules.sentence import say


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = max(state.scores)
    winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
    if len(winners) > 1:
        why = say("a player has played all coins; {best} is the highest total, and shared", best=best)
    else:
        why = say("a player has played all coins; {best} is the highest total", best=best)
    return Outcome(True, winners, state.scores, why, "SAND-5.26")
