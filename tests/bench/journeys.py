"""Whole journeys, measured: a simulated table plays legal games before a camera, and the referee judges what is seen.

Every act that a camera can see is one turn; it counts by what the referee said until the next act. Where it is asked
for, an illegal act follows a turn and lies there for a while before it is put right.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion_api.setting_up.hands import Hands
from companion_api.simulated.incidents import ILLEGAL, Meaning, Requests, WhatWasDone, played
from companion_api.simulated.script import Script
from companion_api.simulated.simulation import beside_board, people_of
from companion_api.trials.alike import looks_alike
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.simulated import Act, Filming, SimulatedCamera, SimulatedTable, standing
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, bounds
from tests.bench.trials.alike import quarters_alike, same_by_hand
from tests.bench.trials.illegal import clauses_for
from tests.bench.trials.without import ALL_SENSES, Senses
from vision.detect.shape import Floats
from vision.eyes import Look
from vision.frame import Frame
from vision.pipeline import Looking, Moment, Pipeline
from vision.witness.witness import Kept

MakeEyes = Callable[[SimulatedCamera, int], Looking]

PAUSE_S = 2.4
"""Between two acts; long enough for a question or an accusation that is not about something missing."""


OFTEN_S = 300.0
"""So often memory and drift are noted."""


@dataclass(frozen=True, slots=True)
class Gauged:
    """How things stand at some second of the film: what the program holds in memory, and how far in the picture the
    board is believed from where it was believed when the game began."""

    at: float
    memory_mb: int
    drift_px: float | None


@dataclass
class Journey:
    """`turns` counts right, open (asked where nobody could tell from the table), asked, refused, look (please look),
    silent (nothing said), wrong. `kept` counts the identities that no camera sees and that the referee still knew
    after a turn, of `hidden`; of those that it did not know it took `mistaken` for others. `waits` are seconds from the
    last frame with a hand in it to what was accepted, looking and judging in the thread's own time; `busy_s` is what
    the whole pipeline took, without camera and eyes. `astray_mm`: by how much the board may lie elsewhere than it was
    found, turn by turn. Of `illegal` acts those `flagged` were not let pass; where it can
    be told which clause is right, `nameable` counts the acts and `right_clause` those that were refused with it."""

    game: str
    turns: Counter[str] = field(default_factory=Counter)
    illegal: int = 0
    flagged: int = 0
    nameable: int = 0
    right_clause: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    video_s: float = 0.0
    course: list[Gauged] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    astray_mm: list[float] = field(default_factory=list)
    hidden: int = 0
    kept: int = 0
    mistaken: int = 0
    frames: int = 0
    busy_s: float = 0.0
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        waits = sorted(self.waits)
        names = ("right", "open", "asked", "look", "refused", "wrong", "silent")
        return {
            "game": self.game,
            "turns": sum(self.turns.values()),
            **{name: self.turns[name] for name in names},
            "illegal": self.illegal,
            "illegal_flagged": self.flagged,
            "nameable": self.nameable,
            "right_clause": self.right_clause,
            "kinds": dict(self.kinds.most_common()),
            "verdict_s_p50": round(waits[len(waits) // 2], 2) if waits else None,
            "verdict_s_p95": round(waits[int(len(waits) * 0.95)], 2) if waits else None,
            "board_mm_p50": round(median(self.astray_mm), 2) if self.astray_mm else None,
            "board_mm_most": round(max(self.astray_mm), 2) if self.astray_mm else None,
            "hidden": self.hidden,
            "hidden_kept": self.kept,
            "hidden_mistaken": self.mistaken,
            "frames": self.frames,
            "video_s": round(self.video_s),
            "course": [[round(one.at), one.memory_mb, one.drift_px] for one in self.course],
            "frames_per_busy_s": round(self.frames / self.busy_s, 1) if self.busy_s else None,
            "notes": self.notes,
        }


_FLAGS = (VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE)
_SAID = {VerdictKind.AMBIGUOUS: "asked", VerdictKind.REFUSED: "refused", VerdictKind.IMPOSSIBLE: "look"}


@dataclass(frozen=True, slots=True)
class JourneyPlan:
    """`turns` acts of a random game, and as many illegal ones; so long between them; `senses`: what eyes and referee
    may use."""

    turns: int
    illegal: int = 0
    pause_s: float = PAUSE_S
    senses: Senses = ALL_SENSES

    def __str__(self) -> str:
        return f"{self.turns} turns, {self.illegal} illegal acts, {self.pause_s:g} s between, {self.senses}"


def travel(
    game: AnyGame,
    plan: JourneyPlan,
    eyes: MakeEyes,
    filming: Filming,
    so_far: Callable[[Journey], None] = lambda _: None,
) -> Journey:
    """Play before the camera, at a table where it was marked out whose things lie where. `so_far` hears of the journey
    after every turn and every illegal act."""
    with TemporaryDirectory() as folder:
        return _Trip(game, plan, filming, Path(folder), so_far).made(eyes)


class _Trip:
    def __init__(
        self, game: AnyGame, plan: JourneyPlan, filming: Filming, folder: Path, so_far: Callable[[Journey], None]
    ) -> None:
        self._game, self._seed, self._senses, self._so_far = game, filming.seed, plan.senses, so_far
        self._journey = Journey(game.card.id)
        self._true = History.begin(game)
        self._referee = Referee(game, self._true)
        self._judge = RefereeJudge(self._referee)
        self._said: list[TimedVerdict] = []
        self._hand_at = 0.0
        self._act: Act | None = None
        opening = game.layout(self._true.state)
        self._turns = quarters_alike(opening, opening, range(4))
        self._corners: tuple[Floats, Floats] | None = None
        beside = beside_board(game, self._state, self._seed, plan.turns)
        filming = replace(filming, ground=beside.ground)
        eye = standing(filming, beside.laid(game.layout(self._state)))
        people = replace(people_of(self._referee), tell=self._told, understood=self._understood)
        requests = Requests([ILLEGAL] * plan.illegal)
        script = Script(game, self._state, self._seed, people, pause=plan.pause_s, requests=requests, cited=clauses_for)
        acts = script.acts(plan.turns)
        self._camera = SimulatedCamera(SimulatedTable(map(beside.seated, acts), replace(filming, camera=eye)))
        self._hands = Hands(folder / "hands.json")
        self._hands.keep(beside.areas(eye))

    @property
    def _state(self) -> Any:
        return self._referee.history.state

    def made(self, make: MakeEyes) -> Journey:
        camera, eyes = _Clocked(self._camera), _ClockedEyes(self._senses.seeing(make(self._camera, self._seed)))
        watcher = TableWatcher(self._judge, self._marked)
        begun, aside = time.thread_time(), 0.0
        for told in watcher.watch(Pipeline(camera, eyes)):
            heard = time.thread_time()
            self._hear(told, eyes.looked_s + self._judge.judged_s)
            aside += time.thread_time() - heard
        self._journey.busy_s = time.thread_time() - begun - aside - camera.spent_s - eyes.spent_s
        return self._journey

    def _marked(self, seen: TableEvidence, frame: Frame) -> TableEvidence:
        """At a table that was marked out: it is known whose things lie where."""
        return self._senses.told(replace(seen, table=self._hands.marked(seen.table, frame.size)))

    def _hear(self, told: Moment | TimedVerdict, worked_s: float) -> None:
        shot = self._camera.shot
        if shot is not None and shot.act is not self._act:
            self._begin(shot.act)
        if not isinstance(told, TimedVerdict):
            self._journey.frames += 1
            self._note(shot.at if shot is not None else 0.0)
            self._hand_at = shot.at if shot is not None and shot.facts.hand else self._hand_at
        elif told.verdict.kind is not VerdictKind.SETTLED:
            self._said.append(told)
            if told.verdict.kind is VerdictKind.ACCEPTED:
                self._journey.waits.append(told.moment.at - self._hand_at + worked_s)

    def _note(self, at: float) -> None:
        journey = self._journey
        journey.video_s = at
        if not journey.course or at - journey.course[-1].at >= OFTEN_S:
            journey.course.append(Gauged(at, resident_mb(), self._drift()))

    def _drift(self) -> float | None:
        """Of the corners of the ground that the board has covered since the game began."""
        known = self._referee.memory.known
        if known is None or not isinstance(known.remembered, Kept):
            return None
        if self._corners is None:
            west, south, east, north = bounds(known.remembered.layout.board)
            corners = np.array([(x, y, 0.0) for x in (west, east) for y in (south, north)])
            self._corners = corners, known.remembered.view.project(corners)
        points, then = self._corners
        return round(float(np.linalg.norm(known.remembered.view.project(points) - then, axis=1).max()), 2)

    def _begin(self, act: Act) -> None:
        """What was said of an illegal act, and while it was put right, says nothing of the turn after it."""
        before, self._act = _meant(self._act), act
        if before is not None and before.deed is WhatWasDone.ILLEGAL:
            self._count_illegal(before)
        if before is not None and before.deed in (WhatWasDone.ILLEGAL, WhatWasDone.PUT_RIGHT):
            self._said.clear()

    def _count_illegal(self, act: Meaning) -> None:
        """Flagged is what was refused or looked at by people, and not taken for something legal meanwhile."""
        kinds = {told.verdict.kind for told in self._said}
        cited = {told.verdict.refusal.clause for told in self._said if told.verdict.refusal}
        flagged = VerdictKind.ACCEPTED not in kinds and not kinds.isdisjoint(_FLAGS)
        journey = self._journey
        journey.illegal += 1
        journey.kinds[act.incident] += 1
        journey.flagged += flagged
        journey.nameable += bool(act.clauses)
        journey.right_clause += not cited.isdisjoint(act.clauses)
        if not flagged or (act.clauses and cited.isdisjoint(act.clauses)):
            wanted = "/".join(sorted(act.clauses)) or "any"
            journey.notes.append(f"{act.incident} ({wanted}): {self._words()}")
        self._so_far(journey)

    def _told(self, action: Action) -> None:
        """What only phones can know."""
        self._true = self._true.played(action)
        if self._game.refusal(self._state, action) is None:
            self._referee.goes_on(self._referee.history.play(action))

    def _understood(self, after: Any, actions: tuple[Action, ...]) -> bool:
        """What came of a turn, when its time is over. People put right what was not understood, so that every turn
        counts for itself."""
        for action in actions:
            self._true = self._true.played(action)
        layout, believed = self._game.layout(after), self._game.layout(self._state)
        right = self._state == after or believed == layout or same_by_hand(believed, layout)
        if VerdictKind.ACCEPTED in {told.verdict.kind for told in self._said}:
            # A board that looks the same from two sides may be taken for turned, and stays so.
            turned = quarters_alike(believed, layout, self._turns)
            self._turns = [0] if right else turned or self._turns
            right = right or any(turned)
        result = self._result(right, layout)
        self._journey.turns[result] += 1
        if result != "right":
            done = " + ".join(action.id for action in actions)
            self._journey.notes.append(f"{done}: {result}: {self._words()}")
        astray = self._referee.memory.astray_mm
        self._journey.astray_mm += [astray] if astray is not None else []
        self._count_hidden(layout, believed)
        self._said.clear()
        self._so_far(self._journey)
        if not right:
            self._referee.goes_on(self._true)
        return True

    def _words(self) -> str:
        """What was said; where nothing was, what the last look would have said."""
        if self._said:
            return "; then ".join(_short(told.verdict) for told in self._said)
        held = self._judge.last_judged
        return f"nothing (held back: {_short(held)})" if held is not None else "nothing"

    def _result(self, right: bool, layout: Layout) -> str:
        """The worst thing that was said counts, however it ended."""
        said = {told.verdict.kind: told.verdict for told in self._said}
        for kind in (VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE):
            if kind in said:
                return _SAID[kind]
        if VerdictKind.AMBIGUOUS in said:
            return "open" if self._nobody_can_tell(said[VerdictKind.AMBIGUOUS], layout) else "asked"
        if right:
            return "right"
        return "wrong" if VerdictKind.ACCEPTED in said else "silent"

    def _nobody_can_tell(self, asked: Verdict, layout: Layout) -> bool:
        """Whether all the answers leave the table that is there."""
        ends = (played(self._game, self._state, choice.actions) for choice in asked.choices)
        return all(looks_alike(self._game.layout(end), layout) for end in ends)

    def _count_hidden(self, layout: Layout, believed: Layout) -> None:
        for placed in layout:
            if placed.piece != placed.shown:
                mine = believed.keyed(placed.key)
                kept = mine is not None and mine.piece == placed.piece
                self._journey.hidden += 1
                self._journey.kept += kept
                self._journey.mistaken += not kept and mine is not None and mine.piece != mine.shown


def _short(verdict: Verdict) -> str:
    return f"{verdict.kind.value} {verdict.text[:120]}"


def resident_mb() -> int:
    """What this program holds in memory now."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


def _meant(act: Act | None) -> Meaning | None:
    return act.meaning if act is not None and isinstance(act.meaning, Meaning) else None


class _Clocked:
    """A camera that knows how long filming took."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera
        self.name, self.live, self.stills = camera.name, camera.live, camera.stills
        self.spent_s = 0.0

    @property
    def ended(self) -> bool:
        return self._camera.ended

    def read(self) -> Frame | None:
        begun = time.thread_time()
        frame = self._camera.read()
        self.spent_s += time.thread_time() - begun
        return frame

    def close(self) -> None:
        self._camera.close()


class _ClockedEyes:
    def __init__(self, eyes: Looking) -> None:
        self._eyes = eyes
        self.spent_s = self.looked_s = 0.0

    def look(self, frame: Frame) -> Look:
        begun = time.thread_time()
        look = self._eyes.look(frame)
        self.looked_s = time.thread_time() - begun
        self.spent_s += self.looked_s
        return look
