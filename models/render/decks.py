"""Random decks of cards: white margins of any width with a framed picture in the middle, lines of text, signs in the
corners, backs of every sort. A detector trained on narrow margins alone takes the framed picture for the card."""

from collections.abc import Callable

import cv2
import numpy as np

from models.render import glyphs, marks
from models.render.glyphs import Mask, Random, one_of
from models.render.materials import Colour, Picture, card, clouds, muted_colour, plastic, random_colour, tinted, write

_SIGNS: tuple[Callable[[Random], Mask], ...] = (
    glyphs.moon, glyphs.sun, glyphs.crown, glyphs.anchor, glyphs.lily, glyphs.shield, marks.spiral, marks.spade,
)  # fmt: skip
_WORDS = 9
_PAPERS: tuple[Colour, ...] = ((246, 248, 248), (246, 248, 248), (240, 246, 249), (225, 238, 246), (205, 222, 235))


def face(deck: int, mark: str, wide: int, high: int) -> Picture:
    """The front of one card of a deck."""
    style, own = np.random.default_rng([deck, 1]), np.random.default_rng([deck, *map(ord, mark)])
    sheet = _paper(style, wide, high)
    side, top = style.uniform(0.04, 0.26), style.uniform(0.05, 0.24)
    left, right = (side, side) if style.random() < 0.7 else (side, 0.05)
    _picture(own, style, sheet, _box(wide, high, left, top, right, style.uniform(0.05, 0.24)))
    _corners(own, style, sheet, mark)
    if style.random() < 0.6:
        _text(own, sheet, 1 - top / 2, 0.045)
    return sheet


def back(deck: int, wide: int, high: int) -> Picture:
    """The back, the same for all cards of a deck."""
    style = np.random.default_rng([deck, 2])
    if style.random() < 0.35:
        sheet = plastic(style, high, wide, random_colour(style, 30, 200))
        _pattern(style, sheet, (0, 0, wide, high))
        inset = round(wide * style.uniform(0.04, 0.12))
        cv2.rectangle(
            sheet, (inset, inset), (wide - inset, high - inset), random_colour(style, 120, 250), 2, cv2.LINE_AA
        )
        return sheet
    sheet = _paper(style, wide, high)
    top = style.uniform(0.04, 0.22)
    box = _box(wide, high, side := style.uniform(0.04, 0.24), top, side, top)
    if style.random() < 0.5:
        _picture(style, style, sheet, box)
    else:
        sheet[box[1] : box[3], box[0] : box[2]] = np.array(random_colour(style, 30, 200))
        _pattern(style, sheet, box)
    if style.random() < 0.5:
        _text(style, sheet, top / 2, 0.07)
        _text(style, sheet, 1 - top / 2, 0.05)
    return sheet


