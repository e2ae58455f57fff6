"""Brace expansion as in a Unix shell: {b,d}, {a..f}, {2..8..2}, nested and in products; `\\,` is a comma."""

from __future__ import annotations

import re
from itertools import pairwise, product

from rules.notation.errors import MAX_DEPTH, Allowance, LimitError
from rules.sentence import say

_RANGE = re.compile(r"(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?\Z")
_MARK = re.compile(r"\\.|[{},]", re.DOTALL)
_ESCAPED = re.compile(r"\\([,{}])")


def expand(token: str, allowance: Allowance) -> list[str]:
    """The tokens of one token with braces. Unbalanced braces are literal."""
    if "{" not in token and "}" not in token:
        return [token]
    group = _groups(token)
    if group is None:
        return [token]
    found = _Expander(token, group, allowance).between(0, len(token))
    allowance.take(sum(map(len, found)) + len(found), "a token with braces")
    return [_ESCAPED.sub(r"\1", text) for text in found] if "\\" in token else found


class _Group:
    """A pair of braces: positions of the closing brace and of its own commas."""

    def __init__(self) -> None:
        self.end = 0
        self.commas: list[int] = []


def _groups(token: str) -> dict[int, _Group] | None:
    """The pairs by the position of the opening brace; None if braces are unbalanced."""
    groups: dict[int, _Group] = {}
    inside: list[_Group] = []
    for match in _MARK.finditer(token):
        mark = match[0]
        if mark == "{":
            groups[match.start()] = _Group()
            inside.append(groups[match.start()])
            if len(inside) > MAX_DEPTH:
                raise LimitError(say("braces are nested deeper than {most}", most=MAX_DEPTH))
        elif mark == "," and inside:
            inside[-1].commas.append(match.start())
        elif mark == "}":
            if not inside:
                return None
            inside.pop().end = match.start()
    return None if inside else groups


class _Expander:
    def __init__(self, token: str, groups: dict[int, _Group], allowance: Allowance) -> None:
        self.token, self.groups, self.allowance = token, groups, allowance
        self.starts = sorted(groups)
        self._next = 0

    def between(self, start: int, end: int) -> list[str]:
        """All expansions of token[start:end]: the product of the parts before, in and after each group."""
        parts: list[list[str]] = []
        while (opening := self._opening_before(end)) is not None:
            parts += [[self.token[start:opening]], self._alternatives(opening)]
            start = self.groups[opening].end + 1
        parts.append([self.token[start:end]])
        return self._product(parts)

    def _opening_before(self, end: int) -> int | None:
        """The next brace not yet visited; from left to right, so that nothing is scanned twice."""
        if self._next >= len(self.starts) or self.starts[self._next] >= end:
            return None
        self._next += 1
        return self.starts[self._next - 1]

    def _alternatives(self, opening: int) -> list[str]:
        group = self.groups[opening]
        if not group.commas:
            return self._single(opening, group.end)
        edges = [opening, *group.commas, group.end]
        return [text for left, right in pairwise(edges) for text in self.between(left + 1, right)]

    def _single(self, opening: int, end: int) -> list[str]:
        found = _range(self.token[opening + 1 : end], self.allowance)
        if found is not None:
            return found
        return [f"{{{text}}}" for text in self.between(opening + 1, end)]

    def _product(self, parts: list[list[str]]) -> list[str]:
        count, length = 1, 0
        for part in parts:
            length = length * len(part) + count * sum(map(len, part))
            count *= len(part)
            self.allowance.check(length + count, "a token with braces")
        return ["".join(choice) for choice in product(*parts)]


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
