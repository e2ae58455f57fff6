"""Records as JSON and score sheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_api.commands.games import result_word
from rules.engine import Effect, EffectKind
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.notation.errors import RecordError
from rules.notation.record import history_of, read_record, record_of, score_sheet, write_record
from rules.notation.writer import write_game
from tests.games.decay.boards import ROW, position
from tests.notation.playing import random_history
from tests.tiers import GAMES


@pytest.mark.parametrize("id", GAMES)
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(0, 10_000))
def test_a_record_can_be_taken_back(id: str, seed: int) -> None:
    history = random_history(id, seed)
    again = read_record(write_record(history, {"Event": "Übung"}))
    assert again.actions == history.actions
    assert again.state == history.state


def test_a_record_tells_everything() -> None:
    record = record_of(random_history("dodgem", 1, 2), {"Event": "Club"})
    assert record["game"] == {"id": "dodgem", "name": "Piecepack Dodg'em", "rules": game("dodgem").card.version}
    assert record["tags"] == {"Event": "Club"}
    assert [seat["suit"] for seat in record["seats"]] == ["suns", "crowns"]
    first = record["actions"][0]
    assert (first["number"], first["id"], first["seat"], first["text"]) == (1, "move(a1,b1)", 0, "a1 to b1")
    assert first["effects"][0]["kind"] == "move"


def changed(**values: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: {**record, **values}


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (changed(format="chess"), RecordError, "not one of our records"),
        (changed(version=99), RecordError, "version 99"),
        (changed(game={"id": "go", "rules": 1}), RecordError, "no game 'go'"),
        (changed(game={"id": "dodgem", "rules": 7}), RecordError, "version 7 of the rules.* cannot"),
        (changed(game=3), RecordError, "must be an object"),
        (changed(first={"coins": 1}), RecordError, "impossible position"),
        (changed(seats=["suns"] * 9), RecordError, "players"),
        (changed(actions="all"), RecordError, "must be a list"),
        (changed(actions=[{"id": "move(a1,f6)"}]), RecordError, r"action 1, move\(a1,f6\)"),
        (changed(actions=[{"id": "((("}]), RecordError, "action 1"),
        (changed(outcome={"over": True}), RecordError, "does not end as"),
    ],
)
def test_what_is_wrong_with_a_record(change: Any, error: type[Exception], says: str) -> None:
    record = json.loads(write_record(random_history("dodgem", 1, 2)))
    with pytest.raises(error, match=says):
        history_of(change(record))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000])
def test_nonsense_is_no_record(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(text)


def rows(history: History) -> list[list[str]]:
    return list(csv.reader(io.StringIO(score_sheet(history))))


def test_the_score_sheet_counts_along() -> None:
    history = random_history("dodgem", 1, 500)
    table = rows(history)
    assert table[0] == ["number", "player", "action", "text", "Suns", "Crowns"]
    assert table[1] == ["1", "Suns", "move(a1,b1)", "a1 to b1", "0", "0"]
    assert len(table) == len(history.entries) + 2
    assert table[-1][0] == "end"
    assert table[-1][4:] == [str(score) for score in history.game.outcome(history.state).scores]


def test_a_name_is_no_formula() -> None:
    history = random_history("dodgem", 1, 1)
    sheet = rows(History.begin(history.game, None, ["=1+1", "Bea"]).play(history.actions[0]))
    assert sheet[0][4:] == ["'=1+1", "Bea"]


def agreed_draw() -> History:
    state = position(ROW, out=["C", "A"], pawns={"S": "Sn", "M": "Aa"})
    history = History(game("decay"), state, (), {}, 4)
    return history.play(parse_action("offer_draw")).play(parse_action("accept_draw"))


def test_a_draw_is_nobodys_win() -> None:
    history = agreed_draw()
    assert history.game.outcome(history.state).drawn
    *_, end = rows(history)
    assert end[:4] == ["end", "", "", "Suns and Moons agreed on a draw"]
    assert "Result: Suns and Moons agreed on a draw" in write_game(history)
    assert result_word(history.game.outcome(history.state), "SM".__getitem__) == "a draw of S and M"


def test_what_an_old_record_does_not_say_of_its_end_is_not_missed() -> None:
    data = record_of(agreed_draw())
    del data["outcome"]["drawn"]
    assert history_of(data).state
    data["outcome"]["winners"] = [0]
    with pytest.raises(RecordError, match="does not end as"):
        history_of(data)


def test_the_score_sheet_and_the_comments_call_people_by_their_names() -> None:
    history = History.begin(game("san_andreas"), None, ["Ada", "Ben"])
    begun = history.play(parse_action("begin(1)"))
    assert ",Ben begins," in score_sheet(begun)
    scored = replace(begun.entries[0], effects=(Effect(EffectKind.SCORE, seat=1, amount=3),))
    assert "{ begin(1); Ben scores 3 }" in write_game(replace(begun, entries=(scored,)))
