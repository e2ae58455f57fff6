"""The thread that watches a served table: camera, eyes, referee and log. It survives a lost camera, and a log that
cannot be written, and says so."""

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
"""How long new eyes wait for those before them."""
LOG_PAUSE_S = 1.0
"""After the log could not be written (a full disk, a database that is away) the next look comes so much later."""

_STATUS = {
    CameraState.HAND: Status.HAND,
    CameraState.SETTLING: Status.SETTLING,
    CameraState.LOST: Status.CAMERA_LOST,
}


class Owner(Protocol):
    """Who sent the eyes: keeps evidence, knows whose things lie where, and hears of every look."""

    def keep(self, frame: Frame) -> str | None: ...

    def marked(self, seen: TableEvidence, frame: Frame) -> TableEvidence: ...

    def on_notice(self, session: Session) -> None: ...

    def goes_on(self, session: Session) -> bool: ...

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None: ...


class WatcherThread:
    """Feeds one session from one camera until it is stopped or the camera ends."""

    latest: Moment | None

    def __init__(
        self,
        session: Session,
        camera: Camera,
        owner: Owner,
        eyes: Callable[[], FrameReader] = shared_reader,
        turn: threading.Lock | None = None,
    ) -> None:
        """`turn` is held by whoever looks: eyes that were sent elsewhere may still be busy with a picture, and several
        at once would need the memory several times."""
        self.session = session
        self.camera = camera
        self.latest = None
        self._owner = owner
        self._make_eyes = eyes
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

    def turn_to(self, session: Session) -> None:
        """Look at another table with the same camera."""
        self.session, self.latest = session, None

    def _run(self) -> None:
        mine = self._waited()
        try:
            if not self._stop.is_set():
                self._watch()
        finally:
            if mine:
                self._turn.release()

    def _waited(self) -> bool:
        """Until the eyes before these are done; a camera that never answers is not waited for longer than a while."""
        until = time.monotonic() + TURN_S
        while not self._stop.is_set() and time.monotonic() < until:
            if self._turn.acquire(timeout=0.2):
                return True
        return False

    def _watch(self) -> None:
        try:
            eyes = self._make_eyes()
        except ModelError as error:
            log.warning("the table cannot be watched: %s", error)
            return
        pipeline = Pipeline(self.camera, eyes)
        self.session.set_status(Status.WATCHING)
        while not (self._stop.is_set() or self.camera.ended):
            try:
                self._follow(self.session, pipeline)
            except LogError as error:
                log.warning("what the camera saw could not be written down: %s", error)
                self._stop.wait(LOG_PAUSE_S)
                pipeline.request_reread()
        if not self._stop.is_set() and not self._owner.goes_on(self.session):
            self.session.set_status(Status.NO_CAMERA)

    def _follow(self, session: Session, pipeline: Pipeline) -> None:
        """One session, until the camera is turned to another one."""
        owner = self._owner
        judge = SessionJudge(session, owner.keep, partial(owner.photograph, session))
        for told in TableWatcher(judge, owner.marked).watch(pipeline):
            if self._stop.is_set():
                return
            if isinstance(told, Moment):
                self._show(told, session)
            if self.session is not session:
                pipeline.request_reread()
                return

    def _show(self, moment: Moment, session: Session) -> None:
        if moment.frame is not None and (moment.result is not None or self.latest is None):
            self.latest = moment
        if moment.result is not None:
            self._owner.on_notice(session)
        if moment.state in _STATUS:
            session.set_status(_STATUS[moment.state])
