"""The lattice of a board: tiles laid side by side, whose cells tell where a tile lies that other pieces cover in part.

The nets outline such a tile inexactly, or do not see it. Centres are less inexact than corners, and those of all tiles
together give the lattice's pitch, direction and offset; the sides of its cells in the picture make it exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from rules.pieces.sizes import TILE
from vision import plane as planes
from vision.detect import shape
from vision.detect.channels import STAND
from vision.detect.edges import refined_quads
from vision.detect.shape import Floats
from vision.piece import CERTAIN, DetectedPiece
from vision.rectify import Picture, apply, inverse

MIN_CERTAINTY: Final = 0.05
"""Least certainty of a tile that counts; one that is reported (CERTAIN) takes a cell."""
MIN_TILES: Final = 6
"""Fewest tiles of a lattice (set: its eight numbers need four, and two must contradict)."""
MIN_REGULARITY: Final = 0.65
"""Least regularity of a board: 1 if all tiles lie in their cells; of tiles that lie anywhere at most 0.6 (47 foreign
stills of boards and of scattered tiles)."""
PITCHES: Final = TILE * np.linspace(0.85, 1.18, 23)
DIRECTIONS: Final = np.radians(np.linspace(-8, 8, 9))
"""Pitches (inches) and directions (from the tiles' mean one) that are tried: the plane is inexact."""
PITCH_FACTORS: Final = 1 - 0.3 * np.abs(np.log(PITCHES / TILE))
"""Factor of the regularity for each pitch: the usual one is preferred (set: six hundredths for a fifth)."""
CENTER_TOLERANCES: Final = (0.3, 0.3, 0.25, 0.2)
"""Deviation of a tile from the middle of its cell, in cells, each time the lattice is fitted (set: from
that of tiles under pyramids, 0.29, to that of exact ones)."""
CORNER_TOLERANCES: Final = (0.08, 0.05, 0.03)
"""Deviation of an exact corner from the lattice, in cells, each time it is fitted to the sides in the picture."""
USUAL_SIDE: Final = 0.97
SIDES: Final = (0.8, 1.0)
"""The usual side of a tile, and its range, in cells."""
MAX_OFFSET: Final = 0.45
"""Distance of the middle of a tile, or of a piece that covers one, from that of its cell, in cells."""
MAX_CORNER_ERROR: Final = 0.15
ROUGH_CORNER_ERROR: Final = 0.25
"""Distance of a corner from that of its cell, in cells, beyond which a tile is outlined inexactly; where the lattice
is fitted to centres alone, the larger."""
MAX_SHIFT: Final = 0.25
"""Distance of a tile from the middle of a cell, in cells, from which it lies beside the lattice (set: half of the
half step by which games shift tiles)."""
MAX_SIZE_GAP: Final = 0.12
"""Largest log of a whole tile's side relative to the lattice's (set: beyond two and a half times its spread)."""
EXACT_CERTAINTY: Final = 0.5
"""Least certainty of an exact tile, which needs no further outline (set: likelier than not)."""
CORNERS: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
BESIDE: Final = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]])

Cell = tuple[int | None, Floats]


@dataclass(frozen=True, slots=True)
class Lattice:
    """`to_picture`: homography from cells to picture pixels. `cells`: those of its tiles. `side`: of a tile, in
    cells."""

    to_picture: Floats
    cells: Floats
    side: float

    def outline(self, cell: Floats) -> Floats:
        """Outline of the tile in a cell, clockwise."""
        quad = apply(self.to_picture, cell + self.side * CORNERS)
        return quad if cv2.contourArea(quad.astype(np.float32), oriented=True) > 0 else quad[::-1]

    def place(self, points: Floats) -> Floats:
        """Points of the picture in cells."""
        return apply(inverse(self.to_picture), points)

    @property
    def enclosed_cells(self) -> Floats:
        """The cells with tiles on two sides or more, in some order."""
        beside, counts = np.unique((self.cells[:, None] + BESIDE).reshape(-1, 2), axis=0, return_counts=True)
        return np.asarray(beside[counts >= 2])


