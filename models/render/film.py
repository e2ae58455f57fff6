"""From light to file: lens, sensor noise, tone, blur, compression."""

import functools

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import video
from models.render.camera import PinholeCamera
from models.render.materials import Picture
from models.render.raster import Floats
from models.render.scene import Film

Window = tuple[int, int, int, int]
_LEVELS = 4096


@functools.lru_cache(maxsize=64)
def tone_table(contrast: float) -> NDArray[np.float32]:
    """sRGB value (0..255) of linear light 0..1.5, with a gentle shoulder and some contrast."""
    light = np.linspace(0, 1.5, _LEVELS, dtype=np.float32)
    rolled = np.where(light > 0.7, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.45), light)
    srgb = np.where(rolled <= 0.0031308, rolled * 12.92, 1.055 * np.power(np.maximum(rolled, 1e-6), 1 / 2.4) - 0.055)
    s_curve = srgb * srgb * (3 - 2 * srgb)
    return np.asarray((srgb * (1 - contrast) + s_curve * contrast) * 255, np.float32)


def _normal() -> NDArray[np.float32]:
    return np.random.default_rng(4).standard_normal(1 << 21).astype(np.float32)


@functools.lru_cache(maxsize=1)
def _grain() -> NDArray[np.float32]:
    """A bank of normal noise; drawing it once is ten times cheaper than drawing it per picture."""
    return _normal()


def grain(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Noise of a shape, a random stretch of the bank."""
    bank = _grain()
    count = int(np.prod(shape))
    start = int(rng.integers(0, len(bank)))
    if start + count <= len(bank):
        return np.asarray(bank[start : start + count].reshape(shape))
    return np.asarray(np.take(bank, np.arange(start, start + count), mode="wrap").reshape(shape))


@functools.lru_cache(maxsize=4)
def _whole_grain(noise: float) -> NDArray[np.int8]:
    """In bytes, and without the bank it was made of: a film needs nothing else."""
    return np.asarray(np.clip(np.round(_normal() * noise * 150), -127, 127), np.int8)


def coarse_grain(rng: np.random.Generator, shape: tuple[int, ...], noise: float) -> NDArray[np.int8]:
    """Noise for a finished picture, in whole steps: cheap enough for video."""
    bank = _whole_grain(round(noise, 3))
    start = int(rng.integers(0, len(bank) // 4))
    count = int(np.prod(shape))
    repeated = bank[start : start + count] if start + count <= len(bank) else np.resize(bank[start:], count)
    return np.asarray(repeated.reshape(shape), np.int8)


def develop(light: Floats, film: Film, camera: PinholeCamera, window: Window) -> Picture:
    """The finished picture of a window of the frame; `light` is linear BGR, already bent by the lens."""
    rng = np.random.default_rng([film.seed, window[0], window[1]])
    exposed = light * (np.array(film.white, np.float32) * np.float32(film.exposure))
    exposed *= _vignette(film, camera, window)[:, :, None]
    if film.flicker:  # a lamp on alternating current, seen by a shutter that rolls down the picture
        rows = np.arange(window[1], window[1] + window[3], dtype=np.float32)
        exposed *= (1 + film.flicker * np.sin(rows * np.float32(12.0 / camera.height) + film.seed % 7))[:, None, None]
    exposed = _blurred(exposed, film)
    if film.noise:
        exposed += grain(rng, exposed.shape) * np.sqrt(np.maximum(exposed, 0.0) * 0.4 + 0.006) * np.float32(film.noise)
    table = tone_table(round(film.contrast, 2))
    index = np.clip(exposed * np.float32((_LEVELS - 1) / 1.5), 0, _LEVELS - 1).astype(np.int32)
    picture = np.asarray(np.take(table, index), np.float32)
    return _filed(_coloured(picture, film), film, rng)


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


def _coloured(picture: Floats, film: Film) -> Floats:
    if abs(film.saturation - 1) > 0.02:
        grey = picture @ np.array([0.114, 0.587, 0.299], np.float32)
        picture = grey[:, :, None] + (picture - grey[:, :, None]) * np.float32(film.saturation)
    if film.sharpen > 0.02:
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.float32)
        picture = picture + (picture - soft) * np.float32(film.sharpen)
    return picture


def _filed(picture: Floats, film: Film, rng: np.random.Generator) -> Picture:
    finished: Picture = np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)
    if film.video:
        return video.coded(finished, film.video, rng)
    if film.jpeg >= 100:
        return finished
    packed = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])[1]
    restored = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return finished if restored is None else np.asarray(restored, np.uint8)
