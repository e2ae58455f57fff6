"""Any position, from the fields that the rulebook describes, and moves as people type them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action
from rules.games.breakthrough.opening import BIT, BOARD, Options, State, opening_state


def read_position(data: Mapping[str, object], options: Options) -> State:
    return State(options, *BOARD.read(data, opening_state(options).coins))


def read_shorthand(text: str) -> Action | None:
    """ "a2-b3" is a move, and so is "a2xb3"."""
    words = tuple(text.replace("-", " ").replace("x", " ").split())
    return Action("move", words) if len(words) == 2 and all(word in BIT for word in words) else None
