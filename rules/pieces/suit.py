"""The four suits, in their order of priority (PP-2)."""

from __future__ import annotations

from enum import StrEnum

from rules.sentence import SaidError, Sentence, say


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

_OTHER_NAMES = {
    "sun": Suit.SUNS,
    "s": Suit.SUNS,
    "red": Suit.SUNS,
    "moon": Suit.MOONS,
    "m": Suit.MOONS,
    "black": Suit.MOONS,
    "crown": Suit.CROWNS,
    "c": Suit.CROWNS,
    "green": Suit.CROWNS,
    "yellow": Suit.CROWNS,
    "arm": Suit.ARMS,
    "a": Suit.ARMS,
    "anchor": Suit.ARMS,
    "anchors": Suit.ARMS,
    "shield": Suit.ARMS,
    "shields": Suit.ARMS,
    "blue": Suit.ARMS,
}


def parse_suit(text: str) -> Suit:
    """Any usual name of a suit: its word, its letter or its colour (PP-2.6, PP-2.7)."""
    word = text.strip().lower()
    if word in _OTHER_NAMES:
        return _OTHER_NAMES[word]
    try:
        return Suit(word)
    except ValueError:
        raise SaidError(say("no suit is called “{suit}”; use suns, moons, crowns or arms", suit=text)) from None
