"""Random sets: `random_edition`, and `edition_of` for sets of one kind (dark card printed in white, one plastic with
engraved figures, plain white, engraved plywood), which are measured separately."""

import colorsys
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from models.render import held_out_drawings, marks, train_drawings
from models.render.edition import SUITS, CoinArt, PaintedSet, Sizes, TileArt
from models.render.fonts import font_numeral, font_suit
from models.render.glyphs import SUIT_DRAWINGS, Mask, Random, one_of, random_seed
from models.render.materials import Colour

USUAL_COLOURS = {
    "suns": (0.0, 0.8, 0.75), "moons": (0.6, 0.15, 0.12), "crowns": (0.36, 0.7, 0.5), "arms": (0.61, 0.8, 0.65),
}  # fmt: skip
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
    """A colour from hue, saturation and value, each 0..1."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return b * 255, g * 255, r * 255


def colour_near(rng: Random, hsv: Sequence[float], spread: float = 1.0) -> Colour:
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
        hues = (np.arange(4) / 4 + rng.random()) % 1
        shades = {
            s: (float(h), rng.uniform(0.3, 1), rng.uniform(0.3, 0.9))
            for s, h in zip(SUITS, rng.permutation(hues), strict=True)
        }
    if rng.random() < 0.12:
        shades["moons"] = (rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.3, 0.6))
    return {suit: with_contrast(colour_near(rng, shades[suit]), body, rng.uniform(60, 110)) for suit in SUITS}


def _suit_marks(rng: Random, stratum: str) -> dict[str, Mask]:
    fonts = rng.random() < 0.35
    marks_: dict[str, Mask] = {}
    for suit in SUITS:
        drawn = font_suit(suit, rng, stratum) if fonts and rng.random() < 0.8 else None
        others = held_out_drawings.DRAWINGS if stratum == "test" else train_drawings.DRAWINGS
        choices = others[suit] if rng.random() < 0.6 else SUIT_DRAWINGS[suit]
        marks_[suit] = drawn if drawn is not None else one_of(rng, choices)(rng)
    return marks_


def _numerals(rng: Random, stratum: str) -> dict[str, Mask]:
    by_font = font_numeral(rng, stratum) if rng.random() < 0.75 else None
    if by_font is not None:
        return by_font
    draw = held_out_drawings.angular_numeral if stratum == "test" and rng.random() < 0.4 else marks.numeral
    seed = random_seed(rng)
    return {digit: draw(digit, np.random.default_rng(seed)) for digit in "2345"}


def _ace(rng: Random, kinds: Sequence[str], weights: Sequence[float]) -> Mask | None:
    kind = str(rng.choice(list(kinds), p=np.array(weights) / np.sum(weights)))
    drawings = {"spiral": marks.spiral, "spade": marks.spade, "letter": marks.letter_a, "one": marks.figure_one}
    return drawings[kind](rng) if kind in drawings else None


def _null(rng: Random) -> Mask:
    kind = rng.random()
    drawing = marks.blank if kind < 0.7 else marks.open_ring if kind < 0.8 else marks.dot
    return (marks.figure_nought if kind > 0.93 else drawing)(rng)


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
    return CoinArt(
        glyph_scale=rng.uniform(0.45, 0.75),
        tick=str(rng.choice(["line", "line", "line", "dot", "notch", "none"])),
        rim=float(rng.choice([0.0, 0.0, 0.03, 0.06])),
        suit_coloured_values=rng.random() < 0.12,
        suit_bodies=rng.random() < 0.06,
    )


def _body(rng: Random) -> tuple[Colour, bool]:
    dark = rng.random() < 0.12
    pool = _DARK_BODIES if dark else LIGHT_BODIES
    return colour_near(rng, one_of(rng, pool), 0.8), dark


def random_edition(seed: int, stratum: str = "train") -> PaintedSet:
    """A random set; the same seed and stratum give the same set."""
    salt = {"train": 11, "test": 77003}.get(stratum, 5)
    rng = np.random.default_rng([salt, seed])
    material = str(rng.choice(["wood", "wood", "wood", "card", "plastic", "printed"]))
    body, _ = _body(rng)
    sizes, tile_art, coin_art = _sizes(rng), _tile_art(rng), _coin_art(rng)
    inks = random_inks(rng, body)
    numerals = _numerals(rng, stratum)
    coin_numerals = numerals if rng.random() < 0.7 else _numerals(rng, stratum)
    null, coin_null = _null(rng), _null(rng)
    coin_ace = _ace(rng, ("spiral", "spade", "letter", "one"), (5, 2, 2, 1))
    die_ace = _ace(rng, ("suit", "one", "letter", "spade", "spiral"), (5, 2, 2, 1, 1))
    tile_ace = _ace(rng, ("suit", "letter", "spade", "one"), (9, 1, 0.5, 0.5))
    pawn = str(rng.choice(["cone", "peg", "meeple", "cylinder", "halma", "standee", "saucer"]))
    neutral = with_contrast(colour_near(rng, (0.0, 0.0, 0.08)), body, 90)
    coin_values = {"null": coin_null, "ace": marks.spiral(rng) if coin_ace is None else coin_ace, **coin_numerals}
    edition = PaintedSet(
        f"{stratum}-{seed}",
        sizes,
        tile_art,
        coin_art,
        material,
        body,
        body if rng.random() < 0.75 else _body(rng)[0],
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
    _print_flat(edition, "card")


def _print(rng: Random, edition: PaintedSet) -> None:
    edition.material = "printed"
    edition.body = colour_near(rng, one_of(rng, LIGHT_BODIES), 0.8)
    _ink_readably(rng, edition)
    edition.engraved, edition.ink_strength = 0.8, 0.7


def _white(rng: Random, edition: PaintedSet) -> None:
    material = str(rng.choice(["card", "plastic"]))
    edition.body = colour_near(rng, (0, 0, 0.97), 0.3)
    _ink_readably(rng, edition)
    _print_flat(edition, material)


def _plywood(rng: Random, edition: PaintedSet) -> None:
    edition.material, edition.body = "wood", colour_near(rng, (0.09, 0.4, 0.8), 0.5)
    _ink_readably(rng, edition)
    edition.engraved, edition.ink_strength = 0.6, 0.8
    edition.coin_art.suit_bodies = False


def _ink_readably(rng: Random, edition: PaintedSet) -> None:
    """One body colour for both sides, and inks with contrast to it."""
    edition.back_body = edition.body
    edition.inks = random_inks(rng, edition.body)
    edition.neutral_ink = with_contrast(colour_near(rng, (0, 0, 0.08)), edition.body, 90)


def _print_flat(edition: PaintedSet, material: str) -> None:
    edition.material, edition.engraved, edition.ink_strength = material, 0.0, 1.0
    edition.coin_art.suit_bodies = False


_KINDS: MappingProxyType[str, Callable[[Random, PaintedSet], None]] = MappingProxyType(
    {"dark": _dark, "print": _print, "white": _white, "plywood": _plywood}
)
KINDS = tuple(_KINDS)
