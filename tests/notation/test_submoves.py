"""Every submove, place and piece: what it does to the table."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rules.notation.errors import MoveError
from rules.notation.reader import read_game
from rules.notation.submove import Submove, parse_submove, submove_text
from tests.notation.strategies import submoves
from tests.notation.tables import piece_texts, places, suits, table_after

# The piece that a text stands for: kind, side, suit, rank, set, angle.
PIECES = [
    ("t", "tile back 1/1 piecepack 0"),
    ("t,a45,subpack'", "tile back 1/1 subpack 45"),
    ("S", "coin back 1/1 piecepack 0"),
    ("3", "coin face 1/4 piecepack 0"),
    ("S3", "tile face 1/4 piecepack 0"),
    ("cC^", "coin back 3/1 piecepack 0"),
    ("dSn>", "die face 1/1 piecepack 270"),
    ("dM4<", "die face 2/5 piecepack 90"),
    ("c5v", "coin face 1/6 piecepack 180"),
    ("af<", "coin face 1/2 piecepack 90"),
    ("pMb", "pawn back 2/1 piecepack 0"),
    ("▲S", "pyramid top 1/1 piecepack 0"),
    ("▲Sl", "pyramid left 1/1 piecepack 0"),
    ("mM", "matchstick face 2/1 piecepack 0"),
    ("sM", "saucer back 2/1 piecepack 0"),
    ("s", "saucer face 1/1 piecepack 0"),
    ("♥", "coin back 1/1 playing_cards_expansion 0"),
    ("♠d", "die face 2/1 playing_cards_expansion 0"),
    ("♢5", "tile face 4/6 dual_piecepacks_expansion 0"),
    ("Y2/\\", "pyramid top 5/2 icehouse_pieces 0"),
    ("xW1", "pyramid top 6/1 icehouse_pieces 0"),
    ("uc5v", "coin face 1/6 subpack 180"),
    ("µc5v", "coin face 1/6 subpack 180"),
    ("⬢", "tile back 1/1 hexpack 0"),
    ("Bd4", "die face 4/4 dice 0"),
    ("⚁", "die face 6/2 dice 0"),
    ("R⚂", "die face 1/3 dice 0"),
    ("🃍", "card face 4/13 playing_cards_tarot 0"),
    ("🃦", "card face 5/6 playing_cards_tarot 0"),
    ("`SJ'", "card face 2/11 playing_cards_tarot 0"),
    ("[]", "card back 1/1 playing_cards_tarot 0"),
    ("`4-3'", "tile face 5/4 dominoes 180"),
    ("R`6-3'<", "tile face 7/4 dominoes_red 270"),
    ("Y`5-2',a45", "tile face 6/3 dominoes_yellow 225"),
    ("Wt", "tile back 6/1 dominoes_white 0"),
    ("Bt,r12,s10", "tile face 11/13 dominoes_blue 0"),
    ("Rb`q'", "bit back 1/5 chess2 0"),
    ("uBb`N'", "bit back 4/2 chess1 0"),
    ("u`n'", "bit face 2/2 chess1 0"),
    ("`K'", "bit face 6/6 chess2 0"),
    ("Gc", "bit back 3/1 checkers2 0"),
    ("u⛀", "bit back 6/1 checkers1 0"),
    ("G⛂", "bit back 3/1 checkers2 0"),
    ("⛃", "bit face 2/1 checkers2 0"),
    ("[X]", "board face 3/8 checkers2 0"),
    ("[#]", "board face 2/19 go 0"),
    ("Y[#]", "board face 5/19 go 0"),
    ("()", "bit back 2/1 go 0"),
    ("Ys", "bit back 5/1 go 0"),
    ("Gm", "bit back 3/1 meeples 0"),
]


@pytest.mark.parametrize(("spec", "expected"), PIECES)
def test_pieces_and_what_is_filled_in(spec: str, expected: str) -> None:
    (lying,) = table_after(f"1. {spec}@b4")
    assert f"{lying.kind} {lying.side} {lying.suit}/{lying.rank} {lying.set} {lying.angle:g}" == expected


def test_coloured_bits_are_what_the_parser_says() -> None:
    (lying,) = table_after("1. R@a1", "MovetextParser: Marble\n")
    assert (lying.kind, lying.set, lying.rank) == ("bit", "marbles", 9)
    with pytest.raises(MoveError):
        table_after("1. R@a1")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("c2", (3, 2)),
        ("aa12", (27, 12)),
        ("(2.5,-3)", (2.5, -3)),
        ("(+4,3)", (4, 3)),
        ("<1,2>|(2,2)", (3, 4)),
        ("2L|2U|(2,2)", (0, 4)),
        ("3NE|b2", (5, 5)),
        ("2ENE|(0,0)", (1.732051, 1)),
        ("2DDR|(0,0)", (1, -1.732051)),
        ("1R$?M", (6, 5)),
        ("&?M", (5, 5)),
        ("&3(2,7)", (2, 7)),
        ("", (5, 5)),
    ],
)
def test_places(place: str, expected: tuple[float, float]) -> None:
    assert places(table_after(f"1. M@e5 S@{place}"))[-1] == expected


# Movetext and the suits from the bottom up, then where they are.
MOVES = [
    ("S@b2 M@b2 C\\b2", [3, 1, 2], None),
    ("S@b2 M@b2 C\\b2 A@d4%b2[3]", [3, 4, 1, 2], None),
    ("S@b2 M@b2 C@%b2[2]", [1, 3, 2], None),
    ("S@b2 M@b2 C\\%b2", [1, 3, 2], None),
    ("S@b2 M@b2 C@b2 A@c3 c3-%b2[2]", [1, 2, 4, 3], None),
    ("S@b2 M@b2 C@b2 A@c3 b2[2]_c3", [2, 1, 3, 4], None),
    ("S@b2 M@b2 C@b2 A@c3 b2[1]_%b2[3]", [3, 1, 2, 4], None),
    ("S@b2 M@b3 !b2", [2, 1], [(2, 3), (2, 2)]),
    ("S@b2 M@d4 b2#d4", [1, 2], [(4, 4), (2, 2)]),
    ("S@b2 M@b2 C@b2 A@b2 *b2[2:3]", [1, 4], None),
    ("S@b2 M@b2 C@b2 A@b2 b2[2:3]-c2", [1, 4, 2, 3], [(2, 2), (2, 2), (3, 2), (3, 2)]),
    ("S@b2 M@b3 C@b4 b2-c2*b3*b4", [1], [(3, 2)]),
    ("S@b2 M@c3 b2:c3", [1], [(3, 3)]),
    ("S@b2 S@b2 S@b2 M@c3 2b2:c3", [1, 1, 1], [(2, 2), (3, 3), (3, 3)]),
    ("S@b2 M@c3 M@c3 b2:2c3", [1], [(3, 3)]),
    ("S@a{1..6} M@a1 5a1-b1", [1, 1, 1, 1, 1, 1, 2], None),
    ("S@a1 -b2 -c3", [1], [(3, 3)]),
    ("S@{a..f}2 *?S", [1, 1, 1, 1, 1], None),
    ("S@{a..f}2 M@a1 */S", [2], None),
    ("S@b2 M@d4 &b2-d4 d4-f6", [2, 1], [(4, 4), (6, 6)]),
    ("S@b2 M@b2 &?M[2]-c3", [2, 1], [(2, 2), (3, 3)]),
    ("S@b2 M@d4 1-c3", [2, 1], [(4, 4), (3, 3)]),
    ("?S-<1,1>", None, None),
]


@pytest.mark.parametrize(("movetext", "order", "where"), MOVES[:-1])
def test_moves(movetext: str, order: list[int], where: list[tuple[float, float]] | None) -> None:
    table = table_after(f"1. {movetext}")
    assert suits(table) == order
    assert where is None or places(table) == where


def test_the_start_of_the_move_is_remembered() -> None:
    head = "1. S@b2 M@d4"
    assert suits(table_after(f"{head} 2. b2-d4 d4-f6")) == [2, 1]
    assert suits(table_after(f"{head} 2. b2-d4 ^d4-f6")) == [1, 2]


def test_a_tile_turns_with_what_lies_on_it() -> None:
    table = table_after("1. C3@(1.5,1.5) S@a1 M@b2 3?C3@>180|b2")
    assert places(table) == [(2.5, 2.5), (3, 3), (2, 2)]
    assert [lying.angle for lying in table] == [180, 180, 180]
    spun = table_after("1. C3@(1.5,1.5) S@a1 M@b2 3?C3$>90!")
    assert places(spun) == [(1.5, 1.5), (1, 2), (2, 1)]


def test_turning_on_the_spot_is_clockwise() -> None:
    assert table_after("1. S@b2 b2@>45")[0].angle == 315
    assert table_after("1. S@b2 b2@>-90")[0].angle == 90


@pytest.mark.parametrize(
    ("movetext", "expected"),
    [
        ("S@b2 +b2", "coin face 1/1 (2,2)"),
        ("S3@b2 +b2", "tile back 1/4 (2,2)"),
        ("dS5@b2 +b2", "die face 1/3 (2,2)"),
        ("▲S@b2 b2-c3+", "pyramid face 1/1 (3,3)"),
        ("dS@b2 ?dS~4", "die face 1/5 (2,2)"),
        ("t@b2 b2~fS3", "tile face 1/4 (2,2)"),
        ("S@b2 b2~f3", "coin face 1/4 (2,2)"),
        ("S@b2 b2=M4", "tile face 2/5 (2,2)"),
        ("S@b2 ?S~M", "coin back 2/1 (2,2)"),
    ],
)
def test_pieces_are_turned_over_and_changed(movetext: str, expected: str) -> None:
    assert piece_texts(table_after(f"1. {movetext}")) == [expected]


def test_ids_tell_faces_and_replacements_apart() -> None:
    game = read_game("---\n...\n1. S@b2 ?S~M ?M~2 +b2 2. b2=R2/\\ +b2")
    assert [played.table[0].id for played in game.play() if played.table] == ["1..2.1", "1..3.1"]


def test_one_prefers_the_angle_then_anything_alike() -> None:
    table = table_after("1. M3v@b4 M3>@b2 *?M3")
    assert [lying.angle for lying in table] == [180]


@pytest.mark.parametrize(
    ("movetext", "reason"),
    [
        ("*b2", "nothing lies at"),
        ("S@b2 *?A3", "no piece on the table is like that"),
        ("-b2", "no piece has been touched yet"),
        ("S@b2 b2[2]-c3", "only one piece lies at"),
        ("S@b2 b2-%b2", "next to itself"),
        ("S@<2,2>", "relative to"),
        ("S@2Q|b2", "no direction"),
        ("S@b", "not a place"),
        ("S@b2 3/tf-2R", "not a place"),
        ("S@(9999999,1)", "farther away"),
        ("Q@b2", "means nothing"),
        ("SM@b2", "two different things"),
        ("S@b2 0b2-c2", "names no piece"),
        ("b2", "not a submove"),
        ("x*b2", "not a submove"),
    ],
)
def test_what_cannot_be_done_says_which_move(movetext: str, reason: str) -> None:
    with pytest.raises(MoveError, match=reason) as caught:
        table_after(f"7M. {movetext}")
    assert caught.value.label == "7M."
    assert caught.value.reason.text in str(caught.value)


def test_the_scale_multiplies_every_written_coordinate() -> None:
    head = "MovetextParser:\n  Name: Default\n  ScaleFactor: 2\n"
    assert places(table_after("1. S@a2 a2-b3 M@d3 b3:d3", head)) == [(8, 6)]


@settings(deadline=None)
@given(submoves)
def test_a_submove_goes_to_text_and_back(submove: Submove) -> None:
    assert parse_submove(submove_text(submove)) == submove
