"""How it stands, and who has won (ICE-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.ice_floe.opening import ENDED, State


def outcome_of(state: State) -> Outcome:
    if state.phase != ENDED:
        return Outcome(scores=state.scores)
    names = " and ".join(state.suits[seat].value for seat in state.winners)
    best = max(state.scores)
    tied = state.scores.count(best) > 1
    how = ", as the torch bearer decided" if tied else ""
    return Outcome(True, state.winners, state.scores, f"{names} won with {best} points{how}", "ICE-5.4")
