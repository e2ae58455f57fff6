"""Expansion of macros, `name'. Macros of the file come before the built-in ones."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping

from rules.notation.errors import MAX_DEPTH, Allowance, CircularMacroError, LimitError, UnknownMacroError, shortened
from rules.sentence import say

_CALL = re.compile(r"`([^' ;`]+)'")
_CARD_SUITS = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}
_CARD_RANKS = "A23456789TJCQK"


def _built_in() -> dict[str, str]:
    found = dict(zip(("H", "S", "C", "D", "WH", "WS", "WD", "WC"), "♥♠♣♦♡♤♧♢", strict=True))
    found |= dict(zip("KQRBNPkqrbnp", (chr(0x2654 + i) for i in range(12)), strict=True))
    for suit, base in _CARD_SUITS.items():
        found |= {suit + rank: chr(base + 1 + i) for i, rank in enumerate(_CARD_RANKS)}
    found |= {f"T{i}": chr(0x1F0E0 + i) for i in range(1, 22)}
    found |= {"TF": chr(0x1F0E0), "RJ": chr(0x1F0BF), "BJ": chr(0x1F0CF), "WJ": chr(0x1F0DF)}
    return found | {f"{a}-{b}": chr(0x1F063 + 7 * a + b) for a in range(7) for b in range(7)}


BUILT_IN: Mapping[str, str] = _built_in()


class Macros:
    """Expands each macro once and caches it; the size of an expansion is checked before it is built."""

    def __init__(self, own: Mapping[str, str], allowance: Allowance) -> None:
        self._raw: Mapping[str, str] = ChainMap(dict(own), dict(BUILT_IN))
        self._full: dict[str, str] = {}
        self._allowance = allowance

    def expand(self, text: str) -> str:
        return self._filled(text, ()) if "`" in text else text

    def _filled(self, text: str, callers: tuple[str, ...]) -> str:
        if "`" not in text:
            return text
        pieces = _CALL.split(text)
        for index in range(1, len(pieces), 2):
            pieces[index] = self._value(pieces[index], callers)
        size = sum(map(len, pieces))
        self._allowance.take(max(0, size - len(text)), "a macro")
        return "".join(pieces)

    def _value(self, name: str, callers: tuple[str, ...]) -> str:
        if name in callers:
            raise CircularMacroError(say("macro `{name}' is made of itself", name=shortened(name)))
        if len(callers) >= MAX_DEPTH:
            raise LimitError(say("macros are nested deeper than {most}", most=MAX_DEPTH))
        if name not in self._full:
            if name not in self._raw:
                raise UnknownMacroError(say("there is no macro `{name}'", name=shortened(name)))
            self._full[name] = self._filled(self._raw[name], (*callers, name))
        return self._full[name]
