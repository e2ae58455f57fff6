"""How a game stands and when it is over (JULG-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.jul_gonu.moves import moves
from rules.games.jul_gonu.opening import State
from rules.sentence import Person, Sentence, say

END_CLAUSES = {
    "captures": "JULG-5.1",
    "shuttle": "JULG-5.2",
    "stalemate": "JULG-8.5",
    "blocked": "JULG-5.3",
    "repetition": "JULG-5.3",
}


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=state.captured)
    winners = () if state.winner is None else (state.winner,)
    return Outcome(True, winners, state.captured, reason(state), END_CLAUSES[state.end], drawn=not winners)


def reason(state: State) -> Sentence:
    if state.end == "captures" and state.winner is not None:
        return say(
            "{who} has captured {captured} coins", who=Person(state.winner), captured=state.captured[state.winner]
        )
    if state.end == "shuttle":
        return say("{who} moved a coin over, back and over again", who=Person(state.to_act))
    if state.end == "stalemate":
        return say("{who} cannot move", who=Person(state.to_act))
    return (
        say("both sides are blocked") if state.end == "blocked" else say("the same position has occurred three times")
    )


def or_stalemate(state: State) -> State:
    """With `stalemate` "loses", who cannot move has lost."""
    if state.options.stalemate == "pass" or moves(state):
        return state
    lost = state.to_act
    return State(
        state.options, state.suits, state.coins, state.captured, lost, end="stalemate", winner=1 - lost
    )  # fmt: skip
