"""Who looks at which table: one pair of eyes for this server, pointed at one session and fed by one camera.

Opening another table or choosing another camera points it elsewhere; the weights are opened once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

import cv2

from calibration.keeping import ProfileError
from calibration.known import KnownTable
from calibration.profile import load
from companion_api.log.evidence import Evidence
from companion_api.self_play import SelfPlay
from companion_api.session import Session, Status
from companion_api.table_eyes import TableEyes
from models.registry import ModelError, models
from rules.referee.patience import Patience
from rules.table.observed import ObservedTable
from vision.camera import CameraError, open_camera
from vision.camera.contract import Camera
from vision.camera.phone import PhoneCamera
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import eyes as shared_eyes
from vision.look import observed
from vision.pipeline import Moment, Seeing

log = logging.getLogger("companion.lookout")

PHONE = "phone"
SIMULATED = "simulated"


class Watcher(Protocol):
    session: Session
    latest: Moment | None

    def start(self) -> None: ...

    def stop(self) -> None: ...


@cache
def blindness() -> str | None:
    """Why nothing can be seen (no weights), or None."""
    try:
        models()
    except ModelError as error:
        return str(error)
    return None


class Lookout:
    """`simulate` makes the camera of a simulated table for a session."""

    def __init__(self, evidence: Evidence, profile: Path, simulate: Callable[[Session], Camera] | None = None) -> None:
        self.evidence = evidence
        self.profile = profile
        self.source = ""
        self._fresh_profile = True
        self._simulate = simulate
        self._watcher: Watcher | None = None
        self._lock = threading.RLock()

    # What is seen -----------------------------------------------------------------------------------------------

    def latest(self, table: str) -> Moment | None:
        """The newest picture of a table that the eyes looked at."""
        watcher = self._watcher
        return watcher.latest if watcher is not None and watcher.session.table == table else None

    def freeze(self, table: str) -> str | None:
        """Keep the newest picture of a table as evidence and name it."""
        moment = self.latest(table)
        return self.keep(moment.frame) if moment is not None and moment.frame is not None else None

    def keep(self, frame: Frame) -> str | None:
        good, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        try:
            return self.evidence.keep(jpeg.tobytes()) if good else None
        except OSError as error:
            log.warning("an evidence picture could not be kept: %s", error)
            return None

    def eyes(self) -> Eyes | None:
        """The open eyes with what is known of this table, or None where no weights are installed."""
        if blindness():
            return None
        eyes = shared_eyes()
        if eyes.known is None or self._fresh_profile:
            self._fresh_profile = False
            eyes.known = self._known()
        return eyes

    def profile_changed(self) -> None:
        """The wizard has kept something: the eyes take it up at their next look."""
        self._fresh_profile = True
        self.eyes()

    def _known(self) -> KnownTable | None:
        """A broken profile locks nobody out: the eyes do without it, and the wizard says what is wrong."""
        if not self.profile.exists():
            return None
        try:
            return KnownTable(load(self.profile))
        except ProfileError as error:
            log.warning("the profile is not used: %s", error)
            return None

    def seer(self) -> Callable[[Frame], ObservedTable] | None:
        """What reads a stored picture, or None where nothing can."""
        eyes = self.eyes()
        return (lambda frame: observed(eyes.look(frame))) if eyes is not None else None

    # Where it looks ---------------------------------------------------------------------------------------------

    def watch(self, session: Session, source: str) -> None:
        """Point at a table with a camera named as on the command line, `simulated` or `phone`."""
        camera = self._camera(session, source)
        self._point(session, camera, source)

    def watch_with(self, session: Session, camera: Camera, source: str) -> None:
        """The same with a camera that is open already."""
        self._point(session, camera, source)

    def follow(self, session: Session) -> None:
        """Another table is played now: look at that one."""
        if self.source == SIMULATED:
            self.watch(session, SIMULATED)
        elif isinstance(self._watcher, TableEyes):
            self._watcher.turn_to(session)

    def phone(self, session: Session) -> PhoneCamera:
        """The phone camera of a table, made the first time that a phone offers itself."""
        with self._lock:
            watcher = self._watcher
            if isinstance(watcher, TableEyes) and watcher.session is session:
                camera = watcher.camera
                if isinstance(camera, PhoneCamera) and not camera.ended:
                    return camera
            camera = PhoneCamera()
            self._point(session, camera, PHONE)
            return camera

    def stop(self) -> None:
        with self._lock:
            if self._watcher is not None:
                self._watcher.stop()
            self._watcher = None

    def _camera(self, session: Session, source: str) -> Camera | None:
        if source == PHONE:
            return PhoneCamera()
        if source != SIMULATED:
            return open_camera(source)
        if blindness():
            return None  # pictures that nobody can read help nobody: the table plays without them
        if self._simulate is None:
            raise CameraError("this server has no simulated table; start it with `companion demo`")
        return self._simulate(session)

    def _point(self, session: Session, camera: Camera | None, source: str) -> None:
        with self._lock:
            self.stop()
            self.source = source
            self._watcher = SelfPlay(session) if camera is None else self._eyes_on(session, camera)
            self._watcher.start()

    def _eyes_on(self, session: Session, camera: Camera) -> TableEyes:
        return TableEyes(session, camera, self.evidence, lambda: self.eyes() or shared_eyes())

    # A single photo ---------------------------------------------------------------------------------------------

    def look_once(self, session: Session, frame: Frame) -> dict[str, object]:
        """Judge one photo as a still table; there will be no second look."""
        eyes = self.eyes()
        if eyes is None:
            raise CameraError(f"nothing can be seen in it: {blindness()}")
        look = eyes.look(frame)
        patience = Patience(session.referee, final=True)
        table = observed(look)
        verdict = session.observe(table, patience, True, lambda: self.keep(frame))
        if self._watcher is None or self._watcher.session is not session:
            self.watch(session, PHONE)
        if self._watcher is not None:
            self._watcher.latest = Moment(Seeing.LOOKED, frame.at, frame, table, look, True)
        if session.status is Status.NO_CAMERA:
            session.set_status(Status.WATCHING)
        told = verdict.to_json(session.game) if verdict is not None else None
        return {"pieces": len(look.pieces), "verdict": told}
