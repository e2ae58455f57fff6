"""What a simulated game lays on the table lies in the picture, from its first turn to its last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from companion_api.script import People, Script
from companion_api.simulation import ground_of
from models.render.camera import View
from models.render.simulated import Filming, Shot, SimulatedTable
from rules.games import available, game
from rules.table.layout import Layout, Placed, bounds

SEED = 23
TURNS = 25
SMALL = View(256, 144, 62, 16)
NOBODY = People(lambda _: None, lambda *_: True, lambda _: None)


@pytest.mark.parametrize("name", available())
def test_every_piece_of_a_filmed_game_lies_in_the_picture(name: str) -> None:
    rules = game(name)
    acts = list(Script(rules, rules.start(), SEED, NOBODY).acts(TURNS))
    ground = ground_of(rules, rules.start(), SEED, TURNS)
    first = next(SimulatedTable(acts, Filming(seed=SEED, view=SMALL, ground=ground)).shots())
    assert set(outside(first, (act.layout for act in acts))) == set()


def outside(shot: Shot, tables: Iterable[Layout]) -> Iterator[str]:
    """The pieces of which a corner is not in the picture."""
    truth = shot.truth()
    to_picture, size = np.array(truth["table_homography"]), (truth["width"], truth["height"])
    for placed in {piece for table in tables for piece in table.pieces}:
        x, y, scale = to_picture @ corners(placed)
        if min(x / scale) < 0 or max(x / scale) > size[0] or min(y / scale) < 0 or max(y / scale) > size[1]:
            yield placed.key


def corners(placed: Placed) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    west, south, east, north = bounds([placed])
    return np.array([[x, y, 1.0] for x in (west, east) for y in (south, north)]).T
