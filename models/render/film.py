"""From linear light to the finished picture: vignette, sensor noise, tone, blur, JPEG or video compression.

OpenCV's encoders have no setting for the strength of video compression, nor is H.264 among them. `video_compressed` is
the core of such a coder in plain arrays: chroma at half size, an 8x8 cosine transform, a key frame, the quantised
difference of the next frame to it, and smoothed block edges.
"""

import functools

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.camera import PinholeCamera
from models.render.materials import Picture
from models.render.raster import Floats
from models.render.scene import Film

Window = tuple[int, int, int, int]
_LEVELS = 4096
_SIDE = 8
_NOISE = 2.5  # grey steps of the sensor noise that differs in the key frame
_CALM = 0.35  # dead zone: a difference is coded where it exceeds a half step by this much
_DCT: NDArray[np.float32] = np.asarray(cv2.dct(np.eye(_SIDE, dtype=np.float32), flags=cv2.DCT_ROWS).T, np.float32)
_FINENESS = (1 + 0.12 * np.add.outer(np.arange(_SIDE), np.arange(_SIDE))).astype(np.float32)


@functools.lru_cache(maxsize=64)
def tone_table(contrast: float) -> NDArray[np.float32]:
    """sRGB value (0..255) of linear light 0..1.5, with a soft shoulder and an S-curve of the given strength."""
    light = np.linspace(0, 1.5, _LEVELS, dtype=np.float32)
    rolled = np.where(light > 0.7, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.45), light)
    srgb = np.where(rolled <= 0.0031308, rolled * 12.92, 1.055 * np.power(np.maximum(rolled, 1e-6), 1 / 2.4) - 0.055)
    s_curve = srgb * srgb * (3 - 2 * srgb)
    return np.asarray((srgb * (1 - contrast) + s_curve * contrast) * 255, np.float32)


def _drawn_noise() -> NDArray[np.float32]:
    return np.random.default_rng(4).standard_normal(1 << 21).astype(np.float32)


@functools.lru_cache(maxsize=1)
def _grain() -> NDArray[np.float32]:
    """Bank of normal noise; drawing it once is ten times cheaper than drawing it per picture."""
    return _drawn_noise()


