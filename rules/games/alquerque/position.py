"""Described positions, and moves as people type them (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.engine.fields import a_number, unfit
from rules.engine.two_armies import LEADERS
from rules.games.alquerque.deeds import STEPS, can_capture
from rules.games.alquerque.opening import BIT, BOARD, QUIET, Options, State, opening_state


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    coins, to_act = BOARD.read(data, opening_state(options).coins, "capturing", "quiet")
    state = State(options, coins, to_act, quiet=a_number("quiet", data.get("quiet", 0), 0, QUIET - 1))
    place = data.get("capturing")
    if place is None:
        return state
    if not isinstance(place, str) or not BIT.get(place, 0) & state.army(state.to_act):
        raise unfit("capturing", f"the point of a coin of {LEADERS[state.to_act]}", place)
    going_on = State(state.options, state.coins, state.to_act, place)
    if not can_capture(going_on) or state.quiet:
        raise ValueError(
            f"capturing: the coin on {place} cannot go on capturing" + " with quiet turns" * bool(state.quiet)
        )
    return going_on


def read_shorthand(_state: State, text: str) -> Action | None:
    """ "a2-b3" is a move and "a2xc4" a capture; a step of two points is a capture however it is written."""
    places = BOARD.parse_places(text)
    if len(places) != 2:
        return None
    return Action("move" if places[1] in STEPS[places[0]] and "x" not in text else "capture", places)
