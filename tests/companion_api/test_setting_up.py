"""The profile at work: broken files lock nobody out, a bump is said once and kept, hands are marked out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.check import positions_of
from calibration.lens import assumed
from calibration.plane import from_tiles
from calibration.profile import Profile, load
from companion_api.log.event import EventKind
from companion_api.setting_up.hands import Area, Hands
from companion_api.setting_up.keeper import ProfileKeeper, SetOnlyPriors
from companion_api.watching.camera_manager import CameraManager
from models.render.camera import PinholeCamera
from rules.pieces import Kind
from rules.table.layout import Zone
from rules.table.observed import ObservedTable, Sighting
from tests.calibration.scenes import INCH, THICK, random_camera
from tests.calibration.test_check import bumped, table
from tests.calibration.test_runtime import seen_tiles
from tests.companion_api.phones import Server


def calibrated(path: Path, seed: int = 2) -> PinholeCamera:
    """A profile in the file, made by a camera."""
    camera = random_camera(seed, 25.0)
    seen = table(seed, camera)
    plane = from_tiles(seen.quads, assumed(seen.size), height=THICK * INCH)
    Profile(plane=plane, resting=positions_of(plane, seen.quads)).save(path)
    return camera


def look(keeper: ProfileKeeper, camera: PinholeCamera, number: int) -> None:
    seen = table(2, camera, number)
    assert keeper.known.plane(seen_tiles(seen.quads), seen.size) is not None


def test_a_bump_is_noted_once_and_the_new_plane_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    camera = calibrated(path)
    keeper, old = ProfileKeeper(path), load(path).plane
    for number in range(2):
        look(keeper, camera, number)
    assert keeper.news() == []
    notes = []
    for number in (1, 2, 3):
        look(keeper, bumped(camera, 2), number)
        notes += keeper.news()
    (note,) = notes
    assert note.code == "bumped"
    assert "calibrated again" in note.words
    assert keeper.news() == []
    again = ProfileKeeper(path)
    assert old is not None
    assert again.profile.plane is not None
    assert not np.allclose(again.profile.plane.view, old.view)
    look(again, bumped(camera, 2), 4)
    assert again.news() == []


def test_a_push_says_how_far(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    camera = calibrated(path)
    profile = load(path)
    replace(profile, resting=profile.resting + (20.0, 0.0)).save(path)
    keeper, notes = ProfileKeeper(path), []
    for number in range(3):
        look(keeper, camera, number)
        notes += keeper.news()
    assert [note.code for note in notes] == ["pushed"]
    assert notes[0].facts["mm"] == pytest.approx(20, abs=2)


def test_the_table_is_told_of_a_bump_by_an_event(server: Server) -> None:
    camera_manager: CameraManager = server.app.state.camera_manager
    camera = calibrated(camera_manager.keeper.path)
    camera_manager.keeper.refresh()
    for number in (0, 1, 2):
        look(camera_manager.keeper, bumped(camera, 2) if number else camera, number)
        camera_manager.report_calibration(server.session)
    told = server.phone(seat=0).get("history")[-1]
    assert (told["kind"], told["by"], told["code"]) == ("note", "camera", "bumped")
    assert "calibrated again" in told["text"]
    assert server.session.events[-1].kind is EventKind.NOTE
    assert server.tables.__class__(server.tables.log, server.tables.data).session(server.session.table).seq == 2


def test_a_photo_from_a_hand_moves_no_calibration(tmp_path: Path) -> None:
    camera = calibrated(tmp_path / "profile.json")
    keeper = ProfileKeeper(tmp_path / "profile.json")
    elsewhere = table(2, bumped(camera, 5), 1)
    for _ in range(3):
        assert SetOnlyPriors(keeper.known).plane(seen_tiles(elsewhere.quads), elsewhere.size) is None
    assert keeper.known.last is None


def test_a_broken_profile_is_said_and_the_next_one_is_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text("{ broken")
    keeper = ProfileKeeper(path)
    assert "damaged" in str(keeper.problem)
    assert keeper.profile.plane is None
    keeper.keep(replace(keeper.profile, made="today"))
    assert keeper.problem is None
    assert load(path).made == "today"
    assert (tmp_path / "profile.json.damaged").read_text() == "{ broken"


def test_what_another_program_wrote_is_taken_up(tmp_path: Path) -> None:
    keeper = ProfileKeeper(tmp_path / "profile.json")
    calibrated(tmp_path / "profile.json")
    assert keeper.profile.plane is None
    keeper.refresh()
    assert keeper.profile.plane is not None


def test_a_simulated_table_has_a_profile_of_its_own(server: Server) -> None:
    camera_manager: CameraManager = server.app.state.camera_manager
    real = camera_manager.keeper
    camera_manager.source = "simulated"
    assert camera_manager.keeper.path != real.path


LEFT = Area(Zone.HAND, 1, ((0.0, 0.0), (0.3, 0.0), (0.3, 1.0), (0.0, 1.0)))


def sighted(x: float, y: float) -> Sighting:
    return Sighting(Kind.COIN, 0.0, 0.0, center_px=(x, y))


def test_what_lies_in_a_marked_hand_is_that_seats_and_the_rest_is_the_board(tmp_path: Path) -> None:
    hands = Hands(tmp_path / "hands.json")
    seen = ObservedTable((sighted(100, 300), sighted(600, 300)))
    assert hands.with_owners(seen, (1000, 600)) is seen
    hands.keep([LEFT])
    for opened in (hands, Hands(tmp_path / "hands.json")):
        owners = [(s.zone, s.seat) for s in opened.with_owners(seen, (1000, 600)).sightings]
        assert owners == [(Zone.HAND, 1), (Zone.BOARD, None)]


def test_a_marked_hand_goes_where_a_bumped_table_went(server: Server) -> None:
    """What lay in the hand lies in it after the bump, at another place of the picture; also after a restart."""
    camera_manager: CameraManager = server.app.state.camera_manager
    camera = calibrated(camera_manager.keeper.path)
    camera_manager.keeper.refresh()
    plane = camera_manager.keeper.profile.plane
    assert plane is not None
    square = np.array([[-40.0, -40.0], [40.0, -40.0], [40.0, 40.0], [-40.0, 40.0]])
    camera_manager.hands.keep([Area(Zone.HAND, 0, tuple(map(tuple, plane.to_picture(square) / plane.lens.size)))])
    for number in (0, 1, 2):
        look(camera_manager.keeper, bumped(camera, 2) if number else camera, number)
        camera_manager.report_calibration(server.session)
    after = camera_manager.keeper.profile.plane
    assert after is not None
    moved = float(np.abs(after.to_picture(square) - plane.to_picture(square)).max())
    assert moved > 10, "a bump that nobody could see would prove nothing"
    inside, outside = after.to_picture(square * 0.95), after.to_picture(square * 1.05)
    for hands in (camera_manager.hands, Hands(server.tables.data / "hands.json")):
        for points, zone in ((inside, Zone.HAND), (outside, Zone.BOARD)):
            seen = ObservedTable(tuple(sighted(x, y) for x, y in points))
            assert {s.zone for s in hands.with_owners(seen, after.lens.size).sightings} == {zone}


@pytest.mark.parametrize("text", ["{ broken", '{"what": "something", "holds": {}}'])
def test_marked_hands_that_cannot_be_read_mark_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "hands.json").write_text(text)
    assert Hands(tmp_path / "hands.json").areas == ()


def test_the_host_marks_hands_and_everybody_may_see_them(server: Server) -> None:
    corners = [[0, 0], [0.2, 0], [0.2, 1], [0, 1]]
    hand = {"zone": "hand", "seat": 0, "corners": corners}
    assert server.phone(seat=0).send("hands", areas=[hand]).status_code == 403
    assert server.host().post("hands", areas=[hand])[0]["seat"] == 0
    assert server.phone(seat=1).get("hands") == [hand]
    for wrong in (
        {**hand, "seat": 7},
        {**hand, "seat": None},
        {**hand, "corners": [[0, 2]] * 4},
        {**hand, "zone": "x"},
    ):
        assert server.host().send("hands", areas=[wrong]).status_code == 422
    assert server.host().post("hands", areas=[]) == []
