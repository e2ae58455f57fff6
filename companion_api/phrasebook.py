"""Sentences of the rules and the referee, and rulebooks, in other languages.

`words/rules/LANGUAGE` holds gettext catalogues: one per game, `common` for sentences of all games, and `problems`. A
sentence is keyed by its English template; a rulebook clause also by its number (msgctxt), and a grammatical form asked
for by a template (`{piece:acc}`) by the form's name. The page gets them compiled.
"""

from __future__ import annotations

import json
import re
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TypedDict

import polib

from rules.engine.rulebook import clauses_of
from rules.games import available

WORDS = Path(__file__).parent / "words"
ENGLISH = "en"
COMMON = "common"
PROBLEMS = "problems"
"""Refused requests; rarely shown, so a phone fetches them when needed."""
FORM_SEPARATOR = "\x04"
"""Separator between the name of a form and its phrase, as in gettext."""
PLURAL_PERIOD = 200
_CLAUSE = re.compile(r"[A-Z]{2,5}-[A-Z]?\d")
_PLURAL = re.compile(r"plural=(.*?);?\s*\Z")
Said = dict[str, str | list[str]]


class Book(TypedDict):
    """`clauses` by id; `said`: sentences by English template, a list where there are plural forms; `plural`: one digit
    per number below PLURAL_PERIOD, the index of its form; the sequence repeats from 100 on."""

    clauses: dict[str, str]
    said: Said
    plural: str


def languages() -> list[str]:
    """Languages with a catalogue; adding the files adds the language."""
    return sorted(path.stem for path in WORDS.glob("*.json"))


def language_names() -> dict[str, str]:
    files = {language: (WORDS / f"{language}.json").read_bytes() for language in languages()}
    return {language: json.loads(text)["language.name"] for language, text in files.items()}


@cache
def phrasebook(language: str, game_id: str) -> Book:
    """`common` has the sentences of all games. LookupError for an unknown game or language."""
    if language not in languages() or game_id not in (COMMON, PROBLEMS, *available()):
        raise LookupError(f"there is no phrasebook of {game_id[:30]!r} in {language[:10]!r}")
    if language == ENGLISH:
        return {"clauses": clauses_of(game_id) if game_id in available() else {}, "said": {}, "plural": ""}
    common, special = catalogue(language, COMMON), catalogue(language, game_id)
    rule = _PLURAL.search(common.metadata["Plural-Forms"])
    assert rule is not None
    form = c2py(rule[1])
    return {
        "clauses": {entry.msgctxt: entry.msgstr for entry in special if is_clause(entry)},
        "said": sentence_forms(common) | sentence_forms(special),
        "plural": "".join(str(form(number)) for number in range(PLURAL_PERIOD)),
    }


@cache
def catalogue(language: str, name: str) -> polib.POFile:
    path = WORDS / "rules" / language / f"{name}.po"
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def is_clause(entry: polib.POEntry) -> bool:
    return entry.msgctxt is not None and _CLAUSE.match(entry.msgctxt) is not None


def sentence_forms(entries: polib.POFile) -> Said:
    """Translated sentences and forms, without clauses."""
    found: Said = {}
    for entry in entries:
        if entry.translated() and not is_clause(entry):
            key = f"{entry.msgctxt}{FORM_SEPARATOR}{entry.msgid}" if entry.msgctxt else entry.msgid
            plural = [words for _, words in sorted(entry.msgstr_plural.items())]
            found[key] = plural if entry.msgid_plural else entry.msgstr
    return found
