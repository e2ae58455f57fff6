"""Games that are solved exactly: hints for whoever plays alone, and what would have been better afterwards."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from companion_api.access import Role
from companion_api.study import study_of
from rules.engine.history import History
from rules.games import available, game, is_solved
from rules.games.quatri.solver import value
from tests.companion_api.phones import Server


def played(name: str, seed: int, options: dict[str, Any] | None = None) -> History:
    rng, history = random.Random(seed), History.begin(game(name), options)
    while not history.game.turn(history.state).is_over:
        history = history.play(history.game.sample(history.state, rng))
    return history


def test_which_games_are_solved() -> None:
    assert {name for name in available() if is_solved(name)} == {
        "fuji_san", "tula", "jul_gonu", "konane", "quatri", "four_blind_mice",
    }  # fmt: skip


def test_a_climb_is_compared_with_the_shortest() -> None:
    history = played("fuji_san", 3, {"layout": "easy", "stop_when_lost": True})
    solution = study_of(history)["solution"]
    assert solution["needed"] == 12
    assert solution["taken"] == history.game.outcome(history.state).scores[0]
    state = history.first
    while history.game.turn(state).seat is None:
        state = history.game.advance(state, next(iter(history.game.legal(state))))
    for step in solution["steps"][1:]:
        action = history.game.read(state, step["action"]["id"])
        assert history.game.refusal(state, action) is None
        state = history.game.advance(state, action)
        assert history.game.layout(state).to_json() == step["layout"]
    assert history.game.outcome(state).winners == (0,)


def test_a_temple_is_compared_with_the_line_that_leaves_fewest_tiles() -> None:
    for seed in (2, 3):
        history = played("tula", seed)
        rules, solution = history.game, study_of(history)["solution"]
        assert solution["counts"] == "left"
        assert solution["needed"] < solution["taken"] == rules.outcome(history.state).scores[0]
        turned = {code for entry in history.entries if entry.action.verb == "show" for code in entry.action.args[1:]}
        shown = [step["action"]["id"] for step in solution["steps"][1:] if step["action"]["verb"] == "show"]
        assert {id.rpartition(",")[2].rstrip(")") for id in shown} <= turned, "nobody could know another tile"
        assert solution["steps"][-1]["scores"] == [solution["needed"]]


def test_of_a_game_for_two_the_moves_are_told_that_gave_something_away() -> None:
    history = played("quatri", 1)
    told = study_of(history)
    assert told["solution"] is None
    assert told["better"], "random players give something away"
    for one in told["better"]:
        before = history.undo(len(history.entries) - one["index"]).state
        best = history.game.advance(before, history.game.read(before, one["actions"][0]["id"]))
        worth, after = value(before), value(best)
        assert (worth is not None and worth > 0) == (one["code"] == "win")
        assert history.game.turn(best).is_over or one["code"] == "draw" or (after is not None and after <= 0)


def test_the_shortest_route_of_a_mouse_is_told_for_each_cheese() -> None:
    routes = study_of(played("four_blind_mice", 2))["better"]
    assert routes
    assert {one["code"] for one in routes} == {"route"}


def test_whoever_plays_alone_has_hints_and_is_told_the_solution_afterwards(tmp_path: Path) -> None:
    with Server(tmp_path, "fuji_san", {"layout": "easy"}) as server:
        host, session = server.host(), server.session
        while not host.get("board")["hints"]:
            session.act("table", next(iter(session.game.legal(session.state))).id, expected=None, key=None)
        assert server.phone(Role.SPECTATOR).get("board")["hints"] is False
        assert host.ask(f"study/{session.table}").status_code == 403, "it is still played"
        while not session.game.turn(session.state).is_over:
            host.post("actions", action=host.get("hint")["id"])
        assert host.get("board")["hints"] is False
        assert host.ask("hint").status_code == 403
        solution = host.get(f"study/{session.table}")["solution"]
        assert (solution["needed"], solution["taken"]) == (12, 12)


def test_two_who_play_have_no_hints(tmp_path: Path) -> None:
    with Server(tmp_path, "quatri") as server:
        assert server.host().get("board")["hints"] is False
        assert server.host().ask("hint").status_code == 403


def test_what_cannot_be_studied_says_so(server: Server) -> None:
    assert server.host().ask("study/nowhere").status_code == 404
    session, rng = server.session, random.Random(1)
    assert server.host().ask(f"study/{session.table}").status_code == 403
    while not session.game.turn(session.state).is_over:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    assert server.host().ask(f"study/{session.table}").status_code == 404
    assert server.host().get(f"replay/{session.table}")["solved"] is False
