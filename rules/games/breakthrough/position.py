"""Described positions, and moves as people type them (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.games.breakthrough.opening import BOARD, Options, State, opening_state


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    return State(options, *BOARD.read(data, opening_state(options).coins))


def read_shorthand(_state: State, text: str) -> Action | None:
    """ "a2-b3" is a move, and so is "a2xb3"."""
    places = BOARD.parse_places(text)
    return Action("move", places) if len(places) == 2 else None
