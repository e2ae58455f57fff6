"""Rules to begin with: for every game some choices of its options that belong together, the easiest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Options = Mapping[str, bool | int | str]

FIRST, USUAL, OLD, TWO = "first", "usual", "old", "two"
"""For a first game; as the rules have it; for old hands; for two persons. What they mean in words: `preset.*`."""

_FIRST: dict[str, Options] = {
    "breakthrough": {"ranks": 1},
    "decay": {"attack_optional": True, "allow_resign": True},
    "dodgem": {"size": 4},
    "four_blind_mice": {"goal": 2},
    "fuji_san": {"layout": "easy"},
    "global_warming": {"island": "ordered", "resign": True},
    "penguin": {"show_buried": True},
    "san_andreas": {"show_known_values": True},
    "tula": {"mercy": True, "auto_reveal": True},
    "zombie": {"search": "free"},
}
_OLD: dict[str, Options] = {
    "decay": {"hands_open": False, "stolen_coin_usable": "next_turn"},
    "dectana": {"pawns": True, "courts": True, "excuses": True},
    "dodgem": {"block_loses": True},
    "four_blind_mice": {"exact": True, "count": "slides+turns"},
    "fuji_san": {"layout": "expert"},
    "global_warming": {"setup": "diagonal", "blank_optional": False},
    "jul_gonu": {"strict_shuttle": True},
    "penguin": {"start": "strategic", "drifting": True, "flame_throwers": True},
    "quatri": {"stalemate": "loses"},
    "tula": {"setup": "variant4"},
    "zombie": {"time": "action"},
}
_TWO: dict[str, Options] = {"decay": {"two_persons": True, "shared_hand": True}}


def easiest(game: str) -> dict[str, Any]:
    """The rules of a first game."""
    return dict(_FIRST.get(game, {}))


def presets_for(game: str) -> list[dict[str, Any]]:
    """The easiest first; the usual rules are always among them."""
    told: tuple[tuple[str, Options | None], ...] = (
        (FIRST, _FIRST.get(game)),
        (USUAL, {}),
        (OLD, _OLD.get(game)),
        (TWO, _TWO.get(game)),
    )
    return [{"name": name, "options": dict(options)} for name, options in told if options is not None]
