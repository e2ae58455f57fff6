"""Tables with known truth, without the cost of drawing them: cameras, tiles, and the sheet seen through a lens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration import sheet
from models.render.camera import PinholeCamera, Viewpoint, camera_at
from vision.detect.shape import Floats
from vision.frame import Picture

INCH = 25.4
THICK = 0.25
CORNERS = np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]])


@dataclass(frozen=True, slots=True)
class Tiles:
    """What the eyes would see (`quads`, with their error) and where the tiles lie (millimetres)."""

    camera: PinholeCamera
    quads: list[Floats]
    places: Floats

    @property
    def size(self) -> tuple[int, int]:
        return self.camera.width, self.camera.height

    def exact(self) -> Floats:
        """Where the tiles' middles are in the picture."""
        return seen_at(self.camera, self.places / INCH, THICK)


def seen_at(camera: PinholeCamera, places: Floats, height: float) -> Floats:
    """Pixels of places on the table (inches) at a height."""
    return np.asarray(camera.project(np.column_stack([places, np.full(len(places), height)])), np.float64)


def random_camera(seed: int, tilt: float, bent: bool = True) -> PinholeCamera:
    """As people's cameras differ: field of view, lens, off-centre chip, resolution."""
    rng = np.random.default_rng([seed, 5])
    big, fov = rng.random() < 0.35, float(rng.uniform(50, 85))
    width, height = (1920, 1080) if big else (1280, 720)
    distance = 2 * width / 2 / np.tan(np.radians(fov) / 2) / (135 if big else 90)
    k1, k2, p1, p2, dx, dy = rng.normal(0, (0.07, 0.02, 6e-4, 6e-4, 8, 8)) * bent
    lens, chip = (float(k1), float(k2), float(p1), float(p2), 0.0), (float(dx), float(dy))
    turn, roll = float(rng.uniform(0, 360)), float(rng.normal(0, 3))
    return camera_at(Viewpoint(width, height, fov, tilt, turn, roll, float(distance), distortion=lens, off_centre=chip))


def laid(rng: np.random.Generator, count: int) -> list[tuple[float, float, float]]:
    """Tiles that do not overlap: (x, y, turn)."""
    found: list[tuple[float, float, float]] = []
    for _ in range(400):
        x, y, turn = rng.uniform(-6, 6), rng.uniform(-5, 5), rng.uniform(0, 2 * np.pi)
        if len(found) < count and all(np.hypot(x - a, y - b) > 2.1 for a, b, _ in found):
            found.append((x, y, turn))
    return found


def tiles(
    seed: int,
    tilt: float,
    count: int = 16,
    noise: float = 0.7,
    wild: int = 0,
    bent: bool = True,
    camera: PinholeCamera | None = None,
    raised: int = 0,
) -> Tiles:
    """Tiles as found by eyes that err by `noise` pixels at every corner; `wild` outlines are plainly wrong, `raised`
    tiles lie on another one."""
    rng = np.random.default_rng([seed, 6])
    eye = camera or random_camera(seed, tilt, bent)
    quads: list[Floats] = []
    places = []
    for x, y, turn in laid(rng, count):
        height = THICK * (2 if len(quads) < raised else 1)
        quad = eye.project(np.column_stack([corners(x, y, turn), np.full(4, height)]))
        if (quad > 2).all() and (quad < (eye.width - 2, eye.height - 2)).all():
            gross = rng.normal(0, 12, (4, 2)) if len(quads) < wild else 0.0
            quads.append(quad + rng.normal(0, noise, (4, 2)) + gross)
            places.append((x, y))
    return Tiles(eye, quads, np.array(places) * INCH)


def corners(x: float, y: float, turn: float) -> Floats:
    c, s = np.cos(turn), np.sin(turn)
    out: Floats = CORNERS @ np.array([[c, s], [-s, c]]) + (x, y)
    return out


def apart(found: Floats, truth: Floats) -> Floats:
    """How far each place is from the truth after the best shift and turn (no stretch)."""
    here, there = found - found.mean(axis=0), truth - truth.mean(axis=0)
    left, _, right = np.linalg.svd(here.T @ there)
    turn = left @ np.diag([1, np.sign(np.linalg.det(left @ right))]) @ right
    out: Floats = np.linalg.norm(here @ turn - there, axis=1)
    return out


def grid(camera: PinholeCamera, height: float = 0.0) -> tuple[Floats, Floats]:
    """Points over the whole table in sight: their places in millimetres and where they are in the picture."""
    t = np.linspace(-7, 7, 15)
    places = np.stack(np.meshgrid(t, t), -1).reshape(-1, 2)
    seen = seen_at(camera, places, height)
    inside = (seen > 0.06 * camera.width).all(axis=1) & (seen < 0.94 * np.array([camera.width, camera.height])).all(
        axis=1
    )
    return places[inside] * INCH, seen[inside]


@cache
def sheet_picture(
    camera: PinholeCamera, seed: int = 0, at: tuple[float, float] = (0.0, 0.0), turn: float = 0.1
) -> Picture:
    """The printed sheet lying on a brownish table, photographed: four rays a pixel, lens, blur, noise."""
    pixels = np.stack(np.meshgrid(np.arange(camera.width), np.arange(camera.height)), -1) + 0.5
    ideal = np.asarray(camera.undistort(pixels.reshape(-1, 2)), np.float64).reshape(pixels.shape)
    finer = cv2.resize(ideal, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)  # the lens bends smoothly
    return photographed(camera, np.asarray(finer, np.float64).reshape(-1, 2), seed, at, turn)


def photographed(camera: PinholeCamera, ideal: Floats, seed: int, at: tuple[float, float], turn: float) -> Picture:
    back = np.linalg.inv(camera.table_homography())
    place = cv2.perspectiveTransform(ideal.reshape(1, -1, 2), back)[0] - np.array(at)
    c, s = np.cos(turn), np.sin(turn)
    mm = (place @ np.array([[c, s], [s, -c]])) * INCH + (
        sheet.COLUMNS * sheet.SQUARE_MM / 2,
        sheet.ROWS * sheet.SQUARE_MM / 2,
    )
    cell = np.floor(mm / sheet.CELL_MM).astype(np.int64)
    black = np.pad(sheet.cells(), 8)
    index = np.clip(cell + 8, 0, np.array(black.shape[::-1]) - 1)
    paper = (np.abs(mm - mm_middle()) < mm_middle() + 11).all(axis=1)
    light = np.where(paper, np.where(black[index[:, 1], index[:, 0]], 30.0, 225.0), 95.0)
    small = light.reshape(camera.height, 2, camera.width, 2).mean(axis=(1, 3))
    noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + np.random.default_rng(seed).normal(0, 3, small.shape)
    return np.repeat(np.clip(noisy, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def mm_middle() -> Floats:
    return np.array([sheet.COLUMNS, sheet.ROWS]) * sheet.SQUARE_MM / 2
