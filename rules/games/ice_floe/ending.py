"""How it stands, and who has won (ICE-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.ice_floe.opening import ENDED, State
from rules.sentence import Joint, Person, say, several


def outcome_of(state: State) -> Outcome:
    if state.phase != ENDED:
        return Outcome(scores=state.scores)
    names = several(map(Person, state.winners), Joint.AND)
    best = max(state.scores)
    if state.scores.count(best) > 1:
        why = say(
            "{winners} won with one point, as the torch bearer decided",
            "{winners} won with {count} points, as the torch bearer decided",
            winners=names,
            count=best,
        )
    else:
        why = say("{winners} won with one point", "{winners} won with {count} points", winners=names, count=best)
    return Outcome(True, state.winners, state.scores, why, "ICE-5.4")
