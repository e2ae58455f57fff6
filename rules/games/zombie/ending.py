"""How the game stands and ends (ZOMB-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.zombie.opening import Phase, State, Totem
from rules.sentence import say

YOU = 0
"""The only seat."""


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    if state.totem is Totem.BURIED:
        return Outcome(True, (YOU,), (), say("the totem is buried"), "ZOMB-5.1")
    if not state.intensity:
        return Outcome(True, (), (), say("the last hour is over"), "ZOMB-5.2")
    return Outcome(True, (), (), say("no health is left"), "ZOMB-5.2")
