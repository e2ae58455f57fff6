"""What the rules and the referee say, in other languages: sentences with named facts, and rulebooks.

`words/rules/LANGUAGE` is a gettext catalogue, a file for each game, `common` for what all of them say, and
`problems`. A sentence stands there under its English template; a clause of a rulebook besides under its number, and a
form of a phrase that another sentence asks for (`{piece:acc}`) under the name of the form. The page gets them compiled
and looks them up as they are.
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
"""What may be wrong with what was asked for: told seldom, so that a phone fetches it when it is needed."""
FORM = "\x04"
"""Between the name of a form and its phrase, as gettext has it."""
COUNTED = 200
_CLAUSE = re.compile(r"[A-Z]{2,5}-[A-Z]?\d")
_PLURAL = re.compile(r"plural=(.*?);?\s*\Z")
Said = dict[str, str | list[str]]


class Book(TypedDict):
    """`clauses` by id, `said`: sentences by their English template; a list has a form for each number, and `plural`
    says which."""

    clauses: dict[str, str]
    said: Said
    plural: str


def languages() -> list[str]:
    """Those that there are catalogues for: whoever adds the files adds the language."""
    return sorted(path.stem for path in WORDS.glob("*.json"))


def language_names() -> dict[str, str]:
    """As those who speak them call them."""
    files = {language: (WORDS / f"{language}.json").read_text(encoding="utf-8") for language in languages()}
    return {language: json.loads(text)["language.name"] for language, text in files.items()}


@cache
def phrasebook(language: str, game_id: str) -> Book:
    """`common` has what every game says. LookupError for what there is not."""
    if language not in languages() or game_id not in (COMMON, PROBLEMS, *available()):
        raise LookupError(f"there is no phrasebook of {game_id[:30]!r} in {language[:10]!r}")
    if language == ENGLISH:
        return {"clauses": clauses_of(game_id) if game_id in available() else {}, "said": {}, "plural": ""}
    common, special = catalogue(language, COMMON), catalogue(language, game_id)
    return {
        "clauses": {entry.msgctxt: entry.msgstr for entry in special if is_clause(entry)},
        "said": said(common) | said(special),
        "plural": _plural(common),
    }


@cache
def catalogue(language: str, name: str) -> polib.POFile:
    path = WORDS / "rules" / language / f"{name}.po"
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def is_clause(entry: polib.POEntry) -> bool:
    return entry.msgctxt is not None and _CLAUSE.match(entry.msgctxt) is not None


def said(entries: polib.POFile) -> Said:
    """The sentences that have words, and the forms of phrases."""
    told = (entry for entry in entries if entry.translated() and not is_clause(entry))
    return {f"{entry.msgctxt}{FORM}{entry.msgid}" if entry.msgctxt else entry.msgid: _words(entry) for entry in told}


def _words(entry: polib.POEntry) -> str | list[str]:
    return [words for _, words in sorted(entry.msgstr_plural.items())] if entry.msgid_plural else entry.msgstr


def _plural(entries: polib.POFile) -> str:
    """Which form belongs to which number, a digit for each; from 100 on it goes round and round."""
    rule = _PLURAL.search(entries.metadata["Plural-Forms"])
    assert rule is not None
    form = c2py(rule[1])
    return "".join(str(form(number)) for number in range(COUNTED))
