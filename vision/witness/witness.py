"""One still moment's picture, asked by the referee: what changed since a believed moment, place by place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Kind
from rules.pieces.sizes import USUAL_THICKNESS, half_extent
from rules.table.evidence import COIN_AREA, ChangedRegion, Ground, ReferencePicture
from rules.table.layout import Layout, Placed
from rules.table.observed import Identity, ObservedTable, Sighting
from vision.detect.shape import Floats
from vision.frame import Frame
from vision.plane import Plane
from vision.witness.appearance import Appearances, PieceAppearance, Row
from vision.witness.change import Difference, SmallPicture, change
from vision.witness.markings import Marking, SetMarkings, marking_of
from vision.witness.perspective import ProjectiveCamera
from vision.witness.solids import STANDING, height_at, heights, silhouette, thickness, upper_side
from vision.witness.tuning import WITNESS, ChangeThresholds, EvidenceWeights, WitnessTuning

Mask = NDArray[np.uint8]
Example = tuple[Sighting, Identity, Row]
"""What was seen, what it is, and its look."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is remembered of a moment. `table`: what was seen, as the look told it; `looks`, `figures`: how this set's
    pieces look, as far as the game has shown it."""

    layout: Layout
    small: SmallPicture
    view: ProjectiveCamera
    ground: Ground
    stack: Sequence[tuple[Placed, float]]
    table: ObservedTable
    looks: Appearances = field(default_factory=Appearances)
    figures: SetMarkings = field(default_factory=SetMarkings)

    @property
    def levels(self) -> list[float]:
        """The heights that something may lie on, the highest first."""
        return sorted({round(height + thickness(placed), 3) for placed, height in self.stack}, reverse=True)


class FrameEvidence:
    """Holds one frame. Everything it answers comes from frame, plane and sightings; no net is run.
    `plane`: what this look by itself knows of the table; `looked`: the reader's embeddings, if any."""

    def __init__(
        self, frame: Frame, plane: Plane | None, looked: Sequence[PieceAppearance] = (), tuning: WitnessTuning = WITNESS
    ) -> None:
        self._tuning = tuning
        self._frame, self.plane, self._looked = frame, plane, list(looked)
        self._compared: tuple[Kept, Difference | None] | None = None
        self._last: tuple[tuple[object, ...], ComparedFrames] | None = None
        self.difference: Callable[[SmallPicture, SmallPicture, ChangeThresholds], Difference] = change

    @cached_property
    def small(self) -> SmallPicture:
        return SmallPicture.of(self._frame.image, self._tuning.change)

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        stack = heights(layout)
        since = self._testimony(before, table) if isinstance(before, Kept) else None
        if isinstance(before, Kept) and since is not None:
            ground, table = before.ground, since.steadied
            view = self._refined(before.view, stack, table)
        elif self.plane is not None:
            view = self._first_view(self.plane, ground, stack, table)
        else:
            return None
        looks, figures = (before.looks, before.figures) if isinstance(before, Kept) else (Appearances(), SetMarkings())
        examples = list(_examples(stack, view, self._looked, self._tuning))
        rows = (((seen.kind, seen.face), label, row) for seen, label, row in examples)
        looks = looks.taught(rows, self._tuning.appearance)
        figures = figures.taught(self._drawn(one for one in examples if one[1] not in figures.shown))
        return Kept(layout, self.small, view, ground, stack, table, looks, figures)

    def _drawn(self, examples: Iterable[Example]) -> Iterator[tuple[Identity, Marking]]:
        """The figures of tiles, with what they are."""
        for seen, label, _ in examples:
            figure = marking_of(self._frame.image, seen, self._tuning.marking)
            if figure is not None:
                yield label, figure

    def _refined(
        self, view: ProjectiveCamera, stack: Sequence[tuple[Placed, float]], table: ObservedTable
    ) -> ProjectiveCamera:
        for reach in self._tuning.camera.reach_factors:
            view = view.refined(*guides_of(stack, view, table, reach, self._tuning), self._tuning.camera)
        return view

    def _first_view(
        self, plane: Plane, ground: Ground, stack: Sequence[tuple[Placed, float]], table: ObservedTable
    ) -> ProjectiveCamera:
        """The plane may be that of the table, or (told by the tiles) that of their upper sides; what shows more pieces
        where they should be is believed, and of two that show as many what shows them more exactly."""
        told = ProjectiveCamera.of(plane, ground, self._frame.size)
        views = [self._refined(start, stack, table) for start in (told, told.raised(USUAL_THICKNESS[Kind.TILE]))]

        def worth(view: ProjectiveCamera) -> tuple[int, float]:
            guides = guides_of(stack, view, table, self._tuning.camera.reach_factors[-1], self._tuning)
            return len(guides[0]), -view.error(*guides, self._tuning.camera)

        return max(views, key=worth)

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> ComparedFrames | None:
        return self._testimony(with_, table) if isinstance(with_, Kept) else None

    def _testimony(self, kept: Kept, table: ObservedTable) -> ComparedFrames | None:
        """The same question is asked twice: to judge, and to remember."""
        found = self._change(kept)
        if found is None:
            return None
        asked = (kept, table.sightings, table.covered)
        if self._last is None or any(one is not other for one, other in zip(self._last[0], asked, strict=True)):
            drawn = partial(marking_of, self._frame.image, limits=self._tuning.marking)
            self._last = (asked, ComparedFrames(kept, found, table, drawn, self._tuning))
        return self._last[1]

    def _change(self, kept: Kept) -> Difference | None:
        """What changed since then, if the board still shows where it showed."""
        if self._compared is None or self._compared[0] is not kept:
            self._compared = (kept, self._found(kept))
        return self._compared[1]

    def _found(self, kept: Kept) -> Difference | None:
        if kept.small.image.shape != self.small.image.shape:
            return None
        found = self.difference(kept.small, self.small, self._tuning.change)
        if (
            found.changed_share > self._tuning.change.max_changed_share
            or ComparedFrames(kept, found, ObservedTable(()), tuning=self._tuning).is_moved
        ):
            return None
        return found


