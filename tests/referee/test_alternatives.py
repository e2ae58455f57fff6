"""One table, several meanings: what else may have been done where something was believed."""

from __future__ import annotations

from rules.games import game
from rules.referee.alternatives import alternative_histories
from rules.referee.tuning import TUNING
from tests.bench.trials.stills import sequence


def test_who_ends_a_turn_moves_the_clock_like_one_who_cowers() -> None:
    zombie = game("zombie")
    begin, _, stills = sequence(zombie, 409, 1)
    believed = zombie.advance(begin.state, zombie.read(begin.state, "cower"))
    (way,) = alternative_histories(zombie, begin.state, believed, TUNING.alternatives)
    assert [action.id for action in way] == ["end_turn", "clock"] == [action.id for action in stills[0].actions]
    assert zombie.layout(stills[0].state) == zombie.layout(believed)


def test_a_plain_move_means_one_thing() -> None:
    dodgem = game("dodgem")
    begin, _, stills = sequence(dodgem, 3, 1)
    assert alternative_histories(dodgem, begin.state, stills[0].state, TUNING.alternatives) == ()
