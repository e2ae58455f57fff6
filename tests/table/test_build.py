"""A table is laid out: what is put on the board, and what lies tidily beside it on the side of its owner."""

from __future__ import annotations

from itertools import combinations

import pytest

from rules.pieces import Face, Pose, Rank, Suit, coin, tile
from rules.pieces.sizes import half_extent
from rules.table.build import LayoutBuilder
from rules.table.layout import Placed, Zone


def board() -> LayoutBuilder:
    builder = LayoutBuilder()
    builder.grid_of_backs(4, 4)
    return builder


def beside(owner: int | None, count: int, zone: Zone = Zone.HAND) -> tuple[Placed, ...]:
    builder = board()
    for number in range(count):
        builder.aside(zone, coin(Suit.SUNS, Rank(number % 6)), key=f"c{number}", seat=owner, face=Face.FRONT)
    return builder.layout().zone(zone)


def test_a_grid_of_backs_has_a_space_in_every_quarter_of_a_tile() -> None:
    layout = board().layout()
    assert [(p.x, p.y) for p in layout] == [(1.5, 1.5), (3.5, 1.5), (1.5, 3.5), (3.5, 3.5)]
    assert all(p.shown == tile() for p in layout)
    assert {(p.name, p.x, p.y) for p in layout.places} >= {("a1", 1, 1), ("d1", 4, 1), ("a4", 1, 4)}
    assert len(layout.places) == 16


def test_what_is_put_later_lies_on_top_and_keeps_all_that_was_said_of_it() -> None:
    builder = board()
    builder.put(
        coin(Suit.ARMS),
        1,
        1,
        key="top",
        face=Face.BACK,
        angle=90,
        level=1,
        lean=(1, 0),
        pose=Pose.FLAT,
        place="a1",
        seat=2,
    )
    last = builder.layout().pieces[-1]
    assert (last.key, last.angle, last.level, last.lean) == ("top", 90, 1, (1, 0))
    assert (last.pose, last.place, last.seat, last.zone) == (Pose.FLAT, "a1", 2, Zone.BOARD)


def test_places_and_borders_are_kept_in_order() -> None:
    builder = LayoutBuilder()
    builder.place("north", 0, 5, 2, 3)
    builder.border(0, 0, 1, 0)
    builder.border(1, 0, 1, 1)
    layout = builder.layout()
    assert [(p.name, p.width, p.height) for p in layout.places] == [("north", 2, 3)]
    assert layout.borders == ((0, 0, 1, 0), (1, 0, 1, 1))


@pytest.mark.parametrize(
    ("owner", "side"),
    [
        (0, lambda p: p.y < 0.5),
        (1, lambda p: p.x < 0.5),
        (2, lambda p: p.y > 4.5),
        (3, lambda p: p.x > 4.5),
        (None, lambda p: p.x > 6),
    ],
)
def test_everybody_sits_at_a_side_of_their_own(owner: int | None, side: object) -> None:
    """South, west, north, east, as seats go round; what is nobody's lies in the east, behind everything."""
    assert callable(side)
    assert all(side(p) for p in beside(owner, 30))


@pytest.mark.parametrize("owner", [0, 1, 2, 3, None])
def test_nothing_beside_the_board_lies_on_anything(owner: int | None) -> None:
    builder = board()
    for zone in (Zone.HAND, Zone.SPENT):
        for number in range(15):
            builder.aside(zone, coin(), key=f"{zone}{number}", seat=owner)
        builder.aside(zone, tile(), key=f"{zone} tile", seat=owner)
    for one, other in combinations(builder.layout(), 2):
        apart = half_extent(one.piece) + half_extent(other.piece)
        assert max(abs(one.x - other.x), abs(one.y - other.y)) >= apart - 1e-9, (one, other)


def test_a_row_is_no_longer_than_a_dozen() -> None:
    rows = {round(p.y, 3) for p in beside(0, 30)}
    assert len(rows) == 3


def test_an_empty_table_is_empty() -> None:
    layout = LayoutBuilder().layout()
    assert (len(layout), layout.places, layout.borders) == (0, (), ())


def test_rows_of_neighbours_do_not_cross_where_the_board_is_small() -> None:
    """Six tiles each beside an empty table: they leave room for the board, also for what is laid at its edges."""
    builder = LayoutBuilder()
    for seat in range(4):
        for number in range(6):
            builder.aside(Zone.HAND, tile(), key=f"{seat}-{number}", seat=seat)
    for one, other in combinations(builder.layout(), 2):
        apart = half_extent(one.piece) + half_extent(other.piece)
        assert max(abs(one.x - other.x), abs(one.y - other.y)) >= apart - 1e-9, (one, other)
    assert min(max(abs(p.x), abs(p.y)) for p in builder.layout()) > 6


def test_what_is_nobodys_lies_behind_a_deep_hand() -> None:
    builder = board()
    builder.aside(Zone.SPENT, coin(), key="spent")
    for number in range(40):
        builder.aside(Zone.HAND, coin(), key=f"hand{number}", seat=3)
    spent = next(p for p in builder.layout() if p.key == "spent")
    assert all(p.x + half_extent(p.piece) < spent.x for p in builder.layout() if p.seat == 3)
