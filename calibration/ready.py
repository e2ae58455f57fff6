"""Whether a picture of the lesson is good enough to be stored automatically: sharp, well lit, pieces apart, and not
stored already."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from calibration import light as lights
from calibration.guide import MIN_SHARPNESS, sharpness
from calibration.lesson_task import LessonError, NamedPage
from rules.sentence import say
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.piece import DetectedPiece

MIN_GAP: Final = 0.04
"""Distance, as a share of the piece's size, below which pieces may touch."""
MIN_MOVED: Final = 0.3
"""Distance, as a share of the piece's size, from all former positions at which a picture counts as another one."""
LYING: Final = ("tile", "coin", "die")
"""Kinds that must lie apart; a standing piece may cover its neighbour's foot in the picture without touching it."""
MAX_DARK_STOPS: Final = 0.9
"""Largest underexposure (stops)."""
MAX_BLOWN: Final = 0.05
"""Largest share of the picture that is overexposed."""
MIN_CONTRAST: Final = 0.15
"""Least contrast of the pieces' drawings."""


def refuse_unready(image: Picture, page: NamedPage, before: Sequence[NamedPage]) -> None:
    """LessonError where a picture is not good enough. `before`: the pictures stored for this step."""
    pieces = [each.piece for each in page.named]
    if any(is_same_layout(pieces, [each.piece for each in other.named]) for other in before):
        raise LessonError(say("this picture is taken; lay the pieces anew for the next one"))
    outlines = [piece.outline for piece in pieces]
    if sharpness(image, outlines) < MIN_SHARPNESS / 2:
        raise LessonError(say("the picture is blurred: hold the camera still, let it focus, or give it more light"))
    light = lights.judge(image, outlines)
    if light.stops > MAX_DARK_STOPS or light.contrast < MIN_CONTRAST:
        raise LessonError(say("the picture is too dark or too pale: it needs more light, and no lamp that mirrors"))
    if light.blown > MAX_BLOWN:
        raise LessonError(say("the picture is too bright: dim the lamp, or lower the exposure"))
    if page.step.kind in LYING and any_touching(outlines):
        raise LessonError(say("some pieces touch each other: lay them apart"))


def is_same_layout(pieces: Sequence[DetectedPiece], before: Sequence[DetectedPiece]) -> bool:
    """Whether every piece lies where one lay before."""
    if len(pieces) != len(before):
        return False
    there = np.array([piece.center for piece in before])
    return all(
        np.linalg.norm(there - piece.center, axis=1).min() < MIN_MOVED * np.sqrt(shape.area(piece.outline))
        for piece in pieces
    )


def any_touching(outlines: Sequence[Floats]) -> bool:
    """Whether two pieces are nearer to each other than MIN_GAP."""
    order = sorted(outlines, key=lambda outline: float(outline[:, 0].min()))
    for place, one in enumerate(order):
        reach = MIN_GAP * float(np.sqrt(shape.area(one)))
        for other in order[place + 1 :]:
            if other[:, 0].min() > one[:, 0].max() + reach:
                break
            if min(outline_distance(one, other), outline_distance(other, one)) < reach:
                return True
    return False


def outline_distance(one: Floats, other: Floats) -> float:
    """Least distance (pixels) of one outline's corners and mid-sides from the other; negative inside."""
    ring = other.astype(np.float32).reshape(-1, 1, 2)
    middles = [(start + end) / 2 for start, end in pairwise([*one, one[0]])]
    return min(-cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in [*one, *middles])
