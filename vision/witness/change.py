"""Where two pictures of one table differ by more than light does.

A window of the picture is compared after the brightness and contrast of the one have been fitted to the other: a lamp,
a cloud, an arm's shadow and a camera that changes its exposure alter both smoothly and leave the drawing as it was.
What the fit leaves over, measured against the noise and the steepness of its edges (which a hair's breadth
moves), and what changed its colour, is another thing that lies there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.witness.tuning import WITNESS

DIFFERING = WITNESS.differing

_AROUND: Final = np.ones((DIFFERING.around, DIFFERING.around), np.uint8)

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
Shade = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Small:
    """A picture made small for comparing. `scale`: its pixels for each of the camera's."""

    image: Picture
    scale: float

    @staticmethod
    def of(image: Picture) -> Small:
        scale = min(1.0, DIFFERING.width / image.shape[1])
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        return Small(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale)


@dataclass(frozen=True, slots=True)
class Difference:
    """`changed`: where something else is to be seen; `blind`: where nothing can be compared."""

    changed: Mask
    blind: Mask
    shade: Shade
    """Where only the brightness differs, as in a shadow: -1 darker, 1 lighter; 2 where more differs, 0 nothing."""

    @property
    def share(self) -> float:
        seen = ~self.blind
        return float(self.changed[seen].mean()) if seen.any() else 1.0


def change(before: Small, after: Small) -> Difference:
    """Both pictures of one size, and of one view. Most of a table looks as it did, which is quickly seen; only the rest
    is compared closely."""
    light = _Light.between(before.image, after.image)
    blind = _unreadable(before.image, after.image)
    found, shade = np.zeros(blind.shape, np.uint8), np.zeros(blind.shape, np.int8)
    for rows, columns in _suspect(before.image, after.image, light):
        one, two = before.image[rows, columns], after.image[rows, columns]
        found[rows, columns] |= _differs(np.asarray(one, np.uint8), np.asarray(two, np.uint8), light)
        shade[rows, columns] = _shaded(np.asarray(one, np.float32), np.asarray(two, np.float32), light)
    found = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)
    return Difference((found > 0) & ~blind, blind, shade)


@dataclass(frozen=True, slots=True)
class _Light:
    """What differs everywhere: how much brighter each colour is, and the noise in grey levels."""

    gains: Grey
    noise: float

    @staticmethod
    def between(one: Picture, two: Picture) -> _Light:
        coarse_one, coarse_two = (image[4::9, 4::9].astype(np.float32) + DIFFERING.black for image in (one, two))
        gains = np.exp(np.median(np.log(coarse_two / coarse_one).reshape(-1, 3), axis=0)).astype(np.float32)
        gap = cv2.absdiff(one[::4, :, 1], two[::4, :, 1])
        rough = float(np.median(np.abs(gap.astype(np.float32) - cv2.blur(gap, (3, 1)))))
        return _Light(gains, max(DIFFERING.quiet, 0.7 * rough))


def _suspect(one: Picture, two: Picture, light: _Light) -> list[tuple[slice, slice]]:
    """The parts of the picture where anything at all differs."""
    even = np.clip(np.arange(256, dtype=np.float32)[:, None] * light.gains, 0, 255).astype(np.uint8)
    adjusted = cv2.LUT(one, even[:, None, :]) if abs(light.gains - 1).max() > 0.01 else one
    gap = cv2.absdiff(cv2.blur(adjusted, (3, 3)), cv2.blur(two, (3, 3)))
    blue, green, red = cv2.split(gap)
    most = cv2.blur(cv2.max(cv2.max(blue, green), red), (5, 5))
    rough = cv2.dilate(cv2.threshold(most, DIFFERING.suspect * light.noise, 1, cv2.THRESH_BINARY)[1], _AROUND)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(rough)
    if count - 1 > DIFFERING.most_parts or float(rough.mean()) > 0.5:
        return [(slice(0, one.shape[0]), slice(0, one.shape[1]))]
    parts = []
    for x, y, width, height, _ in boxes[1:]:
        top, left = max(y - DIFFERING.window, 0), max(x - DIFFERING.window, 0)
        parts.append((slice(top, y + height + DIFFERING.window), slice(left, x + width + DIFFERING.window)))
    return parts


