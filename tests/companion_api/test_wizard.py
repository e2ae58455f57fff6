"""The wizard's routes: they say what is missing, refuse in words, and keep a profile that a restart finds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from calibration.kept_lesson import folder_of
from calibration.lesson_task import STEPS
from calibration.profile import load_or_new
from calibration.sheet import as_pdf
from companion_api.access import Role
from companion_api.setting_up.lesson import LessonManager
from models.render import Rendered
from tests.calibration import scenes
from tests.calibration.test_teaching_session import drawn, seen
from tests.companion_api.phones import Phone, Server
from tests.companion_api.test_cameras import encoded, jpeg, send
from vision.detect.finder import ZOOMS
from vision.detect.nearby import Region
from vision.frame import Frame
from vision.priors import TablePriors
from vision.read_cache import ReadCache
from vision.table_reader import FrameResult, TableReader


def test_the_steps_are_told_to_everybody(server: Server) -> None:
    told = server.phone(Role.SPECTATOR).get("calibration")
    assert [step["id"] for step in told["steps"]][:3] == ["camera", "light", "plane"]
    assert (told["quality"], told["check"], told["problem"], told["sets"]) == (None, None, None, [])


@pytest.mark.parametrize("path", ["plane", "sheet", "teach"])
def test_without_a_picture_nothing_is_kept(server: Server, path: str) -> None:
    answer = server.host().send(f"calibration/{path}", step="tiles")
    assert answer.status_code == 409
    assert "camera" in answer.json()["detail"]


def test_whoever_is_not_the_host_keeps_nothing(server: Server) -> None:
    player = server.phone(seat=0)
    for path in ("plane", "sheet", "teach", "teach/rename", "teach/finish", "teach/choose", "teach/forget"):
        assert player.send(f"calibration/{path}").status_code == 403, path
    assert player.ask("calibration/teach").status_code == 403


def test_a_broken_profile_is_said_in_words_and_locks_nobody_out(server: Server) -> None:
    (server.tables.data / "profile.json").write_text("{ broken")
    told = server.host().get("calibration")
    assert "damaged" in told["problem"]
    assert not any(step["done"] for step in told["steps"])
    assert server.host().get("board")["seq"] == 1


def test_the_sheet_is_given_out_for_printing(server: Server) -> None:
    for paper in ("a4", "letter"):
        answer = server.phone(Role.SPECTATOR).ask("calibration/sheet.pdf", params={"paper": paper})
        assert answer.content == as_pdf(paper)
    assert server.host().ask("calibration/sheet.pdf", params={"paper": "a0"}).status_code == 422


@pytest.mark.full
def test_four_dragged_corners_are_kept_in_the_profile(server: Server) -> None:
    host = server.host()
    assert send(host, jpeg("dodgem")).status_code == 200
    assert host.get("calibration")["quality"]["tiles"] >= 0
    corners = [[300, 150], [980, 150], [1060, 640], [220, 640]]
    assert host.post("calibration/plane", corners=corners, width=300, height=200)["typical_mm"] >= 0
    assert load_or_new(server.tables.data / "profile.json").plane is not None
    assert host.get("calibration")["made"]
    assert host.send("calibration/plane", corners=[[1, 1]] * 4).status_code == 422
    assert host.send("calibration/teach", step="nonsense").status_code == 422
    assert host.send("calibration/teach/finish").status_code == 422


@pytest.mark.full
def test_the_sheet_says_where_the_table_is_and_three_views_tell_the_lens(server: Server) -> None:
    host, data = server.host(), server.tables.data
    assert send(host, jpeg("dodgem")).status_code == 200
    assert "sheet" in host.send("calibration/sheet").json()["detail"]
    for count, seed in enumerate((3, 4, 5), 1):
        camera = scenes.random_camera(3, 10.0 + 12 * count, bent=False)
        assert send(host, encoded(scenes.sheet_picture(camera, seed))).status_code == 200
        assert host.post("calibration/sheet", lies=False)["sheets"] == count
    assert load_or_new(data / "profile.json").lens is not None
    assert host.post("calibration/sheet")["typical_mm"] < 1.0
    assert load_or_new(data / "profile.json").plane is not None


@cache
def laid_for(step: str) -> Rendered:
    return drawn(step, 1)


class Finding(TableReader):
    """The real reader, with outlines from the truth: the lesson's route is tested and not the finder."""

    shown: Rendered
    blind: int = 0
    """So many of the pieces are not found."""

    def look(
        self,
        frame: Frame,
        priors: TablePriors | None = None,
        zooms: tuple[float, ...] = ZOOMS,
        cache: ReadCache | None = None,
        near: Region | None = None,
    ) -> FrameResult:
        if not hasattr(self, "shown"):
            return super().look(frame, priors)
        look = seen(self.shown)
        return replace(look, pieces=look.pieces[self.blind :])


