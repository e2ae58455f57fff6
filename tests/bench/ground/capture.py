"""Makes recordings: film with hands, stills of random sets, pictures of another renderer, and twins of them all.

The film goes through the same pipeline as a served table, and every picture through a camera's JPEG before the eyes see
it, so that what is kept is what was seen.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_api.simulated.incidents import ILLEGAL, ActKind, Meaning, Requests
from companion_api.simulated.script import PeopleAtTable, Script, beside_board
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable, session_camera
from rules.engine.action import Action
from rules.engine.history import History
from rules.games import game as find_game
from rules.table.layout import bounds
from tests.bench.ground.recording import Deed, RecordedLook, RecordedStep, Recording, Source
from tests.bench.ground.twin import Light, changed
from tests.bench.trials.illegal import clauses_for
from tests.bench.trials.stills import FrameCamera, sequence, view_of, with_acts
from tests.bench.trials.stills import acts as shown_acts
from tests.bench.truth_reader import Errors, TruthReader
from vision.adaptive_reader import AdaptiveReader
from vision.frame import Frame, Picture, decode, read_frame
from vision.pipeline import CameraState, FrameReader, Moment, Pipeline
from vision.sightings import observed_table
from vision.stillness import MOTION_LEVELS, Grey, block_difference, small_grey
from vision.table_reader import FrameResult, TableReader

QUALITY = 90
"""Of the JPEG through which every picture goes."""
PAUSE_S = 2.4
"""Between two acts of a film: the length of a question and its answer, three looks."""
LINGER_S = 2.4
"""How long an illegal act lies there: three looks."""
FPS = 10.0
EXACT = Errors(misread=0.0, miss=0.0, doubt=0.001)
"""Of eyes that are told what lies there: whatever fails then is the referee's fault."""
DEEDS = {
    ActKind.LEGAL: Deed.LEGAL,
    ActKind.ILLEGAL: Deed.ILLEGAL,
    ActKind.PUT_RIGHT: Deed.PUT_RIGHT,
    ActKind.NOTHING: Deed.NOTHING,
}


@dataclass(frozen=True, slots=True)
class Shooting:
    """How one game is taken: seed of game, set, light and camera; picture size; how many turns and illegal acts."""

    game: str
    seed: int
    size: tuple[int, int] = (1280, 720)
    turns: int = 8
    illegal: int = 1
    style: str = "test"

    def filming(self) -> FilmSettings:
        width, height = self.size
        return FilmSettings(self.style, self.seed, FPS, replace(view_of(self.seed), width=width, height=height))

    def name(self, source: Source) -> str:
        return f"{source}-{self.game}-{self.seed}-{self.size[0]}"


class _Camera:
    """A camera whose pictures go through a JPEG; knows what moved since `swept` was last asked."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.name, self.live, self.stills = inner.name, inner.live, inner.stills
        self._last: Grey | None = None
        self._moved: NDArray[np.bool_] | None = None
        self._reach = [0, 0, 0, 0]

    @property
    def ended(self) -> bool:
        return bool(self._inner.ended)

    def read(self) -> Frame | None:
        frame: Frame | None = self._inner.read()
        if frame is None or self.stills:
            return frame
        grey = small_grey(frame.image)
        if self._last is not None and self._last.shape == grey.shape:
            moved = block_difference(self._last, grey) > MOTION_LEVELS
            self._moved = moved if self._moved is None else self._moved | moved
            edges = (moved[:, 0], moved[0], moved[:, -1], moved[-1])
            self._reach = [count + bool(edge.any()) for count, edge in zip(self._reach, edges, strict=True)]
        self._last = grey
        return frame

    def swept(self) -> tuple[NDArray[np.bool_] | None, tuple[int, int, int, int]]:
        """What moved since this was last asked, and in how many frames at each edge."""
        west, north, east, south = self._reach
        found, self._moved, self._reach = self._moved, None, [0, 0, 0, 0]
        return found, (west, north, east, south)

    def close(self) -> None:
        self._inner.close()


@dataclass
class _JpegEyes:
    """Eyes that see every picture as a camera's JPEG; `jpeg` is the last one."""

    inner: FrameReader
    jpeg: bytes = b""

    def look(self, frame: Frame) -> FrameResult:
        self.jpeg = jpeg_of(frame.image)
        return self.inner.look(replace(frame, image=decode("recorded", self.jpeg)))


