"""Random games are read as people read them: no sentence counts one as many, names a seat by its number, says a word
twice, or shows how the program writes its values."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from companion_api.dialogue import Conversation
from rules.engine.playout import walk
from rules.games import available, game
from rules.notation.record import score_sheet
from rules.sentence import by_number
from tests.companion_api.sayings import heard
from tests.tiers import GAMES, few

STATES, EVERY, LISTED, SEED = 160, 4, 60, 3

SINGULAR = ["is", "has", "was", "lies", "does", "stands", "shows", "costs", "rests", "plus", "across"]
SUIT = "(?:suns|moons|crowns|arms)"
TILE = "[SMCA][na2-5]"
SLIPS = {
    "one counted as many": rf"(?<![\w./,(+-])1 (?!(?:{'|'.join(SINGULAR)})\b)[a-z]+s\b",
    "many counted as one": r"\b(?:[2-9]|\d\d+) [a-z]+s (?:has|is|was|lies|does)\b",
    "a span of one": r"\b(\d+) to \1 (?:u|\w+s)\b",
    "a seat without its name": r"(?<!\bno )\bseat \d",
    "a gap": r"  |\( | \)| [,;.](?:\s|$)|^\s|\(\)|“”",
    "a word twice": r"\b([a-z]+) \1\b",
    "an article that does not agree": r"\b[Aa] (?:ace|arms)\b|\ba [aei][a-z]{2,}\b|\ban [b-df-hj-np-tv-z][a-z]+\b",
    "several that are one": rf"\b(?:{SUIT} and {SUIT}|{TILE} and {TILE}) (?:still )?(?:has|is|was|does)\b",
    "a key": r"\b(?:value|suit|act|piece)\.[a-z?]",
    "an option by its name": r"\b[a-z]+_[a-z_]+ is\b|\boption `?[a-z_]+\b|`[a-z_]+`",
    "not a word": r"\b(?:None|True|False|nan)\b|\{\w*\}|<\w+|\['|object at|\bSuit\.|\bRank\.",
}


UNNAMED = re.compile(
    rf"\b{SUIT} (?:is to|has|have|cannot|can|may|does|moved|moves|won|wins|chose|begins|leaves|votes)\b"
)
"""A suit that does what only people do."""
CODE = re.compile(r"\b[tcd][SMCA?][0-5?na]\b|\b[SMCA][0-5na]\+[SMCA][0-5na]\b|\bthe [na]\b|\bis worth [na]$")
"""Codes of tiles, coins and dice, and values by their letters."""
QUOTED = re.compile(r"“[^”]*”|'[^']*'$")
"""What somebody wrote, as it was written."""


def slips(text: str) -> list[str]:
    text = QUOTED.sub("something", text)
    return [f"{slip}: {text}" for slip, pattern in SLIPS.items() if re.search(pattern, text)]


def test_slips_are_found() -> None:
    for text in (
        "it may slide 15 to 15 u to the north",
        "suns won with 1 points",
        "6 points has",
        "seat 0 begins",
        "moves from  a1",
        "to to b1",
        "None scores",
        "place a ace on b2",
        "it showed a arms coin",
        "an suns coin",
        "suns and moons still has to choose",
        "C2 and M4 is in the way",
        "a pawn stands on C2; move_tile_with_pawn is forbid",
        "lay the line value.? moons coin",
    ):
        assert slips(text), text
    for text in ("15 to 17 u", "suns won with 11 points", "1 is legal", "a1 to b1", "one of 1, 2 and 3 suits"):
        assert not slips(text), text


@pytest.mark.parametrize("name", few(available(), ("dodgem", "dectana")))
def test_what_is_read_in_random_games_is_well_worded(name: str) -> None:
    found = {slip for text in _read(name) for slip in slips(text)}
    assert not found, "\n".join(sorted(found)[:12])


def test_a_suit_that_acts_is_found() -> None:
    assert UNNAMED.search("the coin on b1 belongs to crowns; suns is to move")
    assert not UNNAMED.search("there is no suns coin on b1")


@pytest.mark.parametrize("name", GAMES)
def test_whoever_sits_there_is_called_by_name(name: str) -> None:
    """The suits of those who play stand for people, and people have names; the deed of a seat is told as theirs."""
    said = {
        sentence.english(lambda seat: ("Ann", "Ben", "Cem", "Eva")[seat % 4]) for sentence in heard(name, (SEED,), 30)
    }
    assert not (found := sorted(text for text in said if UNNAMED.search(text))), "\n".join(found[:8])


def _read(name: str) -> Iterator[str]:
    """What the judge answers, what stands on the score sheet, and why anything is refused."""
    judge = Conversation(game(name))
    for number, (_, action) in enumerate(islice(walk(judge.game, SEED), STATES)):
        if number % EVERY == 0:
            _told_apart(judge)
            yield from _texts([judge.answer({"legal": True})["legal"][:LISTED], judge.answer({"outcome": True})])
            numbers = re.findall(r"\bseat (\d)", judge.answer({"diagram": True})["diagram"])  # a drawing has gaps
            yield from (by_number(int(seat)) for seat in numbers if judge.seat_name(int(seat)) != by_number(int(seat)))
        answer = judge.answer({"action": action.id})
        assert answer["ok"], answer
        yield from _texts(answer)
    yield from _texts(judge.answer({"action": "pass(a1,b1,c1)"}))
    yield from (row[3] for row in csv.reader(score_sheet(judge.history).splitlines()))
    yield from (said.english(judge.seat_name) for said in heard(name, (SEED,), 12))


def _told_apart(judge: Conversation) -> None:
    """No two of the actions offered together read alike; coins, tiles, dice and values are called by their words."""
    offered = judge.answer({"legal": True})["legal"][:LISTED]
    choices = {(each["verb"], str(each["args"])): each["text"] for each in offered}  # by whom is another matter
    twice = [text for text, count in Counter(choices.values()).items() if count > 1]
    codes = [text for text in choices.values() if CODE.search(text)]
    assert not codes, codes[:4]
    assert not twice, [each["id"] for each in offered if each["text"] == twice[0]][:4] + twice[:1]


def _texts(answer: Any) -> Iterator[str]:
    """The sentences in an answer: what has a blank in it. Templates and their facts are for other languages."""
    if isinstance(answer, str) and " " in answer:
        yield answer
    elif isinstance(answer, list):
        for each in answer:
            yield from _texts(each)
    elif isinstance(answer, dict):
        for key, each in answer.items():
            if key != "said":
                yield from _texts(each)
