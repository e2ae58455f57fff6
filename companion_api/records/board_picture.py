"""Draws a layout into pixels for shared files, like the page's SVG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind, Pose, Rank, Suit
from rules.pieces.sizes import half_extent, half_sides, pyramid_base
from rules.table.layout import Layout, Placed, Zone, bounds

Picture = NDArray[np.uint8]
Polygon = NDArray[np.float64]
Colour = tuple[int, int, int]

PAPER: Colour = (230, 239, 244)
INK: Colour = (38, 35, 28)
EDGE: Colour = (85, 122, 138)
TILE: Colour = (198, 227, 239)
COIN: Colour = (218, 240, 248)
SUITS: dict[Suit | None, Colour] = {
    Suit.SUNS: (30, 39, 179),
    Suit.MOONS: (46, 43, 38),
    Suit.CROWNS: (0, 110, 150),
    Suit.ARMS: (168, 95, 31),
    None: (138, 74, 107),
}
_SHIFT = 4  # cv2's fixed point: 1/16 pixel
_MARGIN = 0.6
_FRAME = 0.08  # distance of the frame from its piece
MOVED: Colour = (208, 95, 29)


def _circle(x: float, y: float, radius: float, points: int = 24, start: float = 0.0, sweep: float = 360.0) -> Polygon:
    angles = np.radians(start + np.linspace(0, sweep, points))
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


def _ray(turn: float) -> Polygon:
    angles = np.radians([turn - 11, turn, turn + 11])
    radii = np.array([0.58, 1.0, 0.58])
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def _crescent() -> Polygon:
    outer = _circle(-0.1, 0.0, 0.95, 40, 52, 256)
    inner = _circle(0.22, 0.0, 0.74, 40, 292, -224)
    return np.concatenate([outer, inner])


def _fleur() -> list[Polygon]:
    middle = np.array([[0, -1.0], [0.27, -0.5], [0.13, 0.15], [0.2, 0.9], [-0.2, 0.9], [-0.13, 0.15], [-0.27, -0.5]])
    leaf = np.array([[0.17, 0.2], [0.32, -0.2], [0.6, -0.45], [0.88, -0.25], [0.88, 0.1], [0.62, 0.3], [0.66, 0.02]])
    leaf = np.concatenate([leaf, [[0.5, 0.05], [0.36, 0.35]]])
    band = np.array([[-0.42, 0.3], [0.42, 0.3], [0.42, 0.45], [-0.42, 0.45]])
    return [middle, leaf, leaf * [-1, 1], band]


_CROWN = np.array([[-0.85, 0.7], [-1, -0.5], [-0.45, 0.05], [0, -0.85], [0.45, 0.05], [1, -0.5], [0.85, 0.7]])

SHAPES: dict[Suit, list[Polygon]] = {
    Suit.SUNS: [_circle(0, 0, 0.5), *(_ray(turn) for turn in range(0, 360, 45))],
    Suit.MOONS: [_crescent()],
    Suit.CROWNS: [_CROWN],
    Suit.ARMS: _fleur(),
}
"""Outline polygons of each suit in a box from -1 to 1, y downwards."""


class BoardPicture:
    """A picture with board coordinates: spaces, y upwards."""

    def __init__(self, west: float, south: float, east: float, north: float, scale: int) -> None:
        self.west, self.north, self.scale = west, north, scale
        # video codecs need even sides
        width, height = (2 * round((side * scale) / 2) for side in (east - west, north - south))
        self.image: Picture = np.full((height, width, 3), PAPER, np.uint8)

    def polygon(self, points: Polygon, colour: Colour, edge: Colour | None = None) -> None:
        pixels = np.round((points * [1, -1] + [-self.west, self.north]) * self.scale * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(self.image, [pixels], colour, cv2.LINE_AA, _SHIFT)
        if edge is not None:
            cv2.polylines(self.image, [pixels], True, edge, max(1, self.scale // 40), cv2.LINE_AA, _SHIFT)

    def text(self, text: str, x: float, y: float, size: float, colour: Colour) -> None:
        """Centred text; `size`: height of a capital in spaces."""
        scale = size * self.scale / 22
        thickness = max(1, round(size * self.scale / 9))
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
        at = (round((x - self.west) * self.scale - width / 2), round((self.north - y) * self.scale + height / 2))
        cv2.putText(self.image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thickness, cv2.LINE_AA)

    def suit(self, suit: Suit, x: float, y: float, size: float, colour: Colour | None = None) -> None:
        for shape in SHAPES[suit]:
            self.polygon(shape * [size, -size] + [x, y], colour or SUITS[suit])


def bounding_box(layouts: list[Layout]) -> tuple[float, float, float, float]:
    """Bounding box of all layouts with a margin, so that a film does not jump."""
    boxes = [bounds(layout.pieces) for layout in layouts]
    west, south = min(b[0] for b in boxes) - _MARGIN, min(b[1] for b in boxes) - _MARGIN
    east, north = max(b[2] for b in boxes) + _MARGIN, max(b[3] for b in boxes) + _MARGIN
    return west, south, east, north


def draw(
    layout: Layout,
    box: tuple[float, float, float, float] | None = None,
    longest: int = 1200,
    before: Layout | None = None,
) -> Picture:
    """The whole layout with hands and supply; pieces new or moved since `before` are framed."""
    west, south, east, north = box or bounding_box([layout])
    scale = max(8, int(longest / max(east - west, north - south)))
    board = BoardPicture(west, south, east, north, scale)
    for placed in layout.pieces:
        _DRAW[placed.piece.kind](board, placed)
    for x1, y1, x2, y2 in layout.borders:
        _line(board, x1, y1, x2, y2)
    if before is not None:
        _mark(board, before, layout)
    return board.image


def _mark(board: BoardPicture, before: Layout, now: Layout) -> None:
    """Frames new and moved pieces and draws a line from their old place."""
    old_places = {placed.key: placed for placed in before.pieces}
    for placed in now.board:
        old = old_places.get(placed.key)
        if old is not None and (old.x, old.y, old.face, old.pose) == (placed.x, placed.y, placed.face, placed.pose):
            continue
        half = half_extent(placed.piece) + _FRAME
        corners = _box(half, half) + [placed.x, placed.y]
        for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            _line(board, float(x1), float(y1), float(x2), float(y2), MOVED)
        if old is not None and old.zone is Zone.BOARD:
            _line(board, old.x, old.y, placed.x, placed.y, MOVED)


def _line(board: BoardPicture, x1: float, y1: float, x2: float, y2: float, colour: Colour = INK) -> None:
    along = np.array([x2 - x1, y2 - y1])
    side = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9) * 0.06
    ends = np.array([[x1, y1], [x2, y2]])
    board.polygon(np.array([ends[0] + side, ends[1] + side, ends[1] - side, ends[0] - side]), colour)


def _turned(points: Polygon, placed: Placed) -> Polygon:
    c, s = np.cos(np.radians(placed.angle)), np.sin(np.radians(placed.angle))
    turned: Polygon = points @ np.array([[c, s], [-s, c]]) + [placed.x, placed.y]
    return turned


def _box(width: float, height: float) -> Polygon:
    return np.array([[-width, -height], [width, -height], [width, height], [-width, height]])


def _tile(board: BoardPicture, placed: Placed) -> None:
    board.polygon(_turned(_box(0.97, 0.97), placed), TILE, EDGE)
    piece = placed.shown
    if placed.face is Face.BACK or piece.suit is None:
        for bar in (_box(0.9, 0.012), _box(0.012, 0.9)):
            board.polygon(_turned(bar, placed), EDGE)
        return
    corner = _turned(np.array([[-0.68, 0.68]]), placed)[0]
    board.suit(piece.suit, float(corner[0]), float(corner[1]), 0.17)
    if piece.rank is Rank.ACE:
        board.suit(piece.suit, placed.x, placed.y, 0.5)
    elif piece.rank:
        board.text(str(int(piece.rank)), placed.x, placed.y, 0.7, SUITS[piece.suit])


def _coin(board: BoardPicture, placed: Placed) -> None:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    lift = 0.04 * placed.level
    rim = half_extent(placed.piece) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    circle = rim + [placed.x + lift, placed.y + lift]
    board.polygon(circle, COIN, EDGE)
    piece = placed.shown
    if piece.suit is not None:
        board.suit(piece.suit, placed.x + lift, placed.y + lift, 0.2)
    elif piece.rank:
        board.text("a" if piece.rank is Rank.ACE else str(int(piece.rank)), placed.x + lift, placed.y + lift, 0.3, INK)


def _die(board: BoardPicture, placed: Placed) -> None:
    board.polygon(_turned(_box(*half_sides(placed.piece)), placed), SUITS[placed.piece.suit], INK)
    if placed.piece.rank:
        text = "a" if placed.piece.rank is Rank.ACE else str(int(placed.piece.rank))
        board.text(text, placed.x, placed.y, 0.24, (255, 255, 255))


def _pawn(board: BoardPicture, placed: Placed) -> None:
    colour = SUITS[placed.piece.suit]
    body = np.array([[-0.3, -0.3], [0.3, -0.3], [0.1, 0.15], [-0.1, 0.15]]) + [placed.x, placed.y]
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    head = 0.19 * np.stack([np.cos(angles), np.sin(angles)], axis=1) + [placed.x, placed.y + 0.22]
    board.polygon(body, colour, PAPER)
    board.polygon(head, colour, PAPER)
    if placed.piece.suit is not None:
        board.suit(placed.piece.suit, placed.x, placed.y - 0.14, 0.1, (255, 255, 255))


def _pyramid(board: BoardPicture, placed: Placed) -> None:
    size = placed.piece.size
    half = pyramid_base(size) / 2
    if placed.pose is Pose.FLAT:
        board.polygon(
            _turned(np.array([[-half, -half], [half, -half], [0, 1.6 * half]]), placed), SUITS[placed.piece.suit], INK
        )
        return
    board.polygon(_turned(_box(half, half), placed), SUITS[placed.piece.suit], INK)
    label = {"small": "1", "medium": "2", "large": "3"}.get(size.value, size.value) if size else ""
    board.text(label, placed.x, placed.y, half * 0.8, (255, 255, 255))


def _card(board: BoardPicture, placed: Placed) -> None:
    board.polygon(_turned(_box(*half_sides(placed.piece)), placed), (248, 253, 255), EDGE)
    if placed.face is Face.BACK or not placed.shown.mark:
        board.polygon(_turned(_box(1.0, 1.5), placed), EDGE)
    else:
        board.text(placed.shown.mark, placed.x, placed.y, 0.6, INK)


_DRAW = {Kind.TILE: _tile, Kind.COIN: _coin, Kind.DIE: _die, Kind.PAWN: _pawn, Kind.PYRAMID: _pyramid, Kind.CARD: _card}
