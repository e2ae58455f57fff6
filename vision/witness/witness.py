"""Picture evidence of one still moment: changes since a reference frame, by place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Kind
from rules.pieces.sizes import USUAL_THICKNESS, half_extent
from rules.table.evidence import COIN_AREA, ChangedRegion, Ground, ReferencePicture
from rules.table.layout import Layout, Placed
from rules.table.observed import Identity, ObservedTable, Sighting
from vision.detect.shape import Floats
from vision.frame import Frame, Picture
from vision.plane import Plane
from vision.witness.appearance import Appearances, PieceAppearance, Row
from vision.witness.change import Difference, SmallPicture, change
from vision.witness.markings import SetMarkings, marking_of
from vision.witness.perspective import ProjectiveCamera
from vision.witness.solids import STANDING, height_at, heights, silhouette, thickness, upper_side
from vision.witness.tuning import WITNESS

Example = tuple[Sighting, Identity, Row]
"""An observation, what it is, and its embedding."""
Stack = Sequence[tuple[Placed, float]]
"""Pieces of the board with the heights of their undersides."""
WEIGHTS = WITNESS.evidence


@dataclass(frozen=True, slots=True)
class ReferenceFrame:
    """The reference frame of an accepted moment. `table`: its observations in the frame of the look. `appearances` and
    `markings`: those of this set's pieces, as far as the game has shown them."""

    layout: Layout
    small: SmallPicture
    camera: ProjectiveCamera
    ground: Ground
    stack: Stack
    table: ObservedTable
    appearances: Appearances = field(default_factory=Appearances)
    markings: SetMarkings = field(default_factory=SetMarkings)


class FrameEvidence:
    """Evidence of one frame, from picture, plane and observations; no net is run. `plane`: the table plane of this look
    by itself. `appearances`: embeddings of the reader, if any."""

    def __init__(self, frame: Frame, plane: Plane | None, appearances: Sequence[PieceAppearance] = ()) -> None:
        self._frame, self.plane, self._appearances = frame, plane, list(appearances)
        self._last: list[tuple[ReferenceFrame, ComparedFrames | None]] = []
        self._last_comparison: tuple[ReferenceFrame, Sequence[Sighting], ComparedFrames] | None = None

    @cached_property
    def small(self) -> SmallPicture:
        return SmallPicture.of(self._frame.image)

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        """The reference frame of this accepted layout; None without a plane or an earlier reference frame that
        compares."""
        stack = heights(layout)
        comparison = self.compared(before, table)
        if isinstance(before, ReferenceFrame) and comparison is not None:
            ground, table = before.ground, comparison.merged_table
            camera = _refined(before.camera, stack, table)
        elif self.plane is not None:
            camera = self._initial_camera(self.plane, ground, stack, table)
        else:
            return None
        appearances, markings = Appearances(), SetMarkings()
        if isinstance(before, ReferenceFrame):
            appearances, markings = before.appearances, before.markings
        examples = list(_examples(stack, camera, self._appearances))
        lessons = (((seen.kind, seen.face), label, row) for seen, label, row in examples)
        new = [(label, seen) for seen, label, _ in examples if label not in markings.shown]
        prints = ((label, marking_of(self._frame.image, seen)) for label, seen in new)
        return ReferenceFrame(
            layout, self.small, camera, ground, stack, table, appearances.taught(lessons), markings.taught(prints)
        )

    def _initial_camera(self, plane: Plane, ground: Ground, stack: Stack, table: ObservedTable) -> ProjectiveCamera:
        """The camera from the plane alone. The plane may be that of the table or (fitted to tiles) that of their upper
        sides; the one with more located pieces is used, of equals the one with the smaller error."""
        on_table = ProjectiveCamera.of(plane, ground, self._frame.size)
        raised = on_table.raised(USUAL_THICKNESS[Kind.TILE])
        cameras = [_refined(initial, stack, table) for initial in (on_table, raised)]

        def score(camera: ProjectiveCamera) -> tuple[int, float]:
            pairs = correspondences(stack, camera, table, WITNESS.camera.reach_factors[-1])
            return len(pairs[0]), -camera.error(*pairs)

        return max(cameras, key=score)

    def compared(self, with_: ReferencePicture | None, table: ObservedTable) -> ComparedFrames | None:
        """The comparison with a reference frame, cached because judging and remembering both need it; None if that was
        moved or cannot be compared."""
        if not isinstance(with_, ReferenceFrame):
            return None
        pictures = self._compared_pictures(with_)
        if pictures is None:
            return None
        last = self._last_comparison
        if last is None or last[0] is not with_ or last[1] is not table.sightings:
            last = (with_, table.sightings, pictures.with_table(table, self._frame.image))
            self._last_comparison = last
        return last[2]

    def _compared_pictures(self, reference: ReferenceFrame) -> ComparedFrames | None:
        """The comparison without observations, cached for the last few reference frames."""
        for known, compared in self._last:
            if known is reference:
                return compared
        latest = (reference, self._compare_pictures(reference))
        self._last = [latest, *self._last][: WITNESS.change.max_compared]
        return latest[1]

    def _compare_pictures(self, reference: ReferenceFrame) -> ComparedFrames | None:
        """The same, computed; None if board, camera or light have changed too much."""
        if reference.small.image.shape != self.small.image.shape:
            return None
        difference = change(reference.small, self.small)
        if difference.changed_share > WITNESS.change.max_changed_share:
            return None
        compared = ComparedFrames(reference, difference)
        return None if compared.is_moved else compared


