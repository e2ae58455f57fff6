"""Positions and values of simulated dice, which change only by a throw."""

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
_APART = 0.75  # a die is half a space wide; nearer dice would overlap
_GAP = 0.15  # least distance to other pieces
_ROLLS = 0.4  # least distance from the place before the throw
_TRIES = 40


@dataclass(frozen=True, slots=True)
class _DiePose:
    x: float
    y: float
    rank: Rank
    suit: Suit | None


class RolledDice:
    def __init__(self, rng: random.Random, reach: float = _REACH) -> None:
        """`reach`: the greatest distance of a die from its layout position, in spaces."""
        self._rng, self._reach = rng, reach
        self._thrown: dict[Suit | None, Rank | None] = {}
        self._poses: dict[str, _DiePose] = {}
        self._before: dict[str, _DiePose] = {}
        self._sheets: set[tuple[float, float]] = set()

    def throw(self, die: Piece) -> None:
        """Sets the die's value until its next throw."""
        self._before = dict(self._poses)
        self._poses = {key: pose for key, pose in self._poses.items() if pose.suit is not die.suit}
        self._thrown[die.suit] = die.rank

    def throw_all(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if effect.kind is EffectKind.ROLL and effect.piece:
                self.throw(effect.piece)

    def with_dice(self, layout: Layout) -> Layout:
        """The layout with its dice at their resting places."""
        pieces = [placed for placed in layout if placed.piece.kind not in (Kind.DIE, Kind.TILE, Kind.CARD)]
        sheets = {(p.x, p.y) for p in layout if p.piece.kind in (Kind.TILE, Kind.CARD) and p.zone is Zone.BOARD}
        new, self._sheets = sheets - self._sheets, sheets
        self._poses = {key: pose for key, pose in self._poses.items() if not _is_covered(pose, new)}
        return replace(layout, pieces=tuple(self._place(placed, pieces) for placed in layout.pieces))

    def _place(self, placed: Placed, pieces: Sequence[Placed]) -> Placed:
        if placed.piece.kind is not Kind.DIE:
            return placed
        pose = self._poses.get(placed.key)
        if pose is None or placed.piece.rank not in (None, pose.rank):
            pose = self._drop(placed, pieces)
        elif _clearance(pose.x, pose.y, pieces) < 0:
            x, y = self._find_spot(placed, pieces)  # a piece was placed there and pushed the die away
            pose = replace(pose, x=x, y=y)
        self._poses[placed.key] = pose
        return replace(placed, x=pose.x, y=pose.y, piece=replace(placed.piece, rank=pose.rank))

    def _drop(self, placed: Placed, pieces: Sequence[Placed]) -> _DiePose:
        suit = placed.piece.suit
        known = placed.piece.rank if placed.piece.rank is not None else self._thrown.get(suit)
        rank = known if known is not None else self._rng.choice(RANKS)
        x, y = self._find_spot(placed, pieces)
        return _DiePose(x, y, rank, suit)

    def _find_spot(self, placed: Placed, pieces: Sequence[Placed]) -> tuple[float, float]:
        """A random spot near the layout position, clear of other pieces; farther away where there is no room."""
        others = [(pose.x, pose.y, _APART) for key, pose in self._poses.items() if key != placed.key]
        if placed.key in self._before:
            others.append((self._before[placed.key].x, self._before[placed.key].y, _ROLLS))
        best, best_clearance = (placed.x, placed.y), -math.inf
        for number in range(_TRIES):
            reach = self._reach * (1 + number / 10)
            x, y = (at + self._rng.uniform(-reach, reach) for at in (placed.x, placed.y))
            clearance = min([_clearance(x, y, pieces), *(math.hypot(x - a, y - b) - apart for a, b, apart in others)])
            if clearance > best_clearance:
                best, best_clearance = (x, y), clearance
            if clearance >= 0:
                break
        return best


def _is_covered(pose: _DiePose, sheets: Iterable[tuple[float, float]]) -> bool:
    """Whether a tile or card was placed there, so that the die was lifted and put back."""
    reach = half_extent(Piece(Kind.TILE))
    return any(max(abs(x - pose.x), abs(y - pose.y)) < reach for x, y in sheets)


def _clearance(x: float, y: float, pieces: Iterable[Placed]) -> float:
    """Distance of a die's edge from the nearest piece; negative where they overlap."""
    half = half_extent(Piece(Kind.DIE))
    gaps = (math.hypot(x - p.x, y - p.y) - half - half_extent(p.piece) - _GAP for p in pieces)
    return min(gaps, default=math.inf)
