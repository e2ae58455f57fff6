"""How the game stands and ends (TULA-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.tula.opening import State
from rules.sentence import say


def outcome_of(state: State) -> Outcome:
    left = state.present.bit_count()
    if not state.end:
        return Outcome(scores=(left,))
    if state.end == "won":
        if not state.options.demerit:
            return Outcome(True, (0,), (left,), say("all tiles are on the stack"), "TULA-5.1")
        reason = say(
            "all tiles are on the stack, with {count} penalty point",
            "all tiles are on the stack, with {count} penalty points",
            count=state.demerits,
        )
        return Outcome(True, (0,), (left,), reason, "TULA-5.1")
    reason = say("no tile can be revealed or removed; tiles left: {left}", left=left)
    return Outcome(True, (), (left,), reason, "TULA-5.2")