def _differs(one: Picture, two: Picture, light: _Light) -> Picture:
    grey_one, grey_two = _grey(one), _grey(two)
    left = _left_over(grey_one, grey_two)
    steep = DIFFERING.shaken * np.maximum(_steepness(grey_one), _steepness(grey_two))
    drawn = left > DIFFERING.drawing * (light.noise + steep)
    coloured = _colour_gap(one.astype(np.float32), two.astype(np.float32), light) > DIFFERING.colour
    return np.asarray(drawn | coloured, np.uint8)


def _grey(image: Picture) -> Grey:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.8))


def _mean(values: Grey) -> Grey:
    return np.asarray(cv2.blur(values, (DIFFERING.window, DIFFERING.window)), np.float32)


def _left_over(one: Grey, two: Grey) -> Grey:
    """The root mean square, in each window, of what is left of the one when the other is fitted to it; the greater of
    both directions, for a blank place that gets a drawing loses one the other way round."""
    mean_one, mean_two = _mean(one), _mean(two)
    spread_one = np.maximum(_mean(one * one) - mean_one**2, 0)
    spread_two = np.maximum(_mean(two * two) - mean_two**2, 0)
    common = _mean(one * two) - mean_one * mean_two
    gain = np.clip(common / (spread_one + 1.0), *DIFFERING.shadow)
    forth = spread_two - 2 * gain * common + gain**2 * spread_one
    gain = np.clip(common / (spread_two + 1.0), *DIFFERING.shadow)
    back = spread_one - 2 * gain * common + gain**2 * spread_two
    out = np.sqrt(np.maximum(np.maximum(forth, back), 0))
    darker = (mean_two + 8) / (mean_one + 8)
    beyond = np.maximum(np.maximum(DIFFERING.shadow[0] / darker, darker / DIFFERING.shadow[1]), 1.0) - 1.0
    return np.asarray(out + 40 * beyond, np.float32)


def _steepness(grey: Grey) -> Grey:
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    return np.sqrt(_mean(np.asarray(dx * dx + dy * dy, np.float32)))


def _colour_gap(one: Grey, two: Grey, light: _Light) -> Grey:
    """By how much the ratios of the colours differ, where there is light enough to tell, and without what the lamp's
    own colour does to the whole picture."""
    lamp = np.log(light.gains)
    gap = _ratios(two) - _ratios(one) - (lamp[[0, 2]] - lamp[1])
    lit = np.minimum(_mean(one.min(axis=2)), _mean(two.min(axis=2)))
    return np.asarray(np.abs(gap).max(axis=2) * (lit / (lit + DIFFERING.black)), np.float32)


def _shaded(one: Grey, two: Grey, light: _Light) -> Shade:
    """Where the same ground is to be seen with less or more light on it."""
    logs = (
        np.log(cv2.blur(two, (3, 3)) + DIFFERING.black)
        - np.log(cv2.blur(one, (3, 3)) + DIFFERING.black)
        - np.log(light.gains)
    )
    brighter = logs.mean(axis=2)
    plain, by = np.ptp(logs, axis=2) < DIFFERING.uncoloured, np.abs(brighter)
    shade = np.where(plain & (by < DIFFERING.shaded[1]), np.sign(brighter), 2)
    return np.asarray(np.where(plain & (by < DIFFERING.shaded[0]), 0, shade), np.int8)


def _ratios(image: Grey) -> Grey:
    logs = np.log(cv2.blur(image, (DIFFERING.window, DIFFERING.window)) + DIFFERING.black)
    return np.asarray(logs[:, :, (0, 2)] - logs[:, :, 1:2], np.float32)


def _unreadable(one: Picture, two: Picture) -> Mask:
    """Glare and darkness show nothing."""
    low = cv2.min(one, two)
    dark = cv2.inRange(cv2.max(one, two), (0, 0, 0), (DIFFERING.dark, DIFFERING.dark, DIFFERING.dark))
    return np.asarray(
        (cv2.inRange(low, (DIFFERING.glare, DIFFERING.glare, DIFFERING.glare), (255, 255, 255)) > 0) | (dark > 0)
    )
