"""The five mountains of Tula: rows of tile centres, from the lowest layer up, and which of them lie face up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mountain:
    """`rows` are (y, xs) in the order in which the tiles are laid; `up` are indices of tiles that lie face up,
    counted backwards from the last."""

    rows: tuple[tuple[float, Row], ...]
    up: frozenset[int]

    def tiles(self) -> Iterator[tuple[float, float, bool]]:
        places = [(x, y) for y, xs in self.rows for x in xs]
        for index, (x, y) in enumerate(places):
            yield x, y, index - len(places) in self.up


def _odd(low: int, high: int) -> Row:
    """Every other number."""
    return tuple(float(x) for x in range(low, high + 1, 2))


_SMALL = (
    *((y, _odd(1, 7)) for y in (7.0, 5.0, 3.0)),
    (1.0, (4.0,)),
    *((y, _odd(2, 6)) for y in (6.0, 4.0)),
    (2.0, (4.0,)),
    (5.0, (3.0, 5.0)),
    (3.0, (4.0,)),
    (4.0, (4.0,)),
)
_ONE = (
    *((y, xs) for y, xs in ((5.0, _odd(2, 8)), (3.0, _odd(1, 9)), (1.0, _odd(2, 8)))),
    *((y, _odd(2, 8)) for y in (4.0, 2.0)),
    (3.0, _odd(3, 7)),
)
_TWO = (
    *zip((11.0, 9.0, 7.0), (_odd(6, 8), _odd(3, 11), _odd(1, 13)), strict=True),
    *zip((5.0, 3.0, 1.0), (_odd(1, 13), _odd(3, 11), _odd(6, 8)), strict=True),
    *zip((10.0, 8.0, 6.0, 4.0, 2.0), ((7.0,), _odd(4, 10), _odd(2, 12), _odd(4, 10), (7.0,)), strict=True),
    (7.0, (5.0, 9.0)),
    (5.0, (5.0, 9.0)),
)
_THREE = (
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), (_odd(5, 7), _odd(2, 10), _odd(1, 11), _odd(2, 10), _odd(5, 7)), strict=True),
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), ((6.0,), _odd(3, 9), _odd(2, 10), _odd(3, 9), (6.0,)), strict=True),
    *zip((8.0, 6.0, 4.0, 2.0), ((6.0,), _odd(3, 9), _odd(3, 9), (6.0,)), strict=True),
    (5.0, _odd(4, 8)),
)
_FOUR = (
    *zip((7.0, 5.0, 4.0, 3.0, 1.0), (_odd(4, 12), _odd(3, 13), (1.0, 15.0), _odd(3, 13), _odd(4, 12)), strict=True),
    *zip((6.0, 4.0, 2.0), (_odd(5, 11), _odd(2, 14), _odd(5, 11)), strict=True),
    *((y, _odd(5, 11)) for y in (5.0, 3.0)),
    (4.0, (8.0,)),
)

MOUNTAINS: dict[str, Mountain] = {
    "Original": Mountain(_SMALL, frozenset({-1})),
    "Variant 1": Mountain(_ONE, frozenset({-1, -3})),
    "Variant 2": Mountain(_TWO, frozenset({-1, -2, -3, -4, -5, -10, -15, -20})),
    "Variant 3": Mountain(_THREE, frozenset({-1, -3, -4, -13})),
    "Variant 4": Mountain(_FOUR, frozenset({-1, -2, -5, -6, -9, -14, -20})),
}
