"""Where two pictures of one table differ by more than light does.

A window of the picture is compared after the brightness and contrast of the one have been fitted to the other: a lamp,
a cloud, an arm's shadow and a camera that changes its exposure alter both smoothly and leave the drawing as it was.
What the fit leaves over, measured against the noise and the steepness of its edges (which a hair's breadth
moves), and what changed its colour, is another thing that lies there.
"""

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


@dataclass(frozen=True, slots=True)
class Small:
    """A picture made small for comparing. `scale`: its pixels for each of the camera's."""

    image: Picture
    scale: float

    @staticmethod
    def of(image: Picture, limits: ChangeThresholds = WITNESS.change) -> Small:
        scale = min(1.0, limits.width / image.shape[1])
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        return Small(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale)


@dataclass(frozen=True, slots=True)
class Difference:
    """`changed`: where something else is to be seen; `blind`: where nothing can be compared."""

    changed: Mask
    blind: Mask
    shade: Shade
    """Where only the brightness differs, as in a shadow: -1 darker, 1 lighter; 2 where more differs, 0 nothing."""
    otherwise: Mask
    """Where it looks otherwise at all: what changed, its margins, which a shadow or a faint drawing may be, and what is
    news only where the eyes see something come or go."""

    @property
    def share(self) -> float:
        seen = ~self.blind
        return float(self.changed[seen].mean()) if seen.any() else 1.0


def change(before: Small, after: Small, limits: ChangeThresholds = WITNESS.change) -> Difference:
    """Both pictures of one size and of one view; only where something looks otherwise they are compared closely."""
    light = _Light.between(before.image, after.image, limits)
    blind = _unreadable(before.image, after.image, limits)
    found, faintly, weakly, keenly = (np.zeros(blind.shape, np.uint8) for _ in range(4))
    shade = np.zeros(blind.shape, np.int8)
    suspect = _suspect(before.image, after.image, light, limits)
    faint = _faintest(before.image, after.image, light, limits) if suspect else 0.0
    weak = _weakest(before.image, after.image, light, limits) if suspect else 0.0
    for rows, columns in suspect:
        one, two = before.image[rows, columns], after.image[rows, columns]
        shade[rows, columns] = shaded = _shaded(one, two, light, limits)
        left, steep = _left_of_greys(one, two, limits)
        found[rows, columns] |= _clearly(left / (light.noise + steep), one, two, light, limits)
        keenly[rows, columns] |= np.asarray(left > limits.keenly * (light.least_noise + steep), np.uint8)
        weakly[rows, columns] |= _hanging_together(_differs_finely(one, two, light, limits, weak), weak, limits)
        faintly[rows, columns] |= _differs_faintly(one, two, light, faint, shaded, limits)
    found, faintly, keenly = _without_specks(found), _without_specks(faintly), _without_specks(keenly)
    traces = (found > 0) | _by_itself(faintly, found, limits) | _by_itself(weakly, found, limits)
    return Difference(traces & ~blind, blind, shade, (traces | (faintly > 0) | (keenly > 0)) & ~blind)


def _without_specks(mask: Picture) -> Picture:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


@dataclass(frozen=True, slots=True)
class _Light:
    """What differs everywhere: how much brighter each colour is, and the noise in grey levels, also of each colour."""

    gains: Grey
    noise: float
    least_noise: float
    of_colours: Grey

    @staticmethod
    def between(one: Picture, two: Picture, limits: ChangeThresholds) -> _Light:
        coarse_one, coarse_two = (image[4::9, 4::9].astype(np.float32) + limits.black for image in (one, two))
        gains = np.exp(np.median(np.log(coarse_two / coarse_one).reshape(-1, 3), axis=0)).astype(np.float32)
        gap = cv2.absdiff(one[::4, :, 1], two[::4, :, 1])
        rough = float(np.median(np.abs(gap.astype(np.float32) - cv2.blur(gap, (3, 1)))))
        noise, least = (max(quiet, limits.rough * rough) for quiet in (limits.quiet, limits.quietest))
        return _Light(gains, noise, least, _noise(one, two, gains, limits))


