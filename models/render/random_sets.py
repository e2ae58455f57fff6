"""Random sets of pieces.

`random_edition` draws the print; `wild_edition` also replaces the bodies of pawns, dice, tiles and pyramids. Its
choices come from a separate generator, so the drawings of a set and the scene around it do not depend on them.
`edition_of` makes sets of one kind (dark card printed in white, one plastic with engraved figures, plain white,
engraved plywood), which are measured separately.
"""

import colorsys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from models.render import glyphs, held_out_drawings, train_drawings
from models.render.edition import SUITS, CoinArt, DieArt, PaintedSet, PawnArt, Sizes, TileArt
from models.render.fonts import font_numeral, font_suit
from models.render.glyphs import SUIT_DRAWINGS, Drawing, Mask, Random, draw, one_of, random_seed
from models.render.materials import Colour
from models.render.pawns import FAMILIES, TEST_FAMILIES, WEIGHTS, figure
from rules.pieces.sizes import TILE

HSV = tuple[float, float, float]
"""Hue, saturation and value, each 0..1."""
USUAL_COLOURS: Mapping[str, HSV] = MappingProxyType({
    "suns": (0.0, 0.8, 0.75), "moons": (0.6, 0.15, 0.12), "crowns": (0.36, 0.7, 0.5), "arms": (0.61, 0.8, 0.65),
})  # fmt: skip
LIGHT_BODIES = (
    (0.1, 0.35, 0.88), (0.09, 0.45, 0.8), (0.08, 0.3, 0.72), (0.11, 0.12, 0.96), (0.0, 0.0, 0.97),
    (0.14, 0.25, 0.93), (0.07, 0.5, 0.62), (0.55, 0.08, 0.9), (0.3, 0.1, 0.85),
)  # fmt: skip
_DARK_BODIES = ((0.07, 0.55, 0.3), (0.0, 0.0, 0.12), (0.6, 0.3, 0.25), (0.05, 0.6, 0.22), (0.35, 0.4, 0.25))


DARK_SHARE: Final = 0.12
"""Share of test sets of dark card or plastic, printed in white or in light colours."""
DARK_SHARE_TRAIN: Final = 0.35
"""Share of such training sets: in the same scenes .74 of all pieces were found with dark sets, .86 with white ones."""


def bgr(hue: float, saturation: float, value: float) -> Colour:
    """A colour from hue, saturation and value."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return b * 255, g * 255, r * 255


def colour_near(rng: Random, hsv: HSV, spread: float = 1.0) -> Colour:
    """A random colour around hue, saturation and value."""
    shift = rng.normal(0, (0.02 * spread, 0.09 * spread, 0.09 * spread))
    return bgr(hsv[0] + shift[0], hsv[1] + shift[1], hsv[2] + shift[2])


def luma(colour: Colour) -> float:
    """Brightness 0..255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def with_contrast(colour: Colour, body: Colour, contrast: float) -> Colour:
    """The colour made lighter or darker until it contrasts with the body."""
    gap = luma(colour) - luma(body)
    chroma = float(np.abs(np.subtract(colour, body) - gap).max())
    lacking = contrast - abs(gap) - chroma * 0.6
    if lacking <= 0:
        return colour
    push = lacking if (gap > 0 and luma(body) < 170) or luma(body) < 70 else -lacking
    b, g, r = (float(np.clip(c + push, 0, 255)) for c in colour)
    return b, g, r


def random_inks(rng: Random, body: Colour) -> dict[str, Colour]:
    """Suit colours: the usual ones, with yellow crowns, or four random hues."""
    shades = dict(USUAL_COLOURS)
    draw = rng.random()
    if draw < 0.4:
        shades["crowns"] = (rng.uniform(0.1, 0.17), 0.85, rng.uniform(0.65, 0.95))
    elif draw > 0.88:
        hues = rng.permutation((np.arange(4) / 4 + rng.random()) % 1).tolist()
        shades = {
            suit: (hue, rng.uniform(0.3, 1), rng.uniform(0.3, 0.9)) for suit, hue in zip(SUITS, hues, strict=True)
        }
    if rng.random() < 0.12:
        shades["moons"] = (rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.3, 0.6))
    return {suit: with_contrast(colour_near(rng, shades[suit]), body, rng.uniform(60, 110)) for suit in SUITS}


