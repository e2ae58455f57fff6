"""The thread that watches a served table: camera, table reader, referee and log. It survives a lost camera and an
unwritable log, and reports both."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

from companion_api.log.store import LogError
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.watching.table_watcher import SessionJudge, TableWatcher
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.camera.contract import Camera
from vision.frame import Frame
from vision.look import shared_reader
from vision.nets import ModelError
from vision.pipeline import CameraState, FrameReader, Moment, Pipeline

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


class WatcherThread:
    """Watches one session with one camera until stopped or the camera ends."""

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
        self.session = session
        self.camera = camera
        self.latest = None
        self._owner = owner
        self._make_reader = reader
        self._turn = turn or threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table-watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self.camera.close()

    def switch_to(self, session: Session) -> None:
        """Watch another table with the same camera."""
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
