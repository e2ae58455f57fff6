"""All that a path tracer needs to know of a picture, as plain arrays: what `scenery` makes and `cycles` takes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.render.materials import Grey, Picture
from models.render.raster import Doubles
from models.training.traced.matter import Matter

Linear = tuple[float, float, float]
"""A colour as light, red first."""


@dataclass(frozen=True, slots=True)
class Soup:
    """Triangles (n, 3, 3) with normals, places on a picture (0..1, the second upwards) and numbers of their matter."""

    points: Doubles
    normals: Doubles
    uv: Doubles
    matter: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bulb:
    """A round lamp that looks at the middle of the table. `mask` is what its light falls through, `reach` how wide
    that is on the table."""

    place: Doubles
    colour: Linear
    watts: float
    diameter: float
    mask: Grey | None = None
    reach: float = 0.0


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A pinhole: the focal length and the point straight ahead in pixels of the picture, axes (right, down, ahead) as
    rows. With an `aperture` (inches) only what is `focused` inches away is sharp."""

    width: int
    height: int
    focal: float
    centre: tuple[float, float]
    axes: Doubles
    place: Doubles
    aperture: float = 0.0
    focused: float = 20.0


@dataclass(frozen=True, slots=True)
class TracedShot:
    """A picture to be taken. `sheets` are pictures (BGR) by the names that matters ask for, `slopes` normal maps."""

    soups: tuple[Soup, ...]
    matters: tuple[Matter, ...]
    sheets: dict[str, Picture]
    bulbs: tuple[Bulb, ...]
    room: NDArray[np.float32]
    eye: Pinhole
    slopes: dict[str, Picture] = field(default_factory=dict)
