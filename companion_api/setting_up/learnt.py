"""Piece appearances learned during a game: offered to people and kept only if they agree. Recomputed from the counting
actions, so corrected or undone actions teach nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from calibration.custom_set import TaughtSet, reader_now
from calibration.learned_appearance import faces_of, without_ambiguous
from calibration.lesson_task import LessonError
from calibration.profile import Profile
from companion_api.session import Session
from rules.engine.history import History
from rules.referee.memory import Memory
from rules.sentence import say
from vision.witness.appearance import Appearances
from vision.witness.witness import ReferenceFrame

MIN_NEW_FACES = 4
"""Unknown faces that make it worth asking people."""


def appearances_at(session: Session) -> Appearances:
    with session.lock:
        return learned_appearances(session.history, session.referee.memory)


def learned_appearances(history: History, memory: Memory) -> Appearances:
    """Appearances still valid for these actions; none unless the table has ever matched the layout."""
    known = (
        memory.keyframe.valid_for(history.actions) if memory.keyframe is not None and memory.ever_explained else None
    )
    kept = known.reference if known is not None else None
    return without_ambiguous(kept.appearances) if isinstance(kept, ReferenceFrame) else Appearances()


def to_json(appearances: Appearances, profile: Profile) -> dict[str, Any]:
    """What there is to keep. `name`: the set it would be added to; a set taught in a lesson needs no addition."""
    set_in_use = _usable_set(profile)
    faces = faces_of(appearances)
    known = faces_of(set_in_use.looks) if set_in_use is not None else set()
    taught = set_in_use is not None and bool(set_in_use.kinds)
    kinds = Counter(side[0].value for side, _ in faces)
    return {
        "faces": len(faces),
        "new": 0 if taught else len(faces - known),
        "kinds": dict(kinds),
        "name": set_in_use.name if set_in_use is not None and not taught else None,
        "offered": not taught and len(faces - known) >= MIN_NEW_FACES,
    }


def with_learned(profile: Profile, appearances: Appearances, name: str) -> Profile:
    """The profile with these appearances stored under a name, and that set in use."""
    if not appearances.rows:
        raise LessonError(say("this game has not shown anything of the set yet"))
    before = profile.sets.get(name)
    if before is None or before.reader != reader_now():
        before = TaughtSet(name, reader_now())
    return profile.with_set(before.with_appearances(appearances))


def _usable_set(profile: Profile) -> TaughtSet | None:
    set_in_use = profile.my_set
    return set_in_use if set_in_use is not None and set_in_use.reader == reader_now() else None
