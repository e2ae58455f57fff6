"""Differences of two pictures of one table beyond changes of light.

Each window of a picture is compared after fitting brightness and contrast of the other: a lamp, a cloud, the shadow of
an arm and automatic exposure change both smoothly and leave the drawing as it is. A window has changed if the residual
is large against noise and the effect of sub-pixel shifts on its gradients, or if its colour has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.witness.tuning import WITNESS

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
Shade = NDArray[np.int8]
Part = tuple[slice, slice]
"""Rows and columns of a part of a picture."""
LIMITS = WITNESS.change
_WINDOW = (LIMITS.window_px, LIMITS.window_px)
_NEAR = np.ones(_WINDOW, np.uint8)
"""Kernel that enlarges a mask by half a window."""


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """A picture reduced for comparison. `scale`: its pixels per camera pixel."""

    image: Picture
    scale: float

    @staticmethod
    def of(image: Picture) -> SmallPicture:
        scale = min(1.0, LIMITS.width_px / image.shape[1])
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        return SmallPicture(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale)


@dataclass(frozen=True, slots=True)
class Difference:
    """`changed`: mask of the changed places. `blind`: mask of those that cannot be compared."""

    changed: Mask
    blind: Mask
    shade: Shade
    """Where only the brightness differs, as in a shadow: -1 darker, 1 lighter; 2 where more differs, 0 no
    difference."""
    differing: Mask
    """Mask of every difference: changed places, their margins (which may be a shadow or a faint drawing), and weak ones
    that count only where the reader sees a piece come or go."""

    @property
    def changed_share(self) -> float:
        """Changed share of the comparable places."""
        comparable = ~self.blind
        return float(self.changed[comparable].mean()) if comparable.any() else 1.0


def change(before: SmallPicture, after: SmallPicture) -> Difference:
    """The difference of two pictures of equal size and view. Only parts where anything differs are compared closely."""
    light = _LightChange.between(before.image, after.image)
    blind = _blind(before.image, after.image)
    strong, colour_mask, weak_mask, sensitive_mask = (np.zeros(blind.shape, np.uint8) for _ in range(4))
    shade = np.zeros(blind.shape, np.int8)
    parts = _suspect_parts(before.image, after.image, light)
    colour_limit = _colour_limit(before.image, after.image, light) if parts else 0.0
    weak_limit = _weak_limit(before.image, after.image, light) if parts else 0.0
    for rows, columns in parts:
        one, two = before.image[rows, columns], after.image[rows, columns]
        shade[rows, columns] = part_shade = _shade(one, two, light)
        grey_one, grey_two, tolerance = _greys(one, two)
        residual = _residual(grey_one, grey_two)
        is_strong = residual / (light.noise + tolerance) > LIMITS.strong_residual
        strong[rows, columns] |= is_strong | (_colour_gap(one, two, light) > LIMITS.strong_colour_gap)
        sensitive_mask[rows, columns] |= residual > LIMITS.sensitive_residual * (light.min_noise + tolerance)
        residual = _fine_residual(grey_one, grey_two, light.noise + tolerance, weak_limit)
        weak_mask[rows, columns] |= _weak_changes(residual, weak_limit)
        colour_mask[rows, columns] |= _colour_changes(one, two, light, colour_limit, part_shade)
    strong, colour_mask, sensitive_mask = map(_without_specks, (strong, colour_mask, sensitive_mask))
    changed = (strong > 0) | _isolated(colour_mask, strong) | _isolated(weak_mask, strong)
    return Difference(changed & ~blind, blind, shade, (changed | (colour_mask > 0) | (sensitive_mask > 0)) & ~blind)


def _without_specks(mask: Picture) -> Picture:
    """The mask without regions thinner than three pixels."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


@dataclass(frozen=True, slots=True)
class _LightChange:
    """Global difference of two pictures: gain of each colour channel, noise in grey levels, and noise of each
    channel."""

    gains: Grey
    noise: float
    min_noise: float
    channel_noise: Grey

    @staticmethod
    def between(one: Picture, two: Picture) -> _LightChange:
        coarse_one, coarse_two = (image[4::9, 4::9].astype(np.float32) + LIMITS.black_levels for image in (one, two))
        gains = np.exp(np.median(np.log(coarse_two / coarse_one).reshape(-1, 3), axis=0)).astype(np.float32)
        difference = cv2.absdiff(one[::4, :, 1], two[::4, :, 1])
        roughness = float(np.median(np.abs(difference.astype(np.float32) - cv2.blur(difference, (3, 1)))))
        noise, min_noise = (
            max(quiet, LIMITS.noise_share * roughness)
            for quiet in (LIMITS.min_noise_levels, LIMITS.min_sensitive_noise_levels)
        )
        return _LightChange(gains, noise, min_noise, _channel_noise(one, two, gains))


