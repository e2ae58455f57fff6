"""Comparison of two layouts as a camera sees them: a coin less in a heap of one suit is invisible."""

from __future__ import annotations

import math
from collections import defaultdict

from rules.pieces import Kind
from rules.referee.exposure import exposed
from rules.table.layout import Layout, Placed, Zone

EXACTLY = 0.1
BY_HAND = 0.45
"""Tolerance in spaces for pieces placed by hand."""
SEEN = 0.3  # smallest visible share of a piece that can be identified


def looks_alike(one: Layout, other: Layout, within: float = EXACTLY) -> bool:
    first, second = _looks(one, other), _looks(other, one)
    return first.keys() == second.keys() and all(_pair_up(first[look], second[look], within) for look in first)


def _looks(layout: Layout, compared: Layout) -> dict[tuple[object, ...], list[Placed]]:
    """Pieces grouped by appearance. The position beside the board does not count, and a die whose value is open in
    either layout matches any die."""
    anyhow = {p.key for p in (*layout, *compared) if p.piece.kind is Kind.DIE and p.piece.rank is None}
    looks: dict[tuple[object, ...], list[Placed]] = defaultdict(list)
    for placed, share in exposed(layout):
        if share > SEEN:
            looks[placed.shown.code, placed.face, placed.pose, placed.angle].append(placed)
    for placed in layout:
        told = placed.zone is not Zone.SUPPLY or placed.piece.kind is Kind.DIE
        if placed.zone is not Zone.BOARD and told and placed.key not in anyhow:
            looks[placed.shown.code, placed.face, placed.zone, placed.seat].append(placed)
    return looks


def _pair_up(some: list[Placed], others: list[Placed], within: float) -> bool:
    if len(some) != len(others):
        return False
    left = list(others)
    for placed in some:
        near = min(left, key=lambda other: apart(placed, other))
        if placed.zone is Zone.BOARD and apart(placed, near) > within:
            return False
        left.remove(near)
    return True


def apart(one: Placed, other: Placed) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
