"""Whatever is wrong with a position is told by its field, in one sentence, in words of the game."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion_api.dialogue import Conversation
from rules.engine.card import read_options, read_seats
from rules.engine.positions import set_up
from rules.engine.rulebook import text_of
from rules.games import available, game

ODD: tuple[Any, ...] = (
    "purple", 5, -1, 1.5, True, None, "", [], {}, [["a1"]], [1], [None], [{}], {"x": 1}, {"suns": "zz"}, {"suns": [9]},
    {"suns": -1}, {"a1": "zz"}, ["a1", "a1"], 10**17,
)  # fmt: skip
PYTHON = re.compile(
    r"not in list|unpack|is not a valid|invalid literal|' object|NoneType|iterable|hashable|index out of"
)
PAWNS = {"global_warming": {"pawns": {"S": [2, 1], "M": [4, 0]}}}
"""What a game must be told in any case."""


def set_up_of(name: str, fields: dict[str, Any], options: Any = None, seats: Any = None) -> Any:
    found = game(name)
    return set_up(found, fields, read_options(found.card.options_type, options), read_seats(found.card, seats))


def fields_of(name: str) -> list[str]:
    """What the rulebook's section Position names."""
    text = text_of(name).partition("## Position")[2]
    return [word for word in dict.fromkeys(re.findall(r"`([a-z_]+)`", text)) if is_field(name, word)]


def is_field(name: str, word: str) -> bool:
    try:
        set_up_of(name, {word: "zz"})
    except ValueError as error:
        return f"no field {word!r}" not in str(error)
    return True


@pytest.mark.parametrize("name", available())
def test_the_field_is_named(name: str) -> None:
    fields = fields_of(name)
    assert len(fields) > 2
    for field in fields:
        for odd in ODD:
            try:
                set_up_of(name, {**PAWNS.get(name, {}), field: odd})
            except ValueError as error:
                said = str(error)
                assert re.search(rf"\b{field}|{field.rstrip('s')}\b", said), f"{field}={odd!r}: {said}"
                assert not PYTHON.search(said), f"{field}={odd!r}: {said}"
                assert len(said) < 250
                assert "\n" not in said


