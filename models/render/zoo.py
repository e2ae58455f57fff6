"""Random sets with pawns, dice and tiles of many makes.

`random_edition` draws the print; here the bodies of pieces are replaced. All choices come from a separate generator, so
the drawings of a set and the scene around it do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from models.render.edition import SUITS, DieArt, PaintedSet, PawnArt
from models.render.figures import FAMILIES, TEST_FAMILIES, WEIGHTS, figure, is_sawn
from models.render.glyphs import Random, one_of, random_seed
from models.render.materials import Colour
from models.render.random_edition import (
    USUAL_COLOURS,
    bgr,
    colour_near,
    luma,
    random_edition,
    varied_colour,
    with_contrast,
)
from rules.pieces.sizes import TILE

PAWN_SHARE, DICE_SHARE, PYRAMID_SHARE = 0.85, 0.8, 0.5
"""Shares of sets whose pawns, dice and pyramid colours are replaced."""
PAWN_HIGH = (0.36, 1.4)
"""Heights of pawns as a share of a tile's side: pawns sold are 18 to 70 mm high, tiles 51 mm."""
PAWN_WIDE = (0.5, 0.85)
"""Greatest widths in inches (a space is an inch wide); they limit the height of broad pawns."""
LACQUERED_SHARE = 0.25
"""Share of sets with lacquered tiles and coins."""
TILE_THICK = ((2.0, 3.5), (3.5, 7.0), (7.0, 12.0))
"""Thickness in millimetres of a tile of 51 mm: card, the usual board, thick wood."""
DIE_SIDE = (0.18, 0.4)
"""Sides of dice as a share of a tile's side."""

_WOODS = ((0.1, 0.35, 0.88), (0.09, 0.42, 0.8), (0.08, 0.5, 0.68), (0.07, 0.55, 0.5), (0.06, 0.6, 0.34))
_WHITE, _BLACK, _GOLD, _SILVER = (0.13, 0.04, 0.96), (0.0, 0.0, 0.09), (0.12, 0.6, 0.78), (0.6, 0.04, 0.74)


def wild_edition(seed: int, stratum: str = "train") -> PaintedSet:
    """A random set of any make; the same seed and stratum give the same set."""
    edition = random_edition(seed, stratum)
    rng = np.random.default_rng([seed, {"train": 53, "test": 59}.get(stratum, 61)])
    pawns, dice = rng.random() < PAWN_SHARE, rng.random() < DICE_SHARE
    figures, cubes, boards, cones = (np.random.default_rng(int(rng.integers(1 << 60))) for _ in range(4))
    if pawns:
        _pawns(figures, edition, stratum)
    if dice:
        _dice(cubes, edition)
    _tiles(boards, edition)
    if cones.random() < PYRAMID_SHARE:
        _pyramids(cones, edition)
    return edition


def _pawns(rng: Random, edition: PaintedSet, stratum: str) -> None:
    known = [name for name in FAMILIES if stratum == "test" or name not in TEST_FAMILIES]
    weight = np.array([WEIGHTS.get(name, 1.0) for name in known])
    if stratum == "test" and rng.random() < 0.3:
        known, weight = list(TEST_FAMILIES), np.ones(len(TEST_FAMILIES))
    edition.pawn_shape = f"{rng.choice(known, p=weight / weight.sum())}:{random_seed(rng)}"
    least, most = PAWN_HIGH
    high = TILE * (least + (most - least) * float(rng.beta(1.3, 3.5)))
    make = figure(edition.pawn_shape)
    high = min(high, rng.uniform(*PAWN_WIDE) / make.wide)
    edition.sizes.pawn, edition.sizes.pawn_high = make.wide * high, high
    edition.pawn_art = _pawn_art(rng, is_sawn(edition.pawn_shape))
    edition.pawn_gloss = float(rng.choice([rng.uniform(0.05, 0.35), rng.uniform(0.3, 0.8), rng.uniform(0.85, 1.0)]))
    if rng.random() < 0.5:  # in the suits' usual colours, whatever is printed
        edition.pawn_colours = {suit: varied_colour(rng, colour_near(rng, USUAL_COLOURS[suit], 1.3)) for suit in SUITS}
    if edition.pawn_art.layers:
        edition.pawn_gloss = rng.uniform(0.1, 0.5)


def _pawn_art(rng: Random, sawn: bool) -> PawnArt:
    """A finish from one colour to a coloured head on natural wood."""
    split, wide = rng.uniform(0.3, 0.75), rng.uniform(0.1, 0.3)
    natural = colour_near(rng, one_of(rng, _WOODS), 0.6)
    if rng.random() < 0.2:
        natural = colour_near(rng, _WHITE if rng.random() < 0.6 else _BLACK, 0.4)
    schemes: list[tuple[tuple[float, float], ...]] = [
        (), ((-1.0, split),), ((split, 2.0),), ((split, split + wide),), ((-1.0, wide * 0.7), (split, 2.0)),
    ]  # fmt: skip
    bands = schemes[int(rng.choice(5, p=[0.5, 0.2, 0.15, 0.08, 0.07]))]
    finish = rng.random()
    return PawnArt(
        bands,
        natural,
        grain=rng.uniform(0.06, 0.2) if finish < 0.5 else 0.0,
        stained=rng.random() < 0.5,
        layers=int(rng.integers(14, 80)) if finish > 0.8 else 0,
        mark=rng.uniform(0.35, 0.75) if sawn and rng.random() < 0.3 else 0.0,
    )