def _noise(one: Picture, two: Picture, gains: Grey, limits: ChangeThresholds) -> Grey:
    """The noise of each colour, in a part of the rows: what is left of the difference without what changes slowly."""
    bands = _bands(one.shape[0], limits)
    gaps = (_softened(one[band]) * gains - _softened(two[band]) for band in bands)
    fine = [cv2.absdiff(gap, cv2.blur(gap, (limits.window, limits.window)))[::3].reshape(-1, 3) for gap in gaps]
    noise = np.median(np.concatenate(fine), axis=0) / limits.median
    return np.asarray(np.maximum(noise, limits.quiet_colour), np.float32)


def _bands(height: int, limits: ChangeThresholds) -> list[slice]:
    """A fifth of the rows, all over the picture."""
    wide = 3 * limits.window
    return [slice(top, top + wide) for top in range(0, max(height - wide, 1), 5 * wide)]


def _suspect(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> list[tuple[slice, slice]]:
    """The parts of the picture where anything at all differs."""
    even = np.clip(np.arange(256, dtype=np.float32)[:, None] * light.gains, 0, 255).astype(np.uint8)
    adjusted = cv2.LUT(one, even[:, None, :]) if abs(light.gains - 1).max() > 0.01 else one
    gap = cv2.absdiff(cv2.blur(adjusted, (3, 3)), cv2.blur(two, (3, 3)))
    blue, green, red = cv2.split(gap)
    most = cv2.blur(cv2.max(cv2.max(blue, green), red), (5, 5))
    around = np.ones((limits.around, limits.around), np.uint8)
    rough = cv2.dilate(cv2.threshold(most, limits.suspect * light.noise, 1, cv2.THRESH_BINARY)[1], around)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(rough)
    if count - 1 > limits.most_parts or float(rough.mean()) > limits.most_rough:
        return [(slice(0, one.shape[0]), slice(0, one.shape[1]))]
    parts = []
    for x, y, width, height, _ in boxes[1:]:
        top, left = max(y - limits.window, 0), max(x - limits.window, 0)
        parts.append((slice(top, y + height + limits.window), slice(left, x + width + limits.window)))
    return parts


def _faintest(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> float:
    """What is left over of colours must exceed this to be news: most of a table did not change, so what drawn ground
    usually leaves over in these two pictures, as compression, noise and shaking have it, is none."""
    usual = []
    for band in _bands(one.shape[0], limits):
        left, steep = _left_of_colours(one[band], two[band], light, limits)
        usual.append(left[steep >= np.percentile(steep[::3, ::3], limits.drawn)])
    return max(limits.faint, limits.unusual * float(np.percentile(np.concatenate(usual), limits.usual)))


def _left_of_colours(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> tuple[Grey, Grey]:
    """What is left over of the colour that differs most, against what noise and shaking leave of it; and how steep its
    drawing is. A green drawing on brown has hardly a grey level of its own. One colour after the other: all three at
    once take three times the memory, 70 MB where a whole picture differs."""
    most_left, most_steep = (np.zeros(one.shape[:2], np.float32) for _ in range(2))
    for one_colour, two_colour, noise in zip(cv2.split(one), cv2.split(two), light.of_colours, strict=True):
        one_soft, two_soft = _softened(one_colour), _softened(two_colour)
        steep = np.maximum(_steepness(one_soft, limits), _steepness(two_soft, limits))
        left = _left_over(one_soft, two_soft, limits) / (noise + limits.shaken * steep)
        cv2.max(most_left, left, dst=most_left)
        cv2.max(most_steep, steep, dst=most_steep)
    return most_left, most_steep


def _softened(image: cv2.typing.MatLike) -> Grey:
    return np.asarray(cv2.GaussianBlur(image.astype(np.float32), (0, 0), 0.8), np.float32)


def _differs_faintly(
    one: Picture, two: Picture, light: _Light, faint: float, shade: Shade, limits: ChangeThresholds
) -> Picture:
    """Where more differs than the brightness: the soft edge of a shadow is no drawing."""
    window = np.ones((limits.window, limits.window), np.uint8)
    coloured = cv2.dilate((shade == 2).astype(np.uint8), window)
    left, _ = _left_of_colours(one, two, light, limits)
    return np.asarray((left > faint) & (coloured > 0), np.uint8)


def _by_itself(faintly: Picture, clearly: Picture, limits: ChangeThresholds) -> Mask:
    """What differs faintly and is no margin of what differs clearly, as a shadow and its reflection are."""
    near = cv2.dilate(clearly, np.ones((limits.window, limits.window), np.uint8))
    count, labels = cv2.connectedComponents(cv2.bitwise_or(faintly, near))
    clear = np.bincount(labels[clearly > 0], minlength=count)
    faint = np.bincount(labels[faintly > 0], minlength=count)
    alone = clear < limits.margin * faint
    alone[0] = False
    return np.asarray(alone[labels] & (faintly > 0), np.bool_)


def _left_of_greys(one: Picture, two: Picture, limits: ChangeThresholds) -> tuple[Grey, Grey]:
    """What the fit leaves over, and what shaking leaves."""
    grey_one, grey_two = _grey(one), _grey(two)
    steep = limits.shaken * np.maximum(_steepness(grey_one, limits), _steepness(grey_two, limits))
    return _left_over(grey_one, grey_two, limits), np.asarray(steep, np.float32)


def _differs_finely(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds, least: float = np.inf) -> Grey:
    """The same without what changes slowly, as soft shadows do. What is more than the least is looked at closely: so
    much must be left over wherever, within a hair's breadth, the second picture may have been shaken to."""
    grey_one, grey_two = _grey(one), _grey(two)
    steep = limits.shaken * np.maximum(_steepness(grey_one, limits), _steepness(grey_two, limits))
    fine_one, fine_two = (_without_slow(grey, limits) for grey in (grey_one, grey_two))
    left = _misfit(fine_one, fine_two, limits)
    floor = np.asarray(light.noise + steep, np.float32)
    for right, down in _hairs(limits):
        if not (left > least * floor).any():
            break
        shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
        moved = cv2.warpAffine(fine_two, shift, fine_two.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        cv2.min(left, _misfit(fine_one, np.asarray(moved, np.float32), limits), dst=left)
    return np.asarray(left / floor, np.float32)


def _without_slow(grey: Grey, limits: ChangeThresholds) -> Grey:
    return np.asarray(cv2.subtract(grey, cv2.GaussianBlur(grey, (0, 0), limits.slowly)), np.float32)


def _hairs(limits: ChangeThresholds) -> Iterator[tuple[float, float]]:
    steps = (-limits.hair, 0.0, limits.hair)
    return ((right, down) for right in steps for down in steps if right or down)


def _weakest(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> float:
    """What differs by less is no news even where it hangs together; of dark pictures, which differ by less, less is."""
    bands = _bands(one.shape[0], limits)[::2]
    usual = [_differs_finely(one[band], two[band], light, limits)[::3, ::3] for band in bands]
    least = limits.unusually * float(np.percentile(np.concatenate(usual), limits.usual))
    return float(np.clip(least, *limits.weakly))


def _clearly(drawn: Grey, one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> Picture:
    coloured = _colour_gap(one, two, light, limits) > limits.colour
    return np.asarray((drawn > limits.drawing) | coloured, np.uint8)


def _hanging_together(drawn: Grey, least: float, limits: ChangeThresholds) -> Picture:
    """Something small that differs weakly, and somewhere in it not so weakly: of a black coin laid on black only the
    lit rim is clear. What is larger may be the soft edge of a shadow."""
    once = max(limits.once * least, limits.least_once)
    weak = _without_specks(np.asarray(drawn > least, np.uint8))
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(weak)
    told = np.bincount(labels[drawn > once], minlength=count) > 0
    told &= boxes[:, 2:4].max(axis=1) <= limits.small
    told[0] = False
    return np.asarray(told[labels], np.uint8)


def _grey(image: Picture) -> Grey:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.8))


def _mean(values: Grey, limits: ChangeThresholds) -> Grey:
    return np.asarray(cv2.blur(values, (limits.window, limits.window)), np.float32)


def _left_over(one: Grey, two: Grey, limits: ChangeThresholds) -> Grey:
    """What is left of the one when the other is fitted to it, and what is darker or lighter than light makes it."""
    out = _misfit(one, two, limits)
    darker = (_mean(two, limits) + 8) / (_mean(one, limits) + 8)
    beyond = np.maximum(np.maximum(limits.shadow[0] / darker, darker / limits.shadow[1]), 1.0) - 1.0
    return np.asarray(out + limits.beyond * beyond, np.float32)


def _misfit(one: Grey, two: Grey, limits: ChangeThresholds) -> Grey:
    """The root mean square, in each window, of what is left of the one when the other is fitted to it; the greater of
    both directions, for a blank place that gets a drawing loses one the other way round."""
    mean_one, mean_two = _mean(one, limits), _mean(two, limits)
    spread_one = np.maximum(_mean(one * one, limits) - mean_one**2, 0)
    spread_two = np.maximum(_mean(two * two, limits) - mean_two**2, 0)
    common = _mean(one * two, limits) - mean_one * mean_two
    forth = _unfitted(spread_two, spread_one, common, limits)
    back = _unfitted(spread_one, spread_two, common, limits)
    del spread_one, spread_two, common
    return np.asarray(np.sqrt(np.maximum(np.maximum(forth, back), 0)), np.float32)


def _unfitted(spread: Grey, other: Grey, common: Grey, limits: ChangeThresholds) -> Grey:
    """What is left of the spread of the one, squared, when the other is fitted to it."""
    gain = np.clip(common / (other + 1.0), *limits.shadow)
    return np.asarray(spread - 2 * gain * common + gain**2 * other, np.float32)


def _steepness(grey: Grey, limits: ChangeThresholds) -> Grey:
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    squares = _mean(np.asarray(dx * dx + dy * dy, np.float32), limits)
    return np.sqrt(np.maximum(squares, 0))  # sums that run on past much steepness end a little beside nought


def _colour_gap(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> Grey:
    """By how much the ratios of the colours differ, where there is light enough, without what the lamp does."""
    lamp = np.log(light.gains)
    ratios = zip(_ratios(one, limits), _ratios(two, limits), lamp[[0, 2]] - lamp[1], strict=True)
    blue, red = (np.abs(after - before - by_lamp) for before, after, by_lamp in ratios)
    lit = np.minimum(_mean(_darkest(one), limits), _mean(_darkest(two), limits))
    return np.asarray(np.maximum(blue, red) * (lit / (lit + limits.black)), np.float32)


def _darkest(image: Picture) -> Grey:
    return np.asarray(image.min(axis=2), np.float32)


def _shaded(one: Picture, two: Picture, light: _Light, limits: ChangeThresholds) -> Shade:
    """Where the same ground is to be seen with less or more light on it."""
    gaps = zip(_logs(one, 3, limits), _logs(two, 3, limits), np.log(light.gains), strict=True)
    blue, green, red = (after - before - gain for before, after, gain in gaps)
    most, least = (of(of(blue, green), red) for of in (np.maximum, np.minimum))
    brighter = (blue + green + red) / np.float32(3)
    plain, by = most - least < limits.uncoloured, np.abs(brighter)
    shade = np.where(plain & (by < limits.shaded[1]), np.sign(brighter), 2)
    return np.asarray(np.where(plain & (by < limits.shaded[0]), 0, shade), np.int8)


def _ratios(image: Picture, limits: ChangeThresholds) -> Iterator[Grey]:
    """Of blue and of red to green."""
    blue, green, red = _logs(image, limits.window, limits)
    return (colour - green for colour in (blue, red))


def _logs(image: Picture, side: int, limits: ChangeThresholds) -> Iterator[Grey]:
    """Of each colour, one after the other."""
    for colour in cv2.split(image):
        yield np.log(cv2.blur(colour.astype(np.float32), (side, side)) + np.float32(limits.black))


def _unreadable(one: Picture, two: Picture, limits: ChangeThresholds) -> Mask:
    """Glare and darkness show nothing."""
    low = cv2.min(one, two)
    dark = cv2.inRange(cv2.max(one, two), (0, 0, 0), (limits.dark, limits.dark, limits.dark))
    return np.asarray((cv2.inRange(low, (limits.glare, limits.glare, limits.glare), (255, 255, 255)) > 0) | (dark > 0))
