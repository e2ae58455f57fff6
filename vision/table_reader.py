"""Finds and reads every piece of a frame. The models are opened once and serve any number of frames."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision import assemble, lattice, scale
from vision.detect import nearby, shape
from vision.detect.decode import MIN_SCORE, Detection, merged, non_maximum_suppression
from vision.detect.finder import REGION_ZOOM, ZOOMS, Finder, Glance, hand_mask, in_frame, scale_at, scaled_input
from vision.detect.nearby import Box, Region
from vision.detect.outliner import OUTLINED_TWICE, Outliner, close_ups, kept
from vision.frame import Frame
from vision.identify.again import doubts_read_again
from vision.identify.compared import with_compared_coins, with_compared_kinds, with_compared_sides
from vision.identify.deck import cards_in, decktet
from vision.identify.dice import Dice
from vision.identify.found_cards import is_played, shows_cards, with_found_cards
from vision.identify.name import name
from vision.identify.read import CropReading, Reader, TunedReader, crop_matrix, crops, picture
from vision.identify.rivals import without_rivals
from vision.inventory import assign_identities, with_surplus_doubted
from vision.nets import open_session
from vision.piece import CERTAIN, FAINT, DetectedPiece
from vision.plane import Plane
from vision.priors import TablePriors
from vision.read_cache import ReadCache, with_indices
from vision.rectify import Layers
from vision.scene import Candidate, SceneNet, candidates_of
from vision.standing import with_feet

MIN_HAND_SHARE = 0.004
"""Smallest share of the frame that counts as a hand in view."""
MIN_GAIN = 0.02
"""A zoom or region that adds no more than this share of the total confidence is not needed for this table."""
MAX_REGIONS = 3
"""Largest number of regions searched in one frame, each larger than the one before (budget)."""
MIN_SCALE_GAIN = 1.25
"""Factor of the scale from which the whole frame is searched once more (budget)."""
NEUTRAL_AGREEMENT = 0.5
"""`Detection.agreed` of a detection that the outliner never saw: no evidence either way."""
SAME_PLANE_INCHES = 0.05
"""Two planes are the same if no piece moves by more than this between them, in inches."""


@dataclass(frozen=True, slots=True)
class FrameResult:
    """Everything found and read in one frame."""

    frame: Frame
    pieces: list[DetectedPiece]
    plane: Plane | None
    hand_share: float
    contradictions: list[str]
    timings_ms: dict[str, float]
    zooms: tuple[float, ...] = ZOOMS
    """The zooms that are needed to find these pieces; the others added next to nothing."""
    region: Region | None = None
    """The region of the frame whose separate search added pieces, if any."""
    hands: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)
    """Mask of the map cells covered by hands; None if only their share is known."""
    faint: list[DetectedPiece] = field(default_factory=list)
    """Candidates too uncertain to report, which may still confirm a piece that is expected there."""

    @property
    def has_hand(self) -> bool:
        return self.hand_share > MIN_HAND_SHARE


@dataclass(slots=True)
class StageTimes:
    """Elapsed time of each stage in milliseconds, in order."""

    stages: dict[str, float] = field(default_factory=dict)
    last: float = field(default_factory=time.perf_counter)

    def mark(self, stage: str) -> None:
        """Add the time since the last mark to `stage`."""
        now = time.perf_counter()
        self.stages[stage] = self.stages.get(stage, 0.0) + (now - self.last) * 1e3
        self.last = now


class TableReader:
    """The open models of the reading pipeline. Opening and warming up happens in the constructor."""

    def __init__(
        self,
        threads: int = 2,
        certain: float = CERTAIN,
        weights: Path | None = None,
        priors: TablePriors | None = None,
    ) -> None:
        """`certain`: smallest certainty of a reported piece. `weights`: folder of models, if not the shipped ones.
        `priors`: what is known of the table in advance."""
        self.priors = priors
        self.deck = decktet()
        self.finder = Finder(open_session("finder", threads, weights))
        self.outliner = Outliner(open_session("outliner", threads, weights))
        self.reader = self._shipped_reader = Reader(open_session("reader", threads, weights))
        self._tuned_reader: tuple[bytes, Reader] | None = None
        self._session_options = threads, weights
        self.dice = Dice(open_session("dice", threads, weights))
        self.scene = SceneNet(lambda: open_session("scene", threads, weights))
        self.certain = certain
        self.faint_limit = min(certain, FAINT)
        self.clock = StageTimes()
        self._named_cache: dict[CropReading, DetectedPiece] = {}
        self._lock = threading.Lock()
        self.look(Frame(np.zeros((720, 1280, 3), np.uint8)))  # the first run of a session is slow

    def look(
        self,
        frame: Frame,
        priors: TablePriors | None = None,
        zooms: tuple[float, ...] = ZOOMS,
        cache: ReadCache | None = None,
        region: Region | None = None,
    ) -> FrameResult:
        """`zooms` and `region`: the zooms and the region that were needed for this table before. `cache`: earlier reads
        of this table. Concurrent calls wait for each other, because two at once take up to 43 MB more."""
        with self._lock:
            priors = priors or self.priors
            self.use_reader(priors.reader if priors else None)
            self.clock = StageTimes()
            layers = Layers(frame.image)
            glances = self.find_all(layers, zooms)
            regions = {region: self.find_in_region(layers, region)} if region else {}
            is_first = zooms == ZOOMS and region is None and cache is None
            candidates = self._candidates(layers, glances, regions, priors, cache or ReadCache(), is_first)
            return self._result(frame, candidates, glances, regions, priors)

    def use_reader(self, tuned: bytes | None) -> None:
        """Use this tuned reader (ONNX file content) from now on, or the shipped one if None."""
        if tuned is None:
            self.reader = self._shipped_reader
            return
        if self._tuned_reader is None or self._tuned_reader[0] is not tuned:
            session = open_session("reader", *self._session_options, tuned)
            self._tuned_reader = tuned, TunedReader(session, self._shipped_reader)
        self.reader = self._tuned_reader[1]

    def _candidates(
        self,
        layers: Layers,
        glances: Mapping[float, Glance],
        regions: dict[Region, Glance],
        priors: TablePriors | None,
        cache: ReadCache,
        is_first: bool,
    ) -> list[DetectedPiece]:
        """All candidates, faint ones included. `is_first`: also search the regions in which pieces lie and add them to
        `regions`."""
        reads = self.read_cached(layers, [*glances.values(), *regions.values()], cache)
        if is_first:
            reads = self.search_regions(layers, reads, regions)
        pieces = self.assess(layers, reads, priors, cache)
        if not is_first or not is_played(cache.cards or []):
            return pieces
        corners = [card.corners for card in cache.cards or []]
        box = nearby.region_of_cards(corners, layers.grey.shape[::-1], regions)
        if box is None:
            return pieces
        region = self.scaled_region(layers, box, reads, REGION_ZOOM)
        return self.assess(layers, self.search_region(layers, reads, region, regions), priors, cache)

    def _result(
        self,
        frame: Frame,
        candidates: list[DetectedPiece],
        glances: Mapping[float, Glance],
        regions: Mapping[Region, Glance],
        priors: TablePriors | None,
    ) -> FrameResult:
        """The frame's result: identities assigned, pieces placed on the table, and the zooms and region that were
        needed."""
        reported = self.reported(candidates)
        faint = [piece for piece in candidates if piece.certainty < self.certain]
        found_by_zoom = {zoom: found_mask(glance.found, reported) for zoom, glance in glances.items()}
        zooms = needed_zooms(found_by_zoom, reported)
        found_by_region = {region: found_mask(part.found, reported) for region, part in regions.items()}
        hand_cells = glances[zooms[0]].hands
        settled = assign_identities(priors.reweight(reported) if priors else reported)
        self.clock.mark("assign")
        plane = priors.plane(settled.pieces, frame.size) if priors else None
        plane = plane or assemble.table_plane(settled.pieces, frame.size)
        footed = with_feet([*settled.pieces, *faint], plane, frame.size)
        placed = assemble.with_positions(footed[: len(settled.pieces)], plane, frame.size)
        faint = assemble.with_positions(footed[len(settled.pieces) :], plane, frame.size)
        self.clock.mark("place")
        return FrameResult(
            frame,
            placed,
            plane,
            float(hand_cells.mean()),
            settled.contradictions,
            timing_report(self.clock.stages),
            zooms,
            needed_region(found_by_region, [found_by_zoom[zoom] for zoom in zooms], reported),
            hand_cells,
            faint,
        )

    @property
    def weights(self) -> Mapping[str, float]:
        """Fitted weights of the evidence for each kind and answer, from the registry."""
        return self.reader.session.model.temperatures

    def named_pieces(self, reads: Sequence[CropReading]) -> list[DetectedPiece]:
        """The pieces of these reads; each read is named once until `weigh` clears the cache."""
        out = []
        for read in reads:
            piece = self._named_cache.get(read)
            if piece is None:  # another thread may weigh at the same time, which forgets them all
                piece = self._named_cache[read] = name(read, self.weights)
            out.append(piece)
        return out

    def reported(self, pieces: list[DetectedPiece]) -> list[DetectedPiece]:
        """The pieces certain enough to be reported."""
        return [piece for piece in pieces if piece.certainty >= self.certain]

    def seen_at_all(self, pieces: list[DetectedPiece]) -> list[DetectedPiece]:
        """The pieces certain enough to be kept as faint ones."""
        return [piece for piece in pieces if piece.certainty >= self.faint_limit]

    def assess(
        self, layers: Layers, reads: list[CropReading], priors: TablePriors | None, cache: ReadCache
    ) -> list[DetectedPiece]:
        """The candidates of these reads with certainties from all evidence, without rivals, and with the cards
        recognised by their print. Faint ones are included."""
        pieces = self.weigh(layers, self.with_second_reads(layers, reads))
        pieces = self.seen_at_all(with_surplus_doubted(without_rivals(self.seen_at_all(pieces))))
        pieces = with_compared_coins(pieces)
        self.clock.mark("weigh")
        if not shows_cards(pieces):
            return pieces
        if cache.cards is None:
            card_pieces = [piece for piece in pieces if piece.kind == "card"]
            plane = assemble.table_plane(pieces, layers.grey.shape[::-1])
            cache.cards = cards_in((priors.deck if priors else None) or self.deck, layers.grey, card_pieces, plane)
        self.clock.mark("cards")
        return self.seen_at_all(with_found_cards(pieces, cache.cards))

    def read_by_size(self, layers: Layers, reads: list[CropReading]) -> list[CropReading]:
        """Second reads of squares, of which no net knows the scale: as tiles, of dice that have the size of a tile, and
        as dice, of tiles that have that of a die. `weigh` decides between the two."""
        named = self.named_pieces(reads)
        table_scale = scale.find(named)
        detections = [
            replace(reads[index].found, kind="tile", outline=outline, agreed=NEUTRAL_AGREEMENT)
            for index, outline in scale.maybe_tiles(table_scale, named)
        ]
        small = [reads[index].found for index in scale.maybe_dice(table_scale, named)]
        detections += [replace(found, kind="die", agreed=found.square) for found in small if found.square]
        return self.read(layers, detections) if detections else []

    def read_in_cells(self, layers: Layers, reads: list[CropReading]) -> list[CropReading]:
        """Reads of the cells of a board in which a tile was outlined inexactly, or not seen under other pieces."""
        cells = lattice.doubtful_cells(layers.grey, self.named_pieces(reads))
        self.clock.mark("weigh")
        if not cells:
            return []
        scores = [MIN_SCORE if index is None else reads[index].found.score for index, _ in cells]
        scored = zip(scores, cells, strict=True)
        found = [Detection("tile", score, quad.mean(axis=0), quad) for score, (_, quad) in scored]
        outlined = zip(found, self.outline_once(layers, found), strict=True)
        return self.read(layers, [replace(cell, agreed=seen.agreed) for cell, seen in outlined if seen.kind == "tile"])

    def all_candidates(self, layers: Layers, zooms: tuple[float, ...] = ZOOMS) -> list[Candidate]:
        """All candidates of a picture as the scene net sees them, which learns from them: of a first look (all zooms,
        and the regions in which pieces lie), or of a further one."""
        with self._lock:
            reads = self.read_cached(layers, list(self.find_all(layers, zooms).values()), ReadCache())
            if zooms == ZOOMS:
                reads = self.search_regions(layers, reads, {})
            return self.candidates(layers, self.with_second_reads(layers, reads))

    def with_second_reads(self, layers: Layers, reads: list[CropReading]) -> list[CropReading]:
        """The reads, with those of squares of doubtful scale and of the cells of a board."""
        reads = [*reads, *self.read_by_size(layers, reads)]
        return [*reads, *self.read_in_cells(layers, reads)]

    def candidates(self, layers: Layers, reads: list[CropReading]) -> list[Candidate]:
        """The candidates of these reads, compared with each other, with refined corners."""
        compared = with_compared_kinds(with_compared_sides(reads, self.weights), self.weights)
        out = candidates_of(layers, compared, self.named_pieces(compared))
        self._named_cache.clear()
        self.clock.mark("weigh")
        return out

    def weigh(self, layers: Layers, reads: list[CropReading]) -> list[DetectedPiece]:
        """The pieces of these reads with certainties from the whole picture."""
        pieces = self.scene(self.candidates(layers, reads), layers.grey.shape[::-1])
        self.clock.mark("scene")
        return [with_tile_picture(layers, piece, self.reader.side) for piece in pieces]

    def search_regions(
        self, layers: Layers, reads: list[CropReading], regions: dict[Region, Glance]
    ) -> list[CropReading]:
        """The reads, with those of the regions in which the pieces lie. Pieces found in a region may reach farther out;
        then a larger region is searched, until it no longer grows."""
        while len(regions) < MAX_REGIONS:
            region = self.next_region(layers, reads)
            if region is None or nearby.is_searched(region.box, regions):
                break
            reads = self.search_region(layers, reads, region, regions)
        return reads

    def next_region(self, layers: Layers, reads: list[CropReading]) -> Region | None:
        """The region of the pieces in the scale that fits their size. If they lie all over the frame, the whole of it,
        unless that scale is nearly the one of zoom 1."""
        height, width = layers.grey.shape
        box = nearby.region_of_pieces(self.reported(self.named_pieces(reads)), (width, height))
        if box is not None:
            return self.scaled_region(layers, box, reads, REGION_ZOOM)
        whole = self.scaled_region(layers, (0, 0, width, height), reads, 1.0)
        return whole if whole.scale > MIN_SCALE_GAIN * scale_at(layers, 1.0) else None

    def scaled_region(self, layers: Layers, box: Box, reads: list[CropReading], zoom: float) -> Region:
        """The region in the scale that fits the pieces, at least that of `zoom`; as large as may be where too few are
        seen to tell their size."""
        tile_px = scale.tile_side(self.named_pieces(reads)) if reads else nearby.TILE_PX
        fitting = nearby.MAX_ENLARGED if tile_px is None else nearby.TILE_PX / tile_px
        return Region(box, nearby.enlarged(box, fitting, scale_at(layers, zoom)))

    def search_region(
        self, layers: Layers, reads: list[CropReading], region: Region, regions: dict[Region, Glance]
    ) -> list[CropReading]:
        """The reads, with those of this region, whose detections are added to `regions`."""
        regions[region] = self.find_in_region(layers, region)
        outlined = self.outline(layers, regions[region].found)
        return [*reads, *self.read(layers, without_duplicates(outlined, [read.found for read in reads]))]

    def read_cached(self, layers: Layers, glances: list[Glance], cache: ReadCache) -> list[CropReading]:
        """Reads of all detections, from the cache where the picture has not changed."""
        detections = with_indices(merged([glance.found for glance in glances]))
        cached = cache.unchanged(layers.grey, detections)
        self.clock.mark("cache")
        outlined = self.outline(layers, [each for each in detections if each.index not in cached])
        cached_reads = [each.read for each in cached.values() if each.read]
        new_reads = self.read(layers, without_duplicates(outlined, [read.found for read in cached_reads]))
        cache.keep(detections, cached, {read.found.index: read for read in new_reads})
        return [*cached_reads, *new_reads]

    def find_all(self, layers: Layers, zooms: tuple[float, ...] = ZOOMS) -> dict[float, Glance]:
        """The detections at each zoom. Zooms that give a small frame the same size are searched once."""
        sizes = {scale_at(layers, zoom): zoom for zoom in reversed(zooms)}
        return {zoom: self.find(layers, scale_at(layers, zoom)) for zoom in zooms if zoom in sizes.values()}

    def find(self, layers: Layers, scale: float) -> Glance:
        prepared = scaled_input(layers, scale)
        self.clock.mark("prepare")
        raw = self.finder.raw(prepared)
        self.clock.mark("find (inference)")
        glance = Glance(self.finder.decode(raw, prepared), hand_mask(raw, prepared))
        self.clock.mark("decode")
        return glance

    def find_in_region(self, layers: Layers, region: Region) -> Glance:
        """The detections of one region of the frame, searched separately in its scale."""
        left, top, right, bottom = region.box
        crop = Layers(np.ascontiguousarray(layers.full[top:bottom, left:right]))
        return in_frame(self.find(crop, region.scale), (left, top))

    def outline(self, layers: Layers, found: list[Detection]) -> list[Detection]:
        """The detections with outlines; kinds in ROUGH are outlined twice."""
        once = kept(self.outline_once(layers, found))
        again = iter(self.outline_once(layers, [each for each in once if each.kind in OUTLINED_TWICE]))
        return kept([next(again) if each.kind in OUTLINED_TWICE else each for each in once])

    def outline_once(self, layers: Layers, found: list[Detection]) -> list[Detection]:
        """The detections with outlines from one pass of the outliner."""
        batch = close_ups(layers, found, self.outliner.close)
        self.clock.mark("close-ups")
        outlined = self.outliner(batch, found)
        self.clock.mark("outline (inference)")
        return outlined

    def read(self, layers: Layers, found: list[Detection]) -> list[CropReading]:
        reads = self.dice(layers, self.read_whole(layers, found))
        self.clock.mark("dice (inference)")
        return reads

    def read_whole(self, layers: Layers, found: list[Detection]) -> list[CropReading]:
        """Before dice are read by the net that reads only them."""
        batch, matrices = crops(layers, found, self.reader.side)
        self.clock.mark("rectify")
        reads = self.reader(batch, found, matrices)
        self.clock.mark("read (inference)")
        reads = doubts_read_again(self.reader, layers, reads)
        self.clock.mark("read again (inference)")
        return reads


def with_tile_picture(layers: Layers, piece: DetectedPiece, side: int) -> DetectedPiece:
    """A tile with its crop, cut by its final corners; other pieces unchanged."""
    if piece.kind != "tile" or piece.signs is None:
        return piece
    found = Detection(piece.kind, piece.certainty, piece.center, piece.outline)
    return replace(piece, signs=replace(piece.signs, picture=picture(layers, found, crop_matrix(found, side), side)))


def on_common_plane(looks: Sequence[FrameResult]) -> list[FrameResult]:
    """The results of several looks at one still table, placed on the plane of all their tiles, so that a tile keeps one
    position."""
    if all(_fits_plane(look, looks[-1].plane) for look in looks):
        return list(looks)
    size = looks[-1].frame.size
    plane = assemble.table_plane([piece for look in looks for piece in look.pieces], size)
    return [
        replace(
            look,
            plane=plane,
            pieces=assemble.with_positions(look.pieces, plane, size),
            faint=assemble.with_positions(look.faint, plane, size),
        )
        for look in looks
    ]


def _fits_plane(look: FrameResult, plane: Plane | None) -> bool:
    """Whether the pieces of a result keep their positions on this plane (those of a calibrated table do)."""
    placed = [(piece.center, piece.position) for piece in look.pieces if piece.position is not None]
    if not placed or look.plane is None or plane is None or look.plane is plane:
        return look.plane is plane or not placed
    centers = np.array([center for center, _ in placed])
    return bool(np.abs(look.plane.to_table(centers) - plane.to_table(centers)).max() < SAME_PLANE_INCHES)


def without_duplicates(found: list[Detection], known: list[Detection]) -> list[Detection]:
    """The detections of `found` that are no duplicates of those in `known`."""
    unique = {id(each) for each in non_maximum_suppression([*known, *found])}
    return [each for each in found if id(each) in unique]


def found_mask(found: list[Detection], pieces: list[DetectedPiece]) -> NDArray[np.bool_]:
    """Which of the pieces have a detection of their kind at their place."""
    if not found or not pieces:
        return np.zeros(len(pieces), np.bool_)
    kinds = np.array([each.kind for each in found])
    centers = np.array([piece.center for piece in pieces])
    gaps = np.linalg.norm(centers[:, None] - [each.center for each in found], axis=2)
    gaps[np.array([piece.kind for piece in pieces])[:, None] != kinds] = np.inf
    reach = 0.3 * np.sqrt([shape.area(piece.outline) for piece in pieces])
    return np.asarray(gaps.min(axis=1) < reach)


def needed_zooms(found: dict[float, NDArray[np.bool_]], pieces: list[DetectedPiece]) -> tuple[float, ...]:
    """The zoom that finds most, and every other that adds more than MIN_GAIN."""
    weights = np.array([piece.confidence for piece in pieces])
    chosen: list[float] = []
    covered = np.zeros(len(pieces), np.bool_)
    while len(chosen) < len(found):
        gains = {zoom: float(weights[there & ~covered].sum()) for zoom, there in found.items() if zoom not in chosen}
        zoom = max(gains, key=gains.__getitem__)
        if chosen and gains[zoom] <= MIN_GAIN * weights.sum():
            break
        chosen.append(zoom)
        covered |= found[zoom]
    return tuple(chosen)


def needed_region(
    found: dict[Region, NDArray[np.bool_]], found_by_zooms: list[NDArray[np.bool_]], pieces: list[DetectedPiece]
) -> Region | None:
    """The region that finds most of what the zooms missed, the largest of several, if that is more than MIN_GAIN."""
    weights = np.array([piece.confidence for piece in pieces])
    missed = ~np.any(found_by_zooms, axis=0)
    gains = {region: float(weights[there & missed].sum()) for region, there in found.items()}
    best = max(gains, key=lambda region: (gains[region], nearby.area(region.box)), default=None)
    return best if best is not None and gains[best] > MIN_GAIN * weights.sum() else None


def total_confidence(pieces: list[DetectedPiece]) -> float:
    return sum(piece.confidence for piece in pieces)


def timing_report(stages: dict[str, float]) -> dict[str, float]:
    """Rounded stage times with their total and the share that is model inference."""
    total = sum(stages.values())
    inference = sum(ms for stage, ms in stages.items() if "inference" in stage)
    return {stage: round(ms, 2) for stage, ms in stages.items()} | {
        "total": round(total, 2),
        "inference_share": round(inference / total, 3) if total else 0.0,
    }