@pytest.mark.parametrize("name", available())
def test_an_unknown_field_is_told_alike(name: str) -> None:
    with pytest.raises(ValueError, match=f"^a position of {name} has no field 'cats'; it has: "):
        set_up_of(name, {"cats": ["a1"]})


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("dodgem", {"to_act": "purple"}, "to_act must be one of suns, crowns, not 'purple'"),
        ("dodgem", {"suns": [["a1"]]}, "suns: there is no place .* from a1 to f6"),
        ("dodgem", {"suns": ["a1", "a2", "a3", "a4", "a5", "a6"]}, "suns must be a list of up to 5 places"),
        ("dodgem", {"suns": ["a1"], "off": [5, 0]}, "suns has 5 coins, not 1 on the board and 5 off it"),
        ("dodgem", {"off": [-1, 0]}, "off must be a number from 0 to 5, not -1"),
        ("dodgem", {"suns": ["a1", "a1"]}, "suns: 'a1' is named twice"),
        ("jul_gonu", {"suns": ["a1", "a1"]}, "suns: 'a1' is named twice"),
        ("quatri", {"crowns": ["b1", "b1"]}, "crowns: 'b1' is named twice"),
        ("breakthrough", {"suns": ["a1", "a1"]}, "suns: 'a1' is named twice"),
        ("breakthrough", {"suns": [["a1"]]}, "suns: there is no place"),
        ("penguin", {"penguins": ["b2", "b2"]}, "penguins: 'b2' is named twice"),
        ("tula", {"gone": ["4:4-4", "4:4-4"]}, "gone and present: '4:4-4' is named twice"),
        ("tula", {"mercy_used": 5}, "mercy_used must be true or false, not 5"),
        ("delegate_dash", {"order": ["N", "E", "N"]}, "order: 'north' is named twice"),
        ("decay", {"board": "S4@(0,0) bla"}, "board: there is no tile with its place 'bla'"),
        ("decay", {"board": "S4@(0,0) S4@(16,4)"}, "board: 'S4' is named twice"),
        ("dectana", {"hands": 5}, "hands must be an object"),
        ("dectana", {"hands": {"R": -3}}, "a hand that is no list of cards must be a number from 0 to"),
        ("dectana", {"hands": {"R": 10**6}}, "a hand that is no list of cards must be a number from 0 to"),
        ("dectana", {"hands": {"R": 70, "B": 70}}, "there are 72 cards for board, hands and discard, not 149"),
        ("dectana", {"to_act": "²"}, "to_act: no suit is called “²”"),
        ("dectana", {"stash": {"²": [1, 1, 1]}}, "stash: no suit is called “²”"),
        ("dectana", {"pyramids": 7}, "pyramids must be a list"),
        ("dectana", {"stash": {"R": 5}}, "stash must be a list of 3"),
        ("san_andreas", {"cities": ["M1@x2y14", "S1@x2y14"]}, "two cities or pawns are on x2y14"),
        ("san_andreas", {"cities": ["M1@x2y14"], "pawns": {"suns": [2, 14]}}, "two cities or pawns are on x2y14"),
        ("san_andreas", {"pawns": {"suns": [1, 14], "moons": [1, 14]}}, "two cities or pawns are on x1y14"),
        ("quatri", {"suns": [["a1"]]}, "suns: there is no place"),
        ("san_andreas", {"phase": "play"}, "phase must be one of begin, turn, roll, quake, score, not 'play'"),
        ("san_andreas", {"shifts": "zz"}, r"shifts must be a list, for example \[\[\"r2c1\", 3\]\], not 'zz'"),
        ("san_andreas", {"shifts": [["r2c1"]]}, "shifts must be a list of 2, .* not \\['r2c1'\\]"),
        ("dectana", {"stage": "play"}, "stage must be one of turn, enter, not 'play'"),
        ("fuji_san", {"layout": "easy", "phase": "rescue", "dice": [1]}, "dice must be a list of 4"),
        ("fuji_san", {"layout": "easy", "priests": {"S": []}}, "priests: there is no place"),
        ("san_andreas", {"cities": [{}]}, "cities: a city has a suit"),
        ("san_andreas", {"pawns": 7}, r"pawns must be an object, for example \{"),
        ("delegate_dash", {"hidden": {"gap": 1}}, "hidden: no coins are left on gap"),
        ("global_warming", {"phase": "play"}, "phase must be"),
        ("decay", {"board": "S4@(0,0)", "slid": ["S4", "S4"]}, "slid: 'S4' is named twice"),
        ("ice_floe", {"gone": 5}, "gone must be a list, for example"),
        ("global_warming", {"pawns": {"S": [2, 1]}, "phase": "play"}, "phase must be"),
    ],
)  # fmt: skip
def test_what_is_said(name: str, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        set_up_of(name, fields)


MICE = {"cheese": {"c3": "S0", "d4": "M1"}, "mice": {"S": "b2", "M": "g2", "C": "b7", "A": "g7"}}
ICE = {"pyramids": {"S-A": "a1"}}
DECAY = {"board": "S4@(0,0) M4@(16,4) Sa@(4,-16) Ma@(32,8)"}


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("ice_floe", {**ICE, "phase": "move", "votes": {"S": "5"}}, "votes says nothing in this position"),
        ("ice_floe", {**ICE, "phase": "bonus", "number": "5"}, "number says nothing in this position"),
        ("ice_floe", {**ICE, "phase": "number", "target": "S4"}, "target says nothing in this position"),
        ("ice_floe", {**ICE, "phase": "explode", "target": "S4", "torch": "S", "to_act": "M"}, "to_act: who holds"),
        ("four_blind_mice", {**MICE, "phase": "choose", "bids": {"0": 4}}, "bids says nothing in this position"),
        ("four_blind_mice", {**MICE, "phase": "bid", "target": "c3", "plan": ["SN"]}, "plan says nothing in this"),
        ("fuji_san", {"layout": "easy", "dice": [1, 2, 3, 4]}, "dice says nothing in this position"),
        ("penguin", {"penguins": ["b2", "c2"], "first_suit": "S"}, "first_suit says nothing in this position"),
        ("zombie", {"phase": "move", "moon": 3}, "moon says nothing in this position"),
        ("zombie", {"phase": "move", "opening": {"cell": "1:0"}}, "opening says nothing in this position"),
        ("zombie", {"breaking": True}, "breaking says nothing in this position"),
        ("dectana", {"stage": "enter", "use": {"suit": "waves"}}, "stage: who enters has no card in use"),
        ("delegate_dash", {"round": 3, "hidden": {"d7": 1}}, "hidden: no coins are left on d7 in round 3"),
        ("san_andreas", {"dice": {"Q": 3}}, "dice"),
        ("san_andreas", {"phase": "turn", "remaining": ["S"]}, "remaining: only in a quake"),
        ("delegate_dash", {"tiles": {"Q": "12345"}}, "tiles: there is no suit 'Q'"),
        ("delegate_dash", {"phase": "reveal", "roll": {"N": 3}}, "roll: in the phase reveal no dice lie"),
        ("delegate_dash", {"phase": "roll", "order": ["N"]}, "order: in the phase roll no dice lie"),
        (
            "delegate_dash",
            {"phase": "count", "pawns": {"N": "d5"}},
            "pawns: in the phase count every pawn is in the gap",
        ),
        ("delegate_dash", {"phase": "count", "round": 2}, "round: the convention comes after round 5"),
    ],
)
def test_nothing_is_passed_over(name: str, fields: dict[str, Any], says: str) -> None:
    """What a game does not look at in this phase is refused: who wrote it meant something."""
    alone = name in ("four_blind_mice", "fuji_san", "zombie")
    with pytest.raises(ValueError, match=says):
        set_up_of(name, fields, seats=None if alone else 4)


