"""Who looks at which table: one pair of eyes for this server, pointed at one session and fed by one camera.

Opening another table or choosing another camera points it elsewhere; the weights are opened once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Protocol

import cv2

from companion_api import memory_trim
from companion_api.folded_table import RequestError
from companion_api.log.evidence import Evidence
from companion_api.photographs import PhotographAlbum, Photographs
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.setting_up.hands import Hands
from companion_api.setting_up.keeper import ProfileKeeper, SetOnlyPriors
from companion_api.simulated.drawn_deck import drawn_deck
from companion_api.simulated.incidents import INCIDENTS, Requests
from companion_api.simulated.self_play import INCIDENTS as DRAWN_INCIDENTS
from companion_api.simulated.self_play import SelfPlay
from companion_api.watching.next_game import NextGame
from companion_api.watching.on_request import PhotoQueue
from companion_api.watching.table_watcher import SessionJudge, TableWatcher
from companion_api.watching.watcher_thread import WatcherThread
from rules.pieces import Kind
from rules.sentence import Sentence, say, sentence_of
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.adaptive_reader import AdaptiveReader
from vision.camera import CameraError, open_camera
from vision.camera.contract import Camera
from vision.camera.phone import PhoneCamera
from vision.frame import Frame
from vision.identify.deck import Deck, decktet
from vision.look import shared_reader
from vision.nets import ModelError, models
from vision.pipeline import CameraState, Moment
from vision.sightings import observed_table, table_evidence
from vision.table_reader import FrameResult, TableReader

log = logging.getLogger("companion.camera_manager")

PHONE = "phone"
SIMULATED = "simulated"
DRAWN = "drawn"
"""A table that plays by itself without a camera, as a simulated one does where nothing can see."""


class Watcher(Protocol):
    session: Session
    latest: Moment | None

    def start(self) -> None: ...

    def stop(self) -> None: ...


def plays_cards(session: Session) -> bool:
    return any(placed.piece.kind is Kind.CARD for placed in session.game.layout(session.state))


@cache
def blindness() -> Sentence | None:
    """Why nothing can be seen (no weights), or None."""
    try:
        models()
    except ModelError as error:
        return sentence_of(error)
    return None


FIRST_FRAMES = 10
"""A camera that has just been opened may need some tries before it gives a picture."""


class CameraManager:
    """`simulate` makes the camera of a simulated table for a session. A simulated table has a profile of its own: what
    is calibrated in a demonstration must not spoil what is known of the real one."""

    def __init__(
        self,
        evidence: Evidence,
        data: Path,
        simulate: Callable[[Session], Camera] | None = None,
        requests: Requests | None = None,
    ) -> None:
        self.evidence = evidence
        self.hands = Hands(data / "hands.json")
        self.source = ""
        files = {False: data / "profile.json", True: data / "simulated.json"}
        self._keepers = {simulated: ProfileKeeper(path, self.hands.carry) for simulated, path in files.items()}
        self._simulate = simulate
        self._deck: Callable[[], Deck] = decktet
        self._requests = requests or Requests()
        self._watcher: Watcher | None = None
        self._lock = threading.RLock()
        self._turn = threading.Lock()
        self.on_request = PhotoQueue()
        self.next_game = NextGame()
        self._album = PhotographAlbum(data / "photographs")

    def photographs(self, table: str) -> Photographs:
        """Those of the set that is on a table: the taught one's, or what this table has shown."""
        return self._album.photographs(self._set_on(table))

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None:
        """Everything lies as it should: a moment to look at the pieces, now and then."""
        layout, lies = session.game.layout(session.state), session.referee.registration
        self._album.learn(self._set_on(session.table), layout, lies, table, frame.image)

    def _set_on(self, table: str) -> str:
        return self.keeper.profile.using or table

    # What is seen -----------------------------------------------------------------------------------------------

    def latest(self, table: str) -> Moment | None:
        """The newest picture of a table that the eyes looked at."""
        watcher = self._watcher
        return watcher.latest if watcher is not None and watcher.session.table == table else None

    @property
    def watched(self) -> frozenset[str]:
        """The table that the eyes look at."""
        return frozenset({self._watcher.session.table} if self._watcher is not None else ())

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

    @property
    def keeper(self) -> ProfileKeeper:
        """The profile of the table that is looked at."""
        return self._keepers[self.source == SIMULATED]

    def eyes(self) -> TableReader | None:
        """The open eyes with what is known of this table, or None where no weights are installed."""
        if blindness():
            return None
        eyes = shared_reader()
        eyes.priors = self.keeper.known
        eyes.deck = self._deck()
        return eyes

    def profile_changed(self) -> None:
        """The wizard has kept something: the eyes take it up at their next look."""
        self.eyes()

    def on_notice(self, session: Session) -> None:
        """After a look: people are told when the calibration did not hold."""
        for note in self.keeper.news():
            session.note("camera", {"code": note.code, "text": note.words, "facts": note.facts})

    def seer(self) -> Callable[[Frame], ObservedTable] | None:
        """What reads a stored picture, or None where nothing can."""
        eyes = self.eyes()
        if eyes is None:
            return None

        def see(frame: Frame) -> ObservedTable:
            with self.on_request.alone():
                return self.hands.marked(observed_table(self._look(eyes, frame)), frame.size)

        return see

    def glimpse(self, source: str) -> Frame | None:
        """One frame of a camera, also while nobody watches with it."""
        watched = self._watcher.latest if self._watcher is not None and self.source == source else None
        if watched is not None and watched.frame is not None:
            return watched.frame
        camera = open_camera(source)
        try:
            frames = (camera.read() for _ in range(FIRST_FRAMES))
            return next((frame for frame in frames if frame is not None), None)
        finally:
            camera.close()

    def marked(self, seen: TableEvidence, frame: Frame) -> TableEvidence:
        """With whose things lie where."""
        return replace(seen, table=self.hands.marked(seen.table, frame.size))

    def _look(self, eyes: TableReader, frame: Frame) -> FrameResult:
        """At a picture that somebody asks about; it needs what others have left free."""
        memory_trim.give_back()
        return eyes.look(frame, self._names())

    def _names(self) -> SetOnlyPriors:
        return SetOnlyPriors(self.keeper.known)

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
        if self.source in (SIMULATED, DRAWN):
            self.watch(session, self.source)
        elif isinstance(self._watcher, WatcherThread):
            self._watcher.turn_to(session)

    def may_see(self, session: Session) -> bool:
        """Whether a phone of this table may be the camera: anybody who ever sat at one of this server's tables could
        turn the eyes away from the one that is played now."""
        watcher = self._watcher
        return watcher is None or watcher.session is session

    def phone(self, session: Session) -> PhoneCamera:
        """The phone camera of a table, made the first time that a phone offers itself."""
        with self._lock:
            watcher = self._watcher
            if isinstance(watcher, WatcherThread) and watcher.session is session:
                camera = watcher.camera
                if isinstance(camera, PhoneCamera) and not camera.ended:
                    return camera
            camera = PhoneCamera()
            self._point(session, camera, PHONE)
            return camera

    def stop(self) -> None:
        with self._lock:
            self.next_game.cancel()
            if self._watcher is not None:
                self._watcher.stop()
            self._watcher = None

    def goes_on(self, session: Session) -> bool:
        """The pictures have ended. A simulated table begins another game after a while, unless people do it first."""
        return self.source in (SIMULATED, DRAWN) and self.next_game.begin_later(self._play_another, session)

    def _play_another(self, session: Session) -> None:
        watcher = self._watcher
        if watcher is not None and watcher.session is session and not session.roster.moved_to:
            self.watch(self.next_game.after(session), self.source)

    def _camera(self, session: Session, source: str) -> Camera | None:
        if source == PHONE:
            return PhoneCamera()
        if source not in (SIMULATED, DRAWN):
            return open_camera(source)
        if source == DRAWN or blindness():
            return None  # pictures that nobody can read help nobody: the table plays without them
        if self._simulate is None:
            raise CameraError(say("this server has no simulated table; start it with `companion demo`"))
        return self._simulate(session)

    def _point(self, session: Session, camera: Camera | None, source: str) -> None:
        with self._lock:
            if self._watcher is not None:
                self._watcher.session.set_simulated(False)
            self.stop()
            self.source = source
            session.set_simulated(source in (SIMULATED, DRAWN))
            self._watcher = self._self_play(session) if camera is None else self._eyes_on(session, camera)
            self._watcher.start()

    def _self_play(self, session: Session) -> SelfPlay:
        return SelfPlay(session, requests=self._requests, keep=self.keep, at_end=self.goes_on)

    def _eyes_on(self, session: Session, camera: Camera) -> WatcherThread:
        self._deck = drawn_deck if self.source == SIMULATED and plays_cards(session) else decktet
        return WatcherThread(session, camera, self, lambda: AdaptiveReader(self.eyes() or shared_reader()), self._turn)

    # On request -------------------------------------------------------------------------------------------------

    @property
    def incidents(self) -> tuple[str, ...]:
        """What can be staged: illegal acts and the like at a simulated table, nothing at a real one."""
        if self.source not in (SIMULATED, DRAWN):
            return ()
        return DRAWN_INCIDENTS if isinstance(self._watcher, SelfPlay) else INCIDENTS

    def stage(self, incident: str) -> None:
        """Somebody at the simulated table does it next; RequestError where it cannot be staged."""
        if incident not in self.incidents:
            raise RequestError(say("nothing is staged under the name “{incident}” at this table", incident=incident))
        self._requests.ask(incident)

    # A single photo ---------------------------------------------------------------------------------------------

    def look_once(self, session: Session, frame: Frame) -> dict[str, object]:
        """Judge one photo as a still table; there will be no second look."""
        eyes = self.eyes()
        if eyes is None:
            raise CameraError(say("nothing can be seen in it: {why}", why=blindness()))
        look = self._look(eyes, frame)
        moment = Moment(CameraState.LOOKED, frame.at, frame, self.marked(table_evidence(look), frame), look, True)
        watcher = TableWatcher(SessionJudge(session, self.keep, final=True))
        told = [verdict.to_json(session.game) for verdict in watcher.verdicts(moment) if verdict is not None]
        if self._watcher is None:
            self.watch(session, PHONE)
        if self._watcher is not None and self.may_see(session):
            self._watcher.latest = moment
        if session.status is Status.NO_CAMERA:
            session.set_status(Status.WATCHING)
        return {"pieces": len(look.pieces), "verdict": told[0] if told else None}
