"""An album: every face of a side as the reader's embedding saw it; a piece is the one that it resembles most. The
embedding is trained for just that (see models.training.losses.likeness_loss)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from rules.pieces import parse_rank, parse_suit
from rules.table.observed import Identity
from vision.detect.shape import Floats
from vision.piece import Chances, Name, Seen

FLOOR: Final = 1e-5
RESEMBLING: Final = 20.0
READ: Final = 0.05
"""How much an album's likeness counts, and how much beside it what the reader says."""


@dataclass(frozen=True, slots=True)
class Album:
    """One row per piece of the lesson: its face, and the middle of its looks, of length one."""

    faces: tuple[Identity, ...]
    rows: Floats

    def weigh(self, piece: Seen, embedding: np.ndarray) -> Seen:
        """The piece as the album knows it; what the reader says counts little beside it."""
        names = sorted(set(self.faces), key=str)
        near = self.rows @ embedding.astype(np.float64)
        nearest = [max(near[k] for k, face in enumerate(self.faces) if face == name) for name in names]
        read = [share_of(piece.suits, name[0]) + share_of(piece.ranks, name[1]) for name in names]
        chances = softmax(RESEMBLING * np.array(nearest) + READ * np.array(read))
        suits = summed([suit for suit, _ in names], chances)
        ranks = summed([rank for _, rank in names], chances)
        return replace(piece, suits=suits or piece.suits, ranks=ranks or piece.ranks)

    def to_json(self) -> dict[str, Any]:
        packed = base64.b64encode(self.rows.astype("<f4").tobytes()).decode()
        return {"faces": [[suit, None if rank is None else rank.word] for suit, rank in self.faces], "rows": packed}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Album:
        faces = tuple(identity_of(suit, value) for suit, value in data["faces"])
        flat = np.frombuffer(base64.b64decode(data["rows"], validate=True), "<f4").astype(np.float64)
        if not faces or len(flat) % len(faces) or not np.isfinite(flat).all():
            raise ValueError("an album's rows")
        return Album(faces, flat.reshape(len(faces), -1))


def side_of(kind: str, face: str | None) -> str:
    """What an album is of: `tile front`; what stands has no sides."""
    return kind if face is None else f"{kind} {face}"


def identity_of(suit: object, value: object) -> Identity:
    """From how it is written down: suns, 3."""
    return (None if suit is None else parse_suit(str(suit)), None if value is None else parse_rank(str(value)))


def share_of(chances: Chances[Name] | None, name: Name | None) -> float:
    """The logarithm of a chance; nothing where nothing is asked."""
    return 0.0 if name is None or not chances else float(np.log(max(chances.get(name, 0.0), FLOOR)))


def summed(names: Sequence[Name | None], chances: Floats) -> Chances[Name]:
    """What the chances of the faces come to for all that they share."""
    out: dict[Name, float] = {}
    for name, chance in zip(names, chances.tolist(), strict=True):
        if name is not None:
            out[name] = out.get(name, 0.0) + chance
    return out


def album_of(faces: Sequence[Identity], looks: Floats) -> Album:
    """`looks`: pieces x looks x numbers."""
    middles = looks.mean(axis=1)
    return Album(tuple(faces), middles / np.linalg.norm(middles, axis=1, keepdims=True))


def softmax(votes: Floats) -> Floats:
    powers = np.exp(votes - votes.max(axis=-1, keepdims=True))
    out: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return out
