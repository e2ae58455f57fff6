"""What a known layout teaches of a set: on a board that agrees with the layout every uncovered piece is named by it.
Hidden or undecided pieces teach nothing."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from calibration.lesson_task import STEPS, LessonError, LessonTask, Named, NamedPage, task_for
from calibration.teaching_session import FORCED, PINNED
from companion_api.photographs import MIN_MATCHED_SHARE, MIN_VISIBLE_SHARE, may_be_covered
from rules.engine.contract import AnyGame
from rules.pieces import Face, Kind
from rules.referee.exposure import exposed
from rules.referee.register import matched, register
from rules.sentence import say
from rules.table.layout import Placed
from rules.table.observed import Sighting
from vision.piece import DetectedPiece
from vision.sightings import observed_table
from vision.table_reader import FrameResult

MAX_DENIED_SHARE = 0.4
"""Where more than this share of the names is implausible to the reader, something else lies there."""


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
    check_plausible(found, game)
    named: dict[str, list[Named]] = defaultdict(list)
    for placed, seen in found:
        step = lesson_step(placed)
        if step is not None:
            named[step.id].append(named_piece(placed, seen))
    return [NamedPage(task_for(STEPS[step], len(each)), each, game.card.id) for step, each in named.items()]


def lesson_step(placed: Placed) -> LessonTask | None:
    """The lesson step for what this piece shows; None where that is unknown."""
    shown = placed.shown
    for step in STEPS.values():
        if step.kind == shown.kind and step.face == placed.face and (shown.suit, shown.rank) in step.names:
            return step
    return None


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


def check_plausible(found: list[tuple[Placed, Sighting]], game: AnyGame) -> None:
    if sum(not is_plausible(*each) for each in found) > MAX_DENIED_SHARE * len(found):
        raise LessonError(say("much of the board of {game} looks otherwise than the game has it", game=game.card.name))
