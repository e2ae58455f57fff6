"""The engine's own values: actions, options, seats, codec, history, rulebooks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Action, read_options, read_seats
from rules.engine.action import action_from_json, parse_action
from rules.engine.card import SetupError
from rules.engine.codec import decode, encode
from rules.engine.contract import AnyGame
from rules.engine.history import History, IllegalActionError
from rules.engine.playout import play_out
from rules.engine.rulebook import clauses_of, text_of
from rules.games import UnknownGameError, game
from tests.tiers import GAMES

DODGEM = game("dodgem")
_words = st.text(
    st.characters(codec="ascii", exclude_characters="(),", categories=["L", "N", "P", "S"]), min_size=1, max_size=8
)


@given(st.text("abcxyz_", min_size=1, max_size=12), st.lists(_words, max_size=4), st.none() | st.integers(0, 9))
def test_an_action_id_reads_back(verb: str, args: list[str], seat: int | None) -> None:
    action = Action(verb, tuple(args), seat)
    assert parse_action(action.id) == action


@pytest.mark.parametrize("text", ["", "move(", "move)a", "Move(a1)", "a b(c)", "x" * 5000])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="action"):
        parse_action(text)


@pytest.mark.parametrize(
    "data",
    [
        "move(a1,b1)",
        {"id": "move(a1,b1)"},
        {"verb": "move", "args": ["a1", "b1"]},
        {"verb": "move", "args": {"from": "a1", "to": "b1"}},
        {"verb": "move", "from": "a1", "to": "b1"},
    ],
)
def test_every_way_to_write_an_action(data: object) -> None:
    assert action_from_json(data, DODGEM.verbs) == Action("move", ("a1", "b1"))


@pytest.mark.parametrize(
    "data", [7, [], {}, {"verb": 3}, {"id": "move(a1,b1)", "seat": "x"}, {"verb": "move", "args": 5}]
)
def test_odd_action_objects_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"action|seat|args"):
        action_from_json(data, DODGEM.verbs)


@pytest.mark.parametrize(
    ("given_options", "message"),
    [
        ({"direction": "up"}, "must be one of"),
        ({"size": 99}, "from 3 to 6"),
        ({"size": "6"}, "a whole number"),
        ({"size": True}, "a whole number"),
        ({"speed": 1}, "there is no option"),
        ([], "an object"),
    ],
)
def test_wrong_options_say_what_is_right(given_options: object, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        read_options(DODGEM.card.options_type, given_options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_seats", "names"),
    [
        (None, ["Suns", "Crowns"]),
        (2, ["Suns", "Crowns"]),
        (["Ann", "Bob"], ["Ann", "Bob"]),
        (["crowns", "suns"], ["Crowns", "Suns"]),
        ([{"name": "Ann", "suit": "crowns"}, {}], ["Ann", "Suns"]),
    ],
)
def test_seats_as_people_write_them(given_seats: object, names: list[str]) -> None:
    assert [seat.name for seat in read_seats(DODGEM.card, given_seats)] == names


@pytest.mark.parametrize("given_seats", [1, 9, "two", [3, 4], ["suns", "suns"], -1, {"a": 1}])
def test_wrong_seats_are_refused(given_seats: object) -> None:
    with pytest.raises(SetupError):
        read_seats(DODGEM.card, given_seats)


def test_a_history_plays_and_undoes() -> None:
    history = History.begin(DODGEM)
    for text in ("move(a1,b1)", "move(f2,e2)"):
        history = history.play(parse_action(text))
    assert history.undo(2).state == history.first
    with pytest.raises(ValueError, match=r"only 2 actions"):
        history.undo(3)


def test_a_history_refuses_what_the_rules_refuse() -> None:
    with pytest.raises(IllegalActionError, match=r"DODG-4\.4"):
        History.begin(DODGEM).play(parse_action("move(a1,c1)"))


def test_unknown_games_say_which_there_are() -> None:
    with pytest.raises(UnknownGameError, match="fuji_san"):
        game("chess")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_ends_and_has_a_rulebook(name: str) -> None:
    rules: AnyGame = game(name)
    options = {"stop_when_lost": True} if name == "fuji_san" else {}
    assert play_out(rules, 5, options, limit=20_000).finished
    clauses = clauses_of(name)
    card = rules.card
    cited = {card.turn_clause, card.action_clause, *(v.clause for v in card.verbs)}
    cited |= {spec.clause for spec in card.options if spec.clause}
    assert cited <= set(clauses)
    assert all(clauses[clause] for clause in cited)
    assert "## Position" in text_of(name)


@pytest.mark.parametrize("name", GAMES)
def test_positions_refuse_odd_fields_in_one_line(name: str) -> None:
    rules: AnyGame = game(name)
    options: object = read_options(rules.card.options_type, {})
    with pytest.raises(ValueError, match=r"\w") as caught:
        rules.position({"no such field": 1}, options, read_seats(rules.card))
    assert "\n" not in str(caught.value)


def test_decoding_says_which_value_does_not_fit() -> None:
    state = encode(DODGEM.start())
    with pytest.raises(ValueError, match="to_act"):
        decode(DODGEM.state_type, {**state, "to_act": "me"})
    with pytest.raises(ValueError, match="no field"):
        decode(DODGEM.state_type, {**state, "extra": 1})
