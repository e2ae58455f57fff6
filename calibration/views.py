"""Views of a taught piece, made of its picture in the lesson: as other tables, lamps and cameras would show it.

Turned by quarters, with corners a little off, smaller, in other light, on another ground, and partly under a coin of
the same set or under something that stands like a pawn. What tells a face through all of them is the face.
"""

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

OFF: Final = 0.02
"""How far (in sides, one standard deviation) a corner may be found from where it is."""
LARGER: Final = 0.03
FARTHEST: Final = 0.28
"""A lesson is photographed from near; in a game a piece may have so small a share of its pixels to a side."""
COIN: Final = sizes.COIN / sizes.TILE
"""A coin's width in sides of a tile..."""
UNDER_COIN: Final = 0.4
"""... and how many views of a tile show one on it."""
UNDER_PAWN: Final = {"tile": 0.3, "coin": 0.2}
UNDER_PYRAMID: Final = 0.35
SET_COLOUR: Final = 0.8
"""How much of what stands on a piece has a colour of the set, where the lesson shows what stands: then it must not be
taken for the colour of the piece's own suit."""
OTHER_GROUND: Final = 0.6
"""How many views of what lies flat show another ground than the lesson's..."""
ON_TILE: Final = 0.5
"""... and how many of these a tile of the same set."""
WALL: Final = 1.3
"""How far (in half sides) from its middle a piece's own side may still be seen beyond its edge."""
SHADE: Final = 0.1
"""How much brighter (in logarithms, one standard deviation) a piece may be at an edge than in its middle."""
FLAT: Final = ("tile", "coin")


Cover = Callable[[Array, str, "SetPictures", np.random.Generator], Array]
"""Lays something on a view, or nothing."""


def plain_view(layers: Layers, piece: DetectedPiece, side: int, rng: np.random.Generator | None) -> Array:
    """The piece's picture (side x side x 3, from nought to one) by its outline as found, or (with `rng`) as another
    look might have found it."""
    quad = frame_quad(piece.kind, piece.outline)
    size = float(np.sqrt(shape.area(quad)))
    if rng is not None:
        middle = quad.mean(axis=0)
        quad = (quad - middle) * (1 + rng.normal(0, LARGER)) + middle + rng.normal(0, OFF * size, quad.shape)
    scale = side / MARGIN[piece.kind] / size
    return cut(*layers.fitting(scale, to_crop(piece.kind, quad, side)), side).astype(np.float32) / np.float32(255)


@dataclass(frozen=True, slots=True)
class SetPictures:
    """Pictures of the same set, as `plain_view` makes them: what may lie on a piece and under it."""

    coins: Sequence[Array] = ()
    tiles: Sequence[Array] = ()
    colours: Sequence[Array] = ()
    """Of pawns and pyramids: three numbers each, from nought to one."""


def views(
    layers: Layers, piece: DetectedPiece, same_set: SetPictures, count: int, side: int, rng: np.random.Generator
) -> Array:
    """`count` views (count x 3 x side x side), the first as the piece was found."""
    out = np.empty((count, side, side, 3), np.float32)
    for index in range(count):
        view = plain_view(layers, piece, side, rng if index else None)
        if index:
            view = elsewhere(view, piece.kind, same_set, rng)
        out[index] = np.rot90(view, index % 4)
    return np.ascontiguousarray(out.transpose(0, 3, 1, 2))


def under_its_own(view: Array, kind: str, same_set: SetPictures, rng: np.random.Generator) -> Array:
    """At times with something on it: coins of the set, and what stands in its colours."""
    if kind == "tile" and same_set.coins and rng.random() < UNDER_COIN:
        view = under_coin(view, any_of(same_set.coins, rng), rng)
    if rng.random() < UNDER_PAWN.get(kind, 0.0):
        view = under_pawn(view, rng, standing_colour(same_set, rng))
    if kind == "tile" and rng.random() < UNDER_PYRAMID:
        view = under_pyramid(view, standing_colour(same_set, rng), rng)
    return view


def elsewhere(
    view: Array, kind: str, same_set: SetPictures, rng: np.random.Generator, covered: Cover = under_its_own
) -> Array:
    """The same piece on another table, before another camera; `covered`: by what."""
    if kind in FLAT and rng.random() < OTHER_GROUND:
        on_tile = same_set.tiles and rng.random() < ON_TILE
        ground = part_of(any_of(same_set.tiles, rng), rng) if on_tile else one_colour(len(view), kind, rng)
        view = on_other_ground(view, kind, ground, rng)
    view = covered(view, kind, same_set, rng)
    return in_other_light(smaller(shaded(view, kind, rng), rng), rng)


def uncovered(view: Array, *_: object) -> Array:
    return view


def any_of(pictures: Sequence[Array], rng: np.random.Generator) -> Array:
    return pictures[int(rng.integers(len(pictures)))]


