"""The double of a set: an edition for `models.render` with sides cut out of the lesson's pictures, and sizes of coins
and dice and shapes of pawns measured in them. People check it by sample tables, nets are trained on it, and its pieces
are read on rendered tables: under other pieces, in any light, from any camera.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from calibration import lens as lenses
from calibration.discriminant import Shown
from calibration.learned_appearance import identity_of
from calibration.lesson_task import NamedPage
from calibration.light import bgr
from calibration.pawn_shapes import (
    FlatBody,
    HiddenArea,
    TurnedBody,
    View,
    flat_bodies,
    hidden_area,
    occlusion_profile,
    silhouettes_of,
    turned_bodies,
)
from calibration.plane import TablePlane, plane_of
from calibration.trial import LabelledView
from models.render import Rendered, Scene, random_scene, render
from models.render.edition import PaintedSet, Side
from models.render.pawns import given, given_sawn
from models.render.styles import plain_edition
from rules.pieces import SUITS, Face, Kind
from rules.pieces.sizes import SPACE_MM, THICKNESS
from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.frame import Frame
from vision.identify.read import Array
from vision.piece import DetectedPiece
from vision.rectify import Layers, Picture, cut, frame_quad, to_crop
from vision.table_reader import TableReader

SIDE_PX: Final = 192
"""Side of a cut-out picture (pixels): that of a tile near the camera."""
FLAT: Final = ("tile", "coin", "die")
"""Kinds whose sides are cut out; of the others only the colour is taken."""
GROUND_RANGE: Final = 30.0
"""Largest difference of brightness (of 255) from the fitted light at which a pixel counts as ground."""
ROUNDS: Final = 3
"""Iterations of the fit of the light, and of a die's size."""
LIGHT_FLOOR: Final = 0.5
"""Floor of the light, relative to the middle's."""


def double_of(name: str, pages: Sequence[tuple[Frame, NamedPage]]) -> PaintedSet:
    """An edition that looks like the pieces of these pages; sides that they do not show are a plain wooden set's."""
    edition = plain_edition(name, 4)
    pictures: dict[Side, list[Picture]] = {}
    colours: dict[str, list[Array]] = {}
    for frame, page in pages:
        layers = Layers(frame.image)
        for each in page.named:
            suit, rank = each.name
            if page.step.kind in FLAT:
                side = (page.step.kind, page.step.face, suit, None if rank is None else rank.word)
                pictures.setdefault(side, []).append(without_shading(cut_out(layers, each.piece)))
            elif suit is not None:
                colours.setdefault(f"{page.step.kind} {suit}", []).append(colour_of(layers, each.piece))
    edition.pictures = pictures
    measure_sizes(edition, pages)
    ground = [picture for side, own in pictures.items() if side[0] == "tile" for picture in own]
    if ground:
        edition.body = edition.back_body = bgr(np.median([np.median(each, axis=(0, 1)) for each in ground], axis=0))
    pawns, pyramids = (
        {str(suit): bgr(np.median(colours[f"{kind} {suit}"], axis=0)) for suit in SUITS if f"{kind} {suit}" in colours}
        for kind in ("pawn", "pyramid")
    )
    edition.pawn_colours |= pyramids | pawns
    edition.pyramid_colours = edition.pawn_colours | pyramids
    return edition


def measure_sizes(edition: PaintedSet, pages: Sequence[tuple[Frame, NamedPage]]) -> None:
    """Set the edition's sizes of coins and dice and shapes of pawns as measured by the tiles beside them; unchanged
    where no picture of them shows a tile."""
    sizes, views = edition.sizes, list[View]()
    areas: dict[str, list[HiddenArea]] = {}
    wide: dict[str, list[float]] = {"coin": [], "die": []}
    for frame, page in pages:
        plane = plane_of(page.beside, lenses.assumed(frame.size))
        if plane is None:
            continue
        if page.step.kind == "pawn":
            for suit, outline in silhouettes_of(frame, page):
                views.append((suit, occlusion_profile(plane, outline)))
                areas.setdefault(suit, []).append(hidden_area(plane, outline))
        elif page.step.kind in wide:
            wide[page.step.kind] += [width_on(plane, page.step.kind, each.piece.outline) for each in page.named]
    sizes.coin = float(np.median(wide["coin"] or [sizes.coin]))
    sizes.die = float(np.median(wide["die"] or [sizes.die]))
    set_pawns(edition, views, areas)