class ComparedFrames:
    """This moment against one that was believed."""

    def __init__(
        self,
        kept: Kept,
        changed: Difference,
        table: ObservedTable,
        drawn: Callable[[Sighting], Marking | None] = lambda _: None,
        tuning: WitnessTuning = WITNESS,
    ) -> None:
        self._tuning, self._weighing, self._drawn = tuning, tuning.evidence, drawn
        self._kept, self._change = kept, changed
        self._labels, self._areas, self.traces = _traces(changed, kept, self._weighing)
        self._changed: dict[tuple[object, ...], float | None] = {}
        self._leaves: dict[tuple[object, ...], Mapping[int, float]] = {}
        self.steadied = self._steadied(table)
        self.table = _relaid(self.steadied, kept, self._weighing)
        self.eyes = _relaid(table, kept, self._weighing)

    @property
    def is_moved(self) -> bool:
        """Whether so many of the board's places changed that it, or the camera, was moved. A pile is one place."""
        places = {(placed.x, placed.y): placed for placed, _ in self._kept.stack}
        told = [chance for chance in map(self.changed, places.values()) if chance is not None]
        otherwise = sum(chance > self._weighing.changed_probability for chance in told)
        return len(told) >= self._weighing.min_places and otherwise > self._weighing.moved_share * len(told)

    def changed(self, placed: Placed) -> float | None:
        key = _key(placed)
        if key not in self._changed:
            self._changed[key] = self._how_changed(placed)
        return self._changed[key]

    def leaves(self, placed: Placed) -> Mapping[int, float]:
        key = _key(placed)
        if key not in self._leaves:
            self._leaves[key] = self._left_by(placed)
        return self._leaves[key]

    def _steadied(self, table: ObservedTable) -> ObservedTable:
        """What was seen of each place that looks as it did, and what is seen now of others, told by what is known."""
        stood = [sighting for sighting in self._kept.table.sightings if self.stands(sighting)]
        news = [sighting for sighting in table.sightings if not self.stands(sighting)]
        news = [one for one in news if not any(_shows_the_same(one, other, self._weighing) for other in stood)]
        lying = [*stood, *news]
        news = [one if is_hidden(one, lying) else self._told_by_its_figure(one) for one in news]
        kept = (self._kept_with(one, _same_as(one, table.sightings, self._weighing)) for one in stood)
        return replace(table, sightings=(*kept, *news))

    def _kept_with(self, before: Sighting, now: Sequence[Sighting]) -> Sighting:
        """The surer of both; what is not seen now, where a little changed, may well have gone."""
        share = self._share(np.array(before.outline_px))
        if not now and share is not None and share > self._weighing.shadow_share:
            return replace(before, certainty=self._weighing.fading * before.certainty)
        return max((before, *now), key=lambda s: s.certainty)

    def _told_by_its_figure(self, sighting: Sighting) -> Sighting:
        """Weighed by how this set draws its values and colours its suits."""
        return self._kept.figures.weighed(sighting, self._drawn(sighting), self._tuning.marking)

    def stands(self, sighting: Sighting) -> bool:
        outline = np.array(sighting.outline_px)
        if len(outline) < 3:
            return False
        share = self._share(outline)
        return share is not None and share < self._weighing.reread_share[sighting.kind]

    def _how_changed(self, placed: Placed) -> float | None:
        share = self._share(self._kept.view.project(upper_side(placed, self._height(placed))))
        if share is None:
            return None
        return float(
            np.clip(
                (share - self._weighing.shadow_share) / self._weighing.full_change_share[placed.piece.kind],
                *self._weighing.probability_limits,
            )
        )

    def _share(self, outline: Floats) -> float | None:
        """Which share changed of what lies inside an outline; None where it cannot be read."""
        part, inside = self._filled(outline, 0.0)
        if part is None or not inside.any():
            return None
        whole = abs(float(cv2.contourArea((outline * self._kept.small.scale).astype(np.float32))))
        readable = inside & ~self._change.blind[part]
        if readable.sum() < self._weighing.min_readable_share * max(whole, 1.0):
            return None
        return float(self._change.differing[part][readable].mean())

    def _left_by(self, placed: Placed) -> Mapping[int, float]:
        outline = silhouette(placed, self._height(placed), self._kept.view)
        space = self._kept.view.space_px(placed.x, placed.y) * self._kept.small.scale
        part, inside = self._filled(outline, self._weighing.region_margin_spaces * space + 3)
        if part is None:
            return {}
        labels, counts = np.unique(self._labels[part][inside], return_counts=True)
        return {
            int(label) - 1: float(count) / self._areas[label]
            for label, count in zip(labels, counts, strict=True)
            if label > 0
        }

    def _height(self, placed: Placed) -> float:
        """How high it lies, if it lies on what lay there before."""
        levels = placed.level if placed.piece.kind in (Kind.TILE, Kind.CARD) else placed.level + 1
        if levels == 0:
            return 0.0
        below = [(other, height) for other, height in self._kept.stack if _key(other) != _key(placed)]
        return min(height_at(below, placed.x, placed.y), levels * self._weighing.max_level_height)

    def _filled(self, outline: Floats, wider: float) -> tuple[tuple[slice, slice] | None, NDArray[np.bool_]]:
        """The part of the small picture around an outline, and which of its pixels lie inside."""
        points = outline * self._kept.small.scale
        rows, columns = self._labels.shape
        low = np.floor(points.min(axis=0) - wider - 1).astype(int)
        high = np.ceil(points.max(axis=0) + wider + 2).astype(int)
        low, high = np.maximum(low, 0), np.minimum(high, (columns, rows))
        if (high <= low).any() or not np.isfinite(points).all():
            return None, np.zeros((0, 0), np.bool_)
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        shifted = np.round((points - low) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, shifted, 1, cv2.LINE_8, 4)
        if wider:
            size = 2 * round(wider) + 1
            mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))).astype(np.uint8)
        return (slice(low[1], high[1]), slice(low[0], high[0])), mask > 0


