"""Names the pieces in a picture of a lesson.

Each step says what lies in its picture ("all tiles face up, in any order"), so names are assigned from the exact
inventory at least cost over the whole picture. A piece is listed as doubtful where another assignment costs little
more, or where it does not look like the other pieces of its suit or value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.lesson_pieces import boxed_pieces, is_outside, reading_order, refuse_wrong_side, selected_pieces
from calibration.lesson_readings import CropReadings, Examples, left_out_scores, read_crops
from calibration.lesson_task import Boxes, LessonError, LessonTask, Named, NamedPage, task_for
from rules.pieces import RANKS, SUITS, Rank, Suit
from rules.sentence import say
from rules.table.observed import Identity
from vision.detect.shape import Floats
from vision.inventory import assign
from vision.odds import softmax
from vision.piece import CERTAIN, DetectedPiece
from vision.table_reader import FrameResult, TableReader

FORCED: Final = 5.0
"""Nats by which a name is worse than the piece's best one, from which it counts as forced."""
PINNED: Final = 60.0
"""Nats by which a person's name is preferred."""
VOTE: Final = 2.0
"""Factor of the other pieces' scores before the softmax."""


def _name_part(question: str) -> tuple[int, tuple[Suit | Rank, ...]]:
    """The half of a name that a question asks for, and its possible values."""
    return (0, SUITS) if question.startswith("suit") else (1, RANKS)


def named_page(
    eyes: TableReader,
    look: FrameResult,
    task: LessonTask,
    corrections: Mapping[int, Identity] | None = None,
    incomplete: bool = False,
    boxes: Boxes = (),
) -> NamedPage:
    """Read and name one picture of the lesson; LessonError where it is not what the step asks for."""
    drawn = boxed_pieces(eyes, look, task, boxes)
    pieces = reading_order(selected_pieces(look, task, incomplete, [piece for piece, _ in drawn]))
    step = task_for(task, len(pieces))
    readings = read_crops(eyes, look.frame.image, pieces, step.questions)
    if not incomplete:
        refuse_wrong_side(pieces, step)
    boxed_names = {number: name for number, piece in enumerate(pieces, 1) for each, name in drawn if each is piece}
    pins = checked_corrections(boxed_names | dict(corrections or {}), step, len(pieces))
    read = reader_costs(readings, step)
    costs = pinned_costs(read, pins, step)
    given = assignment(costs, step)
    refuse_two_sets(read, given, step)
    margins = margins_of(costs + similarity_costs(readings, given, step), given, step)
    swaps = swap_margins(costs, given, step)
    named = [
        Named(piece, step.names[k], float(min(margin, swap)))
        for piece, k, margin, swap in zip(pieces, given, margins, swaps, strict=True)
    ]
    return NamedPage(step, named, beside=() if step.kind == "tile" else tiles_beside(look, pieces))


def tiles_beside(look: FrameResult, pieces: Sequence[DetectedPiece]) -> tuple[Floats, ...]:
    """Outlines of the tiles beside the step's pieces; not of a piece that was detected as a tile too."""
    return tuple(
        tile.outline
        for tile in look.pieces
        if tile.kind == "tile" and tile.certainty >= CERTAIN and is_outside(tile, pieces) and not covers(tile, pieces)
    )


def covers(tile: DetectedPiece, pieces: Sequence[DetectedPiece]) -> bool:
    """Whether the centre of one of the pieces lies on the tile."""
    low, high = tile.outline.min(axis=0), tile.outline.max(axis=0)
    return any(((low < piece.center) & (piece.center < high)).all() for piece in pieces)


def checked_corrections(corrections: Mapping[int, Identity], step: LessonTask, count: int) -> Mapping[int, Identity]:
    """The corrections; LessonError where one has no such piece or name, or a name too often."""
    for number, name in corrections.items():
        if not 1 <= number <= count:
            raise LessonError(
                say(
                    "there is no piece {number} in this picture; they count from 1 to {given}",
                    number=number,
                    given=count,
                )
            )
        if name not in step.names:
            raise LessonError(
                say("piece {number} cannot be that: this picture shows {what}", number=number, what=step.things)
            )
    for name in set(corrections.values()):
        if list(corrections.values()).count(name) > step.names.count(name):
            raise LessonError(say("two corrections give the same name to two pieces, but a set has it only once"))
    return corrections


def reader_costs(readings: Sequence[CropReadings], step: LessonTask) -> Floats:
    """Costs (nats, pieces x names) from the reader's log probabilities."""
    out = np.zeros((len(readings), len(step.names)))
    for question in step.questions:
        part, names = _name_part(question)
        columns = [names.index(name[part]) for name in step.names]
        out -= np.stack([reading.logs[question].mean(axis=0) for reading in readings])[:, columns]
    return out


