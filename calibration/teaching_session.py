"""Teach my set: a few pictures of a lay-out that is easy to lay, and every piece gets its name.

Each step says what lies in its picture ("all tiles face up, in any order"), so the exact inventory gives the names out
at least cost over the whole picture. Where the pieces of a suit or a value do not look like each other, or another
naming would do nearly as well, the piece is listed for a tap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.closer import LooksRead, read_closely
from calibration.discriminant import softmax
from calibration.fellows import Examples, votes_left_out
from rules.pieces import RANKS, SUITS, Face, Kind, Rank, Suit, parse_rank, parse_suit
from rules.pieces.piece import LOONEY_SIZES
from rules.sentence import SaidError, Sentence, say
from rules.table.observed import Identity
from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.eyes import Eyes, Look, StageTimes
from vision.inventory import assign
from vision.piece import Seen
from vision.rectify import Layers

DOUBTFUL: Final = 2.0
"""A name is doubtful where the next best naming of the whole picture is less than this much (in logarithms) worse."""
FORCED: Final = 5.0
PINNED: Final = 60.0
ALIKE: Final = 0.35
"""An outline whose size is within this (in logarithms) of a drawn box is taken for what is drawn there."""
VOTE: Final = 2.0
FAINT: Final = 0.6


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Boxes = Sequence[tuple[Identity, Box]]
"""What a person says lies in which box of the picture."""


class LessonError(SaidError):
    """The picture cannot be learnt from; the text says what is wrong and what to do. Nothing was stored."""


class FewFoundError(LessonError):
    """The eyes do not find as many pieces as the picture must show."""


_THINGS: Final = {
    "tile": say("tiles"),
    "coin": say("coins"),
    "die": say("dice"),
    "pawn": say("pawns"),
    "pyramid": say("pyramids"),
}


@dataclass(frozen=True, slots=True)
class LessonTask:
    """One picture of the lesson: what lies there, how many, and which names there are to give out."""

    id: str
    kind: str
    face: str | None
    names: tuple[Identity, ...]
    words: Sentence
    needed: bool = True
    by: int = 0
    """Where one picture may show fewer or more than a set has: any multiple of this."""

    @property
    def things(self) -> Sentence:
        return _THINGS[self.kind]

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(
            f"{part} {self.kind}"
            for part, shown in zip(("suit", "value"), self.names[0], strict=True)
            if shown is not None
        )


_PAIRS: Final[tuple[Identity, ...]] = tuple((suit, rank) for suit in SUITS for rank in RANKS)
_EACH_SUIT: Final[tuple[Identity, ...]] = tuple((suit, None) for suit in SUITS)
STEPS: Final = {
    step.id: step
    for step in (
        LessonTask("tiles", "tile", "front", _PAIRS, say("Lay all 24 tiles face up, in any order, not touching.")),
        LessonTask(
            "coin-values",
            "coin",
            "front",
            tuple((None, rank) for rank in RANKS for _ in SUITS),
            say("Lay all 24 coins number side up, in any order, not touching."),
        ),
        LessonTask(
            "coin-suits",
            "coin",
            "back",
            tuple((suit, None) for suit in SUITS for _ in RANKS),
            say("Turn every coin over in its place, so that the suits show."),
        ),
        LessonTask(
            "dice",
            "die",
            None,
            _PAIRS,
            say("Lay the four dice apart; do this six times, with different sides up."),
            False,
            4,
        ),
        LessonTask(
            "tile-backs",
            "tile",
            "back",
            ((None, None),),
            say("Lay some of the tiles face down, not touching."),
            False,
            1,
        ),
        LessonTask(
            "pawns",
            "pawn",
            None,
            _EACH_SUIT,
            say("Stand the four pawns apart; do this three times, in different places."),
            False,
            4,
        ),
        LessonTask(
            "pyramids",
            "pyramid",
            None,
            tuple((suit, None) for suit in SUITS for _ in LOONEY_SIZES),
            say("Stand the twelve pyramids apart, three of each suit."),
            False,
            4,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Named:
    """A piece of the lesson with its name; `doubt` is small where another name would do nearly as well."""

    piece: Seen
    name: Identity
    margin: float

    @property
    def doubtful(self) -> bool:
        return self.margin < DOUBTFUL


@dataclass(frozen=True, slots=True)
class NamedPage:
    """One picture of the lesson, read and named: pieces from the top left, row by row. `game`: whose layout gave the
    names, if they are not of a lay-out for the lesson."""

    step: LessonTask
    named: list[Named]
    game: str = ""

    @property
    def doubts(self) -> list[int]:
        """Numbers (from 1) of the pieces that a person should look at."""
        return [number for number, each in enumerate(self.named, 1) if each.doubtful]


def _asked(question: str) -> tuple[int, tuple[Suit | Rank, ...]]:
    """Which half of a name is asked for, and what it may be."""
    return (0, SUITS) if question.startswith("suit") else (1, RANKS)


def learn(
    eyes: Eyes,
    look: Look,
    task: LessonTask,
    corrections: Mapping[int, Identity] | None = None,
    incomplete: bool = False,
    boxes: Boxes = (),
) -> NamedPage:
    """Read one picture of the lesson; LessonError where it is not what the step asks for."""
    drawn = in_boxes(eyes, look, task, boxes)
    pieces = in_rows(wanted(look, task, incomplete, [piece for piece, _ in drawn]))
    step = laid(task, len(pieces))
    readings = read_closely(eyes, look.frame.image, pieces, step.questions)
    if not incomplete:
        refuse_wrong_side(pieces, step)
    said = {number: name for number, piece in enumerate(pieces, 1) for each, name in drawn if each is piece}
    pins = checked(said | dict(corrections or {}), step, len(pieces))
    read = reader_costs(readings, step)
    costs = pinned(read, pins, step)
    given = named_by(costs, step)
    refuse_two_sets(read, given, step)
    margins = margins_of(costs + common_costs(readings, given, step), given, step)
    swaps = swap_margins(costs, given, step)
    named = [
        Named(piece, step.names[k], float(min(margin, swap)))
        for piece, k, margin, swap in zip(pieces, given, margins, swaps, strict=True)
    ]
    return NamedPage(step, named)


def laid(task: LessonTask, count: int) -> LessonTask:
    """The task with names for so many pieces; dice show some of their faces, each once."""
    if not task.by or task.kind == "die":
        return task
    once = tuple(dict.fromkeys(task.names))
    return replace(task, names=once * -(-count // len(once)))


def in_boxes(eyes: Eyes, look: Look, task: LessonTask, boxes: Boxes) -> list[tuple[Seen, Identity]]:
    """What lies where a person has drawn a box, outlined as the eyes see it there, else by the box."""
    corners = [
        np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        for _, (left, top, right, bottom) in boxes
    ]
    asked = [Detection(task.kind, 1.0, quad.mean(axis=0), in_box(task.kind, quad)) for quad in corners]
    seen = eyes.outlined(Layers(look.frame.image), asked, StageTimes()) if asked else []
    face = None if task.face is None else Face(task.face)
    return [
        (Seen(Kind(task.kind), box.center, (found if fits(found, box) else box).outline, 1.0, face), name)
        for box, found, (name, _) in zip(asked, seen, boxes, strict=True)
    ]


def in_box(kind: str, corners: Floats) -> Floats:
    """The outline of a piece that fills the box."""
    if kind != "coin":
        return corners
    round_ = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    out: Floats = (
        corners.mean(axis=0) + np.stack([np.cos(round_), np.sin(round_)], axis=1) * np.ptp(corners, axis=0) / 2
    )
    return out


def fits(found: Detection, box: Detection) -> bool:
    """Whether what the eyes see is what the person has drawn."""
    sizes = np.ptp(found.outline, axis=0) / np.maximum(np.ptp(box.outline, axis=0), 1.0)
    moved = np.abs(found.outline.mean(axis=0) - box.outline.mean(axis=0)) / np.maximum(np.ptp(box.outline, axis=0), 1.0)
    return found.kind == box.kind and bool((np.abs(np.log(sizes)) < ALIKE).all() and (moved < ALIKE / 2).all())


def wanted(look: Look, step: LessonTask, incomplete: bool, drawn: Sequence[Seen] = ()) -> list[Seen]:
    """The step's pieces, exactly as many as there must be; three quarters of them where a person says that will do, who
    also knows better than the eyes whether a hand is there. What a person has `drawn` counts first."""
    if look.hand and not (incomplete or drawn):
        raise LessonError(say("a hand is in the picture: take it away and take the picture again"))
    found = usual_size([*drawn, *(piece for piece in look.pieces if piece.kind == step.kind and apart(piece, drawn))])
    pieces = [
        *drawn,
        *sorted((piece for piece in found if not among(piece, drawn)), key=lambda piece: -piece.certainty),
    ]
    count = wanted_count(step, len(pieces), len(drawn))
    while len(pieces) > count and (pieces[-1].certainty < FAINT or (drawn and len(pieces) > len(drawn))):
        pieces.pop()
    what = step.things
    if not pieces:
        raise FewFoundError(say("no {what} in the picture. {words}", what=what, words=step.words))
    if len(pieces) < (0.75 * count if incomplete else count):
        raise FewFoundError(
            say(
                "only {given} of {count} {what} were found: lay all of them in the picture, not "
                "touching, without glare, and nearer to the camera if they look small",
                given=len(pieces),
                count=count,
                what=what,
            )
        )
    if len(pieces) > count:
        raise LessonError(
            say(
                "{given} {what} were found, but a set has {count}: take away anything that is not a piece of this set",
                given=len(pieces),
                what=what,
                count=count,
            )
        )
    return pieces


def wanted_count(step: LessonTask, found: int, drawn: int) -> int:
    """How many pieces the picture is to show, where so many were found."""
    if not step.by:
        return len(step.names)
    if drawn and drawn % step.by == 0:
        return drawn  # a person has shown all of them
    return max(step.by, round(found / step.by) * step.by)


def among(piece: Seen, drawn: Sequence[Seen]) -> bool:
    return any(piece is each for each in drawn)


def apart(piece: Seen, drawn: Sequence[Seen]) -> bool:
    """Whether its middle lies in no drawn box."""
    middle = piece.outline.mean(axis=0)
    return not any(((each.outline.min(axis=0) < middle) & (middle < each.outline.max(axis=0))).all() for each in drawn)


def usual_size(pieces: Sequence[Seen]) -> list[Seen]:
    """Without what is far too big or too small to lie beside the others on one table."""
    areas = np.array([shape.area(piece.outline) for piece in pieces])
    middle = float(np.median(areas)) if len(areas) else 0.0
    return [piece for piece, area in zip(pieces, areas, strict=True) if 0.45 * middle < area < 2.2 * middle]


def refuse_wrong_side(pieces: Sequence[Seen], step: LessonTask) -> None:
    """Where names hang on it: coins of the other step. Which side of a tile is its back is for the lesson to teach."""
    wrong = sum(piece.face != step.face for piece in pieces)
    if step.face is not None and step.questions and wrong > 0.45 * len(pieces):
        raise LessonError(
            say(
                "{wrong} of {given} {what} seem to have the wrong side up. {words}",
                wrong=wrong,
                given=len(pieces),
                what=step.things,
                words=step.words,
            )
        )


def in_rows(pieces: Sequence[Seen]) -> list[Seen]:
    """From the top left, row by row, as a person counts."""
    if not pieces:
        return []
    high = float(np.median([np.ptp(piece.outline[:, 1]) for piece in pieces]))
    left = sorted(pieces, key=lambda piece: float(piece.center[1]))
    out: list[Seen] = []
    while left:
        row = [piece for piece in left if piece.center[1] < left[0].center[1] + 0.7 * high]
        out += sorted(row, key=lambda piece: float(piece.center[0]))
        left = left[len(row) :]
    return out


def checked(corrections: Mapping[int, Identity], step: LessonTask, count: int) -> Mapping[int, Identity]:
    """Every correction names a piece of this picture and a name that is there to give."""
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


def name_from(text: str, step: LessonTask) -> Identity:
    """A correction as written: S3 or tS3 (three of suns), 3 (a coin's value), S (a suit)."""
    shown_suit, shown_rank = step.names[0]
    plain = text.strip().removeprefix({"tile": "t", "coin": "c", "die": "d", "pawn": "p", "pyramid": "y"}[step.kind])
    letter, value = (plain[:1], plain[1:]) if shown_suit else ("", plain)
    try:
        if shown_rank is None and value:
            raise ValueError
        return (
            parse_suit(letter) if shown_suit else None,
            None if shown_rank is None else parse_rank(value),
        )
    except ValueError:
        raise LessonError(
            say("{text} is not a name here; write S3 for the three of suns, 3 for a value, S for suns", text=repr(text))
        ) from None


def spelt(name: Identity) -> str:
    """As people read it: suns 3."""
    suit, rank = name
    return " ".join(([suit.value] if suit else []) + ([] if rank is None else [rank.word]))


def reader_costs(readings: Sequence[LooksRead], step: LessonTask) -> Floats:
    """What every name costs every piece, as the reader sees it."""
    out = np.zeros((len(readings), len(step.names)))
    for question in step.questions:
        part, names = _asked(question)
        columns = [names.index(name[part]) for name in step.names]
        out -= np.stack([reading.logs[question].mean(axis=0) for reading in readings])[:, columns]
    return out


def common_costs(readings: Sequence[LooksRead], given: np.ndarray, step: LessonTask) -> Floats:
    """What every name costs every piece, as the other pieces of that suit or value see it."""
    out = np.zeros((len(readings), len(step.names)))
    embeddings = np.stack([reading.embeddings for reading in readings])
    for question in step.questions:
        part, names = _asked(question)
        columns = np.array([names.index(name[part]) for name in step.names])
        if np.bincount(columns[given], minlength=len(names)).min() < 2:
            continue  # one of four dice has no fellows
        examples = Examples(names, embeddings, columns[given], alike(step, part, given))
        chances = softmax(VOTE * votes_left_out(examples).mean(axis=1))
        out -= np.log(np.maximum(chances, 1e-4))[:, columns]
    return out


def alike(step: LessonTask, part: int, given: np.ndarray) -> np.ndarray:
    """Groups of pieces that share the other half of their names; where there is none, each its own group."""
    other = [step.names[k][1 - part] for k in given]
    if other[0] is None:
        return np.arange(len(given))
    return np.array([step.names.index(next(n for n in step.names if n[1 - part] == each)) for each in other])


def pinned(costs: Floats, pins: Mapping[int, Identity], step: LessonTask) -> Floats:
    """With what a person said made as good as certain."""
    out = costs.copy()
    for number, name in pins.items():
        out[number - 1, [each == name for each in step.names]] -= PINNED
    return out


def named_by(costs: Floats, step: LessonTask) -> np.ndarray:
    """The column given to each row. Of dice lie as many of each suit; each of their faces once."""
    if step.kind == "die" and len(costs) < len(step.names):
        suits = np.array([SUITS.index(suit) for suit, _ in step.names])
        best = np.stack([costs[:, suits == k].min(axis=1) for k in range(len(SUITS))], axis=1)
        given = np.array([column for _, column in assign(np.tile(best, (1, -(-len(costs) // len(SUITS)))))]) % len(
            SUITS
        )
        costs = costs + PINNED * (suits[None] != given[:, None])
    return np.array([column for _, column in assign(costs)])


def margins_of(costs: Floats, given: np.ndarray, step: LessonTask) -> Floats:
    """How much worse the whole picture gets when a piece may not have its name."""
    best = float(costs[np.arange(len(given)), given].sum())
    out = np.zeros(len(given))
    for row, column in enumerate(given):
        other = costs.copy()
        other[row, [name == step.names[column] for name in step.names]] += 2 * PINNED
        again = named_by(other, step)
        out[row] = min(float(other[np.arange(len(again)), again].sum()) - best, PINNED)
    return out


def swap_margins(costs: Floats, given: np.ndarray, step: LessonTask) -> Floats:
    """How much worse the picture gets when two whole suits change names: an unusual set deceives on all six at once."""
    out = np.full(len(given), PINNED)
    rows = np.arange(len(given))
    for first in SUITS:
        for second in SUITS:
            other = np.array([swapped_column(k, first, second, step) for k in given])
            if (other != given).any():
                loss = float((costs[rows, other] - costs[rows, given]).sum())
                mine = other != given
                out[mine] = np.minimum(out[mine], loss)
    return out


def swapped_column(column: int, first: Suit, second: Suit, step: LessonTask) -> int:
    suit, rank = step.names[column]
    turned = {first: second, second: first}.get(suit, suit) if suit else None
    return column if turned == suit else step.names.index((turned, rank))


def swapped(page: NamedPage, first: str, second: str) -> NamedPage:
    """One tap for a set whose suits look like one another's: all of the one are the other, and the other way round."""
    if page.step.names[0][0] is None or not {first, second} <= set(SUITS):
        raise LessonError(say("suits can be exchanged where they show; choose two of {known}", known=", ".join(SUITS)))
    turn = {Suit(first): Suit(second), Suit(second): Suit(first)}
    named = [
        replace(each, name=(turn.get(suit, suit) if (suit := each.name[0]) else None, each.name[1]))
        for each in page.named
    ]
    return replace(page, named=named)


def refuse_two_sets(costs: Floats, given: np.ndarray, step: LessonTask) -> None:
    """Many pieces surely are what another piece already is: no single set looks like that."""
    forced = costs[np.arange(len(given)), given] - costs.min(axis=1)
    if (forced > FORCED).sum() > 0.4 * len(given):
        raise LessonError(
            say(
                "these {given} {what} are not one whole set (many show the same): are two sets mixed?",
                given=len(given),
                what=step.things,
            )
        )


def renamed(page: NamedPage, number: int, name: Identity) -> NamedPage:
    """One tap: the piece gets this name, and whoever had it gets the piece's old one."""
    checked({number: name}, page.step, len(page.named))
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


__all__ = [
    "STEPS",
    "LessonError",
    "LessonTask",
    "Named",
    "NamedPage",
    "learn",
    "name_from",
    "renamed",
    "spelt",
    "swapped",
]
