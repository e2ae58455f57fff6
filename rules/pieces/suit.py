"""The four suits, in their order of priority (PP-2)."""

from __future__ import annotations

from enum import StrEnum

from rules.sentence import InputError, Sentence, say


class Suit(StrEnum):
    __hash__ = str.__hash__

    SUNS = "suns"
    MOONS = "moons"
    CROWNS = "crowns"
    ARMS = "arms"

    @property
    def letter(self) -> str:
        return self[0].upper()

    @property
    def term(self) -> Sentence:
        return Sentence(self.value)


SUITS: tuple[Suit, ...] = tuple(Suit)
"""The first has the highest priority (PP-2.5)."""

_NAMES = {
    **dict.fromkeys(("suns", "sun", "s", "red"), Suit.SUNS),
    **dict.fromkeys(("moons", "moon", "m", "black"), Suit.MOONS),
    **dict.fromkeys(("crowns", "crown", "c", "green", "yellow"), Suit.CROWNS),
    **dict.fromkeys(("arms", "arm", "a", "anchor", "anchors", "shield", "shields", "blue"), Suit.ARMS),
}


def parse_suit(text: str) -> Suit:
    """The suit of a word, letter or colour (PP-2.6, PP-2.7)."""
    try:
        return _NAMES[text.strip().lower()]
    except KeyError:
        raise InputError(say("no suit is called “{suit}”; use suns, moons, crowns or arms", suit=text)) from None
