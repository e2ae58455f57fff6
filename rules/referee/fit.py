"""How well a layout explains a table: what every kind of evidence answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """A sighting in the board's own frame."""

    index: int
    sighting: Sighting
    x: float
    y: float
    angle: float | None


@dataclass(frozen=True, slots=True)
class Residual:
    """What a layout leaves unexplained: pieces that should be there and are not, sightings nobody expected, and
    pieces that look or lie differently. `unknown` is what it does not even try to say: a turned-up coin whose suit it
    does not name fits anything, and a layout that names it rightly is the better one by so much. `traces`: so many
    places of the board look otherwise than they did, and it does not say why. `undiced`: what dice beside the board
    show and it does not know, which matters only where a throw is waited for, or votes."""

    cost: float
    unstated: float = 0.0
    missing: tuple[Placed, ...] = ()
    extra: tuple[BoardSighting, ...] = ()
    mismatched: tuple[tuple[Placed, BoardSighting], ...] = ()
    unexplained_regions: int = 0
    unread_dice: float = 0.0


class TermKind(StrEnum):
    PIECE = "piece"  # a piece of the layout: not seen, or seen otherwise
    SIGHTING = "sighting"  # seen where the layout has nothing
    REGION = "region"  # the picture changed and the layout does not say why, or the other way about
    BESIDE = "beside"  # hands, heaps and dice
    PRIOR = "prior"  # what believing in the actions costs
    UNSAID = "unsaid"  # shown by the table and not named by the layout


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a cost. `placed`: the piece it is for, `seen`: the sighting, `at`: the changed region."""

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
    """What the detector made of it, and how likely that makes it the piece that should lie there."""
    code = placed_from(seen, "").shown.code
    words = f"seen as {code}, certainty {seen.sighting.certainty:.2f}, {spot_words(seen.x, seen.y)}"
    if placed is None:
        return words
    return f"{words}, chance of {placed.shown.code} {seen.sighting.chance_of(placed.shown.suit, placed.shown.rank):.2f}"


class Tally:
    """Adds up a cost; keeps its terms only where somebody wants them."""

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
    """One table, however it is known: seen by eyes that err, or told exactly. It answers for any layout."""

    @property
    def tuning(self) -> Tuning:
        """By which numbers it is judged."""
        ...

    def fit(self, layout: Layout) -> Residual: ...

    def change(self, layout: Layout, fit: Residual) -> Change:
        """What lies otherwise than the layout says."""
        ...

    def alternative_changes(self, layout: Layout, fit: Residual) -> Iterable[Change]:
        """The same, where a piece that came is read as what it may be nearly as well."""
        ...

    def dice_nats(self, dice: Sequence[Placed]) -> float:
        """How surprising it is that the dice beside the board show that."""
        ...

    @property
    def dice_are_doubtful(self) -> bool: ...


def level_of(seen: BoardSighting, pieces: Iterable[Placed]) -> int:
    """On what it lies: where one of its kind lies as that one does, else on whatever lies there. High on a mountain a
    place of the board shows elsewhere in the picture than on the table."""
    beneath = [p for p in pieces if max(abs(p.x - seen.x), abs(p.y - seen.y)) < half_extent(p.piece)]
    same = [p.level for p in beneath if p.piece.kind is seen.sighting.kind]
    return max(same or [p.level + 1 for p in beneath], default=0)


def shows_other_side(placed: Placed, seen: BoardSighting) -> bool:
    return None not in (placed.face, seen.sighting.face) and placed.face is not seen.sighting.face


def placed_from(seen: BoardSighting, key: str, place: str = "", level: int = 0) -> Placed:
    """A sighting as a piece on the board, for telling what changed."""
    suit, rank = seen.sighting.best
    sighting = seen.sighting
    piece = Piece(sighting.kind, suit, rank, sighting.size, sighting.mark)
    return Placed(piece, key, seen.x, seen.y, sighting.face, seen.angle or 0.0, level, pose=sighting.pose, place=place)
