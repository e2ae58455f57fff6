"""Of what things are made: numbers of a physically based surface."""

from __future__ import annotations

from dataclasses import dataclass

from models.render.edition import DieArt, PaintedSet
from models.render.scene import Body, Table
from models.render.world import Surface

LACQUERED = ("wood", "printed")
"""Materials whose gloss lies in a coat over a dull ground."""
GLASSY = 0.3
"""What lets more light through is drawn clear."""


@dataclass(frozen=True, slots=True)
class Matter:
    """`coat` is a clear lacquer over the colours of a sheet, `clear` the share of light that goes straight through."""

    sheet: str
    roughness: float
    shine: float = 0.5
    coat: float = 0.0
    coat_roughness: float = 0.1
    metal: float = 0.0
    clear: float = 0.0
    mirrored: bool = False
    """Whether the sheet repeats, mirrored."""
    slopes: str = ""


def of_body(body: Body, edition: PaintedSet, surface: Surface, sheet: str, slopes: str = "") -> Matter:
    """What a thing is made of, from its kind, its set's material and the gloss that the set has."""
    edition = body.guest or edition
    if body.kind in ("tile", "coin"):
        return printed(edition.material, surface, sheet, slopes)
    if body.kind == "card":
        return Matter(sheet, 0.5, 0.25, 0.35, 0.25)
    if body.kind == "die" and edition.die_art is not None:
        return _own_die(edition.die_art, surface, sheet, slopes)
    if body.kind == "die":
        return Matter(sheet, 0.16 + 0.8 * surface.roughness * edition.roughness, 0.5, slopes=slopes)
    if body.kind == "pawn":
        return painted(edition.pawn_gloss, sheet)
    if body.kind == "pyramid":
        return Matter(sheet, 0.1 + 0.25 * edition.roughness, 0.5, clear=_cleared(surface.clear, edition.roughness))
    if body.kind == "hand":
        return Matter(sheet, 0.55, 0.35)
    if body.shape == "money":
        return Matter(sheet, 0.35, metal=0.9, slopes=slopes)
    return Matter(sheet, _dull(surface.gloss, surface.roughness), 0.35, clear=surface.clear, slopes=slopes)


def _own_die(look: DieArt, surface: Surface, sheet: str, slopes: str) -> Matter:
    """Metal, or what its material is by the polish of its own."""
    if look.material == "metal":
        return Matter(sheet, 0.1 + 0.4 * surface.roughness, metal=0.9, slopes=slopes)
    return printed(look.material, surface, sheet, slopes)


def _cleared(clear: float, roughness: float) -> float:
    """Of clear sets some are like coloured glass, others like frosted."""
    return clear and 0.35 + 0.5 * roughness


def printed(material: str, surface: Surface, sheet: str, slopes: str = "") -> Matter:
    """Card and wood are dull below their lacquer; plastic has no other surface than its own."""
    if material in LACQUERED:
        return Matter(sheet, 0.65, 0.2, surface.gloss**2, 0.05 + 0.5 * surface.roughness, slopes=slopes)
    if material == "card":
        return Matter(sheet, max(0.45, surface.roughness), 0.2, 0.4 * surface.gloss**3, 0.3, slopes=slopes)
    return Matter(sheet, _dull(surface.gloss, surface.roughness), 0.35, slopes=slopes)


def painted(gloss: float, sheet: str) -> Matter:
    """Turned wood, from stained to thickly lacquered."""
    return Matter(sheet, 0.6 - 0.25 * gloss, 0.3, max(0.0, gloss - 0.3), 0.35 - 0.3 * gloss)


def _dull(gloss: float, roughness: float) -> float:
    return min(0.9, max(0.12, roughness * (1.3 - 0.6 * gloss)))


def of_table(table: Table, sheet: str) -> Matter:
    """A table top; polished ones mirror the room."""
    polished = table.gloss >= 0.5
    return Matter(
        sheet, max(table.roughness, 0.4), 0.2, 0.7 * table.gloss if polished else 0.0, table.roughness, mirrored=True
    )
