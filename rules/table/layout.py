"""The expected table: which pieces lie where according to the rules.

The unit is the *space*: half a tile side (one inch with the reference set). x grows to the east, y to the north,
angles are degrees counter-clockwise, a piece's x, y is its centre. `Layout.pieces` are ordered from the bottom to the
top: of two that overlap the later one lies on top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from rules.pieces import Face, Kind, Piece, Pose, Rank, Suit, parse_piece
from rules.pieces.sizes import half_extent

_GRIDS = tuple(map(re.compile, (r"([a-z])(\d+)", r"x(-?\d+)y(-?\d+)", r"\d:(\d+)-(\d+)", r"(-?\d+)[:/](-?\d+)")))
_TILE_BACK, _CARD_BACK = Piece(Kind.TILE), Piece(Kind.CARD)
_COIN_VALUES = {rank: Piece(Kind.COIN, None, rank) for rank in (*Rank, None)}
_COIN_SUITS = {suit: Piece(Kind.COIN, suit, None) for suit in (*Suit, None)}


class Zone(StrEnum):
    __hash__ = str.__hash__

    BOARD = "board"
    HAND = "hand"
    SPENT = "spent"
    SUPPLY = "supply"


@dataclass(slots=True)
class Placed:
    """A piece with its pose on the table.

    `key` identifies the piece from frame to frame without revealing what is hidden: the key of an unseen face-down tile
    must not contain its value. `level` counts the pieces beneath it. `lean`: by how many thicknesses the east and the
    north side are raised. `place`: name of the place on the board. Never changed once made; not frozen, because a
    search makes thousands and a frozen one takes four times as long.
    """

    piece: Piece
    key: str
    x: float = 0.0
    y: float = 0.0
    face: Face | None = None
    angle: float = 0.0
    level: int = 0
    lean: tuple[int, int] = (0, 0)
    pose: Pose | None = None
    zone: Zone = Zone.BOARD
    seat: int | None = None
    place: str = ""

    def __hash__(self) -> int:
        """Of what differs between layouts, without the hash of the piece."""
        what = self.piece
        return hash(
            (self.key, self.x, self.y, self.face, self.angle, self.level, self.pose, what.suit, what.rank, what.mark)
        )

    @property
    def shown(self) -> Piece:
        """The piece reduced to what its visible side shows (PP-4, PP-5)."""
        piece = self.piece
        if self.face is None:
            return piece
        if piece.kind is Kind.TILE and self.face is Face.BACK:
            return _TILE_BACK
        if piece.kind is Kind.CARD and self.face is Face.BACK:
            return _CARD_BACK
        if piece.kind is Kind.COIN and self.face is Face.FRONT:
            return _COIN_VALUES[piece.rank]
        if piece.kind is Kind.COIN and self.face is Face.BACK:
            return _COIN_SUITS[piece.suit]
        return piece

    def to_json(self) -> dict[str, object]:
        piece = self.piece
        return {
            "key": self.key,
            "kind": piece.kind.value,
            "suit": piece.suit.value if piece.suit else None,
            "value": piece.rank.word if piece.rank is not None else None,
            "size": piece.size.value if piece.size else None,
            "mark": piece.mark,
            "code": piece.code,
            "face": self.face.value if self.face else None,
            "pose": self.pose.value if self.pose else None,
            "position": [self.x, self.y],
            "angle_deg": self.angle,
            "level": self.level,
            "lean": list(self.lean),
            "zone": self.zone.value,
            "seat": self.seat,
            "place": self.place,
        }

    @staticmethod
    def from_json(data: dict[str, object]) -> Placed:
        x, y = _pair(data["position"])
        east, north = _pair(data.get("lean", [0, 0]))
        seat = data.get("seat")
        return Placed(
            piece=parse_piece(str(data["code"])),
            key=str(data["key"]),
            x=x,
            y=y,
            face=Face(str(data["face"])) if data.get("face") else None,
            angle=float(str(data.get("angle_deg", 0.0))),
            level=int(str(data.get("level", 0))),
            lean=(int(east), int(north)),
            pose=Pose(str(data["pose"])) if data.get("pose") else None,
            zone=Zone(str(data.get("zone", "board"))),
            seat=None if seat is None else int(str(seat)),
            place=str(data.get("place", "")),
        )


def _pair(value: object) -> tuple[float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"expected a pair of numbers, not {value!r}")
    return float(value[0]), float(value[1])


@dataclass(slots=True, unsafe_hash=True)
class Place:
    """A named place of the board with its centre and size in spaces; on the page a cell that can be tapped. Never
    changed once made; not frozen, as `Placed`."""

    name: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0

    @property
    def grid(self) -> tuple[str, str] | None:
        """Column and row as people call them; None where the name does not contain them."""
        found = next(filter(None, (grid.fullmatch(self.name) for grid in _GRIDS)), None)
        return (found[1], found[2]) if found else None

    def to_json(self) -> dict[str, object]:
        position, size = [self.x, self.y], [self.width, self.height]
        return {"name": self.name, "position": position, "size": size, "grid": list(self.grid) if self.grid else None}


@dataclass(frozen=True, slots=True)
class Layout:
    """`borders` are lines to draw (x1, y1, x2, y2): pencils, coasts."""

    pieces: tuple[Placed, ...] = ()
    places: tuple[Place, ...] = ()
    borders: tuple[tuple[float, float, float, float], ...] = ()

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    def zone(self, zone: Zone, seat: int | None = None) -> tuple[Placed, ...]:
        return tuple(p for p in self.pieces if p.zone is zone and (seat is None or p.seat == seat))

    @property
    def board(self) -> tuple[Placed, ...]:
        return self.zone(Zone.BOARD)

    def at(self, place: str) -> tuple[Placed, ...]:
        """The pieces on a named place, from the bottom to the top."""
        return tuple(p for p in self.pieces if p.place == place and p.zone is Zone.BOARD)

    def by_key(self, key: str) -> Placed | None:
        return next((p for p in self.pieces if p.key == key), None)

    def to_json(self) -> dict[str, object]:
        return {
            "unit": "inch",
            "pieces": [p.to_json() for p in self.pieces],
            "places": [place.to_json() for place in self.places],
            "borders": [list(line) for line in self.borders],
        }


def bounds(pieces: Iterable[Placed]) -> tuple[float, float, float, float]:
    """West, south, east, north edge of the pieces, in spaces."""
    boxes = [(p.x, p.y, half_extent(p.piece)) for p in pieces]
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    return (
        min(x - h for x, _, h in boxes),
        min(y - h for _, y, h in boxes),
        max(x + h for x, _, h in boxes),
        max(y + h for _, y, h in boxes),
    )


@dataclass(frozen=True, slots=True)
class Appearance:
    """Visible features of a piece. None: not visible or not known. Dice and pyramids have no face."""

    piece: Piece
    face: Face | None = None
    pose: Pose | None = None

    def may_be(self, other: Appearance) -> bool:
        """Whether both can be the same piece lying the same way; an unknown feature matches any value."""
        one, two = self.piece, other.piece
        pairs = (self.face, other.face), (self.pose, other.pose), (one.suit, two.suit), (one.rank, two.rank)
        return one.kind is two.kind and all(
            a is None or b is None or a == b for a, b in (*pairs, (one.size, two.size), (one.mark, two.mark))
        )


def appearance_of(placed: Placed) -> Appearance:
    has_pose = placed.piece.kind is Kind.PYRAMID
    return Appearance(placed.shown, placed.face, (placed.pose or Pose.UPRIGHT) if has_pose else None)


def on_table(placed: Placed) -> bool:
    """Whether the piece is visible to all: on the board, in a hand, or a die. Spent and supplied pieces are not."""
    if placed.zone is Zone.SUPPLY:
        return placed.piece.kind is Kind.DIE
    return placed.zone in (Zone.BOARD, Zone.HAND)
