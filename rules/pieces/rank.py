"""The six values: null, ace, 2, 3, 4, 5 (PP-3)."""

from __future__ import annotations

from enum import IntEnum

from rules.sentence import InputError, Sentence, say


class Rank(IntEnum):
    __hash__ = int.__hash__

    NULL = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5

    @property
    def word(self) -> str:
        """The name in JSON and sentences."""
        return _WORDS[self]

    @property
    def term(self) -> Sentence:
        return Sentence(self.word)

    @property
    def letter(self) -> str:
        return _LETTERS[self]

    @property
    def digit(self) -> str:
        """The digit in actions and piece codes: 0 is the null, 1 the ace."""
        return str(int(self))


RANKS: tuple[Rank, ...] = tuple(Rank)
_WORDS = ("null", "ace", "2", "3", "4", "5")
_LETTERS = "na2345"

_NAMES: dict[str, Rank] = {
    **dict(zip(_WORDS, RANKS, strict=True)),
    **dict(zip(_LETTERS, RANKS, strict=True)),
    **{str(int(rank)): rank for rank in RANKS},
    "blank": Rank.NULL,
}


def parse_rank(text: str | int) -> Rank:
    """The value of null, ace, 2 to 5; also n, a, 0, 1 and blank."""
    try:
        return _NAMES[str(text).strip().lower()]
    except KeyError:
        raise InputError(say("no value is called “{value}”; use null, ace, 2, 3, 4 or 5", value=text)) from None
