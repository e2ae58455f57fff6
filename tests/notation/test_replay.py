"""Replays: a record is judged move by move, or shown table by table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rules.games import available, game
from rules.notation.errors import FileError
from rules.notation.reader import read_games
from rules.notation.replay import replay_file, replay_games
from rules.notation.writer import write_game
from tests.notation.playing import random_history
from tests.tiers import GAMES

EXAMPLES = Path(__file__).parent / "examples"
# Games in which every action shows on the table, so that nothing needs to be told besides.
OPEN_GAMES = sorted({"dodgem", "quatri", "jul_gonu"} & set(available()))
FUJISAN = """---
GameType:
  Name: Fujisan
  Coins: 554344221335/311400512200
...
1. a1-e1 2. n2-k2 3. k2-k1 4. n1-h1 5. e1-e2 6. k1-k2 7. k2-i2 8. i2-c2 9. a2-g2 10. e2-h2 11. g2-g1 12. c2-g2
"""

# All pyramids A to F in letter rounds, and four moves that break nothing.
ICE_FLOE = """---
GameType: Ice Floe
...
Roll. dS5@f11 dMa@k5 dC3@e0 dA2@(0,6)
Place. xn{S@h7,M@d5,C@j1,A@b1}; xa{S@d3,M@f3,C@j9,A@f9}; x2{S@b5,M@b9,C@h1,A@j3}; x3{S@h5,M@d9,C@d7,A@f1};
x4{S@h9,M@b3,C@d1,A@b7}; x5{S@h3,M@j7,C@f7,A@j5};
"""
CALM_MOVES = "?xSn-f7; ?xMn-b5; ?xCn-h1; ?xAn-d1"


def results(text: str, **how: bool) -> list[dict[str, Any]]:
    found = list(replay_games(read_games(text), **how))
    assert json.loads(json.dumps(found)) == found
    return found


def verdicts(found: list[dict[str, Any]]) -> list[str]:
    return [result["verdict"] for result in found if result["type"] == "move"]


def without_comments(text: str) -> str:
    return re.sub(r"\{[^}]*\}", "", text)


@pytest.mark.parametrize("id", GAMES)
def test_our_own_records_are_accepted_to_the_last_move(id: str) -> None:
    history = random_history(id, 3)
    found = results(write_game(history))
    assert set(verdicts(found)) <= {"setup", "opening", "accepted", "unchanged"}
    assert found[-1]["ok"]
    assert found[-1]["outcome"] == history.game.outcome(history.state).to_json()
    actions = [id for result in found if result["type"] == "move" for id in result.get("actions", [])]
    assert actions == [action.id for action in history.actions]


@pytest.mark.parametrize("id", OPEN_GAMES)
def test_actions_are_inferred_from_the_tables_alone(id: str) -> None:
    history = random_history(id, 4)
    found = results(without_comments(write_game(history)))
    assert set(verdicts(found)) == {"setup", "opening", "accepted"}
    assert found[-1]["outcome"] == history.game.outcome(history.state).to_json()


@pytest.mark.skipif("dodgem" not in available(), reason="Dodg'em is not there")
def test_a_move_against_the_rules_is_told_where_and_why() -> None:
    text = without_comments(write_game(random_history("dodgem", 1, 6)))
    lines = text.splitlines()
    assert lines[-3].startswith("2C. ")
    found = results("\n".join([*lines[:-3], "2C. f5-a6", *lines[-2:]]))
    assert verdicts(found)[-2:] == ["refused", "unjudged"]
    refused = next(result for result in found if result.get("verdict") == "refused")
    assert refused["label"] == "2C."
    assert refused["action"] == "move(f5,a6)"
    assert refused["refusal"]["clause"].startswith("DODG-")
    assert refused["differs"] == ["a coin of crowns goes from f5 to a6"]
    assert not found[-1]["ok"]


@pytest.mark.skipif("dodgem" not in available(), reason="Dodg'em is not there")
def test_two_quick_moves_in_one_picture_are_both_found() -> None:
    text = without_comments(write_game(random_history("dodgem", 1, 4)))
    joined = re.sub(r"\n1C\. ", " ", text)
    found = results(joined)
    first = next(result for result in found if result.get("label") == "1S.")
    assert first["actions"] == ["move(a1,b1)", "move(f6,e6)"]


@pytest.mark.parametrize(
    "game",
    ["Dodg'em", "{Name: Dodgem, Variant: schoessow}", "{Name: Dodgem, Nrows: 4}", "Quatri", "Julgonu", "Ice Floe"]
    + ["Four Blind Mice", "San Andreas", "The Penguin Game", "Tula", "Fujisan"],
)
def test_an_opening_of_the_format_is_recognised(game: str) -> None:
    """Also where other suits play than those that we propose."""
    found = results(f"---\nGameType: {game}\n...\n")
    assert verdicts(found)[0] == "opening"
    assert found[-1]["ok"]


def test_men_of_other_suits_stand_for_ours() -> None:
    """The format's Dodg'em is played by suns and arms."""
    found = results("---\nGameType: Dodg'em\n...\n1. a2-b2 1... c1-c2 2. a3-b4")
    assert verdicts(found) == ["opening", "accepted", "accepted", "refused"]
    assert [move.get("actions") for move in found[1:4]] == [None, ["move(a2,b2)"], ["move(c1,c2)"]]


@pytest.mark.skipif("fuji_san" not in available(), reason="Fuji-San is not there")
def test_a_puzzle_of_the_format_comes_out_with_its_length() -> None:
    found = results(FUJISAN)
    assert verdicts(found) == ["opening"] + ["accepted"] * 12
    assert found[-1]["outcome"]["winners"] == [0]
    assert list(found[-1]["scores"].values()) == [12]


@pytest.mark.skipif("fuji_san" not in available(), reason="Fuji-San is not there")
def test_a_priest_may_not_walk_on_air() -> None:
    found = results(FUJISAN.replace("3. k2-k1", "3. k2-n2"))
    refused = next(result for result in found if result.get("verdict") == "refused")
    assert refused["label"] == "3."
    assert refused["refusal"]["clause"].startswith("FUJI-")


def test_other_games_are_drawn_table_by_table() -> None:
    found = list(replay_file(EXAMPLES / "spaiji.ppn"))
    assert not found[0]["judged"]
    assert verdicts(found) == ["shown"] * 16
    assert found[-2]["diagram"].count("K") == 13
    assert found[-1] == {"game": 1, "type": "end", "judged": False, "tables": 16}


def test_an_error_in_a_record_ends_that_game_only() -> None:
    found = results("---\n...\n1. S@b2 2. *c3\n---\nEvent: second\n...\n1. M@a1")
    error = next(result for result in found if result["type"] == "error")
    assert (error["game"], error["label"], error["text"]) == (1, "2.", "*c3")
    assert [result["game"] for result in found if result["type"] == "end"] == [1, 2]


def test_a_record_that_cannot_be_read_to_its_end_is_not_in_order() -> None:
    found = results("---\nGameType: Dodg'em\n...\n1. a2-b2 2. *z9")
    assert [result["type"] for result in found[-2:]] == ["error", "end"]
    assert not found[-1]["ok"]


def test_a_record_under_other_rules_is_shown_and_not_judged() -> None:
    text = write_game(random_history("dodgem", 1, 2)).replace(f"dodgem@{game('dodgem').card.version}", "dodgem@99")
    found = results(text)
    assert not found[0]["judged"]
    assert verdicts(found) == ["shown"] * 4
    assert not found[-1]["ok"]
    assert "dodgem@99" in found[-1]["error"]
    assert "cannot judge" in found[-1]["error"]


def test_diagrams_can_be_asked_for() -> None:
    text = "---\n...\n1. t@(1.5,1.5) S@a1 4@b2"
    assert "(s)" in results(text)[-2]["diagram"]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileError):
        list(replay_file(EXAMPLES / "missing.ppn"))


def test_one_action_may_take_several_pictures() -> None:
    """A move whose weight breaks the floe one picture later."""
    found = results(ICE_FLOE + "Move. ?xS4-3L; ?xM3-f10; *4?Ca")
    assert found[-1]["ok"]
    moves = [result for result in found if result["type"] == "move"]
    assert moves[1]["actions"] == ["roll(S5+M1+C3+A2)"]
    assert moves[2]["actions"] == ["place(S-A,d4)"]
    assert [move["verdict"] for move in moves[-3:]] == ["accepted", "between", "accepted"]
    assert moves[-1]["actions"] == ["move(M-D,c5)"]


@pytest.mark.full
def test_what_a_coin_was_laid_down_for_is_known_when_the_tile_explodes() -> None:
    """Two coins lie before their owners and nobody says for which value; only one reading lets this tile explode."""
    sides = "pS@e11 dS5@f11; pM@k6; pC@f0; pA@(0,5);"
    voting = "?d{S~5,M~a,C~n,A~a} . 2@g0; a@d11; */cf; c5S@g11 c4S@k4 c3S@d0 cnC@(0,7);"
    found = results(ICE_FLOE.replace("dS5@f11", sides) + f"Move. {CALM_MOVES}; {voting} *2?Sn")
    moves = [result for result in found if result["type"] == "move"]
    assert [move["verdict"] for move in moves[-6:-2]] == ["accepted", "ambiguous", "ambiguous", "accepted"]
    assert [choice[-1] for choice in moves[-5]["choices"]] == [f"2:add_coin(2,{value})" for value in "015"]
    assert (moves[-1]["verdict"], moves[-1]["actions"]) == ("accepted", ["close_coins", "explode(d3)"])
    assert found[-1]["ok"]
    # Without the coins another value is the heaviest, and no reading lets that tile explode.
    assert not results((ICE_FLOE + f"Move. {CALM_MOVES}; {voting} *2?Sn").replace("2@g0; a@d11; */cf;", ""))[-1]["ok"]


@pytest.mark.skipif("penguin" not in available(), reason="Penguin is not there")
def test_what_lies_covered_is_learned_when_it_shows() -> None:
    """Nobody knows the coins beneath others; the deal is judged without them and the suits come with the melting."""
    history = random_history("penguin", 1)
    found = results(without_comments(write_game(history)))
    assert found[-1]["ok"]
    deal = next(result for result in found if result.get("label") == "Roll1.")
    assert "?" in deal["actions"][0]
