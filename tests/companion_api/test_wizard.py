"""The wizard's routes: they say what is missing, refuse in words, and keep a profile that a restart finds."""

from __future__ import annotations

import pytest

from calibration.profile import load_or_new
from companion_api.access import Role
from companion_api.lookout import blindness
from tests.companion_api.phones import Server
from tests.companion_api.test_cameras import jpeg, send


def test_the_steps_are_told_to_everybody(server: Server) -> None:
    told = server.phone(Role.SPECTATOR).get("calibration")
    assert [step["id"] for step in told["steps"]][:3] == ["camera", "light", "plane"]
    assert told["quality"] is None
    assert told["lessons"]


@pytest.mark.parametrize("path", ["plane", "teach"])
def test_without_a_picture_nothing_is_kept(server: Server, path: str) -> None:
    answer = server.host().send(f"calibration/{path}", step="tiles")
    assert answer.status_code == 409
    assert "camera" in answer.json()["detail"]


def test_whoever_is_not_the_host_keeps_nothing(server: Server) -> None:
    assert server.phone(seat=0).send("calibration/plane").status_code == 403


def test_a_broken_profile_is_said_in_words_and_locks_nobody_out(server: Server) -> None:
    (server.tables.data / "profile.json").write_text("{ broken")
    answer = server.host().ask("calibration")
    assert answer.status_code in (200, 422)
    assert server.host().get("board")["seq"] == 1


@pytest.mark.skipif(blindness() is not None, reason=f"no eyes: {blindness()}")
def test_four_dragged_corners_are_kept_in_the_profile(server: Server) -> None:
    host = server.host()
    assert send(host, jpeg("dodgem")).status_code == 200
    assert host.get("calibration")["quality"]["tiles"] >= 0
    corners = [[300, 150], [980, 150], [1060, 640], [220, 640]]
    assert host.post("calibration/plane", corners=corners, width=300, height=200)["typical_mm"] >= 0
    assert load_or_new(server.tables.data / "profile.json").plane is not None
    assert host.send("calibration/plane", corners=[[1, 1]] * 4).status_code == 422
    assert host.send("calibration/teach", step="nonsense").status_code == 422
    assert host.send("calibration/teach/finish").status_code == 422
