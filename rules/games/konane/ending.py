"""How the game stands and when it is over (KONA-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.konane.moves import can_jump
from rules.games.konane.opening import State
from rules.sentence import Person, say


def is_over(state: State) -> bool:
    return not state.removing and not can_jump(state)


def outcome_of(state: State) -> Outcome:
    if not is_over(state):
        return Outcome()
    loser = state.to_act
    return Outcome(True, (1 - loser,), (), say("{who} cannot jump", who=Person(loser)), "KONA-5.1")
