"""The fit of a layout to a table: the types that all kinds of evidence share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rules.pieces import Piece
from rules.pieces.sizes import half_extent
from rules.referee.tuning import Tuning
from rules.table.change import Change
from rules.table.layout import Layout, Placed
from rules.table.observed import Sighting


@dataclass(frozen=True, slots=True)
class BoardSighting:
    """A sighting in the board's frame."""

    index: int
    sighting: Sighting
    x: float
    y: float
    angle: float | None


@dataclass(frozen=True, slots=True)
class Residual:
    """What a layout leaves unexplained: missing pieces, extra sightings, and pieces that look or lie otherwise. `cost`
    is in nats. `unstated`: nats of what the table shows and the layout does not name (a turned-up coin of unknown suit
    fits any; a layout that names it rightly is better by so much). `unread_dice`: the same of dice beside the board,
    which count only where a throw or a vote is waited for. `unexplained_regions`: number of changed places of the board
    that the layout does not account for."""

    cost: float
    unstated: float = 0.0
    missing: tuple[Placed, ...] = ()
    extra: tuple[BoardSighting, ...] = ()
    mismatched: tuple[tuple[Placed, BoardSighting], ...] = ()
    unexplained_regions: int = 0
    unread_dice: float = 0.0

    @property
    def difference_count(self) -> int:
        """The number of pieces that look otherwise."""
        return len(self.missing) + len(self.mismatched) + len(self.extra)


class TermKind(StrEnum):
    PIECE = "piece"  # a piece of the layout: missing or mismatched
    SIGHTING = "sighting"  # a sighting without a piece
    REGION = "region"  # an unexplained change of the picture, or a change of the layout that it does not show
    BESIDE = "beside"  # hands, heaps and dice
    PRIOR = "prior"  # the prior of the actions
    UNSAID = "unsaid"  # shown by the table, not named by the layout


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a cost: `placed` is its piece, `seen` its sighting, `at` the changed region."""

    kind: TermKind
    nats: float
    placed: Placed | None = None
    seen: BoardSighting | None = None
    at: tuple[float, float] | None = None
    note: str = ""

    def __str__(self) -> str:
        words = [f"{self.nats:6.2f} nats", self.kind.value]
        if self.placed is not None:
            words.append(f"{self.placed.shown.code} at {self.placed.place or spot_words(self.placed.x, self.placed.y)}")
        if self.seen is not None:
            words.append(seen_words(self.seen, self.placed))
        elif self.placed is not None and self.kind is TermKind.PIECE:
            words.append("not seen")
        if self.at is not None:
            words.append(f"around {spot_words(*self.at)}")
        return " ".join([*words, self.note]).rstrip()

    def to_json(self) -> dict[str, object]:
        source = self.placed or self.seen
        place = self.at or (source and (source.x, source.y))
        return {
            "term": self.kind.value,
            "nats": round(self.nats, 3),
            "piece": self.placed.shown.code if self.placed else None,
            "place": (self.placed.place or None) if self.placed else None,
            "seen": seen_words(self.seen, self.placed) if self.seen else None,
            "at": [round(value, 2) for value in place] if place else None,
            "note": self.note,
        }


def spot_words(x: float, y: float) -> str:
    return f"({x:.1f}, {y:.1f})"


def seen_words(seen: BoardSighting, placed: Placed | None = None) -> str:
    """The detection in words, with the probability that it is the piece that should lie there."""
    code = placed_from(seen, "").shown.code
    words = f"seen as {code}, certainty {seen.sighting.certainty:.2f}, {spot_words(seen.x, seen.y)}"
    if placed is None:
        return words
    return f"{words}, chance of {placed.shown.code} {seen.sighting.chance_of(placed.shown.suit, placed.shown.rank):.2f}"


class Tally:
    """Sums a cost; keeps its terms only where a list is given."""

    def __init__(self, terms: list[Term] | None = None) -> None:
        self.nats = 0.0
        self._terms = terms

    def add(
        self,
        kind: TermKind,
        nats: float,
        placed: Placed | None = None,
        seen: BoardSighting | None = None,
        at: tuple[float, float] | None = None,
        note: str = "",
    ) -> None:
        self.nats += nats
        if self._terms is not None and nats:
            self._terms.append(Term(kind, nats, placed, seen, at, note))


class LayoutEvidence(Protocol):
    """One table, detected with errors or recorded exactly. It is compared with any layout."""

    @property
    def tuning(self) -> Tuning:
        """The numbers it is judged by."""

    def fit(self, layout: Layout) -> Residual: ...

    def change(self, layout: Layout, fit: Residual) -> Change:
        """What lies otherwise than in the layout."""

    def alternative_changes(self, layout: Layout, fit: Residual) -> Iterable[Change]:
        """The same with a piece that came read as its next likely identities."""

    def dice_nats(self, dice: Sequence[Placed]) -> float:
        """Surprise, in nats, of the dice beside the board showing this."""

    @property
    def dice_are_doubtful(self) -> bool: ...

    def count_at_rest(self, dice: Collection[Piece]) -> int:
        """How many of these dice lie as they lay before."""


def level_of(seen: BoardSighting, pieces: Iterable[Placed]) -> int:
    """The level on which a sighting lies: that of a piece of its kind there, else one above whatever lies there. High
    on a mountain a place appears elsewhere in the picture than on the table."""
    beneath = [p for p in pieces if max(abs(p.x - seen.x), abs(p.y - seen.y)) < half_extent(p.piece)]
    same = [p.level for p in beneath if p.piece.kind is seen.sighting.kind]
    return max(same or [p.level + 1 for p in beneath], default=0)


def shows_other_side(placed: Placed, seen: BoardSighting) -> bool:
    return None not in (placed.face, seen.sighting.face) and placed.face is not seen.sighting.face


def placed_from(seen: BoardSighting, key: str, place: str = "", level: int = 0) -> Placed:
    """A sighting as a piece on the board, to tell what changed."""
    sighting, piece, angle = seen.sighting, likeliest_piece(seen.sighting), seen.angle or 0.0
    return Placed(piece, key, seen.x, seen.y, sighting.face, angle, level, pose=sighting.pose, place=place)


def likeliest_piece(sighting: Sighting) -> Piece:
    return Piece(sighting.kind, *sighting.best, sighting.size, sighting.mark)
