"""Places pieces on the table and counts the sheets beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.pieces import Kind
from rules.pieces.sizes import CARD, TILE
from vision import plane as planes
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.rectify import apply
from vision.standing import with_poses, with_sizes

MIN_PLANE_CERTAINTY = 0.5
"""Smallest certainty of a piece that the plane is fitted to."""
MIN_PILE_SCALE, MAX_PILE_SCALE = 1.1, 1.5
"""Range of the apparent scale of a tile on top of a pile. The lower end is 1 + PLANE_SPREAD_FACTOR times the plane's
spread where that is larger. Tiles with another within ISOLATION_SIDES of their sides are excluded: tiles of a board are
outlined too large."""
PLANE_SPREAD_FACTOR = 5.0
ISOLATION_SIDES = 1.25
MAX_PLANE_SPREAD = 0.2
"""Spread of tile sizes on their best plane above which they are not tiles of one table."""
MAX_COIN_ASPECT = 1.18
"""Largest median aspect ratio of coins on a true plane (in 60 pictures 1.03 to 1.14 where tiles lie flat; at least 1.22
where half hidden tiles of a mountain agreed by chance on a false slope)."""
SHEETS = ("tile", "card")
SAME_DIE_SMALLER, SAME_DIE_LARGER = 0.8, 0.82
"""Two dice nearer than this, in widths of the smaller or of the larger, are sides of one die. (Of 105 false dice among
1,019 detected ones 16 are removed, and four true ones.)"""
MIN_TOP_CERTAINTY = 0.5
"""Certainty of a die's upper side at least, relative to the other side."""
MIN_CARD_ASPECT = 1.15
"""Ratio of a card's sides from which the longer one is clear; a partly covered card may have less."""


