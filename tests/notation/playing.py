"""Games played by luck, for records."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game


@lru_cache(maxsize=64)
def random_history(id: str, seed: int, plies: int = 60) -> History:
    """The first actions of a random game."""
    found = game(id)
    history = History.begin(found)
    for _, action in islice(walk(found, seed), plies):
        history = history.play(action)
    return history


def states(history: History) -> list[object]:
    return [history.first, *(entry.state for entry in history.entries)]
