"""Which sighting may be which piece of a layout, in nats: the objective of the pose fit.

In a pose a piece is matched with a sighting or missed, and other sightings are strays. All is log odds against a
table without the board, on which every sighting is a stray.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rules.pieces import RANKS, SUITS, Kind
from rules.referee.exposure import HeightMap, exposed
from rules.referee.pose import Floats, Registration
from rules.referee.tuning import PoseSearchLimits, Tuning
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Sighting

_SIDE_PERIOD = {Kind.TILE: 90.0, Kind.CARD: 180.0}
"""Degrees of rotational symmetry of what has straight sides."""
_NEGLIGIBLE_NATS = 1e-4
"""Nats below which a match is ignored."""


class Correspondence:
    """The visible pieces of a layout (rows) and the sightings of their kinds (columns)."""

    def __init__(self, layout: Layout, sightings: Sequence[Sighting], tuning: Tuning) -> None:
        self.limits = limits = tuning.pose_search
        board, height_map = exposed(layout, tuning), HeightMap(layout.pieces, tuning.heights)
        self.pieces = [placed for placed, _ in board]
        kinds = {placed.piece.kind for placed in self.pieces}
        self.seen = [sighting for sighting in sightings if sighting.kind in kinds]
        self.points = _rows([(p.x, p.y, height_map.at(p.x, p.y)) for p in self.pieces], 3)
        self.observed_points = _rows([(s.x, s.y) for s in self.seen], 2)
        self.certainty = np.array([s.certainty for s in self.seen])
        self.noise = np.array([limits.noise[p.piece.kind] for p in self.pieces])
        waiting = Counter(p.piece.kind for p in layout if p.zone is not Zone.BOARD)
        stray_density = np.array([limits.strays + waiting[p.piece.kind] for p in self.pieces]) / limits.table
        self.shares = np.array([share for _, share in board])
        recall = limits.recall * self.shares
        self.missed_nats = np.log(1 - recall)
        self.reading_nats = self._reading_matrix()
        placing = np.log(recall / (1 - recall) / (2 * math.pi * self.noise**2 * stray_density))
        self._found = placing[:, None] + self.reading_nats
        self.side_angles = self._side_angle_matrix()

    @property
    def is_empty(self) -> bool:
        return not self.pieces or not self.seen

    def gains(self, pose: Registration, width: float = 1.0, slant: float = 0.0) -> tuple[Floats, Floats]:
        """Log odds, in nats, of each sighting as each piece against a stray, 0 far off; and the weight of its place
        for the pose, 1 for an inlier. `width`: factor on the uncertainty of places; `slant`: more of it for each
        space of height."""
        limits = self.limits
        variance = (self.noise * width) ** 2 + (slant * self.points[:, 2]) ** 2
        off = pose.places(self.points)[:, None, :] - self.observed_points[None, :, :]
        residual = (off * off).sum(axis=2) / variance[:, None]
        inlier = (1 - limits.outliers) * np.exp(-residual / 2)
        wide = limits.farther**2
        outlier = limits.outliers / wide * np.exp(-residual / 2 / wide)
        found = self._found + self._angle_nats(pose.turn) + np.log(self.noise**2 / variance)[:, None]
        gains = np.log1p(self.certainty * np.exp(found) * (inlier + outlier))
        return gains, (inlier + outlier / wide) / np.maximum(inlier + outlier, 1e-300)

    def targets(self, pose: Registration, width: float = 1.0, slant: float = 0.0) -> tuple[Floats, Floats]:
        """Where each piece seems to lie, and the inverse variance: its sightings weighted by the probability of
        being it, and not a stray or another piece."""
        gains, weight = self.gains(pose, width, slant)
        odds = np.expm1(gains)
        share = odds / (1 + odds.sum(axis=1, keepdims=True))
        share = weight * share / np.maximum(1.0, share.sum(axis=0))
        total = share.sum(axis=1)
        return share @ self.observed_points / np.maximum(total, 1e-12)[:, None], total / (self.noise * width) ** 2

    def pairs(self, pose: Registration) -> tuple[list[tuple[int, int]], float]:
        """The one-to-one matches, greedily by gain, and the log likelihood of the pose against no board; missed
        pieces count against it."""
        gains, _ = self.gains(pose)
        score, pieces, sightings = float(self.missed_nats.sum()), set(), set()
        found = []
        rows, columns = np.nonzero(gains > _NEGLIGIBLE_NATS)
        for at in np.argsort(-gains[rows, columns], kind="stable"):
            row, column = int(rows[at]), int(columns[at])
            if row not in pieces and column not in sightings:
                pieces.add(row)
                sightings.add(column)
                score += float(gains[row, column])
                found.append((row, column))
        return found, score

    def share_found(self, pose: Registration) -> float:
        found, _ = self.pairs(pose)
        return float(self.shares[[row for row, _ in found]].sum() / self.shares.sum())

    def _reading_matrix(self) -> Floats:
        """Log odds of what was read if it is that piece, against a stray; minus infinity for another kind."""
        return _rows([[reading_nats(p, s, self.limits) for s in self.seen] for p in self.pieces], len(self.seen))

    def _side_angle_matrix(self) -> tuple[Floats, Floats]:
        """Angles of sightings' sides against pieces' (NaN where either has none), and each piece's period."""
        angles = [(s.angle if s.edges is None else s.edges) if s.kind in _SIDE_PERIOD else None for s in self.seen]
        sides = np.array([math.nan if angle is None else angle for angle in angles])
        period = np.array([_SIDE_PERIOD.get(p.piece.kind, 90.0) for p in self.pieces])
        return sides - np.array([[p.angle] for p in self.pieces]).reshape(-1, 1), period[:, None]

    def _angle_nats(self, turn: float) -> Floats:
        """Log odds of the sides of tiles and cards at that turn."""
        sides, period = self.side_angles
        askew, outliers = self.limits.askew_deg, self.limits.outliers
        off = (sides - turn + period / 2) % period - period / 2
        along = period / (askew * math.sqrt(2 * math.pi)) * np.exp(-((off / askew) ** 2) / 2)
        out: Floats = np.where(np.isnan(off), 0.0, np.log((1 - outliers) * along + outliers))
        return out


def reading_nats(placed: Placed, seen: Sighting, limits: PoseSearchLimits) -> float:
    """Log odds of the reading of this piece against a stray; misread suits still match by their values."""
    if placed.piece.kind is not seen.kind:
        return -math.inf
    if placed.face and seen.face and placed.face is not seen.face:
        return math.log(limits.wrong_side)
    shown = placed.shown
    if shown.mark and seen.mark:
        return math.log(limits.wrong_side) * (1 if shown.mark != seen.mark else -1)
    suits = 1 if shown.suit is None or all(suit is None for suit, _ in seen.identities) else len(SUITS)
    ranks = 1 if shown.rank is None or all(rank is None for _, rank in seen.identities) else len(RANKS)
    if suits * ranks == 1:
        return 0.0
    named = suits * ranks * seen.chance_of(shown.suit, shown.rank)
    valued = (ranks * seen.chance_of(None, shown.rank) + 1 / 2) / 2
    return math.log((1 - limits.misread) * named + limits.misread * valued)


def _rows(rows: Sequence[Sequence[float]], width: int) -> NDArray[np.float64]:
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)
