"""Evidence of a picture that was never taken: it is told what lies there, and errs as often as it is made to."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.pieces import Face, Kind
from rules.pieces.sizes import half_extent
from rules.referee.exposure import exposed
from rules.referee.off_board import open_and_covered
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.table.evidence import COIN_AREA, ChangedRegion, Ground, ReferencePicture
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable


@dataclass(frozen=True, slots=True)
class PictureErrors:
    """How often a place that changed looks as before, how often one looks changed that is not, and how often nothing
    can be told of a place. Each place is drawn anew at every moment."""

    overlooked: float = 0.0
    imagined: float = 0.0
    mute: float = 0.0

    def evidence(self, truth: Layout, board: Registration, rng: random.Random) -> ToldEvidence:
        return ToldEvidence(truth, board, self, rng)


@dataclass(frozen=True, slots=True)
class BelievedAndTrue:
    """What is remembered: the layout that was believed, and what was really there."""

    layout: Layout
    truth: Layout
    ground: Ground
    """Where a board lies, if any does..."""

    @property
    def is_bare(self) -> bool:
        """... for while none does all is told as it lies on the table."""
        return not self.layout.board


class ToldEvidence:
    """`truth` is what lies there now, `board` where."""

    def __init__(self, truth: Layout, board: Registration, picture: PictureErrors, rng: random.Random) -> None:
        self._truth, self._board, self._picture, self._rng = truth, board, picture, rng

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> BelievedAndTrue:
        return BelievedAndTrue(layout, self._truth, before.ground if isinstance(before, BelievedAndTrue) else ground)

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> ToldDiff | None:
        if not isinstance(with_, BelievedAndTrue):
            return None
        frame = with_.ground if with_.is_bare else self._board
        spots = _otherwise(with_.truth, self._truth)
        noticed = [spot for spot in spots if self._rng.random() >= self._picture.overlooked]
        lying = [placed for placed, _ in exposed(self._truth)]
        noticed += [placed for placed in lying if self._rng.random() < self._picture.imagined]
        if with_.is_bare:
            noticed = [_laid_on(spot, self._board, frame) for spot in noticed]
        return ToldDiff(noticed, _on_board(table, frame), self._truth, self._picture, self._rng)


@dataclass
class ToldDiff:
    noticed: list[Placed]
    table: ObservedTable
    truth: Layout
    picture: PictureErrors
    rng: random.Random
    regions: list[ChangedRegion] = field(init=False)
    shares: float = 1.0
    """Share of each region that a piece touching it covers."""
    _said: dict[tuple[Kind, float, float], float | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sizes = [(2 * half_extent(placed.piece)) ** 2 / COIN_AREA for placed in self.noticed]
        self.regions = [ChangedRegion(p.x, p.y, size) for p, size in zip(self.noticed, sizes, strict=True)]

    @property
    def detected(self) -> ObservedTable:
        return self.table

    def changed(self, placed: Placed) -> float | None:
        key = (placed.piece.kind, placed.x, placed.y)
        if key not in self._said:
            mute = self.rng.random() < self.picture.mute
            self._said[key] = None if mute else 0.98 if self._is_noticed(placed) else 0.02
        return self._said[key]

    def region_shares(self, placed: Placed) -> Mapping[int, float]:
        return {index: self.shares for index, spot in enumerate(self.noticed) if _covers(placed, spot)}

    def _is_noticed(self, placed: Placed) -> bool:
        return any(_covers(spot, placed) or _covers(placed, spot) for spot in self.noticed)


def _covers(one: Placed, other: Placed) -> bool:
    reach = max(half_extent(one.piece), TUNING.places.same)
    return max(abs(one.x - other.x), abs(one.y - other.y)) < reach


def _otherwise(before: Layout, after: Layout) -> list[Placed]:
    """The pieces that came or went or show something else."""
    was, now = _looks(before), _looks(after)
    return [placed for look, placed in was.items() if look not in now] + [
        placed for look, placed in now.items() if look not in was
    ]


def _looks(layout: Layout) -> dict[object, Placed]:
    on_board = (placed for placed, share in exposed(layout) if share > 0.35)
    shown: Iterable[Placed] = (*on_board, *open_and_covered(p for p in layout if p.zone is not Zone.BOARD)[0])
    return {(p.shown, p.x, p.y, p.level, p.face, p.pose, p.angle if _directed(p) else 0.0): p for p in shown}


def _directed(placed: Placed) -> bool:
    return placed.piece.kind is not Kind.COIN and placed.face is not Face.BACK


def _laid_on(placed: Placed, board: Ground, frame: Ground) -> Placed:
    x, y = frame.to_board(*board.to_table(placed.x, placed.y))
    return replace(placed, x=x, y=y)


def _on_board(table: ObservedTable, board: Ground) -> ObservedTable:
    laid = (
        replace(s, x=x, y=y, angle=None if s.angle is None else s.angle - board.turn)
        for s in table.sightings
        for x, y in (board.to_board(s.x, s.y),)
    )
    return replace(table, sightings=tuple(laid))
