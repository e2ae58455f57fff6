"""Lays a table out: a game says what lies where on the board and who owns what, the builder does the rest.

Coins in a hand have no exact place; the builder gives them a tidy one beside the board, on the side of their
seat, so that a picture, a drawing and the set-up help agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from rules.pieces import Face, Kind, Piece, Pose, tile
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Place, Placed, Zone, bounds

_GAP = 0.12
_ROW = 12
_AWAY = 0.6
"""So far from the board the first row lies."""


class LayoutBuilder:
    def __init__(self) -> None:
        self._board: list[Placed] = []
        self._aside: dict[tuple[Zone, int | None], list[Placed]] = defaultdict(list)
        self._places: list[Place] = []
        self._borders: list[tuple[float, float, float, float]] = []

    def place(self, name: str, x: float, y: float, width: float = 1.0, height: float = 1.0) -> None:
        """Name a place of the board."""
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
        """Put a piece on the board, on top of what was put there before."""
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
        """Put a piece into a hand, among the spent ones or into the supply."""
        self._aside[zone, seat].append(Placed(piece, key, face=face, pose=pose, zone=zone, seat=seat))

    def grid_of_backs(self, files: int, ranks: int) -> None:
        """A board of face-down tiles whose spaces are a1 (centre 1, 1) to the north-east."""
        tiles, places = _grid_of_backs(files, ranks)
        self._board += tiles
        self._places += places

    def layout(self) -> Layout:
        sides = _Sides(*self._room_for_rows())
        # What is nobody's lies behind what is somebody's, however far that reaches.
        rows = sorted(self._aside.items(), key=lambda row: row[0][1] is None)
        aside = [placed for (zone, seat), pieces in rows for placed in sides.row(zone, seat, pieces)]
        return Layout(tuple(self._board + aside), tuple(self._places), tuple(self._borders))

    def _room_for_rows(self) -> tuple[float, float, float, float]:
        """The board's edges; wider where people hold tiles that they are to lay: they leave the board room to grow, and
        the rows of neighbours do not cross at its corners."""
        west, south, east, north = bounds(self._board)
        along, across = self._longest_row_of_tiles(0), self._longest_row_of_tiles(1)
        more = max(0.0, along - (east - west)) / 2, max(0.0, across - (north - south)) / 2
        return west - more[0], south - more[1], east + more[0], north + more[1]

    def _longest_row_of_tiles(self, side: int) -> float:
        """In hands of the seats on this side of the board and on the one opposite."""
        hands = (
            pieces
            for (zone, seat), pieces in self._aside.items()
            if zone is Zone.HAND and seat is not None and seat % 2 == side and pieces[0].piece.kind is Kind.TILE
        )
        return max((sum(2 * half_extent(each.piece) + _GAP for each in row[:_ROW]) for row in hands), default=0.0)


@lru_cache(maxsize=16)
def _grid_of_backs(files: int, ranks: int) -> tuple[tuple[Placed, ...], tuple[Place, ...]]:
    """The tiles and the spaces of such a board, which every position of a game has."""
    tiles = tuple(
        Placed(tile(), f"board{column}{row}", 2 * column + 1.5, 2 * row + 1.5, Face.BACK)
        for row in range(ranks // 2)
        for column in range(files // 2)
    )
    places = (
        Place(f"{chr(97 + file)}{rank + 1}", file + 1, rank + 1) for rank in range(ranks) for file in range(files)
    )
    return tiles, tuple(places)


class _Sides:
    """Where the seats sit: south, west, north, east; clockwise, as everywhere."""

    def __init__(self, west: float, south: float, east: float, north: float) -> None:
        self.west, self.south, self.east, self.north = west, south, east, north
        self._depth: dict[int, float] = defaultdict(lambda: _AWAY)

    def row(self, zone: Zone, seat: int | None, pieces: list[Placed]) -> Iterable[Placed]:
        """The pieces of one zone in rows along one side; each zone of a side lies behind the one before."""
        side = 4 if seat is None else seat % 4
        along = 0.0
        depth = self._depth[side]
        reach = 0.0
        for index, placed in enumerate(pieces):
            half = half_extent(placed.piece)
            if index and index % _ROW == 0:
                depth, along, reach = depth + 2 * reach + _GAP, 0.0, 0.0
            x, y = self._spot(side, along + half, depth + half)
            along += 2 * half + _GAP
            reach = max(reach, half)
            # Spelled out, because `dataclasses.replace` would cost more than all the rest of a layout.
            yield Placed(placed.piece, placed.key, x, y, placed.face, pose=placed.pose, zone=zone, seat=placed.seat)
        self._depth[side] = depth + 2 * reach + 3 * _GAP

    def _spot(self, side: int, along: float, depth: float) -> tuple[float, float]:
        if side == 0:
            return self.west + along, self.south - depth
        if side == 1:
            return self.west - depth, self.south + along
        if side == 2:
            return self.east - along, self.north + depth
        if side == 3:
            return self.east + depth, self.north - along
        return self.east + max(2.0, self._depth[3]) + depth, self.south + along
