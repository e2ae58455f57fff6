"""Corners from the picture's own edges: exact on a lone tile, and one's own beside a neighbour's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.detect.edges import refined_quads

SIDE = 100
GAP = 4


def board(rows: int, light: int, gap: int) -> tuple[np.ndarray, np.ndarray]:
    """Tiles with dark (or light) gaps between them, smoothed as a camera would, and the corners of the middle one."""
    pitch = SIDE + GAP
    image = np.full((rows * pitch + GAP, rows * pitch + GAP), gap, np.uint8)
    for row in range(rows):
        for column in range(rows):
            y, x = GAP + row * pitch, GAP + column * pitch
            image[y : y + SIDE, x : x + SIDE] = light
    first = GAP + rows // 2 * pitch - 0.5
    corners = first + SIDE * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    return cv2.GaussianBlur(image, (0, 0), 1.0), corners


@pytest.mark.parametrize(("light", "gap"), [(200, 60), (150, 90), (60, 200)])
@pytest.mark.parametrize("rows", [1, 3])
def test_every_side_finds_its_own_edge(light: int, gap: int, rows: int) -> None:
    image, corners = board(rows, light, gap)
    if rows == 1:
        image, corners = cv2.copyMakeBorder(image, 40, 40, 40, 40, cv2.BORDER_REPLICATE), corners + 40
    rng = np.random.default_rng(rows)
    for _ in range(6):
        seen = corners + rng.normal(0, 0.015 * SIDE, corners.shape)
        gaps = np.linalg.norm(refined_quads(image, [seen])[0] - corners, axis=1)
        assert np.median(gaps) < 0.012 * SIDE


def test_where_there_is_no_edge_the_side_stays() -> None:
    seen = np.array([[40.0, 40], [120, 42], [118, 120], [41, 119]])
    blank = np.full((160, 160), 120, np.uint8)
    assert np.abs(refined_quads(blank, [seen])[0] - seen).max() < 1.0
    assert refined_quads(blank, []) == []
