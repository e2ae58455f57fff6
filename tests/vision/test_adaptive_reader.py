"""The right sizes of the frame are remembered while the table stays; when less is understood, all are tried."""

from __future__ import annotations

import numpy as np
import pytest

from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from rules.games import game
from vision.adaptive_reader import MIN_KEPT_SHARE, AdaptiveReader
from vision.detect.finder import ZOOMS, prepare
from vision.frame import Frame
from vision.rectify import Layers
from vision.table_reader import TableReader, total_confidence


def opening(name: str) -> Frame:
    rules = game(name)
    return Frame(np.asarray(render_layout(rules.layout(rules.start()), view=Viewpoint(800, 450)).image, np.uint8))


def test_a_table_that_stays_is_looked_at_once(eyes: TableReader) -> None:
    frame, gaze = opening("quatri"), AdaptiveReader(eyes)
    first, again = gaze.look(frame), gaze.look(frame)
    assert 0 < len(again.zooms) <= len(first.zooms) <= len(ZOOMS)
    assert total_confidence(again.pieces) > MIN_KEPT_SHARE * total_confidence(first.pieces)


@pytest.mark.full
def test_another_table_is_tried_in_all_sizes(eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.adaptive_reader.FULL_LOOK_EVERY", 1)
    gaze = AdaptiveReader(eyes)
    gaze.look(opening("quatri"))
    far = opening("decay")
    gaze.look(far)
    assert gaze.look(far).zooms == eyes.look(far).zooms


@pytest.mark.parametrize("width", [640, 800, 1024, 1280, 1920, 3840])
def test_no_size_of_any_frame_moves_what_is_found(width: int) -> None:
    """What is found in a size of the frame is brought back by its scale: so the scale must be that of the picture."""
    layers = Layers(np.zeros((width * 9 // 16, width, 3), np.uint8))
    for zoom in ZOOMS:
        prepared = prepare(layers, zoom)
        assert prepared.columns == pytest.approx(width * prepared.scale, abs=1)
