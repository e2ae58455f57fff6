"""Appearances of a set's faces, learned from tables whose layout was accepted (`vision.witness.appearance`): they
reweight readings by likeness. They are partial: faces that were never visible have none.

A face without embeddings is compared with those of its suit and those of its value; without these its probability
stays as read."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from calibration.discriminant import summed
from rules.pieces import Face, Kind, parse_rank, parse_suit
from rules.table.observed import Beliefs, Identity, Sighting
from vision.piece import DetectedPiece
from vision.sightings import identities_of
from vision.witness.appearance import Appearances, Lesson, Row, Side, likeness

INDISTINCT_KINDS: Final = (Kind.CARD, Kind.PYRAMID)
"""Kinds whose pieces of one set the embedding was not trained to tell apart. (Nor pawns; but they differ in colour
alone, and likeness tells that.)"""
SLOPE, EVEN_LIKENESS = 20.0, 0.8
"""Log odds of a face: SLOPE (likeness - EVEN_LIKENESS). Measured on fourteen random sets of the test stratum: the odds
of one face against two follow 32 (likeness - 0.81) for tiles and 31 (likeness - 0.77) for coins; two thirds of it, as
light changes more at tables."""
RELATED_SLOPE, RELATED_EVEN_LIKENESS = 8.0, 0.1
"""The same for faces that share only the suit or the value (measured: the odds follow 12 (likeness - 0.13) for tiles of
one value and 10 (likeness - 0.06) for those of one suit; two thirds of it)."""
MAX_RELATED_LOG_ODDS: Final = 2.3
"""Limit of the log odds from faces of the same suit, and of those of the same value (odds: one in ten)."""
FLIP_LIKENESS, FLIP_MARGIN = 0.85, 0.2
"""A coin shows its other side where the likeness to that is at least the first, and greater than that to the read side
by the second (measured: no coin was more than 0.81 like any face of its other side; embeddings of one face were rarely
less than 0.9 alike)."""
MIN_LOG_ODDS, MAX_LOG_ODDS = -4.0, 3.0
"""Limits of the log odds from a face's own embeddings (odds: one in fifty, and twenty)."""
UNREAD_PROBABILITY: Final = 0.002
"""Prior probability of a face that the reader left out."""
MIN_PROBABILITY: Final = 1e-3
"""Less probable faces are left out of the result."""
AMBIGUOUS_LIKENESS: Final = 0.97
"""Embeddings of two identities that are at least so alike are of one face: one of the identities is wrong."""


def reweighted(looks: Appearances, piece: DetectedPiece) -> DetectedPiece:
    """The piece with its probabilities reweighted; unchanged where it is like no known face of this side: it may show a
    face that was never visible, or be of another set."""
    faces = looks.rows.get((piece.kind, piece.face))
    if piece.embedding is None or not faces:
        return piece
    if max(likeness(rows, piece.embedding) for rows in faces.values()) < EVEN_LIKENESS:
        return piece
    read = Sighting(piece.kind, 0.0, 0.0, piece.face, identities=identities_of(piece))
    identities = reweighted_sighting(looks, read, piece.embedding).identities
    suits = summed([(suit, chance) for (suit, _), chance in identities.items()])
    ranks = summed([(rank, chance) for (_, rank), chance in identities.items()])
    return replace(piece, suits=suits if piece.suits else {}, ranks=ranks if piece.ranks else {})


def reweighted_sighting(looks: Appearances, sighting: Sighting, row: Row) -> Sighting:
    """The sighting with this embedding, its identities reweighted by likeness."""
    sighting = _flipped(looks, sighting, row)
    faces = looks.rows.get((sighting.kind, sighting.face))
    if not faces or not sighting.identities or sighting.kind in INDISTINCT_KINDS:
        return sighting
    known = [face for face in faces if _has_same_parts(face, sighting.best)]
    crossed = {(suit, rank) for suit, _ in known for _, rank in known}
    alike = {face: likeness(faces[face], row) for face in known}
    weights = {
        identity: max(sighting.identities.get(identity, 0.0), UNREAD_PROBABILITY)
        * float(np.exp(_log_odds(identity, alike)))
        for identity in {*sighting.identities, *crossed}
    }
    return replace(sighting, identities=_normalised(weights))