def _dice(rng: Random, edition: PaintedSet) -> None:
    names = list(DIE_KINDS)
    edition.die_art = DIE_KINDS[one_of(rng, names)](rng, edition)
    sizes = edition.sizes
    sizes.die = TILE * rng.uniform(*DIE_SIDE)
    edge = rng.random()
    if edge < 0.4:
        sizes.die_round, sizes.die_ball = rng.uniform(0.01, 0.3), 0.0
    elif edge < 0.65:
        sizes.die_round, sizes.die_ball = rng.uniform(0.3, 0.6), 0.0
    else:
        sizes.die_ball = rng.uniform(0.56, 0.78)
    most = 0.86 if not sizes.die_ball else min(0.8, 2 * (sizes.die_ball**2 - 0.25) ** 0.5)
    spread = rng.uniform(0.42, 0.9)
    edition.die_art.glyph_scale = min(spread, most)


def _pyramids(rng: Random, edition: PaintedSet) -> None:
    """Sets the suits' usual colours, often dark: a dark pyramid on dark wood is hard to see."""
    shade = rng.uniform(0.3, 1.15)
    for suit in SUITS:
        b, g, r = colour_near(rng, USUAL_COLOURS[suit], 1.3)
        edition.pyramid_colours[suit] = (b * shade, g * shade, r * shade)


def _tiles(rng: Random, edition: PaintedSet) -> None:
    """Sets thickness, edges and gloss of tiles and the pattern of their backs."""
    sizes, look = edition.sizes, edition.tile_art
    if rng.random() < 0.7:
        least, most = TILE_THICK[int(rng.choice(3, p=[0.3, 0.4, 0.3]))]
        sizes.tile_thick = TILE * rng.uniform(least, most) / 51
        bevel = rng.uniform(0.03, 0.12) if rng.random() < 0.5 else 0.004
        sizes.tile_bevel = min(bevel, sizes.tile_thick * 0.45)
        sizes.tile_round = max(sizes.tile_round, bevel * 0.6)
    if rng.random() < LACQUERED_SHARE:
        edition.gloss, edition.roughness = rng.uniform(0.8, 1.0), rng.uniform(0.08, 0.2)
    back = rng.random()
    if back < 0.12:
        look.back, look.back_border = "none", False
    elif back < 0.24:
        look.back, look.back_border, look.back_width = "none", True, rng.uniform(0.015, 0.06)
        look.border_inset = rng.uniform(0.0, 0.15)
    elif back < 0.45:
        look.back_pattern = str(rng.choice(["hatch", "dots", "marks", "rings", "chequers"]))
        look.back_scale, look.back_cover = rng.uniform(0.08, 0.3), rng.uniform(0.15, 0.8)
        if rng.random() < 0.5:
            look.back = "none"


def _by_suit(colour: Callable[[str], Colour]) -> dict[str, Colour]:
    return {suit: colour(suit) for suit in SUITS}


def _pawn_like_bodies(rng: Random, edition: PaintedSet) -> dict[str, Colour]:
    """Die bodies in about the colours of the pawns."""
    return {suit: varied_colour(rng, edition.pawn_colours[suit]) for suit in SUITS}


def _contrasting_ink(rng: Random, bodies: dict[str, Colour], ink: tuple[float, float, float]) -> dict[str, Colour]:
    """One ink, with contrast to each body."""
    colour = colour_near(rng, ink, 0.4)
    return _by_suit(lambda suit: with_contrast(colour, bodies[suit], 95))


def _suit_inks(rng: Random, edition: PaintedSet, body: Colour) -> dict[str, Colour]:
    """The inks of the set, or the usual ones (always if the set has one ink)."""
    usual = rng.random() < 0.3 or len(set(edition.inks.values())) == 1
    return _by_suit(
        lambda suit: with_contrast(colour_near(rng, USUAL_COLOURS[suit]) if usual else edition.inks[suit], body, 85)
    )


def _suit_coloured(
    ink: tuple[float, float, float], material: str = "plastic", **more: float
) -> Callable[[Random, PaintedSet], DieArt]:
    """Dice with a body in the suit's colour and marks in one ink."""

    def make(rng: Random, edition: PaintedSet) -> DieArt:
        bodies = _pawn_like_bodies(rng, edition)
        return _with_finish(rng, DieArt(bodies, _contrasting_ink(rng, bodies, ink), material), more)

    return make


def _suit_inked(
    body: tuple[float, float, float], material: str = "plastic", **more: float
) -> Callable[[Random, PaintedSet], DieArt]:
    """Dice with one body colour and marks in the suits' inks."""

    def make(rng: Random, edition: PaintedSet) -> DieArt:
        colour = colour_near(rng, body, 0.6)
        return _with_finish(rng, DieArt(dict.fromkeys(SUITS, colour), _suit_inks(rng, edition, colour), material), more)

    return make


