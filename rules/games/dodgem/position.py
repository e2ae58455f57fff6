"""Described positions, and moves as people type them (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.engine.fields import masks_by_suit, numbers, one_of, refuse_unknown
from rules.games.dodgem.opening import BOARDS, SUITS, Options, State, opening_state


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...]) -> State:
    """Fields: suns, crowns (lists of spaces), off ([n, n]), to_act ("suns" or "crowns")."""
    refuse_unknown("dodgem", data, (*SUITS, "off", "to_act"))
    most = options.size - 1
    suns, crowns = masks_by_suit(data, SUITS, opening_state(options).coins, BOARDS[options.size].bit)
    left = [most - mask.bit_count() for mask in (suns, crowns)]
    first, second = off = numbers("off", data.get("off", left), 2, most, "[1, 0]")
    for suit, gone, rest in zip(SUITS, off, left, strict=True):
        if gone > rest:
            raise ValueError(f"{suit} has {most} coins, not {most - rest} on the board and {gone} off it")
    to_act = SUITS.index(one_of("to_act", data.get("to_act", "suns"), SUITS))
    return State(options, (suns, crowns), (first, second), to_act, seen=((suns, crowns, to_act),))


def read_shorthand(state: State, text: str) -> Action | None:
    """ "a1-b1" is a move, "exit a6" leaves the board."""
    words = text.replace("-", " ").split()
    if len(words) == 2 and words[0] == "exit":
        return Action("exit", (words[1],))
    if len(words) == 2 and all(word in state.board.bit for word in words):
        return Action("move", tuple(words))
    return None
