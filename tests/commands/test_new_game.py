"""`companion games --new NAME`: the new folder runs at once, and its own tests are green."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polib
import pytest

from companion_api import new_game
from companion_api.__main__ import main
from companion_api.new_game import SOURCES, NewGameError, untranslated, write_game, write_stubs
from companion_api.phrasebook import WORDS
from rules.engine.rulebook import clauses_of
from rules.games import game

NAME = "three_men"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The rules and the tests that a game needs, to build in."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCES / "rules", tmp_path / "rules", ignore=ignored)
    shutil.copytree(SOURCES / "tests" / "conformance", tmp_path / "tests" / "conformance", ignore=ignored)
    for folder in (tmp_path / "tests", tmp_path / "tests" / "games"):
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    return tmp_path


def test_an_empty_room_runs_at_once(sources: Path) -> None:
    written = write_game(NAME, sources)
    assert {path.name for path in written} >= {"rulebook.md", "opening.py", "deeds.py", "game.py", f"test_{NAME}.py"}
    tests = ["-k", f"{NAME} and not readme", f"tests/games/{NAME}", "tests/conformance/test_game_folders.py"]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", *tests],
        cwd=sources,
        env={**os.environ, "PYTHONPATH": str(sources), "PLAYTHROUGH": "write", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "9 passed" in found.stdout


def test_stubs_of_all_catalogues_are_written_once(tmp_path: Path) -> None:
    """What is told already is not written again, and a catalogue with stubs is read as one without words."""
    words = tmp_path / "words"
    shutil.copytree(WORDS, words)
    assert set(write_stubs("breakthrough", words).values()) == {0}
    book = words / "rules" / "de" / "breakthrough.po"
    whole = book.read_text(encoding="utf-8")
    book.unlink()
    page = json.loads((words / "de.json").read_text(encoding="utf-8"))
    del page["act.breakthrough.move"]
    (words / "de.json").write_text(json.dumps(page), encoding="utf-8")
    written = write_stubs("breakthrough", words)
    assert (written["de"] > 10, written["fr"]) == (True, 0)
    stubs = polib.pofile(str(book))
    assert {(e.msgctxt, e.msgid) for e in stubs} == {(e.msgctxt, e.msgid) for e in polib.pofile(whole)}
    said_elsewhere = {entry.msgid: entry.msgstr for entry in stubs if entry.translated()}
    assert said_elsewhere["Nothing is hidden."] == "Nichts ist verborgen."
    assert 3 < len(said_elsewhere) < len(stubs) / 2, "what other games say has their words, the rest none"
    assert "nplurals=2" in stubs.metadata["Plural-Forms"]
    assert json.loads((words / "de.json").read_text(encoding="utf-8"))["act.breakthrough.move"] == "{0} to {1}"
    assert set(write_stubs("breakthrough", words).values()) == {0}


@pytest.mark.parametrize("language", ["de", "en"])
def test_stubs_name_the_phases_of_a_turn(language: str, tmp_path: Path) -> None:
    words = without(tmp_path, f"{language}.json", "phase.capturing")
    assert write_stubs("alquerque", words)[language] == 1
    assert json.loads((words / f"{language}.json").read_text(encoding="utf-8"))["phase.capturing"] == "capturing"


def test_stubs_name_the_choices_of_an_option(tmp_path: Path) -> None:
    words = without(tmp_path, "options/fr.json", "choice.middle_or_corner")
    assert write_stubs("konane", words) == {"de": 0, "en": 0, "es": 0, "fr": 1}
    assert list(untranslated("konane", "fr", words)) == [(words / "options" / "fr.json", "choice.middle_or_corner")]


def without(folder: Path, name: str, key: str) -> Path:
    """All catalogues, but for one line."""
    words = folder / "words"
    shutil.copytree(WORDS, words)
    lines = json.loads((words / name).read_text(encoding="utf-8"))
    del lines[key]
    (words / name).write_text(json.dumps(lines), encoding="utf-8")
    return words


def test_what_is_not_translated_is_listed(tmp_path: Path) -> None:
    words = tmp_path / "words"
    shutil.copytree(WORDS, words)
    assert not [line for language in ("de", "en", "es", "fr") for line in untranslated("konane", language, words)]
    book = words / "rules" / "es" / "konane.po"
    entries = polib.pofile(str(book))
    for entry in entries:
        if entry.msgctxt == "KONA-5.1" or entry.msgid == "{who} cannot jump":
            entry.msgstr = ""
    entries.save(str(book))
    assert sorted(untranslated("konane", "es", words)) == [(book, "KONA-5.1"), (book, "{who} cannot jump")]


def test_a_language_that_a_game_is_without_is_left_alone_and_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(game("konane"), "card", replace(game("konane").card, untranslated_in=("es",)))
    words = without(tmp_path, "options/es.json", "option.konane.first")
    assert write_stubs("konane", words) == {"de": 0, "en": 0, "fr": 0}
    monkeypatch.setattr(new_game, "write_stubs", lambda _: {"de": 1})
    assert main(["games", "--words", "konane"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "es: left alone; the game is marked as without words in this language",
        "de: lines written: 1, still in English: 0",
    ]
    assert main(["games", "konane"]) == 0
    assert "without words in es" in capsys.readouterr().out


def test_its_clauses_are_not_those_of_another_game(sources: Path) -> None:
    for name in ("quatrix", "dodgems"):
        rulebook = next(path for path in write_game(name, sources) if path.name == "rulebook.md")
        own = rulebook.read_text(encoding="utf-8").partition("**")[2].partition("-")[0]
        assert own not in {clause.partition("-")[0] for game in ("quatri", "dodgem") for clause in clauses_of(game)}


@pytest.mark.parametrize(
    "name", ["quatri", "Three", "a", "../x", "three men", "x" * 40, "class", "match", "true", "list", "sys"]
)
def test_names_that_are_refused(sources: Path, name: str) -> None:
    before = sorted(sources.rglob("*"))
    with pytest.raises(NewGameError, match="name"):
        write_game(name, sources)
    assert sorted(sources.rglob("*")) == before
