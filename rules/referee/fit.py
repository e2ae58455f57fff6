"""How well a layout explains a table: what every kind of evidence answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.pieces import Piece
from rules.referee.tuning import Tuning
from rules.table.change import Change
from rules.table.layout import Layout, Placed, half_extent
from rules.table.observed import Sighting


@dataclass(frozen=True, slots=True)
class Located:
    """A sighting in the board's own frame."""

    index: int
    sighting: Sighting
    x: float
    y: float
    angle: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """What a layout leaves unexplained: pieces that should be there and are not, sightings nobody expected, and
    pieces that look or lie differently. `unknown` is what it does not even try to say: a turned-up coin whose suit it
    does not name fits anything, and a layout that names it rightly is the better one by so much. `traces`: so many
    places of the board look otherwise than they did, and it does not say why. `undiced`: what dice beside the board
    show and it does not know, which matters only where a throw is waited for, or votes. `overlooked`: what of the cost
    is for missing pieces."""

    cost: float
    unknown: float = 0.0
    missing: tuple[Placed, ...] = ()
    extra: tuple[Located, ...] = ()
    odd: tuple[tuple[Placed, Located], ...] = ()
    traces: int = 0
    undiced: float = 0.0
    overlooked: float = 0.0


class Exhibit(Protocol):
    """One table, however it is known: seen by eyes that err, or told exactly. It answers for any layout."""

    @property
    def tuning(self) -> Tuning:
        """By which numbers it is judged."""
        ...

    def fit(self, layout: Layout) -> Fit: ...

    def change(self, layout: Layout, fit: Fit) -> Change:
        """What lies otherwise than the layout says."""
        ...

    def otherwise(self, layout: Layout, fit: Fit) -> Iterable[Change]:
        """The same, where a piece that came is read as what it may be nearly as well."""
        ...

    def thrown(self, dice: Sequence[Placed]) -> float:
        """How surprising it is that the dice beside the board show that."""
        ...

    @property
    def dice_are_doubtful(self) -> bool: ...


def level_of(seen: Located, lying: Iterable[Placed]) -> int:
    """On what it lies: where one of its kind lies as that one does, else on whatever lies there. High on a mountain a
    place of the board shows elsewhere in the picture than on the table."""
    here = [p for p in lying if max(abs(p.x - seen.x), abs(p.y - seen.y)) < half_extent(p.piece)]
    same = [p.level for p in here if p.piece.kind is seen.sighting.kind]
    return max(same or [p.level + 1 for p in here], default=0)


def shows_its_other_side(placed: Placed, seen: Located) -> bool:
    return None not in (placed.face, seen.sighting.face) and placed.face is not seen.sighting.face


def placed_from(seen: Located, key: str, place: str = "", level: int = 0) -> Placed:
    """A sighting as a piece on the board, for telling what changed."""
    suit, rank = seen.sighting.best
    sighting = seen.sighting
    piece = Piece(sighting.kind, suit, rank, sighting.size, sighting.mark)
    return Placed(piece, key, seen.x, seen.y, sighting.face, seen.angle or 0.0, level, pose=sighting.pose, place=place)
