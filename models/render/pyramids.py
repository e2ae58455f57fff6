"""What is printed on pyramids: pips on Looney pyramids, a suit mark and ticks on those of a piecepack; clear or not."""

import cv2
import numpy as np

from models.render import art, mesh, shapes
from models.render.art import Painted
from models.render.edition import PaintedSet
from models.render.materials import Picture
from models.render.raster import Doubles
from models.render.scene import Body

_PX = 64
_PIPS = {"small": 1, "medium": 2, "large": 3}
_COLOURS = {
    "white": (235.0, 238.0, 238.0),
    "yellow": (40.0, 205.0, 240.0),
    "orange": (30.0, 120.0, 235.0),
    "purple": (150.0, 50.0, 110.0),
    "cyan": (205.0, 190.0, 60.0),
    "pink": (170.0, 120.0, 235.0),
    "black": (30.0, 28.0, 28.0),
    "red": (45.0, 40.0, 190.0),
    "green": (50.0, 120.0, 35.0),
    "blue": (170.0, 70.0, 30.0),
}


def sides(body: Body, edition: PaintedSet) -> dict[int, Painted]:
    """The pictures of a pyramid's faces; the triangle stands on the lower edge of each."""
    own = edition.pyramid_colours or edition.pawn_colours
    colour = np.array(_COLOURS.get(body.value or "") or own[body.suit or "suns"])
    size = body.size or "small"
    blank = np.full((_PX, _PX, 3), colour, np.float32).astype(np.uint8)
    ink = np.array((235.0, 240.0, 240.0) if float(colour.sum()) < 480 else (30.0, 30.0, 30.0))
    hollow = np.full((4, 4, 3), colour * 0.45, np.float32).astype(np.uint8)
    slots = {mesh.BOTTOM: Painted(hollow)}
    if size in _PIPS:
        faces = [_pipped(blank, _PIPS[size] if edition.pyramid_pips else 0, ink)] * 4
    else:
        faces = [_marked(blank, body, edition, ink), *(_ticked(blank, turn, ink) for turn in range(1, 4))]
    for index, face in enumerate(faces):
        shown = _with_bright_edges(face) if edition.pyramid_clear else face
        slots[shapes.FIRST_FACE + index] = Painted(shown)
    return slots


def _pipped(blank: Picture, count: int, ink: Doubles) -> Picture:
    face = blank.copy()
    for pip in range(count):
        x = _PX / 2 + (pip - (count - 1) / 2) * 15
        cv2.circle(face, (round(x), 56), 4, ink.tolist(), -1, cv2.LINE_AA)
    return face


def _marked(blank: Picture, body: Body, edition: PaintedSet, ink: Doubles) -> Picture:
    """The face that shows the suit."""
    if body.suit is None:
        return blank
    cover = art.stamp(_PX, edition.suit_marks[body.suit], (0.5, 0.72, 0.42))[:, :, None]
    return np.asarray(blank * (1 - cover) + ink * cover, np.uint8)


def _ticked(blank: Picture, turn: int, ink: Doubles) -> Picture:
    """A face that says how far it is from the one with the suit: ticks along the base, a quarter turn each."""
    face = blank.copy()
    for tick in range(turn):
        x = round(_PX / 2 + (tick - (turn - 1) / 2) * 9)
        cv2.line(face, (x, 48), (x, 58), ink.tolist(), 3, cv2.LINE_AA)
    return face


def _with_bright_edges(face: Picture) -> Picture:
    """Edges of clear plastic catch the light, and gather its colour just inside."""
    last = _PX - 1
    corners = np.array([[0, last], [last, last], [last // 2, 0]], np.int32)
    deep = np.asarray(face * np.float32(0.72), np.uint8)
    rim = np.zeros((_PX, _PX), np.uint8)
    cv2.polylines(rim, [corners], True, 255, 9, cv2.LINE_AA)
    inner = cv2.GaussianBlur(rim, (0, 0), 3.0)[:, :, None] / np.float32(255)
    shaded = face * (1 - inner) + deep * inner
    glint = np.zeros((_PX, _PX), np.uint8)
    cv2.polylines(glint, [corners], True, 255, 2, cv2.LINE_AA)
    share = glint[:, :, None] / np.float32(255) * np.float32(0.85)
    return np.asarray(shaded * (1 - share) + 255.0 * share, np.uint8)
