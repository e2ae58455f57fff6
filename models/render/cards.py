"""Decktet cards: drawings by the card's mark, or pictures of the published ones where a folder has them."""

import functools
import pathlib
from collections.abc import Callable

import cv2
import numpy as np

from models.render import decks, glyphs, marks
from models.render.art import Painted, printed, stamp
from models.render.glyphs import Mask, Pen, Random, curve
from models.render.materials import Colour, Picture, card, clouds, plastic, tinted, write
from models.render.tables import photo_folder
from rules.pieces.decktet import DECKTET

_COLOURS: dict[str, Colour] = {
    "M": (150, 130, 120), "S": (40, 140, 235), "W": (190, 120, 40),
    "L": (60, 110, 150), "Y": (70, 130, 60), "K": (50, 180, 215),
}  # fmt: skip


def _waves(_: Random) -> Mask:
    pen = Pen()
    for y in (-0.5, 0.0, 0.5):
        x = np.linspace(-0.9, 0.9, 40)
        pen.stroke(np.stack([x, y + 0.16 * np.sin(x * 7)], 1), 0.16)
    return pen.mask()


def _leaf(_: Random) -> Mask:
    pen = Pen()
    half = curve(np.array([[0, 0.95], [0.5, 0.4], [0.45, -0.2], [0.0, -0.6]]))
    pen.fill(glyphs.mirrored(half))
    pen.stroke(np.array([[0, 0.7], [0, -0.95]]), 0.08, 0)
    pen.stroke(np.array([[0, -0.55], [0, -0.95]]), 0.1)
    return pen.mask()


def _knot(_: Random) -> Mask:
    pen = Pen()
    for x, y in ((-0.3, 0.3), (0.3, 0.3), (0.0, -0.25)):
        pen.disc((x, y), 0.5)
    for x, y in ((-0.3, 0.3), (0.3, 0.3), (0.0, -0.25)):
        pen.disc((x, y), 0.34, 0)
    return pen.mask()


_SIGNS: dict[str, Callable[[Random], Mask]] = {
    "M": glyphs.moon, "S": glyphs.sun, "W": _waves, "L": _leaf, "Y": marks.spiral, "K": _knot,
}  # fmt: skip


@functools.cache
def _sign(letter: str) -> Mask:
    return _SIGNS[letter](np.random.default_rng(6))


def face(mark: str, density: float, rng: Random, deck: int = 0) -> Painted:
    """The front of a card; an unknown or empty mark gives the back. `deck`: the seed of a random deck."""
    wide, high = _pixels(density)
    if mark not in DECKTET:
        return back(density, rng, deck)
    if deck:
        return Painted(decks.face(deck, mark, wide, high))
    picture = _pictured(mark)
    if picture is not None and rng.random() < 0.7:
        return Painted(np.asarray(cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA), np.uint8))
    return Painted(_drawn(mark, wide, high))


def back(density: float, rng: Random, deck: int = 0) -> Painted:
    """The back of a card, the same for all of a deck."""
    wide, high = _pixels(density)
    if deck:
        return Painted(decks.back(deck, wide, high))
    sheet = plastic(rng, high, wide, (120.0, 60.0, 50.0))
    decks.shapes(np.random.default_rng(11), sheet[high // 5 : high - high // 5, wide // 5 : wide - wide // 5], 14)
    cv2.rectangle(
        sheet, (wide // 14, wide // 14), (wide - wide // 14, high - wide // 14), (190, 180, 170), 2, cv2.LINE_AA
    )
    return Painted(sheet)


def _pixels(density: float) -> tuple[int, int]:
    wide = int(np.clip(2.5 * density * 1.1, 40, 400))
    return wide, round(wide * 1.4)


def _drawn(mark: str, wide: int, high: int) -> Picture:
    rng = np.random.default_rng([ord(c) for c in mark])
    sheet = card(rng, high, wide, (228, 240, 246))
    inset, top = round(wide * 0.22), round(high * 0.12)
    art = clouds(rng, high - 2 * top, wide - inset - round(wide * 0.06), 3, 4)
    base = _COLOURS[mark[1]] if len(mark) > 1 else (150.0, 150.0, 150.0)
    picture = sheet[top : high - top, inset : inset + art.shape[1]]
    picture[:] = tinted(art, base, 0.35)
    decks.shapes(np.random.default_rng([*map(ord, mark), 1]), picture, 14)  # alike at any size
    scale = wide / 95
    write(sheet, mark[0], (round(wide * 0.05), round(high * 0.13)), scale, (25, 25, 25), max(1, round(scale * 1.5)))
    for row, letter in enumerate(mark[1:]):
        part = round(wide * 0.18)
        y = round(high * 0.16) + row * round(part * 1.15)
        patch = sheet[y : y + part, round(wide * 0.02) : round(wide * 0.02) + part]
        patch[:] = printed(patch, stamp(part, _sign(letter), (0.5, 0.5, 0.95)), _COLOURS[letter], 1.0)
    return sheet


@functools.cache
def _art_files() -> dict[str, pathlib.Path]:
    root = photo_folder()
    files = sorted(root.rglob("decktet-art/*.jpg")) if root else []
    found = {}
    for mark, entry in DECKTET.items():
        word = entry.name.lower().replace(" ", "_").replace("ace_of_", "").replace("lunatic", "lunactic")
        rank = {"A": "1_ace", "X": "12_crown", "P": "10_pawn", "T": "11_court"}.get(entry.rank, entry.rank)
        suit = {"A": True, "X": True}.get(entry.rank, False)
        ending = f"{rank}_{_SUIT_WORDS.get(entry.suits, word)}" if suit else f"{rank}_{word}"
        match = [path for path in files if path.stem.endswith(ending)]
        if match:
            found[mark] = match[0]
    return found


_SUIT_WORDS = {"M": "moons", "S": "suns", "W": "waves", "L": "leaves", "Y": "wyrms", "K": "knots"}


@functools.lru_cache(maxsize=64)
def _pictured(mark: str) -> Picture | None:
    path = _art_files().get(mark)
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR) if path else None
    return None if picture is None else np.asarray(picture, np.uint8)
