"""What play itself has shown of a set: looks of faces, named by a table that was believed (vision.witness.appearance).

It is partial: a face that was never turned up is not in it, and such looks say nothing for or against that face.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from calibration.appearance_likelihood import EVEN, weighed
from calibration.discriminant import summed
from rules.pieces import Face, Kind, parse_rank, parse_suit
from rules.table.observed import Identity, Sighting
from vision.piece import DetectedPiece
from vision.sightings import identities_of
from vision.witness.appearance import Appearances, Lesson, Side, likeness

TWO_NAMES: Final = 0.97
"""Looks of two names that are as like each other as this are of one face: one name of the two is wrong."""


def named(looks: Appearances, piece: DetectedPiece) -> DetectedPiece:
    """The piece with its doubts weighed by what was shown. What looks like nothing that was shown is left to the
    reader: it may be a face that was never turned up, or another set."""
    faces = looks.rows.get((piece.kind, piece.face))
    if piece.embedding is None or not faces:
        return piece
    if max(likeness(rows, piece.embedding) for rows in faces.values()) < EVEN:
        return piece
    read = Sighting(piece.kind, 0.0, 0.0, piece.face, identities=identities_of(piece))
    told = weighed(looks, read, piece.embedding).identities
    suits = summed([(suit, chance) for (suit, _), chance in told.items()])
    ranks = summed([(rank, chance) for (_, rank), chance in told.items()])
    return replace(piece, suits=suits if piece.suits else {}, ranks=ranks if piece.ranks else {})


def together(known: Appearances, more: Appearances) -> Appearances:
    """Both; of what both have the newer ones first make the older ones go."""
    return known.taught(_lessons(more))


def certain(looks: Appearances) -> Appearances:
    """Without the looks that go by two names: nobody knows which is right."""
    return Appearances({side: kept for side, faces in looks.rows.items() if (kept := dict(_of_one_name(faces)))})


def faces_of(looks: Appearances) -> set[tuple[Side, Identity]]:
    return {(side, identity) for side, faces in looks.rows.items() for identity in faces}


def to_json(looks: Appearances) -> dict[str, Any]:
    """Side by side (`tile front`; what stands has no sides): the face of every look, and the looks."""
    return {
        kind if face is None else f"{kind} {face}": {
            "faces": [
                [suit, None if rank is None else rank.word] for (suit, rank), rows in faces.items() for _ in rows
            ],
            "rows": base64.b64encode(
                np.concatenate([np.stack(rows) for rows in faces.values()]).astype("<f4").tobytes()
            ).decode(),
        }
        for (kind, face), faces in looks.rows.items()
    }


def from_json(data: Mapping[str, Any]) -> Appearances:
    """ValueError, KeyError or TypeError where it is damaged."""
    return Appearances().taught(
        (_side(str(side)), identity, row)
        for side, entry in data.items()
        for identity, row in zip(*_unpacked(entry), strict=True)
    )


def _unpacked(entry: Mapping[str, Any]) -> tuple[list[Identity], Any]:
    faces = [identity_of(suit, value) for suit, value in entry["faces"]]
    flat = np.frombuffer(base64.b64decode(entry["rows"], validate=True), "<f4").astype(np.float32)
    if not faces or len(flat) % len(faces) or not np.isfinite(flat).all():
        raise ValueError("the rows of looks")
    return faces, flat.reshape(len(faces), -1)


def identity_of(suit: object, value: object) -> Identity:
    """From how it is written down: suns, 3."""
    return (None if suit is None else parse_suit(str(suit)), None if value is None else parse_rank(str(value)))


def _lessons(looks: Appearances) -> Iterator[Lesson]:
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
