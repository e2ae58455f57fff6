"""How it ended (DECAY-5.18 to 5.20)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.decay.opening import Phase, State, suit_name

_REASONS = {
    "DECAY-5.18": "only {winners} still has a pawn on the board",
    "DECAY-5.19": "the last pawns died together: a draw of {winners}",
    "DECAY-8.11": "the last pawns died together and {active} brought it about: {winners} wins",
    "DECAY-5.20": "{winners} agreed on a draw",
    "DECAY-8.12": "the same position came for the third time: a draw of {winners}",
}


_DRAWS = ("DECAY-5.19", "DECAY-5.20", "DECAY-8.12")


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    names = " and ".join(suit_name(state.suits[seat]) for seat in state.winners)
    reason = _REASONS[state.ending].format(winners=names, active=suit_name(state.active_suit))
    return Outcome(True, state.winners, (), reason, state.ending, drawn=state.ending in _DRAWS)
