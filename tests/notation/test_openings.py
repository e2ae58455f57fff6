"""Openings that the format knows by name."""

from __future__ import annotations

from collections import Counter

import pytest

from rules.notation.errors import OpeningError
from rules.notation.metadata import Value
from rules.notation.openings import EMPTY, find_opening, known_openings
from rules.notation.reader import read_game
from rules.notation.shuffled import SeededSample
from rules.notation.tabletop import Table


def opening(value: Value, *, forgiving: bool = False) -> Table:
    return find_opening(value, forgiving=forgiving).table


def coins(table: Table) -> list[str]:
    """Suit/rank, place and angle of every coin."""
    return [f"{p.suit}/{p.rank} ({p.x:g},{p.y:g}) {p.angle:g}" for p in table if p.kind == "coin"]


@pytest.mark.parametrize(
    ("value", "tiles", "coins", "others"),
    [
        ("Fujisan", 24, 24, 4),
        ("Ice Floe", 24, 0, 0),
        ("The Penguin Game", 4, 24, 0),
        ("Dodg'em", 9, 10, 0),
        ({"Name": "Dodgem", "Nrows": "4"}, 4, 6, 0),
        ({"Name": "Dodgem", "Nrows": "5"}, 4, 8, 0),
        ({"Name": "Dodgem", "Nrows": "12"}, 20, 22, 0),
        ("Quatri", 4, 8, 0),
        ("Julgonu", 4, 8, 0),
        ("Four Blind Mice", 16, 0, 0),
        ("San Andreas", 23, 0, 0),
        ("Tula", 24, 0, 0),
        ({"Name": "Tula", "Variant": "Variant 3"}, 48, 0, 0),
        ("Alice Chess", 18, 24, 8),
        ("Xiangqi", 18, 24, 8),
        ("None", 0, 0, 0),
    ],
)
def test_how_many_pieces_an_opening_has(value: Value, tiles: int, coins: int, others: int) -> None:
    count = Counter(lying.kind for lying in opening(value))
    assert (count["tile"], count["coin"], sum(count.values()) - tiles - coins) == (tiles, coins, others)


@pytest.mark.parametrize("name", known_openings())
def test_every_opening_has_its_own_pieces_in_order(name: str) -> None:
    table = opening(name)
    assert [lying.id for lying in table] == [str(number) for number in range(1, len(table) + 1)]
    known = [(p.kind, p.suit, p.rank) for p in table if p.kind in ("coin", "die", "pawn") and p.suit and p.rank]
    assert len(set(known)) == len(known)


def test_dodgem_variants() -> None:
    vout = coins(opening("Dodgem"))
    assert vout[0] == "1/1 (1,2) 270"
    assert vout[5] == "4/1 (2,1) 0"
    facing = coins(opening({"Name": "Dodgem", "Variant": "schoessow"}))
    assert facing[0] == "1/1 (1,1) 270"
    assert facing[5] == "4/1 (6,2) 90"


def test_ice_floe_stands_as_the_pattern_says() -> None:
    tiles = {(p.x, p.y): (p.suit, p.rank) for p in opening("Ice Floe")}
    assert tiles[1.5, 9.5] == (1, 3)
    assert tiles[5.5, 9.5] == (3, 2)
    assert tiles[9.5, 1.5] == (3, 6)
    assert (5.5, 5.5) not in tiles


def test_fujisan_coins_and_the_dice_that_are_only_there_when_needed() -> None:
    easy = opening({"Name": "Fujisan", "Coins": "554344221335/311400512200"})
    values = {(p.x, p.y): p.rank for p in easy if p.kind == "coin"}
    assert [values[x, 2] for x in (2, 3, 13)] == [6, 6, 6]
    assert [values[x, 1] for x in (2, 3, 13)] == [4, 2, 1]
    assert not [p for p in easy if p.kind == "die"]
    stuck = opening({"Name": "Fujisan", "Coins": "235334140030/554141221205", "Dice": "0123"})
    assert [(p.suit, p.rank) for p in stuck if p.kind == "die"] == [(1, 1), (2, 2), (4, 3), (3, 4)]


def test_a_deal_that_nobody_wrote_down_is_unknown() -> None:
    assert {(p.suit, p.rank) for p in opening("The Penguin Game") if p.kind == "coin"} == {(None, None)}


def test_a_seed_deals_as_upstream() -> None:
    """The first numbers and permutations of R for well-known seeds, and a deal printed by the format's own project."""
    assert SeededSample(42).unit() == pytest.approx(0.914806, abs=1e-6)
    assert SeededSample(42).shuffled(range(1, 11)) == [1, 5, 10, 8, 2, 4, 6, 9, 7, 3]
    assert SeededSample(123).shuffled(range(1, 11)) == [3, 10, 2, 8, 6, 9, 1, 7, 5, 4]
    dealt = opening({"Name": "The Penguin Game", "Seed": "42"})
    assert sorted((p.suit or 0, p.rank or 0) for p in dealt if p.kind == "coin") == [
        (suit, rank) for suit in range(1, 5) for rank in range(1, 7)
    ]


def test_tiles_can_be_written_out() -> None:
    text = "/".join(f"{suit}{rank}>" for suit in "SMCA" for rank in "na2345")
    table = opening({"Name": "Tula", "Tiles": text})
    assert [(p.suit, p.rank) for p in table[:7]] == [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1)]


@pytest.mark.parametrize(
    ("value", "error", "says"),
    [
        ("Fuji-San", OpeningError, "did you mean fujisan"),
        ("Penguin Game", OpeningError, "did you mean the_penguin_game"),
        ("Calvinball", OpeningError, "SetUp: None"),
        ({"Variant": "x"}, OpeningError, "needs a Name"),
        ({"Name": "Quatri", "Coins": "x"}, OpeningError, "no argument 'coins'"),
        ({"Name": "Dodgem", "Nrows": "13"}, OpeningError, "2 to 12"),
        ({"Name": "Dodgem", "Variant": "x"}, OpeningError, "vout, schoessow"),
        ({"Name": "Fujisan", "Coins": "123"}, OpeningError, "24"),
        ({"Name": "Fujisan", "Coins": "9" * 24}, OpeningError, "means nothing"),
        ({"Name": "Tula", "Tiles": "Q3" * 24}, OpeningError, "not a tile"),
        ({"Name": "Tula", "Seed": "today"}, OpeningError, "whole number"),
    ],
)
def test_what_is_unknown_is_said_with_what_is_known(value: Value, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        opening(value)


@pytest.mark.parametrize("name", ["Fuji-San", "Penguin Game", "icefloe"])
def test_forgiving_finds_names_spelled_otherwise(name: str) -> None:
    assert opening(name, forgiving=True)


def test_setup_goes_before_the_game_and_nothing_is_an_empty_table() -> None:
    assert read_game("---\nGameType: Calvinball\nSetUp: Quatri\n...\n").opening().table == opening("Quatri")
    assert read_game("---\nGameType: Calvinball\nSetUp: None\n...\n").opening() == EMPTY
    assert read_game("S@b2").opening() == EMPTY


def test_a_system_of_its_own_goes_before_the_piecepack() -> None:
    game = read_game("---\nSetUp: Board\nMovetextParser: Marble\n...\n1. R@c3")
    board, marble = list(game.play())[-1].table
    assert (board.kind, board.x, board.y) == ("board", 2, 2)
    assert (marble.x, marble.y) == (1.5, 1.5)
