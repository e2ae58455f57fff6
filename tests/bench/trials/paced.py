"""Film at the pace of the clock: how long it takes from the last frame with a hand in it to the verdict, and how many
frames pass while the nets are at work.

The film is drawn beforehand and kept as the JPEG frames that a webcam gives, so that drawing takes nothing from seeing;
decoding them is part of what is measured.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import cv2

from companion_api.setting_up.hands import Area, Hands
from companion_api.simulated.script import PeopleAtTable, Script
from companion_api.simulated.simulation import beside_board
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.simulated import Filming, SimulatedTable, standing
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from rules.table.evidence import TableEvidence
from tests.bench.trials.alike import same_by_hand
from vision.frame import Frame, decode
from vision.pipeline import Looking, Pipeline

QUALITY = 92
PAUSE_S = 3.0


@dataclass(frozen=True, slots=True)
class FilmedFrame:
    jpeg: bytes
    at: float
    hand: bool


@dataclass(frozen=True, slots=True)
class ReelAction:
    """What was done in one reach, whose frames end before that number; what only phones know is `told`."""

    actions: tuple[Action, ...]
    before: int
    told: bool


@dataclass
class FilmReel:
    """A game as it was filmed."""

    game: AnyGame
    areas: Sequence[Area]
    frames: list[FilmedFrame] = field(default_factory=list)
    done: list[ReelAction] = field(default_factory=list)


def filmed(game: AnyGame, turns: int, filming: Filming) -> FilmReel:
    first = History.begin(game).state
    beside = beside_board(game, first, filming.seed, turns)
    filming = replace(filming, ground=beside.ground)
    eye = standing(filming, beside.laid(game.layout(first)))
    reel = FilmReel(game, beside.areas(eye))

    def tell(action: Action) -> None:
        reel.done.append(ReelAction((action,), len(reel.frames), told=True))

    def understood(_: Any, actions: tuple[Action, ...]) -> bool:
        reel.done.append(ReelAction(actions, len(reel.frames), told=False))
        return True

    people = PeopleAtTable(tell, understood, lambda _: None)
    acts = Script(game, first, filming.seed, people, pause=PAUSE_S).acts(turns)
    for shot in SimulatedTable(map(beside.seated, acts), replace(filming, camera=eye)).shots():
        jpeg = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        reel.frames.append(FilmedFrame(jpeg, shot.at, shot.facts.hand))
    return reel


class Showing:
    """A reel behind the contract of every camera. At the pace of the clock the newest frame counts, as a webcam gives
    it, and those that came meanwhile are missed; `hurried`, every frame is given as soon as it is wanted."""

    name, live, stills = "paced film", False, False

    def __init__(
        self,
        reel: FilmReel,
        hurried: bool,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._frames, self._hurried, self._clock, self._sleep = reel.frames, hurried, clock, sleep
        self._times = [frame.at for frame in reel.frames]
        self._began: float | None = None
        self.number = -1
        self.read_count = 0

    @property
    def ended(self) -> bool:
        return self.number + 1 >= len(self._frames)

    def read(self) -> Frame | None:
        if self._began is None:
            self._began = self._clock() - self._times[0]
        self.number = self.number + 1 if self._hurried else self._newest(self._began)
        self.read_count += 1
        taken = self._frames[self.number]
        return Frame(decode(self.name, taken.jpeg), source=self.name, at=taken.at)

    def _newest(self, began: float) -> int:
        newest = bisect_right(self._times, self._clock() - began) - 1
        if newest > self.number:
            return newest
        self._sleep(max(0.0, began + self._times[self.number + 1] - self._clock()))
        return self.number + 1

    def since_hand(self) -> float:
        """Seconds on the clock since the last frame with a hand in it was there."""
        assert self._began is not None, "nothing was shown yet"
        last = next((n for n in range(self.number, -1, -1) if self._frames[n].hand), 0)
        return self._clock() - self._began - self._times[last]

    def close(self) -> None:
        """Nothing is held that needs closing."""


@dataclass
class Pace:
    """`verdicts_s`: from the last frame with a hand to what was accepted, on the clock, and of these the eyes' and the
    referee's part of the last look."""

    game: str
    turns: int = 0
    right: int = 0
    verdicts_s: list[float] = field(default_factory=list)
    looks_ms: list[float] = field(default_factory=list)
    shown: int = 0
    taken: int = 0
    lasted_s: float = 0.0
    hurried_fps: float = 0.0

    def to_json(self) -> dict[str, Any]:
        waits = sorted(self.verdicts_s)
        return {
            "game": self.game,
            "turns": self.turns,
            "right": self.right,
            "verdict_s_p50": round(median(waits), 2) if waits else None,
            "verdict_s_p95": round(waits[int(len(waits) * 0.95)], 2) if waits else None,
            "verdicts_s": [round(wait, 2) for wait in waits],
            "look_ms_p50": round(median(self.looks_ms)) if self.looks_ms else None,
            "looks": len(self.looks_ms),
            "frames_shown": self.shown,
            "frames_taken": self.taken,
            "film_s": round(self.lasted_s, 1),
            "frames_per_s_hurried": round(self.hurried_fps, 1),
        }


def paced(reel: FilmReel, eyes: Callable[[], Looking]) -> Pace:
    """Shown at its pace, and once more as fast as it can be taken in."""
    pace = Pace(reel.game.card.id, shown=len(reel.frames))
    with TemporaryDirectory() as folder:
        hands = Hands(Path(folder) / "hands.json")
        hands.keep(reel.areas)
        shown = _shown(reel, hands, eyes(), hurried=False, pace=pace)
        pace.taken, pace.lasted_s = shown.read_count, reel.frames[-1].at
        begun = time.monotonic()
        _shown(reel, hands, eyes(), hurried=True, pace=Pace(pace.game))
        pace.hurried_fps = len(reel.frames) / (time.monotonic() - begun)
    return pace


def _shown(reel: FilmReel, hands: Hands, eyes: Looking, hurried: bool, pace: Pace) -> Showing:
    camera = Showing(reel, hurried)
    true = History.begin(reel.game)
    referee = Referee(reel.game, true)
    left = list(reel.done)

    def marked(seen: TableEvidence, frame: Frame) -> TableEvidence:
        return replace(seen, table=hands.marked(seen.table, frame.size))

    for told in TableWatcher(RefereeJudge(referee), marked).watch(Pipeline(camera, eyes)):
        if isinstance(told, TimedVerdict):
            if told.verdict.kind is VerdictKind.ACCEPTED:
                pace.verdicts_s.append(camera.since_hand())
            continue
        if told.look is not None:
            pace.looks_ms.append(told.timings_ms.get("total", 0.0))
        while left and left[0].before <= camera.number:
            done = left.pop(0)
            for action in done.actions:
                true = true.played(action)
            pace.turns += not done.told
            right = _is_right(reel.game, referee, true)
            pace.right += right and not done.told
            if not right:
                referee.goes_on(true)
    return camera


def _is_right(game: AnyGame, referee: Referee, true: History) -> bool:
    state = referee.history.state
    return bool(state == true.state) or same_by_hand(game.layout(state), game.layout(true.state))
