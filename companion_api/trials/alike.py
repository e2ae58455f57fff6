"""Whether two tables show the same to a camera: a coin less in a heap of one suit cannot be seen."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from rules.pieces import Kind
from rules.referee.exposure import exposed
from rules.table.layout import Layout, Placed, Zone, bounds

EXACTLY = 0.1
BY_HAND = 0.45
"""No hand places a piece more exactly than this (in spaces)."""
TURNED_BY_HAND = 30.0
_SEEN = 0.3  # of a piece that is covered farther, nobody can say what it is


def looks_alike(one: Layout, other: Layout, within: float = EXACTLY) -> bool:
    first, second = _looks(one, other), _looks(other, one)
    return first.keys() == second.keys() and all(_pair_up(first[look], second[look], within) for look in first)


def only_gone(before: Layout, after: Layout) -> bool:
    """Whether nothing lies there that did not lie there before, open to view or beneath something."""
    shown = [placed for placed, share in exposed(after) if share > _SEEN]
    return all(
        any(old.shown == p.shown and old.face is p.face and _apart(old, p) < BY_HAND for old in before.board)
        for p in shown
    )


def quarters_alike(one: Layout, other: Layout, quarters: Iterable[int]) -> list[int]:
    """By how many of these quarter turns the one board looks like the other: a board that is the same from two sides
    may be taken for turned."""
    return [turn for turn in quarters if looks_alike(_turned(one, turn), other, BY_HAND)]


def _turned(layout: Layout, quarters: int) -> Layout:
    if not quarters or not layout.board:
        return layout
    west, south, east, north = bounds(layout.board)
    middle = complex(west + east, south + north) / 2

    def at(x: float, y: float) -> complex:
        return (complex(x, y) - middle) * 1j**quarters + middle

    return replace(
        layout,
        pieces=tuple(
            replace(p, x=at(p.x, p.y).real, y=at(p.x, p.y).imag) if p.zone is Zone.BOARD else p for p in layout
        ),
    )


def same_by_hand(one: Layout, other: Layout) -> bool:
    """The same pieces by name, showing the same, no farther apart or turned than a hand can place them."""
    return len(one) == len(other) and all(_same_by_hand(p, q) for p, q in zip(one, other, strict=True))


def _same_by_hand(one: Placed, other: Placed) -> bool:
    same = (one.key, one.shown, one.face, one.pose, one.zone, one.seat) == (
        other.key, other.shown, other.face, other.pose, other.zone, other.seat,
    )  # fmt: skip
    turned = abs((one.angle - other.angle + 180) % 360 - 180)
    return same and _apart(one, other) < BY_HAND and turned < TURNED_BY_HAND


def _looks(layout: Layout, compared: Layout) -> dict[tuple[object, ...], list[Placed]]:
    """What lies there by how it looks; where beside the board something lies says nothing, and a die that may lie
    anyhow in either layout may lie as in the other."""
    anyhow = {p.key for p in (*layout, *compared) if p.piece.kind is Kind.DIE and p.piece.rank is None}
    looks: dict[tuple[object, ...], list[Placed]] = defaultdict(list)
    for placed, share in exposed(layout):
        if share > _SEEN:
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
        near = min(left, key=lambda other: _apart(placed, other))
        if placed.zone is Zone.BOARD and _apart(placed, near) > within:
            return False
        left.remove(near)
    return True


def _apart(one: Placed, other: Placed) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