def doubtful_cells(grey: Picture, pieces: Sequence[DetectedPiece]) -> list[Cell]:
    """Outlines of a board's cells in which a tile (its index) is not outlined exactly, or (None) a standing piece hides
    that there is one."""
    tiles = [piece for piece in pieces if piece.kind == "tile" and piece.certainty >= MIN_CERTAINTY]
    rough = rough_lattice(tiles, (grey.shape[1], grey.shape[0]))
    if rough is None or not cells_in_doubt(rough, pieces, ROUGH_CORNER_ERROR):
        return []
    lattice = fitted_to_sides(grey, rough, tiles)
    return [] if lattice is None else cells_in_doubt(lattice, pieces, MAX_CORNER_ERROR)


def cells_in_doubt(lattice: Lattice, pieces: Sequence[DetectedPiece], max_error: float) -> list[Cell]:
    """As `doubtful_cells`. `max_error`: distance of an exact corner from that of its cell, in cells."""
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == "tile"]
    corners = lattice.place(np.concatenate([pieces[index].outline for index in tiles])).reshape(-1, 4, 2)
    places, certain = corners.mean(axis=1), np.array([pieces[index].certainty for index in tiles]) >= EXACT_CERTAINTY
    whole = certain & (np.abs(np.log(areas(corners)) / 2 - np.log(lattice.side)) < MAX_SIZE_GAP)
    covers = [piece.center for piece in pieces if piece.kind in STAND and piece.certainty >= CERTAIN]
    cover_places = lattice.place(np.array(covers)) if covers else np.zeros((0, 2))
    out: list[Cell] = []
    for cell in lattice.enclosed_cells:
        away = np.abs(places - cell).max(axis=1)
        exact = certain & (corner_errors(corners - cell, lattice.side) < max_error)
        shifted = whole & (away > MAX_SHIFT) & (away < 1 - MAX_SHIFT)
        if (exact | shifted).any():
            continue
        here = [tiles[index] for index in np.flatnonzero(away < MAX_OFFSET)]
        if here:
            out.append((max(here, key=lambda index: pieces[index].certainty), lattice.outline(cell)))
        elif (np.abs(cover_places - cell).max(axis=1) < MAX_OFFSET).any():
            out.append((None, lattice.outline(cell)))
    return out


def areas(quads: Floats) -> Floats:
    return np.array([max(shape.area(quad), 1e-6) for quad in quads])


def corner_errors(corners: Floats, side: float) -> Floats:
    """Largest distance of the corners of each quad from those of a tile of this side in the middle."""
    return np.asarray(np.linalg.norm(corners[:, :, None] - side * CORNERS, axis=3).min(axis=2).max(axis=1))


def rough_lattice(tiles: Sequence[DetectedPiece], size: tuple[int, int]) -> Lattice | None:
    """The lattice of these tiles by their centres; None where they are no board. `size`: that of the picture."""
    plane = planes.fit([tile.outline for tile in tiles if tile.certainty >= CERTAIN], size)
    if plane is None or len(tiles) < MIN_TILES:
        return None
    centers, weights = np.array([tile.center for tile in tiles]), np.array([tile.certainty for tile in tiles])
    quads = np.array([plane.to_table(tile.outline) for tile in tiles])
    places = cells_of(plane.to_table(centers), quads, weights)
    to_picture = None if places is None else fitted_to_centers(places, centers, typical_side(tiles))
    if to_picture is None:
        return None
    places = apply(inverse(to_picture), centers)
    near = (np.abs(places - np.round(places)).max(axis=1) < CENTER_TOLERANCES[-1]) & (weights >= CERTAIN)
    cells = np.unique(np.round(places[near]), axis=0)
    return Lattice(to_picture, cells, outlined_side(to_picture, tiles)) if len(cells) >= MIN_TILES else None