def set_pawns(edition: PaintedSet, views: Sequence[View], areas: Mapping[str, Sequence[HiddenArea]]) -> None:
    """Set size and shapes of the edition's pawns: turned ones if their feet are round, else flat ones if they
    are slabs."""
    turned = turned_bodies(views)
    slabs = {} if turned else flat_bodies(areas)
    bodies: list[TurnedBody | FlatBody] = [*turned.values(), *slabs.values()]
    if not bodies:
        return
    edition.sizes.pawn = max(body.width for body in bodies)
    high = edition.sizes.pawn_high = max(body.height for body in bodies)
    edition.pawn_shapes = {suit: given(body.profile / high) for suit, body in turned.items()} | {
        suit: given_sawn(slab.outline * slab.height / high, slab.thick / high) for suit, slab in slabs.items()
    }


def width_on(plane: TablePlane, kind: str, outline: Floats) -> float:
    """Width (inches) of a piece of standard thickness, or of a die, which is as high as it is wide."""
    points, height = outline, THICKNESS[Kind(kind)] * SPACE_MM
    for _ in range(ROUNDS):
        on_table = plane.to_table(points, height)
        side = float(np.sqrt(shape.area(on_table) * (4 / np.pi if kind == "coin" else 1.0)))
        height = side if kind == "die" else height
    return side / SPACE_MM


def cut_out(layers: Layers, piece: DetectedPiece) -> Picture:
    """Crop of a flat piece's side from edge to edge."""
    quad = frame_quad(piece.kind, piece.outline)
    scale = SIDE_PX / max(float(np.sqrt(shape.area(quad))), 1.0)
    return cut(*layers.fitting(scale, to_crop(piece.kind, quad, SIDE_PX, 1.0)), SIDE_PX)


def without_shading(picture: Picture) -> Picture:
    """The picture divided by its light, a plane fitted to the brightness of its ground."""
    bright = picture.astype(np.float64).mean(axis=2)
    y, x = np.mgrid[0 : len(bright), 0 : len(bright)] / len(bright) - 0.5
    places = np.stack([np.ones_like(x), x, y], axis=2)
    plane = np.full_like(bright, float(np.median(bright)))
    for _ in range(ROUNDS):
        ground = np.abs(bright - plane) < GROUND_RANGE
        fit = np.linalg.lstsq(places[ground], bright[ground], rcond=None)[0]
        plane = places @ fit
    light = np.maximum(plane / max(float(fit[0]), 1.0), LIGHT_FLOOR)
    return np.asarray(np.clip(picture / light[:, :, None], 0, 255), np.uint8)


def colour_of(layers: Layers, piece: DetectedPiece) -> Array:
    """Median colour (0 to 255) round the middle of a piece's outline."""
    low, high = piece.outline.min(axis=0), piece.outline.max(axis=0)
    middle, reach = (low + high) / 2, (high - low) / 8
    (left, top), (right, bottom) = (middle - reach).astype(int), np.ceil(middle + reach).astype(int) + 1
    part = layers.full[max(top, 0) : bottom, max(left, 0) : right].reshape(-1, 3)
    return np.asarray(np.median(part, axis=0), np.float32)


def sample_tables(edition: PaintedSet, count: int) -> Iterator[Rendered]:
    """Rendered tables with this edition, in random light and from random cameras."""
    for seed in range(count):
        yield render(random_scene(seed, edition=edition))


# Readings of its pieces on rendered tables ----------------------------------------------------------------------------

MAX_WIDTH: Final = 1280
"""Largest width of a picture (pixels); larger ones take longer and show the same."""
MIN_IN_FRAME: Final = 0.98
MIN_VISIBLE: Final = 0.35
"""Least visible share of a piece to be used, and MIN_IN_FRAME: least share inside the picture."""
MIN_ART_VISIBLE: Final = 0.5
"""Least visible share of its suit and value."""
BOARDS_EVERY: Final = 3
"""One of so many tables that are read is a board with pieces on most tiles: what a lesson is worth there decides how
far it is believed, as open tiles are read rightly without it (set)."""
CORNER_SIGMA: Final = 0.01
"""Standard deviation of a detected corner, and of a whole outline, in sizes of the piece."""
SIZE_SIGMA: Final = 0.02
"""Standard deviation of a detected outline's relative size."""


def scenes(edition: PaintedSet | None, first: int = 1000, boards_every: int | None = None) -> Iterator[Scene]:
    """Random tables with this set (None: each with another one), without end, from a first seed. `boards_every`: one of
    so many is a board with pieces on most tiles."""
    for seed in itertools.count(first):
        is_board = boards_every is not None and seed % boards_every == 0
        scene = random_scene(seed, edition=edition, of="occupied" if is_board else "")
        if scene.kind != "clutter" and scene.camera.width <= MAX_WIDTH:
            yield scene


def practice_readings(eyes: TableReader, edition: PaintedSet) -> Iterator[list[tuple[Kind, LabelledView]]]:
    """Labelled readings of the pieces whose face is visible, table by table."""
    for number, scene in enumerate(scenes(edition, boards_every=BOARDS_EVERY)):
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
