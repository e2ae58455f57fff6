"""Finds and reads every piece of a frame: the models are opened once, for as many frames as you like."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision import assemble, context, scale
from vision.detect import nearby, shape
from vision.detect.decode import Detection, merged, without_doubles
from vision.detect.edges import sharpened
from vision.detect.finder import NEAREST, ZOOMS, Finder, Glance, hands, of_part, prepare, scale_at
from vision.detect.nearby import Box
from vision.detect.outliner import ROUGH, Outliner, close_ups, kept
from vision.frame import Frame, Picture
from vision.identify import mosaic
from vision.identify.again import doubts_read_again
from vision.identify.backs import told_apart
from vision.identify.deck import Deck, cards_in, decktet
from vision.identify.dice import Dice
from vision.identify.found_cards import is_played, joined, shows_cards
from vision.identify.name import cornered, name
from vision.identify.read import CropReading, Reader, TunedReader, crop_matrix, crops, picture
from vision.identify.rivals import without_rivals
from vision.inventory import settle
from vision.nets import open_session
from vision.pawns import stood
from vision.piece import CERTAIN, FAINT, DetectedPiece
from vision.plane import Plane
from vision.priors import TablePriors
from vision.read_cache import ReadCache, numbered
from vision.rectify import Layers

HAND = 0.004
"""A hand that covers less than this share of the frame is none."""
POSSIBLE = 0.02
"""What is less certain than this no neighbour can save."""
ADDS = 0.02
"""A size of the frame that shows no more than this share of a table's pieces for itself is not looked at again."""
MOST_PARTS = 3
"""So many parts of the frame are looked at by themselves, each larger than the one before (budget)."""
STRAIGHT = ("tile", "card")
UNASKED = 0.5
"""How surely the closer look says what it was never asked."""
ALIKE = 0.05
"""Planes that lay everything within so much of a space are one."""


@dataclass(frozen=True, slots=True)
class FrameResult:
    """What was found and read in one frame."""

    frame: Frame
    pieces: list[DetectedPiece]
    plane: Plane | None
    hand_share: float
    contradictions: list[str]
    timings_ms: dict[str, float]
    zooms: tuple[float, ...] = ZOOMS
    """The sizes of the frame that showed what there is: what one of them showed no other need show."""
    near: Box | None = None
    """The part of the frame that showed more when it was looked at by itself."""
    hands: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)
    """Where in the frame hands are, in cells; None where only their share is known."""
    faint: list[DetectedPiece] = field(default_factory=list)
    """What is too uncertain to be reported, but may be what is known to lie there."""

    @property
    def hand(self) -> bool:
        """Whether a hand is in view."""
        return self.hand_share > HAND


