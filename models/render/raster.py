"""A rasteriser in plain NumPy: every triangle of a scene in a handful of array operations.

Triangles are split into rows and rows into pixels; one `maximum.at` on a packed key (nearness, triangle) is the depth
test. Only covered pixels are touched, so the cost follows the covered area and not the number of Python calls.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Doubles = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]

NO_TRIANGLE = -1
_TRIANGLE_BITS = 18
_NEAR_SCALE = float(1 << 42)


def signed_area(xy: Doubles) -> Doubles:
    """Twice the signed area of triangles given as (n, 3, 2)."""
    first, second = xy[:, 1] - xy[:, 0], xy[:, 2] - xy[:, 0]
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


def corner_min(corners: Doubles) -> Doubles:
    """Minimum over the corners of (n, 3) or (n, 3, k); `ndarray.min` is slow on short axes."""
    return np.asarray(np.minimum(np.minimum(corners[:, 0], corners[:, 1]), corners[:, 2]))


def corner_max(corners: Doubles) -> Doubles:
    """Maximum over the corners of (n, 3) or (n, 3, k)."""
    return np.asarray(np.maximum(np.maximum(corners[:, 0], corners[:, 1]), corners[:, 2]))


def affine_coefficients(xy: Doubles, values: Doubles) -> Doubles:
    """Coefficients (n, 3, k) of the affine functions that take `values` (n, 3, k) at the corners `xy`.

    value(x, y) = c[0] * x + c[1] * y + c[2]. Solved relative to the first corner, which keeps precision far from the
    origin.
    """
    first, second = xy[:, 1] - xy[:, 0], xy[:, 2] - xy[:, 0]
    area = signed_area(xy)
    scale = 1.0 / np.where(np.abs(area) < 1e-9, 1e-9, area)
    rise1, rise2 = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    along_x = (rise1 * second[:, 1:2] - rise2 * first[:, 1:2]) * scale[:, None]
    along_y = (rise2 * first[:, 0:1] - rise1 * second[:, 0:1]) * scale[:, None]
    constant = values[:, 0] - along_x * xy[:, 0, 0:1] - along_y * xy[:, 0, 1:2]
    return np.stack([along_x, along_y, constant], axis=1)


def rasterise(xy: Doubles, nearness: Doubles, width: int, height: int) -> NDArray[np.int32]:
    """Index of the nearest triangle at each pixel, or NO_TRIANGLE. `nearness` (n, 3) grows towards the viewer and is
    affine on the screen (one over depth for a perspective view, height for a parallel one)."""
    best = np.full(width * height, NO_TRIANGLE, np.int64)
    if len(xy):
        pixel, key = _candidates(xy, nearness, width, height)
        np.maximum.at(best, pixel, key)
    mask = (1 << _TRIANGLE_BITS) - 1
    return np.where(best < 0, NO_TRIANGLE, best & mask).astype(np.int32).reshape(height, width)


def _candidates(xy: Doubles, nearness: Doubles, width: int, height: int) -> tuple[Ints, Ints]:
    triangle, y, left, right = _rows(xy, width, height)
    plane = affine_coefficients(xy, nearness[:, :, None])[:, :, 0]
    scaled = plane * _NEAR_SCALE / max(1e-9, float(np.abs(nearness).max()) * 1.05)
    row_start = scaled[triangle, 1] * (y + 0.5) + scaled[triangle, 2] + scaled[triangle, 0] * (left + 0.5)
    count = right - left
    row = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    near = row_start[row] + scaled[triangle, 0][row] * step
    key = (near.astype(np.int64) << _TRIANGLE_BITS) | triangle[row]
    return (y * width + left)[row] + step, key


def _rows(xy: Doubles, width: int, height: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Triangle, y and the half-open x span of every covered row."""
    top = np.clip(np.ceil(corner_min(xy[:, :, 1]) - 0.5), 0, height).astype(np.int64)
    bottom = np.clip(np.ceil(corner_max(xy[:, :, 1]) - 0.5), 0, height).astype(np.int64)
    count = np.maximum(bottom - top, 0)
    triangle = np.repeat(np.arange(len(xy)), count)
    y = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - count, count) + top[triangle]
    low, high = _span(xy, triangle, y + 0.5)
    left = np.clip(np.ceil(low - 0.5), 0, width).astype(np.int64)
    right = np.clip(np.ceil(high - 0.5), 0, width).astype(np.int64)
    keep = right > left
    return triangle[keep], y[keep], left[keep], right[keep]


def _span(xy: Doubles, triangle: Ints, y: Doubles) -> tuple[Doubles, Doubles]:
    """X at which the scan line `y` enters and leaves its triangle."""
    low = np.full(len(y), np.inf)
    high = np.full(len(y), -np.inf)
    for start, end in ((0, 1), (1, 2), (2, 0)):
        a, b = xy[:, start], xy[:, end]
        rise = b[:, 1] - a[:, 1]
        slope = (b[:, 0] - a[:, 0]) / np.where(rise == 0, 1.0, rise)
        bottom, top = np.minimum(a[:, 1], b[:, 1]), np.maximum(a[:, 1], b[:, 1])
        x = a[triangle, 0] + slope[triangle] * (y - a[triangle, 1])
        crosses = (y >= bottom[triangle]) & (y <= top[triangle]) & (rise != 0)[triangle]
        low = np.where(crosses, np.minimum(low, x), low)
        high = np.where(crosses, np.maximum(high, x), high)
    return low, high
