"""New games: the folder of one, a running template to be replaced (docs/ADD_A_GAME.md), and missing catalogue entries:
listing, writing stubs, and listing untranslated ones."""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from keyword import iskeyword, issoftkeyword
from pathlib import Path
from string import Template

import polib

import rules.games
from companion_api.phrasebook import COMMON, ENGLISH, PROBLEMS, WORDS, languages
from rules.engine.rulebook import clauses_of
from rules.games import available, game

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


SENTENCE_MAKERS = {"say": 0, "PhaseText": 1}
"""Functions that make a sentence, with the position of its template argument."""
PAGE = ""
"""Folder of the page's words."""
HEAD = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of a game: clauses by number, sentences with plural forms, and lines with their English by folder: words of
    the page and of `options`."""

    clauses: dict[str, str] = field(default_factory=dict)
    sentences: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """Plural form by catalogue and sentence."""
    lines: dict[str, dict[str, str]] = field(default_factory=dict)


def words_of(name: str, language: str) -> Words:
    """Texts from the rulebook, source and card of a game; English needs only its phases."""
    card = game(name).card
    page = {f"phase.{phase}": phase.replace("_", " ") for phase in game(name).phases}
    if language == ENGLISH:
        return Words(lines={PAGE: page})
    page |= {f"summary.{name}": card.summary, f"needs.{name}": card.needs}
    for verb in card.verbs:
        numbers = {param.name: f"{{{number}}}" for number, param in enumerate(verb.params)}
        page[f"act.{name}.{verb.name}"] = verb.text.format(**numbers)
    options = {f"option.{name}.{spec.name}": spec.text for spec in card.options}
    choices = {choice for spec in card.options for choice in spec.choices if isinstance(choice, str)}
    options |= {f"choice.{choice}": choice.replace("_", " ") for choice in sorted(choices) if not choice.isdigit()}
    sentences = {(book, key): many for book, key, many in sentences_of(name)}
    return Words(dict(clauses_of(name)), sentences, {PAGE: page, "options": options})


def missing_texts(name: str, language: str, words: Path = WORDS) -> Words:
    wanted = words_of(name, language)
    known = [entry for book in (name, COMMON, PROBLEMS) for entry in _book(book, language, words)]
    clauses = {entry.msgctxt for entry in known if entry.msgctxt}
    told = {entry.msgid for entry in known if not entry.msgctxt}
    lines = {}
    for folder, english in wanted.lines.items():
        there = _read(_lines(folder, language, words))
        lines[folder] = {key: text for key, text in english.items() if key not in there}
    return Words(
        {clause: text for clause, text in wanted.clauses.items() if clause not in clauses},
        {(book, key): many for (book, key), many in wanted.sentences.items() if key not in told},
        lines,
    )


def write_stubs(name: str, words: Path = WORDS) -> dict[str, int]:
    """Writes stubs for every language and returns their numbers: sentences and clauses with the translation of the same
    English in other games, else empty (shown in English), and page words in English. Languages the game lacks are
    skipped."""
    without = game(name).card.untranslated_in
    return {language: _write(name, language, words) for language in languages() if language not in without}


def untranslated(name: str, language: str, words: Path = WORDS) -> Iterator[tuple[Path, str]]:
    """Untranslated entries: file, and clause, sentence or key. A page word may legitimately equal the English."""
    if language == ENGLISH:
        return
    wanted = words_of(name, language)
    own = {key for _, key in wanted.sentences} | set(wanted.clauses)
    for book in (name, PROBLEMS):
        untranslated = (entry for entry in _book(book, language, words) if not entry.translated())
        keys = (entry.msgctxt or entry.msgid for entry in untranslated)
        yield from ((_path(book, language, words), key) for key in keys if key in own)
    for folder, english in wanted.lines.items():
        path = _lines(folder, language, words)
        known = _read(path)
        yield from ((path, key) for key, text in english.items() if known.get(key) == text)


def sentences_of(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Every sentence in a game's source with its catalogue and plural form; raised ones belong to the common
    problems."""
    for path in sorted((Path(rules.games.__file__).parent / name).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        raised = {inner for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCE_MAKERS:
                given = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
                given = given[SENTENCE_MAKERS[node.func.id] :]
                if given and isinstance(given[0], str):
                    many = given[1] if len(given) > 1 and node.func.id == "say" else None
                    book = PROBLEMS if node in raised else name
                    yield book, given[0], many if isinstance(many, str) else None


def _write(name: str, language: str, words: Path) -> int:
    missing, known = missing_texts(name, language, words), _translated(language, words)
    for where in (name, PROBLEMS):
        stubs = [_stub(key, many) for (book, key), many in missing.sentences.items() if book == where]
        if where == name:
            stubs += [polib.POEntry(msgctxt=clause, msgid=text) for clause, text in missing.clauses.items()]
        for stub in stubs:
            if stub.msgid in known and not stub.msgid_plural:
                stub.msgstr = known[stub.msgid]
        if stubs:
            _append(where, language, words, stubs)
    for folder, lines in missing.lines.items():
        if lines:
            path = _lines(folder, language, words)
            path.write_text(json.dumps(_read(path) | lines, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return len(missing.clauses) + len(missing.sentences) + sum(map(len, missing.lines.values()))


def _translated(language: str, words: Path) -> dict[str, str]:
    """Translations by English text, over all games."""
    books = sorted((words / "rules" / language).glob("*.po"))
    return {entry.msgid: entry.msgstr for book in books for entry in polib.pofile(str(book)) if entry.msgstr}


def _append(name: str, language: str, words: Path, stubs: list[polib.POEntry]) -> None:
    """Appends to a catalogue without reformatting it; a new file gets a header."""
    path = _path(name, language, words)
    if not path.exists():
        head = polib.POFile()
        plural = {"Plural-Forms": _book(COMMON, language, words).metadata["Plural-Forms"]}
        head.metadata = {"Project-Id-Version": "piecepack-companion", "Language": language, **HEAD, **plural}
        path.write_text(f"{head}\n", encoding="utf-8")
    told = "\n".join(stub.__unicode__(wrapwidth=119) for stub in stubs)
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + f"\n\n{told}", encoding="utf-8")


def _stub(key: str, many: str | None) -> polib.POEntry:
    if many is None:
        return polib.POEntry(msgid=key)
    return polib.POEntry(msgid=key, msgid_plural=many, msgstr_plural={0: "", 1: ""})


def _lines(folder: str, language: str, words: Path) -> Path:
    return words / folder / f"{language}.json"


def _path(name: str, language: str, words: Path) -> Path:
    return words / "rules" / language / f"{name}.po"


def _book(name: str, language: str, words: Path) -> polib.POFile:
    path = _path(name, language, words)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def _read(path: Path) -> dict[str, str]:
    """Empty for English options, which have no file."""
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found
