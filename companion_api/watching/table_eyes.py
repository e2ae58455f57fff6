"""The thread that watches a served table: camera -> eyes -> referee -> log. It survives a lost camera and says so."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from companion_api.session import Session, Status
from models.registry import ModelError
from rules.referee.patience import Patience
from rules.referee.verdict import VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.camera.contract import Camera
from vision.frame import Frame
from vision.look import eyes as shared_eyes
from vision.pipeline import Looking, Moment, Pipeline, Seeing

log = logging.getLogger("companion.eyes")

TURN_S = 60.0
"""How long new eyes wait for those before them."""

_STATUS = {
    Seeing.HAND: Status.HAND,
    Seeing.SETTLING: Status.SETTLING,
    Seeing.LOST: Status.CAMERA_LOST,
}


class Owner(Protocol):
    """Who sent the eyes: keeps evidence, knows whose things lie where, and hears of every look."""

    def keep(self, frame: Frame) -> str | None: ...

    def marked(self, table: ObservedTable, frame: Frame) -> ObservedTable: ...

    def heed(self, session: Session) -> None: ...

    def goes_on(self, session: Session) -> bool: ...

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None: ...


class TableEyes:
    """Feeds one session from one camera until it is stopped or the camera ends."""

    latest: Moment | None

    def __init__(
        self,
        session: Session,
        camera: Camera,
        owner: Owner,
        eyes: Callable[[], Looking] = shared_eyes,
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
        self._thread = threading.Thread(target=self._run, name="table-eyes", daemon=True)

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
        patience = Patience(self.session.referee)
        self.session.set_status(Status.WATCHING)
        for moment in pipeline.moments():
            if self._stop.is_set():
                return
            if patience.referee is not self.session.referee:
                patience = Patience(self.session.referee)
            self._take(moment, pipeline, patience)
        if not self._owner.goes_on(self.session):
            self.session.set_status(Status.NO_CAMERA)

    def _take(self, moment: Moment, pipeline: Pipeline, patience: Patience) -> None:
        if moment.frame is not None and (moment.look is not None or self.latest is None):
            self.latest = moment
        if moment.look is not None:
            self._owner.heed(self.session)
        if moment.seeing in _STATUS:
            self.session.set_status(_STATUS[moment.seeing])
        elif moment.seen is not None and moment.frame is not None:
            self._judge(moment.seen, moment.frame, moment, pipeline, patience)

    def _judge(self, seen: TableEvidence, frame: Frame, moment: Moment, pipeline: Pipeline, patience: Patience) -> None:
        marked = replace(seen, table=self._owner.marked(seen.table, frame))
        keep = partial(self._owner.keep, frame)
        verdict = self.session.observe(marked, patience, moment.steady, keep, moment.alone)
        if moment.steady and verdict is not None and verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED):
            self._owner.photograph(self.session, marked.table, frame)
        if verdict is not None and verdict.kind is VerdictKind.ACCEPTED:
            pipeline.understood()
        elif verdict is None or (verdict.kind is not VerdictKind.SETTLED and not moment.steady):
            pipeline.ask_again()