def upright_quad(corners: Floats) -> Floats:
    """The four corners starting with a short side."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.roll(corners, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else corners


def table_plane(pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None:
    """The plane of the tiles, or of the cards if these are more certain. Of the coins where there are no tiles, these
    do not agree (as on the steps of a mountain), or no coin is round on their plane."""
    sure = [piece for piece in pieces if piece.certainty >= MIN_PLANE_CERTAINTY]
    tiles, cards = ([piece for piece in sure if piece.kind == kind] for kind in SHEETS)
    if sum(tile.certainty for tile in tiles) >= sum(card.certainty for card in cards):
        found = planes.fit([tile.outline for tile in tiles], size)
        coins = [piece.outline for piece in sure if piece.kind == "coin"]
        if found is not None and found.spread < MAX_PLANE_SPREAD and planes.coin_aspect(coins, found) < MAX_COIN_ASPECT:
            return found
        return planes.fit_coins(coins, size) or found
    return planes.fit([tile_in_card(card.outline) for card in cards], size)


def tile_in_card(card: Floats) -> Floats:
    """Corners of a tile lying in the middle of this card."""
    wide, high = CARD
    rectangle = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(rectangle, upright_quad(card).astype(np.float32)).astype(np.float64)
    half = TILE / 2
    middle = np.array(CARD) / 2
    return apply(matrix, middle + half * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]))


def with_positions(pieces: Sequence[DetectedPiece], plane: Plane | None, size: tuple[int, int]) -> list[DetectedPiece]:
    """The pieces with position and level where a plane is known. `size`: that of the picture."""
    if plane is None:
        return list(pieces)
    below = planes.below_camera(plane, size)
    sized = with_sizes(with_poses(without_die_sides(pieces, plane, below), plane, size), plane, size)
    return [
        with_position(piece, level, larger, plane, below)
        for piece, level, larger in zip(sized, levels(sized), apparent_scales(sized, plane), strict=True)
    ]


def without_die_sides(pieces: Sequence[DetectedPiece], plane: Plane, below: Floats) -> list[DetectedPiece]:
    """The pieces without the visible sides of dice: of two dice at one place the one farther from the point below the
    camera is the upper side."""
    dice = [index for index, piece in enumerate(pieces) if piece.kind is Kind.DIE]
    distances = {index: float(np.linalg.norm(plane.to_table(pieces[index].center[None])[0] - below)) for index in dice}
    lower_sides = {
        one
        for one in dice
        for other in dice
        if distances[one] < distances[other] and pieces[other].certainty >= MIN_TOP_CERTAINTY * pieces[one].certainty
        if _are_one_die(pieces[one], pieces[other])
    }
    return [piece for index, piece in enumerate(pieces) if index not in lower_sides]


def _are_one_die(one: DetectedPiece, other: DetectedPiece) -> bool:
    """Whether two detections are sides of one die."""
    smaller, larger = sorted(float(np.sqrt(shape.area(die.outline))) for die in (one, other))
    return bool(np.linalg.norm(one.center - other.center) < max(SAME_DIE_SMALLER * smaller, SAME_DIE_LARGER * larger))


def with_position(piece: DetectedPiece, level: int, scale: float, plane: Plane, below_camera: Floats) -> DetectedPiece:
    """The piece with its position, level and directions on the table. `scale`: apparent size relative to the table.
    `below_camera`: the point below the camera."""
    x, y = below_camera + (plane.to_table(piece.center[None])[0] - below_camera) / scale
    return replace(
        piece,
        position=(round(float(x), 4), round(float(y), 4)),
        level=level,
        table_angle=table_angle(piece, piece.angle, plane),
        table_aim=table_angle(piece, piece.aim, plane),
        table_edges=table_edges(piece, plane),
    )


def apparent_scales(pieces: Sequence[DetectedPiece], plane: Plane) -> list[float]:
    """Apparent scale of each tile that is clearly on top of a pile; 1 for all other pieces."""
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == "tile"]
    out = [1.0] * len(pieces)
    if not tiles:
        return out
    centers = plane.to_table(np.array([pieces[index].center for index in tiles]))
    distances = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    is_isolated = (distances < ISOLATION_SIDES * TILE).sum(axis=1) == 1
    for index, isolated in zip(tiles, is_isolated, strict=True):
        corners = plane.to_table(pieces[index].outline)
        scale = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / TILE
        if isolated and max(MIN_PILE_SCALE, 1 + PLANE_SPREAD_FACTOR * plane.spread) < scale < MAX_PILE_SCALE:
            out[index] = scale
    return out


def levels(pieces: Sequence[DetectedPiece]) -> list[int]:
    """Number of sheets (tiles, cards) under the centre of each piece; 0 for sheets themselves."""
    sheets = [piece.outline for piece in pieces if piece.kind in SHEETS]
    if not sheets:
        return [0] * len(pieces)
    below = shape.inside(np.array([piece.center for piece in pieces]), np.array(sheets)).sum(axis=1)
    return [0 if piece.kind in SHEETS else int(count) for piece, count in zip(pieces, below, strict=True)]


def table_angle(piece: DetectedPiece, angle: float | None, plane: Plane) -> float | None:
    """Direction on the table of an angle in the picture: 0 along y, counter-clockwise positive."""
    if angle is None:
        return None
    turn = np.deg2rad(angle)
    reach = 0.25 * float(np.sqrt(shape.area(piece.outline)))
    ends: Floats = piece.center + np.array([[0.0, 0.0], [-np.sin(turn), -np.cos(turn)]]) * reach
    start, end = plane.to_table(ends)
    step = end - start
    return float(np.degrees(np.arctan2(-step[0], step[1])))


def table_edges(piece: DetectedPiece, plane: Plane) -> float | None:
    """Direction of a sheet's sides on the table: of a tile up to quarter turns, of a card up to half turns."""
    if piece.kind not in SHEETS:
        return None
    corners = plane.to_table(piece.outline)
    if piece.kind == "card":
        return card_direction(corners)
    sides = np.roll(corners, -1, axis=0) - corners
    fourfold = ((sides[:, 0] + 1j * sides[:, 1]) ** 4).sum()  # quarter turns fall together
    return float(np.degrees(np.angle(fourfold))) / 4


def card_direction(corners: Floats) -> float | None:
    """Direction of a card's longer sides; None where a part is hidden and neither side is clearly longer."""
    first, second, third, fourth = upright_quad(corners)
    across, along = (second - first + third - fourth) / 2, (fourth - first + third - second) / 2
    if np.linalg.norm(along) < MIN_CARD_ASPECT * np.linalg.norm(across):
        return None
    return float(np.degrees(np.arctan2(along[1], along[0]))) - 90
