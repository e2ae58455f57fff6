"""The loop of everything that watches a table: frames become moments, moments become verdicts.

Pipeline -> Moment -> TableWatcher -> Judge -> Verdict

`RefereeJudge` judges with a referee alone, `SessionJudge` for a served table, whose findings are logged.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from companion_api.log.store import LogError
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.worker import Worker
from rules.referee.debounce import Debounce
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.camera.contract import Camera
from vision.frame import Frame
from vision.look import shared_reader
from vision.nets import ModelError
from vision.pipeline import CameraState, FrameReader, Moment, Pipeline


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A verdict with its moment; `latency_ms` counts from the last motion to now."""

    verdict: Verdict
    moment: Moment
    latency_ms: float


class Moments(Protocol):
    """Source of moments: a pipeline, or a recording of one."""

    @property
    def ended(self) -> bool: ...

    def step(self) -> Moment | None: ...

    def settle(self) -> None: ...

    def request_reread(self) -> None: ...


class Judge(Protocol):
    """Judges still moments of one game and updates its history."""

    @property
    def is_behind(self) -> bool:
        """Whether the history was changed by others since the last judged moment."""
        ...

    def judge(self, moment: Moment) -> Verdict | None:
        """The verdict to report; None while it is too early."""
        ...


class RefereeJudge:
    """A referee alone; `judged_s` is the thread time of the last judgement in seconds."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._debounce = Debounce(referee)
        self._judged_history = referee.history
        self.judged_s = 0.0

    @property
    def is_behind(self) -> bool:
        return self._referee.history is not self._judged_history

    def judge(self, moment: Moment) -> Verdict | None:
        if moment.evidence is None:
            return None
        start = time.thread_time()
        verdict = self._debounce.look(moment.evidence, moment.steady, moment.standalone)
        self._judged_history = self._referee.history
        self.judged_s = time.thread_time() - start
        return verdict


class SessionJudge:
    """The referee of a served table. `keep` stores a moment's picture as evidence and returns its name; `in_order` is
    called for every steady moment that agrees with the layout. `final`: no later look follows (a photo). `state_seq`:
    the moment shows the table after that event and is dropped once there is a later one."""

    def __init__(
        self,
        session: Session,
        keep: Callable[[Frame], str | None],
        in_order: Callable[[ObservedTable, Frame], None] = lambda *_: None,
        final: bool = False,
        state_seq: int | None = None,
    ) -> None:
        self._session, self._keep, self._in_order, self._state_seq = session, keep, in_order, state_seq
        self._debounce = Debounce(session.referee, final)
        self._judged_seq = session.state_seq

    @property
    def is_behind(self) -> bool:
        return self._session.state_seq != self._judged_seq

    def judge(self, moment: Moment) -> Verdict | None:
        frame = moment.frame
        if moment.evidence is None:
            return None
        judged = self._session.observe(
            moment.evidence,
            self._debounce,
            moment.steady,
            lambda: self._keep(frame) if frame is not None else None,
            moment.standalone,
            self._state_seq,
        )
        self._debounce, self._judged_seq, verdict = judged.debounce, judged.state_seq, judged.verdict
        if moment.steady and frame is not None and verdict is not None and verdict.kind in _IN_ORDER:
            self._in_order(moment.evidence.table, frame)
        return verdict


class TableWatcher:
    """`with_owners` adds the owners of sightings to the evidence."""

    def __init__(
        self, judge: Judge, with_owners: Callable[[TableEvidence, Frame], TableEvidence] = lambda evidence, _: evidence
    ) -> None:
        self._judge = judge
        self._with_owners = with_owners
        self._reported: tuple[object, ...] = ()

    def watch(self, pipeline: Moments) -> Iterator[Moment | TimedVerdict]:
        """Yields every moment until the camera ends, and after it the verdicts that are new. After a change of the
        expected layout the next look is taken at once."""
        while not pipeline.ended:
            if self._judge.is_behind:
                pipeline.request_reread()
            moment = pipeline.step()
            if moment is None:
                continue
            if moment.evidence is not None and moment.frame is not None:
                moment = replace(moment, evidence=self._with_owners(moment.evidence, moment.frame))
            yield moment
            start = time.perf_counter()
            for verdict in self.verdicts(moment):
                if verdict is None:
                    pipeline.request_reread()
                    continue
                if verdict.kind is VerdictKind.ACCEPTED:
                    pipeline.settle()
                if verdict.kind is VerdictKind.ACCEPTED or verdict.news != self._reported:
                    self._reported = verdict.news
                    waited_s = moment.at - moment.moved_at + time.perf_counter() - start
                    yield TimedVerdict(verdict, moment, 1e3 * waited_s + moment.timings_ms.get("total", 0.0))

    def verdicts(self, moment: Moment) -> Iterator[Verdict | None]:
        """Verdicts of one moment, none if it was not read. After a physical undo the same moment is judged once more:
        another action may have followed before the look."""
        if moment.evidence is None:
            return
        verdict = self._judge.judge(moment)
        yield verdict
        if verdict is not None and verdict.undone:
            yield self._judge.judge(moment)


_IN_ORDER = (VerdictKind.SETTLED, VerdictKind.ACCEPTED)


log = logging.getLogger("companion.watcher")

TURN_S = 60.0
"""Seconds a new watcher waits for the previous one to finish its look."""
LOG_PAUSE_S = 1.0
"""Seconds before the next look after the log could not be written (full disk, unreachable database)."""

_STATUS = {CameraState.HAND: Status.HAND, CameraState.SETTLING: Status.SETTLING, CameraState.LOST: Status.CAMERA_LOST}


class Owner(Protocol):
    """Stores evidence, knows the owners of areas, and is notified of every look."""

    def keep(self, frame: Frame) -> str | None: ...

    def with_owners(self, evidence: TableEvidence, frame: Frame) -> TableEvidence: ...

    def report_calibration(self, session: Session) -> None: ...

    def schedule_next_game(self, session: Session) -> bool: ...

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None: ...


class WatcherThread(Worker):
    """Watches one session with one camera in a thread until stopped or the camera ends. It survives a lost camera and
    an unwritable log, and reports both."""

    latest: Moment | None

    def __init__(
        self,
        session: Session,
        camera: Camera,
        owner: Owner,
        reader: Callable[[], FrameReader] = shared_reader,
        turn: threading.Lock | None = None,
    ) -> None:
        """`turn` is held by whoever reads pictures: the previous watcher may still be busy, and parallel looks would
        multiply the memory."""
        super().__init__("table-watcher")
        self.session = session
        self.camera = camera
        self.latest = None
        self._owner = owner
        self._make_reader = reader
        self._turn = turn or threading.Lock()

    def stop(self) -> None:
        super().stop()
        self.camera.close()

    def switch_to(self, session: Session) -> None:
        self.session, self.latest = session, None

    def _run(self) -> None:
        acquired = self._acquire_turn()
        try:
            if not self._stop.is_set():
                self._watch()
        finally:
            if acquired:
                self._turn.release()

    def _acquire_turn(self) -> bool:
        """Waits for the previous watcher, at most TURN_S, since its camera may never answer."""
        until = time.monotonic() + TURN_S
        while not self._stop.is_set() and time.monotonic() < until:
            if self._turn.acquire(timeout=0.2):
                return True
        return False

    def _watch(self) -> None:
        try:
            reader = self._make_reader()
        except ModelError as error:
            log.warning("the table cannot be watched: %s", error)
            return
        pipeline = Pipeline(self.camera, reader)
        self.session.set_status(Status.WATCHING)
        while not (self._stop.is_set() or self.camera.ended):
            try:
                self._follow(self.session, pipeline)
            except LogError as error:
                log.warning("what the camera saw could not be written down: %s", error)
                self._stop.wait(LOG_PAUSE_S)
                pipeline.request_reread()
        if not self._stop.is_set() and not self._owner.schedule_next_game(self.session):
            self.session.set_status(Status.NO_CAMERA)

    def _follow(self, session: Session, pipeline: Pipeline) -> None:
        """Watches one session until the camera is switched to another one."""
        owner = self._owner
        judge = SessionJudge(session, owner.keep, partial(owner.photograph, session))
        for item in TableWatcher(judge, owner.with_owners).watch(pipeline):
            if self._stop.is_set():
                return
            if isinstance(item, Moment):
                self._show(item, session)
            if self.session is not session:
                pipeline.request_reread()
                return

    def _show(self, moment: Moment, session: Session) -> None:
        if moment.frame is not None and (moment.result is not None or self.latest is None):
            self.latest = moment
        if moment.result is not None:
            self._owner.report_calibration(session)
        if moment.state in _STATUS:
            session.set_status(_STATUS[moment.state])
