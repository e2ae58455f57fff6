"""Assigns the camera and table reader of this server to one session at a time.

Opening another table or choosing another camera reassigns them; the weights are loaded once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2

from calibration.profile import Profile
from companion_api import memory_trim
from companion_api.folded_table import RequestError
from companion_api.log.store import Evidence
from companion_api.photographs import PhotographAlbum, Photographs
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.setting_up.hands import Hands
from companion_api.setting_up.keeper import ProfileKeeper, SetOnlyPriors
from companion_api.simulated.incidents import INCIDENTS, Requests
from companion_api.simulated.self_play import INCIDENTS as DRAWN_INCIDENTS
from companion_api.simulated.self_play import SelfPlay, drawn_deck
from companion_api.watching.table_watcher import SessionJudge, TableWatcher, WatcherThread
from rules.pieces import Kind
from rules.sentence import InputError, Sentence, say, sentence_of
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
"""Source name of a table that plays by itself without a camera, like `simulated` where no weights are installed."""


Watcher = SelfPlay | WatcherThread


@cache
def reader_problem() -> Sentence | None:
    """Why no picture can be read (missing weights), or None."""
    try:
        models()
    except ModelError as error:
        return sentence_of(error)
    return None


PAUSE_S = 30.0
"""Seconds for which the end of a simulated game is shown."""
FIRST_FRAMES = 10
"""Reads of a newly opened camera, which may give no picture at first."""


class CameraManager:
    """`simulate` creates the camera of a simulated table. Simulated tables have a profile file of their own, so that a
    demonstration cannot spoil the real calibration."""

    def __init__(
        self,
        evidence: Evidence,
        data: Path,
        simulate: Callable[[Session], Camera] | None,
        requests: Requests | None,
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
        self.open_next: Callable[[Session], Session] | None = None
        """Opens the table of the next simulated game; without it there is none."""
        self.pause_s = PAUSE_S
        self._next_game: threading.Timer | None = None
        self._album = PhotographAlbum(data / "photographs")

    def photographs(self, table: str) -> Photographs:
        """Photographs of the set in use: the taught set's, or those of this table."""
        return self._album.photographs(self._set_name(table))

    def photograph(self, session: Session, table: ObservedTable, frame: Frame) -> None:
        """Takes photographs of pieces from a frame that agrees with the layout, at intervals."""
        layout, registration = session.game.layout(session.state), session.referee.registration
        self._album.learn(self._set_name(session.table), layout, registration, table, frame.image)

    def _set_name(self, table: str) -> str:
        return self.keeper.profile.using or table

    def latest(self, table: str) -> Moment | None:
        """The newest moment of a table, None where another table is watched."""
        watcher = self._watcher
        return watcher.latest if watcher is not None and watcher.session.table == table else None

    @property
    def watched(self) -> frozenset[str]:
        return frozenset({self._watcher.session.table} if self._watcher is not None else ())

    def freeze(self, table: str) -> str | None:
        moment = self.latest(table)
        return self.keep(moment.frame) if moment is not None and moment.frame is not None else None

    def keep(self, frame: Frame) -> str | None:
        encoded, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        try:
            return self.evidence.keep(jpeg.tobytes()) if encoded else None
        except OSError as error:
            log.warning("an evidence picture could not be kept: %s", error)
            return None

    @property
    def keeper(self) -> ProfileKeeper:
        """The profile of the watched table."""
        return self._keepers[self.source == SIMULATED]

    def reader(self) -> TableReader | None:
        """The shared table reader with the priors of this table, or None where no weights are installed."""
        if reader_problem():
            return None
        reader = shared_reader()
        reader.priors = self.keeper.known
        reader.deck = self._deck()
        return reader

    def use(self, profile: Profile) -> None:
        """Saves a profile and gives it to the reader."""
        self.keeper.keep(profile)
        self.reader()

    def profile_changed(self) -> None:
        self.reader()

    def report_calibration(self, session: Session) -> None:
        """After a look: notes for people where the calibration did not hold."""
        for note in self.keeper.news():
            session.note("camera", {"code": note.code, "text": note.words, "facts": note.facts})

    def picture_reader(self) -> Callable[[Frame], ObservedTable] | None:
        """A function that reads a stored picture, or None where no weights are installed."""
        reader = self.reader()
        if reader is None:
            return None

        def read(frame: Frame) -> ObservedTable:
            with self.on_request.looking:
                return self.hands.with_owners(observed_table(self._read_picture(reader, frame)), frame.size)

        return read

    def one_frame(self, source: str) -> Frame | None:
        """One frame of a camera, also of one that is not in use."""
        watched = self._watcher.latest if self._watcher is not None and self.source == source else None
        if watched is not None and watched.frame is not None:
            return watched.frame
        camera = open_camera(source)
        try:
            frames = (camera.read() for _ in range(FIRST_FRAMES))
            return next((frame for frame in frames if frame is not None), None)
        finally:
            camera.close()

    def with_owners(self, seen: TableEvidence, frame: Frame) -> TableEvidence:
        return replace(seen, table=self.hands.with_owners(seen.table, frame.size))

    def _read_picture(self, reader: TableReader, frame: Frame) -> FrameResult:
        """Reads a picture on request, after freeing memory for it."""
        memory_trim.trim()
        return reader.look(frame, SetOnlyPriors(self.keeper.known))

    def watch(self, session: Session, source: str) -> None:
        """Watch a table with a camera named as on the command line, `simulated` or `phone`."""
        if source == DRAWN or (source == SIMULATED and reader_problem()):
            camera = None  # without weights the table plays without pictures
        elif source != SIMULATED:
            camera = PhoneCamera() if source == PHONE else open_camera(source)
        elif self._simulate is None:
            raise CameraError(say("this server has no simulated table; start it with `companion demo`"))
        else:
            camera = self._simulate(session)
        self.assign(session, camera, source)

    def follow(self, session: Session) -> None:
        if self.source in (SIMULATED, DRAWN):
            self.watch(session, self.source)
        elif isinstance(self._watcher, WatcherThread):
            self._watcher.switch_to(session)

    def is_watched(self, session: Session) -> bool:
        """Whether a phone of this table may be the camera; only the watched table's may, since anybody who ever sat at
        one of this server's tables could otherwise take the camera away."""
        watcher = self._watcher
        return watcher is None or watcher.session is session

    def phone(self, session: Session) -> PhoneCamera:
        """The phone camera of a table, created for the first phone that offers itself."""
        with self._lock:
            watcher = self._watcher
            if isinstance(watcher, WatcherThread) and watcher.session is session:
                camera = watcher.camera
                if isinstance(camera, PhoneCamera) and not camera.ended:
                    return camera
            camera = PhoneCamera()
            self.assign(session, camera, PHONE)
            return camera

    def stop(self) -> None:
        with self._lock:
            if self._next_game is not None:
                self._next_game.cancel()
            if self._watcher is not None:
                self._watcher.stop()
            self._watcher = None

    def schedule_next_game(self, session: Session) -> bool:
        """The source has ended: whether another simulated game was scheduled, after the pause."""
        if self.source not in (SIMULATED, DRAWN) or self.open_next is None:
            return False
        self._next_game = threading.Timer(self.pause_s, self._start_next, (session, self.open_next))
        self._next_game.daemon = True
        self._next_game.start()
        return True

    def _start_next(self, session: Session, open_next: Callable[[Session], Session]) -> None:
        """Watches the next table; the same one while its game goes on."""
        watcher = self._watcher
        if watcher is not None and watcher.session is session and not session.roster.moved_to:
            is_over = session.game.turn(session.state).is_over
            self.watch(open_next(session) if is_over else session, self.source)

    def assign(self, session: Session, camera: Camera | None, source: str) -> None:
        """Watch a table with an open camera; None: the table plays by itself."""
        with self._lock:
            if self._watcher is not None:
                self._watcher.session.set_simulated(False)
            self.stop()
            self.source = source
            session.set_simulated(source in (SIMULATED, DRAWN))
            if camera is None:
                requests, at_end = self._requests, self.schedule_next_game
                self._watcher = SelfPlay(session, requests=requests, keep=self.keep, at_end=at_end)
            else:
                cards = any(placed.piece.kind is Kind.CARD for placed in session.game.layout(session.state))
                self._deck = drawn_deck if source == SIMULATED and cards else decktet
                self._watcher = WatcherThread(session, camera, self, self._adaptive_reader, self._turn)
            self._watcher.start()

    def _adaptive_reader(self) -> AdaptiveReader:
        return AdaptiveReader(self.reader() or shared_reader())

    @property
    def incidents(self) -> tuple[str, ...]:
        """Incidents that can be staged: illegal acts and others at a simulated table, none at a real one."""
        if self.source not in (SIMULATED, DRAWN):
            return ()
        return DRAWN_INCIDENTS if isinstance(self._watcher, SelfPlay) else INCIDENTS

    def stage(self, incident: str) -> None:
        if incident not in self.incidents:
            raise RequestError(say("nothing is staged under the name “{incident}” at this table", incident=incident))
        self._requests.ask(incident)

    def judge_photo(self, session: Session, frame: Frame) -> dict[str, object]:
        """Judges one photo as a still table, without a later look."""
        reader = self.reader()
        if reader is None:
            raise CameraError(say("nothing can be seen in it: {why}", why=reader_problem()))
        look = self._read_picture(reader, frame)
        moment = Moment(CameraState.LOOKED, frame.at, frame, self.with_owners(table_evidence(look), frame), look, True)
        watcher = TableWatcher(SessionJudge(session, self.keep, final=True))
        verdicts = [verdict.to_json(session.game) for verdict in watcher.verdicts(moment) if verdict is not None]
        if self._watcher is None:
            self.watch(session, PHONE)
        if self._watcher is not None and self.is_watched(session):
            self._watcher.latest = moment
        if session.status is Status.NO_CAMERA:
            session.set_status(Status.WATCHING)
        return {"pieces": len(look.pieces), "verdict": verdicts[0] if verdicts else None}


MAX_PHOTOS = 4
"""Photos being read or waiting; each holds a thread of the server."""


class EyesBusyError(InputError):
    """Too many photos at once; this one is not read."""


class PhotoQueue:
    """Reads one picture at a time: parallel looks would multiply the memory, and anybody may send photos."""

    def __init__(self) -> None:
        self.looking = threading.Lock()
        """Held while a picture is read."""
        self._places = threading.BoundedSemaphore(MAX_PHOTOS)

    @contextmanager
    def photo_slot(self) -> Iterator[None]:
        """The lock for photos that anybody may send: EyesBusyError where too many wait."""
        if not self._places.acquire(blocking=False):
            raise EyesBusyError(say("the eyes are busy with other photos; try again in a moment"))
        try:
            with self.looking:
                yield
        finally:
            self._places.release()
