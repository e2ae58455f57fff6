"""The calibration profile: its file, and the runtime keeper the reader uses."""

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

OnPlaneMoved = Callable[[TablePlane, TablePlane], None]


@dataclass(frozen=True, slots=True)
class Note:
    """A message for people: `code` for pages with their own words, `words` in English."""

    code: str
    words: str
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetOnlyPriors:
    """Priors of the taught set without the table plane, for photos that are not taken from the camera's place."""

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
    """An unreadable profile is replaced by an empty one, and `problem` says why; what is saved next never overwrites
    the last good file. `on_plane_moved` is called with the old and the new plane after a bump."""

    def __init__(self, path: Path, on_plane_moved: OnPlaneMoved | None = None) -> None:
        self.path = path
        self._on_plane_moved = on_plane_moved
        self._plane_before: TablePlane | None = None
        self.problem: Sentence | None = None
        self._lock = threading.Lock()
        self._notes: list[Note] = []
        self._use(self._read())

    @property
    def profile(self) -> Profile:
        """The current profile; its plane is refined during a game."""
        return self.known.profile

    def keep(self, profile: Profile) -> None:
        """Save it and put it to use; ProfileError where it cannot be written."""
        with self._lock:
            profile.save(self.path)
            self._use(profile)
            self.problem = None

    def refresh(self) -> None:
        """Reload the file if another program has changed it."""
        with self._lock:
            if self._file_stamp() != self._stamp:
                self._use(self._read())

    def news(self) -> list[Note]:
        """Notes of the last look about the calibration. After a bump the new plane is saved."""
        notes, self._notes = self._notes, []
        bumps, self.known.notes[:] = list(self.known.notes), []
        if bumps:
            self._save_plane()
            before, now = self._plane_before, self.profile.plane
            if self._on_plane_moved and before and now:
                self._on_plane_moved(before, now)
        self._plane_before = self.profile.plane
        return [*notes, *(_bump(words, self.known.last) for words in bumps)]

    def _save_plane(self) -> None:
        try:
            with self._lock:
                self.profile.save(self.path)
                self._stamp = self._file_stamp()
        except ProfileError as error:
            log.warning("the new calibration is used, but not kept: %s", error)

    def _use(self, profile: Profile) -> None:
        """Puts a profile to use. Notes at this point concern its set; later ones the camera."""
        self.known = CalibrationKeeper(profile)
        self._plane_before = profile.plane
        code = "set_again" if needs_relearning(profile, self.path) else "old_set"
        self._notes = [Note(code, words) for words in self.known.notes]
        self.known.notes.clear()
        self._stamp = self._file_stamp()

    def _read(self) -> Profile:
        self.problem = None
        try:
            return load_or_new(self.path)
        except ProfileError as error:
            log.warning("the profile is not used: %s", error)
            self.problem = error.sentence
            return Profile(name="table")

    def _file_stamp(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size


def needs_relearning(profile: Profile, path: Path) -> bool:
    """Whether the set in use was taught to the nets of another release, and its lesson pictures are here to learn
    again."""
    taught = profile.my_set
    try:
        return taught is not None and is_outdated(taught) and is_stored(folder_of(path, taught.name))
    except (ModelError, KeyError):
        return False


def problem_json(problem: Sentence | None) -> dict[str, Any]:
    """A problem for the page, in English and as a value for other languages."""
    return {"problem": problem.text if problem else None, "problem_said": problem.to_json() if problem else None}


def check_json(found: Check | None) -> dict[str, Any] | None:
    if found is None:
        return None
    moved_mm, turned_deg = round(found.moved_mm, 1), round(found.turned_deg, 1)
    return {"standing": found.state.value, "moved_mm": moved_mm, "turned_deg": turned_deg, "words": found.words}


def _bump(words: str, last: Check | None) -> Note:
    """With figures where all tiles moved together; a tilted camera has none."""
    if last is None or words != last.words or not last.moved_mm:
        return Note("bumped", words)
    return Note("pushed", words, {"mm": round(last.moved_mm), "degrees": round(last.turned_deg, 1)})