@pytest.mark.parametrize(
    ("name", "fields", "seats", "listed", "by_seat"),
    [
        (
            "ice_floe",
            {"pyramids": {"S-A": "b2", "M-A": "b3", "C-A": "c2"}},
            3,
            [7, 0, 3],
            [{"S": 7, "crowns": 3}, {"0": 7, "2": 3}],
        ),
        ("san_andreas", {}, 3, [7, 0, 3], [{"suns": 7, "C": 3}, {"0": 7, "2": 3}]),
        ("four_blind_mice", {}, 3, [2, 0, 1], [{"0": 2, "2": 1}]),
    ],
)
def test_scores_are_told_by_seat_or_as_a_list(
    name: str, fields: dict[str, Any], seats: Any, listed: list[int], by_seat: list[dict[str, int]]
) -> None:
    state = set_up_of(name, {**fields, "scores": listed}, seats=seats)
    assert list(game(name).outcome(state).scores) == listed
    assert all(set_up_of(name, {**fields, "scores": each}, seats=seats) == state for each in by_seat)
    for wrong in ([1], {"nobody": 1}, {"0": -1}, {"0": True}, 7):
        with pytest.raises(ValueError, match=r"^scores"):
            set_up_of(name, {**fields, "scores": wrong}, seats=seats)


def test_what_says_nothing_may_be_written() -> None:
    """Programs fill in every field; an empty one is no mistake."""
    plain = set_up_of("ice_floe", {**ICE, "phase": "move"})
    assert set_up_of("ice_floe", {**ICE, "phase": "move", "votes": {}, "number": None}) == plain
    assert set_up_of("zombie", {"phase": "move", "moon": 0, "breaking": False}) == set_up_of(
        "zombie", {"phase": "move"}
    )
    assert set_up_of("san_andreas", {"dice": {"S": 3}}).dice == set_up_of("san_andreas", {"dice": {"suns": 3}}).dice
    assert "3" in str(set_up_of("san_andreas", {"dice": {"S": 3}}).dice[0])


def test_what_was_done_in_a_turn_of_decay_is_kept() -> None:
    """A turn of which something is told has begun; it is not begun anew."""
    assert set_up_of("decay", {**DECAY, "phase": "pawn", "gains": ["M4"]}, seats=4).gains
    assert set_up_of("decay", {**DECAY, "phase": "pawn", "slid": ["M4"]}, seats=4).slid


def test_a_long_number_is_no_riddle() -> None:
    answer = Conversation(game("dodgem")).answer_line(f'{{"position": {{"off": [{"9" * 5000}, 0]}}}}')
    assert answer == {
        "ok": False,
        "error": "the number 999999999999... has 5000 digits; nothing here is counted so far",
    }
