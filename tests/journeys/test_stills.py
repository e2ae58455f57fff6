"""Short games in stills: what is drawn, and how it is counted."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from companion_api.simulated.incidents import WhatWasDone
from companion_api.simulated.true_eyes import Errors, TrueEyes
from models.render.camera import Viewpoint
from models.render.simulated import SimulatedCamera, SimulatedTable
from rules.engine.history import History
from rules.games import game
from rules.table.layout import Layout
from tests.bench.trials.stills import (
    Still,
    Stills,
    StillsTrial,
    acts,
    filming,
    followed_stills,
    sequence,
    with_acts,
)
from tests.bench.trials.without import ALL_SENSES
from tests.tiers import full
from vision.pipeline import Pipeline


@pytest.mark.parametrize("name", ["dodgem", "zombie", "decay", "delegate_dash"])
def test_a_sequence_can_be_played(name: str) -> None:
    rules = game(name)
    history, _, stills = sequence(rules, 7, 4)
    assert stills
    for still in stills:
        for action in still.actions:
            history = history.play(action)
        assert history.state == still.state
        assert len(still.layout) == len(rules.layout(still.state))


def judged(begin: History, first: Layout, shown: list[Still], done: list[Still], helping: bool) -> dict[str, int]:
    """The pictures show `shown`, the truth is taken to be `done`."""
    film = filming("classic", 3)
    film.view = Viewpoint(640, 360, 62, 16)
    camera = SimulatedCamera(SimulatedTable(acts(first, shown), film), stills=True)
    eyes = TrueEyes.at(camera, 3, Errors(misread=0.0, miss=0.0))
    return dict(StillsTrial(begin, done, ALL_SENSES, helping=helping).of(Pipeline(camera, eyes)).moments)


def test_what_is_followed_is_right_and_what_is_not_is_wrong() -> None:
    begin, first, stills = sequence(game("dodgem"), 6, 3)
    assert judged(begin, first, stills, stills, helping=False) == {"right": 3}
    _, _, others = sequence(game("dodgem"), 9, 3)
    if others[0].actions == stills[0].actions:
        pytest.fail("both games begin alike: choose another seed")
    assert judged(begin, first, stills, others, helping=False)["wrong"] >= 1


def test_what_is_kept_of_a_sequence_is_all_of_it() -> None:
    acts = Counter(illegal=2, flagged=1, nameable=1)
    found = Stills("dodgem", Counter(right=3, look=2), ["2 a1-b1: look: nothing"], acts)
    assert Stills.from_json(json.loads(json.dumps(found.to_json()))) == found


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        full(("zombie", 409)),  # who ends a turn and who cowers move the clock alike: what follows tells which
        ("dectana", 414),  # cards drawn into a hand, a pass before another's deed
        full(("delegate_dash", 413)),  # dice that decide a caucus, and are thrown for the order of moves
        ("global_warming", 413),  # a pawn that drowned lies right beside the board
        full(("global_warming", 412)),  # the new coin of the line shows what another showed
    ],
)
def test_a_referee_that_is_told_what_lies_there_follows_it_all(name: str, seed: int) -> None:
    (told,) = followed_stills(game(name), seed, 5, "white", None)
    assert told.whole, told.notes


def test_candidates_that_stay_leave_no_trace_and_nobody_is_accused() -> None:
    (told,) = followed_stills(game("delegate_dash"), 409, 3, "white", None)
    assert told.whole, told.notes


def test_illegal_acts_of_several_kinds_are_shown_and_put_right_and_change_nothing_of_the_game() -> None:
    rules = game("dodgem")
    begin, _, stills = sequence(rules, 6, 3)
    shown = with_acts(rules, begin, stills, 4, random.Random(6))
    assert [still for still in shown if still.meant is None] == stills
    staged = [still for still in shown if still.meant is not None]
    assert [still.meant.deed for still in staged if still.meant] == [WhatWasDone.ILLEGAL, WhatWasDone.PUT_RIGHT] * 4
    assert len({still.meant.incident for still in staged if still.meant}) == 4
    (told,) = followed_stills(rules, 6, 3, "white", None, illegal=4)
    assert told.whole, told.notes
    assert (told.acts["illegal"], told.acts["flagged"]) == (4, 4), told.notes


def test_where_nobody_is_to_act_nothing_is_staged() -> None:
    rules = game("dodgem")
    begin, _, stills = sequence(rules, 6, 3)
    assert with_acts(rules, begin, stills, 0, random.Random(6)) == stills
    assert with_acts(rules, begin, [], 4, random.Random(6)) == []
