"""The pictures that a lesson asks for, and a named picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.pieces import RANKS, SUITS, parse_rank, parse_suit
from rules.pieces.piece import LOONEY_SIZES
from rules.sentence import InputError, Sentence, say
from rules.table.observed import Identity
from vision.detect.shape import Floats
from vision.piece import DetectedPiece

DOUBTFUL_MARGIN: Final = 2.0
"""A name is doubtful where the next best assignment of the whole picture costs less than this much more (nats)."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom (pixels)."""
Boxes = Sequence[tuple[Identity, Box]]
"""Pieces drawn by a person: name and box."""


class LessonError(InputError):
    """A picture that cannot be used; the text says what is wrong and what to do. Nothing was stored."""


class FewFoundError(LessonError):
    """Fewer pieces were detected than the picture must show."""


_THINGS: Final = {
    "tile": say("tiles"),
    "coin": say("coins"),
    "die": say("dice"),
    "pawn": say("pawns"),
    "pyramid": say("pyramids"),
}


@dataclass(frozen=True, slots=True)
class LessonTask:
    """One picture of the lesson: the kind and side of its pieces and the names to assign."""

    id: str
    kind: str
    face: str | None
    names: tuple[Identity, ...]
    words: Sentence
    needed: bool = True
    multiple: int = 0
    """For pictures with fewer or more pieces than a set has: any multiple of this; 0: exactly the names."""

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
            say("Lay all 24 coins number side up, in any order, not touching, and one tile beside them."),
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
            say("Lay the four dice apart, and a tile beside them; do this six times, with different sides up."),
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
            say("Stand the four pawns apart, and a tile beside them; do this three times, in different places."),
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
    """A piece of the lesson with its name; `margin`: extra cost (nats) of the best assignment without it."""

    piece: DetectedPiece
    name: Identity
    margin: float

    @property
    def doubtful(self) -> bool:
        return self.margin < DOUBTFUL_MARGIN


@dataclass(frozen=True, slots=True)
class NamedPage:
    """One named picture of the lesson, its pieces in reading order. `game`: the game whose layout gave the names, if
    any."""

    step: LessonTask
    named: list[Named]
    game: str = ""
    beside: tuple[Floats, ...] = ()
    """Outlines of the tiles beside them, from which their size is measured."""

    @property
    def doubts(self) -> list[int]:
        """Numbers (from 1) of the doubtful pieces."""
        return [number for number, each in enumerate(self.named, 1) if each.doubtful]


def task_for(task: LessonTask, count: int) -> LessonTask:
    """The task with names for so many pieces; dice keep all names, each once."""
    if not task.multiple or task.kind == "die":
        return task
    once = tuple(dict.fromkeys(task.names))
    return replace(task, names=once * -(-count // len(once)))


def parse_name(text: str, step: LessonTask) -> Identity:
    """The name in a correction: S3 or tS3 (three of suns), 3 (a coin's value), S (a suit)."""
    shown_suit, shown_rank = step.names[0]
    plain = text.strip().removeprefix({"tile": "t", "coin": "c", "die": "d", "pawn": "p", "pyramid": "y"}[step.kind])
    letter, value = (plain[:1], plain[1:]) if shown_suit else ("", plain)
    try:
        if shown_rank is None and value:
            raise ValueError
        return (parse_suit(letter) if shown_suit else None, None if shown_rank is None else parse_rank(value))
    except ValueError:
        raise LessonError(
            say("{text} is not a name here; write S3 for the three of suns, 3 for a value, S for suns", text=repr(text))
        ) from None


def name_text(name: Identity) -> str:
    """A name as text: suns 3."""
    suit, rank = name
    return " ".join(([suit.value] if suit else []) + ([] if rank is None else [rank.word]))
