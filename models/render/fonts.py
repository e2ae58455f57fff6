"""Glyphs of installed fonts, for training.

Needs pillow (the training extra) and fonts (Debian: fonts-dejavu, fonts-liberation, fonts-noto-core, fonts-symbola).
Where either is missing every call returns None and the project's drawings are used. One font family in five, by a hash
of its name, is reserved for the test stratum.
"""

import functools
import importlib
import pathlib
import zlib
from typing import Any

import cv2
import numpy as np

from models.render.glyphs import SIZE, Mask, Random, one_of

FOLDERS = (pathlib.Path("/usr/share/fonts"), pathlib.Path("/usr/local/share/fonts"))
_SYMBOL_FONTS = ("Symbola", "DejaVuSans", "NotoSansSymbols", "NotoSansMath")
_SUIT_SIGNS = {
    "suns": "☀☼☉☼🌞🌣🔆⛭", "moons": "☽☾🌙🌛🌜", "crowns": "♔♕♛♚👑", "arms": "⚓⚜🛡⚜⚓",
}  # fmt: skip


def held_out(name: str) -> bool:
    """Whether a font family belongs to the test stratum."""
    return zlib.crc32(name.encode()) % 5 == 0


def _pillow() -> Any:
    try:
        return importlib.import_module("PIL.ImageFont")
    except ImportError:
        return None


@functools.cache
def font_files() -> tuple[pathlib.Path, ...]:
    """All installed outline fonts, sorted by file name."""
    found = {p for folder in FOLDERS if folder.is_dir() for kind in ("*.ttf", "*.otf") for p in folder.rglob(kind)}
    return tuple(sorted(found, key=lambda p: p.name))


def _family(path: pathlib.Path) -> str:
    return path.stem.split("-")[0].split("_")[0]


@functools.cache
def numeral_fonts(test: bool) -> tuple[pathlib.Path, ...]:
    if _pillow() is None:
        return ()
    return tuple(p for p in font_files() if held_out(_family(p)) == test and "Emoji" not in p.name)


@functools.lru_cache(maxsize=64)
def _opened(path: pathlib.Path) -> Any:
    return _pillow().truetype(str(path), 120)


def glyph(path: pathlib.Path, text: str) -> Mask | None:
    """A character scaled to fill the mask; None if the font lacks it."""
    try:
        font = _opened(path)
        if bytes(font.getmask(text)) == bytes(font.getmask("\U0010fffd")):
            return None
        drawn = font.getmask(text, mode="L")
    except (OSError, ValueError):
        return None
    width, height = drawn.size
    if min(width, height) < 8:
        return None
    return _fitted(np.array(drawn, np.uint8).reshape(height, width))


def _fitted(drawing: Mask) -> Mask:
    height, width = drawing.shape
    scale = SIZE * 0.94 / max(height, width)
    small = cv2.resize(drawing, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    sheet: Mask = np.zeros((SIZE, SIZE), np.uint8)
    top, left = (SIZE - small.shape[0]) // 2, (SIZE - small.shape[1]) // 2
    sheet[top : top + small.shape[0], left : left + small.shape[1]] = small
    return sheet


def font_numeral(rng: Random, stratum: str) -> dict[str, Mask] | None:
    """The numerals 2..5 of one random font."""
    fonts = numeral_fonts(stratum == "test")
    for _ in range(4 if fonts else 0):
        path = one_of(rng, fonts)
        drawn = {digit: glyph(path, digit) for digit in "2345"}
        found = {digit: mask for digit, mask in drawn.items() if mask is not None}
        if len(found) == 4 and float(found["2"].mean()) > 12:
            return found
    return None


@functools.cache
def _suit_glyphs(suit: str, test: bool) -> tuple[tuple[pathlib.Path, str], ...]:
    """Pairs of font and sign; pairs are divided between the strata, since symbol fonts are few."""
    fonts = [path for path in font_files() if path.stem.startswith(_SYMBOL_FONTS)]
    pairs = [(path, sign) for path in fonts for sign in dict.fromkeys(_SUIT_SIGNS[suit])]
    return tuple(p for p in pairs if held_out(p[0].stem + p[1]) == test and glyph(*p) is not None)


def font_suit(suit: str, rng: Random, stratum: str) -> Mask | None:
    """A suit sign of a random symbol font."""
    pairs = _suit_glyphs(suit, stratum == "test") if _pillow() else ()
    if not pairs:
        return None
    path, sign = one_of(rng, pairs)
    return glyph(path, sign)
