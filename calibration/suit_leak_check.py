"""Checks whether an edition's coins show their hidden suit on the value side (printed in their suit's colour, differing
wood), which games assume they do not.

It compares two pictures: coins value side up, and the same coins turned over in their places. So every coin's suit is
known, and a prediction from the value side's colour should be no better than chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.lesson_readings import Examples, left_out_scores
from calibration.lesson_task import NamedPage
from rules.pieces import SUITS
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.piece import DetectedPiece

MIN_PAIRS: Final = 20
LEAK_ACCURACY: Final = 0.6
"""Accuracy above which coins leak: chance predicts a quarter of 24 coins; this happens once in ten thousand."""


def coin_leak_warning(values: NamedPage, picture: Picture, suits: NamedPage) -> str | None:
    """A warning if the value sides show the suits; None if not, or if the coins were not turned over in their
    places."""
    pairs = pairs_in_place([each.piece for each in values.named], [each.piece for each in suits.named])
    if len(pairs) < MIN_PAIRS:
        return None
    labels = np.array([SUITS.index(suits.named[j].name[0]) for _, j in pairs])
    if np.bincount(labels, minlength=len(SUITS)).min() < 2:
        return None
    tints = np.array([chromaticity(picture, values.named[i].piece) for i, _ in pairs])
    spread = (tints - tints.mean(axis=0)) / np.maximum(tints.std(axis=0), 0.02)
    votes = left_out_scores(Examples(SUITS, spread[:, None], labels, np.arange(len(pairs)))).mean(axis=1)
    right = float((votes.argmax(axis=1) == labels).mean())
    if right < LEAK_ACCURACY:
        return None
    return (
        f"the coins' value sides give away their suits ({right:.0%} guessed right by colour): hidden suits are not safe"
    )


def pairs_in_place(before: Sequence[DetectedPiece], after: Sequence[DetectedPiece]) -> list[tuple[int, int]]:
    """Index pairs of pieces that lie in the same place in both pictures."""
    there = np.array([piece.center for piece in after])
    found = []
    for i, piece in enumerate(before):
        away = np.linalg.norm(there - piece.center, axis=1)
        if away.min() < 0.6 * float(np.sqrt(shape.area(piece.outline))):
            found.append((i, int(away.argmin())))
    return found if len({j for _, j in found}) == len(found) else []


def chromaticity(picture: Picture, piece: DetectedPiece) -> Floats:
    """Chromaticity of body and ink: four numbers."""
    reach = max(2, round(0.32 * float(np.sqrt(shape.area(piece.outline)))))
    x, y = (round(float(v)) for v in piece.center)
    part = picture[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
    logs = np.log(part.astype(np.float64) + 8)
    bright = logs.sum(axis=1)
    body = np.median(logs[bright >= np.median(bright)], axis=0)
    ink = np.median(logs[bright <= np.percentile(bright, 12)], axis=0)
    return np.array([body[0] - body[1], body[2] - body[1], ink[0] - ink[1], ink[2] - ink[1]])
