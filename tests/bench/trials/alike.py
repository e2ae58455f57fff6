"""Whether two tables are the same as hands lay them, and what is only gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion_api.trials.alike import BY_HAND, SEEN, apart, looks_alike
from rules.referee.exposure import exposed
from rules.table.layout import Layout, Placed, Zone, bounds

TURNED_BY_HAND = 30.0
"""Degrees by which a hand may turn a piece that it lays as it lay."""


def only_gone(before: Layout, after: Layout) -> bool:
    """Whether nothing lies there that did not lie there before, open to view or beneath something."""
    shown = [placed for placed, share in exposed(after) if share > SEEN]
    return all(
        any(old.shown == p.shown and old.face is p.face and apart(old, p) < BY_HAND for old in before.board)
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
    return same and apart(one, other) < BY_HAND and turned < TURNED_BY_HAND
