"""Described positions, and moves as people type them (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.engine.positions import a_list, each_once, one_of
from rules.games.dodgem.opening import BOARDS, SUITS, Options, State, opening_state
from rules.pieces import Suit


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...]) -> State:
    """Fields: suns, crowns (lists of spaces), off ([n, n]), to_act ("suns" or "crowns")."""
    unknown = set(data) - {"suns", "crowns", "off", "to_act"}
    if unknown:
        raise ValueError(f"a position of dodgem has suns, crowns, off and to_act, no {sorted(unknown)[0]!r}")
    start = opening_state(options)
    given = [_mask(suit, data[suit], options.size) if suit in data else None for suit in SUITS]
    coins = tuple(start.coins[p] if mask is None else mask for p, mask in enumerate(given))
    gone = tuple(max(0, options.size - 1 - mask.bit_count()) for mask in coins)
    off = _pair(data["off"]) if "off" in data else gone
    if coins[0] & coins[1]:
        raise ValueError("a suns coin and a crowns coin are on the same space")
    for player, suit in enumerate(SUITS):
        if coins[player].bit_count() + off[player] > options.size - 1:
            count = f"{coins[player].bit_count()} on the board and {off[player]} off it"
            raise ValueError(f"{suit} has {options.size - 1} coins, not {count}")
    to_act = [*SUITS].index(Suit(one_of("to_act", data.get("to_act", "suns"), SUITS)))
    return State(options, (coins[0], coins[1]), (off[0], off[1]), to_act, seen=((coins[0], coins[1], to_act),))


def read_shorthand(state: State, text: str) -> Action | None:
    """ "a1-b1" is a move, "exit a6" leaves the board."""
    words = text.replace("-", " ").split()
    if len(words) == 2 and words[0] == "exit":
        return Action("exit", (words[1],))
    if len(words) == 2 and all(word in state.board.bit for word in words):
        return Action("move", tuple(words))
    return None


def _mask(suit: str, places: object, size: int) -> int:
    board = BOARDS[size]
    listed = a_list(suit, places, '["a1", "b2"]')
    for place in listed:
        if place not in board.names:
            raise ValueError(
                f"{suit}: there is no space {str(place)[:20]!r}; the board goes from a1 to {board.names[-1]}"
            )
    each_once(suit, listed)
    return board.mask(listed)


def _pair(value: object) -> tuple[int, int]:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(n) is int and n >= 0 for n in value):
        raise ValueError("off must be two numbers, for example [1, 0]")
    return value[0], value[1]
