"""Input of the path tracer as plain arrays, made by `scenery` and taken by `cycles`; and the materials of a scene."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.render.art import Surface
from models.render.edition import DieArt, PaintedSet
from models.render.materials import Grey, Picture
from models.render.raster import Doubles
from models.render.scene import Body, Table

Linear = tuple[float, float, float]
"""Linear RGB colour."""
COATED = ("wood", "printed")
"""Materials with a glossy coat over a dull base."""
MIN_TRANSPARENT = 0.3
"""Transmission above which a material is rendered as transparent."""


@dataclass(frozen=True, slots=True)
class Material:
    """Parameters of a physically based surface: `coat` is a clear lacquer over the texture `sheet`, `clear` the share
    of light that is transmitted straight."""

    sheet: str
    roughness: float
    shine: float = 0.5
    coat: float = 0.0
    coat_roughness: float = 0.1
    metal: float = 0.0
    clear: float = 0.0
    mirrored: bool = False
    """Whether the texture repeats, mirrored."""
    slopes: str = ""


@dataclass(frozen=True, slots=True)
class Soup:
    """Triangles (n, 3, 3) with normals, texture coordinates (0..1, the second upwards) and indices of their
    materials."""

    points: Doubles
    normals: Doubles
    uv: Doubles
    material: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DiskLamp:
    """A disk lamp that faces the centre of the table. `mask` is a pattern that its light passes, `reach` the pattern's
    width on the table."""

    place: Doubles
    colour: Linear
    watts: float
    diameter: float
    mask: Grey | None = None
    reach: float = 0.0


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A pinhole camera: focal length and principal point in pixels of the picture, axes (right, down, ahead) as rows.
    With an `aperture` (inches) only what is `focused` inches away is sharp."""

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
    """A picture to be traced. `sheets` are textures (BGR) by the names that materials use, `slopes` normal maps."""

    soups: tuple[Soup, ...]
    materials: tuple[Material, ...]
    sheets: dict[str, Picture]
    lamps: tuple[DiskLamp, ...]
    environment: NDArray[np.float32]
    camera: Pinhole
    slopes: dict[str, Picture] = field(default_factory=dict)


def of_body(body: Body, edition: PaintedSet, surface: Surface, sheet: str, slopes: str = "") -> Material:
    """Material of a body, from its kind, its set's material and the set's gloss."""
    edition = body.guest or edition
    if body.kind in ("tile", "coin"):
        return printed(edition.material, surface, sheet, slopes)
    if body.kind == "card":
        return Material(sheet, 0.5, 0.25, 0.35, 0.25)
    if body.kind == "die" and edition.die_art is not None:
        return _of_art_die(edition.die_art, surface, sheet, slopes)
    if body.kind == "die":
        return Material(sheet, 0.16 + 0.8 * surface.roughness * edition.roughness, 0.5, slopes=slopes)
    if body.kind == "pawn":
        return painted(edition.pawn_gloss, sheet)
    if body.kind == "pyramid":
        return Material(
            sheet, 0.1 + 0.25 * edition.roughness, 0.5, clear=_transmission(surface.clear, edition.roughness)
        )
    if body.kind == "hand":
        return Material(sheet, 0.55, 0.35)
    if body.shape == "money":
        return Material(sheet, 0.35, metal=0.9, slopes=slopes)
    return Material(sheet, _roughness(surface.gloss, surface.roughness), 0.35, clear=surface.clear, slopes=slopes)


def _of_art_die(look: DieArt, surface: Surface, sheet: str, slopes: str) -> Material:
    """Material of a die with its own art: metal, or its material with its own polish."""
    if look.material == "metal":
        return Material(sheet, 0.1 + 0.4 * surface.roughness, metal=0.9, slopes=slopes)
    return printed(look.material, surface, sheet, slopes)


def _transmission(clear: float, roughness: float) -> float:
    """Transmission of a pyramid of a clear set: some are like coloured glass, others frosted."""
    return clear and 0.35 + 0.5 * roughness


def printed(material: str, surface: Surface, sheet: str, slopes: str = "") -> Material:
    """Material of printed pieces: card and wood are dull below their lacquer; plastic has no coat."""
    if material in COATED:
        return Material(sheet, 0.65, 0.2, surface.gloss**2, 0.05 + 0.5 * surface.roughness, slopes=slopes)
    if material == "card":
        return Material(sheet, max(0.45, surface.roughness), 0.2, 0.4 * surface.gloss**3, 0.3, slopes=slopes)
    return Material(sheet, _roughness(surface.gloss, surface.roughness), 0.35, slopes=slopes)


def painted(gloss: float, sheet: str) -> Material:
    """Material of turned wood, from stained to thickly lacquered."""
    return Material(sheet, 0.6 - 0.25 * gloss, 0.3, max(0.0, gloss - 0.3), 0.35 - 0.3 * gloss)


def _roughness(gloss: float, roughness: float) -> float:
    return min(0.9, max(0.12, roughness * (1.3 - 0.6 * gloss)))


def of_table(table: Table, sheet: str) -> Material:
    """Material of a table top; polished ones reflect the room."""
    polished = table.gloss >= 0.5
    return Material(
        sheet, max(table.roughness, 0.4), 0.2, 0.7 * table.gloss if polished else 0.0, table.roughness, mirrored=True
    )
