"""Draws detected pieces over the picture, for diagnosis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from vision.frame import Picture
from vision.piece import DetectedPiece

COLOURS: Final = {
    "tile": (0, 220, 0),
    "coin": (0, 200, 255),
    "die": (255, 0, 255),
    "pawn": (255, 160, 0),
    "pyramid": (0, 90, 255),
    "card": (255, 255, 0),
}
SHADOW: Final = (0, 0, 0)


def caption(piece: DetectedPiece) -> str:
    suit = piece.suit.letter if piece.suit else ""
    rank = "" if piece.rank is None else str(int(piece.rank))
    return (suit + rank) or {"back": "#", "upright": "^"}.get(piece.face or "", "")


def draw(image: Picture, pieces: Iterable[DetectedPiece]) -> Picture:
    canvas = image.copy()
    for piece in pieces:
        draw_piece(canvas, piece)
    return canvas


def draw_piece(canvas: Picture, piece: DetectedPiece) -> None:
    outline = np.round(piece.outline).astype(np.int32)
    colour = COLOURS[piece.kind]
    cv2.polylines(canvas, [outline], True, colour, 2 if piece.confidence > 0.8 else 1, cv2.LINE_AA)
    x, y = (int(value) for value in piece.center)
    if piece.angle is not None:
        turn = np.deg2rad(piece.angle)
        reach = 0.35 * float(np.ptp(outline[:, 0]))
        tip = (int(x - reach * np.sin(turn)), int(y - reach * np.cos(turn)))
        cv2.line(canvas, (x, y), tip, colour, 1, cv2.LINE_AA)
    write(canvas, caption(piece), (x - 6, y + 5), colour)


def write(canvas: Picture, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    for thick, ink in ((3, SHADOW), (1, colour)):
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, thick, cv2.LINE_AA)
