"""How simulated dice lie: they change their place, and what they show, only when they are thrown."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.effects import Effect, EffectKind
from rules.pieces import RANKS, Kind, Piece, Rank, Suit
from rules.table.layout import Layout, Placed

_REACH = 1.2
_APART = 0.75  # a die is half a space wide; nearer ones would lie on each other
_TRIES = 20


@dataclass(frozen=True, slots=True)
class _Lies:
    x: float
    y: float
    rank: Rank
    suit: Suit | None


class RolledDice:
    def __init__(self, rng: random.Random, reach: float = _REACH) -> None:
        """`reach`: so far a die may roll from where the layout has it."""
        self._rng, self._reach = rng, reach
        self._thrown: dict[Suit | None, Rank | None] = {}
        self._lie: dict[str, _Lies] = {}

    def throw(self, die: Piece) -> None:
        """It shows what was thrown, until it is thrown again."""
        self._lie = {key: lies for key, lies in self._lie.items() if lies.suit is not die.suit}
        self._thrown[die.suit] = die.rank

    def throw_all(self, effects: Iterable[Effect]) -> None:
        """Every die that an action rolled."""
        for effect in effects:
            if effect.kind is EffectKind.ROLL and effect.piece:
                self.throw(effect.piece)

    def lay(self, placed: Placed) -> Placed:
        """A die where it lies; every other piece as it is."""
        if placed.piece.kind is not Kind.DIE:
            return placed
        lies = self._lie.get(placed.key)
        if lies is None or placed.piece.rank not in (None, lies.rank):
            lies = self._lie[placed.key] = self._fallen(placed)
        return replace(placed, x=lies.x, y=lies.y, piece=replace(placed.piece, rank=lies.rank))

    def laid(self, layout: Layout) -> Layout:
        return replace(layout, pieces=tuple(self.lay(placed) for placed in layout.pieces))

    def _fallen(self, placed: Placed) -> _Lies:
        suit = placed.piece.suit
        known = placed.piece.rank if placed.piece.rank is not None else self._thrown.get(suit)
        rank = known if known is not None else self._rng.choice(RANKS)
        x, y = self._spot(placed)
        return _Lies(x, y, rank, suit)

    def _spot(self, placed: Placed) -> tuple[float, float]:
        """Near where it belongs, and not where another die lies."""
        others = [(lies.x, lies.y) for lies in self._lie.values()]
        for _ in range(_TRIES):
            x, y = (at + self._rng.uniform(-self._reach, self._reach) for at in (placed.x, placed.y))
            if all(math.hypot(x - other_x, y - other_y) > _APART for other_x, other_y in others):
                break
        return x, y
