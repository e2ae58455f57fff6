"""How a game stands and when it is over (DODG-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.dodgem.opening import State
from rules.sentence import Person, say


def is_over(state: State) -> bool:
    goal = state.options.size - 1
    return goal in state.off or state.passes >= 2 or state.blocked_loser is not None or _repeats(state)


def _repeats(state: State) -> bool:
    limit = state.options.repetition_draw
    return limit > 0 and len(state.seen) > limit and state.seen.count(state.seen[-1]) >= limit


def outcome_of(state: State) -> Outcome:
    goal = state.options.size - 1
    for player, off in enumerate(state.off):
        if off == goal:
            return Outcome(
                True, (player,), state.off, say("{who} has all coins off the board", who=Person(player)), "DODG-5.1"
            )
    if state.blocked_loser is not None:
        return Outcome(True, (1 - state.blocked_loser,), state.off, say("the other side blocked all moves"), "DODG-8.3")
    if state.passes >= 2:
        return Outcome(True, (), state.off, say("both sides are blocked"), "DODG-5.3", drawn=True)
    if _repeats(state):
        return Outcome(True, (), state.off, say("the same position has occurred three times"), "DODG-5.2", drawn=True)
    return Outcome(scores=state.off)