def _suit_marks(rng: Random, stratum: str) -> dict[str, Mask]:
    fonts = rng.random() < 0.35
    others = held_out_drawings.DRAWINGS if stratum == "test" else train_drawings.DRAWINGS
    marks: dict[str, Mask] = {}
    for suit in SUITS:
        drawn = font_suit(suit, rng, stratum) if fonts and rng.random() < 0.8 else None
        choices = others[suit] if rng.random() < 0.6 else SUIT_DRAWINGS[suit]
        marks[suit] = drawn if drawn is not None else draw(one_of(rng, choices), rng)
    return marks


def _numerals(rng: Random, stratum: str) -> dict[str, Mask]:
    by_font = font_numeral(rng, stratum) if rng.random() < 0.75 else None
    if by_font is not None:
        return by_font
    drawn = held_out_drawings.angular_numeral if stratum == "test" and rng.random() < 0.4 else glyphs.numeral
    seed = random_seed(rng)
    return {digit: drawn(digit, np.random.default_rng(seed)) for digit in "2345"}


_Aces = Mapping[Drawing | None, float]
"""Drawings of aces with their weights; None: the suit's mark."""
_COIN_ACES: _Aces = {glyphs.spiral: 5, glyphs.spade: 2, glyphs.letter_a: 2, glyphs.figure_one: 1}
_DIE_ACES: _Aces = {None: 5, glyphs.figure_one: 2, glyphs.letter_a: 2, glyphs.spade: 1, glyphs.spiral: 1}
_TILE_ACES: _Aces = {None: 9, glyphs.letter_a: 1, glyphs.spade: 0.5, glyphs.figure_one: 0.5}


def _ace(rng: Random, weights: _Aces) -> Mask | None:
    share = np.array([*weights.values()]) / np.sum([*weights.values()])
    drawing = [*weights][int(rng.choice(len(weights), p=share))]
    return None if drawing is None else draw(drawing, rng)


def _null(rng: Random) -> Mask:
    kind = rng.random()
    drawing = glyphs.blank if kind < 0.7 else glyphs.open_ring if kind < 0.8 else glyphs.dot
    return draw(glyphs.figure_nought if kind > 0.93 else drawing, rng)


def _sizes(rng: Random) -> Sizes:
    thick = float(rng.choice([0.07, 0.12, 0.2, 0.25])) * rng.uniform(0.85, 1.15)
    return Sizes(
        tile_thick=thick,
        tile_bevel=min(thick * 0.3, rng.uniform(0.005, 0.05)),
        tile_round=float(rng.choice([0.0, 0.0, 0.08, 0.15, 0.25])),
        coin=rng.uniform(0.62, 0.88),
        coin_thick=float(rng.choice([0.06, 0.1, 0.125, 0.19])),
        coin_bevel=rng.uniform(0.005, 0.025),
        die=rng.uniform(0.44, 0.62),
        pawn=rng.uniform(0.42, 0.7),
        pawn_high=rng.uniform(0.7, 1.3),
    )


def _tile_art(rng: Random) -> TileArt:
    corner: int | None = 0 if rng.random() < 0.75 else int(rng.integers(4))
    if rng.random() < 0.04:
        corner = None
    return TileArt(
        numeral_scale=rng.uniform(0.34, 0.8),
        mark_scale=rng.uniform(0.13, 0.27),
        mark_corner=corner,
        mark_margin=rng.uniform(0.02, 0.09),
        mark_turned=rng.random() < 0.15,
        border=float(rng.choice([0.0, 0.0, 0.0, 0.012, 0.03, 0.06])),
        border_inset=rng.uniform(0.0, 0.07),
        back=str(rng.choice(["lines", "lines", "cross", "small", "dashes", "double"])),
        back_width=rng.uniform(0.008, 0.035),
        back_border=rng.random() < 0.35,
    )


