"""Described positions, and turns as people type them (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.engine.two_armies import LEADERS
from rules.games.konane.opening import ARMY, BIT, BOARD, SPACES, Options, State, opening_state
from rules.pieces import SUITS


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    state = State(options, *BOARD.read(data, opening_state(options).coins))
    for number, (suit, mask) in enumerate(zip(SUITS, state.coins, strict=True)):
        if astray := mask & ~SPACES[number // 2]:
            place = next(name for name in BOARD.names if BIT[name] & astray)
            raise ValueError(f"{suit}: {place} is a space of the other player's coins")
    own, other = (state.army(seat).bit_count() for seat in (state.to_act, 1 - state.to_act))
    if ARMY in (own, other) and (own < ARMY or other < ARMY - 1):
        raise ValueError(
            f"a player with all {ARMY} coins takes one off, after the first coin of the other; so to_act is"
            f" {LEADERS[state.to_act if own == ARMY else 1 - state.to_act]} and the other player has lost one coin"
        )
    return state


def read_shorthand(_state: State, text: str) -> Action | None:
    """ "a1-a3" and "a1xa3" are jumps, "a1" alone removes a coin."""
    places = BOARD.parse_places(text)
    return {1: Action("remove", places), 2: Action("jump", places)}.get(len(places))
