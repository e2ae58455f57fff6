"""Tunes the set of a kept lesson in a process of its own: `python -m calibration.tuning_process PROFILE NAME`.

It writes a line of JSON for each step (phase, done, total) and exits at the end of its input; the work so far stays in
the lesson's folder, and the next process continues it. The result is a file in that folder: the set as it is to be read
from now on. The caller stores it in the profile, which this process only reads.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from calibration import profile_store
from calibration.custom_set import TaughtSet, reader_now
from calibration.kept_lesson import folder_of, stored_lesson
from calibration.lesson import TABLES, Lesson, lesson_reader
from calibration.profile import load
from calibration.tuning import NICE, Progress, better_of, can_tune, report, tuned
from rules.sentence import InputError
from vision.nets import ModelError

KIND: Final = "piecepack-companion tuning"
FAILED: Final = 2
STOPPED: Final = 3
"""Exit statuses."""


def result_in(folder: Path) -> TaughtSet | None:
    """The result of a finished process, None if there is none; ProfileError where the file is damaged."""
    file = _file(folder)
    return TaughtSet.from_json(profile_store.read(file, KIND)) if file.exists() else None


def delete_result(folder: Path) -> None:
    """Delete the result, after it was stored in the profile."""
    _file(folder).unlink(missing_ok=True)


def tuned_set(lesson: Lesson, known: TaughtSet | None, folder: Path, progress: Progress) -> TaughtSet | None:
    """The set of the lesson as it is to be read from now on, None where `progress` stopped it. `known`: the profile's
    set; one from a release with other nets is fitted again, and tuned again where that is possible here."""
    taught = known
    if taught is not None and taught.net is not None:
        taught = replace(taught.with_other_reader(), other=None)
    if taught is None or taught.net is not None or taught.reader != reader_now():
        taught = lesson.finish(TABLES, partial(report, progress, "again", TABLES))
        if taught.tables < TABLES:
            return None
    if not can_tune():
        return taught
    now = tuned(lesson, folder / "tuning", progress)
    return None if now is None else better_of(taught, now)


def print_progress(phase: str, done: int, there: int) -> bool:
    print(json.dumps([phase, done, there]), flush=True)
    return True


def exit_at_end_of_input() -> None:
    """Exit when the caller is gone. Files on the disk are complete at any moment."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(STOPPED)


def main(profile: Path, name: str) -> int:
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=exit_at_end_of_input, daemon=True).start()
    folder = folder_of(profile, name)
    try:
        before = result_in(folder)
        if before is not None and before.reader == reader_now():
            return 0  # the last result was not stored yet
        lesson, known = stored_lesson(folder, lesson_reader()), load(profile).sets.get(name)
        out = tuned_set(lesson, known, folder, print_progress)
        if out is not None:
            profile_store.write(_file(folder), KIND, out.to_json())
    except (InputError, ModelError) as error:
        print(error, file=sys.stderr)
        return FAILED
    return 0


def _file(folder: Path) -> Path:
    return folder / "found.json"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
