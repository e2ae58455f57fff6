"""Registration: the pose that carries the layout onto the sightings.

A board lies anywhere and in any direction, the table plane may be calibrated wrongly, and high pieces look
displaced. Pairs of neighbouring pieces and sightings that may be the same vote for poses; the poses with most votes
are refined as a rigid motion and as a camera's view. The score of a pose is the log likelihood of the sightings
against a table without the board.
"""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Kind
from rules.pieces.sizes import SPACE_MM
from rules.referee.correspondence import Correspondence, reading_nats
from rules.referee.pose import Floats, Registration, fit_perspective, scaled
from rules.referee.tuning import TUNING, PoseSearchLimits, Tuning
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

__all__ = ["Registration", "matched", "pose_error_mm", "register", "rotated_alternatives"]

Complex = NDArray[np.complex128]
Similarity = tuple[complex, complex]
"""(a, b): a place p of the board, as a complex number, lies at a p + b on the table."""


@dataclass(frozen=True, slots=True)
class PoseHypothesis:
    """A pose and its log likelihood ratio, in nats, against no board."""

    pose: Registration
    nats: float


def register(
    layout: Layout, observed: ObservedTable, previous: Registration | None = None, tuning: Tuning = TUNING
) -> Registration | None:
    """The likeliest pose; None if the board is likely not there, or too little of it. `previous`: the pose before,
    which a symmetric board keeps; without it also None if the board may as well lie elsewhere."""
    poses = _PoseSearch(layout, observed, tuning)
    if not poses.correspondence.pieces:
        return _first_tile_pose(observed, tuning.pose_search) or previous or Registration()
    return None if poses.correspondence.is_empty else poses.best(previous)


def matched(
    layout: Layout, observed: ObservedTable, pose: Registration, tuning: Tuning = TUNING
) -> list[tuple[Placed, Sighting]]:
    """The pieces with the sightings at their places, whatever their identity."""
    return [(placed, seen) for placed, seen, _ in _in_place(layout, observed, pose, tuning)]


def rotated_alternatives(
    layout: Layout, observed: ObservedTable, found: Registration, tuning: Tuning = TUNING
) -> list[Registration]:
    """The quarter turns on the same ground that neither identities nor the pieces beside the board exclude."""
    poses = _PoseSearch(layout, observed, tuning)
    if poses.correspondence.is_empty:
        return []
    least = poses.nats(found) - tuning.pose_search.margin_nats
    rotated = [max(poses.rotated(found, quarter), key=_nats, default=None) for quarter in (1j, -1, -1j)]
    return [one.pose for one in rotated if one is not None and poses.nats(one.pose) > least]


def pose_error_mm(layout: Layout, observed: ObservedTable, pose: Registration, tuning: Tuning = TUNING) -> float | None:
    """Standard error of the pose in millimetres of the reference set: how far the sightings lie from their places,
    shared by all of them. None where too few are seen."""
    gaps = [gap for _, _, gap in _in_place(layout, observed, pose, tuning)]
    if len(gaps) < tuning.pose_search.min_pieces:
        return None
    return SPACE_MM * math.hypot(*gaps) / len(gaps)


def _in_place(
    layout: Layout, observed: ObservedTable, pose: Registration, tuning: Tuning
) -> Iterator[tuple[Placed, Sighting, float]]:
    correspondence = Correspondence(layout, observed.sightings, tuning)
    if correspondence.is_empty:
        return
    places = pose.places(correspondence.points)
    for row, column in correspondence.pairs(pose)[0]:
        gap = math.dist(places[row], correspondence.observed_points[column])
        if gap < tuning.places.same:
            yield correspondence.pieces[row], correspondence.seen[column], gap


def _nats(one: PoseHypothesis) -> float:
    return one.nats


