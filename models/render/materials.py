"""Surfaces: noise, wood, card, plastic, cloth, stone. Colours are sRGB in BGR order, 0..255."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.glyphs import Random

Picture = NDArray[np.uint8]
Grey = NDArray[np.float32]
Colour = tuple[float, float, float]


def random_colour(rng: Random, low: float = 20, high: float = 240) -> Colour:
    b, g, r = (float(c) for c in rng.uniform(low, high, 3))
    return b, g, r


def muted_colour(rng: Random) -> Colour:
    """A random colour of low saturation, as of household things."""
    colour = np.array(random_colour(rng))
    b, g, r = (float(c) for c in colour.mean() + (colour - colour.mean()) * rng.uniform(0.1, 0.65))
    return b, g, r


def noise(rng: Random, height: int, width: int, cells: tuple[float, float]) -> Grey:
    """Smooth noise, about -1..1, with `cells` cells down and across."""
    rows, columns = max(2, round(cells[0]) + 3), max(2, round(cells[1]) + 3)
    coarse = rng.standard_normal((rows, columns)).astype(np.float32) * 0.6
    if rows * 8 < height and columns * 8 < width:  # cubic at a quarter of the size is smooth enough
        coarse = np.asarray(cv2.resize(coarse, (width // 4, height // 4), interpolation=cv2.INTER_CUBIC), np.float32)
        return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    kind = cv2.INTER_LINEAR if rows * 3 > height or columns * 3 > width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=kind), np.float32)


def clouds(rng: Random, height: int, width: int, cells: float, octaves: int = 4) -> Grey:
    """Several octaves of noise."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        finer = cells * 2**octave
        total += noise(rng, height, width, (min(finer, height / 2), min(finer, width / 2))) * 0.55**octave
    return total


def tinted(grey: Grey, base: Colour, depth: float, tint: Colour = (1.0, 1.0, 1.0)) -> Picture:
    """A picture of one colour, modulated by `grey` times `depth`; `tint` weighs the channels."""
    index = np.clip(grey * np.float32(42) + np.float32(128), 0, 255).astype(np.uint8)
    steps = (np.arange(256, dtype=np.float32)[:, None] - 128) / 42
    ramp = np.array(base, np.float32) * (1 + steps * np.float32(depth) * np.array(tint, np.float32))
    return np.asarray(np.take(np.clip(ramp, 0, 255).astype(np.uint8), index, axis=0))


def wood(rng: Random, height: int, width: int, base: Colour, contrast: float = 0.12, rings: float = 6.0) -> Picture:
    """Wood with the grain along the width."""
    warp = noise(rng, height, width, (2, 1)) * 0.9 + noise(rng, height, width, (6, 2)) * 0.18
    across = np.linspace(0, rings, height, dtype=np.float32)[:, None] + rng.uniform(0, 9)
    phase = across + warp * rng.uniform(0.4, 1.6)
    ring = (phase - np.floor(phase)) ** 2 - 0.4
    streaks = noise(rng, height, width, (height / 3, 3)) * 0.8
    pores = np.minimum(0, noise(rng, height, width, (height / 2, width / 28)) + 0.25)
    grey = ring * 0.9 + streaks * 0.5 + pores * 1.1
    return tinted(grey.astype(np.float32), base, contrast, (1.25, 1.05, 0.85))


def card(rng: Random, height: int, width: int, base: Colour) -> Picture:
    """Paper or card with slight noise."""
    grey = rng.standard_normal((height, width)).astype(np.float32) * 0.35 + noise(rng, height, width, (3, 3)) * 0.5
    return tinted(grey, base, 0.02)


def plastic(rng: Random, height: int, width: int, base: Colour) -> Picture:
    """Moulded plastic, nearly uniform."""
    return tinted(noise(rng, height, width, (2, 2)), base, 0.012)


def layered(rng: Random, height: int, width: int, base: Colour) -> Picture:
    """A 3-D print with fine parallel lines."""
    pitch = rng.uniform(2.5, 5.0)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    slant = float(rng.choice([0.0, 1.0]))
    lines = np.sin((y + x * slant) * np.float32(2 * np.pi / pitch))
    return tinted((lines + noise(rng, height, width, (4, 4)) * 0.6).astype(np.float32), base, 0.035)


def marble(rng: Random, height: int, width: int, base: Colour) -> Picture:
    veins = np.abs(clouds(rng, height, width, 2.5, 4))
    grey = -np.exp(-veins * 9) + clouds(rng, height, width, 3, 3) * 0.35
    return tinted(grey.astype(np.float32), base, 0.22)


def speckled(rng: Random, height: int, width: int, base: Colour) -> Picture:
    """Granite or laminate with specks."""
    fine = noise(rng, height, width, (height / 3, width / 3))
    grey = np.where(np.abs(fine) > 0.75, np.sign(fine) * 1.0, fine * 0.25)
    return tinted((grey + clouds(rng, height, width, 4, 2) * 0.3).astype(np.float32), base, 0.2)


def cloth(rng: Random, height: int, width: int, base: Colour) -> Picture:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pitch = rng.uniform(3.0, 5.5)
    weave = np.sin(x * np.float32(2 * np.pi / pitch)) * np.sin(y * np.float32(2 * np.pi / pitch))
    threads = noise(rng, height, width, (height / 3, 6)) + noise(rng, height, width, (6, width / 3))
    grey = weave * 0.5 + threads * 0.45 + clouds(rng, height, width, 3, 2) * 0.35
    return tinted(grey.astype(np.float32), base, rng.uniform(0.06, 0.14))


def felt(rng: Random, height: int, width: int, base: Colour) -> Picture:
    fine = rng.standard_normal((height, width)).astype(np.float32)
    fine = cv2.GaussianBlur(fine, (0, 0), 0.9) * 1.6
    return tinted((fine * 0.7 + clouds(rng, height, width, 3, 3) * 0.5).astype(np.float32), base, 0.1)


SURFACES = {"wood": wood, "card": card, "plastic": plastic, "printed": layered, "marble": marble, "metal": plastic}


def cutout(rng: Random, sheet: Picture, height: int, width: int) -> Picture:
    """A random part of a larger sheet, perhaps rotated by 180 degrees, slightly lighter or darker."""
    top = int(rng.integers(0, max(1, sheet.shape[0] - height)))
    left = int(rng.integers(0, max(1, sheet.shape[1] - width)))
    piece = sheet[top : top + height, left : left + width]
    if rng.random() < 0.5:
        piece = piece[::-1, ::-1]
    return np.asarray(np.clip(piece * np.float32(rng.uniform(0.94, 1.04)), 0, 255), np.uint8)


def write(sheet: Picture, text: str, at: tuple[int, int], size: float, ink: Sequence[float], thick: int = 1,
          font: int = cv2.FONT_HERSHEY_TRIPLEX) -> None:  # fmt: skip
    """Writes text with its lower left corner at a pixel; `size` is OpenCV's font scale."""
    cv2.putText(sheet, text, at, font, size, ink, thick, cv2.LINE_AA)
