"""Expansion of braces as in a Unix shell ({b,d}, {a..f}, {2..8..2}, nested and in products; `\\,` is a comma), and of
macros, `name'. Macros of the file come before the built-in ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

from rules.notation.errors import MAX_DEPTH, Allowance, LimitError, MoveError, shortened
from rules.sentence import say

_RANGE = re.compile(r"(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?\Z")
_MARK = re.compile(r"(\\.|[{},])", re.DOTALL)
_ESCAPED = re.compile(r"\\([,{}])")


def expand(token: str, allowance: Allowance) -> list[str]:
    """The tokens of one token with braces. Unbalanced braces are literal."""
    marks = _MARK.split(token)
    if not {"{", "}"} & set(token) or not _is_balanced(marks):
        return [token]
    groups = [_Group()]
    for mark in marks:
        if mark == "{":
            groups.append(_Group())
        elif mark == "}":
            inner = groups.pop()
            groups[-1].parts.append(inner.texts(allowance))
        elif mark == "," and len(groups) > 1:
            groups[-1].end_alternative(allowance)
        else:
            groups[-1].parts.append([mark])
    groups[0].end_alternative(allowance)
    found = groups[0].alternatives
    allowance.take(sum(map(len, found)) + len(found), "a token with braces")
    return [_ESCAPED.sub(r"\1", text) for text in found] if "\\" in token else found


def _is_balanced(marks: list[str]) -> bool:
    depth = 0
    for mark in marks:
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            return False
        if depth > MAX_DEPTH:
            raise LimitError(say("braces are nested deeper than {most}", most=MAX_DEPTH))
    return depth == 0


class _Group:
    """What is in a pair of braces: the texts of the alternatives so far, and of each part of the current one."""

    def __init__(self) -> None:
        self.alternatives: list[str] = []
        self.parts: list[list[str]] = []

    def end_alternative(self, allowance: Allowance) -> None:
        """Adds the product of the parts, whose size is checked before it is built."""
        count, length = 1, 0
        for part in self.parts:
            length = length * len(part) + count * sum(map(len, part))
            count *= len(part)
            allowance.check(length + count, "a token with braces")
        self.alternatives += ["".join(choice) for choice in product(*self.parts)]
        self.parts = []

    def texts(self, allowance: Allowance) -> list[str]:
        """What the pair of braces stands for; without a comma or a range for itself."""
        if self.alternatives:
            self.end_alternative(allowance)
            return self.alternatives
        if len(self.parts) == 1 and (numbers := _range(self.parts[0][0], allowance)):
            return numbers
        self.end_alternative(allowance)
        return [f"{{{text}}}" for text in self.alternatives]


def _range(text: str, allowance: Allowance) -> list[str] | None:
    match = _RANGE.match(text)
    if not match:
        return None
    low, high, first, last, step = match.groups()
    start, stop = (int(low), int(high)) if low is not None else (ord(first), ord(last))
    stride = max(abs(int(step or 1)), 1)
    allowance.check(abs(stop - start) // stride, f"{{{text}}}")
    numbers = range(start, stop + 1, stride) if start <= stop else range(start, stop - 1, -stride)
    return [str(number) if low is not None else chr(number) for number in numbers]


_CALL = re.compile(r"`([^' ;`]+)'")
_CARD_SUITS = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}
_CARD_RANKS = "A23456789TJCQK"
_BUILT_IN = dict(zip(("H", "S", "C", "D", "WH", "WS", "WD", "WC"), "♥♠♣♦♡♤♧♢", strict=True))
_BUILT_IN |= dict(zip("KQRBNPkqrbnp", (chr(0x2654 + i) for i in range(12)), strict=True))
_BUILT_IN |= {s + r: chr(base + i) for s, base in _CARD_SUITS.items() for i, r in enumerate(_CARD_RANKS, 1)}
_BUILT_IN |= {f"T{i}": chr(0x1F0E0 + i) for i in range(1, 22)}
_BUILT_IN |= {"TF": chr(0x1F0E0), "RJ": chr(0x1F0BF), "BJ": chr(0x1F0CF), "WJ": chr(0x1F0DF)}
_BUILT_IN |= {f"{a}-{b}": chr(0x1F063 + 7 * a + b) for a in range(7) for b in range(7)}


class Macros:
    """Expands each macro once and caches it; the size of an expansion is checked before it is built."""

    def __init__(self, own: Mapping[str, str], allowance: Allowance) -> None:
        self._raw = _BUILT_IN | dict(own)
        self._full: dict[str, str] = {}
        self._allowance = allowance

    def expand(self, text: str, callers: tuple[str, ...] = ()) -> str:
        if "`" not in text:
            return text
        pieces = _CALL.split(text)
        pieces[1::2] = [self._value(name, callers) for name in pieces[1::2]]
        self._allowance.take(max(0, sum(map(len, pieces)) - len(text)), "a macro")
        return "".join(pieces)

    def _value(self, name: str, callers: tuple[str, ...]) -> str:
        if name in callers:
            raise MoveError(say("macro `{name}' is made of itself", name=shortened(name)))
        if len(callers) >= MAX_DEPTH:
            raise LimitError(say("macros are nested deeper than {most}", most=MAX_DEPTH))
        if name not in self._full:
            if name not in self._raw:
                raise MoveError(say("there is no macro `{name}'", name=shortened(name)))
            self._full[name] = self.expand(self._raw[name], (*callers, name))
        return self._full[name]
