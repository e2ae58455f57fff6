"""What happens to cameras: each thing is said on the page, survived, and the game is the same afterwards.

Two stills of one table, before and after a move, are shown as a camera would show them; eyes, stillness, fusion,
patience, referee and log are the real ones of a served table, but for the eyes being told what lies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.log.databases import SqliteLog
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.watching.table_watcher import WatcherThread
from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from models.render.renderer import Rendered
from rules.games import game
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from tests.bench.truth_reader import Errors, TruthReader
from tests.tiers import first
from tests.waiting import until
from vision.camera.contract import Camera
from vision.camera.recorded import VideoFile
from vision.frame import Frame, Picture
from vision.pipeline import LOST_S

DODGEM = game("dodgem")
MOVE = "move(a1,b1)"
REST = 8  # frames at ten a second in which a still table is read


@pytest.fixture(scope="module")
def stills() -> tuple[Rendered, Rendered]:
    """The table at the start and after the move."""
    state = DODGEM.start()
    moved = DODGEM.advance(state, DODGEM.read(state, MOVE))
    first, second = (
        render_layout(DODGEM.layout(s), "classic", 3, Viewpoint(400, 300, tilt_deg=12)) for s in (state, moved)
    )
    return first, second


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    log = SqliteLog(tmp_path / "log.db")
    yield Session.begin(log, "table", DODGEM, {}, None)
    log.close()


class Reel:
    """Frames one after another; None where the camera has none, which takes a second each."""

    live = True
    stills = False
    name = "reel"

    def __init__(self, pictures: Sequence[Picture | None], fps: float = 10.0) -> None:
        self._pictures, self._fps, self._at = list(pictures), fps, 0

    @property
    def ended(self) -> bool:
        return self._at >= len(self._pictures)

    def read(self) -> Frame | None:
        picture = self._pictures[self._at]
        self._at += 1
        return None if picture is None else Frame(picture, self.name, self._at / self._fps)

    def close(self) -> None:
        self._at = len(self._pictures)


class Nobody:
    """Keeps no evidence, and nothing is marked out."""

    def keep(self, frame: Frame) -> str | None:
        return None

    def with_owners(self, seen: TableEvidence, frame: Frame) -> TableEvidence:
        return seen

    def schedule_next_game(self, session: Session) -> bool:
        return False

    def report_calibration(self, session: Session) -> None:
        return None

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None:
        return None


def watched(session: Session, camera: Camera, stills: tuple[Rendered, Rendered]) -> list[Status]:
    """Everything that the page was told, until the camera has ended."""

    def truth_of(frame: Frame) -> dict[str, object]:
        return min(stills, key=lambda still: difference(still.image, frame.image)).truth

    told: list[Status] = []
    session.listen(lambda: told.append(session.status))
    eyes = WatcherThread(session, camera, Nobody(), lambda: TruthReader(truth_of, 5, Errors(misread=0.0, miss=0.0)))
    eyes.start()
    until(lambda: session.status is Status.NO_CAMERA and told)
    eyes.stop()
    return [now for now, before in zip(told, [None, *told], strict=False) if now is not before]


def difference(one: Picture, other: Picture) -> float:
    small, like = (cv2.resize(picture, (80, 60), interpolation=cv2.INTER_AREA) for picture in (one, other))
    return float(np.abs(small.astype(float) - like.astype(float)).max())


def is_played(session: Session) -> bool:
    return [action.id for action in session.history.actions] == [MOVE]


@pytest.mark.full
def test_black_frames_are_said_and_survived(session: Session, stills: tuple[Rendered, Rendered]) -> None:
    before, after = (still.image for still in stills)
    told = watched(session, Reel([before] * REST + [np.zeros_like(before)] * 5 + [after] * REST), stills)
    assert told[told.index(Status.CAMERA_LOST) + 1] is Status.HAND
    assert told.count(Status.UNDERSTOOD) == 1
    assert told[-1] is Status.NO_CAMERA
    assert is_played(session)


@pytest.mark.parametrize("moved", first([True, False]))
def test_a_lost_camera_is_said_and_when_it_is_back_the_table_is_read_at_once(
    session: Session, stills: tuple[Rendered, Rendered], moved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (still.image for still in stills)
    reel = Reel([before] * REST + [None] * 3 + [after if moved else before] * REST)
    monkeypatch.setattr("vision.pipeline.time.monotonic", lambda: reel._at * LOST_S * 0.6)
    told = watched(session, reel, stills)
    lost = told.index(Status.CAMERA_LOST)
    assert set(told[lost + 1 :]) >= {Status.UNDERSTOOD if moved else Status.WATCHING}
    assert is_played(session) is moved


@pytest.mark.full
def test_frames_of_another_size_in_mid_stream_are_the_same_game(
    session: Session, stills: tuple[Rendered, Rendered]
) -> None:
    before, after = (still.image for still in stills)
    larger = [np.asarray(cv2.resize(picture, (600, 450)), np.uint8) for picture in (before, after)]
    told = watched(session, Reel([before] * REST + [larger[0]] * REST + [larger[1]] * REST), stills)
    assert told.count(Status.UNDERSTOOD) == 1
    assert is_played(session)


def test_one_frame_a_second_is_enough_for_a_game(session: Session, stills: tuple[Rendered, Rendered]) -> None:
    before, after = (still.image for still in stills)
    told = watched(session, Reel([before] * 4 + [after] * 4 + [before] * 4, fps=1.0), stills)
    assert told.count(Status.UNDERSTOOD) == 2
    assert [event.kind.value for event in session.events] == ["started", "action", "undo"]


def test_a_truncated_video_ends_and_the_game_stays(
    session: Session, stills: tuple[Rendered, Rendered], tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole.avi", tmp_path / "cut.avi"
    before, after = (still.image for still in stills)
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"MJPG"), 10, (400, 300))
    for picture in [before] * 10 + [after] * 10 + [before] * 10:
        writer.write(picture)
    writer.release()
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 19 // 30])
    told = watched(session, VideoFile(cut), stills)
    assert told[-1] is Status.NO_CAMERA
    assert told.count(Status.UNDERSTOOD) == 1
    assert is_played(session)


def test_a_lamp_that_goes_off_and_on_is_no_move(session: Session, stills: tuple[Rendered, Rendered]) -> None:
    before = stills[0].image
    dim = (before * 0.6).astype(np.uint8)
    told = watched(session, Reel([before] * REST + [dim] * REST + [before] * REST), stills)
    assert Status.CAMERA_LOST not in told
    assert session.seq == 1
