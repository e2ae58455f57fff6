"""Augmented views of a taught piece from its crop in the lesson: rotated by quarters, with perturbed corners, at other
resolutions, in other light, on other ground, and partly covered by a coin of the set, a pawn or a pyramid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from rules.pieces import sizes
from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify.heads import MARGIN
from vision.identify.read import Array
from vision.piece import DetectedPiece
from vision.rectify import Layers, cut, frame_quad, to_crop

CORNER_SIGMA: Final = 0.02
"""Standard deviation of a corner's position, in sides of the piece."""
SIZE_SIGMA: Final = 0.03
"""Standard deviation of the outline's relative size."""
MIN_RESOLUTION: Final = 0.28
"""Lowest resolution of a view relative to the crop: lessons are photographed from nearer than games."""
COIN_WIDTH: Final = sizes.COIN / sizes.TILE
"""Width of a coin in sides of a tile."""
COIN_SHARE: Final = 0.4
"""Share of a tile's views with a coin on it."""
PAWN_SHARE: Final = {"tile": 0.3, "coin": 0.2}
"""Share of the views with a pawn on the piece, by kind."""
PYRAMID_SHARE: Final = 0.35
"""Share of a tile's views with a pyramid on it."""
SET_COLOUR_SHARE: Final = 0.8
"""Share of the covering pawns and pyramids in a colour of the set, where the lesson shows these: it must not be taken
for the colour of the piece's own suit."""
GROUND_SHARE: Final = 0.6
"""Share of the views of flat pieces with another ground than the lesson's."""
TILE_GROUND_SHARE: Final = 0.5
"""Share of those with a tile of the set as ground."""
MAX_EDGE: Final = 1.3
"""Farthest start of another ground, in half sides from the middle: up to there the piece's wall may be visible."""
SHADING_SIGMA: Final = 0.1
"""Standard deviation of the log brightness at an edge relative to the middle."""
FLAT: Final = ("tile", "coin")


Cover = Callable[[Array, str, "SetPictures", np.random.Generator], Array]
"""Draws covering pieces on a view."""


def plain_view(layers: Layers, piece: DetectedPiece, side: int, rng: np.random.Generator | None) -> Array:
    """Crop of a piece (side x side x 3, 0 to 1) by its detected outline, which is perturbed if `rng` is given."""
    quad = frame_quad(piece.kind, piece.outline)
    size = float(np.sqrt(shape.area(quad)))
    if rng is not None:
        middle = quad.mean(axis=0)
        quad = (quad - middle) * (1 + rng.normal(0, SIZE_SIGMA)) + middle
        quad = quad + rng.normal(0, CORNER_SIGMA * size, quad.shape)
    scale = side / MARGIN[piece.kind] / size
    return cut(*layers.fitting(scale, to_crop(piece.kind, quad, side)), side).astype(np.float32) / np.float32(255)


@dataclass(frozen=True, slots=True)
class SetPictures:
    """Crops (`plain_view`) of the set's coins and tiles, and colours (BGR, 0 to 1) of its pawns and pyramids."""

    coins: Sequence[Array] = ()
    tiles: Sequence[Array] = ()
    colours: Sequence[Array] = ()


def views(
    layers: Layers, piece: DetectedPiece, same_set: SetPictures, count: int, side: int, rng: np.random.Generator
) -> Array:
    """`count` views (count x 3 x side x side), the first without augmentation."""
    out = np.empty((count, side, side, 3), np.float32)
    for index in range(count):
        view = plain_view(layers, piece, side, rng if index else None)
        if index:
            view = augmented(view, piece.kind, same_set, rng)
        out[index] = np.rot90(view, index % 4)
    return np.ascontiguousarray(out.transpose(0, 3, 1, 2))


def covered(view: Array, kind: str, same_set: SetPictures, rng: np.random.Generator) -> Array:
    """The view, at random covered by a coin of the set, a pawn and a pyramid."""
    if kind == "tile" and same_set.coins and rng.random() < COIN_SHARE:
        view = under_coin(view, sampled(same_set.coins, rng), rng)
    if rng.random() < PAWN_SHARE.get(kind, 0.0):
        view = under_pawn(view, rng, cover_colour(same_set, rng))
    if kind == "tile" and rng.random() < PYRAMID_SHARE:
        view = under_pyramid(view, cover_colour(same_set, rng), rng)
    return view


def uncovered(view: Array, *_: object) -> Array:
    return view


def augmented(view: Array, kind: str, same_set: SetPictures, rng: np.random.Generator, cover: Cover = covered) -> Array:
    """The view on another ground, covered, in other light and at another resolution."""
    if kind in FLAT and rng.random() < GROUND_SHARE:
        on_tile = same_set.tiles and rng.random() < TILE_GROUND_SHARE
        ground = tile_ground(sampled(same_set.tiles, rng), rng) if on_tile else plain_ground(len(view), kind, rng)
        view = on_ground(view, kind, ground, rng)
    view = cover(view, kind, same_set, rng)
    return in_other_light(at_lower_resolution(shaded(view, kind, rng), rng), rng)


def sampled(pictures: Sequence[Array], rng: np.random.Generator) -> Array:
    return pictures[int(rng.integers(len(pictures)))]


def piece_coordinates(side: int, kind: str) -> tuple[Floats, Floats]:
    """Coordinates x and y of every pixel of a crop, from -1 to 1 between the piece's edges."""
    along = ((np.arange(side) + 0.5) / side * 2 - 1) * MARGIN[kind]
    return np.broadcast_to(along, (side, side)), np.broadcast_to(along[:, None], (side, side))