def _coin_art(rng: Random) -> CoinArt:
    art = CoinArt(
        glyph_scale=rng.uniform(0.45, 0.75),
        tick=str(rng.choice(["line", "line", "line", "dot", "notch", "none"])),
        rim=float(rng.choice([0.0, 0.0, 0.03, 0.06])),
        suit_coloured_values=rng.random() < 0.12,
    )
    rng.random()  # what follows depends on the number of draws
    return art


def _body(rng: Random) -> Colour:
    pool = _DARK_BODIES if rng.random() < 0.12 else LIGHT_BODIES
    return colour_near(rng, one_of(rng, pool), 0.8)


def random_edition(seed: int, stratum: str = "train") -> PaintedSet:
    """A random set; the same seed and stratum give the same set."""
    salt = {"train": 11, "test": 77003}.get(stratum, 5)
    rng = np.random.default_rng([salt, seed])
    material = str(rng.choice(["wood", "wood", "wood", "card", "plastic", "printed"]))
    body = _body(rng)
    sizes, tile_art, coin_art = _sizes(rng), _tile_art(rng), _coin_art(rng)
    inks = random_inks(rng, body)
    numerals = _numerals(rng, stratum)
    coin_numerals = numerals if rng.random() < 0.7 else _numerals(rng, stratum)
    null, coin_null = _null(rng), _null(rng)
    coin_ace, die_ace, tile_ace = (_ace(rng, weights) for weights in (_COIN_ACES, _DIE_ACES, _TILE_ACES))
    pawn = str(rng.choice(["cone", "peg", "meeple", "cylinder", "halma", "standee", "saucer"]))
    neutral = with_contrast(colour_near(rng, (0.0, 0.0, 0.08)), body, 90)
    assert coin_ace is not None
    coin_values = {"null": coin_null, "ace": coin_ace, **coin_numerals}
    edition = PaintedSet(
        f"{stratum}-{seed}",
        sizes,
        tile_art,
        coin_art,
        material,
        body,
        body if rng.random() < 0.75 else _body(rng),
        rng.uniform(0.04, 0.16),
        inks,
        neutral,
        _suit_marks(rng, stratum),
        {"null": null, "ace": tile_ace, **numerals},
        coin_values,
        {"null": None, "ace": die_ace, **numerals},
        inverted=rng.random() < 0.1,
        coloured_values=rng.random() < 0.88,
        pawn_shape=pawn,
        deck=_deck(seed) if stratum == "train" else 0,
    )
    return _with_surface(rng, edition, stratum)


def _deck(seed: int) -> int:
    """Seed of a random deck, or 0 for the plain deck, the only one that the card classifier knows."""
    rng = np.random.default_rng([seed, 29])
    return 1 + random_seed(rng) if rng.random() < 0.8 else 0


def _with_surface(rng: Random, edition: PaintedSet, stratum: str) -> PaintedSet:
    """The set with random surface, wear and coloured pieces."""
    edition.engraved = rng.uniform(0.4, 1.0) if rng.random() < 0.18 else 0.0
    if edition.engraved and rng.random() < 0.6:
        edition.ink_strength = rng.uniform(0.15, 0.6)
    edition.gloss, edition.roughness = rng.uniform(0.0, 0.9), rng.uniform(0.15, 0.7)
    edition.wear, edition.misprint = rng.uniform(0, 0.5), rng.uniform(0, 0.03)
    edition.dice_coloured = rng.random() < 0.75
    if edition.tile_art.mark_corner is None:
        edition.coloured_values = True
    edition.pawn_gloss = rng.uniform(0.1, 1.0)
    edition.pawn_colours = {suit: varied_colour(rng, ink) for suit, ink in edition.inks.items()}
    edition.pyramid_clear, edition.pyramid_pips = rng.random() < 0.5, rng.random() < 0.75
    edition.sizes.die_round = rng.uniform(0.05, 0.3)
    if rng.random() < 0.45:
        edition.pawn_shape = f"turned:{random_seed(rng)}"
    if rng.random() < 0.2:
        edition.tile_art.back = "none"
    if rng.random() < (DARK_SHARE_TRAIN if stratum == "train" else DARK_SHARE):
        make_dark(rng, edition)
    return edition


