"""How a game stands and when it is over (QUAT-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.quatri.opening import BOARD, STEPS, State, line_in
from rules.sentence import Person, Sentence, say, several

END_CLAUSES = {"line": "QUAT-5.1", "stalemate": "QUAT-8.2", "blocked": "QUAT-5.3", "repetition": "QUAT-5.3"}


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome()
    winners = () if state.winner is None else (state.winner,)
    return Outcome(True, winners, (), reason(state), END_CLAUSES[state.end], drawn=not winners)


def reason(state: State) -> Sentence:
    if state.end == "line" and state.winner is not None:
        line = BOARD.places(line_in(state.coins[state.winner]))
        return say("three coins of {who} are in a row: {line}", who=Person(state.winner), line=several(line))
    if state.end == "stalemate":
        return say("{who} cannot move", who=Person(state.to_act))
    return (
        say("both sides are blocked") if state.end == "blocked" else say("the same position has occurred three times")
    )


def or_stalemate(state: State) -> State:
    """With `stalemate` "loses", who cannot move has lost."""
    if state.options.stalemate == "pass" or STEPS.moves(state):
        return state
    winner = 1 - state.to_act
    return State(state.options, state.suits, state.coins, state.to_act, 0, state.seen, "stalemate", winner)