def _key(placed: Placed) -> tuple[object, ...]:
    return (placed.piece.kind, placed.piece.size, placed.x, placed.y, placed.angle, placed.level, placed.pose)


def _traces(
    found: Difference, kept: Kept, weighing: EvidenceWeights
) -> tuple[NDArray[np.int32], list[float], list[ChangedRegion]]:
    """Connected stretches of what changed; label n is trace n - 1. What is too small for one is wiped out."""
    count, labels, stats, middles = cv2.connectedComponentsWithStats(found.changed.astype(np.uint8))
    otherwise = np.maximum(np.bincount(labels[found.shade != 0], minlength=count), 1)
    darker = np.bincount(labels[found.shade == -1], minlength=count) / otherwise
    lighter = np.bincount(labels[found.shade == 1], minlength=count) / otherwise
    on_board = kept.view.at_height(np.asarray(middles, np.float64) / kept.small.scale, 0.0)
    numbers, areas, traces = np.zeros(count, np.int32), [0.0], list[ChangedRegion]()
    for label in range(1, count):
        x, y = (float(value) for value in on_board[label])
        coin = COIN_AREA * (kept.view.space_px(x, y) * kept.small.scale) ** 2
        area = float(stats[label, cv2.CC_STAT_AREA])
        if area >= weighing.min_region_coins * coin:
            traces.append(ChangedRegion(x, y, area / coin, float(darker[label]), float(lighter[label])))
            areas.append(area)
            numbers[label] = len(traces)
    return numbers[labels], areas, traces


