"""Appearance of this set's pieces in the current light: embeddings of the reader by identity.

When a layout is accepted, every uncovered piece labels its own embedding. The referee does not read them: they are kept
for the set's profile (`companion watch --keep-set`), with which `calibration` weighs later reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind
from rules.table.observed import Identity, Sighting
from vision.witness.tuning import WITNESS

Row = NDArray[np.float32]
Side = tuple[Kind, Face | None]
PieceAppearance = tuple[Sighting, Row]
"""An observation and its embedding."""
LIMITS = WITNESS.appearance
Lesson = tuple[Side, Identity, Row]


@dataclass(frozen=True, slots=True)
class Appearances:
    """Embeddings of each face, by side of a kind."""

    rows: Mapping[Side, Mapping[Identity, tuple[Row, ...]]] = field(default_factory=dict)

    def taught(self, lessons: Iterable[Lesson]) -> Appearances:
        """With these lessons added; of a full face the oldest embedding is dropped."""
        rows = {side: dict(faces) for side, faces in self.rows.items()}
        for side, identity, row in lessons:
            known = rows.setdefault(side, {}).get(identity, ())
            if not known or likeness(known, row) < LIMITS.duplicate_cosine:
                rows[side][identity] = (*known, row)[-LIMITS.max_kept :]
        return Appearances(rows)


def likeness(known: Sequence[Row], embedding: Row) -> float:
    """Largest cosine of an embedding with the known ones."""
    return max(float(one @ embedding) for one in known)