def make_dark(rng: Random, edition: PaintedSet) -> None:
    """Changes the set to dark card or plastic, printed in white or in light colours."""
    edition.body, edition.inverted = colour_near(rng, one_of(rng, _DARK_BODIES), 0.6), False
    edition.back_body = edition.body if rng.random() < 0.7 else colour_near(rng, (0.0, 0.0, 0.12), 0.6)
    white = bgr(rng.uniform(0, 1), rng.uniform(0, 0.12), rng.uniform(0.8, 1.0))
    edition.inks = dict.fromkeys(SUITS, white) if rng.random() < 0.6 else random_inks(rng, edition.body)
    edition.neutral_ink = white


def varied_colour(rng: Random, ink: Colour) -> Colour:
    b, g, r = (float(np.clip(c * rng.uniform(0.9, 1.1) + rng.uniform(-12, 12), 5, 250)) for c in ink)
    return b, g, r


def edition_of(kind: str, seed: int, stratum: str) -> PaintedSet:
    """A random set of a kind (one of KINDS)."""
    edition = random_edition(seed, stratum)
    _KINDS[kind](np.random.default_rng([seed, 4711]), edition)
    edition.inverted = False
    return edition


def _dark(rng: Random, edition: PaintedSet) -> None:
    make_dark(rng, edition)
    edition.inks = dict.fromkeys(SUITS, edition.neutral_ink)
    edition.pawn_colours = {suit: varied_colour(rng, colour_near(rng, USUAL_COLOURS[suit])) for suit in SUITS}
    edition.material, edition.engraved, edition.ink_strength = "card", 0.0, 1.0


def _print(rng: Random, edition: PaintedSet) -> None:
    edition.material = "printed"
    edition.body = colour_near(rng, one_of(rng, LIGHT_BODIES), 0.8)
    _ink_readably(rng, edition)
    edition.engraved, edition.ink_strength = 0.8, 0.7


def _white(rng: Random, edition: PaintedSet) -> None:
    edition.material = str(rng.choice(["card", "plastic"]))
    edition.body = colour_near(rng, (0, 0, 0.97), 0.3)
    _ink_readably(rng, edition)
    edition.engraved, edition.ink_strength = 0.0, 1.0


def _plywood(rng: Random, edition: PaintedSet) -> None:
    edition.material, edition.body = "wood", colour_near(rng, (0.09, 0.4, 0.8), 0.5)
    _ink_readably(rng, edition)
    edition.engraved, edition.ink_strength = 0.6, 0.8


def _ink_readably(rng: Random, edition: PaintedSet) -> None:
    """One body colour for both sides, and inks with contrast to it."""
    edition.back_body = edition.body
    edition.inks = random_inks(rng, edition.body)
    edition.neutral_ink = with_contrast(colour_near(rng, (0, 0, 0.08)), edition.body, 90)


_KINDS = MappingProxyType({"dark": _dark, "print": _print, "white": _white, "plywood": _plywood})
KINDS = tuple(_KINDS)


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
SAWN_SHARE, FAINT_SHARE, OWN_SHARE = 0.35, 0.2, 0.2
"""Shares of sets whose dice are cubes with sharp edges; have marks in a shade of their body; are made as the tiles."""

_WOODS: tuple[HSV, ...] = (
    (0.1, 0.35, 0.88), (0.09, 0.42, 0.8), (0.08, 0.5, 0.68), (0.07, 0.55, 0.5), (0.06, 0.6, 0.34),
)  # fmt: skip
_WHITE, _BLACK, _GOLD, _SILVER = (0.13, 0.04, 0.96), (0.0, 0.0, 0.09), (0.12, 0.6, 0.78), (0.6, 0.04, 0.74)


def wild_edition(seed: int, stratum: str = "train") -> PaintedSet:
    """A random set of any make; the same seed and stratum give the same set."""
    edition = random_edition(seed, stratum)
    rng = np.random.default_rng([seed, {"train": 53, "test": 59}.get(stratum, 61)])
    pawns, dice = rng.random() < PAWN_SHARE, rng.random() < DICE_SHARE
    for_pawns, for_dice, for_tiles, for_pyramids = (np.random.default_rng(int(rng.integers(1 << 60))) for _ in range(4))
    if pawns:
        _replace_pawns(for_pawns, edition, stratum)
    if dice:
        _replace_dice(for_dice, edition)
    _change_tiles(for_tiles, edition)
    if for_pyramids.random() < PYRAMID_SHARE:
        _colour_pyramids(for_pyramids, edition)
    return edition


