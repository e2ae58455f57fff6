"""The rulebook of a game: `rulebook.md` in its folder, with clauses like **DODG-4.1**."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_CLAUSE = re.compile(r"\*\*([A-Z]+-[A-Z]?\d+(?:\.\d+)*[a-z]?)\*\*")


@cache
def text_of(game_id: str) -> str:
    return files("rules.games").joinpath(game_id, "rulebook.md").read_text(encoding="utf-8")


@cache
def clauses_of(game_id: str) -> dict[str, str]:
    """Text of each clause by id: from the bold id to the next one, a heading or a blank line."""
    text = text_of(game_id)
    found = {}
    for match in _CLAUSE.finditer(text):
        rest = text[match.end() :]
        end = re.search(r"\n\s*\n|\n#|\n\s*(?:[-*]|\d+\.|\|)?\s*\*\*[A-Z]+-", rest)
        words = rest[: end.start()] if end else rest
        found[match[1]] = " ".join(words.replace("|", " ").split()).strip(" -:")
    return found
