"""What the scene net sees: features of every candidate of a picture, and relations of every pair of them.

A candidate is judged by all others: whether its size fits the table, whether another one has its place, whether it
stands on a tile, fits into a board, looks like its neighbours. The scene net learnt what that counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.pieces import RANKS, SUITS, Kind
from vision import odds, scale
from vision.bare import table_similarity
from vision.detect import shape
from vision.detect.channels import KINDS, STAND
from vision.detect.edges import refined_quads
from vision.detect.shape import Floats
from vision.identify import mosaic
from vision.identify.compared import agreements, cosines
from vision.identify.name import agreement, with_corners
from vision.identify.read import CropReading
from vision.nets import OpenModel
from vision.odds import sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Layers

Array = NDArray[np.float32]

STRAIGHT_SIDED: Final = ("tile", "die", "card")
"""Kinds whose outlines are four corners."""
EDGE_TOLERANCE: Final = 0.05
"""Distance beside a tile, in its sides, at which a piece may still stand on it."""
MIN_SUPPORT_CERTAINTY: Final = 0.3
"""Smallest certainty of a tile that supports a piece."""
USUAL_SIZE_PX: Final = 50.0
"""Size in pixels that counts as neither small nor large."""
SAME_PLACE: Final = 0.4
"""Distance below which two candidates share a place, in their mean size."""
OVERLAP_RANGE: Final = 0.75
"""Share of the sum of two sizes within which outlines may overlap."""
CORNER_WIDTH: Final = 0.1
"""Distance at which corners of two tiles count as the same to 1/e, in sides."""
LATTICE_RANGE: Final = 2.6
"""Distance of two tiles up to which they may be neighbours on one board, in sides."""
FAR: Final = 3.0
"""Distance in sides beyond which all are equally far."""
SIZE_SPREAD, SIZE_NATS, MAX_SIZE_NATS, BARE_WEIGHT = 0.1, 0.5, 4.0, 1.8
"""Evidence of the size of a tile against it: SIZE_NATS at SIZE_SPREAD (log of length), growing with the square, up to
MAX_SIZE_NATS; and of its likeness to the table (set: near the weights that were fitted without the scene net)."""
LOGIT_UNIT, LINE_UNIT = 4.0, 3.0
"""Divisors that bring log odds into the range of the other features."""
FEATURES: Final = 37
RELATIONS: Final = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate with what finder, outliner and reader make of it."""

    piece: DetectedPiece
    """With refined corners."""
    score: float
    agreed: float
    agreement: float
    """The probability of its kind by finder, outliner and reader."""
    pyramid: float
    square: float
    classes: Floats
    """The reader's distribution over classes."""
    shift: float
    """How far a corner was moved by refining, in sides."""
    bare: float = 0.0
    """Of a tile: similarity to the bare table (`vision.bare`)."""
    contrast: float = 0.0
    """Of a tile: darkness of its middle lines less that of its sides (`vision.identify.mosaic`)."""


def candidate(read: CropReading, rough: DetectedPiece, piece: DetectedPiece) -> Candidate:
    """The candidate of a read. `rough`, `piece`: as named, and with refined corners."""
    found, size = read.found, max(np.sqrt(shape.area(piece.outline)), 1.0)
    shift = float(np.abs(rough.outline - piece.outline).max() / size)
    classes = np.asarray(read.beliefs["class"])
    return Candidate(piece, found.score, found.agreed, agreement(read), found.pyramid, found.square, classes, shift)


def features(candidates: Sequence[Candidate], size: tuple[int, int]) -> Array:
    """One row of features for each candidate. `size`: width and height of the picture."""
    pieces = [each.piece for each in candidates]
    outlines = [piece.outline for piece in pieces]
    sizes = sizes_of(pieces)
    spreads = np.linalg.eigvalsh([shape.spread(outline) for outline in outlines])
    gaps = size_gaps(pieces)
    tile_logits, line_logits = mosaic.tile_support(
        [
            replace(each.piece, certainty=p)
            for each, p in zip(candidates, tile_priors(candidates, gaps[:, 2]), strict=True)
        ],
        [each.contrast for each in candidates],
    )
    columns = [
        np.eye(len(KINDS))[kinds_of(pieces)],
        log_odds([each.score for each in candidates]),
        log_odds([each.agreed for each in candidates]),
        log_odds([each.agreement for each in candidates]),
        [each.pyramid for each in candidates],
        [each.square for each in candidates],
        [each.classes for each in candidates],
        [max(piece.suits.values(), default=0.0) for piece in pieces],
        [max(piece.ranks.values(), default=0.0) for piece in pieces],
        [piece.face == "back" for piece in pieces],
        np.log(sizes / USUAL_SIZE_PX),
        gaps,
        support_certainties(pieces),
        [each.bare / LOGIT_UNIT for each in candidates],
        np.clip([each.contrast for each in candidates], -1, 1),
        np.clip(np.log(np.maximum(spreads[:, 1], 1e-6) / np.maximum(spreads[:, 0], 1e-6)) / 2, 0, 2),
        np.clip([skew(piece) for piece in pieces] / sizes, 0, 1),
        np.clip(border_distances(pieces, size) / sizes, -1, 2),
        log_odds([piece.certainty for piece in pieces]),
        np.clip([each.shift for each in candidates], 0, 1),
        np.clip(tile_logits, -8, 8) / LOGIT_UNIT,
        line_logits / LINE_UNIT,
    ]
    return np.column_stack([np.asarray(column, np.float64) for column in columns]).astype(np.float32)


