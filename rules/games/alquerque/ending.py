"""How the game stands and when it is over (ALQU-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.alquerque.moves import can_capture, moves
from rules.games.alquerque.opening import QUIET, State
from rules.sentence import Person, say


def is_over(state: State) -> bool:
    if state.capturing:
        return False
    return state.quiet >= QUIET or not (any(True for _ in moves(state)) or can_capture(state))


def outcome_of(state: State) -> Outcome:
    if not is_over(state):
        return Outcome()
    loser = state.to_act
    if not state.army(loser):
        said = say("{who} has lost all coins", who=Person(loser))
        return Outcome(True, (1 - loser,), (), said, "ALQU-5.1")
    if state.quiet >= QUIET:
        said = say("nothing was captured in {count} turns in a row", count=QUIET)
        return Outcome(True, (), (), said, "ALQU-5.3")
    return Outcome(True, (1 - loser,), (), say("{who} cannot move", who=Person(loser)), "ALQU-5.2")
