"""State, checks, reading and layout shared by games of two armies, each of two suits, on a board of squares.

A game gives the clauses of its own rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.engine.coin_steps import no_such_space, not_yours
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.fields import masks_by_suit, one_of, refuse_unknown
from rules.engine.refusal import Code, Refusal
from rules.pieces import SUITS, Face, Suit, coin
from rules.sentence import say
from rules.table.build import LayoutBuilder, square_names
from rules.table.layout import Zone

LEADERS = (Suit.SUNS, Suit.CROWNS)
"""The suit that names each seat: seat 0 has suns and moons, seat 1 crowns and arms."""
Coins = tuple[int, int, int, int]
"""The places of the coins, as bit masks in the order of the suits."""


@dataclass(frozen=True, slots=True)
class ArmyState:
    """State of such a game. The first two sets of `coins` are seat 0's."""

    options: object
    coins: Coins
    to_act: int = 0

    def army(self, seat: int) -> int:
        return self.coins[2 * seat] | self.coins[2 * seat + 1]

    @property
    def board(self) -> int:
        """All places with a coin."""
        suns, moons, crowns, arms = self.coins
        return suns | moons | crowns | arms


@dataclass(frozen=True)
class ArmyBoard:
    game: str
    files: int
    ranks: int
    corner: float
    """The x and y of a1 in the layout, in spaces."""
    own_coin: str
    """The clause cited for a coin of the opponent."""
    has_coin: str
    """The clause cited for a place without a coin."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every bit of a mask: a1, b1, ... then a2."""
        return square_names(self.files, self.ranks)

    @cached_property
    def bit(self) -> dict[str, int]:
        return {name: 1 << number for number, name in enumerate(self.names)}

    def at(self, name: str) -> tuple[float, float]:
        return ord(name[0]) - ord("a") + self.corner, int(name[1]) - 1 + self.corner

    def coins(self, suns: str, moons: str, crowns: str, arms: str) -> Coins:
        """The masks of the suits from names of places separated by blanks."""
        return self._mask(suns), self._mask(moons), self._mask(crowns), self._mask(arms)

    def _mask(self, names: str) -> int:
        return sum(self.bit[name] for name in names.split())

    def parse_places(self, text: str) -> tuple[str, ...]:
        """The places of "a1-a3", "a1xa3" or "a1 a3"; empty where one of them does not exist."""
        names = tuple(text.replace("-", " ").replace("x", " ").split())
        return names if all(name in self.bit for name in names) else ()

    def suit_on(self, state: ArmyState, place: str) -> Suit:
        return next(suit for suit, mask in zip(SUITS, state.coins, strict=True) if mask & self.bit[place])

    def spot(self, name: str) -> Spot:
        return Spot(name, *self.at(name))

    def moved(self, state: ArmyState, source: str, target: str, clause: str) -> Effect:
        """The MOVE of an own coin to another place."""
        suit = self.suit_on(state, source)
        ends = self.spot(source), self.spot(target)
        return Effect(EffectKind.MOVE, coin(suit), f"{suit}@{source}", *ends, state.to_act, clause=clause)

    def removed(self, state: ArmyState, place: str, clause: str) -> Effect:
        """The REMOVE of a coin, which goes to the opponent of its owner."""
        suit = self.suit_on(state, place)
        owner = SUITS.index(suit) // 2
        ends = self.spot(place), Spot(zone=Zone.SPENT, seat=1 - owner)
        return Effect(EffectKind.REMOVE, coin(suit), f"{suit}@{place}", *ends, state.to_act, owner, clause=clause)

    def no_such_space(self, place: str, clause: str) -> Refusal | None:
        return no_such_space(self.names, place, clause)

    def coins_after(self, coins: Coins, source: str, target: str, gone: int = 0) -> Coins:
        """The coins after one has gone to an empty place or to one of those on the mask `gone`, which are taken."""
        start, end = self.bit[source], self.bit[target]
        suns, moons, crowns, arms = (mask ^ (start | end) if mask & start else mask & ~gone for mask in coins)
        return suns, moons, crowns, arms

    def not_own(self, state: ArmyState, place: str) -> Refusal | None:
        """The refusal of a place without an own coin."""
        if state.army(state.to_act) & self.bit[place]:
            return None
        if state.army(1 - state.to_act) & self.bit[place]:
            return not_yours(place, 1 - state.to_act, LEADERS[1 - state.to_act], self.own_coin)
        return Refusal(Code.EMPTY, self.has_coin, say("there is no coin on {place}", place=place), {"place": place})

    def lay_coins(self, build: LayoutBuilder, state: ArmyState, at_first: Coins) -> None:
        """Adds the coins on the board, and beside each player the coins that player captured."""
        for number, (suit, mask, first) in enumerate(zip(SUITS, state.coins, at_first, strict=True)):
            for name, bit in self.bit.items():
                if mask & bit:
                    build.put(coin(suit), *self.at(name), key=f"{suit}@{name}", face=Face.BACK, place=name)
            for index in range(first.bit_count() - mask.bit_count()):
                build.aside(Zone.SPENT, coin(suit), key=f"{suit}-taken{index}", seat=1 - number // 2, face=Face.BACK)

    def read(self, data: Mapping[str, object], at_first: Coins, *more: str) -> tuple[Coins, int]:
        """The coins and the seat to act of a described position; `more`: further fields that the game reads itself."""
        refuse_unknown(self.game, data, (*SUITS, "to_act", *more))
        given = {suit.value: data[suit] for suit in SUITS if data.get(suit) is not None}
        suns, moons, crowns, arms = masks_by_suit(given, SUITS, at_first, self.bit)
        to_act = one_of("to_act", data.get("to_act", LEADERS[0]), LEADERS)
        return (suns, moons, crowns, arms), LEADERS.index(to_act)
