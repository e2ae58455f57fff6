"""Creates the folder of a new game: a running template to be replaced (docs/ADD_A_GAME.md)."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator
from keyword import iskeyword, issoftkeyword
from pathlib import Path
from string import Template

import rules.games
from rules.engine.rulebook import clauses_of
from rules.games import available

TEMPLATES = Path(__file__).parent
SOURCES = Path(rules.games.__file__).parents[2]
_RESERVED = frozenset(
    {*sys.builtin_module_names, *map(str.lower, dir(builtins)), "card", "game", "options", "state", "seat", "turn"}
)
"""Names used by the templates or by Python itself."""
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")


class NewGameError(ValueError):
    """A game that cannot be created; the text says why and what to do."""


def write_game(name: str, sources: Path = SOURCES) -> list[Path]:
    """Writes the folders of a game and its tests; returns the written files."""
    if not _NAME.match(name) or not 3 <= len(name) <= 30:
        raise NewGameError(
            f"{name[:40]!r} is not a name for a game; use 3 to 30 small letters, digits and _, for example three_men"
        )
    if iskeyword(name) or issoftkeyword(name) or name in _RESERVED:
        raise NewGameError(f"{name!r} is not a name for a game, since Python uses it; for example {name}_game")
    places = {"game": sources / "rules" / "games" / name, "tests": sources / "tests" / "games" / name}
    for folder in places.values():
        if folder.exists():
            raise NewGameError(f"there is a folder {folder} already; choose another name")
        if not folder.parent.is_dir():
            raise NewGameError(f"there is no folder {folder.parent}; run this in the project's own source tree")
    words = {"id": name, "title": name.replace("_", " ").title(), "clause": _clause(name)}
    return [path for kind, folder in places.items() for path in _write_templates(TEMPLATES / kind, folder, words)]


def _write_templates(templates: Path, folder: Path, words: dict[str, str]) -> Iterator[Path]:
    folder.mkdir()
    (folder / "__init__.py").touch()
    for template in sorted(templates.glob("*.txt")):
        path = folder / Template(template.stem).substitute(words)
        path.write_text(Template(template.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
        yield path


def _clause(name: str) -> str:
    """Prefix of the clause numbers, unlike those of other games."""
    used = {next(iter(clauses_of(other))).partition("-")[0] for other in available()}
    letters = re.sub(r"[^A-Z]", "", name.upper())
    free = (letters[:length] for length in range(4, len(letters) + 1) if letters[:length] not in used)
    return next(free, letters + "X")
