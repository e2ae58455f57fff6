"""Described positions (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Seat
from rules.engine.coin_steps import number
from rules.games.quatri.deeds import with_stalemate
from rules.games.quatri.opening import STEPS, Options, State, line_in, opening_state


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    """Fields: the two suits (lists of spaces) and to_act (a suit)."""
    start = opening_state(options, seats)
    state = State(options, start.suits, *STEPS.read(data, start))
    seen = (number(state.coins, state.to_act),)
    for player in (1 - state.to_act, state.to_act):
        if line_in(state.coins[player]):
            return State(state.options, state.suits, state.coins, player, 0, seen, "line", player)
    return with_stalemate(State(state.options, state.suits, state.coins, state.to_act, 0, seen))