def _replace_pawns(rng: Random, edition: PaintedSet, stratum: str) -> None:
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
    edition.pawn_art = _pawn_art(rng, make.outline is not None)
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


def _replace_dice(rng: Random, edition: PaintedSet) -> None:
    edition.die_art = one_of(rng, [*DIE_KINDS.values()])(rng, edition)
    sizes = edition.sizes
    sizes.die, most = TILE * rng.uniform(*DIE_SIDE), 0.86
    edge = rng.random()
    if edge < 0.65:
        sizes.die_round, sizes.die_ball = rng.uniform(0.01, 0.3) if edge < 0.4 else rng.uniform(0.3, 0.6), 0.0
    else:
        sizes.die_ball = rng.uniform(0.56, 0.78)
        most = min(0.8, 2 * (sizes.die_ball**2 - 0.25) ** 0.5)
    edition.die_art.glyph_scale = min(rng.uniform(0.42, 0.9), most)
    if rng.random() < SAWN_SHARE:
        sizes.die_round, sizes.die_ball = rng.uniform(0.004, 0.05), 0.0
    finish = rng.random()
    if finish < FAINT_SHARE:
        _mark_faintly(rng, edition.die_art)
    elif finish < FAINT_SHARE + OWN_SHARE:
        _make_like_tiles(rng, edition, edition.die_art)


def _mark_faintly(rng: Random, look: DieArt) -> None:
    """Marks sunk or burnt into the body, in a shade of its colour."""
    shade = rng.uniform(0.35, 0.85)
    look.inks = {suit: (b * shade, g * shade, r * shade) for suit, (b, g, r) in look.bodies.items()}
    look.engraved, look.burnt, look.label = rng.uniform(0.0, 1.2), rng.random() < 0.4, None


def _make_like_tiles(rng: Random, edition: PaintedSet, look: DieArt) -> None:
    """Dice of the tiles' material and colour, with their inks."""
    look.bodies, look.inks = dict.fromkeys(SUITS, varied_colour(rng, edition.body)), dict(edition.inks)
    look.material, look.label, look.ink_strength = edition.material, None, rng.uniform(0.6, 1.0)
    look.engraved = edition.engraved or (rng.uniform(0.4, 1.0) if rng.random() < 0.5 else 0.0)
    look.gloss, look.roughness = edition.gloss, edition.roughness


def _colour_pyramids(rng: Random, edition: PaintedSet) -> None:
    """Sets the suits' usual colours, often dark: a dark pyramid on dark wood is hard to see."""
    shade = rng.uniform(0.3, 1.15)
    for suit in SUITS:
        b, g, r = colour_near(rng, USUAL_COLOURS[suit], 1.3)
        edition.pyramid_colours[suit] = (b * shade, g * shade, r * shade)


def _change_tiles(rng: Random, edition: PaintedSet) -> None:
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


DieMake = Callable[[Random, PaintedSet], DieArt]


def _pawn_like_bodies(rng: Random, edition: PaintedSet) -> dict[str, Colour]:
    """Die bodies in about the colours of the pawns."""
    return {suit: varied_colour(rng, edition.pawn_colours[suit]) for suit in SUITS}


def _contrasting_ink(rng: Random, bodies: dict[str, Colour], ink: HSV) -> dict[str, Colour]:
    """One ink, with contrast to each body."""
    colour = colour_near(rng, ink, 0.4)
    return {suit: with_contrast(colour, bodies[suit], 95) for suit in SUITS}


def _suit_inks(rng: Random, edition: PaintedSet, body: Colour) -> dict[str, Colour]:
    """The inks of the set, or the usual ones (always if the set has one ink)."""
    inks = edition.inks
    if rng.random() < 0.3 or len(set(inks.values())) == 1:
        inks = {suit: colour_near(rng, USUAL_COLOURS[suit]) for suit in SUITS}
    return {suit: with_contrast(inks[suit], body, 85) for suit in SUITS}