def _identical(
    body: tuple[float, float, float], ink: tuple[float, float, float], material: str = "plastic", **more: float
) -> Callable[[Random, PaintedSet], DieArt]:
    """Dice with the same colours for all suits."""

    def make(rng: Random, _: PaintedSet) -> DieArt:
        bodies = dict.fromkeys(SUITS, colour_near(rng, body, 0.6))
        return _with_finish(
            rng, DieArt(bodies, dict.fromkeys(SUITS, _contrasting_ink(rng, bodies, ink)["suns"]), material), more
        )

    return make


def _with_finish(rng: Random, art: DieArt, more: dict[str, float]) -> DieArt:
    """The art with the depth, gloss and frame of its kind (`more`), varied at random."""
    art.engraved = more.get("engraved", 0.0) * rng.uniform(0.6, 1.2)
    art.ink_strength = more.get("cover", 1.0)
    art.burnt = bool(more.get("burnt", 0.0))
    art.gloss = float(np.clip(more.get("gloss", 0.55) * rng.uniform(0.7, 1.4), 0, 1))
    art.roughness = float(np.clip(0.5 * 0.22**art.gloss * rng.uniform(0.7, 1.5), 0.08, 0.7))
    art.frame = rng.uniform(0.03, 0.07) if more.get("frame") else 0.0
    return art


def _labelled(rng: Random, edition: PaintedSet) -> DieArt:
    """Blank dice with paper labels."""
    bodies = (
        _pawn_like_bodies(rng, edition)
        if rng.random() < 0.6
        else dict.fromkeys(SUITS, colour_near(rng, _WOODS[0], 0.6))
    )
    paper = colour_near(rng, _WHITE, 0.3)
    return _with_finish(rng, DieArt(bodies, _suit_inks(rng, edition, paper), "wood", label=paper), {"gloss": 0.15})


def _inverse_ink(rng: Random, edition: PaintedSet) -> DieArt:
    """Light marks on dark bodies, dark marks on light ones."""
    bodies = _pawn_like_bodies(rng, edition)
    inks = _by_suit(lambda suit: colour_near(rng, _BLACK if luma(bodies[suit]) > 100 else _WHITE, 0.4))
    return _with_finish(rng, DieArt(bodies, inks, "plastic"), {"engraved": 0.7})


def _random_die(rng: Random, edition: PaintedSet) -> DieArt:
    """A random body and the suits' inks."""
    body = bgr(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
    return _with_finish(
        rng, DieArt(dict.fromkeys(SUITS, body), _suit_inks(rng, edition, body), "plastic"), {"gloss": 0.7}
    )


DIE_KINDS: MappingProxyType[str, Callable[[Random, PaintedSet], DieArt]] = MappingProxyType(
    {
        "moulded": _suit_coloured(_WHITE, engraved=0.8),
        "moulded in gold": _suit_coloured(_GOLD, engraved=0.8, gloss=0.8),
        "contrary": _inverse_ink,
        "pearl": _suit_coloured(_WHITE, "marble", engraved=0.6, gloss=0.9),
        "painted wood": _suit_coloured(_WHITE, "wood", gloss=0.3),
        "suited print": _suit_coloured(_WHITE, "printed", engraved=1.0, gloss=0.15),
        "sunk only": _suit_coloured(_BLACK, "printed", engraved=1.4, cover=0.25, gloss=0.15),
        "white, inked": _suit_inked(_WHITE, engraved=0.7),
        "white, printed": _suit_inked(_WHITE, "card", gloss=0.3),
        "white, framed": _suit_inked(_WHITE, "card", gloss=0.3, frame=1.0),
        "black, inked": _suit_inked(_BLACK, engraved=0.7),
        "wood, inked": _suit_inked(_WOODS[0], "wood", gloss=0.2),
        "wood, cut and inked": _suit_inked(_WOODS[1], "wood", engraved=1.0, gloss=0.2),
        "wood, burnt": _identical(_WOODS[0], (0.06, 0.6, 0.16), "wood", engraved=0.8, gloss=0.1, burnt=1.0),
        "dark wood, burnt": _identical(_WOODS[2], (0.06, 0.6, 0.1), "wood", engraved=0.8, gloss=0.15, burnt=1.0),
        "white and black": _identical(_WHITE, _BLACK, engraved=0.7),
        "black and white": _identical(_BLACK, _WHITE, engraved=0.7),
        "bone": _identical((0.12, 0.22, 0.9), (0.07, 0.5, 0.2), "marble", engraved=0.8, gloss=0.5),
        "silver": _identical(_SILVER, _BLACK, "metal", engraved=1.0, gloss=1.0),
        "brass": _identical(_GOLD, _BLACK, "metal", engraved=1.0, gloss=1.0),
        "labelled": _labelled,
        "odd": _random_die,
    }
)
"""Makes of dice by name."""
