"""The profile in its file, and the same profile at work behind the eyes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.check import Check
from calibration.kept_lesson import folder_of, is_stored
from calibration.plane import TablePlane
from calibration.profile import Profile, load_or_new
from calibration.profile_store import ProfileError
from calibration.runtime import CalibrationKeeper, is_outdated
from rules.sentence import Sentence
from vision.identify.deck import Deck
from vision.nets import ModelError
from vision.piece import DetectedPiece
from vision.plane import Plane

log = logging.getLogger("companion.profile")

Carry = Callable[[TablePlane, TablePlane], None]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that people should be told. The code is for pages with words of their own; `words` are English."""

    code: str
    words: str
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetOnlyPriors:
    """The taught set without the table: a photo from a hand is never taken from where the camera stood."""

    known: CalibrationKeeper

    @property
    def deck(self) -> Deck | None:
        return self.known.deck

    @property
    def reader(self) -> bytes | None:
        return self.known.reader

    def reweight(self, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
        return self.known.reweight(pieces)

    def plane(self, pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None:
        return None


class ProfileKeeper:
    """A profile that cannot be read locks nobody out: an empty one stands in for it, and `problem` says what is wrong.
    Whatever is kept next is written beside the broken file, never over the last good one. `carry` is told the old and
    the new plane after a bump."""

    def __init__(self, path: Path, carry: Carry | None = None) -> None:
        self.path = path
        self._carry = carry
        self.problem: Sentence | None = None
        self._lock = threading.Lock()
        self._waiting: list[Note] = []
        self._take(self._read())

    @property
    def profile(self) -> Profile:
        """As it is now: the plane is made better while a game goes on."""
        return self.known.profile

    def keep(self, profile: Profile) -> None:
        """Write it and put it to work; ProfileError where it cannot be written."""
        with self._lock:
            profile.save(self.path)
            self._take(profile)
            self.problem = None

    def refresh(self) -> None:
        """Take up what another program has written into the file."""
        with self._lock:
            if self._stamp_now() != self._stamp:
                self._take(self._read())

    def news(self) -> list[Note]:
        """What the last look has shown about the calibration. After a bump the new plane is kept for the next start."""
        notes, self._waiting = self._waiting, []
        bumps, self.known.notes[:] = list(self.known.notes), []
        if bumps:
            self._keep_quietly()
            self._take_along()
        self._stood = self.profile.plane
        return [*notes, *(_bump(words, self.known.last) for words in bumps)]

    def _take_along(self) -> None:
        """What was marked on the table goes where the table went."""
        if self._carry and self._stood and self.profile.plane:
            self._carry(self._stood, self.profile.plane)

    def _keep_quietly(self) -> None:
        try:
            with self._lock:
                self.profile.save(self.path)
                self._stamp = self._stamp_now()
        except ProfileError as error:
            log.warning("the new calibration is used, but not kept: %s", error)

    def _take(self, profile: Profile) -> None:
        """What is said about the profile at once is about its set; what comes later is about the camera."""
        self.known = CalibrationKeeper(profile)
        self._stood = profile.plane
        code = "set_again" if is_learnt_again(profile, self.path) else "old_set"
        self._waiting = [Note(code, words) for words in self.known.notes]
        self.known.notes.clear()
        self._stamp = self._stamp_now()

    def _read(self) -> Profile:
        self.problem = None
        try:
            return load_or_new(self.path)
        except ProfileError as error:
            log.warning("the profile is not used: %s", error)
            self.problem = error.sentence
            return Profile(name="table")

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size


def is_learnt_again(profile: Profile, path: Path) -> bool:
    """Whether the set in use was taught to the nets of another release, and its pictures are here to learn from."""
    taught = profile.my_set
    try:
        return taught is not None and is_outdated(taught) and is_stored(folder_of(path, taught.name))
    except (ModelError, KeyError):
        return False


def check_told(found: Check | None) -> dict[str, Any] | None:
    """The last check of the calibration, for the page."""
    if found is None:
        return None
    return {
        "standing": found.standing.value,
        "moved_mm": round(found.moved_mm, 1),
        "turned_deg": round(found.turned_deg, 1),
        "words": found.words,
    }


def _bump(words: str, last: Check | None) -> Note:
    """With its numbers where all tiles moved together; a camera that was tilted has none."""
    if last is None or words != last.words or not last.moved_mm:
        return Note("bumped", words)
    return Note("pushed", words, {"mm": round(last.moved_mm), "degrees": round(last.turned_deg, 1)})
