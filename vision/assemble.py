"""Pieces get their place on the table, and how many pieces lie beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.pieces import Kind
from rules.pieces.sizes import CARD, TILE
from vision import plane as planes
from vision import pyramids
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.rectify import apply

CERTAIN_TILE = 0.5
PILED, HIGHEST = 1.1, 1.5
"""A tile that looks so much larger than the others lies on several of them, unless the tiles usually differ by a share
of this (UNEVEN) or another tile lies within so many sides of it (APART): a tile of a board is outlined too large."""
UNEVEN = 5.0
APART = 1.25
MADE_UP = 0.2
"""Tiles that differ so much in size, on the plane that suits them best, are not tiles of one table."""
OVAL = 1.18
"""On no table plane are most coins so much longer than wide (in 60 pictures 1.03 to 1.14 where tiles lie flat; at least
1.22 where half hidden tiles of a mountain agreed by chance on a slope that is none)."""
SHEETS = ("tile", "card")
ONE_DIE, TOP_AND_SIDE = 0.8, 0.82
"""Two dice that lie nearer together than this, in widths of the smaller or of the larger, are one: a die's upper side
and the one below it. (Of 105 made up among 1,019 dice that were found, 16 go, and four true ones.)"""
FACE = 0.5
"""What is so much less certain than its rival is not believed to be its upper side."""
LONGER = 1.15
"""A card's sides differ by more than this, unless one is covered in part."""


def upright_quad(corners: Floats) -> Floats:
    """The four corners, begun so that the first side is a short one."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.roll(corners, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else corners


def table_plane(pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None:
    """From the tiles; where cards are more surely there, from these. Where tiles are none or do not agree, as on the
    steps of a mountain, or agree on a plane on which no coin is round, from the coins."""
    sure = [piece for piece in pieces if piece.certainty >= CERTAIN_TILE]
    tiles, cards = ([piece for piece in sure if piece.kind == kind] for kind in SHEETS)
    if sum(tile.certainty for tile in tiles) >= sum(card.certainty for card in cards):
        found = planes.fit([tile.outline for tile in tiles], size)
        coins = [piece.outline for piece in sure if piece.kind == "coin"]
        if found is not None and found.spread < MADE_UP and planes.roundness(coins, found) < OVAL:
            return found
        return planes.fit_coins(coins, size) or found
    return planes.fit([tile_on(card.outline) for card in cards], size)


def tile_on(card: Floats) -> Floats:
    """Where the corners of a tile would be that lies in the middle of this card."""
    wide, high = CARD
    rectangle = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(rectangle, upright_quad(card).astype(np.float32)).astype(np.float64)
    half = TILE / 2
    middle = np.array(CARD) / 2
    return apply(matrix, middle + half * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]))


def placed(pieces: Sequence[DetectedPiece], plane: Plane | None, size: tuple[int, int]) -> list[DetectedPiece]:
    """With position and level where a plane is known; `size` is the picture's."""
    if plane is None:
        return list(pieces)
    below = planes.below_camera(plane, size)
    told = pyramids.sized(pyramids.posed(upper_sides(pieces, plane, below), plane), plane)
    return [
        place(piece, level, larger, plane, below)
        for piece, level, larger in zip(told, levels(told), raised(told, plane), strict=True)
    ]


def upper_sides(pieces: Sequence[DetectedPiece], plane: Plane, below: Floats) -> list[DetectedPiece]:
    """Of two dice that share a place the one that lies farther from below the camera is the upper side of the other."""
    dice = [index for index, piece in enumerate(pieces) if piece.kind is Kind.DIE]
    far = {index: float(np.linalg.norm(plane.to_table(pieces[index].center[None])[0] - below)) for index in dice}
    sides = {
        one
        for one in dice
        for other in dice
        if far[one] < far[other] and pieces[other].certainty >= FACE * pieces[one].certainty
        if _are_one_die(pieces[one], pieces[other])
    }
    return [piece for index, piece in enumerate(pieces) if index not in sides]


def _are_one_die(one: DetectedPiece, other: DetectedPiece) -> bool:
    smaller, larger = sorted(float(np.sqrt(shape.area(die.outline))) for die in (one, other))
    return bool(np.linalg.norm(one.center - other.center) < max(ONE_DIE * smaller, TOP_AND_SIDE * larger))


def place(piece: DetectedPiece, level: int, larger: float, plane: Plane, below: Floats) -> DetectedPiece:
    """`larger`: how much larger it looks than on the table; `below`: where the camera stands."""
    x, y = below + (plane.to_table(piece.center[None])[0] - below) / larger
    return replace(
        piece,
        position=(round(float(x), 4), round(float(y), 4)),
        level=level,
        table_angle=table_angle(piece, piece.angle, plane),
        table_aim=table_angle(piece, piece.aim, plane),
        table_edges=table_edges(piece, plane),
    )


def raised(pieces: Sequence[DetectedPiece], plane: Plane) -> list[float]:
    """How much larger than one that lies on the table each tile looks that is clearly the top of a pile; else 1."""
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == "tile"]
    out = [1.0] * len(pieces)
    if not tiles:
        return out
    centers = plane.to_table(np.array([pieces[index].center for index in tiles]))
    gaps = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    alone = (gaps < APART * TILE).sum(axis=1) == 1
    for index, stands_alone in zip(tiles, alone, strict=True):
        corners = plane.to_table(pieces[index].outline)
        larger = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / TILE
        if stands_alone and max(PILED, 1 + UNEVEN * plane.spread) < larger < HIGHEST:
            out[index] = larger
    return out


def levels(pieces: Sequence[DetectedPiece]) -> list[int]:
    """On how many tiles (or cards) each piece lies: those that its centre is over; not told of tiles."""
    sheets = [piece.outline for piece in pieces if piece.kind in SHEETS]
    if not sheets:
        return [0] * len(pieces)
    below = shape.inside(np.array([piece.center for piece in pieces]), np.array(sheets)).sum(axis=1)
    return [0 if piece.kind in SHEETS else int(count) for piece, count in zip(pieces, below, strict=True)]


def table_angle(piece: DetectedPiece, angle: float | None, plane: Plane) -> float | None:
    """A direction in the picture, as the piece's up, on the table: 0 along y, counter-clockwise positive."""
    if angle is None:
        return None
    turn = np.deg2rad(angle)
    reach = 0.25 * float(np.sqrt(shape.area(piece.outline)))
    ends: Floats = piece.center + np.array([[0.0, 0.0], [-np.sin(turn), -np.cos(turn)]]) * reach
    start, end = plane.to_table(ends)
    step = end - start
    return float(np.degrees(np.arctan2(-step[0], step[1])))


def table_edges(piece: DetectedPiece, plane: Plane) -> float | None:
    """How far its sides are turned on the table, of a tile up to quarter and of a card up to half turns."""
    if piece.kind not in SHEETS:
        return None
    corners = plane.to_table(piece.outline)
    if piece.kind == "card":
        return lengthwise(corners)
    sides = np.roll(corners, -1, axis=0) - corners
    fourfold = ((sides[:, 0] + 1j * sides[:, 1]) ** 4).sum()  # quarter turns fall together
    return float(np.degrees(np.angle(fourfold))) / 4


def lengthwise(corners: Floats) -> float | None:
    """Which way a card's longer sides run; None where a part of it is hidden and no side is clearly the longer."""
    first, second, third, fourth = upright_quad(corners)
    across, along = (second - first + third - fourth) / 2, (fourth - first + third - second) / 2
    if np.linalg.norm(along) < LONGER * np.linalg.norm(across):
        return None
    return float(np.degrees(np.arctan2(along[1], along[0]))) - 90
