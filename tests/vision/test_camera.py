"""Sources that misbehave: truncated, of changing size, dark, slow, lost. The pipeline says so and goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, open_camera
from vision.camera.phone import PhoneCamera
from vision.camera.recorded import Folder, VideoFile
from vision.frame import Frame, Picture
from vision.pipeline import CameraState, Pipeline
from vision.table_reader import FrameResult


class Counting:
    """Eyes that count how often they are asked; what they would see is no matter here."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self, frame: Frame) -> FrameResult:
        self.looks += 1
        return FrameResult(frame, [], None, 0.0, [], {"total": 0.0})


class Reel:
    """Frames one after another, None where there is none."""

    live = True
    stills = False
    name = "reel"

    def __init__(self, frames: Sequence[Picture | None], fps: float = 10.0) -> None:
        self._frames = list(frames)
        self._fps = fps
        self._at = 0

    @property
    def ended(self) -> bool:
        return self._at >= len(self._frames)

    def read(self) -> Frame | None:
        image = self._frames[self._at]
        self._at += 1
        return None if image is None else Frame(image, source="reel", at=self._at / self._fps)

    def close(self) -> None:
        self._at = len(self._frames)


def picture(seed: int = 0, size: tuple[int, int] = (640, 360)) -> Picture:
    coarse = np.random.default_rng(seed).integers(60, 200, (9, 16, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def seen(frames: Sequence[Picture | None], fps: float = 10.0) -> tuple[list[CameraState], Counting]:
    eyes = Counting()
    return [moment.state for moment in Pipeline(Reel(frames, fps), eyes).moments()], eyes


def test_a_quiet_table_is_looked_at_a_few_times_only() -> None:
    moments, eyes = seen([picture()] * 60)
    assert eyes.looks == 3
    assert moments[-1] is CameraState.WATCHING


def test_one_frame_a_second_is_enough() -> None:
    moments, eyes = seen([picture()] * 8, fps=1.0)
    assert eyes.looks >= 3
    assert CameraState.LOOKED in moments


def test_frames_of_another_size_in_mid_stream_are_a_new_view_and_not_the_end() -> None:
    moments, eyes = seen([picture()] * 12 + [picture(size=(640, 480))] * 12)
    assert moments[12] is not CameraState.LOOKED
    assert moments[-1] in (CameraState.LOOKED, CameraState.WATCHING)
    assert eyes.looks == 6


def test_black_frames_are_a_lost_camera_and_light_brings_it_back() -> None:
    black = np.zeros((360, 640, 3), np.uint8)
    moments, _ = seen([picture()] * 8 + [black] * 5 + [picture()] * 12)
    assert moments[8:13] == [CameraState.LOST] * 5
    assert CameraState.LOOKED in moments[13:]


def test_a_lamp_is_no_move() -> None:
    bright = picture()
    dim = (bright * 0.7).astype(np.uint8)
    _, eyes = seen([bright] * 20 + [dim] * 20)
    assert eyes.looks <= 6


def test_a_silent_camera_is_said_to_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now.__setitem__(0, now[0] + 1.0) or now[0])
    moments, _ = seen([picture()] * 5 + [None] * 4 + [picture()] * 8)
    assert CameraState.LOST in moments
    assert moments[-1] is not CameraState.LOST


def test_a_truncated_video_ends_where_it_is_cut(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.avi", tmp_path / "cut.avi"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 360))
    for index in range(20):
        writer.write(picture(index))
    writer.release()
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    video = VideoFile(cut)
    frames = 0
    while not video.ended:
        frames += video.read() is not None
    assert 0 < frames < 20


def test_an_unreadable_still_does_not_end_the_folder(tmp_path: Path) -> None:
    for index, name in enumerate(("a.png", "c.png")):
        cv2.imwrite(str(tmp_path / name), picture(index))
    (tmp_path / "b.png").write_bytes(b"no picture")
    eyes = Counting()
    moments = list(Pipeline(Folder(tmp_path), eyes).moments())
    assert eyes.looks == 2
    assert all(moment.standalone for moment in moments)


@pytest.mark.parametrize("source", ["nowhere.mp4", "99"])
def test_a_source_that_is_not_there_is_told_in_one_line(source: str) -> None:
    with pytest.raises(CameraError) as problem:
        open_camera(source)
    assert "\n" not in str(problem.value)


def test_a_file_that_is_no_video_and_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_bytes(b"hello")
    with pytest.raises(CameraError, match="not a video"):
        open_camera(str(tmp_path / "x.mp4"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CameraError, match="no pictures"):
        open_camera(str(tmp_path / "empty"))


def test_the_newest_still_of_a_phone_counts() -> None:
    phone = PhoneCamera()
    for index in range(3):
        phone.push(cv2.imencode(".jpg", picture(index))[1].tobytes())
    frame = phone.read()
    assert frame is not None
    assert np.abs(frame.image.astype(int) - picture(2).astype(int)).mean() < 20


@pytest.mark.parametrize("source", ["²", "9" * 20, "9" * 5000, "-1", "\x00"])
def test_what_is_no_camera_is_said_in_words(source: str) -> None:
    with pytest.raises(CameraError, match="no such camera"):
        open_camera(source)