def guides_of(
    stack: Sequence[tuple[Placed, float]],
    view: ProjectiveCamera,
    table: ObservedTable,
    wide: float,
    tuning: WitnessTuning,
) -> tuple[Floats, Floats]:
    """Points of the board, and where the picture shows them: the pieces seen where they should be."""
    points, pixels = [], []
    for placed, height in stack:
        up = height if placed.piece.kind in STANDING else height + thickness(placed)
        spot = np.array([[placed.x, placed.y, up]])
        expected = view.project(spot)[0]
        reach = (
            wide
            * tuning.camera.reach_spaces
            * view.space_px(placed.x, placed.y)
            * min(1.0, half_extent(placed.piece) + 0.2)
        )
        alike = (s.center_px for s in table.sightings if _may_be(placed, s, tuning.camera.min_probability))
        shown = [at for at in alike if at is not None]
        nearest = min(shown, key=lambda at: float(np.hypot(*(expected - at))), default=None)
        if nearest is not None and float(np.hypot(*(expected - nearest))) < reach:
            points.append(spot[0])
            pixels.append(np.array(nearest))
    return np.array(points).reshape(-1, 3), np.array(pixels).reshape(-1, 2)


def _examples(
    stack: Sequence[tuple[Placed, float]],
    view: ProjectiveCamera,
    looked: Sequence[PieceAppearance],
    tuning: WitnessTuning,
) -> Iterator[Example]:
    """Each piece that lies open to view labels what is seen of it."""
    for placed, height in stack:
        if _is_covered(placed, height, stack):
            continue
        up = height if placed.piece.kind in STANDING else height + thickness(placed)
        x, y = view.project(np.array([[placed.x, placed.y, up]]))[0]
        reach = tuning.evidence.label_reach * view.space_px(placed.x, placed.y) * half_extent(placed.piece)
        for sighting, row in looked:
            if sighting.center_px is None or sighting.kind is not placed.piece.kind or sighting.face != placed.face:
                continue
            near = math.hypot(sighting.center_px[0] - x, sighting.center_px[1] - y) < reach
            label = _as_shown(placed, sighting) if near else None
            if label is not None and sighting.chance_of(*label) >= tuning.appearance.min_label_probability:
                yield sighting, label, row


def _as_shown(placed: Placed, sighting: Sighting) -> Identity | None:
    """What it is, as far as such a side tells it; None where the game does not know that either."""
    suit, rank = sighting.best
    shown = placed.shown
    if (suit is None and rank is None) or (suit and shown.suit is None) or (rank is not None and shown.rank is None):
        return None
    return (shown.suit if suit else None, shown.rank if rank is not None else None)


def _is_covered(placed: Placed, height: float, stack: Sequence[tuple[Placed, float]]) -> bool:
    """Whether something lies on it, in whole or in part."""
    half = half_extent(placed.piece)
    return any(
        above is not placed
        and level >= height + 0.5 * thickness(placed)
        and max(abs(above.x - placed.x), abs(above.y - placed.y)) < half + 0.8 * half_extent(above.piece)
        for above, level in stack
    )