class ComparedFrames:
    """This moment compared with a reference frame."""

    def __init__(self, reference: ReferenceFrame, difference: Difference) -> None:
        """Of the pictures alone, without observations."""
        self._reference, self._difference = reference, difference
        self._labels, self._areas, self.regions = _changed_regions(difference, reference)
        self._stack = [(_key(placed), (placed, height)) for placed, height in reference.stack]
        self._change_cache: dict[tuple[object, ...], float | None] = {}
        self._region_cache: dict[tuple[object, ...], Mapping[int, float]] = {}
        self.merged_table = self.table = self.detected = ObservedTable(())

    def with_table(self, table: ObservedTable, image: Picture) -> ComparedFrames:
        """The same with the observations of this moment and its picture."""
        out = copy(self)
        out.merged_table = self._merge(table, image)
        out.table = _on_board(out.merged_table, self._reference)
        out.detected = _on_board(table, self._reference)
        return out

    @property
    def is_moved(self) -> bool:
        """Whether enough places of the board changed for it, or the camera, to have moved. A pile is one place."""
        places = {(placed.x, placed.y): placed for placed, _ in self._reference.stack}
        known = [chance for chance in map(self.changed, places.values()) if chance is not None]
        changed_count = sum(chance > WEIGHTS.changed_probability for chance in known)
        return len(known) >= WEIGHTS.min_places and changed_count > WEIGHTS.moved_share * len(known)

    def changed(self, placed: Placed) -> float | None:
        """Probability that the place of a piece has changed; None where it cannot be read."""
        key = _key(placed)
        if key not in self._change_cache:
            self._change_cache[key] = self._change_probability(placed)
        return self._change_cache[key]

    def region_shares(self, placed: Placed) -> Mapping[int, float]:
        """Share of each changed region that a piece at this place covers, by region number."""
        key = _key(placed)
        if key not in self._region_cache:
            self._region_cache[key] = self._region_shares(placed)
        return self._region_cache[key]

    def _merge(self, table: ObservedTable, image: Picture) -> ObservedTable:
        """Earlier observations of unchanged places, and current ones of all others with their markings weighed."""
        unchanged = [sighting for sighting in self._reference.table.sightings if self.is_unchanged(sighting)]
        fresh = [sighting for sighting in table.sightings if not self.is_unchanged(sighting)]
        fresh = [one for one in fresh if not any(_is_same_piece(one, other) for other in unchanged)]
        all_sightings = [*unchanged, *fresh]
        known = self._reference.markings
        fresh = [
            one if is_center_covered(one, all_sightings) else known.weighed(one, marking_of(image, one))
            for one in fresh
        ]
        merged = (self._most_certain(one, _at_same_place(one, table.sightings)) for one in unchanged)
        return replace(table, sightings=(*merged, *fresh))

    def _most_certain(self, earlier: Sighting, current: Sequence[Sighting]) -> Sighting:
        """The most certain observation of one place; the earlier one loses certainty if a little changed and nothing is
        observed now."""
        share = self._changed_share(np.array(earlier.outline_px))
        if not current and share is not None and share > WEIGHTS.shadow_share:
            return replace(earlier, certainty=WEIGHTS.fading * earlier.certainty)
        return max((earlier, *current), key=lambda s: s.certainty)

    def is_unchanged(self, sighting: Sighting) -> bool:
        """Whether the place of an observation looks as in the reference frame."""
        outline = np.array(sighting.outline_px)
        if len(outline) < 3:
            return False
        share = self._changed_share(outline)
        return share is not None and share < WEIGHTS.reread_share[sighting.kind]

    def _change_probability(self, placed: Placed) -> float | None:
        """Probability that the place has changed, from its changed share."""
        share = self._changed_share(self._reference.camera.project(upper_side(placed, self._height(placed))))
        if share is None:
            return None
        relative = (share - WEIGHTS.shadow_share) / WEIGHTS.full_change_share[placed.piece.kind]
        return float(np.clip(relative, *WEIGHTS.probability_limits))

    def _changed_share(self, outline: Floats) -> float | None:
        """Changed share of the inside of an outline; None where it cannot be read."""
        part, inside = self._mask(outline, 0.0)
        if part is None:
            return None
        area = abs(float(cv2.contourArea((outline * self._reference.small.scale).astype(np.float32))))
        readable = inside & ~self._difference.blind[part]
        count = np.count_nonzero(readable)
        if not count or count < WEIGHTS.min_readable_share * max(area, 1.0):
            return None
        return np.count_nonzero(readable & self._difference.differing[part]) / count

    def _region_shares(self, placed: Placed) -> Mapping[int, float]:
        """Share of each changed region inside a piece's silhouette, by region number."""
        outline = silhouette(placed, self._height(placed), self._reference.camera)
        space = self._reference.camera.space_px(placed.x, placed.y) * self._reference.small.scale
        part, inside = self._mask(outline, WEIGHTS.region_margin_spaces * space + 3)
        if part is None:
            return {}
        labels, counts = np.unique(self._labels[part][inside], return_counts=True)
        return {
            int(label) - 1: float(count) / self._areas[label]
            for label, count in zip(labels, counts, strict=True)
            if label > 0
        }

    def _height(self, placed: Placed) -> float:
        """Height of the underside of a piece on top of what the reference frame holds."""
        levels = placed.level if placed.piece.kind in (Kind.TILE, Kind.CARD) else placed.level + 1
        if levels == 0:
            return 0.0
        own = _key(placed)
        others = [each for key, each in self._stack if key != own]
        return min(height_at(others, placed.x, placed.y), levels * WEIGHTS.max_level_height)

    def _mask(self, outline: Floats, margin: float) -> tuple[tuple[slice, slice] | None, NDArray[np.bool_]]:
        """The part of the small picture around an outline, and the mask of its inside in that part."""
        points = outline * self._reference.small.scale
        rows, columns = self._labels.shape
        across, down = points.T.tolist()
        if not all(map(math.isfinite, (*across, *down))):
            return None, np.zeros((0, 0), np.bool_)
        left, right = max(math.floor(min(across) - margin - 1), 0), min(math.ceil(max(across) + margin + 2), columns)
        top, bottom = max(math.floor(min(down) - margin - 1), 0), min(math.ceil(max(down) + margin + 2), rows)
        if right <= left or bottom <= top:
            return None, np.zeros((0, 0), np.bool_)
        mask = np.zeros((bottom - top, right - left), np.uint8)
        shifted = np.round((points - (left, top)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, shifted, 1, cv2.LINE_8, 4)
        if margin:
            size = 2 * round(margin) + 1
            mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))).astype(np.uint8)
        return (slice(top, bottom), slice(left, right)), mask > 0


