"""What a picture itself can say of a still moment, beyond what the eyes made of it.

The eyes tell what lies there without knowing what should. A witness is asked the other way round: does this place look
as it did when we last believed we knew the table? Defined here, answered by vision; the rules never see a pixel.
Places are told in the board's own frame, in spaces. "Cannot tell" (covered, out of the picture, glare, too dark) is an
answer of its own: None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rules.table.layout import Layout, Placed

if TYPE_CHECKING:
    from rules.table.observed import ObservedTable

COIN_AREA = 0.442
"""A coin's share of a square space: the measure of traces."""


class Ground(Protocol):
    """Where the board lies on the table of a look."""

    @property
    def turn(self) -> float: ...

    def to_table(self, x: float, y: float) -> tuple[float, float]: ...

    def to_board(self, x: float, y: float) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class Trace:
    """A stretch of the table that looks otherwise than it did: where its middle would lie on the board, and how large
    it is, a coin being 1. `darker` and `lighter` are the shares of it that differ as if a shadow had come or gone."""

    x: float
    y: float
    size: float
    darker: float = 0.0
    lighter: float = 0.0


class Remembered(Protocol):
    """What was kept of a moment whose layout was believed."""

    @property
    def layout(self) -> Layout: ...


class Testimony(Protocol):
    """One still moment compared with one that was believed. `table` are the moment's sightings in the board's frame:
    of every place that looks as it did what was seen there then, of every other what is seen now."""

    @property
    def table(self) -> ObservedTable: ...

    @property
    def eyes(self) -> ObservedTable:
        """The same frame, and only what the eyes see at this moment."""
        ...

    @property
    def traces(self) -> Sequence[Trace]: ...

    def changed(self, placed: Placed) -> float | None:
        """How likely it is that the place of this piece looks otherwise than it did."""
        ...

    def leaves(self, placed: Placed) -> Mapping[int, float]:
        """Which traces this piece would leave by coming or going, and which share of each."""
        ...

    def shows(self, places: Sequence[Placed]) -> ObservedTable | None:
        """`table`, after the places of these pieces were looked at again by themselves, from nearer; None where nothing
        can be seen from nearer. What lies there is asked and not told: the pieces only say where."""
        ...


class Witness(Protocol):
    """One still moment. It keeps nothing itself: what is remembered is handed to it, so it can be forgotten."""

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: Remembered | None
    ) -> Remembered | None:
        """What is worth keeping if this layout is believed to lie here; `before`: what was kept until now; `table` is
        in the frame of the look. None where nothing is known of how picture and table lie to each other."""
        ...

    def seeks(
        self, places: Sequence[Placed], layout: Layout, ground: Ground, table: ObservedTable
    ) -> ObservedTable | None:
        """`table`, after this moment was looked at from nearer where these pieces should lie if the layout lies there;
        None where nothing can be seen from nearer. They say where to look, and of what kind a piece may be there that
        was not seen before; what it is they do not say."""
        ...

    def compared(self, with_: Remembered, table: ObservedTable) -> Testimony | None:
        """This moment against an earlier one; None where the two pictures cannot be laid over each other."""
        ...