def jpeg_of(image: Picture) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def looked(moment: Moment, look: FrameResult, jpeg: bytes) -> RecordedLook:
    """A moment of the pipeline as it is kept."""
    assert moment.evidence is not None
    pieces = [piece for piece in look.pieces if piece.position is not None and piece.embedding is not None]
    alone = observed_table(replace(look, pieces=pieces, faint=[]), moment.at)
    rows = [piece.embedding for piece in pieces]
    return RecordedLook(
        moment.at,
        moment.steady,
        moment.standalone,
        jpeg,
        look.plane,
        moment.evidence.table,
        alone.sightings,
        np.array(rows, np.float16) if rows else np.zeros((0, 0), np.float16),
    )


# Film ----------------------------------------------------------------------------------------------------------------


@dataclass
class _Reel:
    """What becomes of a film while it is watched."""

    told: list[str] = field(default_factory=list)
    act: Act | None = None
    steps: list[RecordedStep] = field(default_factory=list)

    def tell(self, action: Action) -> None:
        self.told.append(action.id)

    def begin(self, act: Act) -> None:
        """Another act: what people told before it belongs to it."""
        if act is self.act:
            return
        self.act = act
        meant = act.meaning if isinstance(act.meaning, Meaning) else Meaning(ActKind.NOTHING)
        told, self.told = tuple(self.told), []
        deed = DEEDS[meant.deed]
        if meant.actions and told[-len(meant.actions) :] == meant.actions:  # people have told this very act
            step = RecordedStep(Deed.NOTHING, (), told, meant.incident)
        else:
            step = RecordedStep(deed, meant.actions if deed is Deed.LEGAL else (), told, meant.incident, meant.clauses)
        self.steps.append(step)

    def take(self, look: RecordedLook) -> None:
        self.steps[-1] = replace(self.steps[-1], looks=(*self.steps[-1].looks, look))


def film(shooting: Shooting, eyes: TableReader | None) -> Recording:
    """A random game played by hands before a camera, filmed and looked at as a served table is. No `eyes`: whoever
    looks is told what lies there."""
    game = find_game(shooting.game)
    first = History.begin(game).state
    beside = beside_board(game, first, shooting.seed, shooting.turns)
    filming = replace(shooting.filming(), ground=beside.ground)
    eye = session_camera(filming, beside.arrange(game.layout(first)))
    reel = _Reel()
    people = PeopleAtTable(reel.tell, lambda *_: True, lambda _: None)
    wishes = Requests([ILLEGAL] * shooting.illegal)
    script = Script(game, first, shooting.seed, people, PAUSE_S, wishes, linger=LINGER_S, cited=clauses_for)
    acts = map(beside.arrange_act, script.acts(shooting.turns))
    simulated = SimulatedCamera(SimulatedTable(acts, replace(filming, camera=eye)))
    areas = tuple(beside.areas(eye))
    seeing = AdaptiveReader(eyes) if eyes else TruthReader.at(simulated, shooting.seed, EXACT)
    steps = _watched(simulated, reel, _JpegEyes(seeing))
    return Recording(
        shooting.name(Source.FILM), Source.FILM, shooting.game, shooting.style, shooting.size, steps, areas=areas
    )


def _watched(simulated: SimulatedCamera, reel: _Reel, seeing: _JpegEyes) -> tuple[RecordedStep, ...]:
    camera = _Camera(simulated)
    for moment in Pipeline(camera, seeing).moments():
        if simulated.shot is not None:
            reel.begin(simulated.shot.act)
        if moment.state is CameraState.LOOKED and moment.result is not None:
            swept, reach = camera.swept()
            reel.take(replace(looked(moment, moment.result, seeing.jpeg), swept=swept, reach=reach))
    return tuple(reel.steps)


# Stills --------------------------------------------------------------------------------------------------------------


