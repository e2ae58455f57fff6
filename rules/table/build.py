"""Lays a table out: a game says what lies where on the board and who owns what, the builder does the rest.

Coins in a hand have no exact place; the builder gives them a tidy one beside the board, on the side of their
seat, so that a picture, a drawing and the set-up help agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rules.pieces import Face, Piece, Pose, tile
from rules.table.layout import Layout, Place, Placed, Zone, bounds, half_extent

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

    def grid_of_backs(self, files: int, ranks: int, *, key: str = "board") -> None:
        """A board of face-down tiles whose spaces are a1 (centre 1, 1) to the north-east."""
        for row in range(ranks // 2):
            for column in range(files // 2):
                name = f"{key}{column}{row}"
                self.put(tile(), 2 * column + 1.5, 2 * row + 1.5, key=name, face=Face.BACK)
        for rank in range(ranks):
            for file in range(files):
                self.place(f"{chr(97 + file)}{rank + 1}", file + 1, rank + 1)

    def layout(self) -> Layout:
        sides = _Sides(*self._room_for_rows())
        # What is nobody's lies behind what is somebody's, however far that reaches.
        rows = sorted(self._aside.items(), key=lambda row: row[0][1] is None)
        aside = [placed for (zone, seat), pieces in rows for placed in sides.row(zone, seat, pieces)]
        return Layout(tuple(self._board + aside), tuple(self._places), tuple(self._borders))

    def _room_for_rows(self) -> tuple[float, float, float, float]:
        """The board's edges; of a board so small that the rows of neighbours would cross at its corners, wider: people
        leave it room to grow."""
        west, south, east, north = bounds(self._board)
        along = self._longest_row(0)
        if along <= east - west + _AWAY or self._longest_row(1) <= north - south + _AWAY:
            return west, south, east, north
        more = (along - (east - west)) / 2
        return west - more, south, east + more, north

    def _longest_row(self, side: int) -> float:
        """Of the seats on this side of the board and on the one opposite."""
        rows = [pieces[:_ROW] for (_, seat), pieces in self._aside.items() if seat is not None and seat % 2 == side]
        return max((sum(2 * half_extent(each.piece) + _GAP for each in row) for row in rows), default=0.0)


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
