"""Tiny flat drawings with their truth: enough to see that training learns and that the eyes open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

SUITS = ("suns", "moons", "crowns", "arms")
VALUES = ("null", "ace", "2", "3", "4", "5")
INKS = {"suns": (40, 40, 200), "moons": (30, 30, 30), "crowns": (40, 160, 60), "arms": (200, 80, 40)}


def drawing(seed: int, tiles: int = 4, coins: int = 4) -> tuple[np.ndarray, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    image = np.full((360, 640, 3), rng.integers(60, 120, 3), np.uint8)
    spots = rng.permutation(8)
    pieces = [draw_tile(image, spots[k], rng) for k in range(tiles)]
    pieces += [draw_coin(image, spots[tiles + k], rng) for k in range(coins)]
    return image, {"width": 640, "height": 360, "pieces": pieces, "stratum": "drawn"}


def place(spot: int) -> np.ndarray:
    return np.array([80 + 155 * (spot % 4), 95 + 165 * (spot // 4)], dtype=np.float64)


def draw_tile(image: np.ndarray, spot: int, rng: np.random.Generator) -> dict[str, Any]:
    suit, value = SUITS[rng.integers(4)], VALUES[rng.integers(6)]
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = place(spot) + 45 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) @ spin.T
    cv2.fillPoly(image, [corners.round().astype(np.int32)], (200, 225, 235), cv2.LINE_AA)
    mark = place(spot) + 30 * spin @ np.array([-1.0, -1])
    cv2.circle(image, mark.astype(int).tolist(), 8, INKS[suit], -1, cv2.LINE_AA)
    text(image, str(VALUES.index(value)), place(spot), INKS[suit])
    return record("tile", corners, place(spot), suit, value, "front", -np.degrees(turn))


def draw_coin(image: np.ndarray, spot: int, rng: np.random.Generator) -> dict[str, Any]:
    value = VALUES[rng.integers(6)]
    angles = np.arange(16) * np.pi / 8
    outline = place(spot) + 20 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    cv2.circle(image, place(spot).astype(int).tolist(), 20, (210, 220, 220), -1, cv2.LINE_AA)
    text(image, str(VALUES.index(value)), place(spot), (20, 20, 20))
    return record("coin", outline, place(spot), None, value, "front", 0.0)


def text(image: np.ndarray, words: str, at: np.ndarray, ink: tuple[int, int, int]) -> None:
    corner = (int(at[0]) - 9, int(at[1]) + 9)
    cv2.putText(image, words, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)


def record(
    kind: str, outline: np.ndarray, center: np.ndarray, suit: str | None, value: str, face: str, angle: float
) -> dict[str, Any]:
    return {
        "kind": kind,
        "outline_px": outline.tolist(),
        "center_px": center.tolist(),
        "visible": 1.0,
        "suit": suit,
        "value": value,
        "face": face,
        "angle_img_deg": angle,
        "art_visible": {"suit": 1.0, "value": 1.0},
    }


def write_pool(folder: Path, count: int) -> None:
    folder.mkdir(parents=True)
    for seed in range(count):
        image, truth = drawing(seed)
        cv2.imwrite(str(folder / f"{seed:07d}.jpg"), image)
        (folder / f"{seed:07d}.json").write_text(json.dumps(truth))