def stills(shooting: Shooting, eyes: TableReader | None) -> Recording:
    """Every moment of a random game as a still, without hands, and illegal acts after the last turn of somebody. No
    `eyes`: as for `film`."""
    game = find_game(shooting.game)
    begin, first, shown = sequence(game, shooting.seed, shooting.turns)
    shown = with_acts(game, begin, shown, shooting.illegal, random.Random(shooting.seed))
    needed = bounds(placed for table in (first, *(still.layout for still in shown)) for placed in table)
    filming = replace(shooting.filming(), fps=1.0, pause=0.0, ground=needed)
    frames, truths = [], {}
    for shot in SimulatedTable(shown_acts(first, shown), filming).shots():
        frames.append(Frame(shot.image, source="still", at=shot.at))
        truths[shot.at] = {} if eyes else shot.truth()
    steps = [RecordedStep(Deed.NOTHING, told=tuple(action.id for action in begin.actions))]
    for still in shown:
        meant = still.meant
        if meant is None:
            steps.append(RecordedStep(Deed.LEGAL, tuple(action.id for action in still.actions)))
        else:
            steps.append(RecordedStep(DEEDS[meant.deed], incident=meant.incident, clauses=meant.clauses))
    name = shooting.name(Source.STILLS)
    seeing = AdaptiveReader(eyes) if eyes else TruthReader(lambda frame: truths[frame.at], shooting.seed, EXACT)
    done = _looked_at(frames, steps, _JpegEyes(seeing))
    return Recording(name, Source.STILLS, shooting.game, shooting.style, shooting.size, done)


def _looked_at(frames: Sequence[Frame], steps: Sequence[RecordedStep], seeing: _JpegEyes) -> tuple[RecordedStep, ...]:
    """Each frame is the still of one step."""
    moments = _moments(frames, seeing)
    return tuple(replace(step, looks=(moment,)) for step, moment in zip(steps, moments, strict=True))


def _moments(frames: Iterable[Frame], seeing: _JpegEyes) -> Iterator[RecordedLook]:
    for moment in Pipeline(FrameCamera(frames), seeing).moments():
        assert moment.state is CameraState.LOOKED
        assert moment.result is not None
        yield looked(moment, moment.result, seeing.jpeg)


# Pictures of another renderer ----------------------------------------------------------------------------------------


def foreign(folder: Path, eyes: TableReader) -> Recording:
    """A folder of stills NN.jpg with script.json: what was truly done since the still before (see the README of the
    pictures)."""
    script = json.loads((folder / "script.json").read_text())
    game = find_game(script["game"])
    frames = [replace(read_frame(folder / still["image"]), at=float(at)) for at, still in enumerate(script["stills"])]
    steps = []
    for still in script["stills"]:
        told = tuple(still.get("told", ()))
        if still.get("illegal"):
            steps.append(RecordedStep(Deed.ILLEGAL, told=told, clauses=frozenset({script["illegal"]["clause"]})))
        else:
            done = tuple(still["actions"])
            steps.append(RecordedStep(Deed.LEGAL if done else Deed.NOTHING, done, told))
    done_steps = _looked_at(frames, steps, _JpegEyes(AdaptiveReader(eyes)))
    name = f"{Source.FOREIGN}-{folder.parent.name}-{folder.name}"
    return Recording(
        name,
        Source.FOREIGN,
        game.card.id,
        script.get("set") or "?",
        frames[0].size,
        done_steps,
        script.get("options") or {},
        script.get("seats"),
    )


def twin(recording: Recording, seed: int, eyes: TableReader) -> Recording:
    """The same moments as other pixels would have shown them, looked at anew."""
    light = Light.of(recording.name, seed)
    seeing = _JpegEyes(AdaptiveReader(eyes))
    steps, number = [], 0
    for step in recording.steps:
        looks = []
        for look in step.looks:
            frame = Frame(changed(look.frame().image, light, number), source="twin", at=look.at)
            [again] = _moments([frame], seeing)
            fused = replace(again, steady=look.steady, alone=look.alone, swept=look.swept, reach=look.reach)
            looks.append(fused)
            number += 1
        steps.append(replace(step, looks=tuple(looks)))
    return replace(recording, steps=tuple(steps), twin=seed)


def cut_to_first_look(recording: Recording) -> Recording:
    """Only the last look of each step, as a still of its own: a twin of a film is made of these."""
    steps = (
        replace(step, looks=tuple(replace(look, alone=True, steady=True) for look in step.looks[-1:]))
        for step in recording.steps
    )
    return replace(recording, steps=tuple(steps))
