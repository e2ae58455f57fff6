"""What the rules and the referee say, in other languages. They speak English, whole sentences with the facts in them,
and the rulebooks are English too. `words/rules/LANGUAGE` has every clause, and a pattern for every sentence: `{}` is
where a fact stands, `{0}` where it goes. The page finds the pattern that a sentence fits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rules.engine.action import Verb
from rules.engine.rulebook import clauses_of
from rules.games import available, game

WORDS = Path(__file__).parent / "words"
ENGLISH = "en"
COMMON = "common"
NOTATION = "notation"
"""What may be wrong with the file of a saved game."""
_GAP = re.compile(r"\{(\w*)((?::\w+)?)\}")
"""A gap, and of what kind its fact is (`{0:suit}`): the page tells the codes in actions by it."""


def languages() -> list[str]:
    return sorted(path.stem for path in WORDS.glob("*.json"))


@cache
def phrasebook(language: str, game_id: str) -> dict[str, dict[str, str]]:
    """`clauses` by id, and `sentences` by their English pattern; `common` has what every game says,
    `notation` what is said of files. LookupError for what there is not."""
    if language not in languages() or game_id not in (COMMON, NOTATION, *available()):
        raise LookupError(f"there is no phrasebook of {game_id[:30]!r} in {language[:10]!r}")
    if game_id == COMMON:
        return {"clauses": {}, "sentences": _sentences(language, COMMON)}
    if game_id == NOTATION:
        return {"clauses": {}, "sentences": _sentences(language, COMMON) | _sentences(language, NOTATION)}
    if language == ENGLISH:
        return {"clauses": clauses_of(game_id), "sentences": {}}
    shared = _actions(language, game_id) | _sentences(language, COMMON)
    return {"clauses": written(language, game_id)["clauses"], "sentences": shared | _sentences(language, game_id)}


def _sentences(language: str, name: str) -> dict[str, str]:
    return {} if language == ENGLISH else written(language, name)["sentences"]


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
