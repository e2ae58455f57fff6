"""What a game has taught of the set that it was played with: offered to people, and kept only if they want it.

It is asked of the game as it counts now: what people corrected or undid has taught nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from calibration.custom_set import TaughtSet, reader_now
from calibration.learned_appearance import certain, faces_of
from calibration.lesson_task import LessonError
from calibration.profile import Profile
from companion_api.session import Session
from rules.engine.history import History
from rules.referee.memory import Memory
from rules.sentence import say
from vision.witness.appearance import Appearances
from vision.witness.witness import ReferenceFrame

WORTH = 4
"""So many faces that were not known are worth asking people about."""


def learnt_at(session: Session) -> Appearances:
    with session.lock:
        return learnt(session.history, session.referee.memory)


def learnt(history: History, memory: Memory) -> Appearances:
    """The looks of this set that still count when these are the actions. A table that never lay as the game has it may
    be anything."""
    known = (
        memory.keyframe.valid_for(history.actions) if memory.keyframe is not None and memory.ever_explained else None
    )
    kept = known.reference if known is not None else None
    return certain(kept.appearances) if isinstance(kept, ReferenceFrame) else Appearances()


def told(looks: Appearances, profile: Profile) -> dict[str, Any]:
    """What there is to keep. `name`: the set that it would be added to; where that was taught in a lesson there is
    nothing to add."""
    using = _usable(profile)
    faces = faces_of(looks)
    known = faces_of(using.looks) if using is not None else set()
    taught = using is not None and bool(using.kinds)
    kinds = Counter(side[0].value for side, _ in faces)
    return {
        "faces": len(faces),
        "new": 0 if taught else len(faces - known),
        "kinds": dict(kinds),
        "name": using.name if using is not None and not taught else None,
        "offered": not taught and len(faces - known) >= WORTH,
    }


def keeping(profile: Profile, looks: Appearances, name: str) -> Profile:
    """With what was learnt under this name, and that set in use."""
    if not looks.rows:
        raise LessonError(say("this game has not shown anything of the set yet"))
    before = profile.sets.get(name)
    if before is None or before.reader != reader_now():
        before = TaughtSet(name, reader_now())
    return profile.with_set(before.with_appearances(looks))


def _usable(profile: Profile) -> TaughtSet | None:
    using = profile.my_set
    return using if using is not None and using.reader == reader_now() else None
