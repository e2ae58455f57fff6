"""Floor 3: the games. Every room has the same floor plan (ARCHITECTURE.md) and offers its game as `GAME`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.engine.contract import AnyGame

IDS: tuple[str, ...] = (
    "decay",
    "global_warming",
    "ice_floe",
    "dectana",
    "penguin",
    "dodgem",
    "quatri",
    "jul_gonu",
    "four_blind_mice",
    "san_andreas",
    "delegate_dash",
    "zombie",
    "tula",
    "fuji_san",
)


class UnknownGameError(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"there is no game {name[:40]!r}; choose one of: {', '.join(IDS)}")


@cache
def game(name: str) -> AnyGame:
    """A game by its id; only that game is loaded."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted not in IDS or find_spec(f"rules.games.{wanted}.game") is None:
        raise UnknownGameError(name)
    found: AnyGame = import_module(f"rules.games.{wanted}.game").GAME
    return found


def available() -> tuple[str, ...]:
    """The ids of all games that this build has."""
    return tuple(name for name in IDS if find_spec(f"rules.games.{name}") and find_spec(f"rules.games.{name}.game"))
