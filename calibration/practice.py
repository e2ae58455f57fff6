"""Labelled readings of pieces on tables rendered with a set's double: under other pieces, in any light and camera."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from calibration.discriminant import Shown
from calibration.learned_appearance import identity_of
from calibration.trial import LabelledView
from models.render import Rendered, Scene, random_scene, render
from models.render.edition import PaintedSet
from rules.pieces import Face, Kind
from vision.detect.decode import Detection
from vision.rectify import Layers
from vision.table_reader import TableReader

MAX_WIDTH: Final = 1280
"""Largest width of a picture (pixels); larger ones take longer and show the same."""
MIN_IN_FRAME: Final = 0.98
MIN_VISIBLE: Final = 0.35
"""Least visible share of a piece to be used, and MIN_IN_FRAME: least share inside the picture."""
MIN_ART_VISIBLE: Final = 0.5
"""Least visible share of its suit and value."""
CORNER_SIGMA: Final = 0.01
"""Standard deviation of a detected corner, and of a whole outline, in sizes of the piece."""
SIZE_SIGMA: Final = 0.02
"""Standard deviation of a detected outline's relative size."""


def scenes(edition: PaintedSet | None, first: int = 1000) -> Iterator[Scene]:
    """Random tables with this set (None: each with another one), without end, from a first seed."""
    for seed in itertools.count(first):
        scene = random_scene(seed, edition=edition)
        if scene.kind != "clutter" and scene.camera.width <= MAX_WIDTH:
            yield scene


def practice_readings(eyes: TableReader, edition: PaintedSet) -> Iterator[list[tuple[Kind, LabelledView]]]:
    """Labelled readings of the pieces whose face is visible, table by table."""
    for number, scene in enumerate(scenes(edition)):
        yield labelled_readings(eyes, render(scene), number)


def labelled_readings(eyes: TableReader, table: Rendered, number: int) -> list[tuple[Kind, LabelledView]]:
    """Labelled readings of one table, read as in a look at a whole table but with perturbed true outlines."""
    rng = np.random.default_rng([3, number])
    pieces = [piece for piece in table.truth["pieces"] if is_identifiable(piece)]
    if not pieces:
        return []
    layers = Layers(table.image)
    reads = eyes.read(layers, [perturbed(piece, rng) for piece in pieces])
    seen = eyes.weigh(layers, reads)
    return [
        (each.kind, LabelledView(face_of(piece), each.signs, number))
        for piece, each in zip(pieces, seen, strict=True)
        if each.kind == piece["kind"] and each.signs is not None
    ]


def is_identifiable(piece: Mapping[str, Any]) -> bool:
    """Whether enough of a piece is visible to identify it."""
    if piece["kind"] == "card" or piece["visible"] < MIN_VISIBLE or len(piece["outline_px"]) < 3:
        return False
    if piece["in_frame"] < MIN_IN_FRAME:
        return False
    art = piece.get("art_visible") or {}
    return all(piece[part] is None or art.get(part, 1.0) >= MIN_ART_VISIBLE for part in ("suit", "value"))


def perturbed(piece: Mapping[str, Any], rng: np.random.Generator) -> Detection:
    outline, size = np.array(piece["outline_px"], np.float64), float(piece["size_px"])
    middle = outline.mean(axis=0)
    moved = (outline - middle) * (1 + rng.normal(0, SIZE_SIGMA)) + middle + rng.normal(0, CORNER_SIGMA * size, 2)
    moved = moved + rng.normal(0, CORNER_SIGMA * size, outline.shape)
    return Detection(str(piece["kind"]), 1.0, moved.mean(axis=0), moved)


def face_of(piece: Mapping[str, Any]) -> Shown:
    face = None if piece["face"] is None else Face(piece["face"])
    return Shown(face, *identity_of(piece["suit"], piece["value"]))
