"""How this set's pieces look in this light: what the table itself has taught since the game began.

When a layout is believed, every piece that lies open to view labels itself: its look (the reader's embedding) is kept
under what it is. Later looks are compared with what was kept, and the net's reading is weighed with their likeness. A
look that was never seen says nothing for or against what was never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind, Rank, Suit
from rules.table.observed import Beliefs, Sighting
from vision.witness.tuning import WITNESS, Likening

Row = NDArray[np.float32]
Identity = tuple[Suit | None, Rank | None]
Side = tuple[Kind, Face | None]
Looked = tuple[Sighting, Row]
"""What was seen, and its look."""
Lesson = tuple[Side, Identity, Row]


@dataclass(frozen=True, slots=True)
class Looks:
    """Of each side, what is known of each face that it may show."""

    rows: Mapping[Side, Mapping[Identity, tuple[Row, ...]]] = field(default_factory=dict)

    def taught(self, lessons: Iterable[Lesson], likening: Likening = WITNESS.likening) -> Looks:
        """With these too; what was kept longest makes room."""
        rows = {side: dict(faces) for side, faces in self.rows.items()}
        for side, identity, row in lessons:
            known = rows.setdefault(side, {}).get(identity, ())
            if not known or likeness(known, row) < likening.nothing_new:
                rows[side][identity] = (*known, row)[-likening.kept :]
        return Looks(rows)

    def weighed(self, sighting: Sighting, row: Row, likening: Likening = WITNESS.likening) -> Sighting:
        """The sighting with its doubts weighed by what is known of this set."""
        faces = self.rows.get((sighting.kind, sighting.face))
        if not faces or not sighting.identities or sighting.kind is Kind.CARD:
            return sighting
        asked = {*sighting.identities, *(face for face in faces if _shows_as(face, sighting.best))}
        weights = {
            identity: max(sighting.identities.get(identity, 0.0), likening.new)
            * float(np.exp(_says(faces.get(identity), row, likening)))
            for identity in asked
        }
        return replace(sighting, identities=_shares(weights, likening))


def likeness(known: Sequence[Row], row: Row) -> float:
    return max(float(one @ row) for one in known)


def look_of(sighting: Sighting, looked: Sequence[Looked], likening: Likening) -> Row | None:
    """The look at the same place of the picture."""
    if sighting.center_px is None or not sighting.outline_px:
        return None
    reach = likening.at * float(np.ptp(np.array(sighting.outline_px), axis=0).max())
    near = (
        (float(np.hypot(one.center_px[0] - sighting.center_px[0], one.center_px[1] - sighting.center_px[1])), row)
        for one, row in looked
        if one.kind is sighting.kind and one.face is sighting.face and one.center_px is not None
    )
    gap, row = min(near, key=lambda item: item[0], default=(np.inf, None))
    return row if gap < reach else None


def _says(known: tuple[Row, ...] | None, row: Row, likening: Likening) -> float:
    """How much likelier the look is if it is that face, in nats; nothing of a face that was never seen."""
    return (
        0.0
        if known is None
        else float(
            np.clip(
                likening.steep * (likeness(known, row) - likening.even),
                likening.least,
                likening.most,
            )
        )
    )


def _shows_as(face: Identity, other: Identity) -> bool:
    """Whether both tell suit and value, or the same one of them."""
    return all((a is None) == (b is None) for a, b in zip(face, other, strict=True))


def _shares(weights: Mapping[Identity, float], likening: Likening) -> Beliefs:
    total = sum(weights.values())
    return {identity: weight / total for identity, weight in weights.items() if weight / total > likening.forgotten}