def relations(candidates: Sequence[Candidate]) -> Array:
    """The relations of each candidate (rows) to each other one (columns)."""
    pieces = [each.piece for each in candidates]
    centers, sizes, kinds = np.array([piece.center for piece in pieces]), sizes_of(pieces), kinds_of(pieces)
    offsets = centers[None] - centers[:, None]
    distances = np.linalg.norm(offsets, axis=2) / np.sqrt(sizes[:, None] * sizes)
    shared, corners = overlaps(pieces, offsets)
    own_share, least_share = shared / sizes[:, None] ** 2, shared / np.minimum(sizes[:, None], sizes) ** 2
    in_sides = np.abs(np.einsum("iab,ijb->ija", np.linalg.inv(np.array([axes(piece) for piece in pieces])), offsets))
    tiles = (kinds[:, None] == 0) & (kinds == 0) & (in_sides.max(axis=2) < LATTICE_RANGE)
    on_lattice = np.cos(2 * np.pi * in_sides) * tiles[..., None]
    steps = np.sort(np.minimum(in_sides, FAR) / FAR, axis=2)
    contrasts = np.clip([each.contrast for each in candidates], -1, 1)
    gaps = size_gaps(pieces)[:, 1]
    layers = [
        steps[..., 0],
        steps[..., 1],
        on_lattice.min(axis=2),
        on_lattice.max(axis=2),
        np.clip(least_share, 0, 1.5),
        (contrasts[:, None] - contrasts) * tiles,
        *np.moveaxis(np.tanh(offsets / sizes[:, None, None] / 2), 2, 0),
        np.minimum(distances, 2 * FAR) / FAR,
        np.exp(-distances),
        np.clip(np.log(sizes / sizes[:, None]), -2, 2),
        np.clip(own_share, 0, 1.5),
        np.clip(own_share.T, 0, 1.5),
        corners,
        agreements([[piece.suits.get(suit, 0.0) for suit in SUITS] for piece in pieces]),
        agreements([[piece.ranks.get(rank, 0.0) for rank in RANKS] for piece in pieces]),
        cosines(np.array([piece.embedding for piece in pieces], np.float64)),
        kinds[:, None] == kinds,
        distances < SAME_PLACE,
        np.clip(gaps - gaps[:, None], -1, 1) * (kinds[:, None] == kinds),
    ]
    return np.stack(layers, axis=-1).astype(np.float32)


def tile_priors(candidates: Sequence[Candidate], gaps: Floats) -> list[float]:
    """Certainty of each candidate by itself; of tiles also by size (`gaps`: log of length beside a tile) and likeness
    to the table: holes and quarters of tiles make boards as well."""
    evidence = [
        -min(SIZE_NATS * (gap / SIZE_SPREAD) ** 2, MAX_SIZE_NATS) - BARE_WEIGHT * each.bare
        for each, gap in zip(candidates, gaps, strict=True)
    ]
    log_odds = odds.logits([each.piece.certainty for each in candidates])
    is_tile = [each.piece.kind == "tile" for each in candidates]
    return list(odds.sigmoids(np.where(is_tile, log_odds + evidence, log_odds)).tolist())


def kinds_of(pieces: Sequence[DetectedPiece]) -> NDArray[np.intp]:
    return np.array([KINDS.index(piece.kind) for piece in pieces], np.intp)


def sizes_of(pieces: Sequence[DetectedPiece]) -> Floats:
    """Square roots of the areas in the picture."""
    return np.maximum(np.sqrt([shape.area(piece.outline) for piece in pieces]), 1.0)


def log_odds(probabilities: Sequence[float]) -> Floats:
    return odds.logits(probabilities) / LOGIT_UNIT


def size_gaps(pieces: Sequence[DetectedPiece]) -> Floats:
    """Columns: whether the picture has a scale, and the size of each piece relative to its kind and to a tile (log of
    length)."""
    found = scale.find(pieces)
    if found is None:
        return np.zeros((len(pieces), 3))
    places = [(piece.kind, piece.center, piece.outline) for piece in pieces]
    gaps = [(1.0, found.size_gap(*place), found.size_gap("tile", *place[1:])) for place in places]
    return np.clip(gaps, (0, -2, -3), 2)


