"""Tiles that lie on tiles: nearer to the camera, so larger, and no reason to believe that the table is tilted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration import bundle
from calibration.bundle import BundleFit, BundleStart, FlatThing
from calibration.initial_guess import place_of
from calibration.lens import Lens
from rules.pieces import Kind
from rules.pieces.sizes import SPACE_MM, THICKNESS
from vision.detect.shape import Floats

THICK: Final = THICKNESS[Kind.TILE] * SPACE_MM
STOREYS: Final[Floats] = np.array([0.92, 0.055, 0.025])
"""Which share of the tiles is believed to lie on the table, on a tile, on two; worth so many tiles; asked so often."""
BELIEVED: Final = 3.0
ROUNDS: Final = 2
LEAST_TO_STACK: Final = 6
"""With fewer tiles a higher one cannot be told from a plane that lies otherwise."""


def stacked_fit(things: Sequence[FlatThing], lens: Lens, start: BundleStart, sigma: float) -> BundleFit:
    """The fit in which tiles may lie on tiles: each is given the height that it most likely lies at, over and over."""
    fit, shares = bundle.fit(things, lens, start, sigma), STOREYS
    for _ in range(ROUNDS if len(things) >= LEAST_TO_STACK else 0):
        chances = storeys_of(things, fit, shares)
        shares = (chances.sum(axis=0) + BELIEVED * STOREYS) / (len(things) + BELIEVED)
        lifts = chances @ (np.arange(len(STOREYS)) * THICK)
        raised = [replace(thing, lift=float(lift)) for thing, lift in zip(things, lifts, strict=True)]
        fit = bundle.fit(raised, lens, BundleStart(fit.views, fit.places), sigma)
    return fit


def storeys_of(things: Sequence[FlatThing], fit: BundleFit, shares: Floats) -> Floats:
    """How likely each thing (row) lies on none, one, two tiles (column), by how well it fits there."""
    logs = np.empty((len(things), len(shares)))
    for storey in range(len(shares)):
        off = [misfit(replace(thing, lift=storey * THICK), fit) for thing in things]
        logs[:, storey] = np.log(shares[storey]) - np.array(off) / (2 * fit.sigma**2)
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    out: Floats = powers / powers.sum(axis=1, keepdims=True)
    return out


def misfit(thing: FlatThing, fit: BundleFit) -> float:
    """Square pixels by which a thing's points are off at its best place."""
    place = place_of(thing, fit.views[0], fit.lens)
    rest = bundle.gather([thing], fit.lens).project(fit.lens.numbers, fit.views, place[None]) - thing.seen
    return float((rest**2).sum())
