"""Dice in an action: in S0+M5 the suns die shows a null and the moons die a 5. Values are also read as letters or words
(Sn, Mace) or, where the suits are known, alone (0+5): the forms of earlier records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from rules.pieces import RANKS, Rank, Suit, parse_rank, parse_suit

Dice = tuple[tuple[Suit, Rank], ...]


def write_dice(dice: Iterable[tuple[Suit, Rank]]) -> str:
    return "+".join(suit.letter + rank.digit for suit, rank in dice)


def read_die(text: str) -> tuple[Suit, Rank]:
    """ValueError where the text is no die."""
    return parse_suit(text[:1]), parse_rank(text[1:])


def read_dice(text: str) -> Dice:
    """ValueError where a part is no die."""
    return tuple(read_die(part) for part in text.split("+"))


def dice_of(suits: Sequence[Suit], text: str) -> Dice | None:
    """The values of the dice of these suits, in this order; the suits may be omitted: 3+5. None for any other text."""
    parts = text.split("+")
    if len(parts) == len(suits) and all(part.isdecimal() for part in parts):
        parts = [suit.letter + part for suit, part in zip(suits, parts, strict=True)]
    try:
        dice = tuple(read_die(part) for part in parts)
    except ValueError:
        return None
    return dice if [suit for suit, _ in dice] == list(suits) else None


def all_throws(suits: Sequence[Suit]) -> Iterator[str]:
    """The texts of all results of these dice."""
    for ranks in product(RANKS, repeat=len(suits)):
        yield write_dice(zip(suits, ranks, strict=True))
