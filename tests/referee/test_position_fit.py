"""The table taken as it lies, after illegal acts of all sorts: the position found lies like what was seen."""

from __future__ import annotations

import pytest

from companion_api.simulated.incidents import staged_at
from companion_api.simulated.synthetic import Noise, Onlooker
from rules.games import IDS, game
from rules.notation.record import read_record, write_record
from rules.referee.memory import Memory
from rules.referee.position_fit import UnclearTableError, fit_position
from tests.referee.taken import fit_trial, piece_poses, played_history
from tests.tiers import few, full


@pytest.mark.parametrize("name", ["dodgem", "quatri", *map(full, ("jul_gonu", "breakthrough"))])
@pytest.mark.parametrize("incident", ["too_far", "diagonal"])
def test_a_forbidden_move_is_taken_as_it_lies(name: str, incident: str) -> None:
    history, rng = played_history(name, 8, 2)
    act = staged_at(history.game, history.state, incident, rng)
    assert act is not None
    onlooker = Onlooker(2, Noise(jitter=0.02))
    # Quatri looks the same from two sides: which way round it lies was found out before.
    memory = Memory(registration=onlooker.board)
    position = fit_position(history, memory, onlooker.see(act.layout).table)
    assert piece_poses(history.game.layout(position.state)) == piece_poses(act.layout)
    assert position.effects
    over = history.game.turn(position.state).is_over
    assert set(position.others) == (set() if over else {0, 1})
    for seat, state in position.others.items():
        assert history.game.turn(state).seats == (seat,)
    again = history.lay(position.state)
    assert again.undo() == history
    assert read_record(write_record(again)).state == position.state


def test_what_is_no_position_of_the_game_is_said_to_be_none() -> None:
    history, _ = played_history("dodgem", 4, 1)
    foreign = game("fuji_san")
    seen = Onlooker(1, Noise(jitter=0.02)).see(foreign.layout(foreign.start()))
    with pytest.raises(UnclearTableError):
        fit_position(history, Memory(), seen.table)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        full(("decay", "tile_moved")),
        full(("decay", "too_far")),
        full(("dectana", "too_far")),
        full(("global_warming", "too_far")),
        full(("ice_floe", "diagonal")),
        full(("ice_floe", "tile_removed")),
        full(("breakthrough", "exchanged")),
    ],
)
def test_it_is_read_back_whatever_the_game(name: str, kind: str) -> None:
    """`python -m tests.referee.taken` measures all kinds in all games."""
    found = fit_trial(name, kind, 30 if name == "decay" else 6, 0)
    assert found is not None
    assert found.found == "exact"


@pytest.mark.parametrize("name", few([name for name in IDS if game(name).card.seats != (1,)], ("dodgem", "quatri")))
def test_nobody_is_left_without_an_answer(name: str) -> None:
    """What is no position of the game is taken for the nearest, and what is to be put right is told."""
    found = fit_trial(name, "added", 30 if name == "decay" else 6, 0)
    assert found is None or found.found != "unclear"
    assert found is None or found.left <= 2
