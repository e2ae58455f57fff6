"""What the referee judges: the table that was seen in one still moment, and the picture of it.

The sightings of an `ObservedTable` are made without knowing what should lie there. The picture is asked the other way
round: does this place look as it did when the layout was last believed? Defined here, answered by `vision`; no rule
reads a pixel, and no answer runs a net. Places are in the board's own frame, in spaces. None means that the picture
cannot tell: covered, outside the frame, glare, too dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rules.pieces.sizes import COIN
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable

COIN_AREA = math.pi / 4 * COIN**2
"""A coin's share of a square space: the unit of `ChangedRegion.size`."""


class Ground(Protocol):
    """Where the board lies on the table of a look."""

    @property
    def turn(self) -> float: ...

    def to_table(self, x: float, y: float) -> tuple[float, float]: ...

    def to_board(self, x: float, y: float) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class ChangedRegion:
    """A stretch of the table that looks otherwise than it did: where its middle would lie on the board, and how large
    it is, a coin being 1. `darker` and `lighter` are the shares of it that differ as if a shadow had come or gone."""

    x: float
    y: float
    size: float
    darker: float = 0.0
    lighter: float = 0.0


class ReferencePicture(Protocol):
    """What was kept of a moment whose layout was believed."""

    @property
    def layout(self) -> Layout: ...


class FrameDiff(Protocol):
    """One still moment compared with one that was believed. `table` are the moment's sightings in the board's frame:
    of every place that looks as it did what was seen there then, of every other what is seen now."""

    @property
    def table(self) -> ObservedTable: ...

    @property
    def eyes(self) -> ObservedTable:
        """The same frame, and only what the eyes see at this moment."""
        ...

    @property
    def traces(self) -> Sequence[ChangedRegion]: ...

    def changed(self, placed: Placed) -> float | None:
        """How likely it is that the place of this piece looks otherwise than it did."""
        ...

    def leaves(self, placed: Placed) -> Mapping[int, float]:
        """Which traces this piece would leave by coming or going, and which share of each."""
        ...


class PictureEvidence(Protocol):
    """One still moment. It keeps nothing itself: what is remembered is handed to it, so it can be forgotten."""

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        """What is worth keeping if this layout is believed to lie here; `before`: what was kept until now; `table` is
        in the frame of the look. None where nothing is known of how picture and table lie to each other."""
        ...

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> FrameDiff | None:
        """This moment against an earlier one; None where the two pictures cannot be laid over each other."""
        ...


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """One still moment as it is judged. `picture`: None where only sightings are known, as from a text of pieces."""

    table: ObservedTable
    picture: PictureEvidence | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def of(seen: Evidence) -> TableEvidence:
        """Evidence as it is; a table by itself as evidence without a picture."""
        return seen if isinstance(seen, TableEvidence) else TableEvidence(seen)


Evidence = TableEvidence | ObservedTable
