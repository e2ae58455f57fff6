"""Floor 3: the games. Every room has the same floor plan (ARCHITECTURE.md) and offers its game as `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.sentence import SaidError, say

if TYPE_CHECKING:
    from rules.engine.action import Action
    from rules.engine.contract import AnyGame

_SHOWN_FIRST = (
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


def _rooms() -> Iterator[str]:
    """Every folder here that holds a game; a new one needs no other entry."""
    yield from _SHOWN_FIRST
    rooms = (path.parent.name for path in Path(__file__).parent.glob("*/game.py"))
    yield from sorted(set(rooms) - set(_SHOWN_FIRST))


IDS: tuple[str, ...] = tuple(_rooms())


class UnknownGameError(SaidError):
    def __init__(self, name: str) -> None:
        super().__init__(
            say("there is no game {name}; choose one of: {known}", name=repr(name[:40]), known=", ".join(IDS))
        )


def game(name: str) -> AnyGame:
    """A game by its id; only that game is loaded."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted not in IDS:
        raise UnknownGameError(name)
    return _loaded(wanted)


@cache
def _loaded(id: str) -> AnyGame:
    if find_spec(f"rules.games.{id}.game") is None:
        raise UnknownGameError(id)
    found: AnyGame = import_module(f"rules.games.{id}.game").GAME
    return found


def available() -> tuple[str, ...]:
    """The ids of all games that this build has."""
    return tuple(name for name in IDS if find_spec(f"rules.games.{name}") and find_spec(f"rules.games.{name}.game"))


def hint_of(id: str) -> Callable[[Any], Action | None] | None:
    """What finds the best action of a state, in the games that are solved exactly; None in all others. The action is
    None where there is nothing to advise."""
    if find_spec(f"rules.games.{id}.solver") is None:
        return None
    found: Callable[[Any], Action | None] = import_module(f"rules.games.{id}.solver").hint
    return found
