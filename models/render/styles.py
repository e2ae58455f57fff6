"""Named sets on named tables, for demonstrations and reproducible pictures. They need no fonts."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.render import glyphs
from models.render.edition import CoinArt, PaintedSet, Sizes, TileArt
from models.render.glyphs import draw
from models.render.materials import Colour
from models.render.random_scene import random_film, random_light, random_table
from models.render.random_sets import KINDS, edition_of, random_edition
from models.render.scene import Film, Illumination, Lamp, Table

_INKS: dict[str, Colour] = {
    "suns": (45, 40, 190), "moons": (30, 28, 28), "crowns": (50, 120, 35), "arms": (170, 70, 30),
}  # fmt: skip
_GOLD: dict[str, Colour] = {**_INKS, "crowns": (30, 150, 215)}


@dataclass(frozen=True, slots=True)
class Style:
    """A set, a table, lamps and the film of a camera."""

    edition: PaintedSet
    table: Table
    light: Illumination
    film: Film


def plain_edition(name: str, seed: int) -> PaintedSet:
    """The usual wooden set with the project's own drawings."""
    rng = np.random.default_rng(seed)
    numerals = {digit: glyphs.numeral(digit, np.random.default_rng(seed)) for digit in "2345"}
    signs = {"suns": glyphs.sun, "moons": glyphs.moon, "crowns": glyphs.crown, "arms": glyphs.lily}
    drawings = {suit: draw(sign, rng) for suit, sign in signs.items()}
    nothing = draw(glyphs.blank, rng)
    return PaintedSet(
        name,
        Sizes(),
        TileArt(),
        CoinArt(),
        "wood",
        (150, 195, 225),
        (150, 195, 225),
        0.1,
        dict(_INKS),
        (28, 28, 28),
        drawings,
        {"null": nothing, "ace": None, **numerals},
        {"null": nothing, "ace": draw(glyphs.spiral, rng), **numerals},
        {"null": None, "ace": None, **numerals},
        pawn_colours=dict(_INKS),
        wear=0.1,
        misprint=0.004,
    )


def _card() -> PaintedSet:
    edition = plain_edition("card", 9)
    edition.material, edition.body, edition.back_body = "card", (236, 242, 244), (190, 205, 215)
    edition.inks, edition.pawn_colours = dict(_GOLD), dict(_GOLD)
    edition.sizes = Sizes(tile_thick=0.08, coin_thick=0.08, tile_round=0.12, tile_bevel=0.008)
    edition.tile_art.border, edition.pawn_shape = 0.015, "meeple"
    return edition


def _inverted() -> PaintedSet:
    edition = plain_edition("inverted", 15)
    edition.inverted, edition.material, edition.body = True, "plastic", (240, 244, 246)
    edition.back_body, edition.pawn_shape = (60, 58, 55), "peg"
    edition.sizes = Sizes(tile_thick=0.15, tile_round=0.2)
    return edition


def _engraved() -> PaintedSet:
    edition = plain_edition("engraved", 23)
    edition.suit_marks["arms"] = draw(glyphs.anchor, np.random.default_rng(23))
    edition.engraved, edition.ink_strength, edition.pawn_shape = 0.9, 0.55, "cylinder"
    edition.body = edition.back_body = (105, 150, 190)
    return edition


def _night() -> PaintedSet:
    edition = plain_edition("night", 31)
    edition.material, edition.body, edition.back_body = "plastic", (48, 42, 40), (48, 42, 40)
    pale: dict[str, Colour] = {
        "suns": (90, 95, 240), "moons": (225, 225, 225), "crowns": (110, 210, 120), "arms": (245, 175, 95),
    }  # fmt: skip
    edition.inks, edition.pawn_colours, edition.neutral_ink = pale, pale, (215, 215, 215)
    edition.gloss, edition.roughness, edition.pawn_shape = 0.7, 0.3, "halma"
    return edition


_EDITIONS: dict[str, Callable[[], PaintedSet]] = {
    "classic": lambda: plain_edition("classic", 4), "card": _card, "inverted": _inverted, "engraved": _engraved,
    "night": _night,
}  # fmt: skip
_TABLES: dict[str, Table] = {
    "classic": Table("wood", (50, 75, 120), 6, 22, 8, 0.35, 0.35),
    "card": Table("felt", (70, 105, 45), 7, 20, 0, 0.02, 0.8),
    "inverted": Table("plain", (200, 208, 210), 8, 26, 0, 0.3, 0.4),
    "engraved": Table("planks", (70, 88, 105), 9, 26, 90, 0.2, 0.5),
    "night": Table("cloth", (150, 160, 170), 11, 20, 20, 0.02, 0.8),
}
NAMES = tuple(_EDITIONS)


def lamp_light(power: float = 0.5) -> Illumination:
    """A shaded lamp to one side and ambient light."""
    azimuth, height, far = math.radians(130), math.radians(55), 55.0
    out = far * math.cos(height)
    place = (out * math.cos(azimuth), out * math.sin(azimuth), far * math.sin(height))
    lamp = Lamp(place, (0.82, 0.97, 1.12), power / math.sin(height), far * 0.14)
    return Illumination((lamp,), (1.05, 1.0, 0.97), 1 - power, 3)


def film_for(table: Table, seed: int) -> Film:
    """A good camera, exposed for this table."""
    base = float(np.mean(np.power(np.array(table.base) / 255, 2.2)))
    return Film(
        exposure=0.27 / (0.5 * base + 0.5 * 0.35),
        contrast=0.3,
        noise=0.012,
        blur=0.5,
        sharpen=0.2,
        vignette=0.12,
        jpeg=90,
        seed=seed,
    )


class UnknownStyleError(ValueError):
    """Unknown name of a style; the text lists the known ones."""


@functools.lru_cache(maxsize=16)
def style(name: str, seed: int = 0) -> Style:
    """A named style; "random" for a random one by seed; "test" for sets, tables and figures that no net was trained on;
    a kind of sets (one of KINDS) for a random set of that kind. Unknown names raise UnknownStyleError."""
    if name in _EDITIONS:
        table = _TABLES[name]
        return Style(_EDITIONS[name](), table, lamp_light(), film_for(table, seed))
    if name not in ("random", "test", *KINDS):
        known = ", ".join((*NAMES, *KINDS, "random", "test"))
        raise UnknownStyleError(f"no style is called {name!r}; use one of {known}")
    rng = np.random.default_rng([seed, 88])
    stratum = "train" if name == "random" else "test"
    table, light = random_table(rng, stratum), random_light(rng)
    table = replace(table, half=(200.0, 200.0))
    edition = edition_of(name, seed, stratum) if name in KINDS else random_edition(seed, stratum)
    return Style(edition, table, light, replace(random_film(rng, table, light), motion=(0.0, 0.0)))