def _paper(rng: Random, wide: int, high: int) -> Picture:
    dark = rng.random() < 0.08
    base = muted_colour(rng) if dark else one_of(rng, _PAPERS)
    sheet = card(rng, high, wide, base)
    if rng.random() < 0.3:
        edge = max(1, wide // 60)
        cv2.rectangle(sheet, (edge, edge), (wide - edge, high - edge), random_colour(rng, 0, 160), edge, cv2.LINE_AA)
    return sheet


def _box(wide: int, high: int, left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
    return round(left * wide), round(top * high), round((1 - right) * wide), round((1 - bottom) * high)


def _picture(own: Random, style: Random, sheet: Picture, box: tuple[int, int, int, int]) -> None:
    """An abstract picture: shapes on a ground, framed or not."""
    left, top, right, bottom = box
    part = sheet[top:bottom, left:right]
    if style.random() < 0.75:
        part[:] = tinted(clouds(own, bottom - top, right - left, 3, 4), muted_colour(own), own.uniform(0.05, 0.4))
    reach = (right - left, bottom - top)
    shapes(own, part, int(own.integers(4, 26)))
    if style.random() < 0.6:
        cv2.rectangle(
            sheet, (left, top), (right, bottom), random_colour(style, 0, 110), max(1, reach[0] // 70), cv2.LINE_AA
        )


def shapes(rng: Random, part: Picture, count: int) -> None:
    """Draws overlapping coloured shapes."""
    for _ in range(count):
        _shape(rng, part, (part.shape[1], part.shape[0]))


def _shape(rng: Random, part: Picture, reach: tuple[int, int]) -> None:
    colour, at = random_colour(rng, 0, 255), rng.uniform(0, 1, 2) * reach
    size = rng.uniform(0.05, 0.35) * reach[0]
    if rng.random() < 0.5:
        count = int(rng.integers(3, 8))
        angles = np.sort(rng.uniform(0, 2 * np.pi, count))
        ring = at + np.stack([np.cos(angles), np.sin(angles)], 1) * size * rng.uniform(0.4, 1, (count, 1))
        cv2.fillPoly(part, [np.round(ring).astype(np.int32)], colour, cv2.LINE_AA)
    else:
        axes = (int(size) + 1, int(size * rng.uniform(0.3, 1)) + 1)
        thick = -1 if rng.random() < 0.7 else 2
        cv2.ellipse(part, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, colour, thick, cv2.LINE_AA)


def _pattern(rng: Random, sheet: Picture, box: tuple[int, int, int, int]) -> None:
    """Draws stripes or a lattice over a box."""
    left, top, right, bottom = box
    part, ink = sheet[top:bottom, left:right], random_colour(rng, 60, 255)
    pitch, slope = max(4, int(rng.uniform(0.05, 0.2) * (right - left))), int(rng.choice([0, 1, 1]))
    for start in range(-(bottom - top), right - left + bottom - top, pitch):
        cv2.line(part, (start, 0), (start + slope * (bottom - top), bottom - top), ink, 1, cv2.LINE_AA)
        if slope:
            cv2.line(part, (start, 0), (start - (bottom - top), bottom - top), ink, 1, cv2.LINE_AA)


def _corners(own: Random, style: Random, sheet: Picture, mark: str) -> None:
    """Draws number and signs in one corner and, rotated, in the opposite one."""
    wide = sheet.shape[1]
    ink, size = random_colour(style, 0, 60), style.uniform(0.07, 0.14) * wide
    signs = [_SIGNS[int(pick)] for pick in own.permutation(len(_SIGNS))[: max(1, len(mark) - 1)]]
    x, y = style.uniform(0.02, 0.05) * wide, style.uniform(0.02, 0.05) * wide + size
    for _ in range(2 if style.random() < 0.8 else 1):
        write(sheet, mark[0], (round(x), round(y)), size / 24, ink, max(1, wide // 140))
        for row, sign in enumerate(signs):
            drawn = cv2.resize(sign(style), (max(3, round(size)),) * 2, interpolation=cv2.INTER_AREA)[..., None] / 255
            low = round(y + 0.15 * size + row * 1.15 * size)
            patch = sheet[low : low + len(drawn), round(x) : round(x) + len(drawn)]
            cover = drawn[: patch.shape[0], : patch.shape[1]]
            patch[:] = patch * (1 - cover) + np.array(random_colour(style, 20, 200)) * cover
        sheet[:] = sheet[::-1, ::-1].copy()


def _text(rng: Random, sheet: Picture, y: float, size: float) -> None:
    """Draws a centred line of random letters."""
    high, wide = sheet.shape[:2]
    words = "".join(rng.choice(list("abcdefgh iklmn oprstu"), int(rng.integers(5, 5 + 2 * _WORDS))))
    scale = size * wide / 12
    (long, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_COMPLEX, scale, 1)
    scale *= min(1.0, 0.9 * wide / max(long, 1))
    at = (round((wide - min(long, 0.9 * wide)) / 2), round(y * high + tall / 2))
    write(sheet, words, at, scale, random_colour(rng, 0, 70), font=cv2.FONT_HERSHEY_COMPLEX)
