"""A set is tuned in a process of its own: what that finds is used, and neither a stop nor a restart loses anything."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import kept_lesson, profile_store, tuning, tuning_process
from calibration.custom_set import TaughtSet, reader_now
from calibration.kept_lesson import folder_of
from calibration.lesson import Lesson
from calibration.lesson_task import STEPS, LessonError, Named, NamedPage
from calibration.profile import Profile, load_or_new
from calibration.teaching_session import PINNED
from calibration.trial import Score
from calibration.tuning import better_of
from companion_api.setting_up.keeper import ProfileKeeper
from companion_api.setting_up.tuner import Tuner
from rules.pieces import Face, Kind, Suit
from tests.companion_api.phones import Server
from tests.waiting import until
from vision.frame import Frame
from vision.nets import WEIGHTS
from vision.piece import DetectedPiece
from vision.table_reader import TableReader

NET = (WEIGHTS / "reader.onnx").read_bytes()
PROCESS = """
import pathlib, sys, time
print('["own", 7, 120]', flush=True)
folder = pathlib.Path(sys.argv[1])
while not (folder / "go").exists():
    time.sleep(0.01)
if (folder / "fail").exists():
    sys.exit("the disk is full")
(folder / "draft.json").rename(folder / "found.json")
"""
"""Stands in for the process that tunes: it waits, and then what it finds lies ready, or it fails."""


class Home:
    """A profile with the set "oak" and its lesson."""

    def __init__(self, data: Path, eyes: TableReader, taught: TaughtSet) -> None:
        self.path = data / "profile.json"
        Profile().with_set(taught).save(self.path)
        self.folder = folder_of(self.path, "oak")
        kept_lesson.store_lesson(lesson_of(eyes), self.folder)
        found = better_of(replace(taught, reader=reader_now()), replace(taught, reader=reader_now(), net=NET))
        found = replace(found, net=NET, other=taught, tuning=Score(100, 80, 90))
        profile_store.write(self.folder / "draft.json", tuning_process.KIND, found.to_json())
        self.changes = 0
        self.keeper = ProfileKeeper(self.path)

    def tuner(self) -> Tuner:
        return Tuner(lambda: self.keeper, self.changed, self.command)

    def command(self, profile: Path, name: str) -> Sequence[str]:
        assert (profile, name) == (self.path, "oak")
        return sys.executable, "-c", PROCESS, str(self.folder)

    def changed(self) -> None:
        self.changes += 1

    def go(self, *files: str) -> None:
        for file in (*files, "go"):
            (self.folder / file).touch()

    def oak(self) -> TaughtSet:
        return load_or_new(self.path).sets["oak"]

    def wanted(self) -> bool:
        return (self.folder / "wanted").exists()


def lesson_of(eyes: TableReader) -> Lesson:
    """One picture of pawns, and the same picture for tiles face down."""
    frame = Frame(np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8))
    square = np.array([[10.25, 10.5], [30.75, 10.0], [30.0, 30.0], [10.0, 30.0]])
    pawn = Named(DetectedPiece(Kind.PAWN, square.mean(axis=0), square, 1.0), (Suit.SUNS, None), PINNED)
    tile = Named(DetectedPiece(Kind.TILE, square.mean(axis=0) + 30, square + 30, 1.0, Face.BACK), (None, None), PINNED)
    pages = [NamedPage(STEPS["pawns"], [pawn]), NamedPage(STEPS["tile-backs"], [tile])]
    return Lesson("oak", eyes, [(frame, page) for page in pages])


@pytest.fixture
def home(tmp_path: Path, eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(tuning, "can_tune", lambda: True)
    return Home(tmp_path, eyes, TaughtSet("oak", reader_now(), pieces=2))


def phase(tuner: Tuner) -> tuple[str, int] | None:
    told = tuner.to_json()
    return None if told is None else (told["phase"], told["done"])


def test_a_lesson_is_kept_as_it_was(tmp_path: Path, eyes: TableReader) -> None:
    lesson, folder = lesson_of(eyes), tmp_path / "lessons" / "oak"
    kept_lesson.store_lesson(lesson, folder)
    assert kept_lesson.stored_name(folder) == "oak"
    again = kept_lesson.stored_lesson(folder, eyes)
    for (frame, page), (frame_again, page_again) in zip(lesson.pages, again.pages, strict=True):
        assert (frame.image == frame_again.image).all()
        assert page.step.id == page_again.step.id
        for each, other in zip(page.named, page_again.named, strict=True):
            assert each.name == other.name
            assert (each.piece.kind, each.piece.face) == (other.piece.kind, other.piece.face)
            assert (each.piece.outline == other.piece.outline).all()
    assert len(list(folder.glob("*.png"))) == 1, "a picture of two pages is kept once"


def test_the_same_lesson_keeps_what_was_begun_and_another_one_begins_anew(tmp_path: Path, eyes: TableReader) -> None:
    lesson, folder = lesson_of(eyes), tmp_path / "oak"
    kept_lesson.store_lesson(lesson, folder)
    (folder / "tuning").mkdir()
    kept_lesson.store_lesson(lesson, folder)
    assert (folder / "tuning").exists()
    lesson.pages.pop()
    kept_lesson.store_lesson(lesson, folder)
    assert not (folder / "tuning").exists()


def test_what_tuning_finds_is_used_and_a_tap_goes_back(home: Home) -> None:
    home.keeper.keep(home.keeper.profile.without_selected())
    tuner = home.tuner()
    tuner.start("oak")
    until(lambda: phase(tuner) == ("own", 7))
    with pytest.raises(LessonError, match="is being tuned"):
        tuner.start("oak")
    home.go()
    until(lambda: tuner.to_json() is None)
    assert (home.oak().net, home.changes, home.wanted()) == (NET, 1, False)
    assert home.keeper.profile.using is None, "whoever chose no set meanwhile plays with none"
    home.keeper.keep(home.keeper.profile.with_selected("oak"))
    assert home.keeper.known.reader == NET
    home.keeper.keep(home.keeper.profile.with_stored_set(home.oak().with_other_reader()))
    assert home.keeper.known.reader is None


def test_tuning_is_stopped_and_goes_on_another_time(home: Home) -> None:
    tuner = home.tuner()
    tuner.start("oak")
    assert home.wanted()
    tuner.stop("elm")
    assert tuner.to_json() is not None
    tuner.stop("oak")
    assert (tuner.to_json(), home.wanted()) == (None, False)
    home.tuner().resume()
    assert not home.wanted(), "what was stopped does not begin by itself"
    home.go()
    tuner.start("oak")
    until(lambda: tuner.to_json() is None)
    assert home.oak().net == NET


def test_a_restart_of_the_server_goes_on(home: Home) -> None:
    tuner = home.tuner()
    tuner.start("oak")
    tuner.close()
    assert home.wanted()
    assert home.oak().net is None
    home.go()
    again = home.tuner()
    again.resume()
    until(lambda: again.to_json() is None)
    assert (home.oak().net, home.wanted()) == (NET, False)


def test_what_goes_wrong_is_said_and_does_not_begin_again_by_itself(home: Home) -> None:
    tuner = home.tuner()
    home.go("fail")
    tuner.start("oak")
    until(lambda: (tuner.to_json() or {})["problem"])
    assert (tuner.to_json() or {})["problem"] == "the disk is full"
    assert not home.wanted()
    (home.folder / "fail").unlink()
    tuner.start("oak")
    until(lambda: tuner.to_json() is None)


def test_a_set_of_another_release_is_learnt_again_by_itself(tmp_path: Path, eyes: TableReader) -> None:
    home = Home(tmp_path, eyes, TaughtSet("oak", "other nets", pieces=2))
    assert [note.code for note in home.keeper.news()] == ["set_again"]
    tuner = home.tuner()
    tuner.resume()
    home.go()
    until(lambda: tuner.to_json() is None)
    assert home.oak().reader == reader_now()
    kept_lesson.delete_lesson(home.folder)
    home.keeper.keep(Profile().with_set(TaughtSet("oak", "other nets")))
    assert [note.code for note in home.keeper.news()] == ["old_set"], "without its pictures people have to teach it"
    tuner.resume()
    assert tuner.to_json() is None


def test_without_what_it_needs_the_page_says_what_to_install(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = server.app.state.camera_manager.keeper
    keeper.keep(Profile().with_set(TaughtSet("oak", reader_now())))
    host = server.host()
    monkeypatch.setattr(tuning, "can_tune", lambda: False)
    assert "pip install" in host.send("calibration/teach/tune", name="oak").json()["detail"]
    monkeypatch.setattr(tuning, "can_tune", lambda: True)
    assert "teach it again" in host.send("calibration/teach/tune", name="oak").json()["detail"]
    assert "no set " in host.send("calibration/teach/tune", name="elm").json()["detail"]
    told = host.get("calibration")
    assert told["tuning"] is None
    assert [(each["kept"], each["tuned"], each["other"]) for each in told["sets"]] == [(False, False, False)]


def test_a_set_is_read_by_its_other_reader_after_a_tap(server: Server) -> None:
    keeper, host = server.app.state.camera_manager.keeper, server.host()
    shipped = TaughtSet("oak", reader_now())
    tuned = replace(shipped, net=NET, other=shipped, tuning=Score(100, 80, 90))
    keeper.keep(Profile().with_set(tuned))
    for is_tuned in (False, True):
        host.post("calibration/teach/other", name="oak")
        [oak] = host.get("calibration")["sets"]
        assert (oak["tuned"], oak["other"]) == (is_tuned, True)
        assert oak["brings"] == {"looks": 100, "read": 80, "taught": 90}
        assert (server.app.state.camera_manager.reader().priors.reader is not None) == is_tuned
    assert host.send("calibration/teach/other", name="elm").status_code == 422
    assert server.phone(seat=0).send("calibration/teach/other", name="oak").status_code == 403
    host.post("calibration/teach/tune/stop", name="oak")
