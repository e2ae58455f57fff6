"""What should lie there: what shows of a piece, who owns what, and the way through JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.games import available, game
from rules.pieces import Face, Kind, Piece, Pose, Rank, Size, Suit, coin, parse_piece, tile
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Placed, Zone, bounds

TILE = tile(Suit.SUNS, Rank.FOUR)
COIN = coin(Suit.MOONS, Rank.ACE)


def test_a_tile_face_down_shows_nothing() -> None:
    assert Placed(TILE, "t", face=Face.FRONT).shown == TILE
    assert Placed(TILE, "t", face=Face.BACK).shown == tile()


def test_a_coin_shows_its_value_or_its_suit_and_never_both() -> None:
    assert Placed(COIN, "c", face=Face.FRONT).shown == coin(None, Rank.ACE)
    assert Placed(COIN, "c", face=Face.BACK).shown == coin(Suit.MOONS)


def test_what_is_on_the_table_is_not_in_a_hand() -> None:
    mine = Placed(COIN, "mine", zone=Zone.HAND, seat=0)
    hers = Placed(COIN, "hers", zone=Zone.HAND, seat=1)
    spare = Placed(COIN, "spare", zone=Zone.SUPPLY)
    lying = Placed(TILE, "lying", place="a1")
    layout = Layout((lying, mine, hers, spare))
    assert layout.board == (lying,)
    assert layout.zone(Zone.HAND) == (mine, hers)
    assert layout.zone(Zone.HAND, 1) == (hers,)
    assert layout.zone(Zone.SUPPLY) == (spare,)
    assert layout.by_key("hers") == hers
    assert layout.by_key("nobody's") is None
    assert [*layout] == [lying, mine, hers, spare]
    assert len(layout) == 4


def test_a_place_tells_what_lies_there_from_the_bottom_up() -> None:
    below, above = Placed(TILE, "below", place="a1"), Placed(COIN, "above", place="a1", level=1)
    in_hand = Placed(COIN, "held", place="a1", zone=Zone.HAND, seat=0)
    assert Layout((below, above, in_hand)).at("a1") == (below, above)
    assert Layout((below,)).at("b1") == ()


def test_the_edges_are_those_of_the_outermost_pieces() -> None:
    assert bounds([]) == (0.0, 0.0, 0.0, 0.0)
    assert bounds([Placed(TILE, "t", 2, 3), Placed(COIN, "c", 6, 0)]) == (1.0, -0.375, 6.375, 4.0)


def test_a_pyramid_needs_room_by_its_size() -> None:
    sizes = [Piece(Kind.PYRAMID, Suit.ARMS, size=size) for size in (Size.SMALL, Size.MEDIUM, Size.LARGE)]
    rooms = [half_extent(piece) for piece in sizes]
    assert rooms == sorted(set(rooms))
    assert half_extent(Piece(Kind.PYRAMID)) > 0


poses = st.sampled_from([None, *Pose])
numbers = st.floats(-50, 50, allow_nan=False)
pieces = st.sampled_from([TILE, COIN, tile(), coin(), parse_piece("pS"), parse_piece("dC3")])
placed = st.builds(
    Placed,
    piece=pieces,
    key=st.text("abc1", min_size=1),
    x=numbers,
    y=numbers,
    face=st.sampled_from([None, *Face]),
    angle=numbers,
    level=st.integers(0, 9),
    lean=st.tuples(st.integers(-2, 2), st.integers(-2, 2)),
    pose=poses,
    zone=st.sampled_from(Zone),
    seat=st.sampled_from([None, 0, 3]),
    place=st.sampled_from(["", "a1", "-1/4"]),
)


@given(placed)
def test_a_piece_comes_back_from_json_as_it_was(one: Placed) -> None:
    assert Placed.from_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.mark.parametrize("name", available())
def test_the_table_of_every_game_comes_back_from_json(name: str) -> None:
    rules = game(name)
    layout = rules.layout(rules.start(None, None))
    told = json.loads(json.dumps(layout.to_json()))
    assert tuple(Placed.from_json(piece) for piece in told["pieces"]) == layout.pieces
    assert [place["name"] for place in told["places"]] == [place.name for place in layout.places]


@pytest.mark.parametrize("position", [[1], [1, 2, 3], "12", None])
def test_what_is_no_position_is_told(position: object) -> None:
    with pytest.raises(ValueError, match="pair of numbers"):
        Placed.from_json({"code": "tS4", "key": "t", "position": position})
