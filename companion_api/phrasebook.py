"""What the rules and the referee say, in other languages: sentences with named facts, and rulebooks.

`words/rules/LANGUAGE` is a gettext catalogue, a file for each game and one for what all of them say. A sentence stands
there under its English template; a clause of a rulebook besides under its number, and a form of a phrase that another
sentence asks for (`{piece:acc}`) under the name of the form. The page gets them compiled and looks them up as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TypedDict

import polib

from rules.engine.action import Verb
from rules.engine.rulebook import clauses_of
from rules.games import available, game

WORDS = Path(__file__).parent / "words"
ENGLISH = "en"
COMMON = "common"
NOTATION = "notation"
"""What may be wrong with the file of a saved game."""
FORM = "\x04"
"""Between the name of a form and its phrase, as gettext has it."""
COUNTED = 200
_CLAUSE = re.compile(r"[A-Z]{2,5}-[A-Z]?\d")
_PLURAL = re.compile(r"plural=(.*?);?\s*\Z")
_GAP = re.compile(r"\{(\w*)((?::\w+)?)\}")
"""A gap, and of what kind its fact is (`{0:suit}`): the page tells the codes in actions by it."""
Said = dict[str, str | list[str]]


class Book(TypedDict):
    """`clauses` by id, `said`: sentences by their English template; a list has a form for each number, and `plural`
    says which. `sentences`: patterns for what games in the older form say."""

    clauses: dict[str, str]
    said: Said
    plural: str
    sentences: dict[str, str]


def languages() -> list[str]:
    return sorted(path.stem for path in WORDS.glob("*.json"))


@cache
def phrasebook(language: str, game_id: str) -> Book:
    """`common` has what every game says, `notation` what is said of files. LookupError for what there is not."""
    if language not in languages() or game_id not in (COMMON, NOTATION, *available()):
        raise LookupError(f"there is no phrasebook of {game_id[:30]!r} in {language[:10]!r}")
    own = game_id not in (COMMON, NOTATION)
    if language == ENGLISH:
        return {"clauses": clauses_of(game_id) if own else {}, "said": {}, "plural": "", "sentences": {}}
    common, special = catalogue(language, COMMON), catalogue(language, game_id)
    patterns = _patterns(language, COMMON) | _patterns(language, game_id)
    return {
        "clauses": {entry.msgctxt: entry.msgstr for entry in special if is_clause(entry)},
        "said": said(common) | said(special),
        "plural": _plural(common),
        "sentences": (_actions(language, game_id) if own else {}) | patterns,
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


# What games in the older form say: English sentences that the page has to find a pattern for --------------------------


def _patterns(language: str, name: str) -> dict[str, str]:
    return written(language, name)["sentences"] if _has_patterns(language, name) else {}


def _has_patterns(language: str, name: str) -> bool:
    return (WORDS / "rules" / language / f"{name}.json").exists()


def written(language: str, name: str) -> dict[str, dict[str, str]]:
    """A file of words as it stands."""
    path = WORDS / "rules" / language / f"{name}.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _actions(language: str, game_id: str) -> dict[str, str]:
    """Actions are named in sentences too, by what the game calls a verb or by their id; and what the page calls it."""
    words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    named = [(verb, words[f"act.{game_id}.{verb.name}"]) for verb in game(game_id).card.verbs]
    by_id = [_by_id(verb, words, given) for verb, words in named for given in range(1, len(verb.params) + 1)]
    return dict(by_id) | {_GAP.sub("{}", verb.text): _reordered(verb, words) for verb, words in named}


def _by_id(verb: Verb, pattern: str, given: int) -> tuple[str, str]:
    """As in `move(a1,b1)`, with so many arguments."""
    words = _GAP.sub(lambda gap: gap[0] if int(gap[1]) < given else "", pattern)
    return f"{verb.name}({','.join(['{}'] * given)})", words


def _reordered(verb: Verb, pattern: str) -> str:
    """The words for a verb count its arguments; a sentence counts its gaps. What has no gap is not told."""
    names = [param.name for param in verb.params]
    gaps: Mapping[str, int] = {gap[1]: place for place, gap in enumerate(_GAP.finditer(verb.text))}

    def gap(match: re.Match[str]) -> str:
        name = names[int(match[1])]
        return f"{{{gaps[name]}{match[2]}}}" if name in gaps else ""

    return _GAP.sub(gap, pattern)
