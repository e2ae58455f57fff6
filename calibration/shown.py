"""What play itself has shown of a set: looks of faces, named by a table that was believed (vision.witness.looks).

It is partial: a face that was never turned up is not in it, and such looks say nothing for or against that face. So it
weighs a reading, where an album of a whole lesson replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from calibration.album import Album, side_of, summed
from rules.pieces import Face, Kind
from rules.table.observed import Identity, Sighting
from vision.piece import Seen
from vision.sightings import identities_of
from vision.witness.looks import Lesson, Looks, Side, likeness
from vision.witness.tuning import WITNESS

TWO_NAMES: Final = 0.97
"""Looks of two names that are as like each other as this are of one face: one name of the two is wrong."""


def named(looks: Looks, piece: Seen) -> Seen:
    """The piece with its doubts weighed by what was shown. What looks like nothing that was shown is left to the
    reader: it may be a face that was never turned up, or another set."""
    faces = looks.rows.get((piece.kind, piece.face))
    if piece.embedding is None or not faces:
        return piece
    if max(likeness(rows, piece.embedding) for rows in faces.values()) < WITNESS.likening.even:
        return piece
    read = Sighting(piece.kind, 0.0, 0.0, piece.face, identities=identities_of(piece))
    told = looks.weighed(read, piece.embedding).identities
    chances = np.array(list(told.values()))
    suits, ranks = summed([suit for suit, _ in told], chances), summed([rank for _, rank in told], chances)
    return replace(piece, suits=suits if piece.suits else {}, ranks=ranks if piece.ranks else {})


def together(known: Looks, more: Looks) -> Looks:
    """Both; of what both have the newer ones first make the older ones go."""
    return known.taught(_lessons(more))


def certain(looks: Looks) -> Looks:
    """Without the looks that go by two names: nobody knows which is right."""
    return Looks({side: kept for side, faces in looks.rows.items() if (kept := dict(_of_one_name(faces)))})


def faces_of(looks: Looks) -> set[tuple[Side, Identity]]:
    return {(side, identity) for side, faces in looks.rows.items() for identity in faces}


def to_json(looks: Looks) -> dict[str, Any]:
    """Side by side as albums are written; a face has as many rows as it has looks."""
    return {
        side_of(*side): Album(
            tuple(identity for identity, rows in faces.items() for _ in rows),
            np.concatenate([np.stack(rows) for rows in faces.values()]),
        ).to_json()
        for side, faces in looks.rows.items()
    }


def from_json(data: Mapping[str, Any]) -> Looks:
    """ValueError, KeyError or TypeError where it is damaged."""
    return Looks().taught(
        (_side(str(side)), identity, row.astype(np.float32))
        for side, entry in data.items()
        for album in [Album.from_json(entry)]
        for identity, row in zip(album.faces, album.rows, strict=True)
    )


def _lessons(looks: Looks) -> Iterator[Lesson]:
    for side, faces in looks.rows.items():
        for identity, rows in faces.items():
            for row in rows:
                yield side, identity, row


def _of_one_name(faces: Mapping[Identity, tuple[Any, ...]]) -> Iterator[tuple[Identity, tuple[Any, ...]]]:
    for identity, rows in faces.items():
        others = [row for other, its in faces.items() if other != identity for row in its]
        own = tuple(row for row in rows if not others or likeness(others, row) < TWO_NAMES)
        if own:
            yield identity, own


def _side(text: str) -> Side:
    kind, _, face = text.partition(" ")
    return Kind(kind), Face(face) if face else None
