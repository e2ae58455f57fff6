"""Tunes a taught set in a process of its own at low priority while the table goes on being served. It goes on after a
restart of the server, and a set that was taught to the nets of another release is learnt again by itself."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from calibration.kept_lesson import folder_of, is_stored, stored_name
from calibration.lesson_task import LessonError
from calibration.profile import Profile
from calibration.profile_store import ProfileError
from calibration.tuning import why_not
from calibration.tuning_process import STOPPED, delete_result, result_in
from companion_api.setting_up.keeper import ProfileKeeper, is_learnt_again
from rules.sentence import Sentence, say, sentence_of

log = logging.getLogger("companion.tuning")

Command = Callable[[Path, str], Sequence[str]]
FROM_OUTSIDE: Final = (STOPPED, -signal.SIGTERM, -signal.SIGINT)
"""How the process ends where the whole program does."""
GONE_S: Final = 10.0
"""So long an ended process is waited for before it is killed."""


def in_python(profile: Path, name: str) -> Sequence[str]:
    return sys.executable, "-m", "calibration.tuning_process", str(profile), name


@dataclass(slots=True)
class Job:
    """`phase`: what is being done, `done` of `there` is done of it; `problem`: why it ended without a result."""

    name: str
    keeper: ProfileKeeper
    process: subprocess.Popen[str]
    errors: IO[str]
    phase: str = "begin"
    done: int = 0
    there: int = 1
    problem: Sentence | None = None
    follower: threading.Thread = field(default_factory=threading.Thread)

    @property
    def folder(self) -> Path:
        return folder_of(self.keeper.path, self.name)

    def told(self) -> dict[str, Any]:
        problem = self.problem
        return {
            "name": self.name,
            "phase": self.phase,
            "done": self.done,
            "there": self.there,
            "problem": problem.text if problem else None,
            "problem_said": problem.to_json() if problem else None,
        }


class Tuner:
    """At most one set at a time. `changed` is called when a set is read otherwise from now on."""

    def __init__(
        self, keeper: Callable[[], ProfileKeeper], changed: Callable[[], None], command: Command = in_python
    ) -> None:
        self._keeper = keeper
        self._changed = changed
        self._command = command
        self._lock = threading.Lock()
        self._job: Job | None = None

    def told(self) -> dict[str, Any] | None:
        job = self._job
        return None if job is None else job.told()

    def start(self, name: str) -> None:
        """LessonError where the set cannot be tuned here."""
        keeper = self._keeper()
        keeper.profile.set_named(name)
        refused = why_not(keeper.profile, name)
        if refused is not None:
            raise LessonError(refused)
        self._begin(keeper, name)

    def stop(self, name: str) -> None:
        """Where it is this set that is being tuned. What was done is kept: started again, it goes on from there."""
        job = self._job
        if job is not None and job.name == name:
            _wanted(job.folder).unlink(missing_ok=True)
            self.close()

    def resume(self) -> None:
        """What was going on when the server ended, and what a new release makes necessary."""
        keeper = self._keeper()
        try:
            names = [stored_name(path.parent) for path in folder_of(keeper.path, "").parent.glob("*/wanted")]
            if keeper.profile.using and is_learnt_again(keeper.profile, keeper.path):
                names = [keeper.profile.using]
            for name in names[:1]:
                self._begin(keeper, name)
        except (LessonError, ProfileError) as error:
            log.warning("a set is not tuned: %s", error)

    def close(self) -> None:
        """The process ends; `resume` goes on where it was not stopped."""
        with self._lock:
            job, self._job = self._job, None
        if job is not None:
            end(job.process)
            job.follower.join()

    def _begin(self, keeper: ProfileKeeper, name: str) -> None:
        with self._lock:
            if self._job is not None and self._job.problem is None:
                raise LessonError(say("a set is being tuned: wait, or stop it first"))
            folder = folder_of(keeper.path, name)
            if not is_stored(folder):
                raise LessonError(say("the pictures of this set are not kept here: teach it again"))
            _wanted(folder).touch()
            errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  _follow closes it when the process has ended
            process = subprocess.Popen(
                [*self._command(keeper.path, name)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # what ends the server from its terminal does not end this by itself
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
            self._job = job = Job(name, keeper, process, errors)
            job.follower = threading.Thread(target=self._follow, args=(job,), name="tuning", daemon=True)
            job.follower.start()

    def _follow(self, job: Job) -> None:
        """Until its process ends; then what it found is taken into the profile."""
        with job.process, job.errors:
            assert job.process.stdout is not None
            for line in job.process.stdout:
                if line.startswith("["):
                    job.phase, job.done, job.there = json.loads(line)
            ended = job.process.wait()
            job.errors.seek(0)
            why = last_line(job.errors.read()) or f"exit {ended}"
        with self._lock:
            if self._job is not job or ended in FROM_OUTSIDE:
                return
            _wanted(job.folder).unlink(missing_ok=True)
            try:
                if ended == 0 and self._take(job):
                    self._job = None
                    return
                job.problem = Sentence(why)
            except ProfileError as error:
                job.problem = sentence_of(error)
            log.warning("a set could not be tuned: %s", job.problem)

    def _take(self, job: Job) -> bool:
        """Whether there was something to take."""
        found = result_in(job.folder)
        if found is None:
            return False
        job.keeper.refresh()
        job.keeper.keep(job.keeper.profile.with_stored_set(found))
        delete_result(job.folder)
        self._changed()
        return True


def with_other_reader(profile: Profile, name: str) -> Profile:
    """The set read by the other one of its two readers, the shipped and the tuned."""
    return profile.with_stored_set(profile.set_named(name).with_other_reader())


def end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(GONE_S)
    except subprocess.TimeoutExpired:
        process.kill()


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _wanted(folder: Path) -> Path:
    """A file that says that the lesson of this folder is being tuned, also after a restart."""
    return folder / "wanted"
