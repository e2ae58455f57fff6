"""The deed of throwing several dice at once, which is alike in all games."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from rules.engine.action import Action
from rules.engine.deed import Deed
from rules.engine.dice import Dice, all_throws, dice_of, write_dice
from rules.engine.refusal import Refusal
from rules.pieces import RANKS, Kind, Suit
from rules.table.change import Change

S = TypeVar("S")


class ThrowDeed(Deed[S]):
    """Its one argument says what the dice show."""

    @abstractmethod
    def dice(self, state: S) -> tuple[Suit, ...]:
        """The dice that are thrown now, in the order in which the action names them."""

    @abstractmethod
    def unreadable(self, state: S, action: Action) -> Refusal:
        """Why the argument is no throw of these dice."""

    def legal(self, state: S) -> Iterable[Action]:
        return _all_actions(self.verb.name, self.dice(state))

    def sample(self, state: S, rng: random.Random) -> Action | None:
        return Action(self.verb.name, (write_dice((suit, rng.choice(RANKS)) for suit in self.dice(state)),))

    def check(self, state: S, action: Action) -> Refusal | None:
        return None if dice_of(self.dice(state), action[0]) is not None else self.unreadable(state, action)

    def thrown(self, state: S, action: Action) -> Dice:
        """What the dice of a legal throw show."""
        dice = dice_of(self.dice(state), action[0])
        assert dice is not None, "only legal actions are applied"
        return dice


@lru_cache(maxsize=64)
def _all_actions(verb: str, suits: tuple[Suit, ...]) -> tuple[Action, ...]:
    return tuple(Action(verb, (throw,)) for throw in all_throws(suits))


def throw_seen(change: Change, suits: Sequence[Suit]) -> str | None:
    """The throw of the dice of these suits, if the change shows the value of every one of them."""
    dice = [placed.piece for placed in change.placed if placed.piece.kind is Kind.DIE]
    tops = {die.suit: die.rank for die in dice if die.rank is not None}
    return write_dice((suit, tops[suit]) for suit in suits) if suits and tops.keys() >= set(suits) else None


def example_of(suits: tuple[Suit, ...]) -> str:
    """How a throw of up to four dice is written."""
    return "+".join(f"{suit.letter}{number}" for suit, number in zip(suits, "3524", strict=False))
