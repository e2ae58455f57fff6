"""Input of the referee: the observed table of one still frame and the picture it came from.

The sightings of an `ObservedTable` are detected without knowledge of the layout. The picture answers the opposite
question: has this place changed since the layout was last accepted? The protocols are defined here and implemented in
`vision`; no rule reads pixels, and no answer runs a net. Places are in board coordinates, in spaces. None means that
the picture cannot tell: covered, outside the frame, glare, too dark.
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
"""Area of a coin in square spaces: the unit of `ChangedRegion.size`."""


class Ground(Protocol):
    """Pose of the board in the table coordinates of a frame."""

    @property
    def turn(self) -> float: ...

    def to_table(self, x: float, y: float) -> tuple[float, float]: ...

    def to_board(self, x: float, y: float) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class ChangedRegion:
    """A connected region of the table that changed: its centre in board coordinates and its area in coins. `darker` and
    `lighter` are the shares of it that changed as if a shadow had come or gone."""

    x: float
    y: float
    size: float
    darker: float = 0.0
    lighter: float = 0.0


class ReferencePicture(Protocol):
    """The picture of an earlier frame, kept with the layout accepted for it."""

    @property
    def layout(self) -> Layout: ...


class FrameDiff(Protocol):
    """A still frame compared with a reference picture. `table`: sightings in board coordinates, those of the reference
    at unchanged places and current ones elsewhere."""

    @property
    def table(self) -> ObservedTable: ...

    @property
    def detected(self) -> ObservedTable:
        """Only the current sightings, in board coordinates."""
        ...

    @property
    def regions(self) -> Sequence[ChangedRegion]: ...

    def changed(self, placed: Placed) -> float | None:
        """Probability that the place of this piece has changed."""
        ...

    def region_shares(self, placed: Placed) -> Mapping[int, float]:
        """Index of each region that this piece would cause by coming or going, with the share of it that it covers."""
        ...


class PictureEvidence(Protocol):
    """Picture of one still frame. It keeps no state: references are passed in, so that the frame can be freed."""

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        """The reference picture to keep once `layout` is accepted for this frame; `before`: the one kept until now;
        `table` is in table coordinates. None where the mapping from table to picture is not known."""
        ...

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> FrameDiff | None:
        """This frame against a reference; None where the two pictures cannot be aligned."""
        ...


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """One still frame for the referee. `picture`: None where only sightings are known, as from a text of pieces."""

    table: ObservedTable
    picture: PictureEvidence | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def of(evidence: Evidence) -> TableEvidence:
        """Evidence unchanged; an observed table as evidence without a picture."""
        return evidence if isinstance(evidence, TableEvidence) else TableEvidence(evidence)


Evidence = TableEvidence | ObservedTable
