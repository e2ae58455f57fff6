"""The folders of all games have the same files: who has seen one finds everything in the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules.games
from rules.engine.rulebook import clauses_of
from rules.games import IDS, game

GAMES = Path(rules.games.__file__).parent
README = GAMES.parents[1] / "README.md"
NEEDED = {"__init__.py", "rulebook.md", "opening.py", "game.py", "layout.py", "position.py"}
ONLY_IN = {
    # what may be named only in these files of a game
    "Refusal": {"deeds", "game"},
    "Effect": {"deeds"},
    "LayoutBuilder": {"layout"},
    "Change": {"reading", "game"},
}
OLD_NAMES = {
    "actions", "board", "checks", "choices", "drawing", "hints", "picture", "play",
    "positions", "story", "suggest", "table", "telling", "words",
}  # fmt: skip


@pytest.mark.parametrize("name", IDS)
def test_the_files_are_there(name: str) -> None:
    folder = GAMES / name
    assert not [item for item in sorted(NEEDED) if not (folder / item).exists()]
    assert (folder / "deeds.py").exists() != (folder / "deeds").is_dir(), "deeds.py, or deeds/ with one file a phase"


@pytest.mark.parametrize("name", IDS)
def test_no_file_has_a_name_that_could_mean_anything(name: str) -> None:
    assert not OLD_NAMES.intersection(path.stem for path in (GAMES / name).rglob("*.py"))


@pytest.mark.parametrize("name", IDS)
def test_names_are_used_only_in_their_files(name: str) -> None:
    for path in (GAMES / name).rglob("*.py"):
        place = path.relative_to(GAMES / name).parts[0].removesuffix(".py")
        astray = [word for word in _imported(path) if word in ONLY_IN and place not in ONLY_IN[word]]
        assert not astray, f"{path.relative_to(GAMES)} uses {astray}: that is work of {ONLY_IN[astray[0]]}"


@pytest.mark.parametrize("name", IDS)
def test_every_game_has_its_tests(name: str) -> None:
    """The worked cases, a play-through, perft numbers and the laws."""
    tests = Path(__file__).parents[1] / "games" / name
    text = "".join(path.read_text(encoding="utf-8") for path in tests.glob("test_*.py"))
    assert (tests / "playthrough.txt").exists()
    assert not [what for what in ("perft(", "check_laws(", "check_playthrough(") if what not in text]


@pytest.mark.parametrize("name", IDS)
def test_the_card_cites_clauses_of_the_rulebook(name: str) -> None:
    card = game(name).card
    cited = {card.action_clause, *(option.clause for option in card.options), *(verb.clause for verb in card.verbs)}
    assert cited <= set(clauses_of(name))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("name", IDS)
def test_the_readme_names_every_game(name: str) -> None:
    assert f" {game(name).card.name}" in " ".join(README.read_text(encoding="utf-8").split())
