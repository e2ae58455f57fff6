"""Map of Delegate Dash: 24 states in a diamond round a gap, four regions, distances (DASH-2)."""

from __future__ import annotations

from rules.pieces import RANKS, Piece, Suit, coin, pawn
from rules.sentence import say

CANDIDATES = ("north", "east", "south", "west")
TITLES = (say("Senator North"), say("Governor East"), say("Representative South"), say("General West"))
REGION_SUITS = (Suit.ARMS, Suit.SUNS, Suit.CROWNS, Suit.MOONS)
LETTERS = "".join(suit.letter for suit in REGION_SUITS)

_ROWS = ("   A   ", "  AAA  ", " MAaSS ", "MMm sSS", " MMcCS ", "  CCC  ", "   C   ")
_GRID = {
    (row, column): letter
    for row, line in enumerate(_ROWS, start=1)
    for column, letter in enumerate(line, start=1)
    if letter != " "
}
GAP_AT = (4, 4)
CELLS: tuple[tuple[int, int], ...] = tuple(_GRID)
NULLS: tuple[int, ...] = tuple(
    next(cell for cell, spot in enumerate(CELLS) if _GRID[spot] == letter.lower()) for letter in LETTERS
)
REGION_OF: tuple[int, ...] = tuple(LETTERS.index(_GRID[spot].upper()) for spot in CELLS)
GAP = len(CELLS)  # the number of the gap, where it stands for a place


def name_of(cell: int) -> str:
    """Files a to g from the west, ranks 1 to 7 from the south; the gap is called gap."""
    if cell == GAP:
        return "gap"
    row, column = CELLS[cell]
    return f"{chr(96 + column)}{8 - row}"


NAMES: tuple[str, ...] = tuple(name_of(cell) for cell in range(len(CELLS) + 1))
BY_NAME: dict[str, int] = {name: cell for cell, name in enumerate(NAMES)}
SHUFFLED: tuple[tuple[int, ...], ...] = tuple(
    tuple(cell for cell, own in enumerate(REGION_OF) if own == region and cell not in NULLS) for region in range(4)
)


def spot_at(cell: int) -> tuple[float, float]:
    """Centre of a state in spaces."""
    row, column = CELLS[cell] if cell != GAP else GAP_AT
    return 2.0 * column, 2.0 * (8 - row)


def _neighbours(spot: tuple[int, int]) -> list[int]:
    row, column = spot
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [CELLS.index(other) for other in around if other in _GRID]


def _distances_from(start: int) -> tuple[int, ...]:
    """Number of steps to every state; the gap is left, never entered (DASH-2.3)."""
    found = {start: 0}
    todo = [start]
    for cell in todo:
        for other in _neighbours(CELLS[cell] if cell != GAP else GAP_AT):
            if other not in found:
                found[other] = found[cell] + 1
                todo.append(other)
    return tuple(found[cell] for cell in range(len(CELLS)))


DISTANCES: tuple[tuple[int, ...], ...] = tuple(_distances_from(start) for start in range(len(CELLS) + 1))

# Markers: 24 coins, six of each region in the order in which they were placed, then the four pawns.
COINS = 24
MARKERS = 28


def region_of_marker(marker: int) -> int:
    return marker // 6 if marker < COINS else marker - COINS


def worth(rank: int | None) -> int:
    """Delegates of a coin (DASH-1.2)."""
    return 0 if rank is None else 10 * rank or 1


WORTHS: dict[str, int] = {str(worth(rank)): rank for rank in range(6)}
"""Value of a coin by its number of delegates as people write it: S10 is the ace of suns, S1 its null."""


def delegates_of(marker: int, rank: int | None) -> str:
    """S10 a coin worth ten delegates, pS a pawn."""
    letter = LETTERS[region_of_marker(marker)]
    return f"p{letter}" if marker >= COINS else f"{letter}{worth(rank)}"


def marker_piece(marker: int, rank: int | None) -> Piece:
    suit = REGION_SUITS[region_of_marker(marker)]
    return pawn(suit) if marker >= COINS else coin(suit, None if rank is None else RANKS[rank])


def marker_key(marker: int) -> str:
    """Key of a marker: suit and order of placement, which reveal nothing about the value of a coin."""
    suit = marker_piece(marker, None).suit
    return f"pawn-{suit}" if marker >= COINS else f"{suit}-{marker % 6}"
