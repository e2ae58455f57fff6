"""Every game comes back from PPN as it was: state to text to table, picture by picture."""

from __future__ import annotations

from dataclasses import replace
from types import NoneType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.games import available, game
from rules.notation.address import FromTop, Nearest, One, Point, TopAt
from rules.notation.dialect import DEFAULT
from rules.notation.piece_spec import spec_of, visible_appearance
from rules.notation.reader import read_game, read_games
from rules.notation.record_evidence import RecordEvidence, Strictness
from rules.notation.record_reading import recorded_pieces
from rules.notation.submove import Capture, Change, Drop, Remove, Shift, Turn, submove_text
from rules.notation.submove_writer import SubmoveWriter
from rules.notation.tabletop import Table, filled
from rules.notation.writer import write_game
from rules.pieces import RANKS, SUITS, Face, Kind, Pose, card, coin, die, pawn, tile
from rules.pieces.decktet import DECKTET
from rules.pieces.piece import COINS, DICE, PAWNS, TILES
from rules.table.build import LayoutBuilder
from rules.table.layout import Appearance, Layout, Placed, Zone, appearance_of
from tests.notation.playing import random_history, states
from tests.notation.tables import table_after, table_text
from tests.pieces.pyramids import looney_pyramids, piecepack_pyramids
from tests.tiers import GAMES


@pytest.mark.parametrize("id", GAMES)
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(0, 10_000))
def test_a_game_survives_writing_and_reading(id: str, seed: int) -> None:
    history = random_history(id, seed)
    tables = [picture.table for picture in read_game(write_game(history)).play()][1:]
    assert len(tables) == len(states(history))
    for state, table in zip(states(history), tables, strict=True):
        layout = history.game.layout(state)
        agreement = RecordEvidence(recorded_pieces(table), Strictness.TOLD).agreement(layout)
        assert agreement.is_complete, (agreement.missing, agreement.extra)
        assert_stacked(layout, table)
        assert_same_hands(layout, table)


def assert_stacked(layout: Layout, table: Table) -> None:
    """What lies in one spot lies there in the same order."""
    spots: dict[tuple[float, float], list[Appearance]] = {}
    for placed in layout.board:
        spots.setdefault((round(placed.x, 3), round(placed.y, 3)), []).append(appearance_of(placed))
    for (x, y), expected in spots.items():
        there = [visible_appearance(lying) for lying in table if abs(lying.x - x) < 0.003 and abs(lying.y - y) < 0.003]
        assert all(look is not None and look.may_be(wanted) for look, wanted in zip(there, expected, strict=True))


def assert_same_hands(layout: Layout, table: Table) -> None:
    kept = [p for p in layout if p.zone is Zone.HAND or (p.zone is Zone.SUPPLY and p.piece.kind is Kind.DIE)]
    assert len(table) == len(layout.board) + len(kept)


@pytest.mark.parametrize("id", GAMES)
def test_every_line_parses_alone(id: str) -> None:
    movetext = write_game(random_history(id, 1)).split("...\n", 1)[1]
    for line in movetext.strip().splitlines():
        assert len(read_game(f"---\n...\n{line}").moves) >= 1


@pytest.mark.parametrize("id", GAMES)
def test_only_the_safe_core_is_written(id: str) -> None:
    """No ids, nothing relative, nothing that depends on the submove before."""
    for move in read_game(write_game(random_history(id, 2))).moves:
        for submove in move.submoves:
            assert isinstance(submove, (Drop, Shift, Remove, Capture, Change, Turn))
            assert not isinstance(submove, (Drop, Shift)) or (submove.beside, submove.under) == (None, False)
            parts = [getattr(submove, name, None) for name in ("piece", "to", "captured", "around")]
            assert all(isinstance(part, (Point, TopAt, Nearest, FromTop, One, NoneType)) for part in parts)
            assert all(isinstance(part.where, Point) for part in parts if isinstance(part, (TopAt, Nearest, FromTop)))


def test_a_game_of_dodgem_looks_like_this() -> None:
    text = write_game(random_history("dodgem", 1, 3), {"Event": "Test {1}"})
    head, body = text.split("...\n\n")
    assert "GameType: Dodgem\n" in head
    assert "SetUp: None\n" in head
    assert "rules: dodgem@" in head
    lines = body.splitlines()
    assert lines[0].startswith("setup. tb@(1.5,1.5) tb@(3.5,1.5)")
    assert [line.split(" ")[0] for line in lines] == ["setup.", "1S.", "1C.", "2S."]
    assert lines[1] == "1S. a1-b1 { move(a1,b1) }"


def test_records_can_be_put_behind_each_other() -> None:
    both = read_games(write_game(random_history("dodgem", 1, 3)) + write_game(random_history("quatri", 1, 3)))
    assert [record.name for record in both] == ["Dodgem", "Quatri"]


# Submoves from layouts ------------------------------------------------------------------------------------------


def stack(*pieces: Placed) -> Layout:
    return Layout(pieces)


