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
from vision.witness.tuning import WITNESS, ChangeThresholds

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
Shade = NDArray[np.int8]
Part = tuple[slice, slice]
"""Rows and columns of a part of a picture."""


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """A picture reduced for comparison. `scale`: its pixels per camera pixel."""

    image: Picture
    scale: float

    @staticmethod
    def of(image: Picture, limits: ChangeThresholds = WITNESS.change) -> SmallPicture:
        scale = min(1.0, limits.width_px / image.shape[1])
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


def change(before: SmallPicture, after: SmallPicture, limits: ChangeThresholds = WITNESS.change) -> Difference:
    """The difference of two pictures of equal size and view. Only parts where anything differs are compared closely."""
    light = _LightChange.between(before.image, after.image, limits)
    blind = _blind(before.image, after.image, limits)
    strong, colour_mask, weak_mask, sensitive_mask = (np.zeros(blind.shape, np.uint8) for _ in range(4))
    shade = np.zeros(blind.shape, np.int8)
    parts = _suspect_parts(before.image, after.image, light, limits)
    colour_limit = _colour_limit(before.image, after.image, light, limits) if parts else 0.0
    weak_limit = _weak_limit(before.image, after.image, light, limits) if parts else 0.0
    for rows, columns in parts:
        one, two = before.image[rows, columns], after.image[rows, columns]
        shade[rows, columns] = part_shade = _shade(one, two, light, limits)
        grey_one, grey_two, tolerance = _greys(one, two, limits)
        residual = _residual(_Windows.of(grey_one, limits), _Windows.of(grey_two, limits), limits)
        strong[rows, columns] |= _strong_changes(residual / (light.noise + tolerance), one, two, light, limits)
        sensitive_mask[rows, columns] |= np.asarray(
            residual > limits.sensitive_residual * (light.min_noise + tolerance), np.uint8
        )
        residual = _fine_residual(grey_one, grey_two, light.noise + tolerance, limits, weak_limit)
        weak_mask[rows, columns] |= _weak_changes(residual, weak_limit, limits)
        colour_mask[rows, columns] |= _colour_changes(one, two, light, colour_limit, part_shade, limits)
    strong, colour_mask, sensitive_mask = map(_without_specks, (strong, colour_mask, sensitive_mask))
    changed = (strong > 0) | _isolated(colour_mask, strong, limits) | _isolated(weak_mask, strong, limits)
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
    def between(one: Picture, two: Picture, limits: ChangeThresholds) -> _LightChange:
        coarse_one, coarse_two = (image[4::9, 4::9].astype(np.float32) + limits.black_levels for image in (one, two))
        gains = np.exp(np.median(np.log(coarse_two / coarse_one).reshape(-1, 3), axis=0)).astype(np.float32)
        difference = cv2.absdiff(one[::4, :, 1], two[::4, :, 1])
        roughness = float(np.median(np.abs(difference.astype(np.float32) - cv2.blur(difference, (3, 1)))))
        noise, min_noise = (
            max(quiet, limits.noise_share * roughness)
            for quiet in (limits.min_noise_levels, limits.min_sensitive_noise_levels)
        )
        return _LightChange(gains, noise, min_noise, _channel_noise(one, two, gains, limits))


def _channel_noise(one: Picture, two: Picture, gains: Grey, limits: ChangeThresholds) -> Grey:
    """Noise of each colour channel from a part of the rows: the difference without its slow variation."""
    bands = _bands(one.shape[0], limits)
    differences = (_blurred(one[band]) * gains - _blurred(two[band]) for band in bands)
    residuals = [
        cv2.absdiff(gap, cv2.blur(gap, (limits.window_px, limits.window_px)))[::3].reshape(-1, 3) for gap in differences
    ]
    noise = np.median(np.concatenate(residuals), axis=0) / limits.median_sigma
    return np.asarray(np.maximum(noise, limits.min_channel_noise), np.float32)


def _bands(height: int, limits: ChangeThresholds) -> list[slice]:
    """A fifth of the rows, in bands over the whole picture."""
    wide = 3 * limits.window_px
    return [slice(top, top + wide) for top in range(0, max(height - wide, 1), 5 * wide)]


