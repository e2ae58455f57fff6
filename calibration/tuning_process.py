"""Tunes the set of a kept lesson in a process of its own: `python -m calibration.tuning_process PROFILE NAME`.

It writes a line of JSON for all that it does (phase, how much of it is done, how much there is to do) and ends where
its input does; what is done till then stays in the lesson's folder, and the next such process goes on from there. What
it found lies in the end in a file of that folder: the set as it is to be read from now on. Whoever began the process
takes it into the profile, which this process only reads.
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
from calibration.kept_lesson import folder_of, kept
from calibration.lesson import TABLES, Lesson, keen_eyes
from calibration.profile import load
from calibration.tuning import NICE, Progress, better_of, can_tune, of, tuned
from rules.sentence import InputError
from vision.nets import ModelError

KIND: Final = "piecepack-companion tuning"
FAILED: Final = 2
STOPPED: Final = 3
"""What the process ends with."""


def found_in(folder: Path) -> TaughtSet | None:
    """What such a process has found, if it came to its end; ProfileError where the file is damaged."""
    file = _file(folder)
    return TaughtSet.from_json(profile_store.read(file, KIND)) if file.exists() else None


def taken(folder: Path) -> None:
    """What was found is in the profile now."""
    _file(folder).unlink(missing_ok=True)


def found(lesson: Lesson, known: TaughtSet | None, folder: Path, progress: Progress) -> TaughtSet | None:
    """The set of the lesson as it is to be read from now on, None where `progress` said no. `known`: as the profile has
    it, which may be from a release with other nets: then it is learnt again, and tuned again where that can be done
    here."""
    taught = known
    if taught is not None and taught.net is not None:
        taught = replace(taught.with_other_reader(), other=None)
    if taught is None or taught.net is not None or taught.reader != reader_now():
        taught = lesson.finish(TABLES, partial(of, progress, "again", TABLES))
        if taught.tables < TABLES:
            return None
    if not can_tune():
        return taught
    now = tuned(lesson, folder / "tuning", progress)
    return None if now is None else better_of(taught, now)


def tell(phase: str, done: int, there: int) -> bool:
    print(json.dumps([phase, done, there]), flush=True)
    return True


def stop_at_the_end_of_input() -> None:
    """It ends where whoever began the process is there no more. What lies on the disk is whole at any moment."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(STOPPED)


def main(profile: Path, name: str) -> int:
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=stop_at_the_end_of_input, daemon=True).start()
    folder = folder_of(profile, name)
    try:
        before = found_in(folder)
        if before is not None and before.reader == reader_now():
            return 0  # nobody was there to take it
        lesson, known = kept(folder, keen_eyes()), load(profile).sets.get(name)
        out = found(lesson, known, folder, tell)
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