def support_certainties(pieces: Sequence[DetectedPiece]) -> Floats:
    """Certainty of the tile beneath each standing piece; 0 for the others."""
    out = np.zeros(len(pieces))
    tiles = [piece for piece in pieces if piece.kind == "tile" and piece.certainty > MIN_SUPPORT_CERTAINTY]
    standing = [index for index, piece in enumerate(pieces) if piece.kind in STAND]
    if tiles and standing:
        feet, quads = np.array([pieces[i].center for i in standing]), np.array([tile.outline for tile in tiles])
        is_on_tile = shape.inside(feet, quads, EDGE_TOLERANCE)
        out[standing] = np.where(is_on_tile, [tile.certainty for tile in tiles], 0.0).max(axis=1)
    return out


def skew(piece: DetectedPiece) -> float:
    """How far four corners are from a parallelogram, in pixels; 0 for round outlines."""
    if piece.kind not in STRAIGHT_SIDED:
        return 0.0
    a, b, c, d = piece.outline
    return float(np.linalg.norm(a - b + c - d))


def border_distances(pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Floats:
    """Distance of each centre from the border of the picture, in pixels."""
    centers = np.array([piece.center for piece in pieces])
    return np.asarray(np.concatenate([centers, np.array(size) - centers], axis=1).min(axis=1))


def axes(piece: DetectedPiece) -> Floats:
    """Matrix whose columns are two sides of a piece in the picture (of round ones, of the square around it)."""
    if piece.kind in STRAIGHT_SIDED:
        sides = np.stack([piece.outline[1] - piece.outline[0], piece.outline[3] - piece.outline[0]], axis=1)
    else:
        sides = 2 * shape.spread(piece.outline)
    return sides if abs(np.linalg.det(sides)) > 1e-3 else np.eye(2)


def overlaps(pieces: Sequence[DetectedPiece], offsets: Floats) -> tuple[Floats, Floats]:
    """(shared area in square pixels, degree to which two tiles share a side) of each pair."""
    count, sizes = len(pieces), sizes_of(pieces)
    shared, corners = np.zeros((count, count)), np.zeros((count, count))
    is_near = np.linalg.norm(offsets, axis=2) < OVERLAP_RANGE * (sizes[:, None] + sizes)
    for i, j in zip(*np.nonzero(np.tril(is_near, -1)), strict=True):
        one, other = pieces[i], pieces[j]
        shared[i, j] = shared[j, i] = shape.shared(one.outline, other.outline)
        if one.kind == other.kind == Kind.TILE:
            gaps = np.linalg.norm(one.outline[:, None] - other.outline, axis=2).min(axis=1)
            gap = np.sort(gaps)[:2].mean() / min(sizes[i], sizes[j])
            corners[i, j] = corners[j, i] = np.exp(-gap / CORNER_WIDTH)
    return shared, corners


MAX_CANDIDATES: Final = 200
"""Candidates of a picture that the net sees, the surest ones (budget: its time grows with the square)."""
EDGED: Final = ("tile", "card")
"""Kinds whose corners are refined on the edges of the picture."""


class SceneNet:
    """The scene net. It is opened when it is first needed, as the nets before it run without it in its training."""

    def __init__(self, open_session: Callable[[], OpenModel]) -> None:
        self._open = cache(open_session)

    def __call__(self, candidates: Sequence[Candidate], size: tuple[int, int]) -> list[DetectedPiece]:
        """The pieces with their certainty. `size`: width and height of the picture."""
        if not candidates:
            return []
        inputs = {"x": features(candidates, size), "pairs": relations(candidates)}
        (log_odds,) = self._open().run_whole(inputs)
        return [
            replace(each.piece, certainty=p) for each, p in zip(candidates, sigmoids(log_odds).tolist(), strict=True)
        ]


def candidates_of(layers: Layers, reads: Sequence[CropReading], named: Sequence[DetectedPiece]) -> list[Candidate]:
    """The surest candidates, with refined corners. `named`: the pieces of these reads."""
    order = sorted(range(len(named)), key=lambda index: -named[index].certainty)[:MAX_CANDIDATES]
    rough = [named[index] for index in sorted(order)]
    refined = with_edges(layers, rough)
    out = [candidate(reads[index], *each) for index, *each in zip(sorted(order), rough, refined, strict=True)]
    tiles = [index for index, piece in enumerate(refined) if piece.kind == "tile"]
    if not tiles:
        return out
    bare = table_similarity(layers, rough)
    contrasts = mosaic.middle_line_contrast(layers.grey, [refined[index].outline for index in tiles])
    for index, contrast in zip(tiles, contrasts.tolist(), strict=True):
        out[index] = replace(out[index], bare=bare[index], contrast=contrast)
    return out


def with_edges(layers: Layers, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces; tiles and cards with corners refined on the edges of the picture."""
    edged = [index for index, piece in enumerate(pieces) if piece.kind in EDGED]
    out = list(pieces)
    for index, quad in zip(edged, refined_quads(layers.grey, [pieces[i].outline for i in edged]), strict=True):
        out[index] = with_corners(pieces[index], quad)
    return out