def cells_of(points: Floats, quads: Floats, weights: Floats) -> Floats | None:
    """The points in cells of the lattice that they fit best: along each axis the mean phase of all points gives the
    offset for a pitch, and its length tells how well they agree. None where they do not."""
    best, out = MIN_REGULARITY, None
    around = points - np.average(points, axis=0, weights=weights)
    for direction in mean_direction(quads, weights) + DIRECTIONS:
        c, s = np.cos(direction), np.sin(direction)
        turned = around @ np.array([[c, -s], [s, c]])
        waves = np.exp(2j * np.pi * turned[:, None] / PITCHES[:, None])
        phases = np.einsum("n,npa->pa", weights / weights.sum(), waves)
        agreement = np.abs(phases) * PITCH_FACTORS[:, None]
        chosen = agreement.argmax(axis=0), [0, 1]
        if agreement[chosen].mean() > best:
            best = float(agreement[chosen].mean())
            out = turned / PITCHES[chosen[0]] - np.angle(phases[chosen]) / (2 * np.pi)
    return out


def mean_direction(quads: Floats, weights: Floats) -> float:
    """Direction of the sides of squares, up to quarter turns."""
    sides = quads[:, 1] - quads[:, 0]
    return float(np.angle((weights * np.exp(4j * np.arctan2(sides[:, 1], sides[:, 0]))).sum()) / 4)


def fitted_to_centers(places: Floats, centers: Floats, side: float) -> Floats | None:
    """Homography from cells to the picture by the tiles near the middle of their cells; None if too few are. `places`:
    the tiles in cells. `side`: of a tile in the picture."""
    matrix = None
    for tolerance in CENTER_TOLERANCES:
        cells = np.round(places)
        near = np.abs(places - cells).max(axis=1) < tolerance
        matrix = homography(cells[near], centers[near], CENTER_TOLERANCES[-1] * side)
        if matrix is None:
            return None
        places = apply(inverse(matrix), centers)
    return matrix


def homography(source: Floats, target: Floats, tolerance: float) -> Floats | None:
    """The homography that most points follow; None where there is none, or fewer than MIN_TILES."""
    if len(source) < MIN_TILES:
        return None
    matrix = cv2.findHomography(source, target, cv2.RANSAC, tolerance)[0]
    return None if matrix is None else np.asarray(matrix, np.float64)


def fitted_to_sides(grey: Picture, rough: Lattice, tiles: Sequence[DetectedPiece]) -> Lattice | None:
    """The lattice fitted to the sides of its cells in the picture."""
    lattice, pixels = Lattice(rough.to_picture, rough.cells, (USUAL_SIDE + rough.side) / 2), typical_side(tiles)
    for tolerance in CORNER_TOLERANCES:
        quads = [lattice.outline(cell) for cell in lattice.cells]
        refined = refined_quads(grey, quads)
        matrix = homography(lattice.place(np.concatenate(quads)), np.concatenate(refined), tolerance * pixels)
        if matrix is None:
            return None
        sides = [np.sqrt(shape.area(apply(inverse(matrix), quad))) for quad in refined]
        lattice = Lattice(matrix, lattice.cells, float(np.clip(np.median(sides), *SIDES)))
    return lattice


def outlined_side(to_picture: Floats, tiles: Sequence[DetectedPiece]) -> float:
    """Mean side of the tiles as outlined, in cells."""
    sides = [np.sqrt(shape.area(apply(inverse(to_picture), tile.outline))) for tile in tiles]
    return float(np.clip(np.average(sides, weights=[tile.certainty**2 for tile in tiles]), *SIDES))


def typical_side(tiles: Sequence[DetectedPiece]) -> float:
    """Median side of the tiles, in pixels."""
    return float(np.median([np.sqrt(shape.area(tile.outline)) for tile in tiles]))