def _flipped(looks: Appearances, sighting: Sighting, row: Row) -> Sighting:
    """A coin with its other side up, where the embedding is like that side and unlike the read one."""
    if sighting.kind is not Kind.COIN or sighting.face is None:
        return sighting
    other = Face.BACK if sighting.face is Face.FRONT else Face.FRONT
    here, there = (looks.rows.get((sighting.kind, face), {}) for face in (sighting.face, other))
    own, flipped = (max((likeness(rows, row) for rows in side.values()), default=0.0) for side in (here, there))
    if flipped < FLIP_LIKENESS or flipped < own + FLIP_MARGIN:
        return sighting
    return replace(sighting, face=other, identities={face: 1 / len(there) for face in there})


def _log_odds(identity: Identity, alike: Mapping[Identity, float]) -> float:
    """Log odds of this identity from the likeness to each known face."""
    if identity in alike:
        return float(np.clip(SLOPE * (alike[identity] - EVEN_LIKENESS), MIN_LOG_ODDS, MAX_LOG_ODDS))
    odds = (RELATED_SLOPE * (like - RELATED_EVEN_LIKENESS) for like in _related_likeness(identity, alike))
    return sum(float(np.clip(each, -MAX_RELATED_LOG_ODDS, MAX_RELATED_LOG_ODDS)) for each in odds)


def _related_likeness(identity: Identity, alike: Mapping[Identity, float]) -> Iterator[float]:
    """Mean likeness to the faces of the same value, and to those of the same suit."""
    suit, rank = identity
    for related in (
        [like for (other, same), like in alike.items() if same is rank and other is not suit],
        [like for (same, other), like in alike.items() if same is suit and other is not rank],
    ):
        if related:
            yield sum(related) / len(related)


def _has_same_parts(face: Identity, other: Identity) -> bool:
    """Whether both have suit and value, or the same one of them."""
    return all((a is None) == (b is None) for a, b in zip(face, other, strict=True))


def _normalised(weights: Mapping[Identity, float]) -> Beliefs:
    total = sum(weights.values())
    return {identity: weight / total for identity, weight in weights.items() if weight / total > MIN_PROBABILITY}


def merged(known: Appearances, more: Appearances) -> Appearances:
    """Both; of a full face the oldest embeddings are dropped."""
    return known.taught(_lessons(more))


def without_ambiguous(looks: Appearances) -> Appearances:
    """The appearances without embeddings that fit two identities."""
    return Appearances({side: kept for side, faces in looks.rows.items() if (kept := dict(_unambiguous(faces)))})


def _unambiguous(faces: Mapping[Identity, tuple[Row, ...]]) -> Iterator[tuple[Identity, tuple[Row, ...]]]:
    for identity, rows in faces.items():
        others = [row for other, its in faces.items() if other != identity for row in its]
        own = tuple(row for row in rows if not others or likeness(others, row) < AMBIGUOUS_LIKENESS)
        if own:
            yield identity, own


def faces_of(looks: Appearances) -> set[tuple[Side, Identity]]:
    return {(side, identity) for side, faces in looks.rows.items() for identity in faces}


def to_json(looks: Appearances) -> dict[str, Any]:
    """By side (`tile front`; `pawn`): the identity of each embedding, and the embeddings."""
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
    """The identity from its JSON form: suns, 3."""
    return (None if suit is None else parse_suit(str(suit)), None if value is None else parse_rank(str(value)))


def _lessons(looks: Appearances) -> Iterator[Lesson]:
    for side, faces in looks.rows.items():
        for identity, rows in faces.items():
            for row in rows:
                yield side, identity, row


def _side(text: str) -> Side:
    kind, _, face = text.partition(" ")
    return Kind(kind), Face(face) if face else None