def _same_as(one: Sighting, others: Sequence[Sighting], weighing: EvidenceWeights) -> list[Sighting]:
    """What is seen at the same place of the picture."""
    reach = weighing.same_place_spaces * float(np.ptp(np.array(one.outline_px), axis=0).max())
    return [s for s in others if s.kind is one.kind and _gap_px(one, s) < reach]


def _gap_px(one: Sighting, other: Sighting) -> float:
    if one.center_px is None or other.center_px is None:
        return math.inf
    return math.hypot(one.center_px[0] - other.center_px[0], one.center_px[1] - other.center_px[1])


def _shows_the_same(one: Sighting, other: Sighting, weighing: EvidenceWeights) -> bool:
    """Whether both are one thing, outlined a little otherwise."""
    return one.face is other.face and one.best == other.best and other in _same_as(one, [other], weighing)


def is_hidden(one: Sighting, others: Sequence[Sighting]) -> bool:
    """Whether something lies or stands on the middle of a tile, where its sign is: then it looks like no other."""
    if one.kind is not Kind.TILE or len(one.outline_px) < 3:
        return False
    outline = np.array(one.outline_px, np.float32)
    return any(
        other.kind is not Kind.TILE
        and other.center_px is not None
        and cv2.pointPolygonTest(outline, other.center_px, False) > 0
        for other in others
    )


def _may_be(placed: Placed, sighting: Sighting, likely: float) -> bool:
    """Whether it may be this piece. No tile lies so near to another that it is taken for it, whatever it is read as."""
    if sighting.kind is not placed.piece.kind or placed.face not in (None, sighting.face):
        return False
    shown = placed.shown
    return sighting.kind is Kind.TILE or sighting.chance_of(shown.suit, shown.rank) > likely


def _relaid(table: ObservedTable, kept: Kept, weighing: EvidenceWeights) -> ObservedTable:
    """The same sightings in the board's frame, laid there with all that is known of camera, board and heights."""
    covered = tuple(tuple(kept.ground.to_board(x, y) for x, y in outline) for outline in table.covered)
    return replace(
        table,
        sightings=tuple(_laid(sighting, kept, weighing) for sighting in table.sightings),
        faint=tuple(_laid(sighting, kept, weighing) for sighting in table.faint),
        covered=covered,
    )


def _laid(sighting: Sighting, kept: Kept, weighing: EvidenceWeights) -> Sighting:
    if sighting.center_px is None:
        x, y = kept.ground.to_board(sighting.x, sighting.y)
    else:
        x, y = _lies_at(np.array([sighting.center_px]), sighting.kind, kept, weighing)
    angle, aim = (None if each is None else each - kept.ground.turn for each in (sighting.angle, sighting.aim))
    return replace(sighting, x=x, y=y, angle=angle, aim=aim)


def _lies_at(pixel: Floats, kind: Kind, kept: Kept, weighing: EvidenceWeights) -> tuple[float, float]:
    """Where on the board a thing lies that shows here: where one of its kind lay, or else on what lies highest."""
    own = 0.0 if kind in STANDING else USUAL_THICKNESS[kind]
    places: dict[float, tuple[float, float]] = {}

    def at(height: float) -> tuple[float, float]:
        if height not in places:
            places[height] = _at(pixel, height, kept)
        return places[height]

    best, distance = (0.0, 0.0), weighing.same_place_spaces
    for placed, height in kept.stack:
        if placed.piece.kind is kind:
            x, y = at(round(height + (0.0 if kind in STANDING else thickness(placed)), 3))
            gap = math.hypot(x - placed.x, y - placed.y)
            best, distance = ((x, y), gap) if gap < distance else (best, distance)
    if distance < weighing.same_place_spaces:
        return best
    for level in kept.levels:
        x, y = at(round(level + own, 3))
        if abs(height_at(kept.stack, x, y) - level) < 0.05:
            return x, y
    return at(own)


def _at(pixel: Floats, height: float, kept: Kept) -> tuple[float, float]:
    x, y = kept.view.at_height(pixel, height)[0]
    return float(x), float(y)
