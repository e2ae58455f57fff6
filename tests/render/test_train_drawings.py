"""Suits by many makers: every drawing shows something of its own, and what is measured with knows none of them."""

from __future__ import annotations

import numpy as np
import pytest

from models.render import train_drawings
from models.render.edition import SUITS
from models.render.glyphs import SUIT_DRAWINGS, Drawing, Mask, Pen, draw
from models.render.random_sets import random_edition

DRAWINGS = [(suit, drawing) for suit in SUITS for drawing in dict.fromkeys(train_drawings.DRAWINGS[suit])]


@pytest.mark.parametrize(("suit", "drawing"), DRAWINGS, ids=lambda value: getattr(value, "__name__", value))
def test_every_drawing_is_a_figure_and_hardly_ever_the_same(suit: str, drawing: Drawing) -> None:
    masks: list[Mask] = [draw(drawing, np.random.default_rng(seed)) for seed in range(12)]
    inked = [float((mask > 127).mean()) for mask in masks]
    assert all(0.03 < share < 0.8 for share in inked), f"{suit}: {inked}"
    assert len({mask.tobytes() for mask in masks}) >= 4


def test_the_test_stratum_knows_none_of_these_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def drawn(pen: Pen, rng: np.random.Generator) -> None:
        asked.append("many hands")
        SUIT_DRAWINGS["suns"][0](pen, rng)

    monkeypatch.setattr(train_drawings, "DRAWINGS", dict.fromkeys(SUITS, (drawn,)))
    for seed in range(20):
        random_edition(seed, "test")
    assert not asked
    for seed in range(20):
        random_edition(seed, "train")
    assert asked
