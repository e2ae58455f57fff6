"""What a video coder leaves of a picture: blocks, ringing, colours that run, and a table carried from frame to frame.

The encoders that come with OpenCV do not let one say how hard to compress, nor is H.264 among them. Here is the core
of any of them in plain arrays: halved colour, an 8x8 cosine transform, a key frame, the difference of the next frame to
it with what is small left out, and smoothed block edges.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.materials import Picture

_SIDE = 8
_NOISE = 2.5  # grey steps by which the key frame's sensor noise differs
_CALM = 0.35  # a rounded difference must be this much above a half to be worth its bits
_DCT: NDArray[np.float32] = np.asarray(cv2.dct(np.eye(_SIDE, dtype=np.float32), flags=cv2.DCT_ROWS).T, np.float32)
_FINENESS = (1 + 0.12 * np.add.outer(np.arange(_SIDE), np.arange(_SIDE))).astype(np.float32)

Plane = NDArray[np.float32]


def coded(picture: Picture, step: float, rng: np.random.Generator) -> Picture:
    """The second frame of a still clip of this picture; `step` is the quantiser's, about 4 (fine) to 40 (coarse)."""
    height, width = picture.shape[:2]
    across, down = -(-width // 16) * 16, -(-height // 16) * 16
    padded = cv2.copyMakeBorder(picture, 0, down - height, 0, across - width, cv2.BORDER_REPLICATE)
    light, red, blue = cv2.split(np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGR2YCrCb), np.float32))
    halved = [cv2.resize(plane, (across // 2, down // 2), interpolation=cv2.INTER_AREA) for plane in (red, blue)]
    planes = [_second_frame(np.asarray(plane, np.float32), step, rng) for plane in (light, *halved)]
    colour = [cv2.resize(plane, (across, down), interpolation=cv2.INTER_LINEAR) for plane in planes[1:]]
    whole = np.clip(np.round(np.stack([planes[0], *colour], 2)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR)[:height, :width], np.uint8)


def _second_frame(plane: Plane, step: float, rng: np.random.Generator) -> Plane:
    earlier = plane + rng.standard_normal(plane.shape, np.float32) * np.float32(_NOISE)
    key = _smoothed(_quantised(earlier, step, 0.5), step)
    return _smoothed(key + _quantised(plane - key, step, 0.5 - _CALM), step)


def _quantised(plane: Plane, step: float, rounding: float) -> Plane:
    """The plane with its blocks' frequencies in whole steps; `rounding` below a half leaves out what is small."""
    rows, columns = plane.shape[0] // _SIDE, plane.shape[1] // _SIDE
    blocks = plane.reshape(rows, _SIDE, columns, _SIDE).swapaxes(1, 2)
    steps = _FINENESS * np.float32(step)
    wave = (_DCT @ blocks @ _DCT.T) / steps
    kept = np.trunc(wave + np.copysign(np.float32(rounding), wave)) * steps
    return np.asarray((_DCT.T @ kept @ _DCT).swapaxes(1, 2).reshape(plane.shape), np.float32)


def _smoothed(plane: Plane, step: float) -> Plane:
    """Steps at block borders made gentler where they are small enough to be the coder's own."""
    for view in (plane, plane.T):
        before, after = view[:, _SIDE - 1 : -1 : _SIDE], view[:, _SIDE::_SIDE]
        gap = after - before
        share = np.where(np.abs(gap) < 1.5 * step, gap * np.float32(0.3), np.float32(0))
        before += share
        after -= share
    return plane