def _key(placed: Placed) -> tuple[object, ...]:
    return (placed.piece.kind, placed.piece.size, placed.x, placed.y, placed.angle, placed.level, placed.pose)


def _changed_regions(
    difference: Difference, reference: ReferenceFrame
) -> tuple[NDArray[np.int32], list[float], list[ChangedRegion]]:
    """(labels, areas, regions) of connected changed places; label n is region n - 1, label 0 includes those that are
    too small."""
    count, labels, stats, centers = cv2.connectedComponentsWithStats(difference.changed.astype(np.uint8))
    differing = np.maximum(np.bincount(labels[difference.shade != 0], minlength=count), 1)
    darker = np.bincount(labels[difference.shade == -1], minlength=count) / differing
    lighter = np.bincount(labels[difference.shade == 1], minlength=count) / differing
    on_board = reference.camera.at_height(np.asarray(centers, np.float64) / reference.small.scale, 0.0)
    numbers, areas, regions = np.zeros(count, np.int32), [0.0], list[ChangedRegion]()
    for label in range(1, count):
        x, y = (float(value) for value in on_board[label])
        coin = COIN_AREA * (reference.camera.space_px(x, y) * reference.small.scale) ** 2
        area = float(stats[label, cv2.CC_STAT_AREA])
        if area >= WEIGHTS.min_region_coins * coin:
            regions.append(ChangedRegion(x, y, area / coin, float(darker[label]), float(lighter[label])))
            areas.append(area)
            numbers[label] = len(regions)
    return numbers[labels], areas, regions


