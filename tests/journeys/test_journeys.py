"""From rendered pictures to verdicts: camera, stillness, hands, fusion, patience and referee together.

The eyes here are told what lies there and make errors of a known size; what the nets can do is measured elsewhere.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.history import History
from rules.games import game
from rules.pieces import Face, Kind, Piece
from rules.referee.debounce import Debounce
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind as Said
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Placed
from tests.bench.truth_reader import Errors, TruthReader
from vision.camera.recorded import Folder
from vision.frame import Frame
from vision.pipeline import CameraState, Pipeline
from vision.sightings import observed_table

DODGEM = game("dodgem")
START = DODGEM.start()
MOVED = DODGEM.advance(START, DODGEM.read(START, "a1-b1"))
SMALL = Viewpoint(480, 270, 62, 16)


def watched(acts: list[Act], seed: int = 3) -> tuple[Referee, list[TimedVerdict]]:
    referee = Referee(DODGEM, History.begin(DODGEM))
    camera = SimulatedCamera(SimulatedTable(acts, FilmSettings(seed=seed, fps=5, view=SMALL)))
    eyes = TruthReader.at(camera, seed, Errors(misread=0.0, miss=0.0))
    told = [
        one
        for one in TableWatcher(RefereeJudge(referee)).watch(Pipeline(camera, eyes))
        if isinstance(one, TimedVerdict)
    ]
    return referee, told


def kinds(told: list[TimedVerdict]) -> list[Said]:
    return [one.verdict.kind for one in told if one.verdict.kind is not Said.SETTLED]


def test_a_move_before_the_camera_is_accepted_once() -> None:
    layout = DODGEM.layout(MOVED)
    referee, told = watched([Act(DODGEM.layout(START), kind="wait", pause=1), Act(layout, pause=1.2)])
    assert kinds(told) == [Said.ACCEPTED]
    assert referee.history.state == MOVED


def test_lamp_bump_jostle_arm_and_cup_change_nothing() -> None:
    layout = DODGEM.layout(START)
    acts = [Act(layout, kind=kind, pause=0.8) for kind in ("wait", "lamp", "bump", "jostle", "arm", "cup")]
    referee, told = watched(acts)
    assert kinds(told) == []
    assert referee.history.state == START


def test_eyes_that_are_told_read_cards_as_well() -> None:
    cards = [
        Placed(Piece(Kind.CARD, mark=mark), mark, 3.0 * at, 0, face)
        for at, (mark, face) in enumerate((("AL", Face.FRONT), ("7WY", Face.FRONT), ("2MK", Face.BACK)))
    ]
    drawn = render_layout(Layout(tuple(cards)), view=SMALL)
    look = TruthReader(lambda _: drawn.truth, 5, Errors(misread=0.0, miss=0.0)).look(Frame(drawn.image))
    assert [sighting.mark for sighting in observed_table(look).sightings] == ["AL", "7WY", None]


class Troubled:
    """A camera that goes dark, changes the size of its frames and loses some, and goes on."""

    live = True
    stills = False
    name = "troubled"

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera
        self._count = 0

    @property
    def ended(self) -> bool:
        return self._camera.ended

    def read(self) -> Frame | None:
        frame = self._camera.read()
        self._count += 1
        if frame is None or self._count % 11 == 0:
            return None
        if 8 <= self._count < 12:
            return Frame(np.zeros_like(frame.image), source=self.name, at=frame.at)
        if 14 <= self._count < 24:
            return Frame(np.asarray(cv2.resize(frame.image, (400, 300)), np.uint8), source=self.name, at=frame.at)
        return frame

    def close(self) -> None:
        self._camera.close()


def test_a_camera_in_trouble_is_survived_with_the_same_game() -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    acts = [Act(DODGEM.layout(START), kind="wait", pause=6.0), Act(DODGEM.layout(MOVED), pause=2.0)]
    film = SimulatedCamera(SimulatedTable(acts, FilmSettings(seed=3, fps=5, view=SMALL)))
    pipeline = Pipeline(Troubled(film), TruthReader.at(film, 3, Errors(misread=0.0, miss=0.0)))
    heard = list(TableWatcher(RefereeJudge(referee)).watch(pipeline))
    assert CameraState.LOST in [one.state for one in heard if not isinstance(one, TimedVerdict)]
    assert kinds([one for one in heard if isinstance(one, TimedVerdict)]) == [Said.ACCEPTED]
    assert referee.history.state == MOVED


def test_an_illegal_move_is_refused_after_a_while_and_put_back() -> None:
    wrong = DODGEM.layout(DODGEM.position({"suns": ["c1", "a2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ()))
    first = Act(DODGEM.layout(START), kind="wait", pause=1)
    referee, told = watched([first, Act(wrong, pause=3.0), Act(DODGEM.layout(START), pause=1.0)])
    assert kinds(told) == [Said.REFUSED]
    refused = next(one.verdict for one in told if one.verdict.kind is Said.REFUSED)
    assert refused.refusal is not None
    assert refused.refusal.clause == "DODG-4.4"
    assert [one.text for one in refused.back] == ["put a coin of suns back to a1"]
    assert told[-1].verdict.kind is Said.SETTLED
    assert referee.history.state == START


@pytest.mark.full
def test_a_photo_game_is_judged_still_by_still(tmp_path: Path) -> None:
    """A folder of stills, and the verdict that is expected after each."""
    wrong = DODGEM.position({"suns": ["b1", "a2", "a3", "a4", "c5"]}, DODGEM.card.options_type(), ())
    reply = DODGEM.advance(MOVED, DODGEM.read(MOVED, "f2-e2"))
    album = [
        ("1-opening.png", START, Said.SETTLED, None),
        ("2-move.png", MOVED, Said.ACCEPTED, "move(a1,b1)"),
        ("3-the-same.png", MOVED, Said.SETTLED, None),
        ("4-wrong-side.png", wrong, Said.REFUSED, None),
        ("5-put-back.png", MOVED, Said.SETTLED, None),
        ("6-reply.png", reply, Said.ACCEPTED, "move(f2,e2)"),
        ("7-taken-back.png", MOVED, Said.ACCEPTED, "undo(1)"),
    ]
    truths = {}
    for index, (name, state, _, _) in enumerate(album):
        still = render_layout(DODGEM.layout(state), "engraved", 40 + index, SMALL)
        assert cv2.imwrite(str(tmp_path / name), still.image)
        truths[name] = still.truth
    referee = Referee(DODGEM, History.begin(DODGEM))
    eyes = TruthReader(lambda frame: truths[frame.source], 5, Errors(misread=0.0, miss=0.0))
    patience = Debounce(referee)
    said = []
    for moment in Pipeline(Folder(tmp_path), eyes).moments():
        assert moment.table is not None
        verdict = patience.look(TableEvidence(moment.table), moment.steady, moment.standalone)
        assert verdict is not None
        said.append((verdict.kind, verdict.action_id))
    assert said == [(kind, action) for _, _, kind, action in album]
