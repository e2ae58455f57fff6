"""What games teach of a set: appearances learned during a game, and the names that a known layout gives its pieces.

Learned appearances are offered to people and kept only if they agree. They are recomputed from the counting actions, so
corrected or undone actions teach nothing. On a board that agrees with the layout every uncovered piece is named by it;
hidden or undecided pieces teach nothing.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from calibration.custom_set import TaughtSet, reader_now
from calibration.learned_appearance import faces_of, without_ambiguous
from calibration.lesson_task import STEPS, LessonError, LessonTask, Named, NamedPage, task_for
from calibration.profile import Profile
from calibration.teaching_session import FORCED, PINNED
from companion_api.photographs import MIN_MATCHED_SHARE, MIN_VISIBLE_SHARE, may_be_covered
from companion_api.session import Session
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.pieces import Face, Kind
from rules.referee.exposure import exposed
from rules.referee.memory import Memory
from rules.referee.register import matched, register
from rules.sentence import say
from rules.table.layout import Placed
from rules.table.observed import Sighting
from vision.piece import DetectedPiece
from vision.sightings import observed_table
from vision.table_reader import FrameResult
from vision.witness.appearance import Appearances
from vision.witness.witness import ReferenceFrame

MIN_NEW_FACES = 4
"""Unknown faces that make it worth asking people."""


def appearances_at(session: Session) -> Appearances:
    with session.lock:
        return learned_appearances(session.history, session.referee.memory)


def learned_appearances(history: History, memory: Memory) -> Appearances:
    """Appearances still valid for these actions; none unless the table has ever matched the layout."""
    keyframe = memory.keyframe if memory.ever_explained else None
    known = keyframe.valid_for(history.actions) if keyframe is not None else None
    kept = known.reference if known is not None else None
    return without_ambiguous(kept.appearances) if isinstance(kept, ReferenceFrame) else Appearances()


def to_json(appearances: Appearances, profile: Profile) -> dict[str, Any]:
    """What there is to keep. `name`: the set it would be added to; a set taught in a lesson needs no addition."""
    set_in_use = profile.my_set if profile.my_set is not None and profile.my_set.reader == reader_now() else None
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


MAX_DENIED_SHARE = 0.4
"""Largest share of the names that may be implausible to the reader; above it the board is another one."""


def pages_of(game: AnyGame, state: object, look: FrameResult) -> list[NamedPage]:
    """One page for every kind and side that lies open in the picture; LessonError where the board does not match."""
    layout, observed = game.layout(state), observed_table(look)
    open_ids = {
        id(placed)
        for placed, share in exposed(layout)
        if share >= MIN_VISIBLE_SHARE and not may_be_covered(layout.board, placed)
    }
    lies = register(layout, observed)
    found = [] if lies is None else [each for each in matched(layout, observed, lies) if id(each[0]) in open_ids]
    if not found or len(found) < MIN_MATCHED_SHARE * len(open_ids):
        raise LessonError(
            say("the board of {game} is not seen as the game has it: lay all of it in view", game=game.card.name)
        )
    if sum(not is_plausible(*each) for each in found) > MAX_DENIED_SHARE * len(found):
        raise LessonError(say("much of the board of {game} looks otherwise than the game has it", game=game.card.name))
    named: dict[str, list[Named]] = defaultdict(list)
    for placed, seen in found:
        step = lesson_step(placed)
        if step is not None:
            named[step.id].append(named_piece(placed, seen))
    return [NamedPage(task_for(STEPS[step], len(each)), each, game.card.id) for step, each in named.items()]


def lesson_step(placed: Placed) -> LessonTask | None:
    """The lesson step for what this piece shows; None where that is unknown."""
    shown = placed.shown
    steps = (step for step in STEPS.values() if step.kind == shown.kind and step.face == placed.face)
    return next((step for step in steps if (shown.suit, shown.rank) in step.names), None)


def named_piece(placed: Placed, seen: Sighting) -> Named:
    """A named piece, doubtful where the reader's best reading is another."""
    assert seen.center_px is not None
    shown = placed.shown
    piece = DetectedPiece(Kind(shown.kind), np.array(seen.center_px), np.array(seen.outline_px), 1.0, placed.face)
    agrees = is_plausible(placed, seen) and seen.chance_of(*seen.best) == seen.chance_of(shown.suit, shown.rank)
    return Named(piece, (shown.suit, shown.rank), PINNED if agrees else 0.0)


def is_plausible(placed: Placed, seen: Sighting) -> bool:
    """Whether the reader's distribution allows this name."""
    side = placed.face is seen.face or Face.FRONT not in (placed.face, seen.face)
    return side and seen.chance_of(placed.shown.suit, placed.shown.rank) > math.exp(-FORCED)
