"""Assignment of identities over the whole set at least cost: each tile and each coin exists once.

Conflicts with the inventory are reported and not forced: a clear second three of suns stays one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.assignment import assigned
from rules.pieces import RANKS, SUITS, Rank, Suit
from vision import odds
from vision.detect.shape import Floats
from vision.piece import Chances, DetectedPiece, Name

TILE_IDENTITIES: Final = tuple((suit, rank) for suit in SUITS for rank in RANKS)
IDENTITIES: Final[Mapping[str, Sequence[tuple[Suit, Rank | None]]]] = {
    "tile": TILE_IDENTITIES,
    "coin": TILE_IDENTITIES,
    "die": [(suit, None) for suit in SUITS],
    "pawn": [(suit, None) for suit in SUITS],
}
"""The identities of each kind in a set, once each."""
MIN_PROBABILITY: Final = 1e-4
MAX_FORCED_COST: Final = 4.0
"""Cost (log) beyond that of the likeliest identity above which one is not forced on a piece."""


SURPLUS_NATS: Final = 1.5
"""Evidence against a pawn or die beyond those of a set (set: one in five; two sets are seldom on a table)."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Pieces with their assigned identities, and the conflicts in words."""

    pieces: list[DetectedPiece]
    contradictions: list[str]


def with_surplus_doubted(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces, with pawns and dice beyond the surest of a set less certain."""
    out = list(pieces)
    for kind in ("pawn", "die"):
        indices = [index for index, piece in enumerate(out) if piece.kind == kind]
        for index in sorted(indices, key=lambda each: -out[each].certainty)[len(IDENTITIES[kind]) :]:
            doubted = odds.sigmoid(odds.logit(out[index].certainty) - SURPLUS_NATS)
            out[index] = replace(out[index], certainty=doubted)
    return out


def assign(cost: Floats) -> list[tuple[int, int]]:
    """Least-cost pairs (row, column) of a matrix; every row or every column is used."""
    rows, columns = cost.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign(cost.T))
    found = assigned(cost.tolist(), [math.inf] * rows)
    return [(row, column) for row, column in enumerate(found) if column is not None]


def assign_identities(pieces: Sequence[DetectedPiece]) -> Assignment:
    """The assignment of tiles, coins, dice and pawns, each kind by itself."""
    out, conflicts = list(pieces), []
    for kind, places in IDENTITIES.items():
        indices = [index for index, piece in enumerate(out) if piece.kind == kind and shows_identity(piece)]
        if len(indices) > len(places):
            conflicts.append(f"{len(indices)} {kind}s show an identity, but a set has only {len(places)}")
        elif indices:
            conflicts += _assign_kind(out, indices, kind)
    return Assignment(out, conflicts)


def shows_identity(piece: DetectedPiece) -> bool:
    return bool(piece.suits or piece.ranks)


def _assign_kind(out: list[DetectedPiece], indices: list[int], kind: str) -> list[str]:
    """Assign identities to the pieces of one kind in `out`; returns the conflicts."""
    cost = np.array([[identity_cost(out[index], *place) for place in IDENTITIES[kind]] for index in indices])
    conflicts = []
    for row, column in assign(cost):
        piece = out[indices[row]]
        if cost[row, column] - cost[row].min() > MAX_FORCED_COST:
            conflicts.append(f"a second {piece.suit or ''} {piece.value or ''} {kind}".replace("  ", " "))
        else:
            out[indices[row]] = with_identity(piece, *IDENTITIES[kind][column])
    return conflicts


def identity_cost(piece: DetectedPiece, suit: Suit, rank: Rank | None) -> float:
    """Negative log probability of an identity."""
    if rank is None:
        return answer_cost(piece.suits, suit)
    return (
        answer_cost(piece.faces, (suit, rank))
        if piece.faces
        else answer_cost(piece.suits, suit) + answer_cost(piece.ranks, rank)
    )


def answer_cost(chances: Chances[Name], name: Name) -> float:
    """Negative log probability of one answer; 0 if the piece shows none."""
    return -math.log(max(chances.get(name, 0.0), MIN_PROBABILITY)) if chances else 0.0


def with_identity(piece: DetectedPiece, suit: Suit, rank: Rank | None) -> DetectedPiece:
    """The piece with this identity as its likeliest, where its side shows one."""
    faces = with_likeliest(piece.faces, (suit, rank)) if rank is not None else piece.faces
    return replace(piece, suits=with_likeliest(piece.suits, suit), ranks=with_likeliest(piece.ranks, rank), faces=faces)


def with_likeliest(chances: Chances[Name], name: Name | None) -> Chances[Name]:
    """The distribution with the probabilities of `name` and of the likeliest exchanged."""
    if not chances or name is None:
        return chances
    likeliest = max(chances, key=lambda each: chances[each])
    out = dict(chances)
    out[name], out[likeliest] = chances[likeliest], chances[name]
    return out
