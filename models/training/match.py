"""Which seen piece is which true one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from models.training.truth import Labelled
from vision.detect import shape
from vision.detect.shape import Floats
from vision.inventory import assign

GATE = 1 / 3
"""A centre may be off by this share of the piece's size."""
ASKED = 0.35
"""Less visible pieces are neither asked for nor held against anyone."""
FAR = 1e6


class Centred(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def center(self) -> Floats: ...


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Indices: pairs of (true, seen), what was missed, what was made up."""

    pairs: list[tuple[int, int]]
    missed: list[int]
    made_up: list[int]


def match(truth: Sequence[Labelled], seen: Sequence[Centred]) -> MatchResult:
    pairs: list[tuple[int, int]] = []
    for kind in {piece.kind for piece in truth}:
        pairs += match_kind(kind, truth, seen)
    true_found, seen_found = {i for i, _ in pairs}, {j for _, j in pairs}
    return MatchResult(
        [(i, j) for i, j in pairs if truth[i].visible >= ASKED],
        [i for i, piece in enumerate(truth) if piece.visible >= ASKED and i not in true_found],
        [j for j in range(len(seen)) if j not in seen_found],
    )


def match_kind(kind: str, truth: Sequence[Labelled], seen: Sequence[Centred]) -> list[tuple[int, int]]:
    """Pieces that are hardly visible may take a sighting only if nobody else wants it."""
    rows = [i for i, piece in enumerate(truth) if piece.kind == kind]
    columns = [j for j, piece in enumerate(seen) if piece.kind == kind]
    if not rows or not columns:
        return []
    gates = np.array([GATE * np.sqrt(shape.area(truth[i].outline)) for i in rows])
    gaps = np.array([[np.linalg.norm(truth[i].center - seen[j].center) for j in columns] for i in rows])
    doubt = np.array([0.0 if truth[i].visible >= ASKED else 10.0 for i in rows])
    cost = np.where(gaps < gates[:, None], gaps / gates[:, None] + doubt[:, None], FAR)
    return [(rows[r], columns[c]) for r, c in assign(cost) if cost[r, c] < FAR]
