"""How the game stands and when it is over (BRKT-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.breakthrough.opening import NAMES, SIZE, State
from rules.sentence import Person, say

_FAR = (((1 << SIZE) - 1) << SIZE * (SIZE - 1), (1 << SIZE) - 1)
"""The rank that seat 0 wants to reach, and seat 1."""


def is_over(state: State) -> bool:
    first, second = state.army(0), state.army(1)
    return bool(first & _FAR[0] or second & _FAR[1] or not first or not second)


def outcome_of(state: State) -> Outcome:
    for seat in (0, 1):
        if arrived := state.army(seat) & _FAR[seat]:
            place = NAMES[arrived.bit_length() - 1]
            return Outcome(
                True, (seat,), (), say("a coin of {who} has reached {place}", who=Person(seat), place=place), "BRKT-5.1"
            )
    for seat in (0, 1):
        if not state.army(seat):
            return Outcome(True, (1 - seat,), (), say("{who} has lost all coins", who=Person(seat)), "BRKT-5.2")
    return Outcome()
