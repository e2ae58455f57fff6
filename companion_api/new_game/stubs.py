"""What the catalogues lack of a game: listed, written into them as stubs, and which of the stubs still stand there in
English."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polib

import rules.games
from companion_api.phrasebook import COMMON, ENGLISH, PROBLEMS, WORDS, languages
from rules.engine.rulebook import clauses_of
from rules.games import game

SAYERS = {"say": 0, "PhaseText": 1}
"""What makes a sentence of a template, and which of its arguments that is."""
HEAD = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
}


@dataclass(frozen=True, slots=True)
class Words:
    """What is told of a game: clauses by number, sentences with the form for many, and words of the page and of the
    options with their English."""

    clauses: dict[str, str] = field(default_factory=dict)
    sentences: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """By the catalogue they belong to, and the sentence itself."""
    page: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.clauses) + len(self.sentences) + len(self.page) + len(self.options)


def words_of(name: str, language: str) -> Words:
    """From the rulebook, the source and the card of the game; in English only phases need words of their own."""
    card = game(name).card
    page = {f"phase.{phase}": phase.replace("_", " ") for phase in game(name).phases}
    if language == ENGLISH:
        return Words(page=page)
    page |= {f"summary.{name}": card.summary, f"needs.{name}": card.needs}
    for verb in card.verbs:
        numbers = {param.name: f"{{{number}}}" for number, param in enumerate(verb.params)}
        page[f"act.{name}.{verb.name}"] = verb.text.format(**numbers)
    options = {f"option.{name}.{spec.name}": spec.text for spec in card.options}
    choices = {choice for spec in card.options for choice in spec.choices if isinstance(choice, str)}
    options |= {f"choice.{choice}": choice.replace("_", " ") for choice in sorted(choices) if not choice.isdigit()}
    sentences = {(book, key): many for book, key, many in sentences_of(name)}
    return Words(dict(clauses_of(name)), sentences, page, options)


def lacks(name: str, language: str, words: Path = WORDS) -> Words:
    """What has no line in the catalogues of a language."""
    wanted = words_of(name, language)
    known = [entry for book in (name, COMMON, PROBLEMS) for entry in _book(book, language, words)]
    clauses = {entry.msgctxt for entry in known if entry.msgctxt}
    told = {entry.msgid for entry in known if not entry.msgctxt}
    page, options = _read(_page(language, words)), _read(_options(language, words))
    return Words(
        {clause: text for clause, text in wanted.clauses.items() if clause not in clauses},
        {(book, key): many for (book, key), many in wanted.sentences.items() if key not in told},
        {key: text for key, text in wanted.page.items() if key not in page},
        {key: text for key, text in wanted.options.items() if key not in options},
    )


def write_stubs(name: str, words: Path = WORDS) -> dict[str, int]:
    """For every language how many stubs were written: sentences and clauses, with the words that other games have for
    the same English, else without words, which are told in English until there are some; and lines of the page in
    English. Languages that the game is without get none."""
    without = game(name).card.untranslated_in
    return {language: _write(name, language, words) for language in languages() if language not in without}


def untold(name: str, language: str, words: Path = WORDS) -> Iterator[tuple[Path, str]]:
    """What still reads as in English: the file, and the clause, the sentence or the key in it. A line of the page may
    rightly read alike."""
    if language == ENGLISH:
        return
    wanted = words_of(name, language)
    own = {key for _, key in wanted.sentences} | set(wanted.clauses)
    for book in (name, PROBLEMS):
        untranslated = (entry for entry in _book(book, language, words) if not entry.translated())
        keys = (entry.msgctxt or entry.msgid for entry in untranslated)
        yield from ((_path(book, language, words), key) for key in keys if key in own)
    for path, english in ((_page(language, words), wanted.page), (_options(language, words), wanted.options)):
        lines = _read(path)
        yield from ((path, key) for key, text in english.items() if lines.get(key) == text)


def sentences_of(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Every sentence in a game's source with its catalogue and, where it has one, its form for many. What is raised
    stands with the problems of all games."""
    for path in sorted((Path(rules.games.__file__).parent / name).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        raised = {inner for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYERS:
                given = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
                given = given[SAYERS[node.func.id] :]
                if given and isinstance(given[0], str):
                    many = given[1] if len(given) > 1 and node.func.id == "say" else None
                    book = PROBLEMS if node in raised else name
                    yield book, given[0], many if isinstance(many, str) else None


def _write(name: str, language: str, words: Path) -> int:
    lack, known = lacks(name, language, words), _translated(language, words)
    for where in (name, PROBLEMS):
        stubs = [_stub(key, many) for (book, key), many in lack.sentences.items() if book == where]
        if where == name:
            stubs += [polib.POEntry(msgctxt=clause, msgid=text) for clause, text in lack.clauses.items()]
        for stub in stubs:
            if stub.msgid in known and not stub.msgid_plural:
                stub.msgstr = known[stub.msgid]
        if stubs:
            _append(where, language, words, stubs)
    _add(_page(language, words), lack.page)
    _add(_options(language, words), lack.options)
    return lack.count


def _translated(language: str, words: Path) -> dict[str, str]:
    """What is said in some game already, a clause as well as a sentence, by its English."""
    books = sorted((words / "rules" / language).glob("*.po"))
    return {entry.msgid: entry.msgstr for book in books for entry in polib.pofile(str(book)) if entry.msgstr}


def _append(name: str, language: str, words: Path, stubs: list[polib.POEntry]) -> None:
    """At the end of the catalogue, which keeps its lines as they are; a new one gets a head."""
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


def _page(language: str, words: Path) -> Path:
    return words / f"{language}.json"


def _options(language: str, words: Path) -> Path:
    return words / "options" / f"{language}.json"


def _path(name: str, language: str, words: Path) -> Path:
    return words / "rules" / language / f"{name}.po"


def _book(name: str, language: str, words: Path) -> polib.POFile:
    path = _path(name, language, words)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def _read(path: Path) -> dict[str, str]:
    """English has no file of options."""
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _add(path: Path, lines: dict[str, str]) -> None:
    if lines:
        path.write_text(json.dumps(_read(path) | lines, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
