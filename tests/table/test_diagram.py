"""A table as text: what a screen reader reads and a test compares."""

from __future__ import annotations

import pytest

from rules.pieces import Face, Kind, Piece, Pose, Rank, Size, Suit, coin, parse_piece, tile
from rules.table.build import LayoutBuilder
from rules.table.diagram import draw, short
from rules.table.layout import Placed, Zone


@pytest.mark.parametrize(
    ("placed", "code"),
    [
        (Placed(tile(Suit.SUNS, Rank.FOUR), "t", face=Face.FRONT), "S4"),
        (Placed(tile(Suit.SUNS, Rank.FOUR), "t", face=Face.BACK), ""),
        (Placed(coin(Suit.MOONS, Rank.ACE), "c", face=Face.BACK), "(m)"),
        (Placed(coin(Suit.MOONS, Rank.FIVE), "c", face=Face.FRONT), "(5)"),
        (Placed(coin(), "c"), "(?)"),
        (Placed(parse_piece("pC"), "p"), "♟C"),
        (Placed(parse_piece("dA3"), "d"), "[A3]"),
        (Placed(Piece(Kind.PYRAMID, Suit.ARMS, size=Size.LARGE), "y"), "▲Al"),
        (Placed(Piece(Kind.PYRAMID, Suit.ARMS, size=Size.SMALL), "y", angle=270, pose=Pose.FLAT), ">As"),
        (Placed(Piece(Kind.PYRAMID, Suit.ARMS, size=Size.SMALL), "y", angle=45, pose=Pose.FLAT), "*As"),
    ],
)
def test_a_piece_in_short_tells_what_shows(placed: Placed, code: str) -> None:
    assert short(placed) == code


def a_tile() -> LayoutBuilder:
    builder = LayoutBuilder()
    builder.grid_of_backs(2, 2)
    return builder


def test_what_stands_on_one_spot_is_written_together() -> None:
    builder = a_tile()
    for number in range(2):
        builder.put(coin(Suit.SUNS, Rank(number)), 1, 1, key=f"c{number}", face=Face.BACK, level=number, place="a1")
    builder.put(parse_piece("pS"), 1, 1, key="p", level=2, place="a1")
    drawn = draw(builder.layout())
    assert "♟Ss2" in drawn
    assert [line.strip()[:1] for line in drawn.splitlines() if line.strip()[:1].isdigit()] == ["2", "1"]
    assert drawn.splitlines()[-1].split() == ["a", "b"]


def test_a_tile_that_leans_says_to_which_side_it_is_raised() -> None:
    builder = LayoutBuilder()
    builder.put(tile(Suit.ARMS, Rank.TWO), 1, 1, key="t", face=Face.FRONT, lean=(1, -1))
    assert "A2→↓" in draw(builder.layout())


def test_every_hand_has_a_line_and_what_is_nobodys_comes_last() -> None:
    builder = a_tile()
    builder.aside(Zone.SUPPLY, parse_piece("pM"), key="p")
    builder.aside(Zone.HAND, coin(Suit.SUNS, Rank.TWO), key="b", seat=1, face=Face.FRONT)
    builder.aside(Zone.HAND, coin(Suit.SUNS, Rank.ACE), key="a", seat=0, face=Face.BACK)
    lines = draw(builder.layout()).splitlines()[-3:]
    assert lines == ["hand of seat 0: (s)", "hand of seat 1: (2)", "supply: ♟M"]


def test_an_empty_table_is_drawn_as_nothing() -> None:
    assert draw(LayoutBuilder().layout()) == ""
