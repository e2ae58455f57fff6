"""The judge's conversation: every line gets one answer, whatever is in it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion_api.dialogue import Conversation
from companion_api.simulated.synthetic import Noise, anywhere, observe
from rules.games import game
from tests.tiers import GAMES

DODGEM = game("dodgem")


def ask(judge: Conversation, question: object) -> dict[str, Any]:
    answer = judge.answer_line(json.dumps(question))
    json.dumps(answer, allow_nan=False)
    return answer


def test_a_short_game() -> None:
    judge = Conversation(DODGEM)
    assert ask(judge, {"opening": True})["turn"]["seat"] == 0
    assert ask(judge, {"legal": "count"})["count"] == 6
    moved = ask(judge, {"action": "a1-b1"})
    assert [effect["kind"] for effect in moved["effects"]] == ["move", "turn"]
    refused = ask(judge, {"action": {"verb": "move", "from": "f2", "to": "c2"}})
    assert refused["refusal"]["clause"] == "DODG-4.4"
    assert refused["refusal"]["facts"]["files"] == 3
    assert ask(judge, {"undo": 1})["turn"]["seat"] == 0
    assert ask(judge, {"position": {"suns": ["d6"], "off": [4, 0]}})["ok"]
    assert ask(judge, {"action": "exit d6"})["outcome"]["winners"] == [0]
    assert ask(judge, {"action": "exit d6"})["refusal"]["code"] == "game_over"


def test_a_table_is_judged() -> None:
    judge = Conversation(DODGEM)
    after = DODGEM.advance(DODGEM.start(), DODGEM.read(DODGEM.start(), "a5-b5"))
    rng = random.Random(1)
    seen = observe(DODGEM.layout(after), anywhere(rng), rng, Noise(jitter=0.03))
    pieces = [
        {
            "kind": s.kind.value,
            "suit": s.best[0].value if s.best[0] else None,
            "value": None,
            "face": s.face.value if s.face else None,
            "position": [s.x, s.y],
            "angle_deg": s.angle,
            "confidence": 0.97,
        }
        for s in seen.sightings
    ]
    answer = ask(judge, {"table": pieces})
    assert (answer["verdict"], answer["action"]) == ("accepted", "move(a5,b5)")
    assert ask(judge, {"table": pieces})["verdict"] == "settled"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "xx",
        "[]",
        "7",
        "null",
        "{}",
        '{"legal": NaN}',
        '{"legal": true, "undo": 1}',
        '{"undo": "x"}',
        '{"undo": 99}',
        '{"undo": true}',
        '{"table": 5}',
        '{"table": [5]}',
        '{"table": [{"kind": "cow", "position": [0, 0]}]}',
        '{"table": [{"kind": "coin", "position": [1e999, 0]}]}',
        '{"position": []}',
        '{"position": {"suns": ["z9"]}}',
        '{"action": 5}',
        '{"action": {"verb": []}}',
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"x": "' + "y" * 2_000_000 + '"}',
    ],
    ids=range(22),
)
def test_odd_lines_get_one_error_and_the_conversation_goes_on(line: str) -> None:
    judge = Conversation(DODGEM)
    answer = judge.answer_line(line)
    assert answer["ok"] is False
    assert "\n" not in answer["error"]
    assert ask(judge, {"legal": "count"})["ok"]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_question = st.sampled_from(["opening", "position", "legal", "action", "preview", "layout", "table", "undo", "state"])


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_question, _json), max_size=4))
def test_any_question_is_answered(name: str, questions: list[tuple[str, Any]]) -> None:
    judge = Conversation(game(name))
    for key, value in questions:
        answer = ask(judge, {key: value})
        assert answer["ok"] in (True, False)
    assert ask(judge, {"outcome": True})["ok"]


def test_seats_are_called_by_their_names() -> None:
    judge = Conversation(game("four_blind_mice"), {"start_player": 0}, ["Ada", "Ben"])
    answer = judge.answer({"action": "1:place_cheese(c0,c3)"})
    assert answer["refusal"]["text"] == "it is not the turn of Ben: Ada is to act"
    suits = Conversation(game("dodgem")).answer({"action": "1:move(f2,e2)"})
    assert suits["refusal"]["text"] == "it is not the turn of crowns: suns is to act"
    nobody = Conversation(game("dodgem")).answer({"action": "9:pass"})
    assert nobody["refusal"]["text"] == "there is no seat 9 at this table; it has 0, 1"


def test_what_is_listed_drawn_and_done_calls_people_by_their_names() -> None:
    judge = Conversation(game("san_andreas"), None, ["Ada", "Ben"])
    assert "moons begins" in {each["text"] for each in ask(judge, {"legal": True})["legal"]}
    assert "\nsuns: 0 points" in ask(judge, {"diagram": True})["diagram"]
    mice = Conversation(game("four_blind_mice"), None, ["Ada", "Ben"])
    places = {"S": "b2", "M": "g2", "C": "b7", "A": "g7"}
    ask(mice, {"position": {"cheese": {}, "mice": places, "phase": "over", "scores": [4, 4]}})
    assert "Ada and Ben share the win" in ask(mice, {"action": "pass"})["refusal"]["facts"]["reason"]


def test_one_action_and_one_tile_are_not_counted_as_many() -> None:
    judge = Conversation(DODGEM)
    ask(judge, {"action": "a1-b1"})
    assert ask(judge, {"undo": 2})["error"] == "only one action can be undone, not 2"
    dealt = ask(Conversation(game("global_warming")), {"action": "deal_island(tS4)"})
    assert dealt["refusal"]["text"] == "one tile is named; the island has 24"


def test_the_outcome_calls_people_by_their_names() -> None:
    judge = Conversation(game("four_blind_mice"))
    mice = {"S": "b2", "M": "g2", "C": "b7", "A": "g7"}
    ask(judge, {"position": {"cheese": {}, "mice": mice, "phase": "over", "scores": [4, 4]}})
    assert "Player 1 and Player 2 share the win" in ask(judge, {"outcome": True})["outcome"]["reason"]


@pytest.mark.parametrize(
    ("name", "position", "action", "says"),
    [
        ("delegate_dash", {"hidden": {"d7": 1}, "phase": "reveal"}, "reveal(d7,2+3)", "one coin lies on d7, not 2"),
        ("delegate_dash", {"hidden": {"d7": 2}, "phase": "reveal"}, "reveal(d7,2)", "2 coins lie on d7, not 1"),
        (
            "global_warming",
            {"pawns": {"S": [2, 1], "M": [4, 0]}, "faces": {"S": "a"}},
            "arrange(S>3/2)",
            "one step cannot lead there",
        ),
    ],
)
def test_one_is_not_counted_as_many(name: str, position: dict[str, Any], action: str, says: str) -> None:
    judge = Conversation(game(name), None, 4)
    assert ask(judge, {"position": position})["ok"]
    assert says in ask(judge, {"action": action})["refusal"]["text"]