def grain(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Normal noise of a shape: a random stretch of the bank."""
    bank = _grain()
    count = int(np.prod(shape))
    start = int(rng.integers(0, len(bank)))
    if start + count <= len(bank):
        return np.asarray(bank[start : start + count].reshape(shape))
    return np.asarray(np.take(bank, np.arange(start, start + count), mode="wrap").reshape(shape))


@functools.lru_cache(maxsize=4)
def _quantised_grain(noise: float) -> NDArray[np.int8]:
    """Quantised bank of noise for video frames; the bank of floats is not kept."""
    return np.asarray(np.clip(np.round(_drawn_noise() * noise * 150), -127, 127), np.int8)


def coarse_grain(rng: np.random.Generator, shape: tuple[int, ...], noise: float) -> NDArray[np.int8]:
    """Noise for a finished picture in whole grey steps: fast enough for video."""
    bank = _quantised_grain(round(noise, 3))
    start = int(rng.integers(0, len(bank) // 4))
    count = int(np.prod(shape))
    repeated = bank[start : start + count] if start + count <= len(bank) else np.resize(bank[start:], count)
    return np.asarray(repeated.reshape(shape), np.int8)


def develop(light: Floats, film: Film, camera: PinholeCamera, window: Window) -> Picture:
    """The finished picture of a window of the frame; `light` is linear BGR with lens distortion applied."""
    rng = np.random.default_rng([film.seed, window[0], window[1]])
    exposed = light * (np.array(film.white, np.float32) * np.float32(film.exposure))
    exposed *= _vignette(film, camera, window)[:, :, None]
    if film.flicker:  # a lamp on alternating current under a rolling shutter
        rows = np.arange(window[1], window[1] + window[3], dtype=np.float32)
        exposed *= (1 + film.flicker * np.sin(rows * np.float32(12.0 / camera.height) + film.seed % 7))[:, None, None]
    exposed = _blurred(exposed, film)
    if film.noise:
        exposed += grain(rng, exposed.shape) * np.sqrt(np.maximum(exposed, 0.0) * 0.4 + 0.006) * np.float32(film.noise)
    table = tone_table(round(film.contrast, 2))
    index = np.clip(exposed * np.float32((_LEVELS - 1) / 1.5), 0, _LEVELS - 1).astype(np.int32)
    picture = np.asarray(np.take(table, index), np.float32)
    return _compressed(_colour_adjusted(picture, film), film, rng)


def _vignette(film: Film, camera: PinholeCamera, window: Window) -> Floats:
    left, top, width, height = window
    x = (np.arange(width, dtype=np.float32) + left - camera.centre[0]) / (camera.width / 2)
    y = (np.arange(height, dtype=np.float32) + top - camera.centre[1]) / (camera.width / 2)
    r2 = x[None, :] ** 2 + y[:, None] ** 2
    return np.asarray(1 / (1 + film.vignette * r2) ** 2, np.float32)


def _blurred(light: Floats, film: Film) -> Floats:
    if film.blur > 0.05:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), film.blur), np.float32)
    length = float(np.hypot(*film.motion))
    if length < 0.7:
        return light
    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    middle = size / 2
    start = (round((middle - film.motion[0] / 2) * 8), round((middle - film.motion[1] / 2) * 8))
    end = (round((middle + film.motion[0] / 2) * 8), round((middle + film.motion[1] / 2) * 8))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 3)
    kernel /= max(float(kernel.sum()), 1e-6)
    return np.asarray(cv2.filter2D(light, -1, kernel), np.float32)


def _colour_adjusted(picture: Floats, film: Film) -> Floats:
    if abs(film.saturation - 1) > 0.02:
        grey = picture @ np.array([0.114, 0.587, 0.299], np.float32)
        picture = grey[:, :, None] + (picture - grey[:, :, None]) * np.float32(film.saturation)
    if film.sharpen > 0.02:
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.float32)
        picture = picture + (picture - soft) * np.float32(film.sharpen)
    return picture


def _compressed(picture: Floats, film: Film, rng: np.random.Generator) -> Picture:
    finished: Picture = np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)
    if film.video:
        return video_compressed(finished, film.video, rng)
    if film.jpeg >= 100:
        return finished
    packed = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])[1]
    restored = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return finished if restored is None else np.asarray(restored, np.uint8)


def video_compressed(picture: Picture, step: float, rng: np.random.Generator) -> Picture:
    """Second frame of a still clip of this picture; `step`: of the quantiser, about 4 (fine) to 40 (coarse)."""
    height, width = picture.shape[:2]
    across, down = -(-width // 16) * 16, -(-height // 16) * 16
    padded = cv2.copyMakeBorder(picture, 0, down - height, 0, across - width, cv2.BORDER_REPLICATE)
    light, red, blue = cv2.split(np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGR2YCrCb), np.float32))
    halved = [cv2.resize(plane, (across // 2, down // 2), interpolation=cv2.INTER_AREA) for plane in (red, blue)]
    planes = [_second_frame(np.asarray(plane, np.float32), step, rng) for plane in (light, *halved)]
    colour = [cv2.resize(plane, (across, down), interpolation=cv2.INTER_LINEAR) for plane in planes[1:]]
    whole = np.clip(np.round(np.stack([planes[0], *colour], 2)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR)[:height, :width], np.uint8)


def _second_frame(plane: Floats, step: float, rng: np.random.Generator) -> Floats:
    earlier = plane + rng.standard_normal(plane.shape, np.float32) * np.float32(_NOISE)
    key = _deblocked(_quantised(earlier, step, 0.5), step)
    return _deblocked(key + _quantised(plane - key, step, 0.5 - _CALM), step)


def _quantised(plane: Floats, step: float, rounding: float) -> Floats:
    """The plane with its blocks' frequencies in whole steps; `rounding` below a half drops small ones."""
    rows, columns = plane.shape[0] // _SIDE, plane.shape[1] // _SIDE
    blocks = plane.reshape(rows, _SIDE, columns, _SIDE).swapaxes(1, 2)
    steps = _FINENESS * np.float32(step)
    wave = (_DCT @ blocks @ _DCT.T) / steps
    kept = np.trunc(wave + np.copysign(np.float32(rounding), wave)) * steps
    return np.asarray((_DCT.T @ kept @ _DCT).swapaxes(1, 2).reshape(plane.shape), np.float32)


def _deblocked(plane: Floats, step: float) -> Floats:
    """The plane deblocked: steps at block borders that are as small as the coder's own are reduced."""
    for view in (plane, plane.T):
        before, after = view[:, _SIDE - 1 : -1 : _SIDE], view[:, _SIDE::_SIDE]
        gap = after - before
        share = np.where(np.abs(gap) < 1.5 * step, gap * np.float32(0.3), np.float32(0))
        before += share
        after -= share
    return plane