SUN = Placed(coin(SUITS[0]), "sun", 2, 2, Face.BACK)
MOON = Placed(coin(SUITS[1]), "moon", 2, 2, Face.BACK)
MAN = Placed(pawn(SUITS[2]), "man", 2, 2)
BOARD = Placed(tile(), "tile", 1.5, 1.5, Face.BACK)


def at(placed: Placed, x: float, y: float) -> Placed:
    return replace(placed, x=x, y=y)


@pytest.mark.parametrize(
    ("before", "after", "written"),
    [
        ([SUN], [at(SUN, 3, 2)], "b2-c2"),
        ([SUN, MOON, MAN], [SUN, at(MOON, 4, 2), at(MAN, 4, 2)], "2b2-d2"),
        ([SUN, MOON, MAN], [at(SUN, 4, 2), MOON, MAN], "b2[3]-d2"),
        ([SUN, MOON, MAN], [MAN, at(SUN, 4, 2), at(MOON, 4, 2)], "b2[2:3]-d2"),
        ([SUN, at(MOON, 3, 2)], [at(SUN, 3, 2)], "b2:c2"),
        ([SUN, at(MOON, 3, 2)], [SUN], "*c2"),
        ([], [SUN], "cbS@b2"),
        ([BOARD, SUN], [at(BOARD, 3.5, 1.5), at(SUN, 4, 2)], "(1.5,1.5)-(3.5,1.5) b2-d2"),
        ([SUN, BOARD], [BOARD, SUN], "b2-b2"),
        ([Placed(die(SUITS[0]), "die", 5, 5)], [Placed(die(SUITS[0], RANKS[4]), "die", 5, 5)], "?dS~4"),
        ([BOARD], [Placed(tile(SUITS[0], RANKS[3]), "tile", 1.5, 1.5, Face.FRONT)], "(1.5,1.5)~fS3"),
        ([SUN], [Placed(coin(None, RANKS[1]), "other", 2, 2, Face.FRONT)], "b2~fa"),
        ([SUN], [Placed(coin(SUITS[0]), "sun", 2, 2, Face.BACK, angle=90)], "b2@>270"),
        ([SUN], [Placed(coin(SUITS[0]), "elsewhere", 3, 2, Face.BACK)], "b2-c2"),
    ],
)
def test_what_changed_becomes_submoves(before: list[Placed], after: list[Placed], written: str) -> None:
    scribe = SubmoveWriter()
    scribe.write(stack(*before))
    assert " ".join(map(submove_text, scribe.write(stack(*after)))) == written


def test_hands_are_written_and_what_is_spent_is_gone() -> None:
    build = LayoutBuilder()
    build.put(tile(), 1.5, 1.5, key="t", face=Face.BACK)
    build.aside(Zone.HAND, coin(SUITS[0]), key="c", seat=0, face=Face.BACK)
    build.aside(Zone.SPENT, coin(SUITS[1]), key="d", face=Face.BACK)
    build.aside(Zone.SUPPLY, coin(SUITS[2]), key="e", face=Face.BACK)
    build.aside(Zone.SUPPLY, die(SUITS[3]), key="f")
    kinds = [submove_text(submove).split("@")[0] for submove in SubmoveWriter().write(build.layout())]
    assert kinds == ["tb", "cbS", "dA"]


ALL_PIECES = [
    *(Placed(piece, "", face=face) for piece in TILES + COINS for face in Face),
    *(Placed(piece, "") for piece in DICE + PAWNS),
    *(Placed(piece, "", pose=pose) for piece in piecepack_pyramids() for pose in Pose),
    *(Placed(piece, "", pose=pose) for piece in looney_pyramids(SUITS[1]) for pose in Pose),
    *(Placed(piece, "") for piece in looney_pyramids(None, "white")),
    *(Placed(card(mark), "", face=Face.FRONT) for mark in DECKTET),
]


@pytest.mark.parametrize("placed", ALL_PIECES, ids=lambda p: f"{p.piece.code}-{p.face or p.pose}")
def test_every_piece_shows_the_same_after_writing(placed: Placed) -> None:
    look = appearance_of(placed)
    assert visible_appearance(filled(spec_of(look), 1, 1, "1", DEFAULT)) == look or placed.piece.kind is Kind.DIE


@pytest.mark.parametrize(
    "movetext",
    ["S@b2 M3@(1.5,2) dS4<@c3 xW2@d4 R`6-3'@(8,8.5) `q'@a1 Gc@b1 t,a45@(3,3) u5@c1 🃍@h1", "1. ▦@j10 Ys@a1 Bm@b2"],
)
def test_a_table_is_written_so_that_it_comes_back(movetext: str) -> None:
    table = table_after(movetext)
    assert table_after(table_text(table)) == table


def test_games_are_named_as_the_format_knows_them() -> None:
    for id in available():
        assert read_game(write_game(random_history(id, 0, 1))).name
        assert game(id).card.id == id
