"""Builds a `Layout` from the pieces on the board and the pieces of each zone and seat.

Pieces beside the board have no exact place; the builder puts them in rows on the side of their seat, so that picture,
drawing and set-up help agree.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from rules.pieces import Face, Kind, Piece, Pose, tile
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Place, Placed, Zone, bounds

_Waiting = tuple[Piece, str, Face | None, Pose | None]
"""A piece beside the board: with its key, face and pose."""

_GAP = 0.12
"""Distance of neighbours in a row beside the board, in spaces."""
_ROW_LENGTH = 12
"""Pieces in a row beside the board."""
_FIRST_ROW_DISTANCE = 0.6
"""Distance of the first row from the board, in spaces."""


class LayoutBuilder:
    def __init__(self) -> None:
        self._board: list[Placed] = []
        self._aside: dict[tuple[Zone, int | None], list[_Waiting]] = defaultdict(list)
        self._places: list[Place] = []
        self._borders: list[tuple[float, float, float, float]] = []

    def place(self, name: str, x: float, y: float, width: float = 1.0, height: float = 1.0) -> None:
        """Add a named place of the board; `x`, `y` is its centre."""
        self._places.append(Place(name, x, y, width, height))

    def border(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._borders.append((x1, y1, x2, y2))

    def put(
        self,
        piece: Piece,
        x: float,
        y: float,
        *,
        key: str,
        face: Face | None = None,
        angle: float = 0.0,
        level: int = 0,
        lean: tuple[int, int] = (0, 0),
        pose: Pose | None = None,
        place: str = "",
        seat: int | None = None,
    ) -> None:
        """Put a piece on the board, on top of the pieces put before it."""
        self._board.append(Placed(piece, key, x, y, face, angle, level, lean, pose, Zone.BOARD, seat, place))

    def aside(
        self,
        zone: Zone,
        piece: Piece,
        *,
        key: str,
        seat: int | None = None,
        face: Face | None = None,
        pose: Pose | None = None,
    ) -> None:
        """Put a piece into a hand, the spent heap or the supply."""
        self._aside[zone, seat].append((piece, key, face, pose))

    def grid_of_backs(self, files: int, ranks: int) -> None:
        """A board of face-down tiles whose spaces are a1 (centre 1, 1) to the north-east."""
        tiles, places = _grid_of_backs(files, ranks)
        self._board += tiles
        self._places += places

    def layout(self) -> Layout:
        sides = _Sides(*self._row_edges())
        # Pieces of no seat come last: they lie outside all rows of the seats.
        rows = sorted(self._aside.items(), key=lambda row: row[0][1] is None)
        aside = [placed for owner, pieces in rows for placed in sides.row(owner, tuple(pieces))]
        return Layout(tuple(self._board + aside), tuple(self._places), tuple(self._borders))

    def _row_edges(self) -> tuple[float, float, float, float]:
        """West, south, east, north edge from which rows are laid: those of the board; wider where hands hold tiles,
        since the board will grow, and so that rows of neighbours do not cross at its corners."""
        west, south, east, north = bounds(self._board)
        along, across = self._longest_tile_row(0), self._longest_tile_row(1)
        more = max(0.0, along - (east - west)) / 2, max(0.0, across - (north - south)) / 2
        return west - more[0], south - more[1], east + more[0], north + more[1]

    def _longest_tile_row(self, side: int) -> float:
        """Length in spaces, over the hands of the seats on this side of the board and on the opposite one."""
        hands = (
            pieces
            for (zone, seat), pieces in self._aside.items()
            if zone is Zone.HAND and seat is not None and seat % 2 == side and pieces[0][0].kind is Kind.TILE
        )
        rows = (hand[:_ROW_LENGTH] for hand in hands)
        return max((sum(2 * half_extent(piece) + _GAP for piece, *_ in row) for row in rows), default=0.0)


def square_names(files: int, ranks: int) -> tuple[str, ...]:
    """The names of the squares of a board: a1, b1, ... then a2."""
    return tuple(f"{chr(97 + file)}{rank + 1}" for rank in range(ranks) for file in range(files))


@lru_cache(maxsize=16)
def _grid_of_backs(files: int, ranks: int) -> tuple[tuple[Placed, ...], tuple[Place, ...]]:
    """Tiles and places of such a board."""
    tiles = tuple(
        Placed(tile(), f"board{column}{row}", 2 * column + 1.5, 2 * row + 1.5, Face.BACK)
        for row in range(ranks // 2)
        for column in range(files // 2)
    )
    spots = ((file + 1, rank + 1) for rank in range(ranks) for file in range(files))
    return tiles, tuple(Place(name, *spot) for name, spot in zip(square_names(files, ranks), spots, strict=True))


class _Sides:
    """Rows beside the board. Seats 0 to 3 sit south, west, north and east: clockwise."""

    def __init__(self, west: float, south: float, east: float, north: float) -> None:
        self._corners = (west, south), (west, south), (east, north), (east, north), (east, south)
        self._depth: dict[int, float] = defaultdict(lambda: _FIRST_ROW_DISTANCE)

    def row(self, owner: tuple[Zone, int | None], pieces: tuple[_Waiting, ...]) -> tuple[Placed, ...]:
        """The pieces of one zone in rows along one side, behind the zones laid there before."""
        side = 4 if owner[1] is None else owner[1] % 4
        x, y = self._corners[side]
        start = (x + max(2.0, self._depth[3]) if side == 4 else x), y
        placed, self._depth[side] = _rows(owner, pieces, side, start, self._depth[side])
        return placed


_ALONG, _OUTWARDS = ((1, 0), (0, 1), (-1, 0), (0, -1), (0, 1)), ((0, -1), (-1, 0), (0, 1), (1, 0), (1, 0))
"""Of each side: the direction of its rows, and away from the board."""


@lru_cache(maxsize=256)
def _rows(
    owner: tuple[Zone, int | None], pieces: tuple[_Waiting, ...], side: int, start: tuple[float, float], depth: float
) -> tuple[tuple[Placed, ...], float]:
    """The pieces in rows, and the depth behind them; cached, since most positions of a game share them."""
    (x, y), (right, up), (outwards, upwards), (zone, seat) = start, _ALONG[side], _OUTWARDS[side], owner
    along = reach = 0.0
    placed = []
    for index, (piece, key, face, pose) in enumerate(pieces):
        half = half_extent(piece)
        if index and index % _ROW_LENGTH == 0:
            depth, along, reach = depth + 2 * reach + _GAP, 0.0, 0.0
        across, away = along + half, depth + half
        spot = x + right * across + outwards * away, y + up * across + upwards * away
        placed.append(Placed(piece, key, *spot, face, pose=pose, zone=zone, seat=seat))
        along += 2 * half + _GAP
        reach = max(reach, half)
    return tuple(placed), depth + 2 * reach + 3 * _GAP
