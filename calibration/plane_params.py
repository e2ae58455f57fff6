"""A plane in the camera's axes: two tilts and the logarithm of its depth along the line of sight."""

from __future__ import annotations

import numpy as np

from calibration.lens import rays
from vision.detect.shape import Floats


def on_plane(views: Floats, flat: Floats) -> Floats:
    """Points of the plane in the camera's axes; one row of `views` for all or one for each point."""
    rx, ry, depth = np.atleast_2d(views).T
    cx, sx, cy, sy = np.cos(rx), np.sin(rx), np.cos(ry), np.sin(ry)
    x, y = flat[:, 0], flat[:, 1]
    out: Floats = np.stack([cy * x + sy * sx * y, cx * y, -sy * x + cy * sx * y + np.exp(depth)], axis=1)
    return out


def normal_of(view: Floats) -> Floats:
    """The plane's unit normal in the camera's axes, pointing away from the camera; one for each row of views."""
    rx, ry = view[..., 0], view[..., 1]
    out: Floats = np.stack([np.sin(ry) * np.cos(rx), -np.sin(rx), np.cos(ry) * np.cos(rx)], axis=-1)
    return out


def axes_of(view: Floats) -> Floats:
    """The plane's two axes (rows) in the camera's."""
    return on_plane(np.array([*view[:2], -np.inf]), np.eye(2))


def on_view(numbers: Floats, size: tuple[int, int], view: Floats, pixels: Floats, lift: float = 0.0) -> Floats:
    """Where the rays of these pixels meet the plane (or one lifted towards the camera), in the plane's own axes."""
    normal = normal_of(view)
    flat = rays(numbers, size, pixels)
    full = np.column_stack([flat, np.ones(len(flat))])
    centre = np.array([0.0, 0.0, np.exp(view[2])]) - lift * normal
    reach = full @ normal
    reach = np.where(reach > 1e-6, reach, 1e-6)  # a pixel above the horizon is very far away
    solid = full * ((centre @ normal) / reach)[:, None] - centre
    out: Floats = solid @ axes_of(view).T
    return out
