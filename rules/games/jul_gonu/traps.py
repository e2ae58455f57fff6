"""Custodian captures (JULG-4.2): an enemy run of one or two between the coin that arrives and a partner."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.games.jul_gonu.opening import BOARD


def _patterns(arrival: str) -> Iterator[tuple[int, int]]:
    """(run, partner) for every trap that a coin arriving here can close."""
    x, y = BOARD.xy(arrival)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        line = [(x + dx * step, y + dy * step) for step in (1, 2, 3)]
        bits = [1 << ((b - 1) * BOARD.size + a - 1) for a, b in line if 1 <= a <= 4 and 1 <= b <= 4]
        if len(bits) > 1:
            yield bits[0], bits[1]
        if len(bits) > 2:
            yield bits[0] | bits[1], bits[2]


_PATTERNS = {BOARD.bit[name]: tuple(_patterns(name)) for name in BOARD.names}


def captured_by(own: int, enemy: int, arrival: int) -> int:
    """The enemy coins that fall when one of the own coins has just come to the space `arrival`."""
    taken = 0
    for run, partner in _PATTERNS[arrival]:
        if enemy & run == run and own & partner:
            taken |= run
    return taken


@cache
def _name(bit: int) -> str:
    return BOARD.names[bit.bit_length() - 1]


def traps(own: int, enemy: int, arrival: int) -> list[tuple[list[str], str]]:
    """The same in words: the captured spaces and the partner, trap by trap."""
    closed = [(run, at) for run, at in _PATTERNS[arrival] if enemy & run == run and own & at]
    return [(BOARD.places(run), _name(partner)) for run, partner in closed]
