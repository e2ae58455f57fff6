"""How the game stands and ends (FUJI-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.fuji_san.opening import State
from rules.sentence import Sentence, say

END_CLAUSES = {"summit": "FUJI-5.1", "down": "FUJI-9.4", "failed": "FUJI-3.6", "stuck": "FUJI-5.2", "lost": "FUJI-5.2"}


def reason(state: State) -> Sentence:
    if state.end == "summit":
        return say(
            "all four priests are on the summit after one move",
            "all four priests are on the summit after {count} moves",
            count=state.moves,
        )
    if state.end == "down":
        return say(
            "all four priests are down again after one move",
            "all four priests are down again after {count} moves",
            count=state.moves,
        )
    if state.end == "failed":
        return say("foul weather: no priest can move, even with the dice")
    if state.end == "stuck":
        return say("no priest can move any more")
    return say("the goal is out of reach: no sequence of moves leads there")


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=(state.moves,))
    winners = (0,) if state.end in ("summit", "down") else ()
    return Outcome(True, winners, (state.moves,), reason(state), END_CLAUSES[state.end])
