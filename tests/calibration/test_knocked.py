"""A knock of two centimetres and three degrees, and a lamp that goes off, in the middle of a filmed game."""

import numpy as np
import pytest

from tests.calibration.knocked import play


@pytest.mark.full
def test_a_knocked_camera_and_a_switched_lamp_make_no_false_verdict() -> None:
    game = play("dodgem", 3, turns=2)
    assert game.turns == {"right": 2}
    assert game.false == []
    assert len(game.knocks) == 1
    assert len(game.notes) == 1
    assert "calibrated again" in game.notes[0]
    assert all(knock.thrown_mm > 5 for knock in game.knocks)
    assert np.max([knock.back_s for knock in game.knocks]) <= 2.0
