"""Who has won (GW-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.global_warming.opening import ENDED, State
from rules.sentence import say, several


def outcome_of(state: State) -> Outcome:
    if state.phase != ENDED:
        return Outcome()
    winners = tuple(state.survivors)
    left = several(state.suits[index] for index in state.alive) if state.alive else say("nobody")
    return Outcome(True, winners, (), say("only {left} is left on the island", left=left), "GW-5.3")
