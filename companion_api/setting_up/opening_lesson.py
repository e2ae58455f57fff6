"""What a known layout teaches of a set: where a game's board lies as the game has it, everything open to view has its
name without anybody's help. What is hidden or not settled yet has none and teaches nothing."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from calibration.lesson_task import STEPS, LessonError, LessonTask, Named, NamedPage, task_for
from calibration.teaching_session import FORCED, PINNED
from companion_api.photographs import MATCHED, OPEN, carries
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

DENIED = 0.4
"""Where so large a share of the names is denied by the eyes, something else lies there."""


def pages_of(game: AnyGame, state: object, look: FrameResult) -> list[NamedPage]:
    """A page for every side that lies open in the picture; LessonError where the board does not lie there."""
    layout, observed = game.layout(state), observed_table(look)
    bare = {id(placed) for placed, share in exposed(layout) if share >= OPEN and not carries(layout.board, placed)}
    lies = register(layout, observed)
    found = [] if lies is None else [each for each in matched(layout, observed, lies) if id(each[0]) in bare]
    if not found or len(found) < MATCHED * len(bare):
        raise LessonError(
            say("the board of {game} is not seen as the game has it: lay all of it in view", game=game.card.name)
        )
    refuse_denied(found, game)
    named: dict[str, list[Named]] = defaultdict(list)
    for placed, seen in found:
        step = step_of(placed)
        if step is not None:
            named[step.id].append(name_of(placed, seen))
    return [NamedPage(task_for(STEPS[step], len(each)), each, game.card.id) for step, each in named.items()]


def step_of(placed: Placed) -> LessonTask | None:
    """The step of the lesson that asks for what this piece shows; None where it is not known what that is."""
    shown = placed.shown
    for step in STEPS.values():
        if step.kind == shown.kind and step.face == placed.face and (shown.suit, shown.rank) in step.names:
            return step
    return None


def name_of(placed: Placed, seen: Sighting) -> Named:
    """Doubtful where the eyes would call it otherwise."""
    assert seen.center_px is not None
    shown = placed.shown
    piece = DetectedPiece(Kind(shown.kind), np.array(seen.center_px), np.array(seen.outline_px), 1.0, placed.face)
    agrees = agreed(placed, seen) and seen.chance_of(*seen.best) == seen.chance_of(shown.suit, shown.rank)
    return Named(piece, (shown.suit, shown.rank), PINNED if agrees else 0.0)


def agreed(placed: Placed, seen: Sighting) -> bool:
    """Whether the eyes would let it pass for that."""
    side = placed.face is seen.face or Face.FRONT not in (placed.face, seen.face)
    return side and seen.chance_of(placed.shown.suit, placed.shown.rank) > math.exp(-FORCED)


def refuse_denied(found: list[tuple[Placed, Sighting]], game: AnyGame) -> None:
    if sum(not agreed(*each) for each in found) > DENIED * len(found):
        raise LessonError(say("much of the board of {game} looks otherwise than the game has it", game=game.card.name))
