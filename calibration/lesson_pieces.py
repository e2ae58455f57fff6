"""Selects the pieces of a picture of the lesson from its detections and a person's boxes: without those of a very
different size, as many as there must be, in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.lesson_task import Boxes, FewFoundError, LessonError, LessonTask
from rules.pieces import Face, Kind
from rules.sentence import say
from rules.table.observed import Identity
from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import FrameResult, TableReader

MAX_SIZE_RATIO: Final = 0.35
"""Largest log ratio of sizes of an outline and the drawn box that it belongs to."""
MIN_CERTAINTY: Final = 0.6
"""Certainty below which surplus detections are dropped."""


def boxed_pieces(
    eyes: TableReader, look: FrameResult, task: LessonTask, boxes: Boxes
) -> list[tuple[DetectedPiece, Identity]]:
    """Pieces and names of a person's boxes, outlined by the outliner, or by the box where that does not agree."""
    corners = [np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) for _, (x0, y0, x1, y1) in boxes]
    drawn = [Detection(task.kind, 1.0, quad.mean(axis=0), outline_in_box(task.kind, quad)) for quad in corners]
    outlined = eyes.outline_once(Layers(look.frame.image), drawn) if drawn else []
    better = [found if agrees_with_box(found, box) else box for found, box in zip(outlined, drawn, strict=True)]
    face = None if task.face is None else Face(task.face)
    return [
        (DetectedPiece(Kind(task.kind), box.center, found.outline, 1.0, face), name)
        for box, found, (name, _) in zip(drawn, better, boxes, strict=True)
    ]


def outline_in_box(kind: str, corners: Floats) -> Floats:
    if kind != "coin":
        return corners
    round_ = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    return np.asarray(
        corners.mean(axis=0) + np.stack([np.cos(round_), np.sin(round_)], axis=1) * np.ptp(corners, axis=0) / 2
    )


def agrees_with_box(found: Detection, box: Detection) -> bool:
    size = np.maximum(np.ptp(box.outline, axis=0), 1.0)
    growth = np.abs(np.log(np.ptp(found.outline, axis=0) / size))
    moved = np.abs(found.outline.mean(axis=0) - box.outline.mean(axis=0)) / size
    return found.kind == box.kind and bool((growth < MAX_SIZE_RATIO).all() and (moved < MAX_SIZE_RATIO / 2).all())


def selected_pieces(
    look: FrameResult, step: LessonTask, incomplete: bool, drawn: Sequence[DetectedPiece] = ()
) -> list[DetectedPiece]:
    """The step's pieces, exactly as many as there must be, those `drawn` by a person first; LessonError if not. With
    `incomplete` three quarters of them suffice and a detected hand is ignored."""
    if look.has_hand and not (incomplete or drawn):
        raise LessonError(say("a hand is in the picture: take it away and take the picture again"))
    seen = (piece for piece in look.pieces if piece.kind == step.kind and is_outside(piece, drawn))
    found = without_size_outliers([*drawn, *seen])
    others = [piece for piece in found if not any(piece is each for each in drawn)]
    pieces = [*drawn, *sorted(others, key=lambda piece: -piece.certainty)]
    count = required_count(step, len(pieces), len(drawn))
    while len(pieces) > count and (pieces[-1].certainty < MIN_CERTAINTY or (drawn and len(pieces) > len(drawn))):
        pieces.pop()
    what = step.things
    if not pieces:
        raise FewFoundError(say("no {what} in the picture. {words}", what=what, words=step.words))
    if len(pieces) < (0.75 * count if incomplete else count):
        raise FewFoundError(
            say(
                "only {given} of {count} {what} were found: lay all of them in the picture, not "
                "touching, without glare, and nearer to the camera if they look small",
                given=len(pieces),
                count=count,
                what=what,
            )
        )
    if len(pieces) > count:
        raise LessonError(
            say(
                "{given} {what} were found, but a set has {count}: take away anything that is not a piece of this set",
                given=len(pieces),
                what=what,
                count=count,
            )
        )
    return pieces


def required_count(step: LessonTask, found: int, drawn: int) -> int:
    """Number of pieces that the picture must show, given the numbers found and drawn."""
    if not step.multiple:
        return len(step.names)
    if drawn and drawn % step.multiple == 0:
        return drawn  # a person has shown all of them
    return max(step.multiple, round(found / step.multiple) * step.multiple)


def is_outside(piece: DetectedPiece, drawn: Sequence[DetectedPiece]) -> bool:
    """Whether its centre lies in no drawn piece."""
    middle = piece.outline.mean(axis=0)
    return not any(((each.outline.min(axis=0) < middle) & (middle < each.outline.max(axis=0))).all() for each in drawn)


def without_size_outliers(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces without those far larger or smaller than the median."""
    areas = np.array([shape.area(piece.outline) for piece in pieces])
    middle = float(np.median(areas)) if len(areas) else 0.0
    return [piece for piece, area in zip(pieces, areas, strict=True) if 0.45 * middle < area < 2.2 * middle]


def refuse_wrong_side(pieces: Sequence[DetectedPiece], step: LessonTask) -> None:
    """LessonError where many pieces show the other side, for steps that name pieces (coins of the other step); which
    side of a tile is its back is taught by the lesson."""
    wrong = sum(piece.face != step.face for piece in pieces)
    if step.face is not None and step.questions and wrong > 0.45 * len(pieces):
        raise LessonError(
            say(
                "{wrong} of {given} {what} seem to have the wrong side up. {words}",
                wrong=wrong,
                given=len(pieces),
                what=step.things,
                words=step.words,
            )
        )


def reading_order(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces in reading order: row by row from the top left."""
    if not pieces:
        return []
    height = float(np.median([np.ptp(piece.outline[:, 1]) for piece in pieces]))
    remaining = sorted(pieces, key=lambda piece: float(piece.center[1]))
    out: list[DetectedPiece] = []
    while remaining:
        row = [piece for piece in remaining if piece.center[1] < remaining[0].center[1] + 0.7 * height]
        out += sorted(row, key=lambda piece: float(piece.center[0]))
        remaining = remaining[len(row) :]
    return out
