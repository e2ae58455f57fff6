"""Kinds by finder and outliner together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detect.decode import Detection
from vision.detect.outliner import CLASS, CLASSES, OUTLINER_CHANNELS, decode_outlines


def outlined(kind: str, **logits: float) -> Detection:
    """What becomes of a detection of this kind where the outliner answers so."""
    row = np.zeros((1, OUTLINER_CHANNELS), np.float32)
    row[0, CLASS] = [logits.get(name, -6.0) for name in CLASSES]
    outline = 10 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    (seen,) = decode_outlines([Detection(kind, 0.7, np.zeros(2), outline)], row)
    return seen


def test_another_kind_is_taken_where_the_outliner_is_sure_of_it() -> None:
    assert outlined("die", tile=2.0, die=0.0).kind == "tile"
    assert outlined("die", tile=0.1, die=0.0).kind == "die"


@pytest.mark.parametrize(("kind", "is_kept"), [("die", True), ("coin", True), ("tile", False), ("pawn", False)])
def test_that_a_flat_small_thing_was_taken_for_a_tile_is_kept_as_a_square(kind: str, is_kept: bool) -> None:
    seen = outlined(kind, tile=3.0, die=1.0, nothing=1.0)
    assert seen.kind == "tile"
    assert seen.square == pytest.approx(0.893 if is_kept else 0.0, abs=0.01)
