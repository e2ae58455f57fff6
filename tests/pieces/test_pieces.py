"""The worked checks of the piecepack's anatomy (PP-12), by number."""

from __future__ import annotations

import pytest

from rules.pieces import (
    RANKS,
    SUITS,
    Face,
    Kind,
    Piece,
    Pose,
    Rank,
    Size,
    Suit,
    coin,
    die,
    parse_piece,
    parse_rank,
    parse_suit,
    tile,
)
from rules.pieces.decktet import BASIC, COURT_CARDS, DECKTET, PAWN_CARDS
from rules.pieces.piece import COINS, PIECEPACK, TILES
from rules.pieces.sizes import half_extent, half_sides, pyramid_base, pyramid_height
from rules.table.layout import Placed
from tests.pieces.pyramids import looney_pyramids, piecepack_pyramids


def test_1_every_suit_and_value_is_a_tile_and_a_coin_of_its_own() -> None:
    assert len({piece.code for piece in TILES}) == 24
    assert len({piece.code for piece in COINS}) == 24
    assert len(PIECEPACK) == 56


def test_2_priorities() -> None:
    assert [suit.value for suit in SUITS] == ["suns", "moons", "crowns", "arms"]


def test_3_null_and_ace_are_numbers() -> None:
    assert (parse_rank("null"), parse_rank("ace")) == (0, 1)


@pytest.mark.parametrize(
    ("face", "shown"), [(Face.BACK, coin(Suit.SUNS, None)), (Face.FRONT, coin(None, Rank.FOUR))], ids=["suit", "value"]
)
def test_4_a_coin_shows_suit_or_value(face: Face, shown: object) -> None:
    assert Placed(coin(Suit.SUNS, Rank.FOUR), "c", face=face).shown == shown


def test_5_a_face_down_tile_shows_nothing() -> None:
    moons = tile(Suit.MOONS, Rank.TWO)
    assert Placed(moons, "t", face=Face.BACK).shown == tile()
    assert Placed(moons, "t", face=Face.FRONT).shown == moons


def test_6_all_tile_values_together() -> None:
    assert sum(int(piece.rank or 0) for piece in TILES) == 60


def test_7_a_coin_fits_in_a_space() -> None:
    assert 2 * half_extent(coin(Suit.SUNS, Rank.ACE)) == 0.75
    assert half_extent(tile()) == 1


def test_a_card_is_longer_than_wide() -> None:
    card = Piece(Kind.CARD, None, None, None, "2ky")
    assert half_sides(card) == (1.25, 1.75)
    assert half_extent(card) == 1.75


@pytest.mark.parametrize(
    ("text", "suit"),
    [
        ("Arms", Suit.ARMS),
        ("Anchors", Suit.ARMS),
        ("blue", Suit.ARMS),
        ("Shields", Suit.ARMS),
        ("green", Suit.CROWNS),
        ("yellow", Suit.CROWNS),
        ("S", Suit.SUNS),
        ("black", Suit.MOONS),
    ],
)
def test_8_suits_by_any_name(text: str, suit: Suit) -> None:
    assert parse_suit(text) is suit


def test_9_a_die_has_six_faces() -> None:
    assert {die(Suit.CROWNS, rank).code for rank in RANKS} == {f"dC{n}" for n in range(6)}


@pytest.mark.parametrize(
    "piece",
    [*PIECEPACK, tile(), coin(None, Rank.TWO), coin(Suit.SUNS), *piecepack_pyramids(), *looney_pyramids(None, "white")],
)
def test_codes_read_back(piece: object) -> None:
    assert parse_piece(str(piece)) == piece


@pytest.mark.parametrize("code", ["", "t", "tX3", "cS9", "yS", "zS3", "pS33"])
def test_what_is_no_piece_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="piece"):
        parse_piece(code)


def test_unknown_names_say_what_is_known() -> None:
    with pytest.raises(ValueError, match="suns, moons, crowns or arms"):
        parse_suit("hearts")
    with pytest.raises(ValueError, match="null, ace"):
        parse_rank("7")


def test_the_decktet_has_its_cards_and_no_rank_repeats_a_suit() -> None:
    assert (len(BASIC), len(PAWN_CARDS), len(COURT_CARDS), len(DECKTET)) == (36, 4, 4, 45)
    for rank in "23456789":
        suits = "".join(card.suits for card in BASIC if card.rank == rank)
        assert sorted(suits) == sorted("MSWLYK")


def test_pyramids_grow_from_a_to_f() -> None:
    sizes = [Size(letter) for letter in "ABCDEF"]
    assert [pyramid_base(size) for size in sizes] == sorted(pyramid_base(size) for size in sizes)
    assert all(pyramid_height(size) > pyramid_base(size) for size in Size)
    assert (pyramid_base(Size.A), pyramid_base(Size.F)) == (0.5, 27 / 32)
    assert pyramid_base(Size.B) == pytest.approx(0.569, abs=5e-4)
    assert pyramid_base(None) == pyramid_base(Size.MEDIUM)
    assert [size.look for size in sizes] == [Size.SMALL, Size.SMALL, Size.MEDIUM, Size.MEDIUM, Size.LARGE, Size.LARGE]


def test_words_at_the_table() -> None:
    assert tile(Suit.SUNS, Rank.THREE).words == "the 3 of suns tile"
    assert coin(None, Rank.ACE).words == "a coin of value ace"
    assert Kind.TILE.value == "tile"
    assert Pose.FLAT.value == "flat"