def _channel_noise(one: Picture, two: Picture, gains: Grey) -> Grey:
    """Noise of each colour channel from a part of the rows: the difference without its slow variation."""
    differences = (_blurred(one[band]) * gains - _blurred(two[band]) for band in _bands(one.shape[0]))
    residuals = [cv2.absdiff(gap, cv2.blur(gap, _WINDOW))[::3].reshape(-1, 3) for gap in differences]
    noise = np.median(np.concatenate(residuals), axis=0) / LIMITS.median_sigma
    return np.asarray(np.maximum(noise, LIMITS.min_channel_noise), np.float32)


def _bands(height: int) -> list[slice]:
    """A fifth of the rows, in bands over the whole picture."""
    wide = 3 * LIMITS.window_px
    return [slice(top, top + wide) for top in range(0, max(height - wide, 1), 5 * wide)]


def _suspect_parts(one: Picture, two: Picture, light: _LightChange) -> list[Part]:
    """The parts of the picture in which anything differs."""
    table = np.clip(np.arange(256, dtype=np.float32)[:, None] * light.gains, 0, 255).astype(np.uint8)
    adjusted = cv2.LUT(one, table[:, None, :]) if abs(light.gains - 1).max() > 0.01 else one
    difference = cv2.absdiff(cv2.blur(adjusted, (3, 3)), cv2.blur(two, (3, 3)))
    blue, green, red = cv2.split(difference)
    largest = cv2.blur(cv2.max(cv2.max(blue, green), red), (5, 5))
    kernel = np.ones((LIMITS.part_margin_px, LIMITS.part_margin_px), np.uint8)
    suspect = cv2.threshold(largest, LIMITS.suspect_noise_factor * light.noise, 1, cv2.THRESH_BINARY)[1]
    mask = cv2.dilate(suspect, kernel)
    parts = _boxes(mask, LIMITS.window_px)
    if len(parts) > LIMITS.max_parts or float(mask.mean()) > LIMITS.max_parts_share:
        return [(slice(0, one.shape[0]), slice(0, one.shape[1]))]
    return parts


def _boxes(mask: cv2.typing.MatLike, margin: int) -> list[Part]:
    """The boxes around the connected regions of a mask, with a margin."""
    boxes = cv2.connectedComponentsWithStats(mask)[2][1:]
    return [
        (slice(max(y - margin, 0), y + height + margin), slice(max(x - margin, 0), x + width + margin))
        for x, y, width, height, _ in boxes.tolist()
    ]


def _colour_limit(one: Picture, two: Picture, light: _LightChange) -> float:
    """Smallest significant colour residual, from the usual residual on drawn ground in these two pictures (compression,
    noise, shake), since most of a table does not change."""
    samples = []
    for band in _bands(one.shape[0]):
        residual, gradient = _colour_residual(one[band], two[band], light)
        samples.append(residual[gradient >= np.percentile(gradient[::3, ::3], LIMITS.drawn_percentile)])
    usual = float(np.percentile(np.concatenate(samples), LIMITS.usual_percentile))
    return max(LIMITS.colour_residual, LIMITS.colour_residual_factor * usual)


def _colour_residual(one: Picture, two: Picture, light: _LightChange) -> tuple[Grey, Grey]:
    """(largest residual over the colour channels relative to noise and shake, largest gradient). A green drawing on
    brown has hardly a grey level of its own. Channels are processed one by one: all three at once take three times the
    memory, 70 MB where a whole picture differs."""
    max_residual, max_gradient = (np.zeros(one.shape[:2], np.float32) for _ in range(2))
    for one_colour, two_colour, noise in zip(cv2.split(one), cv2.split(two), light.channel_noise, strict=True):
        one_soft, two_soft = _blurred(one_colour), _blurred(two_colour)
        gradient = _gradient(one_soft, two_soft)
        residual = _residual(one_soft, two_soft)
        residual /= noise + LIMITS.shake_share * gradient
        cv2.max(max_residual, residual, dst=max_residual)
        cv2.max(max_gradient, gradient, dst=max_gradient)
    return max_residual, max_gradient


