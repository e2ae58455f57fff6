"""What a lesson asks for, picture by picture, and a picture of it read and named."""

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

DOUBTFUL: Final = 2.0
"""A name is doubtful where the next best naming of the whole picture is less than this much (in logarithms) worse."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Boxes = Sequence[tuple[Identity, Box]]
"""What a person says lies in which box of the picture."""


class LessonError(InputError):
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
    """A piece of the lesson with its name; `doubt` is small where another name would do nearly as well."""

    piece: DetectedPiece
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
    beside: tuple[Floats, ...] = ()
    """Outlines of the tiles that lie beside them: by these it is known how large they are."""

    @property
    def doubts(self) -> list[int]:
        """Numbers (from 1) of the pieces that a person should look at."""
        return [number for number, each in enumerate(self.named, 1) if each.doubtful]


def laid(task: LessonTask, count: int) -> LessonTask:
    """The task with names for so many pieces; dice show some of their faces, each once."""
    if not task.by or task.kind == "die":
        return task
    once = tuple(dict.fromkeys(task.names))
    return replace(task, names=once * -(-count // len(once)))


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