def across(side: int, kind: str) -> tuple[Floats, Floats]:
    """Of every pixel its place: from -1 to 1 from edge to edge of the piece."""
    along = ((np.arange(side) + 0.5) / side * 2 - 1) * MARGIN[kind]
    return np.broadcast_to(along, (side, side)), np.broadcast_to(along[:, None], (side, side))


def one_colour(side: int, kind: str, rng: np.random.Generator) -> Array:
    """A ground of one colour, brighter to one side."""
    x, y = across(side, kind)
    slope = 1 + rng.normal(0, SHADE) * x + rng.normal(0, SHADE) * y
    return np.clip(rng.uniform(0.03, 0.95) * np.exp(rng.normal(0, 0.2, 3)) * slope[:, :, None], 0, 1).astype(np.float32)


def part_of(tile: Array, rng: np.random.Generator) -> Array:
    """Some part of a tile, from nearer."""
    side = len(tile)
    wide = round(float(rng.uniform(0.4, 0.8)) * side)
    left, top = (int(v) for v in rng.integers(0, side - wide + 1, 2))
    part = cv2.resize(tile[top : top + wide, left : left + wide], (side, side), interpolation=cv2.INTER_LINEAR)
    return np.rot90(np.asarray(part, np.float32), int(rng.integers(4)))


def on_other_ground(view: Array, kind: str, ground: Array, rng: np.random.Generator) -> Array:
    """Up to its edge, or with some of what is seen beside it."""
    x, y = across(len(view), kind)
    outside = (np.hypot(x, y) if kind == "coin" else np.maximum(np.abs(x), np.abs(y))) > rng.uniform(1.0, WALL)
    return np.where(outside[:, :, None], ground, view)


def shaded(view: Array, kind: str, rng: np.random.Generator) -> Array:
    """The light falls off to one side."""
    x, y = across(len(view), kind)
    fall = np.exp(rng.normal(0, SHADE) * x + rng.normal(0, SHADE) * y)
    return np.clip(view * fall[:, :, None], 0, 1).astype(np.float32)


def under_coin(view: Array, coin: Array, rng: np.random.Generator) -> Array:
    side = len(view)
    wide = round(COIN * side / MARGIN["tile"] * MARGIN["coin"] * float(rng.uniform(0.85, 1.2)))
    turned = np.rot90(cv2.resize(coin, (wide, wide), interpolation=cv2.INTER_AREA), int(rng.integers(4)))
    x, y = across(wide, "coin")
    left, top = (int(v) for v in rng.integers(round(-0.2 * wide), side - round(0.8 * wide), 2))
    rows = slice(max(0, top), min(side, top + wide))
    columns = slice(max(0, left), min(side, left + wide))
    part = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
    out = view.copy()
    out[rows, columns] = np.where((np.hypot(x, y) < 1)[part][:, :, None], turned[part], view[rows, columns])
    return out


def standing_colour(same_set: SetPictures, rng: np.random.Generator) -> Array:
    if same_set.colours and rng.random() < SET_COLOUR:
        return same_set.colours[int(rng.integers(len(same_set.colours)))]
    return rng.uniform(0.02, 0.8, 3).astype(np.float32)


def under_pawn(view: Array, rng: np.random.Generator, hue: Array) -> Array:
    """Something long and round of one colour, darker to one side."""
    side = len(view)
    x, y = across(side, "tile")
    along = rng.uniform(0, 2 * np.pi)
    x0, y0 = rng.uniform(-1, 1, 2)
    u = (x - x0) * np.cos(along) + (y - y0) * np.sin(along)
    v = (y - y0) * np.cos(along) - (x - x0) * np.sin(along)
    half = rng.uniform(0.15, 0.3)
    body = (u / (half * rng.uniform(1.0, 2.5))) ** 2 + (v / half) ** 2 < 1
    colour = hue * np.clip(1 + rng.normal(0, 0.4) * v / half, 0.2, 2)[:, :, None]
    return np.where(body[:, :, None], np.clip(colour, 0, 1), view).astype(np.float32)


def under_pyramid(view: Array, hue: Array, rng: np.random.Generator) -> Array:
    """Four sides of one colour in different light about a top that is seen somewhere beside the base's middle."""
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


def smaller(view: Array, rng: np.random.Generator) -> Array:
    """As if it had fewer pixels."""
    side = len(view)
    fewer = max(8, round(float(np.exp(rng.uniform(np.log(FARTHEST), 0))) * side))
    small = cv2.resize(view, (fewer, fewer), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def in_other_light(view: Array, rng: np.random.Generator) -> Array:
    """Brightness, contrast, the lamp's colour, haze and noise."""
    light = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.07, 3))
    bent = np.clip(view, 1e-4, 1) ** float(np.exp(rng.normal(0, 0.15))) * light
    haze = rng.uniform(0, 0.2)
    hazy = bent * (1 - haze) + haze * rng.uniform(0.2, 0.9)
    return np.clip(hazy + rng.normal(0, rng.uniform(0, 0.03), view.shape), 0, 1).astype(np.float32)