def _refined(camera: ProjectiveCamera, stack: Stack, table: ObservedTable) -> ProjectiveCamera:
    """The camera fitted to the observed pieces."""
    for reach in WITNESS.camera.reach_factors:
        camera = camera.refined(*correspondences(stack, camera, table, reach))
    return camera


def correspondences(
    stack: Stack, camera: ProjectiveCamera, table: ObservedTable, reach_factor: float
) -> tuple[Floats, Floats]:
    """(board points, picture pixels) of the pieces observed where they are expected."""
    tops = _tops(stack)
    points, pixels = [], []
    for (placed, _), point, expected in zip(stack, tops.tolist(), camera.project(tops).tolist(), strict=True):
        candidates = (s.center_px for s in table.sightings if _can_be(placed, s))
        distances = ((math.dist(expected, at), at) for at in candidates if at is not None)
        distance, nearest = min(distances, key=lambda each: each[0], default=(math.inf, None))
        share = reach_factor * WITNESS.camera.reach_spaces * min(1.0, half_extent(placed.piece) + 0.2)
        if nearest is not None and distance < share * camera.space_px(placed.x, placed.y):
            points.append(point)
            pixels.append(nearest)
    return np.array(points).reshape(-1, 3), np.array(pixels).reshape(-1, 2)


def _tops(stack: Stack) -> Floats:
    """The board points at which pieces show: their upper sides, and the feet of standing ones."""
    points = [
        (placed.x, placed.y, height if placed.piece.kind in STANDING else height + thickness(placed))
        for placed, height in stack
    ]
    return np.array(points, np.float64).reshape(-1, 3)


def _examples(stack: Stack, camera: ProjectiveCamera, appearances: Sequence[PieceAppearance]) -> Iterator[Example]:
    """Labelled observations: each uncovered piece labels its own."""
    for (placed, height), (x, y) in zip(stack, camera.project(_tops(stack)).tolist(), strict=True):
        if _is_covered(placed, height, stack):
            continue
        reach = WEIGHTS.label_reach * camera.space_px(placed.x, placed.y) * half_extent(placed.piece)
        for sighting, embedding in appearances:
            if sighting.center_px is None or sighting.kind is not placed.piece.kind or sighting.face != placed.face:
                continue
            is_near = math.dist(sighting.center_px, (x, y)) < reach
            label = _label_of(placed, sighting) if is_near else None
            if label is not None and sighting.chance_of(*label) >= WITNESS.appearance.min_label_probability:
                yield sighting, label, embedding


def _label_of(placed: Placed, sighting: Sighting) -> Identity | None:
    """The identity of a piece as far as this side shows it; None if the game does not know it either."""
    suit, rank = sighting.best
    shown = placed.shown
    if (suit is None and rank is None) or (suit and shown.suit is None) or (rank is not None and shown.rank is None):
        return None
    return (shown.suit if suit else None, shown.rank if rank is not None else None)


