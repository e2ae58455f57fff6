"""The table taken as it lies, after illegal acts of all sorts: the position found lies like what was seen."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion_api.simulated.incidents import staged_at
from companion_api.trials.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import game
from rules.referee.as_it_lies import UnclearTableError, as_it_lies
from rules.referee.looking import Memory
from rules.referee.tuning import TUNING, Tuning
from rules.table.layout import Layout


def patient(seconds: float) -> Tuning:
    return replace(TUNING, taking=replace(TUNING.taking, seconds=seconds))


def lies(layout: Layout) -> list[tuple[str, float, float]]:
    return sorted((p.shown.code, round(p.x * 2) / 2, round(p.y * 2) / 2) for p in layout.board)


def played(name: str, plies: int, seed: int) -> tuple[History, random.Random]:
    history, rng = History.begin(game(name)), random.Random(seed)
    for _ in range(plies):
        if not history.game.turn(history.state).is_over:
            history = history.play(history.game.sample(history.state, rng))
    return history, rng


@pytest.mark.parametrize("name", ["dodgem", "jul_gonu", "quatri", "breakthrough"])
@pytest.mark.parametrize("incident", ["too_far", "diagonal"])
def test_a_forbidden_move_is_taken_as_it_lies(name: str, incident: str) -> None:
    history, rng = played(name, 8, 2)
    act = staged_at(history.game, history.state, incident, rng)
    assert act is not None
    seen = Onlooker(2, Noise(jitter=0.02)).see(act.layout)
    position = as_it_lies(history, Memory(), seen, patient(60))
    assert lies(history.game.layout(position.state)) == lies(act.layout)
    assert position.effects
    over = history.game.turn(position.state).is_over
    assert set(position.others) == (set() if over else {0, 1})
    for seat, state in position.others.items():
        assert history.game.turn(state).seats == (seat,)
    again = history.lay(position.state)
    assert again.undo() == history
    assert History.from_json(history.game, again.to_json()).state == position.state


def test_what_is_no_position_of_the_game_is_said_to_be_none() -> None:
    history, _ = played("dodgem", 4, 1)
    foreign = game("fuji_san")
    seen = Onlooker(1, Noise(jitter=0.02)).see(foreign.layout(foreign.start()))
    with pytest.raises(UnclearTableError):
        as_it_lies(history, Memory(), seen, patient(3))
