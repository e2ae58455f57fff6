"""The games. Every folder has the same files (ARCHITECTURE.md) and offers its game as `GAME`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from rules.sentence import InputError, say

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


def _folders() -> Iterator[str]:
    """The folders that hold a game; a new game needs no other entry."""
    yield from _SHOWN_FIRST
    folders = (path.parent.name for path in Path(__file__).parent.glob("*/game.py"))
    yield from sorted(set(folders) - set(_SHOWN_FIRST))


IDS: tuple[str, ...] = tuple(_folders())


class UnknownGameError(InputError):
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
    """Ids of all games of this build."""
    return tuple(name for name in IDS if find_spec(f"rules.games.{name}") and find_spec(f"rules.games.{name}.game"))


class Solver(Protocol):
    """Functions of a game with an exact solver. Two of them are optional: `value`, who wins with best play (n > 0: the
    side to move, in n plies or, uncounted, 1; n <= 0: it has lost in -n, uncounted 0; None: nobody), and `route`, a
    whole best line as long as no dice or other people come between."""

    def hint(self, state: Any) -> Action | None:
        """The best action; None where there is nothing to advise."""
        ...


def solver_of(id: str) -> Solver | None:
    """The solver of a game; None in the games that are not solved exactly."""
    if not is_solved(id):
        return None
    found: Solver = cast("Solver", import_module(f"rules.games.{id}.solver"))
    return found


def is_solved(id: str) -> bool:
    """Whether the game has a solver; it is not imported."""
    return find_spec(f"rules.games.{id}.solver") is not None