def _blurred(image: cv2.typing.MatLike) -> Grey:
    return np.asarray(cv2.GaussianBlur(image.astype(np.float32), (0, 0), 0.8), np.float32)


def _colour_changes(one: Picture, two: Picture, light: _LightChange, limit: float, shade: Shade) -> Picture:
    """Mask of significant colour residuals where more than the brightness differs: the soft edge of a shadow is no
    drawing."""
    near_coloured = cv2.dilate((shade == 2).astype(np.uint8), _NEAR)
    out = np.zeros(shade.shape, np.uint8)
    for part in _boxes(near_coloured, LIMITS.window_px):
        residual, _ = _colour_residual(one[part], two[part], light)
        out[part] |= (residual > limit) & (near_coloured[part] > 0)
    return out


def _isolated(weak: Picture, strong: Picture) -> Mask:
    """Weak regions that are no margin of a strong one, as a shadow and its reflection are."""
    count, labels = cv2.connectedComponents(cv2.bitwise_or(weak, cv2.dilate(strong, _NEAR)))
    is_weak = weak > 0
    strong_area, weak_area = (np.bincount(labels[mask], minlength=count) for mask in (strong > 0, is_weak))
    is_weak[is_weak] = (strong_area < LIMITS.margin_share * weak_area)[labels[is_weak]]
    return is_weak


def _greys(one: Picture, two: Picture) -> tuple[Grey, Grey, Grey]:
    """(both pictures, tolerance for shake) in grey levels."""
    grey_one, grey_two = (_blurred(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)) for image in (one, two))
    return grey_one, grey_two, LIMITS.shake_share * _gradient(grey_one, grey_two)


def _fine_residual(one: Grey, two: Grey, floor: Grey, limit: float = np.inf) -> Grey:
    """Residual relative to noise and shake, without slow variation such as soft shadows. Above `limit` it is the
    smallest over sub-pixel shifts of the second picture."""
    detail_one, detail_two = (
        np.asarray(cv2.subtract(grey, cv2.GaussianBlur(grey, (0, 0), LIMITS.slow_sigma_px)), np.float32)
        for grey in (one, two)
    )
    windows = _Windows.of(detail_one)
    residual = _fit_residual(windows, _Windows.of(detail_two)) / floor
    steps = (-LIMITS.shift_px, 0.0, LIMITS.shift_px)
    shifts = [(right, down) for right in steps for down in steps if right or down]
    for part in _boxes(cv2.dilate((residual > limit).astype(np.uint8), _NEAR), 1):
        best, windows_there, detail_there = residual[part], windows[part], detail_two[part]
        for right, down in shifts:
            if not (best > limit).any():
                break
            shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
            shifted = cv2.warpAffine(detail_there, shift, best.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            shifted_windows = _Windows.of(np.asarray(shifted, np.float32))
            np.minimum(best, _fit_residual(windows_there, shifted_windows) / floor[part], out=best)
    return residual


def _weak_limit(one: Picture, two: Picture, light: _LightChange) -> float:
    """Smallest significant residual of a small connected region; lower for dark pictures, which differ by less."""
    samples = []
    for band in _bands(one.shape[0])[::2]:
        grey_one, grey_two, tolerance = _greys(one[band], two[band])
        samples.append(_fine_residual(grey_one, grey_two, light.noise + tolerance)[::3, ::3])
    limit = LIMITS.weak_residual_factor * float(np.percentile(np.concatenate(samples), LIMITS.usual_percentile))
    return float(np.clip(limit, *LIMITS.weak_residual_limits))


def _weak_changes(residual: Grey, limit: float) -> Picture:
    """Mask of small connected regions of weak residual with a stronger peak: of a black coin on black only the lit rim
    is clear. Larger regions may be the soft edge of a shadow."""
    peak_limit = max(LIMITS.weak_peak_factor * limit, LIMITS.min_weak_peak)
    mask = _without_specks(np.asarray(residual > limit, np.uint8))
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask)
    is_change = np.bincount(labels[residual > peak_limit], minlength=count) > 0
    is_change &= boxes[:, 2:4].max(axis=1) <= LIMITS.max_weak_size_px
    is_change[0] = False
    return np.asarray(is_change[labels], np.uint8)


def _mean(values: Grey) -> Grey:
    return np.asarray(cv2.blur(values, _WINDOW), np.float32)


