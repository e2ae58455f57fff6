"""The five mountains of Tula: rows of tile centres, from the lowest layer up, and the tiles that lie face up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mountain:
    """`rows`: (y, xs) in the order in which the tiles are laid; `up`: negative indices of the face-up tiles."""

    rows: tuple[tuple[float, Row], ...]
    up: frozenset[int]

    def tiles(self) -> Iterator[tuple[float, float, bool]]:
        places = [(x, y) for y, xs in self.rows for x in xs]
        for index, (x, y) in enumerate(places):
            yield x, y, index - len(places) in self.up


def _row(low: int, high: int) -> Row:
    """Every second number from `low` to `high`."""
    return tuple(float(x) for x in range(low, high + 1, 2))


_SMALL = (
    *((y, _row(1, 7)) for y in (7.0, 5.0, 3.0)),
    (1.0, (4.0,)),
    *((y, _row(2, 6)) for y in (6.0, 4.0)),
    (2.0, (4.0,)),
    (5.0, (3.0, 5.0)),
    (3.0, (4.0,)),
    (4.0, (4.0,)),
)
_ONE = (
    *((y, xs) for y, xs in ((5.0, _row(2, 8)), (3.0, _row(1, 9)), (1.0, _row(2, 8)))),
    *((y, _row(2, 8)) for y in (4.0, 2.0)),
    (3.0, _row(3, 7)),
)
_TWO = (
    *zip((11.0, 9.0, 7.0), (_row(6, 8), _row(3, 11), _row(1, 13)), strict=True),
    *zip((5.0, 3.0, 1.0), (_row(1, 13), _row(3, 11), _row(6, 8)), strict=True),
    *zip((10.0, 8.0, 6.0, 4.0, 2.0), ((7.0,), _row(4, 10), _row(2, 12), _row(4, 10), (7.0,)), strict=True),
    (7.0, (5.0, 9.0)),
    (5.0, (5.0, 9.0)),
)
_THREE = (
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), (_row(5, 7), _row(2, 10), _row(1, 11), _row(2, 10), _row(5, 7)), strict=True),
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), ((6.0,), _row(3, 9), _row(2, 10), _row(3, 9), (6.0,)), strict=True),
    *zip((8.0, 6.0, 4.0, 2.0), ((6.0,), _row(3, 9), _row(3, 9), (6.0,)), strict=True),
    (5.0, _row(4, 8)),
)
_FOUR = (
    *zip((7.0, 5.0, 4.0, 3.0, 1.0), (_row(4, 12), _row(3, 13), (1.0, 15.0), _row(3, 13), _row(4, 12)), strict=True),
    *zip((6.0, 4.0, 2.0), (_row(5, 11), _row(2, 14), _row(5, 11)), strict=True),
    *((y, _row(5, 11)) for y in (5.0, 3.0)),
    (4.0, (8.0,)),
)

MOUNTAINS: dict[str, Mountain] = {
    "Original": Mountain(_SMALL, frozenset({-1})),
    "Variant 1": Mountain(_ONE, frozenset({-1, -3})),
    "Variant 2": Mountain(_TWO, frozenset({-1, -2, -3, -4, -5, -10, -15, -20})),
    "Variant 3": Mountain(_THREE, frozenset({-1, -3, -4, -13})),
    "Variant 4": Mountain(_FOUR, frozenset({-1, -2, -5, -6, -9, -14, -20})),
}
