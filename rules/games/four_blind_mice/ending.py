"""How the game stands and ends (MICE-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.four_blind_mice.opening import Phase, State, Where
from rules.games.four_blind_mice.rounds import leaders
from rules.sentence import Joint, Person, say, several


def outcome_of(state: State) -> Outcome:
    if state.is_solo:
        return _solo_outcome(state)
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = leaders(state)
    names = several(map(Person, best), Joint.AND)
    cheeses = max(state.scores)
    if len(best) > 1:
        reason = say("no cheese is left; {winners} share the win with {cheeses} each", winners=names, cheeses=cheeses)
        return Outcome(True, best, state.scores, reason, "MICE-5.2")
    clause = "MICE-5.2" if state.tied else "MICE-5.1"
    return Outcome(
        True, best, state.scores, say("{winner} has the most cheese: {cheeses}", winner=names, cheeses=cheeses), clause
    )


def _solo_outcome(state: State) -> Outcome:
    """Alone the moves are counted; to have lost no cheese is a win (MICE-5.3)."""
    scores = (state.moves,)
    if state.phase is not Phase.OVER:
        return Outcome(scores=scores)
    won = state.scores[0]
    lost = sum(cheese.where is Where.GONE for cheese in state.cheeses)
    left = sum(cheese.where is Where.BOARD for cheese in state.cheeses)
    if lost:
        reason = say(
            "one cheese in {moves} moves, {lost} lost",
            "{count} cheeses in {moves} moves, {lost} lost",
            count=won,
            moves=state.moves,
            lost=lost,
        )
    else:
        reason = say("one cheese in {moves} moves", "{count} cheeses in {moves} moves", count=won, moves=state.moves)
    complete = not lost and (not left or state.options.replacement)
    return Outcome(True, (0,) if complete else (), scores, reason, "MICE-5.3")
