"""How it ended (DECAY-5.18 to 5.20)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.decay.opening import Phase, State
from rules.sentence import Joint, Person, Sentence, say, several

_DRAWS = ("DECAY-5.19", "DECAY-5.20", "DECAY-8.12")


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    return Outcome(True, state.winners, (), reason(state), state.ending, drawn=state.ending in _DRAWS)


def reason(state: State) -> Sentence:
    winners = several(map(Person, state.winners), Joint.AND)
    if state.ending == "DECAY-5.18":
        return say(
            "only {winners} still has a pawn on the board",
            "only {winners} still have pawns on the board",
            count=len(state.winners),
            winners=winners,
        )
    if state.ending == "DECAY-5.19":
        return say("the last pawns died together: a draw between {winners}", winners=winners)
    if state.ending == "DECAY-8.11":
        return say(
            "the last pawns died together and {active} brought it about: {winners} wins",
            "the last pawns died together and {active} brought it about: {winners} win",
            count=len(state.winners),
            active=Person(state.to_act),
            winners=winners,
        )
    if state.ending == "DECAY-5.20":
        return say("{winners} agreed on a draw", winners=winners)
    return say("the same position has occurred three times: a draw between {winners}", winners=winners)