def _is_covered(placed: Placed, height: float, stack: Stack) -> bool:
    """Whether something lies on a piece, in whole or in part."""
    half_width = half_extent(placed.piece)
    return any(
        above is not placed
        and level >= height + 0.5 * thickness(placed)
        and max(abs(above.x - placed.x), abs(above.y - placed.y)) < half_width + 0.8 * half_extent(above.piece)
        for above, level in stack
    )


def _at_same_place(one: Sighting, others: Sequence[Sighting]) -> list[Sighting]:
    """The observations of the same kind at the same place in the picture."""
    reach = WEIGHTS.same_place_spaces * float(np.ptp(np.array(one.outline_px), axis=0).max())
    there = (s for s in others if s.kind is one.kind)
    return [s for s in there if one.center_px and s.center_px and math.dist(one.center_px, s.center_px) < reach]


def _is_same_piece(one: Sighting, other: Sighting) -> bool:
    """Whether both are observations of one piece with slightly different outlines."""
    return one.face is other.face and one.best == other.best and other in _at_same_place(one, [other])


def is_center_covered(one: Sighting, others: Sequence[Sighting]) -> bool:
    """Whether something lies or stands on the middle of a tile and hides its sign."""
    if one.kind is not Kind.TILE or len(one.outline_px) < 3:
        return False
    outline = np.array(one.outline_px, np.float32)
    return any(
        other.kind is not Kind.TILE
        and other.center_px is not None
        and cv2.pointPolygonTest(outline, other.center_px, False) > 0
        for other in others
    )


def _can_be(placed: Placed, sighting: Sighting) -> bool:
    """Whether an observation may be this piece. Tiles match by place alone: no two are near enough to be confused."""
    if sighting.kind is not placed.piece.kind or placed.face not in (None, sighting.face):
        return False
    shown = placed.shown
    return sighting.kind is Kind.TILE or sighting.chance_of(shown.suit, shown.rank) > WITNESS.camera.min_probability


def _on_board(table: ObservedTable, reference: ReferenceFrame) -> ObservedTable:
    """The observations in the board's frame, placed with camera, board and heights."""
    everything = (*table.sightings, *table.faint)
    pixels = np.array([each.center_px or (0.0, 0.0) for each in everything]).reshape(-1, 2)
    surfaces = sorted({round(height + thickness(placed), 3) for placed, height in reference.stack}, reverse=True)
    at_height = cache(lambda height: reference.camera.at_height(pixels, height).tolist())

    def placed(index: int, sighting: Sighting) -> Sighting:
        if sighting.center_px is None:
            x, y = reference.ground.to_board(sighting.x, sighting.y)
        else:
            x, y = _board_position(lambda height: at_height(height)[index], sighting.kind, reference.stack, surfaces)
        angle, aim = (None if each is None else each - reference.ground.turn for each in (sighting.angle, sighting.aim))
        return replace(sighting, x=x, y=y, angle=angle, aim=aim)

    moved = [placed(index, sighting) for index, sighting in enumerate(everything)]
    count = len(table.sightings)
    return replace(table, sightings=tuple(moved[:count]), faint=tuple(moved[count:]))


def _board_position(
    position: Callable[[float], Sequence[float]], kind: Kind, stack: Stack, surfaces: Sequence[float]
) -> Sequence[float]:
    """Board position of a piece, given that at each height: the height of a known piece of its kind there, else that
    of the topmost of the `surfaces` (highest first)."""
    own_height = 0.0 if kind in STANDING else USUAL_THICKNESS[kind]
    best, distance = position(own_height), WEIGHTS.same_place_spaces
    for placed, height in stack:
        if placed.piece.kind is kind:
            x, y = position(round(height + (0.0 if kind in STANDING else thickness(placed)), 3))
            gap = math.hypot(x - placed.x, y - placed.y)
            best, distance = ((x, y), gap) if gap < distance else (best, distance)
    if distance < WEIGHTS.same_place_spaces:
        return best
    for level in surfaces:
        x, y = position(round(level + own_height, 3))
        if abs(height_at(stack, x, y) - level) < 0.05:
            return x, y
    return best
