"""Runs the tuning of a taught set in a low-priority process while the server goes on. Tuning resumes after a restart,
and a set taught to another release's nets is learned again."""

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
from calibration.profile_store import ProfileError
from calibration.tuning import why_not
from calibration.tuning_process import STOPPED, delete_result, result_in
from companion_api.setting_up.keeper import ProfileKeeper, needs_relearning, problem_json
from rules.sentence import Sentence, say, sentence_of

log = logging.getLogger("companion.tuning")

Command = Callable[[Path, str], Sequence[str]]
EXTERNAL_EXITS: Final = (STOPPED, -signal.SIGTERM, -signal.SIGINT)
"""Exit codes after an end from outside (the server's own)."""
TERMINATE_TIMEOUT_S: Final = 10.0
"""Seconds after which a process that does not terminate is killed."""


def tuning_command(profile: Path, name: str) -> Sequence[str]:
    return sys.executable, "-m", "calibration.tuning_process", str(profile), name


@dataclass(slots=True)
class Job:
    """`phase`: the current phase, with `done` of `there` steps; `problem`: why it ended without a result."""

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

    def to_json(self) -> dict[str, Any]:
        progress = {"name": self.name, "phase": self.phase, "done": self.done, "there": self.there}
        return {**progress, **problem_json(self.problem)}


class Tuner:
    """Tunes at most one set at a time; `changed` is called when a tuned set is put to use."""

    def __init__(
        self, keeper: Callable[[], ProfileKeeper], changed: Callable[[], None], command: Command = tuning_command
    ) -> None:
        self._keeper = keeper
        self._changed = changed
        self._command = command
        self._lock = threading.Lock()
        self._job: Job | None = None

    def to_json(self) -> dict[str, Any] | None:
        return None if (job := self._job) is None else job.to_json()

    def start(self, name: str) -> None:
        """LessonError where the set cannot be tuned."""
        keeper = self._keeper()
        keeper.profile.set_named(name)
        if refusal := why_not(keeper.profile, name):
            raise LessonError(refusal)
        self._begin(keeper, name)

    def stop(self, name: str) -> None:
        """Stops tuning this set; progress is kept for another start."""
        job = self._job
        if job is not None and job.name == name:
            _marker_file(job.folder).unlink(missing_ok=True)
            self.close()

    def resume(self) -> None:
        """Continues an interrupted tuning, or relearns the set in use where its nets are outdated."""
        keeper = self._keeper()
        try:
            names = [stored_name(path.parent) for path in folder_of(keeper.path, "").parent.glob("*/wanted")]
            if keeper.profile.using and needs_relearning(keeper.profile, keeper.path):
                names = [keeper.profile.using]
            for name in names[:1]:
                self._begin(keeper, name)
        except (LessonError, ProfileError) as error:
            log.warning("a set is not tuned: %s", error)

    def close(self) -> None:
        """Ends the process; `resume` continues unless it was stopped."""
        with self._lock:
            job, self._job = self._job, None
        if job is not None:
            terminate(job.process)
            job.follower.join()

    def _begin(self, keeper: ProfileKeeper, name: str) -> None:
        with self._lock:
            if self._job is not None and self._job.problem is None:
                raise LessonError(say("a set is being tuned: wait, or stop it first"))
            folder = folder_of(keeper.path, name)
            if not is_stored(folder):
                raise LessonError(say("the pictures of this set are not kept here: teach it again"))
            _marker_file(folder).touch()
            errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  _follow closes it when the process has ended
            process = subprocess.Popen(
                [*self._command(keeper.path, name)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # a signal to the server's terminal does not end it
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
            self._job = job = Job(name, keeper, process, errors)
            job.follower = threading.Thread(target=self._follow, args=(job,), name="tuning", daemon=True)
            job.follower.start()

    def _follow(self, job: Job) -> None:
        """Reads the progress until the process ends, then applies its result to the profile."""
        with job.process, job.errors:
            assert job.process.stdout is not None
            for line in job.process.stdout:
                if line.startswith("["):
                    job.phase, job.done, job.there = json.loads(line)
            exit_code = job.process.wait()
            job.errors.seek(0)
            lines = [line.strip() for line in job.errors if line.strip()]
            why = lines[-1] if lines else f"exit {exit_code}"
        with self._lock:
            if self._job is not job or exit_code in EXTERNAL_EXITS:
                return
            _marker_file(job.folder).unlink(missing_ok=True)
            try:
                if exit_code == 0 and (found := result_in(job.folder)) is not None:
                    job.keeper.refresh()
                    job.keeper.keep(job.keeper.profile.with_stored_set(found))
                    delete_result(job.folder)
                    self._changed()
                    self._job = None
                    return
                job.problem = Sentence(why)
            except ProfileError as error:
                job.problem = sentence_of(error)
            log.warning("a set could not be tuned: %s", job.problem)


def terminate(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(TERMINATE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _marker_file(folder: Path) -> Path:
    """Marker file of a tuning in progress, kept over a restart."""
    return folder / "wanted"
