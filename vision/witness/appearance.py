"""How this set's pieces look in this light: embeddings of the reader, kept under what each piece is.

When a layout is believed, every piece that lies open to view labels its own embedding. The referee does not read them:
they are kept for the set's profile (`companion watch --keep-set`), with which `calibration` weighs later readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind
from rules.table.observed import Identity, Sighting
from vision.witness.tuning import WITNESS, AppearanceThresholds

Row = NDArray[np.float32]
Side = tuple[Kind, Face | None]
PieceAppearance = tuple[Sighting, Row]
"""What was seen, and its look."""
Lesson = tuple[Side, Identity, Row]


@dataclass(frozen=True, slots=True)
class Appearances:
    """Of each side, what is known of each face that it may show."""

    rows: Mapping[Side, Mapping[Identity, tuple[Row, ...]]] = field(default_factory=dict)

    def taught(self, lessons: Iterable[Lesson], likening: AppearanceThresholds = WITNESS.appearance) -> Appearances:
        """With these too; what was kept longest makes room."""
        rows = {side: dict(faces) for side, faces in self.rows.items()}
        for side, identity, row in lessons:
            known = rows.setdefault(side, {}).get(identity, ())
            if not known or likeness(known, row) < likening.nothing_new:
                rows[side][identity] = (*known, row)[-likening.kept :]
        return Appearances(rows)


def likeness(known: Sequence[Row], row: Row) -> float:
    return max(float(one @ row) for one in known)
