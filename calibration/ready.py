"""Whether a picture of the lesson is good enough to be taken without a person: sharp, well lit, pieces apart, and not
the picture that was taken last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from calibration import light as lights
from calibration.guide import SHARP, sharpness
from calibration.lesson_task import LessonError, NamedPage
from rules.sentence import say
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.piece import DetectedPiece

APART: Final = 0.04
"""Pieces nearer to each other than this share of their size touch, as far as the eyes can tell."""
MOVED: Final = 0.3
"""A picture is another one where some piece lies this far (in its own size) from where any lay before."""
LYING: Final = ("tile", "coin", "die")
"""What stands may hide its neighbour's foot from the camera and yet stand apart from it."""
DARK: Final = 0.9
"""Stops by which the picture should be brighter."""
BLOWN: Final = 0.05
"""The share of the picture that is quite white; with more of it what is drawn there is lost."""
FLAT: Final = 0.15
"""Contrast of what is drawn on the pieces; with less it hardly stands out."""


def refuse_unready(image: Picture, page: NamedPage, before: Sequence[NamedPage]) -> None:
    """LessonError with what to do. `before`: the pictures that were taken for this step."""
    pieces = [each.piece for each in page.named]
    if any(lies_as(pieces, [each.piece for each in other.named]) for other in before):
        raise LessonError(say("this picture is taken; lay the pieces anew for the next one"))
    outlines = [piece.outline for piece in pieces]
    if sharpness(image, outlines) < SHARP / 2:
        raise LessonError(say("the picture is blurred: hold the camera still, let it focus, or give it more light"))
    light = lights.judge(image, outlines)
    if light.stops > DARK or light.contrast < FLAT:
        raise LessonError(say("the picture is too dark or too pale: it needs more light, and no lamp that mirrors"))
    if light.blown > BLOWN:
        raise LessonError(say("the picture is too bright: dim the lamp, or lower the exposure"))
    if page.step.kind in LYING and touch(outlines):
        raise LessonError(say("some pieces touch each other: lay them apart"))


def lies_as(pieces: Sequence[DetectedPiece], before: Sequence[DetectedPiece]) -> bool:
    """Whether every piece lies where one lay before."""
    if len(pieces) != len(before):
        return False
    there = np.array([piece.center for piece in before])
    return all(
        np.linalg.norm(there - piece.center, axis=1).min() < MOVED * np.sqrt(shape.area(piece.outline))
        for piece in pieces
    )


def touch(outlines: Sequence[Floats]) -> bool:
    """Whether two pieces have less than a hair between them."""
    order = sorted(outlines, key=lambda outline: float(outline[:, 0].min()))
    for place, one in enumerate(order):
        reach = APART * float(np.sqrt(shape.area(one)))
        for other in order[place + 1 :]:
            if other[:, 0].min() > one[:, 0].max() + reach:
                break
            if min(gap(one, other), gap(other, one)) < reach:
                return True
    return False


def gap(one: Floats, other: Floats) -> float:
    """How far the corners and the middles of the sides of the one lie outside the other; less than nothing inside."""
    ring = other.astype(np.float32).reshape(-1, 1, 2)
    middles = [(start + end) / 2 for start, end in pairwise([*one, one[0]])]
    return min(-cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in [*one, *middles])
