"""Each tile and each coin exists once: identities are given out over the whole set at least cost.

What contradicts the inventory is reported, not forced: a piece that is surely a second three of suns stays one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.assignment import assigned
from rules.pieces import RANKS, SUITS, Rank, Suit
from vision.detect.shape import Floats
from vision.piece import Chances, DetectedPiece, Name

FACES: Final = tuple((suit, rank) for suit in SUITS for rank in RANKS)
PLACES: Final[Mapping[str, Sequence[tuple[Suit, Rank | None]]]] = {
    "tile": FACES,
    "coin": FACES,
    "die": [(suit, None) for suit in SUITS],
    "pawn": [(suit, None) for suit in SUITS],
}
"""What each kind of a set is, once each."""
LEAST: Final = 1e-4
FORCED: Final = 4.0
"""An identity this much (in log) worse than the likeliest is not forced on a piece."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The pieces with their identities given out, and in words what does not fit."""

    pieces: list[DetectedPiece]
    contradictions: list[str]


def assign(cost: Floats) -> list[tuple[int, int]]:
    """Least-cost pairs (row, column) of a matrix, every row or every column used."""
    rows, columns = cost.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign(cost.T))
    found = assigned(cost.tolist(), [math.inf] * rows)
    return [(row, column) for row, column in enumerate(found) if column is not None]


def settle(pieces: Sequence[DetectedPiece]) -> Settled:
    """Tiles, coins, dice and pawns each over their own part of the set."""
    out, words = list(pieces), []
    for kind, places in PLACES.items():
        mine = [index for index, piece in enumerate(out) if piece.kind == kind and shown(piece)]
        if len(mine) > len(places):
            words.append(f"{len(mine)} {kind}s show an identity, but a set has only {len(places)}")
        elif mine:
            words += _give_out(out, mine, kind)
    return Settled(out, words)


def shown(piece: DetectedPiece) -> bool:
    return bool(piece.suits or piece.ranks)


def _give_out(out: list[DetectedPiece], mine: list[int], kind: str) -> list[str]:
    cost = np.array([[cost_of_place(out[index], *place) for place in PLACES[kind]] for index in mine])
    words = []
    for row, column in assign(cost):
        piece = out[mine[row]]
        if cost[row, column] - cost[row].min() > FORCED:
            words.append(f"a second {piece.suit or ''} {piece.value or ''} {kind}".replace("  ", " "))
        else:
            out[mine[row]] = named(piece, *PLACES[kind][column])
    return words


def cost_of_place(piece: DetectedPiece, suit: Suit, rank: Rank | None) -> float:
    if rank is None:
        return cost_of(piece.suits, suit)
    return (
        cost_of(piece.faces, (suit, rank)) if piece.faces else cost_of(piece.suits, suit) + cost_of(piece.ranks, rank)
    )


def cost_of(chances: Chances[Name], name: Name) -> float:
    return -math.log(max(chances.get(name, 0.0), LEAST)) if chances else 0.0


def named(piece: DetectedPiece, suit: Suit, rank: Rank | None) -> DetectedPiece:
    """The piece with the given identity made its likeliest, where its side shows one."""
    faces = first(piece.faces, (suit, rank)) if rank is not None else piece.faces
    return replace(piece, suits=first(piece.suits, suit), ranks=first(piece.ranks, rank), faces=faces)


def first(chances: Chances[Name], name: Name | None) -> Chances[Name]:
    """The same chances, with those of `name` and of the likeliest exchanged if need be."""
    if not chances or name is None:
        return chances
    top = max(chances, key=lambda each: chances[each])
    out = dict(chances)
    out[name], out[top] = chances[top], chances[name]
    return out
