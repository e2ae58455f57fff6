"""The four dice as people write them: S1+M0+C3+A5."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from rules.engine import Action
from rules.games.san_andreas.opening import Dice
from rules.pieces import RANKS, SUITS, Rank


def roll_action(dice: tuple[Rank | None, ...]) -> Action:
    tops = zip(SUITS, dice, strict=True)
    return Action("roll", ("+".join(f"{suit.letter}{int(top or 0)}" for suit, top in tops),))


@cache
def all_rolls() -> tuple[Action, ...]:
    return tuple(roll_action(dice) for dice in product(RANKS, repeat=4))


_ROLL = re.compile(r"S([0-5])\+M([0-5])\+C([0-5])\+A([0-5])\Z")


def dice_of(text: str) -> Dice | None:
    """S1+M0+C3+A5, in the order of the suits; None for anything else."""
    match = _ROLL.match(text)
    if match is None:
        return None
    suns, moons, crowns, arms = (Rank(int(top)) for top in match.groups())
    return suns, moons, crowns, arms
