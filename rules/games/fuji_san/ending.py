"""How the game stands and ends (FUJI-5)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.fuji_san.opening import State

_REASONS = {
    "summit": "all four priests are on the summit after {moves} moves",
    "down": "all four priests are down again after {moves} moves",
    "failed": "foul weather: no priest can move, even with the dice",
    "stuck": "no priest can move any more",
    "lost": "the goal is out of reach: no sequence of moves leads there",
}
END_CLAUSES = {
    "summit": "FUJI-5.1",
    "down": "FUJI-9.4",
    "failed": "FUJI-3.6",
    "stuck": "FUJI-5.2",
    "lost": "FUJI-5.2",
}


def reason(state: State) -> str:
    return _REASONS[state.end].format(moves=state.moves)


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=(state.moves,))
    winners = (0,) if state.end in ("summit", "down") else ()
    return Outcome(True, winners, (state.moves,), reason(state), END_CLAUSES[state.end])
