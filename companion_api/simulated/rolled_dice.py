"""How simulated dice lie: they change their place, and what they show, only when they are thrown."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.engine.effects import Effect, EffectKind
from rules.pieces import RANKS, Kind, Piece, Rank, Suit
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Placed, Zone

_REACH = 1.2
_APART = 0.75  # a die is half a space wide; nearer ones would lie on each other
_GAP = 0.15  # people lay nothing on a die, and throw none where something lies
_ROLLS = 0.4  # what is thrown does not come to rest where it lay
_TRIES = 40


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
        self._before: dict[str, _Lies] = {}
        self._sheets: set[tuple[float, float]] = set()

    def throw(self, die: Piece) -> None:
        """It shows what was thrown, until it is thrown again."""
        self._before = dict(self._lie)
        self._lie = {key: lies for key, lies in self._lie.items() if lies.suit is not die.suit}
        self._thrown[die.suit] = die.rank

    def throw_all(self, effects: Iterable[Effect]) -> None:
        """Every die that an action rolled."""
        for effect in effects:
            if effect.kind is EffectKind.ROLL and effect.piece:
                self.throw(effect.piece)

    def laid(self, layout: Layout) -> Layout:
        """The layout with its dice where they lie; every other piece as it is."""
        things = [placed for placed in layout if placed.piece.kind not in (Kind.DIE, Kind.TILE, Kind.CARD)]
        sheets = {(p.x, p.y) for p in layout if p.piece.kind in (Kind.TILE, Kind.CARD) and p.zone is Zone.BOARD}
        new, self._sheets = sheets - self._sheets, sheets
        self._lie = {key: lies for key, lies in self._lie.items() if not _is_under(lies, new)}
        return replace(layout, pieces=tuple(self._lay(placed, things) for placed in layout.pieces))

    def _lay(self, placed: Placed, things: Sequence[Placed]) -> Placed:
        if placed.piece.kind is not Kind.DIE:
            return placed
        lies = self._lie.get(placed.key)
        if lies is None or placed.piece.rank not in (None, lies.rank):
            lies = self._fallen(placed, things)
        elif _room(lies.x, lies.y, things) < 0:
            x, y = self._spot(placed, things)  # something was laid there, and the die pushed out of its way
            lies = replace(lies, x=x, y=y)
        self._lie[placed.key] = lies
        return placed._replace(x=lies.x, y=lies.y, piece=replace(placed.piece, rank=lies.rank))

    def _fallen(self, placed: Placed, things: Sequence[Placed]) -> _Lies:
        suit = placed.piece.suit
        known = placed.piece.rank if placed.piece.rank is not None else self._thrown.get(suit)
        rank = known if known is not None else self._rng.choice(RANKS)
        x, y = self._spot(placed, things)
        return _Lies(x, y, rank, suit)

    def _spot(self, placed: Placed, things: Sequence[Placed]) -> tuple[float, float]:
        """Near where it belongs and not where anything else lies; farther off where there is no room."""
        others = [(lies.x, lies.y, _APART) for key, lies in self._lie.items() if key != placed.key]
        if placed.key in self._before:
            others.append((self._before[placed.key].x, self._before[placed.key].y, _ROLLS))
        best, most = (placed.x, placed.y), -math.inf
        for number in range(_TRIES):
            reach = self._reach * (1 + number / 10)
            x, y = (at + self._rng.uniform(-reach, reach) for at in (placed.x, placed.y))
            room = min([_room(x, y, things), *(math.hypot(x - a, y - b) - apart for a, b, apart in others)])
            if room > most:
                best, most = (x, y), room
            if room >= 0:
                break
        return best


def _is_under(lies: _Lies, sheets: Iterable[tuple[float, float]]) -> bool:
    """Whether somebody laid a tile or a card just there: the die was taken up and put down where it belongs."""
    reach = half_extent(Piece(Kind.TILE))
    return any(max(abs(x - lies.x), abs(y - lies.y)) < reach for x, y in sheets)


def _room(x: float, y: float, things: Iterable[Placed]) -> float:
    """How far a die there is from the nearest thing, less than nothing where one would lie on the other."""
    half = half_extent(Piece(Kind.DIE))
    gaps = (math.hypot(x - p.x, y - p.y) - half - half_extent(p.piece) - _GAP for p in things)
    return min(gaps, default=math.inf)
