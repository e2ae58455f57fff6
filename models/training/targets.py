"""Training targets of the finder for a picture with known truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.truth import MIN_VISIBLE, Labelled
from vision.detect import shape
from vision.detect.channels import GEOMETRY, KINDS, STRIDE, UNIT_PX
from vision.detect.shape import Floats

Array = NDArray[np.float32]
GROUP_OF = {"tile": 0, "card": 0, "coin": 1, "die": 2, "pawn": 3, "pyramid": 3}
WIDTHS = (7, 5, 7, 10)


@dataclass(slots=True)
class Targets:
    heat: Array  # kinds x h x w
    care: Array  # kinds x h x w: 0 where cells are ignored
    mask: Array  # kinds and hands x h x w: segmentation
    cells: list[tuple[int, int, int, Array, float]]  # group, row, column, numbers, size in units


def geometry(piece: Labelled) -> tuple[Floats, Floats, float]:
    """(centre in px, geometry numbers without the offset, size in px) of one piece."""
    outline = piece.outline
    if piece.kind in ("pawn", "pyramid"):
        reach = shape.supports(piece.center, outline)
        return piece.center, reach / UNIT_PX, float(np.sqrt(shape.area(outline)))
    if piece.kind == "coin":
        matrix = shape.disc_spread(outline)
        return outline.mean(axis=0), upper_triangle(matrix), 2 * float(np.sqrt(np.linalg.det(matrix)))
    matrix = shape.spread(outline)
    phase = shape.quad_phase(outline, matrix)
    numbers = np.concatenate([upper_triangle(matrix), [np.cos(phase), np.sin(phase)]])
    return outline.mean(axis=0), numbers, 2 * float(np.sqrt(np.linalg.det(matrix)))


def upper_triangle(matrix: Floats) -> Floats:
    return np.array([matrix[0, 0], matrix[0, 1], matrix[1, 1]]) / UNIT_PX


def draw_peak(heat: Array, column: float, row: float, sigma: float) -> None:
    height, width = heat.shape
    reach = int(np.ceil(3 * sigma))
    left, right = max(0, int(column) - reach), min(width, int(column) + reach + 1)
    top, bottom = max(0, int(row) - reach), min(height, int(row) + reach + 1)
    if left >= right or top >= bottom:
        return
    x = np.exp(-((np.arange(left, right) - int(column)) ** 2) / (2 * sigma**2))
    y = np.exp(-((np.arange(top, bottom) - int(row)) ** 2) / (2 * sigma**2))
    patch = heat[top:bottom, left:right]
    np.maximum(patch, np.outer(y, x).astype(np.float32), out=patch)


def encode(pieces: list[Labelled], height: int, width: int, hands: Sequence[Floats] = ()) -> Targets:
    """Heat maps, care mask, segmentation and geometry for a picture of height x width pixels."""
    shape_of_map = (height // STRIDE, width // STRIDE)
    out = Targets(
        np.zeros((len(KINDS), *shape_of_map), np.float32),
        np.ones((len(KINDS), *shape_of_map), np.float32),
        np.zeros((len(KINDS) + 1, *shape_of_map), np.float32),
        [],
    )
    for piece in sorted(pieces, key=lambda each: each.visible):
        add_piece(out, piece)
        if piece.visible >= MIN_VISIBLE:
            fill(out.mask[KINDS.index(piece.kind)], piece.outline)
    for hand in hands:
        fill(out.mask[-1], hand)
    return out


def fill(layer: Array, outline: Floats) -> None:
    points = np.round(outline / STRIDE - 0.5).astype(np.int32)
    cv2.fillPoly(layer, [points], 1.0)


def add_piece(out: Targets, piece: Labelled) -> None:
    center, numbers, size = geometry(piece)
    column, row = center / STRIDE - 0.5
    kind = KINDS.index(piece.kind)
    sigma = max(0.08 * size / STRIDE, 0.7)
    if piece.visible < MIN_VISIBLE:
        ignored = np.zeros_like(out.heat[kind])
        draw_peak(ignored, round(column), round(row), 2 * sigma)
        out.care[kind][ignored > 0.1] = 0
        return
    draw_peak(out.heat[kind], round(column), round(row), sigma)
    height, width = out.heat.shape[1:]
    for down, right in product((-1, 0, 1), repeat=2):
        y, x = round(row) + down, round(column) + right
        if 0 <= y < height and 0 <= x < width:
            regressed = np.concatenate([[column - x, row - y], numbers]).astype(np.float32)
            assert len(regressed) == GEOMETRY[piece.kind].stop - GEOMETRY[piece.kind].start
            out.cells.append((GROUP_OF[piece.kind], y, x, regressed, size / UNIT_PX))
