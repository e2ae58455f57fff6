"""How the game stands and ends (TULA-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.tula.opening import State


def outcome_of(state: State) -> Outcome:
    left = state.present.bit_count()
    if not state.end:
        return Outcome(scores=(left,))
    if state.end == "won":
        points = f", with {state.demerits} penalty points" if state.options.demerit else ""
        return Outcome(True, (0,), (left,), f"all tiles are on the stack{points}", "TULA-5.1")
    reason = f"no tile can be revealed or removed; {left} are left"
    return Outcome(True, (), (left,), reason, "TULA-5.2")