def _suspect_parts(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> list[Part]:
    """The parts of the picture in which anything differs."""
    table = np.clip(np.arange(256, dtype=np.float32)[:, None] * light.gains, 0, 255).astype(np.uint8)
    adjusted = cv2.LUT(one, table[:, None, :]) if abs(light.gains - 1).max() > 0.01 else one
    difference = cv2.absdiff(cv2.blur(adjusted, (3, 3)), cv2.blur(two, (3, 3)))
    blue, green, red = cv2.split(difference)
    largest = cv2.blur(cv2.max(cv2.max(blue, green), red), (5, 5))
    kernel = np.ones((limits.part_margin_px, limits.part_margin_px), np.uint8)
    mask = cv2.dilate(
        cv2.threshold(largest, limits.suspect_noise_factor * light.noise, 1, cv2.THRESH_BINARY)[1], kernel
    )
    parts = _boxes(mask, limits.window_px)
    if len(parts) > limits.max_parts or float(mask.mean()) > limits.max_parts_share:
        return [(slice(0, one.shape[0]), slice(0, one.shape[1]))]
    return parts


def _boxes(mask: cv2.typing.MatLike, margin: int) -> list[Part]:
    """The boxes around the connected regions of a mask, with a margin."""
    boxes = cv2.connectedComponentsWithStats(mask)[2][1:]
    return [
        (slice(max(y - margin, 0), y + height + margin), slice(max(x - margin, 0), x + width + margin))
        for x, y, width, height, _ in boxes.tolist()
    ]


def _colour_limit(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> float:
    """Smallest significant colour residual, from the usual residual on drawn ground in these two pictures (compression,
    noise, shake), since most of a table does not change."""
    samples = []
    for band in _bands(one.shape[0], limits):
        residual, gradient = _colour_residual(one[band], two[band], light, limits)
        samples.append(residual[gradient >= np.percentile(gradient[::3, ::3], limits.drawn_percentile)])
    return max(
        limits.colour_residual,
        limits.colour_residual_factor * float(np.percentile(np.concatenate(samples), limits.usual_percentile)),
    )


def _colour_residual(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> tuple[Grey, Grey]:
    """(largest residual over the colour channels relative to noise and shake, largest gradient). A green drawing on
    brown has hardly a grey level of its own. Channels are processed one by one: all three at once take three times the
    memory, 70 MB where a whole picture differs."""
    max_residual, max_gradient = (np.zeros(one.shape[:2], np.float32) for _ in range(2))
    for one_colour, two_colour, noise in zip(cv2.split(one), cv2.split(two), light.channel_noise, strict=True):
        one_soft, two_soft = _blurred(one_colour), _blurred(two_colour)
        gradient = _gradient(one_soft, two_soft, limits)
        residual = _residual(_Windows.of(one_soft, limits), _Windows.of(two_soft, limits), limits)
        residual /= noise + limits.shake_share * gradient
        cv2.max(max_residual, residual, dst=max_residual)
        cv2.max(max_gradient, gradient, dst=max_gradient)
    return max_residual, max_gradient


def _blurred(image: cv2.typing.MatLike) -> Grey:
    return np.asarray(cv2.GaussianBlur(image.astype(np.float32), (0, 0), 0.8), np.float32)


def _colour_changes(
    one: Picture, two: Picture, light: _LightChange, limit: float, shade: Shade, limits: ChangeThresholds
) -> Picture:
    """Mask of significant colour residuals where more than the brightness differs: the soft edge of a shadow is no
    drawing."""
    window = np.ones((limits.window_px, limits.window_px), np.uint8)
    near_coloured = cv2.dilate((shade == 2).astype(np.uint8), window)
    out = np.zeros(shade.shape, np.uint8)
    for part in _boxes(near_coloured, limits.window_px):
        residual, _ = _colour_residual(one[part], two[part], light, limits)
        out[part] |= np.asarray((residual > limit) & (near_coloured[part] > 0), np.uint8)
    return out


def _isolated(weak: Picture, strong: Picture, limits: ChangeThresholds) -> Mask:
    """Weak regions that are no margin of a strong one, as a shadow and its reflection are."""
    near = cv2.dilate(strong, np.ones((limits.window_px, limits.window_px), np.uint8))
    count, labels = cv2.connectedComponents(cv2.bitwise_or(weak, near))
    is_weak = weak > 0
    strong_area, weak_area = (np.bincount(labels[mask], minlength=count) for mask in (strong > 0, is_weak))
    is_weak[is_weak] = (strong_area < limits.margin_share * weak_area)[labels[is_weak]]
    return is_weak


def _greys(one: Picture, two: Picture, limits: ChangeThresholds) -> tuple[Grey, Grey, Grey]:
    """(both pictures, tolerance for shake) in grey levels."""
    grey_one, grey_two = _grey(one), _grey(two)
    return grey_one, grey_two, limits.shake_share * _gradient(grey_one, grey_two, limits)


def _fine_residual(one: Grey, two: Grey, floor: Grey, limits: ChangeThresholds, limit: float = np.inf) -> Grey:
    """Residual relative to noise and shake, without slow variation such as soft shadows. Above `limit` it is the
    smallest over sub-pixel shifts of the second picture."""
    detail_one, detail_two = (_high_pass(grey, limits) for grey in (one, two))
    windows = _Windows.of(detail_one, limits)
    residual = _fit_residual(windows, _Windows.of(detail_two, limits), limits) / floor
    window = np.ones((limits.window_px, limits.window_px), np.uint8)
    near = cv2.dilate((residual > limit).astype(np.uint8), window)
    for part in _boxes(near, 1):
        best, windows_there, detail_there = residual[part], windows[part], detail_two[part]
        for right, down in _shifts(limits):
            if not (best > limit).any():
                break
            shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
            shifted = cv2.warpAffine(detail_there, shift, best.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            shifted_windows = _Windows.of(np.asarray(shifted, np.float32), limits)
            np.minimum(best, _fit_residual(windows_there, shifted_windows, limits) / floor[part], out=best)
    return residual


def _high_pass(grey: Grey, limits: ChangeThresholds) -> Grey:
    return np.asarray(cv2.subtract(grey, cv2.GaussianBlur(grey, (0, 0), limits.slow_sigma_px)), np.float32)


def _shifts(limits: ChangeThresholds) -> Iterator[tuple[float, float]]:
    steps = (-limits.shift_px, 0.0, limits.shift_px)
    return ((right, down) for right in steps for down in steps if right or down)


def _weak_limit(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> float:
    """Smallest significant residual of a small connected region; lower for dark pictures, which differ by less."""
    bands = _bands(one.shape[0], limits)[::2]
    samples = []
    for band in bands:
        grey_one, grey_two, tolerance = _greys(one[band], two[band], limits)
        samples.append(_fine_residual(grey_one, grey_two, light.noise + tolerance, limits)[::3, ::3])
    limit = limits.weak_residual_factor * float(np.percentile(np.concatenate(samples), limits.usual_percentile))
    return float(np.clip(limit, *limits.weak_residual_limits))


def _strong_changes(
    residual: Grey, one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds
) -> Picture:
    """Mask of windows whose drawing or colour has clearly changed."""
    colour_mask = _colour_gap(one, two, light, limits) > limits.strong_colour_gap
    return np.asarray((residual > limits.strong_residual) | colour_mask, np.uint8)


def _weak_changes(residual: Grey, limit: float, limits: ChangeThresholds) -> Picture:
    """Mask of small connected regions of weak residual with a stronger peak: of a black coin on black only the lit rim
    is clear. Larger regions may be the soft edge of a shadow."""
    peak_limit = max(limits.weak_peak_factor * limit, limits.min_weak_peak)
    mask = _without_specks(np.asarray(residual > limit, np.uint8))
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask)
    is_change = np.bincount(labels[residual > peak_limit], minlength=count) > 0
    is_change &= boxes[:, 2:4].max(axis=1) <= limits.max_weak_size_px
    is_change[0] = False
    return np.asarray(is_change[labels], np.uint8)


def _grey(image: Picture) -> Grey:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.8))


def _mean(values: Grey, limits: ChangeThresholds) -> Grey:
    return np.asarray(cv2.blur(values, (limits.window_px, limits.window_px)), np.float32)


@dataclass(frozen=True, slots=True)
class _Windows:
    """A picture with the mean and the variance of each window."""

    values: Grey
    mean: Grey
    variance: Grey

    @staticmethod
    def of(values: Grey, limits: ChangeThresholds) -> _Windows:
        mean = _mean(values, limits)
        return _Windows(values, mean, np.maximum(_mean(values * values, limits) - mean * mean, 0))

    def __getitem__(self, part: Part) -> _Windows:
        return _Windows(self.values[part], self.mean[part], self.variance[part])


def _residual(one: _Windows, two: _Windows, limits: ChangeThresholds) -> Grey:
    """Residual of fitting one picture to the other, plus the excess of brightness changes beyond those of light."""
    out = _fit_residual(one, two, limits)
    ratio = (two.mean + 8) / (one.mean + 8)
    excess = np.maximum(np.maximum(limits.gain_limits[0] / ratio, ratio / limits.gain_limits[1]), 1.0) - 1.0
    return np.asarray(out + limits.excess_gain_levels * excess, np.float32)


def _fit_residual(one: _Windows, two: _Windows, limits: ChangeThresholds) -> Grey:
    """Root mean square residual of the fit in each window. The larger of both directions: a blank place that gets a
    drawing loses one the other way round."""
    covariance = _mean(one.values * two.values, limits) - one.mean * two.mean
    forward = _residual_variance(two.variance, one.variance, covariance, limits)
    backward = _residual_variance(one.variance, two.variance, covariance, limits)
    return np.asarray(np.sqrt(np.maximum(np.maximum(forward, backward), 0)), np.float32)


def _residual_variance(variance: Grey, other_variance: Grey, covariance: Grey, limits: ChangeThresholds) -> Grey:
    """Variance of one picture that remains when the other is fitted to it."""
    low, high = limits.gain_limits
    gain = np.maximum(np.minimum(covariance / (other_variance + 1.0), high), low)
    return np.asarray(variance + gain * (gain * other_variance - 2 * covariance), np.float32)


def _gradient(one: Grey, two: Grey, limits: ChangeThresholds) -> Grey:
    """Root mean square gradient in each window, the larger of both pictures."""
    squares = np.zeros_like(one)  # running sums may end slightly below zero
    for grey in (one, two):
        dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
        cv2.max(squares, _mean(np.asarray(dx * dx + dy * dy, np.float32), limits), dst=squares)
    return np.sqrt(squares)


def _colour_gap(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> Grey:
    """Difference of the colour ratios without that of the lamp, reduced in the dark."""
    blue, green, red = _log_gains(one, two, light, limits.window_px, limits)
    gap = np.maximum(np.abs(blue - green), np.abs(red - green))
    brightness = np.minimum(_mean(_darkest(one), limits), _mean(_darkest(two), limits))
    return np.asarray(gap * (brightness / (brightness + limits.black_levels)), np.float32)


def _darkest(image: Picture) -> Grey:
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.float32)


def _shade(one: Picture, two: Picture, light: _LightChange, limits: ChangeThresholds) -> Shade:
    """Where the same ground shows with less or more light (see `Difference.shade`)."""
    blue, green, red = _log_gains(one, two, light, 3, limits)
    largest, smallest = (pick(pick(blue, green), red) for pick in (np.maximum, np.minimum))
    brighter = (blue + green + red) / np.float32(3)
    is_colourless, magnitude = largest - smallest < limits.max_shade_colour_gap, np.abs(brighter)
    shade = np.where(is_colourless & (magnitude < limits.shade_limits[1]), np.sign(brighter), 2)
    return np.asarray(np.where(is_colourless & (magnitude < limits.shade_limits[0]), 0, shade), np.int8)


def _log_gains(one: Picture, two: Picture, light: _LightChange, side: int, limits: ChangeThresholds) -> Iterator[Grey]:
    """Logarithm of the gain of each colour channel in windows of this side, beyond that of the lamp."""
    for before, after, gain in zip(cv2.split(one), cv2.split(two), np.log(light.gains), strict=True):
        low, high = (cv2.boxFilter(colour, cv2.CV_32F, (side, side)) for colour in (before, after))
        ratio = (high + np.float32(limits.black_levels)) / (low + np.float32(limits.black_levels))
        yield np.asarray(cv2.log(ratio) - gain, np.float32)


def _blind(one: Picture, two: Picture, limits: ChangeThresholds) -> Mask:
    """Mask of glare and darkness."""
    low = cv2.min(one, two)
    dark = cv2.inRange(cv2.max(one, two), (0, 0, 0), (limits.dark_level, limits.dark_level, limits.dark_level))
    return np.asarray(
        (cv2.inRange(low, (limits.glare_level, limits.glare_level, limits.glare_level), (255, 255, 255)) > 0)
        | (dark > 0)
    )