@dataclass(frozen=True, slots=True)
class _Windows:
    """A picture with the mean and the variance of each window."""

    values: Grey
    mean: Grey
    variance: Grey

    @staticmethod
    def of(values: Grey) -> _Windows:
        mean = _mean(values)
        return _Windows(values, mean, np.maximum(_mean(values * values) - mean * mean, 0))

    def __getitem__(self, part: Part) -> _Windows:
        return _Windows(self.values[part], self.mean[part], self.variance[part])


def _residual(one: Grey, two: Grey) -> Grey:
    """Residual of fitting one picture to the other, plus the excess of brightness changes beyond those of light."""
    windows_one, windows_two = _Windows.of(one), _Windows.of(two)
    out = _fit_residual(windows_one, windows_two)
    ratio = (windows_two.mean + 8) / (windows_one.mean + 8)
    excess = np.maximum(np.maximum(LIMITS.gain_limits[0] / ratio, ratio / LIMITS.gain_limits[1]), 1.0) - 1.0
    return np.asarray(out + LIMITS.excess_gain_levels * excess, np.float32)


def _fit_residual(one: _Windows, two: _Windows) -> Grey:
    """Root mean square residual of the fit in each window. The larger of both directions: a blank place that gets a
    drawing loses one the other way round."""
    covariance = _mean(one.values * two.values) - one.mean * two.mean
    forward = _residual_variance(two.variance, one.variance, covariance)
    backward = _residual_variance(one.variance, two.variance, covariance)
    return np.asarray(np.sqrt(np.maximum(np.maximum(forward, backward), 0)), np.float32)


def _residual_variance(variance: Grey, other_variance: Grey, covariance: Grey) -> Grey:
    """Variance of one picture that remains when the other is fitted to it."""
    low, high = LIMITS.gain_limits
    gain = np.maximum(np.minimum(covariance / (other_variance + 1.0), high), low)
    return np.asarray(variance + gain * (gain * other_variance - 2 * covariance), np.float32)


def _gradient(one: Grey, two: Grey) -> Grey:
    """Root mean square gradient in each window, the larger of both pictures."""
    squares = np.zeros_like(one)  # running sums may end slightly below zero
    for grey in (one, two):
        dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
        cv2.max(squares, _mean(np.asarray(dx * dx + dy * dy, np.float32)), dst=squares)
    return np.sqrt(squares)


def _colour_gap(one: Picture, two: Picture, light: _LightChange) -> Grey:
    """Difference of the colour ratios without that of the lamp, reduced in the dark."""
    blue, green, red = _log_gains(one, two, light, LIMITS.window_px)
    gap = np.maximum(np.abs(blue - green), np.abs(red - green))
    brightness = np.minimum(_mean(_darkest(one)), _mean(_darkest(two)))
    return np.asarray(gap * (brightness / (brightness + LIMITS.black_levels)), np.float32)


def _darkest(image: Picture) -> Grey:
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.float32)


def _shade(one: Picture, two: Picture, light: _LightChange) -> Shade:
    """Where the same ground shows with less or more light (see `Difference.shade`)."""
    blue, green, red = _log_gains(one, two, light, 3)
    largest, smallest = (pick(pick(blue, green), red) for pick in (np.maximum, np.minimum))
    brighter = (blue + green + red) / np.float32(3)
    is_colourless, magnitude = largest - smallest < LIMITS.max_shade_colour_gap, np.abs(brighter)
    shade = np.where(is_colourless & (magnitude < LIMITS.shade_limits[1]), np.sign(brighter), 2)
    return np.asarray(np.where(is_colourless & (magnitude < LIMITS.shade_limits[0]), 0, shade), np.int8)


def _log_gains(one: Picture, two: Picture, light: _LightChange, side: int) -> Iterator[Grey]:
    """Logarithm of the gain of each colour channel in windows of this side, beyond that of the lamp."""
    for before, after, gain in zip(cv2.split(one), cv2.split(two), np.log(light.gains), strict=True):
        low, high = (cv2.boxFilter(colour, cv2.CV_32F, (side, side)) for colour in (before, after))
        ratio = (high + np.float32(LIMITS.black_levels)) / (low + np.float32(LIMITS.black_levels))
        yield np.asarray(cv2.log(ratio) - gain, np.float32)


def _blind(one: Picture, two: Picture) -> Mask:
    """Mask of glare and darkness."""
    glare = cv2.inRange(cv2.min(one, two), (LIMITS.glare_level,) * 3, (255, 255, 255))
    dark = cv2.inRange(cv2.max(one, two), (0, 0, 0), (LIMITS.dark_level,) * 3)
    return np.asarray((glare > 0) | (dark > 0))