def plain_ground(side: int, kind: str, rng: np.random.Generator) -> Array:
    """A ground of one random colour with a gradient of brightness."""
    x, y = piece_coordinates(side, kind)
    slope = 1 + rng.normal(0, SHADING_SIGMA) * x + rng.normal(0, SHADING_SIGMA) * y
    return np.clip(rng.uniform(0.03, 0.95) * np.exp(rng.normal(0, 0.2, 3)) * slope[:, :, None], 0, 1).astype(np.float32)


def tile_ground(tile: Array, rng: np.random.Generator) -> Array:
    """A random part of a tile, enlarged to the tile's size."""
    side = len(tile)
    wide = round(float(rng.uniform(0.4, 0.8)) * side)
    left, top = (int(v) for v in rng.integers(0, side - wide + 1, 2))
    part = cv2.resize(tile[top : top + wide, left : left + wide], (side, side), interpolation=cv2.INTER_LINEAR)
    return np.rot90(np.asarray(part, np.float32), int(rng.integers(4)))


def on_ground(view: Array, kind: str, ground: Array, rng: np.random.Generator) -> Array:
    """The view with its ground replaced beyond the piece's edge, or from a little farther out."""
    x, y = piece_coordinates(len(view), kind)
    outside = (np.hypot(x, y) if kind == "coin" else np.maximum(np.abs(x), np.abs(y))) > rng.uniform(1.0, MAX_EDGE)
    return np.where(outside[:, :, None], ground, view)


def shaded(view: Array, kind: str, rng: np.random.Generator) -> Array:
    """The view with a random gradient of brightness."""
    x, y = piece_coordinates(len(view), kind)
    fall = np.exp(rng.normal(0, SHADING_SIGMA) * x + rng.normal(0, SHADING_SIGMA) * y)
    return np.clip(view * fall[:, :, None], 0, 1).astype(np.float32)


def under_coin(view: Array, coin: Array, rng: np.random.Generator) -> Array:
    side = len(view)
    wide = round(COIN_WIDTH * side / MARGIN["tile"] * MARGIN["coin"] * float(rng.uniform(0.85, 1.2)))
    turned = np.rot90(cv2.resize(coin, (wide, wide), interpolation=cv2.INTER_AREA), int(rng.integers(4)))
    x, y = piece_coordinates(wide, "coin")
    left, top = (int(v) for v in rng.integers(round(-0.2 * wide), side - round(0.8 * wide), 2))
    rows = slice(max(0, top), min(side, top + wide))
    columns = slice(max(0, left), min(side, left + wide))
    part = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
    out = view.copy()
    out[rows, columns] = np.where((np.hypot(x, y) < 1)[part][:, :, None], turned[part], view[rows, columns])
    return out


def cover_colour(same_set: SetPictures, rng: np.random.Generator) -> Array:
    """A random colour of the set's standing pieces, or any."""
    if same_set.colours and rng.random() < SET_COLOUR_SHARE:
        return sampled(same_set.colours, rng)
    return rng.uniform(0.02, 0.8, 3).astype(np.float32)


def under_pawn(view: Array, rng: np.random.Generator, hue: Array) -> Array:
    """The view partly covered by an ellipse of this colour, darker to one side."""
    side = len(view)
    x, y = piece_coordinates(side, "tile")
    along = rng.uniform(0, 2 * np.pi)
    x0, y0 = rng.uniform(-1, 1, 2)
    u = (x - x0) * np.cos(along) + (y - y0) * np.sin(along)
    v = (y - y0) * np.cos(along) - (x - x0) * np.sin(along)
    half = rng.uniform(0.15, 0.3)
    body = (u / (half * rng.uniform(1.0, 2.5))) ** 2 + (v / half) ** 2 < 1
    colour = hue * np.clip(1 + rng.normal(0, 0.4) * v / half, 0.2, 2)[:, :, None]
    return np.where(body[:, :, None], np.clip(colour, 0, 1), view).astype(np.float32)


def under_pyramid(view: Array, hue: Array, rng: np.random.Generator) -> Array:
    """The view partly covered by a pyramid of this colour: four differently lit sides about an apex, which the camera
    sees displaced from the middle of the base."""
    side = len(view)
    half, turn = rng.uniform(0.15, 0.5), rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2
    middle, away = rng.uniform(-0.9, 0.9, 2), rng.uniform(0, 2 * np.pi)
    base = middle + half * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    top = middle + half * rng.uniform(0, 2.5) * np.array([np.cos(away), np.sin(away)])
    out = np.array(view, order="C")
    for one in np.argsort(np.linalg.norm(base + np.roll(base, -1, axis=0) - 2 * top, axis=1)):
        corners = side / 2 * (1 + np.stack([base[one], base[(one + 1) % 4], top]) / MARGIN["tile"])
        lit = np.clip(hue * np.exp(rng.normal(0, 0.35)), 0, 1)
        cv2.fillConvexPoly(out, corners.round().astype(np.int32), lit.tolist())
    return out


def at_lower_resolution(view: Array, rng: np.random.Generator) -> Array:
    """The view reduced to a random resolution and enlarged again."""
    side = len(view)
    fewer = max(8, round(float(np.exp(rng.uniform(np.log(MIN_RESOLUTION), 0))) * side))
    small = cv2.resize(view, (fewer, fewer), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def in_other_light(view: Array, rng: np.random.Generator) -> Array:
    """The view with random brightness, colour of the light, contrast, haze and noise."""
    light = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.07, 3))
    bent = np.clip(view, 1e-4, 1) ** float(np.exp(rng.normal(0, 0.15))) * light
    haze = rng.uniform(0, 0.2)
    hazy = bent * (1 - haze) + haze * rng.uniform(0.2, 0.9)
    return np.clip(hazy + rng.normal(0, rng.uniform(0, 0.03), view.shape), 0, 1).astype(np.float32)
