"""Decktet cards: the plain deck, whose pictures follow from the card's mark, and random decks.

Random decks have white margins of any width with a framed picture in the middle, lines of text, signs in the corners,
backs of every sort. A detector trained on narrow margins alone takes the framed picture for the card.
"""

import functools

import cv2
import numpy as np

from models.render import glyphs
from models.render.art import Painted, printed, stamp
from models.render.glyphs import Drawing, Mask, Pen, Random, curve, draw, one_of
from models.render.materials import Colour, Picture, card, clouds, muted_colour, plastic, random_colour, tinted, write
from rules.pieces.decktet import DECKTET

_Box = tuple[int, int, int, int]
"""The left, top, right and bottom edge of a part of a sheet, pixels."""
_CORNER_SIGNS: tuple[Drawing, ...] = (
    glyphs.moon, glyphs.sun, glyphs.crown, glyphs.anchor, glyphs.lily, glyphs.shield, glyphs.spiral, glyphs.spade,
)  # fmt: skip
_PAPERS: tuple[Colour, ...] = ((246, 248, 248), (246, 248, 248), (240, 246, 249), (225, 238, 246), (205, 222, 235))


def face(mark: str, density: float, rng: Random, deck: int = 0) -> Painted:
    """The front of a card; an unknown or empty mark gives the back. `deck`: seed of a random deck; 0: the plain one."""
    wide, high = _pixels(density)
    if mark not in DECKTET:
        return back(density, rng, deck)
    if deck:
        return Painted(random_face(deck, mark, wide, high))
    return Painted(_plain_face(mark, wide, high))


