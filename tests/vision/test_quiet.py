"""An hour before a camera: a quiet table costs next to nothing, and memory does not grow."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from rules.engine.history import History
from rules.games import game
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from tests.bench.truth_reader import TruthReader
from tests.tiers import full
from vision.frame import Frame, Picture
from vision.pipeline import MAX_STILL_HAND_S, CameraState, Pipeline
from vision.stillness import Stillness
from vision.table_reader import FrameResult

DODGEM = game("dodgem")
STEP_S = 12.0  # the table is read again after ten quiet seconds, so every frame is looked at
GROWTH = 2000  # blocks of memory
SHARE_OF_A_CORE = 0.15
FPS = 15

EYES_MB = 140.0
ROUND_MB = 20.0
LOOKING = """
import sys
from companion_api import memory_trim
memory_trim.configure()
from vision.table_reader import TableReader
from vision.frame import read_frame

def held_mb():
    memory_trim.trim()
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6

frames = [read_frame(path) for path in sys.argv[1:]]
print(held_mb())
eyes = TableReader()
for _ in range(3):
    for frame in frames:
        eyes.look(frame)
    print(held_mb())
"""
"""Looks at pictures again and again and prints what the process holds: before its eyes open, then after each round."""


class Quiet:
    """The same picture for so long; every minute the lamp is switched."""

    live = True
    stills = False
    name = "quiet"

    def __init__(self, picture: Picture, every_s: float, lasts_s: float) -> None:
        self._lasts_s = lasts_s
        self._pictures = (picture, (picture * 0.8).astype(picture.dtype))
        self._every_s = every_s
        self._at = 0.0

    @property
    def ended(self) -> bool:
        return self._at >= self._lasts_s

    def read(self) -> Frame:
        self._at += self._every_s
        return Frame(self._pictures[int(self._at / 60) % 2], source="quiet", at=self._at)

    def close(self) -> None:
        self._at = self._lasts_s


@pytest.mark.parametrize("minutes", [5, full(60)])
def test_memory_is_flat_and_nothing_happens_for_so_long(minutes: int) -> None:
    still = render_layout(DODGEM.layout(DODGEM.start()), "classic", 3, Viewpoint(400, 300, tilt_deg=12))
    eyes = TruthReader(lambda _: still.truth, 5)
    told: list[TimedVerdict] = []
    sizes: list[int] = []
    for count, one in enumerate(_watcher().watch(Pipeline(Quiet(still.image, STEP_S, 60 * minutes), eyes))):
        if isinstance(one, TimedVerdict):
            told.append(one)
        if count % 10 == 9:
            gc.collect()
            sizes.append(sys.getallocatedblocks())
    assert {one.verdict.kind for one in told} == {VerdictKind.SETTLED}
    assert sizes[-1] < sizes[0] + GROWTH, sizes


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells what a process holds")
def test_open_eyes_hold_little_and_no_more_with_every_look(tmp_path: Path) -> None:
    """Tables of very different sizes, so that the nets work on batches of many sizes."""
    paths = []
    for name, width in (("dodgem", 1920), ("four_blind_mice", 1280), ("fuji_san", 1600), ("tula", 1024)):
        still = render_layout(game(name).layout(game(name).start()), "classic", 3, Viewpoint(width, width * 9 // 16))
        paths.append(tmp_path / f"{name}.jpg")
        assert cv2.imwrite(str(paths[-1]), still.image)
    command = [sys.executable, "-c", LOOKING, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    closed, first, *later = map(float, done.stdout.split())
    assert first - closed < EYES_MB, f"{first - closed:.0f} MB for open eyes"
    assert max(later) < first + ROUND_MB, f"{first:.0f} MB, then {later}"


def _watcher() -> TableWatcher:
    return TableWatcher(RefereeJudge(Referee(DODGEM, History.begin(DODGEM))))


@pytest.mark.long
def test_a_quiet_table_costs_a_small_part_of_a_core() -> None:
    frame = Frame(render_layout(DODGEM.layout(DODGEM.start()), "classic", 3, Viewpoint(1280, 720)).image)
    assert _cost_s(frame) * FPS < SHARE_OF_A_CORE


def _cost_s(frame: Frame, frames: int = 40) -> float:
    """Processor time of this thread for an unchanged frame."""
    stillness = Stillness()
    stillness.feed(frame)
    begun = time.thread_time()
    for _ in range(frames):
        stillness.feed(frame)
    return (time.thread_time() - begun) / frames


class HandSeeing:
    """Eyes that take the table for a hand."""

    def __init__(self, picture: Picture) -> None:
        self._look = FrameResult(Frame(picture), [], None, 0.1, [], {})

    def look(self, frame: Frame) -> FrameResult:
        return replace(self._look, frame=frame)


def test_what_keeps_as_still_as_no_hand_can_is_no_hand() -> None:
    picture = np.full((90, 160, 3), 120, np.uint8)
    seen: dict[CameraState, float] = {}
    for moment in Pipeline(Quiet(picture, 0.5, 3600), HandSeeing(picture)).moments():
        seen.setdefault(moment.state, moment.at)
        if moment.at > MAX_STILL_HAND_S + 5:
            break
    assert seen[CameraState.LOOKED] - seen[CameraState.HAND] == pytest.approx(MAX_STILL_HAND_S, abs=1.5)
