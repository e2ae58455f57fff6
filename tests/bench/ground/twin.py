"""Pictures as another camera, or the same one a moment later, would have given them.

Exposure, tint, sharpness and noise of a recording's twin are those of one other camera; every picture of it also lies
up to half a pixel elsewhere and is compressed anew. Nothing moves by more than half a pixel, so the truth stays true.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Picture

STRENGTH = 0.5
"""1: brightness differs by a tenth (one deviation) and noise by one to five grey levels; 0: nothing changes."""


@dataclass(frozen=True, slots=True)
class Light:
    """What is the same in a whole recording: gain, gain of each colour, blur (below nought: sharpening), noise."""

    seed: int
    gain: float
    tint: tuple[float, float, float]
    softness: float
    noise: float

    @staticmethod
    def of(name: str, seed: int) -> Light:
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        blue, green, red = np.exp(STRENGTH * rng.normal(0, 0.03, 3))
        gain = 1 + STRENGTH * rng.normal(0, 0.10)
        softness, noise = STRENGTH * rng.uniform(-0.6, 0.9), STRENGTH * rng.uniform(1, 5)
        return Light(seed, float(gain), (float(blue), float(green), float(red)), float(softness), float(noise))


def changed(image: Picture, light: Light, number: int) -> Picture:
    """The picture with this number in its recording, as the other camera has it."""
    rng = np.random.default_rng([light.seed, number, zlib.crc32(repr(light).encode())])
    gain = light.gain * (1 + STRENGTH * rng.normal(0, 0.01))
    bright = image.astype(np.float32) * (np.array(light.tint, np.float32) * np.float32(gain))
    east, south = rng.uniform(-0.45, 0.45, 2) * STRENGTH
    shift = np.array([[1, 0, east], [0, 1, south]], np.float32)
    size = (image.shape[1], image.shape[0])
    lain = cv2.warpAffine(bright, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    blurred = cv2.GaussianBlur(lain, (0, 0), 0.3 + abs(light.softness))
    sharp = blurred if light.softness > 0 else lain + 0.5 * abs(light.softness) * (lain - blurred)
    return np.clip(sharp + rng.normal(0, light.noise, image.shape), 0, 255).astype(np.uint8)