def _die(body: HSV | None, ink: HSV | None, material: str = "plastic", **more: float) -> DieMake:
    """A make of dice with a body in one colour (None: in the suit's) and marks in one ink (None: in the suits')."""

    def make(rng: Random, edition: PaintedSet) -> DieArt:
        bodies = dict.fromkeys(SUITS, colour_near(rng, body, 0.6)) if body else _pawn_like_bodies(rng, edition)
        inks = _contrasting_ink(rng, bodies, ink) if ink else _suit_inks(rng, edition, bodies["suns"])
        return _with_finish(rng, DieArt(bodies, inks, material), more)

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
    is_coloured = rng.random() < 0.6
    bodies = _pawn_like_bodies(rng, edition) if is_coloured else dict.fromkeys(SUITS, colour_near(rng, _WOODS[0], 0.6))
    paper = colour_near(rng, _WHITE, 0.3)
    return _with_finish(rng, DieArt(bodies, _suit_inks(rng, edition, paper), "wood", label=paper), {"gloss": 0.15})


def _inverse_ink(rng: Random, edition: PaintedSet) -> DieArt:
    """Light marks on dark bodies, dark marks on light ones."""
    bodies = _pawn_like_bodies(rng, edition)
    inks = {suit: colour_near(rng, _BLACK if luma(bodies[suit]) > 100 else _WHITE, 0.4) for suit in SUITS}
    return _with_finish(rng, DieArt(bodies, inks, "plastic"), {"engraved": 0.7})


def _random_die(rng: Random, edition: PaintedSet) -> DieArt:
    """A random body and the suits' inks."""
    body = bgr(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
    art = DieArt(dict.fromkeys(SUITS, body), _suit_inks(rng, edition, body), "plastic")
    return _with_finish(rng, art, {"gloss": 0.7})


DIE_KINDS: Mapping[str, DieMake] = MappingProxyType({
    "moulded": _die(None, _WHITE, engraved=0.8),
    "moulded in gold": _die(None, _GOLD, engraved=0.8, gloss=0.8),
    "contrary": _inverse_ink,
    "pearl": _die(None, _WHITE, "marble", engraved=0.6, gloss=0.9),
    "painted wood": _die(None, _WHITE, "wood", gloss=0.3),
    "suited print": _die(None, _WHITE, "printed", engraved=1.0, gloss=0.15),
    "sunk only": _die(None, _BLACK, "printed", engraved=1.4, cover=0.25, gloss=0.15),
    "white, inked": _die(_WHITE, None, engraved=0.7),
    "white, printed": _die(_WHITE, None, "card", gloss=0.3),
    "white, framed": _die(_WHITE, None, "card", gloss=0.3, frame=1.0),
    "black, inked": _die(_BLACK, None, engraved=0.7),
    "wood, inked": _die(_WOODS[0], None, "wood", gloss=0.2),
    "wood, cut and inked": _die(_WOODS[1], None, "wood", engraved=1.0, gloss=0.2),
    "wood, burnt": _die(_WOODS[0], (0.06, 0.6, 0.16), "wood", engraved=0.8, gloss=0.1, burnt=1.0),
    "dark wood, burnt": _die(_WOODS[2], (0.06, 0.6, 0.1), "wood", engraved=0.8, gloss=0.15, burnt=1.0),
    "white and black": _die(_WHITE, _BLACK, engraved=0.7),
    "black and white": _die(_BLACK, _WHITE, engraved=0.7),
    "bone": _die((0.12, 0.22, 0.9), (0.07, 0.5, 0.2), "marble", engraved=0.8, gloss=0.5),
    "silver": _die(_SILVER, _BLACK, "metal", engraved=1.0, gloss=1.0),
    "brass": _die(_GOLD, _BLACK, "metal", engraved=1.0, gloss=1.0),
    "labelled": _labelled,
    "odd": _random_die,
})  # fmt: skip
"""Makes of dice by name."""