@dataclass(slots=True)
class StageTimes:
    """The time of each stage, in the order they come."""

    stages: dict[str, float] = field(default_factory=dict)
    last: float = field(default_factory=time.perf_counter)

    def mark(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = self.stages.get(stage, 0.0) + (now - self.last) * 1e3
        self.last = now


class TableReader:
    """Holds the open models; loading and warming happen here, once."""

    def __init__(
        self,
        threads: int = 2,
        certain: float = CERTAIN,
        weights: Path | None = None,
        priors: TablePriors | None = None,
        deck: Deck | None = None,
    ) -> None:
        """`weights`: a folder with models other than the shipped ones; `priors`: what is known of the table already;
        `deck`: the cards that are usually played with, if not the Decktet."""
        self.priors = priors
        self.deck = deck or decktet()
        self.finder = Finder(open_session("finder", threads, weights))
        self.outliner = Outliner(open_session("outliner", threads, weights))
        self.reader = self._shipped = Reader(open_session("reader", threads, weights))
        self._tuned: tuple[bytes, Reader] | None = None
        self._opened = threads, weights
        self.dice = Dice(open_session("dice", threads, weights))
        self.certain = certain
        self.least = min(certain, FAINT)
        self.clock = StageTimes()
        self._named: dict[CropReading, DetectedPiece] = {}
        self._alone = threading.Lock()
        self.look(Frame(np.zeros((720, 1280, 3), np.uint8)))  # the first run of a session is slow

    def look(
        self,
        frame: Frame,
        priors: TablePriors | None = None,
        zooms: tuple[float, ...] = ZOOMS,
        cache: ReadCache | None = None,
        near: Box | None = None,
    ) -> FrameResult:
        """`zooms`: the sizes of the frame that showed this table before, and `near` the part that showed more of it;
        `cache`: what was read of it. Who asks while another look goes on waits: two at once take up to 43 MB more."""
        with self._alone:
            priors = priors or self.priors
            self.reading_with(priors.reader if priors else None)
            self.clock = StageTimes()
            layers = Layers(frame.image)
            glances = self.find_all(layers, zooms)
            parts = {near: self.find_in(layers, near)} if near else {}
            is_first = zooms == ZOOMS and near is None and cache is None
            everything = self._everything(layers, glances, parts, priors, cache or ReadCache(), is_first)
            return self._laid(frame, everything, glances, parts, priors)

    def reading_with(self, tuned: bytes | None) -> None:
        """From now on with this file of a reader (ONNX) that was tuned on a set, or with the shipped one alone."""
        if tuned is None:
            self.reader = self._shipped
            return
        if self._tuned is None or self._tuned[0] is not tuned:
            self._tuned = tuned, TunedReader(open_session("reader", *self._opened, tuned), self._shipped)
        self.reader = self._tuned[1]

    def _everything(
        self,
        layers: Layers,
        glances: Mapping[float, Glance],
        parts: dict[Box, Glance],
        priors: TablePriors | None,
        cache: ReadCache,
        is_first: bool,
    ) -> list[DetectedPiece]:
        """What is there, the faint too. A first look looks for the parts in which the pieces lie, and adds them."""
        reads = self.read_again(layers, [*glances.values(), *parts.values()], cache)
        if is_first:
            reads = self.read_nearby(layers, reads, parts)
        everything = self.likely(layers, reads, priors, cache)
        cards = cache.cards() or []
        if is_first and is_played(cards):
            box = nearby.about([card.corners for card in cards], layers.grey.shape[::-1], parts)
            if box is not None:
                reads = self.read_part(layers, reads, box, parts)
                everything = self.likely(layers, reads, priors, cache)
        return everything

    def _laid(
        self,
        frame: Frame,
        everything: list[DetectedPiece],
        glances: Mapping[float, Glance],
        parts: Mapping[Box, Glance],
        priors: TablePriors | None,
    ) -> FrameResult:
        """What is sure with its identities given out and its place on the table, and what showed it."""
        likely = self.sure(everything)
        faint = [piece for piece in everything if piece.certainty < self.certain]
        shows = {zoom: found_among(glance.found, likely) for zoom, glance in glances.items()}
        needed = needed_zooms(shows, likely)
        shows_near = {box: found_among(part.found, likely) for box, part in parts.items()}
        covered = glances[needed[0]].hands
        settled = settle(priors.named(likely) if priors else likely)
        self.clock.mark("assign")
        plane = priors.plane(settled.pieces, frame.size) if priors else None
        plane = plane or assemble.table_plane(settled.pieces, frame.size)
        standing = stood([*settled.pieces, *faint], plane)
        placed = assemble.placed(standing[: len(settled.pieces)], plane, frame.size)
        faint = assemble.placed(standing[len(settled.pieces) :], plane, frame.size)
        self.clock.mark("place")
        return FrameResult(
            frame,
            placed,
            plane,
            float(covered.mean()),
            settled.contradictions,
            summed(self.clock.stages),
            needed,
            needed_part_of(shows_near, [shows[zoom] for zoom in needed], likely),
            covered,
            faint,
        )

    @property
    def weights(self) -> Mapping[str, float]:
        """What the registry says of how far each answer is to be trusted."""
        return self.reader.session.model.temperatures

    def named(self, reads: Sequence[CropReading]) -> list[DetectedPiece]:
        """The pieces that these readings show; each is named once until all are weighed."""
        out = []
        for read in reads:
            piece = self._named.get(read)
            if piece is None:  # another thread may weigh at the same time, which forgets them all
                piece = self._named[read] = name(read, self.weights)
            out.append(piece)
        return out

    def sure(self, pieces: list[DetectedPiece]) -> list[DetectedPiece]:
        """What is certain enough to be reported."""
        return [piece for piece in pieces if piece.certainty >= self.certain]

    def likely(
        self, layers: Layers, reads: list[CropReading], priors: TablePriors | None, cache: ReadCache
    ) -> list[DetectedPiece]:
        """What is there, of what was read: weighed, the faint too, with the cards that are known by their drawings."""
        pieces = self.weighed(layers, [*reads, *self.read_by_size(layers, reads)])
        pieces = without_rivals([piece for piece in pieces if piece.certainty >= self.least])
        self.clock.mark("weigh")
        if not shows_cards(pieces):
            return pieces
        cards = cache.cards()
        if cards is None:
            seen = [piece for piece in pieces if piece.kind == "card"]
            plane = assemble.table_plane(pieces, layers.grey.shape[::-1])
            cards = cards_in((priors.deck if priors else None) or self.deck, layers.grey, seen, plane)
            cache.keep_cards(cards)
        self.clock.mark("cards")
        return joined(pieces, cards)

    def read_by_size(self, layers: Layers, reads: list[CropReading]) -> list[CropReading]:
        """What was taken for a die and has the size of a tile, read as a tile too: weighing says which it is."""
        named = self.named(reads)
        found = [
            replace(reads[index].found, kind="tile", outline=outline, agreed=UNASKED)
            for index, outline in scale.maybe_tiles(scale.find(named), named)
        ]
        return self.read(layers, found) if found else []

    def weighed(self, layers: Layers, reads: list[CropReading]) -> list[DetectedPiece]:
        """How certain each is, once they have all been heard."""
        pieces = context.reweighted(self.named(told_apart(reads, self.weights)), self.weights, layers)
        self._named.clear()
        self.clock.mark("weigh")
        sharp = self.sharpen(layers.grey, [piece for piece in pieces if piece.certainty >= POSSIBLE])
        agreed = mosaic.agreed(layers.grey, sharp)
        out = [with_picture(layers, piece, self.reader.side) for piece in agreed]
        self.clock.mark("weigh")
        return out

    def read_nearby(self, layers: Layers, reads: list[CropReading], parts: dict[Box, Glance]) -> list[CropReading]:
        """With what the part in which the pieces lie shows by itself. What that shows may tell that they lie farther
        out: then a larger part is looked at, until it grows no more."""
        height, width = layers.grey.shape
        while len(parts) < MOST_PARTS:
            box = nearby.around(self.sure(self.named(reads)), (width, height))
            if box is None or nearby.is_looked_at(box, parts):
                break
            reads = self.read_part(layers, reads, box, parts)
        return reads

    def read_part(
        self, layers: Layers, reads: list[CropReading], box: Box, parts: dict[Box, Glance]
    ) -> list[CropReading]:
        """With what this part shows by itself, which is added to the parts."""
        parts[box] = self.find_in(layers, box)
        outlined = self.outline(layers, parts[box].found)
        return [*reads, *self.read(layers, without_known(outlined, [read.found for read in reads]))]

    def read_again(self, layers: Layers, glances: list[Glance], cache: ReadCache) -> list[CropReading]:
        """All that may be pieces, as read now or (what has not changed) before."""
        rough = numbered(merged([glance.found for glance in glances]))
        cached = cache.unchanged(layers.grey, rough)
        self.clock.mark("cache")
        fresh = self.outline(layers, [each for each in rough if each.place not in cached])
        before = [each.read for each in cached.values() if each.read]
        now = self.read(layers, without_known(fresh, [read.found for read in before]))
        cache.keep(rough, cached, {read.found.place: read for read in now})
        return [*before, *now]

    def find_all(self, layers: Layers, zooms: tuple[float, ...] = ZOOMS) -> dict[float, Glance]:
        """What each size of the frame shows; sizes of a small frame that are one are looked at once."""
        sizes = {scale_at(layers, zoom): zoom for zoom in reversed(zooms)}
        return {zoom: self.find(layers, zoom) for zoom in zooms if zoom in sizes.values()}

    def find(self, layers: Layers, zoom: float) -> Glance:
        prepared = prepare(layers, zoom)
        self.clock.mark("prepare")
        raw = self.finder.raw(prepared)
        self.clock.mark("find (inference)")
        glance = Glance(self.finder.decode(raw, prepared), hands(raw, prepared))
        self.clock.mark("decode")
        return glance

    def find_in(self, layers: Layers, box: Box) -> Glance:
        """What a part of the frame shows by itself, in its own size (NEAREST)."""
        left, top, right, bottom = box
        part = Layers(np.ascontiguousarray(layers.full[top:bottom, left:right]))
        zoom = scale_at(layers, NEAREST) / scale_at(part, 1.0)
        return of_part(self.find(part, zoom), (left, top))

    def outline(self, layers: Layers, found: list[Detection]) -> list[Detection]:
        once = kept(self.outlined(layers, found))
        again = iter(self.outlined(layers, [each for each in once if each.kind in ROUGH]))
        return kept([next(again) if each.kind in ROUGH else each for each in once])

    def outlined(self, layers: Layers, found: list[Detection]) -> list[Detection]:
        batch = close_ups(layers, found, self.outliner.close)
        self.clock.mark("close-ups")
        outlined = self.outliner(batch, found)
        self.clock.mark("outline (inference)")
        return outlined

    def sharpen(self, grey: Picture, pieces: list[DetectedPiece]) -> list[DetectedPiece]:
        """Straight-sided things get the corners that the picture's own edges draw."""
        straight = [index for index, piece in enumerate(pieces) if piece.kind in STRAIGHT]
        out = list(pieces)
        for index, quad in zip(straight, sharpened(grey, [pieces[i].outline for i in straight]), strict=True):
            out[index] = cornered(pieces[index], quad)
        self.clock.mark("sharpen")
        return out

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


def with_picture(layers: Layers, piece: DetectedPiece, side: int) -> DetectedPiece:
    """A tile with its picture, now that its corners are seen exactly."""
    if piece.kind != "tile" or piece.signs is None:
        return piece
    found = Detection(piece.kind, piece.certainty, piece.center, piece.outline)
    return replace(piece, signs=replace(piece.signs, picture=picture(layers, found, crop_matrix(found, side), side)))


def on_one_plane(looks: Sequence[FrameResult]) -> list[FrameResult]:
    """Looks at one still table show one plane, that of all their tiles: else one tile would lie in many places."""
    if all(_lies_alike(look, looks[-1].plane) for look in looks):
        return list(looks)
    size = looks[-1].frame.size
    plane = assemble.table_plane([piece for look in looks for piece in look.pieces], size)
    return [
        replace(
            look,
            plane=plane,
            pieces=assemble.placed(look.pieces, plane, size),
            faint=assemble.placed(look.faint, plane, size),
        )
        for look in looks
    ]


def _lies_alike(look: FrameResult, plane: Plane | None) -> bool:
    """Whether this plane lays the look's pieces where they lie already; a calibrated table's does."""
    laid = [(piece.center, piece.position) for piece in look.pieces if piece.position is not None]
    if not laid or look.plane is None or plane is None or look.plane is plane:
        return look.plane is plane or not laid
    centers = np.array([center for center, _ in laid])
    return bool(np.abs(look.plane.to_table(centers) - plane.to_table(centers)).max() < ALIKE)


def without_known(found: list[Detection], there: list[Detection]) -> list[Detection]:
    """What does not double one of those that are known to be there."""
    kept = {id(each) for each in without_doubles([*there, *found])}
    return [each for each in found if id(each) in kept]


def found_among(found: list[Detection], pieces: list[DetectedPiece]) -> NDArray[np.bool_]:
    """Which of the pieces were found in one size of the frame."""
    if not found or not pieces:
        return np.zeros(len(pieces), np.bool_)
    kinds = np.array([each.kind for each in found])
    gaps = np.linalg.norm(
        np.array([piece.center for piece in pieces])[:, None] - [each.center for each in found], axis=2
    )
    gaps[np.array([piece.kind for piece in pieces])[:, None] != kinds] = np.inf
    reach = 0.3 * np.sqrt([shape.area(piece.outline) for piece in pieces])
    return np.asarray(gaps.min(axis=1) < reach)


def needed_zooms(shows: dict[float, NDArray[np.bool_]], pieces: list[DetectedPiece]) -> tuple[float, ...]:
    """The size that shows most, and every other that adds to it."""
    weights = np.array([piece.confidence for piece in pieces])
    chosen: list[float] = []
    seen = np.zeros(len(pieces), np.bool_)
    while len(chosen) < len(shows):
        more = {zoom: float(weights[there & ~seen].sum()) for zoom, there in shows.items() if zoom not in chosen}
        zoom = max(more, key=more.__getitem__)
        if chosen and more[zoom] <= ADDS * weights.sum():
            break
        chosen.append(zoom)
        seen |= shows[zoom]
    return tuple(chosen)


def needed_part_of(
    parts: dict[Box, NDArray[np.bool_]], sizes: list[NDArray[np.bool_]], pieces: list[DetectedPiece]
) -> Box | None:
    """The part that shows most of what the sizes of the frame do not show, if that is worth a look."""
    weights = np.array([piece.confidence for piece in pieces])
    unseen = ~np.any(sizes, axis=0)
    more = {box: float(weights[there & unseen].sum()) for box, there in parts.items()}
    best = max(more, key=more.__getitem__, default=None)
    return best if best is not None and more[best] > ADDS * weights.sum() else None


def total_confidence(pieces: list[DetectedPiece]) -> float:
    return sum(piece.confidence for piece in pieces)


def summed(stages: dict[str, float]) -> dict[str, float]:
    """With the whole, and the share of it that is inference and nothing of ours."""
    total = sum(stages.values())
    inference = sum(ms for stage, ms in stages.items() if "inference" in stage)
    return {stage: round(ms, 2) for stage, ms in stages.items()} | {
        "total": round(total, 2),
        "inference_share": round(inference / total, 3) if total else 0.0,
    }
