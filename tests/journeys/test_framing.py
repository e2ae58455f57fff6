"""What a simulated game lays on the table lies in the picture, from its first turn to its last; what lies beside the
board lies still."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from companion_api.simulated.off_board import RoomBeside
from companion_api.simulated.script import PeopleAtTable, Script, beside_board
from models.render.camera import Viewpoint
from models.render.simulated import Act, FilmSettings, Shot, SimulatedTable, session_camera
from rules.games import game
from rules.pieces import Kind
from rules.table.layout import Layout, Placed, Zone, bounds
from tests.tiers import GAMES

SEED = 23
TURNS = 25
SMALL = Viewpoint(256, 144, 62, 16)
NOBODY = PeopleAtTable(lambda _: None, lambda *_: True, lambda _: None)


@cache
def filmed(name: str) -> tuple[RoomBeside, list[Act]]:
    rules = game(name)
    beside = beside_board(rules, rules.start(), SEED, TURNS)
    return beside, [beside.arrange_act(act) for act in Script(rules, rules.start(), SEED, NOBODY).acts(TURNS)]


@pytest.mark.parametrize("name", GAMES)
def test_every_piece_of_a_filmed_game_lies_in_the_picture(name: str) -> None:
    beside, acts = filmed(name)
    first = next(SimulatedTable(acts, FilmSettings(seed=SEED, view=SMALL, ground=beside.ground)).shots())
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


@pytest.mark.parametrize("name", GAMES)
def test_nobody_moves_a_hand_because_the_board_has_grown(name: str) -> None:
    _, acts = filmed(name)
    for before, after in pairwise(act.layout for act in acts):
        lay = {lying(placed): (placed.x, placed.y) for placed in at_rest(before)}
        assert all(lay.get(lying(p), (p.x, p.y)) == (p.x, p.y) for p in at_rest(after))


def lying(placed: Placed) -> tuple[str, Zone, int | None]:
    return placed.key, placed.zone, placed.seat


def at_rest(layout: Layout) -> Iterator[Placed]:
    """What lies beside the board and is not thrown."""
    return (p for p in layout.pieces if p.zone is not Zone.BOARD and p.piece.kind is not Kind.DIE)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_marked_out_holds_its_owners_things_and_no_others(name: str) -> None:
    beside, acts = filmed(name)
    camera = session_camera(FilmSettings(seed=SEED, view=SMALL, ground=beside.ground), acts[0].layout)
    areas = beside.areas(camera)
    everything = {piece for act in acts for piece in act.layout.pieces}
    piled = {(p.zone, p.seat) for p in everything if p.level > 0}
    for placed in everything:
        x, y = camera.project(np.array([[placed.x, placed.y, 0.0]]))[0] / (camera.width, camera.height)
        holding = [(area.zone, area.seat) for area in areas if area.contains((float(x), float(y)))]
        owner = placed.zone, placed.seat
        assert holding == ([] if placed.zone is Zone.BOARD else [(Zone.SUPPLY, None) if owner in piled else owner])


@pytest.mark.parametrize("name", ["decay", "delegate_dash", "ice_floe", "zombie"])
def test_a_thrown_die_rolls(name: str) -> None:
    _, acts = filmed(name)
    throws = 0
    for before, after in pairwise(act.layout for act in acts):
        for die in (placed for placed in after if placed.piece.kind is Kind.DIE and placed.zone is not Zone.BOARD):
            lay = before.by_key(die.key)
            if lay is not None and lying(lay) == lying(die) and lay != die:
                throws += 1
                assert np.hypot(lay.x - die.x, lay.y - die.y) > 0.25
    assert throws
