"""Initial parameters of a plane fit, near enough for it to converge to the best plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.bundle import BundleStart, FlatThing
from calibration.lens import Lens, on_view
from vision.detect.shape import Floats
from vision.rectify import apply

DIRECTIONS: Final = tuple((float(np.cos(a)), float(np.sin(a))) for a in np.arange(8) * np.pi / 4)


def tile_start(things: Sequence[FlatThing], lens: Lens) -> BundleStart:
    """Start with the tilt under which the tiles are most like equal squares, by a coarse and then finer grid search."""
    seen = np.array([thing.seen for thing in things])
    tilts = [np.zeros(2)] + [tilt * np.array(way) for tilt in (0.25, 0.5, 0.75, 1.0) for way in DIRECTIONS]
    best = min(tilts, key=lambda tilt: deviation_from_squares(tilt, seen, lens)[0])
    for reach in (0.12, 0.06, 0.03, 0.015):
        best = min(
            (best, *(best + reach * np.array(way) for way in DIRECTIONS)),
            key=lambda t: deviation_from_squares(t, seen, lens)[0],
        )
    side = float(np.linalg.norm(things[0].shape[1] - things[0].shape[0]))
    view = np.array([*best, np.log(side / deviation_from_squares(best, seen, lens)[1])])
    return BundleStart(view[None], np.array([pose_of(thing, view, lens) for thing in things]))


def deviation_from_squares(tilt: Floats, seen: Floats, lens: Lens) -> tuple[float, float]:
    """Relative deviation of the tiles from equal squares on a plane of this tilt at depth one, and their side there."""
    flat = on_view(lens.numbers, lens.size, np.array([*tilt, 0.0]), seen.reshape(-1, 2)).reshape(seen.shape)
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, 2:] - flat[:, :2], axis=2) / np.sqrt(2)
    lengths = np.concatenate([sides, across], axis=1)
    side = max(float(np.median(lengths)), 1e-9)
    return float(np.median(np.abs(lengths / side - 1), axis=1).mean()), side


def grid_start(things: Sequence[FlatThing], lens: Lens) -> BundleStart:
    """Start of a fit in which each thing is in a picture of its own."""
    views = []
    for thing in things:
        straight = lens.straight(thing.seen)
        views.append(view_from_homography(fitted_homography(thing.shape, straight), lens))
    return BundleStart(np.array(views), np.array([pose_of(t, v, lens) for t, v in zip(things, views, strict=True)]))


def fitted_homography(points: Floats, seen: Floats) -> Floats:
    """The homography by least squares over all points, both sides normalised first."""
    before, after = normalisation(points), normalisation(seen)
    here, there = apply(before, points), apply(after, seen)
    return np.linalg.inv(after) @ direct_linear_transform(here, there) @ before


def direct_linear_transform(points: Floats, seen: Floats) -> Floats:
    """The homography (of any scale) from four or more points to others, by the smallest singular vector."""
    rows = []
    for (x, y), (u, v) in zip(points, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    out: Floats = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    return out


def normalisation(points: Floats) -> Floats:
    """The similarity (3 x 3) that centres the points and scales them to unit size."""
    middle = points.mean(axis=0)
    scale = 1 / max(float(np.abs(points - middle).max()), 1e-9)
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1.0]])


def view_from_homography(homography: Floats, lens: Lens) -> Floats:
    """(tilt x, tilt y, log depth) of a plane from its homography (y down) through this lens."""
    camera = np.array([[lens.focal, 0, lens.centre[0]], [0, lens.focal, lens.centre[1]], [0, 0, 1.0]])
    axes = np.linalg.inv(camera) @ homography
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    axes = axes * (1.0 if axes[2, 2] > 0 else -1.0)
    normal = np.cross(axes[:, 0], axes[:, 1])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    normal = normal * (1.0 if normal[2] > 0 else -1.0)
    depth = float(axes[:, 2] @ normal) / max(float(normal[2]), 0.2)
    rx = -np.arcsin(np.clip(normal[1], -0.98, 0.98))
    ry = np.arctan2(normal[0], max(float(normal[2]), 0.05))
    return np.array([rx, ry, np.log(max(depth, 1e-3))])


def pose_of(thing: FlatThing, view: Floats, lens: Lens) -> Floats:
    """Pose (x, y, angle) of a thing on a known plane, from its detected points (Procrustes)."""
    flat = on_view(lens.numbers, lens.size, view, thing.seen, thing.lift)
    here, there = thing.shape - thing.shape.mean(axis=0), flat - flat.mean(axis=0)
    turn = np.arctan2(np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]), np.sum(here * there))
    c, s = np.cos(turn), np.sin(turn)
    x, y = flat.mean(axis=0) - np.array([[c, -s], [s, c]]) @ thing.shape.mean(axis=0)
    return np.array([x, y, turn])