@pytest.fixture(scope="module")
def finding() -> Finding:
    return Finding()


@pytest.fixture
def eyes(finding: Finding, server: Server) -> Finding:
    """What the lessons of this server are read with."""
    finding.blind, app = 0, server.app
    app.state.lesson_manager = LessonManager(lambda: app.state.camera_manager.keeper, lambda: finding, 1)
    return finding


def show(host: Phone, eyes: Finding, step: str, picture: Rendered) -> Any:
    """What the camera sees, and then the tap on the step."""
    eyes.shown = picture
    assert send(host, encoded(picture.image)).status_code == 200
    return host.post("calibration/teach", step=step)


def test_a_set_is_taught_put_right_by_taps_used_and_forgotten(
    server: Server, eyes: Finding, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Learnt from few views, and not behind everything else that this computer does."""
    monkeypatch.setattr("calibration.lesson.VIEWS", 8)
    monkeypatch.setattr("calibration.corner_signs.VIEWS", 4)
    monkeypatch.setattr("companion_api.setting_up.lesson.lower_priority", lambda: None)
    host, app = server.host(), server.app
    assert show(host, eyes, "tiles", laid_for("tiles"))["pieces"] == 24
    assert host.send("calibration/teach/finish").status_code == 422
    assert host.get("calibration/teach")["missing"] == ["coin-values", "coin-suits"]

    page = host.get("calibration/teach")["pages"][0]
    first, other = page["pieces"][0], page["pieces"][9]
    told = host.post("calibration/teach/rename", page=0, number=1, suit=other["suit"], value=other["value"])
    named = told["pages"][0]["pieces"]
    assert (named[0]["suit"], named[0]["value"]) == (other["suit"], other["value"])
    assert (named[9]["suit"], named[9]["value"]) == (first["suit"], first["value"])
    assert host.send("calibration/teach/rename", page=0, number=1, suit="x", value="3").status_code == 422
    assert host.send("calibration/teach/rename", page=5, number=1, suit="suns", value="3").status_code == 422
    host.post("calibration/teach/rename", page=0, number=1, suit=first["suit"], value=first["value"])
    swapped = host.post("calibration/teach/swap", page=0, first="suns", second="arms")
    assert swapped["pages"][0] != page
    host.post("calibration/teach/swap", page=0, first="suns", second="arms")
    image = host.ask("calibration/teach/0/picture").content
    assert image[:2] == b"\xff\xd8"

    show(host, eyes, "coin-values", laid_for("coin values"))
    host.post("calibration/teach", step="coin-values")
    assert len(host.post("calibration/teach/drop", page=2)["pages"]) == 2
    show(host, eyes, "coin-suits", laid_for("coin suits"))
    host.post("calibration/teach/finish", name="oak")
    practice = app.state.lesson_manager._practice
    if practice is not None:
        practice.thread.join()
    told = host.get("calibration/teach")
    assert (told["pages"], told["practice"]) == ([], None)
    assert host.get("calibration")["using"] == "oak"
    [oak] = host.get("calibration")["sets"]
    assert {trial["kind"] for trial in oak["trials"]} == {"tile", "coin"}
    assert all(trial["taught"] >= trial["read"] for trial in oak["trials"])
    lesson = folder_of(server.tables.data / "profile.json", "oak")
    assert (oak["kept"], len(list(lesson.glob("*.png")))) == (True, 3)
    assert app.state.camera_manager.reader().priors.profile.my_set.name == "oak"
    assert host.send("calibration/teach/choose", name="elm").status_code == 422
    assert host.post("calibration/teach/shipped")["using"] is None
    assert app.state.camera_manager.reader().priors.profile.my_set is None
    host.post("calibration/teach/choose", name="oak")
    assert host.get("calibration")["using"] == "oak"
    host.post("calibration/teach/forget", name="oak")
    assert host.get("calibration")["sets"] == []
    assert not lesson.exists()


def test_the_page_takes_a_picture_only_if_it_is_good_and_a_lesson_that_is_left_keeps_nothing(
    server: Server, eyes: Finding
) -> None:
    host = server.host()
    eyes.shown = picture = laid_for("tiles")
    send(host, encoded((picture.image // 6).astype(np.uint8)))
    eyes.shown = replace(picture, image=(picture.image // 6).astype(np.uint8))
    assert "dark" in host.send("calibration/teach", step="tiles", watching=True).json()["detail"]
    assert host.get("calibration/teach")["pages"] == []
    eyes.shown = picture
    send(host, encoded(picture.image))
    assert host.post("calibration/teach", step="tiles", watching=True)["pieces"] == 24
    again = host.send("calibration/teach", step="tiles", watching=True)
    assert (again.status_code, "is taken" in again.json()["detail"]) == (422, True)
    assert len(host.get("calibration/teach")["pages"]) == 1
    assert host.post("calibration/teach", step="tiles")["pieces"] == 24, "a person may want it twice"
    assert host.send("calibration/teach", step="coin-values").status_code == 422
    assert host.post("calibration/teach/end")["pages"] == []
    assert not (server.tables.data / "profile.json").exists()


def test_a_person_draws_boxes_about_what_is_not_found(server: Server, eyes: Finding) -> None:
    host = server.host()
    assert host.send("calibration/teach/box", box=[1, 1, 9, 9], suit="suns", value="3").status_code == 422
    eyes.shown, eyes.blind = laid_for("tiles"), 2
    send(host, encoded(eyes.shown.image))
    assert "22 of 24" in host.send("calibration/teach", step="tiles").json()["detail"]
    draft = host.get("calibration/teach")["draft"]
    assert (draft["step"], len(draft["found"]), draft["boxes"]) == ("tiles", 22, [])
    assert host.ask("calibration/teach/draft/picture").content[:2] == b"\xff\xd8"
    lost = eyes.shown.truth["pieces"][:2]
    boxes = [[*np.min(piece["outline_px"], axis=0), *np.max(piece["outline_px"], axis=0)] for piece in lost]
    assert host.send("calibration/teach/box", box=boxes[0], suit="suns", value="9").status_code == 422
    for box in boxes[::-1]:
        told = host.post("calibration/teach/box", box=box, suit=lost[0]["suit"], value=lost[0]["value"])
        assert len(told["draft"]["boxes"]) == 1
        told = host.post("calibration/teach/unbox")
        assert told["draft"]["boxes"] == []
    for piece, box in zip(lost, boxes, strict=True):
        told = host.post("calibration/teach/box", box=box, suit=piece["suit"], value=piece["value"])
    assert told["draft"] is None
    [page] = told["pages"]
    assert len(page["pieces"]) == 24
    near = min(page["pieces"], key=lambda each: np.hypot(*np.subtract(each["center_px"], lost[1]["center_px"])))
    assert (near["suit"], near["value"]) == (lost[1]["suit"], lost[1]["value"])


def test_every_step_of_the_lesson_has_names_to_choose_from(server: Server) -> None:
    steps = server.host().get("calibration/teach")["steps"]
    assert [step["id"] for step in steps] == list(STEPS)
    assert len(steps[0]["names"]) == 24
    assert [len(step["names"]) for step in steps[1:3]] == [6, 4]
