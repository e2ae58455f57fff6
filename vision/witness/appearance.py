"""How this set's pieces look in this light: embeddings of the reader, kept under what each piece is.

When a layout is believed, every piece that lies open to view labels its own embedding. The referee does not read them:
they are kept for the set's profile (`companion watch --keep-set`), where a later reading is
weighed with its likeness to what was kept. A face that was never shown is compared with shown faces of its suit and of
its value; where there are none, its look says nothing for or against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind
from rules.table.observed import Beliefs, Identity, Sighting
from vision.witness.tuning import WITNESS, AppearanceThresholds

Row = NDArray[np.float32]
UNLIKE = (Kind.CARD, Kind.PYRAMID)
"""Of which the reader never learnt to tell the pieces of one set by their looks. (Nor of pawns; but these differ by
their colour alone, and likeness tells that.)"""

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

    def weighed(self, sighting: Sighting, row: Row, likening: AppearanceThresholds = WITNESS.appearance) -> Sighting:
        """The sighting with its doubts weighed by what is known of this set."""
        sighting = self._turned(sighting, row, likening)
        faces = self.rows.get((sighting.kind, sighting.face))
        if not faces or not sighting.identities or sighting.kind in UNLIKE:
            return sighting
        shown = [face for face in faces if _shows_as(face, sighting.best)]
        crossed = {(suit, rank) for suit, _ in shown for _, rank in shown}
        alike = {face: likeness(faces[face], row) for face in shown}
        weights = {
            identity: max(sighting.identities.get(identity, 0.0), likening.new)
            * float(np.exp(_says(identity, alike, likening)))
            for identity in {*sighting.identities, *crossed}
        }
        return replace(sighting, identities=_shares(weights, likening))

    def _turned(self, sighting: Sighting, row: Row, likening: AppearanceThresholds) -> Sighting:
        """The other side up, where it looks like what that showed, and like nothing of the side that was read."""
        if sighting.kind is not Kind.COIN or sighting.face is None:
            return sighting
        other = Face.BACK if sighting.face is Face.FRONT else Face.FRONT
        here, there = (self.rows.get((sighting.kind, face), {}) for face in (sighting.face, other))
        own, turned = (max((likeness(rows, row) for rows in side.values()), default=0.0) for side in (here, there))
        if turned < likening.other_side or turned < own + likening.clearly:
            return sighting
        return replace(sighting, face=other, identities={face: 1 / len(there) for face in there})


def likeness(known: Sequence[Row], row: Row) -> float:
    return max(float(one @ row) for one in known)


def _says(identity: Identity, alike: Mapping[Identity, float], likening: AppearanceThresholds) -> float:
    """How much likelier the look is if it is that face, in nats; `alike`: how like it is to each that was shown."""
    if identity in alike:
        told = likening.steep * (alike[identity] - likening.even)
        return float(np.clip(told, likening.least, likening.most))
    kin = (likening.steep_of_kin * (like - likening.even_of_kin) for like in _kin(identity, alike))
    return sum(float(np.clip(told, -likening.most_of_kin, likening.most_of_kin)) for told in kin)


def _kin(identity: Identity, alike: Mapping[Identity, float]) -> Iterator[float]:
    """How like a look is to those of its value, one with another, and to those of its suit."""
    suit, rank = identity
    for kin in (
        [like for (other, same), like in alike.items() if same is rank and other is not suit],
        [like for (same, other), like in alike.items() if same is suit and other is not rank],
    ):
        if kin:
            yield sum(kin) / len(kin)


def _shows_as(face: Identity, other: Identity) -> bool:
    """Whether both tell suit and value, or the same one of them."""
    return all((a is None) == (b is None) for a, b in zip(face, other, strict=True))


def _shares(weights: Mapping[Identity, float], likening: AppearanceThresholds) -> Beliefs:
    total = sum(weights.values())
    return {identity: weight / total for identity, weight in weights.items() if weight / total > likening.forgotten}
