"""Any position, from the fields that the rulebook describes, and moves as people type them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action
from rules.games.dodgem.opening import SUITS, Options, State, names, opening_state


def read_position(data: Mapping[str, object], options: Options) -> State:
    """Fields: suns, crowns (lists of spaces), off ([n, n]), to_act ("suns" or "crowns")."""
    unknown = set(data) - {"suns", "crowns", "off", "to_act"}
    if unknown:
        raise ValueError(f"a position of dodgem has suns, crowns, off and to_act, no {sorted(unknown)[0]!r}")
    start = opening_state(options)
    coins = tuple(_mask(data[suit], options.size) if suit in data else start.coins[p] for p, suit in enumerate(SUITS))
    off = tuple(options.size - 1 - mask.bit_count() for mask in coins) if "off" not in data else _pair(data["off"])
    if coins[0] & coins[1]:
        raise ValueError("a suns coin and a crowns coin are on the same space")
    to_act = [suit.value for suit in SUITS].index(str(data.get("to_act", "suns")))
    return State(options, (coins[0], coins[1]), (off[0], off[1]), to_act, seen=((coins[0], coins[1], to_act),))


def shorthand(state: State, text: str) -> Action | None:
    """ "a1-b1" is a move, "exit a6" leaves the board."""
    words = text.replace("-", " ").split()
    if len(words) == 2 and words[0] == "exit":
        return Action("exit", (words[1],))
    if len(words) == 2 and all(word in names(state.options.size) for word in words):
        return Action("move", tuple(words))
    return None


def _mask(places: object, size: int) -> int:
    if not isinstance(places, (list, tuple)):
        raise ValueError("suns and crowns must be lists of spaces")
    known = names(size)
    for place in places:
        if place not in known:
            raise ValueError(f"there is no space {str(place)[:20]!r} on a board of {size} by {size}")
    return sum(1 << known.index(place) for place in set(places))


def _pair(value: object) -> tuple[int, int]:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(n) is int for n in value):
        raise ValueError("off must be two numbers, for example [1, 0]")
    return value[0], value[1]
