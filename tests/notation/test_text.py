"""The outer grammar: games, metadata, braces, comments, labels, macros."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.notation.errors import (
    Allowance,
    FileError,
    MetadataError,
    MoveError,
    NotAMappingError,
)
from rules.notation.expansion import expand
from rules.notation.metadata import normalised, read_metadata, write_metadata
from rules.notation.reader import read_file, read_game, read_games
from tests.notation.tables import piece_texts, table_after


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("b4", ["b4"]),
        ("t@{b,d}{2..8..2}", ["t@b2", "t@b4", "t@b6", "t@b8", "t@d2", "t@d4", "t@d6", "t@d8"]),
        ("{a..f}1", ["a1", "b1", "c1", "d1", "e1", "f1"]),
        ("x{3..1}", ["x3", "x2", "x1"]),
        ("x{-1..1}", ["x-1", "x0", "x1"]),
        ("({2..4},3)-2D", ["(2,3)-2D", "(3,3)-2D", "(4,3)-2D"]),
        ("x{a,b{1,2}}", ["xa", "xb1", "xb2"]),
        ("x{,y}", ["x", "xy"]),
        (r"(8.5,4){~v,-(14\,2.5)}", ["(8.5,4)~v", "(8.5,4)-(14,2.5)"]),
        ("x{a}", ["x{a}"]),
        ("x{a", ["x{a"]),
        ("x}a{", ["x}a{"]),
    ],
)
def test_braces_expand_like_a_shell(token: str, expected: list[str]) -> None:
    assert expand(token, Allowance()) == expected


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b1", "", "-c"]), min_size=2, max_size=3), min_size=1, max_size=3))
def test_braces_in_a_row_multiply(groups: list[list[str]]) -> None:
    token = "x" + "".join("{" + ",".join(group) + "}" for group in groups)
    expected = [""]
    for group in groups:
        expected = [before + item for before in expected for item in group]
    assert expand(token, Allowance()) == ["x" + text for text in expected]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("1. S@b2 1... M@b3", ["1.", "1..."]),
        ("1. S@b2;M@b3;C@b4 {what happens ; here?}", ["1.", "1..", "1..."]),
        ("2. S@a1;a1-b4", ["2.", "2.."]),
        ("S@b2 M@b3", ["SetupFn.."]),
        ("S@b2; M@b3", ["SetupFn..", "SetupFn..."]),
        ("Round_1.b. S@b2", ["Round_1.b."]),
        ("{3. no label} 1. S@b2", ["SetupFn..", "1."]),
        ("1S. S@b2 {a 2. b} 1M. M@b3", ["1S.", "1M."]),
    ],
)
def test_labels(text: str, labels: list[str]) -> None:
    assert [move.label for move in read_game(f"---\n...\n{text}").moves] == labels


def test_comments_belong_to_their_move() -> None:
    first, second = read_game("---\n...\n1. S@b2 {good} {really, good; yes} 2. {? (1... M@a1)} M@b3").moves
    assert (first.comment, first.text) == ("good really, good; yes", "S@b2")
    assert (second.comment, second.text) == ("? (1... M@a1)", "M@b3")


def test_braces_in_a_comment_stay_as_they_are() -> None:
    assert read_game("---\n...\n{comment,with,commas}").moves[0].comment == "comment,with,commas"


def test_repeated_labels_are_a_warning() -> None:
    assert read_game("---\n...\n1. S@b2 1. b2-b3").warnings == ("the label 1. is used more than once",)


def test_several_games_in_one_text() -> None:
    first, second = read_games("---\nGameType: Ultima\n...\n1. c2-c4 1... c7-c5\n---\nEvent: B\n...\n0. t@b4 cA@c3\n")
    assert first.name == "Ultima"
    assert second.metadata == {"Event": "B"}
    assert [move.text for move in second.moves] == ["t@b4 cA@c3"]


@pytest.mark.parametrize(
    ("text", "metadata", "movetext"),
    [
        ("0. c5@b3", {}, "c5@b3"),
        ("GameType: Chess\n\n0. S@b2", {"GameType": "Chess"}, "S@b2"),
        ("---\nGameType: Chess\n...\n0. S@b2", {"GameType": "Chess"}, "S@b2"),
        ("---\r\nGameType: Chess\r\n...\r\n0. S@b2", {"GameType": "Chess"}, "S@b2"),
        ("\ufeff---\nGameType: Chess\n...\n0. S@b2", {"GameType": "Chess"}, "S@b2"),
        ("--- # a remark\nGameType: Chess\n...\n0. S@b2", {"GameType": "Chess"}, "S@b2"),
        ("---\n...\n0. S@b2", {}, "S@b2"),
        ("GameType:\n  Name: Chess\n\n0. S@b2", {"GameType": {"Name": "Chess"}}, "S@b2"),
    ],
)
def test_where_metadata_end(text: str, metadata: object, movetext: str) -> None:
    game = read_game(text)
    assert game.metadata == metadata
    assert game.moves[0].text == movetext


def test_indented_metadata_without_a_closing_line_are_cut_unless_forgiving() -> None:
    text = "GameType:\n  Name: Dodgem\n  Nrows: 4\n\n1. a2-b2"
    with pytest.raises(MoveError):
        read_game(text)
    assert read_game(text, forgiving=True).metadata == {"GameType": {"Name": "Dodgem", "Nrows": "4"}}


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("---\nttt\n...\n", FileError, "no game in PPN"),
        ("---\n- a\n...\n1. S@a1", NotAMappingError, "must be a mapping"),
        ("---\na: [b\n...\n", MetadataError, "not valid YAML"),
        ("---\na: &x 1\nb: *x\n...\n", MetadataError, "anchors"),
        ("---\na: !!python/object:os.system {}\n...\n", MetadataError, "tags"),
        ("---\na: 1\na: 2\n...\n", MetadataError, "twice"),
        ("---\nMacros: [a]\n...\n", MetadataError, "Macros must be"),
        ("---\nMovetextParser: Klingon\n...\n", MetadataError, "no movetext parser"),
        ("---\n...\n1. S@b2 {never closed", MoveError, "not closed"),
        ("---\n...\n1. `boobear'@b4", MoveError, "no macro"),
        ('---\nMacros: {a: "`b\'", b: "`a\'"}\n...\n1. `a\'@b2', MoveError, "made of itself"),
    ],
)
def test_what_is_wrong_is_said(text: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        list(read_game(text).play())


def test_an_error_in_a_move_tells_the_label_and_the_text() -> None:
    with pytest.raises(MoveError, match=r"move 2S\. S\"d4: .*is not a submove") as caught:
        read_game('---\n...\n1S. S@b2 2S. S"d4')
    assert (caught.value.label, caught.value.raw) == ("2S.", 'S"d4')


def test_metadata_stay_text() -> None:
    text = "Coins: 0512\nRated: no\nDate: 2020-01-01\nRound: 1.0\n"
    assert read_metadata(text) == {"Coins": "0512", "Rated": "no", "Date": "2020-01-01", "Round": "1.0"}


_words = st.text("aÄ✿ '\"{}[]:#&*!|>-?,%@`\\0~", max_size=8)
_values = st.recursive(
    _words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3), max_leaves=5
)


@settings(deadline=None)
@given(st.dictionaries(_words, _values, max_size=4))
def test_metadata_go_to_text_and_back(values: dict[str, object]) -> None:
    assert read_metadata(write_metadata(values)) == values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Dodg'em", "dodgem"),
        ("IceFloe", "ice_floe"),
        ("Fuji-san", "fujisan"),
        ("Fuji-San", "fuji_san"),
        ('The "In" Crowd', "the_in_crowd"),
        ("Nine Men's Morris", "nine_mens_morris"),
        ("Russian Draughts", "russian_checkers"),
        ("Piecepack Klondike", "klondike"),
        ("Four Blind Mice", "four_blind_mice"),
        ("Chess960", "chess960"),
        ("Déjà Vu", "deja_vu"),
    ],
)
def test_names_are_normalised(name: str, expected: str) -> None:
    assert normalised(name) == expected


def test_macros_stand_for_several_submoves_and_for_each_other() -> None:
    castle = table_after("1. `O-O'", "GameType: International Chess\nMacros: {O-O: e1-g1 h1-f1}\n")
    assert {(lying.x, lying.y) for lying in castle[-2:]} == {(7.0, 1.0), (6.0, 1.0)}
    assert piece_texts(table_after("1. `sp'@b2", 'Macros: {sun: S, sp: "`sun\'p"}\n')) == ["pawn face 1/1 (2,2)"]


def test_own_macros_go_before_the_built_in_ones() -> None:
    assert piece_texts(table_after("1. `p'@b2", "Macros: {p: Sp}\n")) == ["pawn face 1/1 (2,2)"]


def test_forgiving_reads_typographic_signs() -> None:
    game = read_game("---\nMacros: {p: S}\n...\n1. ‘p’@b2 b2–b3 {open end", forgiving=True)
    assert piece_texts(list(game.play())[-1].table) == ["coin back 1/1 (2,3)"]


def test_a_file_that_cannot_be_read_says_so(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with pytest.raises(FileError, match="cannot read"):
        read_file(folder / "missing.ppn")
    (folder / "picture.ppn").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(FileError, match="not UTF-8"):
        read_file(folder / "picture.ppn")