def back(density: float, rng: Random, deck: int = 0) -> Painted:
    """The back of a card, the same for all of a deck."""
    wide, high = _pixels(density)
    if deck:
        return Painted(random_back(deck, wide, high))
    sheet = plastic(rng, high, wide, (120.0, 60.0, 50.0))
    _shapes(np.random.default_rng(11), sheet[high // 5 : high - high // 5, wide // 5 : wide - wide // 5], 14)
    _frame(sheet, wide // 14, (190, 180, 170), 2)
    return Painted(sheet)


def _pixels(density: float) -> tuple[int, int]:
    wide = int(np.clip(2.5 * density * 1.1, 40, 400))
    return wide, round(wide * 1.4)


def _frame(sheet: Picture, inset: int, colour: Colour, thick: int) -> None:
    high, wide = sheet.shape[:2]
    cv2.rectangle(sheet, (inset, inset), (wide - inset, high - inset), colour, thick, cv2.LINE_AA)


_COLOURS: dict[str, Colour] = {
    "M": (150, 130, 120), "S": (40, 140, 235), "W": (190, 120, 40),
    "L": (60, 110, 150), "Y": (70, 130, 60), "K": (50, 180, 215),
}  # fmt: skip


def _waves(pen: Pen, _: Random) -> None:
    x = np.linspace(-0.9, 0.9, 40)
    for y in (-0.5, 0.0, 0.5):
        pen.stroke(np.stack([x, y + 0.16 * np.sin(x * 7)], 1), 0.16)


def _leaf(pen: Pen, _: Random) -> None:
    pen.fill(glyphs.mirrored(curve([[0, 0.95], [0.5, 0.4], [0.45, -0.2], [0.0, -0.6]])))
    pen.stroke([[0, 0.7], [0, -0.95]], 0.08, 0)
    pen.stroke([[0, -0.55], [0, -0.95]], 0.1)


def _knot(pen: Pen, _: Random) -> None:
    for radius, ink in ((0.5, 255), (0.34, 0)):
        for x, y in ((-0.3, 0.3), (0.3, 0.3), (0.0, -0.25)):
            pen.disc((x, y), radius, ink)


_SUIT_SIGNS: dict[str, Drawing] = {
    "M": glyphs.moon, "S": glyphs.sun, "W": _waves, "L": _leaf, "Y": glyphs.spiral, "K": _knot,
}  # fmt: skip


@functools.cache
def _suit_sign(letter: str) -> Mask:
    return draw(_SUIT_SIGNS[letter], np.random.default_rng(6))


def _plain_face(mark: str, wide: int, high: int) -> Picture:
    rng = np.random.default_rng([ord(c) for c in mark])
    sheet = card(rng, high, wide, (228, 240, 246))
    inset, top = round(wide * 0.22), round(high * 0.12)
    art = clouds(rng, high - 2 * top, wide - inset - round(wide * 0.06), 3, 4)
    base = _COLOURS[mark[1]] if len(mark) > 1 else (150.0, 150.0, 150.0)
    picture = sheet[top : high - top, inset : inset + art.shape[1]]
    picture[:] = tinted(art, base, 0.35)
    _shapes(np.random.default_rng([*map(ord, mark), 1]), picture, 14)  # alike at any size
    scale = wide / 95
    write(sheet, mark[0], (round(wide * 0.05), round(high * 0.13)), scale, (25, 25, 25), max(1, round(scale * 1.5)))
    for row, letter in enumerate(mark[1:]):
        part = round(wide * 0.18)
        y = round(high * 0.16) + row * round(part * 1.15)
        patch = sheet[y : y + part, round(wide * 0.02) : round(wide * 0.02) + part]
        patch[:] = printed(patch, stamp(part, _suit_sign(letter), (0.5, 0.5, 0.95)), _COLOURS[letter], 1.0)
    return sheet


def random_face(deck: int, mark: str, wide: int, high: int) -> Picture:
    """The front of one card of a deck."""
    style, own = np.random.default_rng([deck, 1]), np.random.default_rng([deck, *map(ord, mark)])
    sheet = _paper(style, wide, high)
    side, top = style.uniform(0.04, 0.26), style.uniform(0.05, 0.24)
    left, right = (side, side) if style.random() < 0.7 else (side, 0.05)
    _picture(own, style, sheet, _box(sheet, left, top, right, style.uniform(0.05, 0.24)))
    _corners(own, style, sheet, mark)
    if style.random() < 0.6:
        _text(own, sheet, 1 - top / 2, 0.045)
    return sheet


def random_back(deck: int, wide: int, high: int) -> Picture:
    """The back, the same for all cards of a deck."""
    style = np.random.default_rng([deck, 2])
    if style.random() < 0.35:
        sheet = plastic(style, high, wide, random_colour(style, 30, 200))
        _pattern(style, sheet)
        _frame(sheet, round(wide * style.uniform(0.04, 0.12)), random_colour(style, 120, 250), 2)
        return sheet
    sheet = _paper(style, wide, high)
    top = style.uniform(0.04, 0.22)
    box = _box(sheet, side := style.uniform(0.04, 0.24), top, side, top)
    if style.random() < 0.5:
        _picture(style, style, sheet, box)
    else:
        part = sheet[box[1] : box[3], box[0] : box[2]]
        part[:] = random_colour(style, 30, 200)
        _pattern(style, part)
    if style.random() < 0.5:
        _text(style, sheet, top / 2, 0.07)
        _text(style, sheet, 1 - top / 2, 0.05)
    return sheet


def _paper(rng: Random, wide: int, high: int) -> Picture:
    base = muted_colour(rng) if rng.random() < 0.08 else one_of(rng, _PAPERS)
    sheet = card(rng, high, wide, base)
    if rng.random() < 0.3:
        edge = max(1, wide // 60)
        _frame(sheet, edge, random_colour(rng, 0, 160), edge)
    return sheet


def _box(sheet: Picture, left: float, top: float, right: float, bottom: float) -> _Box:
    """The part of a sheet within margins, which are shares of its sides."""
    high, wide = sheet.shape[:2]
    return round(left * wide), round(top * high), round((1 - right) * wide), round((1 - bottom) * high)


def _picture(own: Random, style: Random, sheet: Picture, box: _Box) -> None:
    """An abstract picture: shapes on a ground, framed or not."""
    left, top, right, bottom = box
    part = sheet[top:bottom, left:right]
    if style.random() < 0.75:
        part[:] = tinted(clouds(own, bottom - top, right - left, 3, 4), muted_colour(own), own.uniform(0.05, 0.4))
    _shapes(own, part, int(own.integers(4, 26)))
    if style.random() < 0.6:
        colour, thick = random_colour(style, 0, 110), max(1, (right - left) // 70)
        cv2.rectangle(sheet, (left, top), (right, bottom), colour, thick, cv2.LINE_AA)


def _shapes(rng: Random, part: Picture, count: int) -> None:
    """Draws overlapping polygons and ellipses."""
    wide = part.shape[1]
    for _ in range(count):
        colour, at = random_colour(rng, 0, 255), rng.uniform(0, 1, 2) * (wide, part.shape[0])
        size = rng.uniform(0.05, 0.35) * wide
        if rng.random() < 0.5:
            corners = int(rng.integers(3, 8))
            angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
            ring = at + glyphs.polar(angles) * size * rng.uniform(0.4, 1, (corners, 1))
            cv2.fillPoly(part, [np.round(ring).astype(np.int32)], colour, cv2.LINE_AA)
        else:
            axes = (int(size) + 1, int(size * rng.uniform(0.3, 1)) + 1)
            thick = -1 if rng.random() < 0.7 else 2
            cv2.ellipse(part, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, colour, thick, cv2.LINE_AA)


def _pattern(rng: Random, part: Picture) -> None:
    """Draws stripes or a lattice."""
    high, wide = part.shape[:2]
    ink = random_colour(rng, 60, 255)
    pitch, is_lattice = max(4, int(rng.uniform(0.05, 0.2) * wide)), bool(rng.choice([0, 1, 1]))
    for start in range(-high, wide + high, pitch):
        for slope in (1, -1) if is_lattice else (0,):
            cv2.line(part, (start, 0), (start + slope * high, high), ink, 1, cv2.LINE_AA)


def _corners(own: Random, style: Random, sheet: Picture, mark: str) -> None:
    """Draws number and signs in one corner and, rotated, in the opposite one."""
    wide = sheet.shape[1]
    ink, size = random_colour(style, 0, 60), style.uniform(0.07, 0.14) * wide
    signs = [_CORNER_SIGNS[int(pick)] for pick in own.permutation(len(_CORNER_SIGNS))[: max(1, len(mark) - 1)]]
    x, y = style.uniform(0.02, 0.05) * wide, style.uniform(0.02, 0.05) * wide + size
    for _ in range(2 if style.random() < 0.8 else 1):
        write(sheet, mark[0], (round(x), round(y)), size / 24, ink, max(1, wide // 140))
        for row, sign in enumerate(signs):
            side = max(3, round(size))
            drawn = cv2.resize(draw(sign, style), (side, side), interpolation=cv2.INTER_AREA)[..., None] / 255
            low = round(y + 0.15 * size + row * 1.15 * size)
            patch = sheet[low : low + side, round(x) : round(x) + side]
            cover = drawn[: patch.shape[0], : patch.shape[1]]
            patch[:] = patch * (1 - cover) + np.array(random_colour(style, 20, 200)) * cover
        sheet[:] = sheet[::-1, ::-1].copy()


def _text(rng: Random, sheet: Picture, y: float, size: float) -> None:
    """Draws a centred line of 5 to 22 random letters."""
    high, wide = sheet.shape[:2]
    words = "".join(rng.choice(list("abcdefgh iklmn oprstu"), int(rng.integers(5, 23))))
    scale = size * wide / 12
    (long, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_COMPLEX, scale, 1)
    scale *= min(1.0, 0.9 * wide / max(long, 1))
    at = (round((wide - min(long, 0.9 * wide)) / 2), round(y * high + tall / 2))
    write(sheet, words, at, scale, random_colour(rng, 0, 70), font=cv2.FONT_HERSHEY_COMPLEX)
