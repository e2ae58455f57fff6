"""Normalised names of games, systems and arguments, under which openings are found."""

from __future__ import annotations

import re
import unicodedata

SYSTEMS = ("checker", "chess", "domino", "icehouse", "go", "piecepack", "stackpack", "reversi", "tarot")
_SYSTEM_ALIASES = {
    "checkers": "checker",
    "draughts": "checker",
    "dominoes": "domino",
    "marbles": "marble",
    "piecepack_stackpack": "stackpack",
    "looney_pyramids": "icehouse",
    "icehouse_pieces": "icehouse",
    "icehouse_pyramids": "icehouse",
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def normalised(name: str) -> str:
    """`Dodg'em` is dodgem, `IceFloe` is ice_floe; and so `Fuji-San` becomes fuji_san, which is not fujisan."""
    plain = snake(name).replace("draughts", "checkers")
    for system in SYSTEMS:
        plain = plain.removeprefix(system + "_")
    return plain


def snake(name: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = _WORD.findall(re.sub(r"[\"'’`-]", "", ascii_only))
    return "_".join(_numbers_to_the_left(words)).lower()


def _numbers_to_the_left(words: list[str]) -> list[str]:
    """Joins numbers to the word before: chess960 is one word."""
    joined: list[str] = []
    for word in words:
        if word.isdecimal() and joined and not joined[-1][-1].isdecimal():
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def normalised_system(name: str) -> str:
    plain = snake(name)
    return _SYSTEM_ALIASES.get(plain, plain)


def squeezed(name: str) -> str:
    """Letters and digits only, for a tolerant comparison of names."""
    return normalised(name).replace("_", "").removeprefix("the")
