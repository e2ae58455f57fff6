"""Dice in an action: S0+M5 says that the suns die shows a null and the moons die a 5. Values may also be given by their
letters or words (Sn, Mace) or, where the suits are known, alone (0+5), as games wrote them before they had one form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from rules.pieces import RANKS, Rank, Suit, parse_rank, parse_suit

Dice = tuple[tuple[Suit, Rank], ...]


def write_dice(dice: Iterable[tuple[Suit, Rank]]) -> str:
    return "+".join(suit.letter + rank.digit for suit, rank in dice)


def read_die(text: str) -> tuple[Suit, Rank]:
    """ValueError where it is no die."""
    return parse_suit(text[:1]), parse_rank(text[1:])


def read_dice(text: str) -> Dice:
    """ValueError where a part is no die."""
    return tuple(read_die(part) for part in text.split("+"))


def dice_of(suits: Sequence[Suit], text: str) -> Dice | None:
    """What the dice of these suits show, in this order; only their values may be given, 3+5. None for anything else."""
    parts = text.split("+")
    if len(parts) == len(suits) and all(part.isdecimal() for part in parts):
        parts = [suit.letter + part for suit, part in zip(suits, parts, strict=True)]
    try:
        dice = tuple(read_die(part) for part in parts)
    except ValueError:
        return None
    return dice if [suit for suit, _ in dice] == list(suits) else None


def all_throws(suits: Sequence[Suit]) -> Iterator[str]:
    """Every way in which these dice may fall."""
    for ranks in product(RANKS, repeat=len(suits)):
        yield write_dice(zip(suits, ranks, strict=True))