def similarity_costs(readings: Sequence[CropReadings], given: np.ndarray, step: LessonTask) -> Floats:
    """Costs (nats, pieces x names) from the similarity to the other pieces of that suit or value."""
    out = np.zeros((len(readings), len(step.names)))
    embeddings = np.stack([reading.embeddings for reading in readings])
    for question in step.questions:
        part, names = _name_part(question)
        columns = np.array([names.index(name[part]) for name in step.names])
        if np.bincount(columns[given], minlength=len(names)).min() < 2:
            continue  # one of four dice has no other of its suit
        examples = Examples(names, embeddings, columns[given], name_groups(step, part, given))
        chances = softmax(VOTE * left_out_scores(examples).mean(axis=1))
        out -= np.log(np.maximum(chances, 1e-4))[:, columns]
    return out


def name_groups(step: LessonTask, part: int, given: np.ndarray) -> np.ndarray:
    """Group number of each piece: pieces that share the other half of their names, else each its own group."""
    other = [step.names[k][1 - part] for k in given]
    if other[0] is None:
        return np.arange(len(given))
    return np.array([step.names.index(next(n for n in step.names if n[1 - part] == each)) for each in other])


def pinned_costs(costs: Floats, pins: Mapping[int, Identity], step: LessonTask) -> Floats:
    """The costs with a person's names preferred by PINNED."""
    out = costs.copy()
    for number, name in pins.items():
        out[number - 1, [each == name for each in step.names]] -= PINNED
    return out


def assignment(costs: Floats, step: LessonTask) -> np.ndarray:
    """The name (column) assigned to each piece (row). Of dice there are as many of each suit, each face once."""
    if step.kind == "die" and len(costs) < len(step.names):
        suits = np.array([SUITS.index(suit) for suit, _ in step.names])
        best = np.stack([costs[:, suits == k].min(axis=1) for k in range(len(SUITS))], axis=1)
        given = np.array([column for _, column in assign(np.tile(best, (1, -(-len(costs) // len(SUITS)))))]) % len(
            SUITS
        )
        costs = costs + PINNED * (suits[None] != given[:, None])
    return np.array([column for _, column in assign(costs)])


def margins_of(costs: Floats, given: np.ndarray, step: LessonTask) -> Floats:
    """Increase of the total cost (nats) when a piece may not have its name."""
    best = float(costs[np.arange(len(given)), given].sum())
    out = np.zeros(len(given))
    for row, column in enumerate(given):
        other = costs.copy()
        other[row, [name == step.names[column] for name in step.names]] += 2 * PINNED
        again = assignment(other, step)
        out[row] = min(float(other[np.arange(len(again)), again].sum()) - best, PINNED)
    return out


def swap_margins(costs: Floats, given: np.ndarray, step: LessonTask) -> Floats:
    """Least increase of the total cost when a piece's suit is exchanged with another whole suit: unusual suits are
    misread on all pieces at once."""
    out = np.full(len(given), PINNED)
    rows = np.arange(len(given))
    for first in SUITS:
        for second in SUITS:
            other = np.array([swapped_column(k, first, second, step) for k in given])
            if (other != given).any():
                loss = float((costs[rows, other] - costs[rows, given]).sum())
                exchanged = other != given
                out[exchanged] = np.minimum(out[exchanged], loss)
    return out


def swapped_column(column: int, first: Suit, second: Suit, step: LessonTask) -> int:
    suit, rank = step.names[column]
    turned = {first: second, second: first}.get(suit, suit) if suit else None
    return column if turned == suit else step.names.index((turned, rank))


def with_swapped_suits(page: NamedPage, first: str, second: str) -> NamedPage:
    """The page with two suits exchanged on all pieces, for sets whose suits look like one another's."""
    if page.step.names[0][0] is None or not {first, second} <= set(SUITS):
        raise LessonError(say("suits can be exchanged where they show; choose two of {known}", known=", ".join(SUITS)))
    turn = {Suit(first): Suit(second), Suit(second): Suit(first)}
    named = [
        replace(each, name=(turn.get(suit, suit) if (suit := each.name[0]) else None, each.name[1]))
        for each in page.named
    ]
    return replace(page, named=named)


def refuse_two_sets(costs: Floats, given: np.ndarray, step: LessonTask) -> None:
    """LessonError where many pieces surely show what another piece shows: two sets are mixed."""
    forced = costs[np.arange(len(given)), given] - costs.min(axis=1)
    if (forced > FORCED).sum() > 0.4 * len(given):
        raise LessonError(
            say(
                "these {given} {what} are not one whole set (many show the same): are two sets mixed?",
                given=len(given),
                what=step.things,
            )
        )


def with_corrected_name(page: NamedPage, number: int, name: Identity) -> NamedPage:
    """The page with a corrected name; the piece that had it gets the old one."""
    checked_corrections({number: name}, page.step, len(page.named))
    old = page.named[number - 1].name
    if old == name:
        return page
    others = [k for k, each in enumerate(page.named) if each.name == name and k != number - 1]
    named = list(page.named)
    named[number - 1] = replace(named[number - 1], name=name, margin=PINNED)
    if others:
        swap = min(others, key=lambda k: page.named[k].margin)
        named[swap] = replace(named[swap], name=old)
    return replace(page, named=named)