class _PoseSearch:
    """The poses of a layout on one table."""

    def __init__(self, layout: Layout, observed: ObservedTable, tuning: Tuning) -> None:
        sightings = (*observed.sightings, *observed.faint)
        self.limits = tuning.pose_search
        self.correspondence = Correspondence(layout, sightings, tuning)
        points = self.correspondence.points
        self.places: Complex = points[:, 0] + 1j * points[:, 1]
        centre = (points[:, :2].min(axis=0) + points[:, :2].max(axis=0)) / 2 if len(points) else np.zeros(2)
        self._centre = float(centre[0]), float(centre[1])
        waiting = [placed for placed in layout if placed.zone is not Zone.BOARD]
        self._off_board = _OffBoardPrior(waiting, sightings, self._centre, tuning)

    def best(self, previous: Registration | None) -> Registration | None:
        """The result of `register`."""
        poses = [pose for start in self._best_starts() for pose in self._refine_each(start)]
        if previous is not None:
            poses += [replace(one, nats=one.nats + self.limits.stay_nats) for one in self._refine_each(previous)]
        if not poses:
            return None
        best = max(poses, key=_nats)
        rotated = [pose for quarter in (1j, -1, -1j) for pose in self.rotated(best.pose, quarter)]
        best = max((best, *rotated), key=_nats)
        if best.nats < 0 or self.correspondence.share_found(best.pose) < self.limits.min_share:
            return None
        rivals = () if previous else (one for one in poses if one.nats > best.nats - self.limits.margin_nats)
        return None if any(self._covers_other_ground(one.pose, best.pose) for one in rivals) else best.pose

    def nats(self, pose: Registration) -> float:
        """Log likelihood of the pose, with what waits beside the board."""
        upright = self.limits.upright_nats * math.cos(math.radians(pose.turn))
        return self.correspondence.pairs(pose)[1] + self._off_board.nats(pose) + upright

    def rotated(self, pose: Registration, quarter: complex) -> list[PoseHypothesis]:
        """The board turned on the spot and refined, without votes: the pieces beside it decide between equal fits."""
        x, y = self._centre
        middle, beside = (complex(*pose.to_table(x + step, y)) for step in (0.0, 1.0))
        turn = quarter * (beside - middle)
        return list(self._refine_each(self._registration(turn, middle - turn * complex(x, y))))

    def _best_starts(self) -> list[Registration]:
        """Start poses at different places, the likeliest first."""
        found = sorted((self._fit_similarity(start) for start in self._starts()), key=lambda one: -one[0])
        kept: list[tuple[Similarity, Complex]] = []
        for _, (turn, shift) in found:
            there = turn * self.places + shift
            if all(np.abs(there - other).max() > self.limits.apart_spaces for _, other in kept):
                kept.append(((turn, shift), there))
        return [self._registration(*start) for start, _ in kept[: self.limits.max_refined]]

    def _starts(self) -> list[Similarity]:
        """The poses with most votes. Two pieces and two sightings give turn, scale and shift; one tile or card gives
        turn and shift by its sides. Votes are counted in the cells of two grids half a cell apart, so that no border
        splits a cluster."""
        correspondence, limits = self.correspondence, self.limits
        agrees = np.exp(correspondence.reading_nats) * correspondence.certainty
        seen: Complex = correspondence.observed_points[:, 0] + 1j * correspondence.observed_points[:, 1]
        turns, middles, weights = zip(
            self._votes_by_sides(seen, agrees), self._votes_by_pairs(seen, agrees), strict=True
        )
        turn, middle, weight = np.concatenate(turns), np.concatenate(middles), np.concatenate(weights)
        if not len(turn):
            row, column = np.nonzero(agrees)
            turn, middle, weight = np.ones(len(row), complex), seen[column] - self.places[row], agrees[row, column]
            middle += self.places.mean()
        named = np.stack([np.angle(turn), np.log(np.abs(turn)), middle.real, middle.imag]) / np.array(
            [[math.radians(limits.cell_turn)], [limits.cell_scale], [limits.cell_place], [limits.cell_place]]
        )
        starts: list[Similarity] = []
        for aside in (0.0, 0.5):
            cells = np.floor(named + aside).astype(np.int64)
            cells[0] %= round(360 / limits.cell_turn)
            key = np.ravel_multi_index(cells - cells.min(axis=1, keepdims=True), np.ptp(cells, axis=1) + 1)
            _, cell = np.unique(key, return_inverse=True)
            total = np.bincount(cell, weight)
            for one in np.argsort(-total, kind="stable")[: limits.max_starts]:
                inside = cell == one
                share = weight[inside] / total[one]
                a, there = complex(share @ turn[inside]), complex(share @ middle[inside])
                starts.append((a, there - a * complex(self.places.mean())))
        return starts

    def _votes_by_sides(self, seen: Complex, agrees: Floats) -> tuple[Complex, Complex, Floats]:
        """Turn, place of the board's centre, and weight by the sides of single tiles and cards."""
        sides, period = self.correspondence.side_angles
        row, column = np.nonzero((agrees > 0) & ~np.isnan(sides))
        row, column = np.repeat(row, 4), np.repeat(column, 4)
        rotated = sides[row, column] + np.tile(np.arange(4), len(row) // 4) * period[row, 0]
        turn: Complex = np.exp(1j * np.radians(rotated))
        return turn, seen[column] + turn * (self.places.mean() - self.places[row]), agrees[row, column] / 4

    def _votes_by_pairs(self, seen: Complex, agrees: Floats) -> tuple[Complex, Complex, Floats]:
        """The same by pairs of neighbouring pieces and pairs of neighbouring sightings."""
        limits = self.limits
        one, other = _neighbours(self.places, limits.neighbours)
        this, that = _neighbours(seen, 2 * limits.neighbours)
        weight = agrees[np.ix_(one, this)] * agrees[np.ix_(other, that)]
        turn = (seen[that] - seen[this])[None, :] / (self.places[other] - self.places[one])[:, None]
        size = np.abs(turn)
        row, column = np.nonzero((weight > 0) & (size > limits.min_scale) & (size < limits.max_scale))
        turn, weight = turn[row, column], weight[row, column]
        middle = seen[this[column]] + turn * (self.places.mean() - self.places[one[row]])
        return turn, middle, weight

    def _fit_similarity(self, start: Similarity) -> tuple[float, Similarity]:
        """The start refined as motion and scale, with its nats. Heights are not fitted: high pieces may lie off."""
        correspondence, slant = self.correspondence, self.limits.slant
        turn, shift = start
        for width in self.limits.widths[::2]:
            targets, weights = correspondence.targets(self._registration(turn, shift), width, slant)
            if np.count_nonzero(weights * correspondence.noise**2 > 0.1 / width**2) < 2:
                break
            turn, shift = _similarity(self.places, targets, weights)
            turn *= min(max(abs(turn), self.limits.min_scale), self.limits.max_scale) / abs(turn)
        gains, _ = correspondence.gains(self._registration(turn, shift), 1.0, slant)
        return float(gains.max(axis=1).sum()), (turn, shift)

    def _registration(self, turn: complex, shift: complex) -> Registration:
        """The board in true size around its centre, with the scale as its perspective."""
        middle = complex(self.places.mean())
        unit = turn / abs(turn)
        return Registration.of(
            unit, turn * middle + shift - unit * middle, scaled(self.correspondence.points, abs(turn))
        )

    def _refine_each(self, pose: Registration) -> Iterator[PoseHypothesis]:
        """The best poses near this one with perspective, for a well and for a badly calibrated plane."""
        for error_share in self.limits.wrong:
            found = self._refine(pose, error_share)
            if found is not None:
                yield found

    def _refine(self, pose: Registration, error_share: float) -> PoseHypothesis | None:
        """The refined pose; None where too little is near, or the perspective is invalid."""
        cost = 0.0
        for width in self.limits.widths:
            targets, weights = self.correspondence.targets(pose, width)
            if not weights.any():
                return None
            flat = self._rigid_motion(pose, targets, weights)
            straight = np.column_stack(flat.unrotated(*targets.T))
            perspective, cost = fit_perspective(self.correspondence.points, straight, weights, error_share, self.limits)
            if not perspective.is_valid(self.limits):
                return None
            pose = replace(flat, perspective=perspective)
        return PoseHypothesis(pose, self.nats(pose) - cost)

    def _rigid_motion(self, pose: Registration, targets: Floats, weights: Floats) -> Registration:
        """The least squares rigid motion; it keeps the turn where one piece alone decides."""
        share = weights / weights.sum()
        own, seen = complex(share @ self.places), complex(*(share @ targets))
        unit = cmath.rect(1.0, math.radians(pose.turn))
        if 1 / (share @ share) > 1.5:
            turn, _ = _similarity(self.places, targets, weights)
            unit = turn / abs(turn)
        return Registration.of(unit, seen - unit * own)

    def _covers_other_ground(self, one: Registration, other: Registration) -> bool:
        """Whether the boards cover different ground. A board turned on the spot covers the same, and so does one
        that is only bent a little. The ground is that of tiles and cards where there are any, as pieces on them may
        be seen nowhere."""
        flat = [
            row for row, placed in enumerate(self.correspondence.pieces) if placed.piece.kind in (Kind.TILE, Kind.CARD)
        ]
        ground = self.correspondence.points[flat] if flat else self.correspondence.points
        here, there = one.places(ground), other.places(ground)
        apart = np.hypot(*(here[:, None, :] - there[None, :, :]).transpose(2, 0, 1))
        if np.median(apart.diagonal()) < self.limits.apart_spaces:
            return False
        return bool((apart.min(axis=1) > self.limits.apart_spaces).any())


def _neighbours(places: Complex, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index pairs of each place and its nearest ones."""
    apart = np.abs(places[:, None] - places[None, :])
    near = np.argsort(apart, axis=1, kind="stable")[:, : count + 1]
    one, other = np.repeat(np.arange(len(places)), near.shape[1]), near.ravel()
    differ = apart[one, other] > 1e-6
    return one[differ], other[differ]


def _similarity(places: Complex, targets: Floats, weights: Floats) -> Similarity:
    """Turn, scale and shift by weighted least squares."""
    there: Complex = targets[:, 0] + 1j * targets[:, 1]
    share = weights / weights.sum()
    own, seen = share @ places, share @ there
    turn = (share * (there - seen)) @ np.conj(places - own) / ((share * np.abs(places - own) ** 2).sum() + 1e-12)
    turn = complex(turn) or 1.0 + 0j
    return turn, complex(seen - turn * own)


def _first_tile_pose(observed: ObservedTable, limits: PoseSearchLimits) -> Registration | None:
    """The pose of a first tile, the board's origin and direction: the tile farthest from somebody's row."""
    tiles = [s for s in observed.sightings if s.kind is Kind.TILE]
    free = [s for s in tiles if s.zone in (None, Zone.BOARD)]
    tile = max(free, key=lambda one: _distance_to_others(one, tiles), default=None)
    if tile is None or (not observed.is_marked and _distance_to_others(tile, tiles) < limits.row_spaces):
        return None
    return Registration(tile.angle or 0.0, tile.x, tile.y)


def _distance_to_others(one: Sighting, tiles: Sequence[Sighting]) -> float:
    return min((math.hypot(one.x - s.x, one.y - s.y) for s in tiles if s is not one), default=math.inf)


@dataclass(frozen=True)
class _OffBoardPrior:
    """The pieces expected beside the board, and all sightings."""

    pieces: Sequence[Placed]
    sightings: Sequence[Sighting]
    middle: tuple[float, float]
    """Of the board."""
    tuning: Tuning

    def nats(self, pose: Registration) -> float:
        """How well a pose agrees with what lies beside the board: the share of pieces near their drawn places, and
        of marked zones on their owner's side. It decides between poses that fit the board equally and outweighs
        nothing on it."""
        if not self.pieces:
            return 0.0
        near = sum(self._presence(placed, pose) for placed in self.pieces) / len(self.pieces)
        sits = sum(self._seat_agreement(seat, pose) for seat in self._seats) / max(1, len(self._seats))
        return self.tuning.pose_search.margin_nats * (near + sits)

    def _presence(self, placed: Placed, pose: Registration) -> float:
        x, y = pose.to_table(placed.x, placed.y)
        return max(
            (
                chance * seen.certainty
                for seen, chance in self._readings_by_look[placed.shown, placed.face]
                if math.hypot(seen.x - x, seen.y - y) < self.tuning.off_board.near_spaces
            ),
            default=0.0,
        )

    @cached_property
    def _readings_by_look(self) -> Mapping[object, Sequence[tuple[Sighting, float]]]:
        """For each look of a piece the sightings that may be it, with their probabilities."""
        looks = {(placed.shown, placed.face): placed for placed in self.pieces}
        limits = self.tuning.pose_search
        return {
            look: [
                (s, min(1.0, math.exp(reading_nats(one, s, limits))))
                for s in self.sightings
                if s.kind is one.piece.kind
            ]
            for look, one in looks.items()
        }

    @cached_property
    def _seats(self) -> Mapping[int, tuple[tuple[float, float], tuple[float, float]]]:
        """For everybody with drawn pieces and detections in a marked zone: the centres of both."""
        drawn, seen = defaultdict(list), defaultdict(list)
        for placed in self.pieces:
            drawn[placed.seat].append((placed.x, placed.y))
        for sighting in self.sightings:
            seen[sighting.seat].append((sighting.x, sighting.y))
        seats = [seat for seat in drawn if seat is not None and seat in seen]
        return {seat: (_centroid(drawn[seat]), _centroid(seen[seat])) for seat in seats}

    def _seat_agreement(self, seat: int, pose: Registration) -> float:
        """Cosine of the angle between a seat's drawn and detected side."""
        drawn, seen = self._seats[seat]
        middle = pose.to_table(*self.middle)
        there, here = (math.atan2(y - middle[1], x - middle[0]) for x, y in (pose.to_table(*drawn), seen))
        return math.cos(there - here)


def _centroid(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
