"""The worked tests of Jul-Gonu, by their number, the laws in every variant, and the solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.engine.effects import EffectKind
from rules.engine.playout import perft
from rules.games import game
from rules.games.jul_gonu import solver
from rules.games.jul_gonu.opening import BOARD
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("jul_gonu")
PLAYER = Player(GAME)
refused, play = PLAYER.refused, PLAYER.play_line
OPTIONS = GAME.card.options_type
LONGEST_WIN = 53  # plies, with three coins on either side


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) or action.id for action in GAME.legal(state)}


def position(
    suns: str, crowns: str, to_act: str = "suns", options: dict[str, object] | None = None, **more: Any
) -> Any:
    fields = {"suns": suns.split(), "crowns": crowns.split(), "to_act": to_act, **more}
    return GAME.position(fields, OPTIONS(**(options or {})), ())


def captures(state: Any, text: str) -> set[str]:
    """The spaces whose coins the move takes."""
    assert refused(state, text) is None
    effects = GAME.apply(state, GAME.read(state, text)).effects
    return {e.source.name for e in effects if e.kind is EffectKind.REMOVE and e.source}


def test_1_first_moves() -> None:
    assert legal(GAME.start()) == {"a1-a2", "b1-b2", "c1-c2", "d1-d2"}


@pytest.mark.parametrize(
    ("number", "suns", "crowns", "to_act", "move", "taken"),
    [
        (2, "a2 c1", "b2 d4 a4", "suns", "c1-c2", "b2"),
        (3, "a3 d2", "b3 c3 a1", "suns", "d2-d3", "b3 c3"),
        (4, "a2 c2 d1", "b1 d4", "crowns", "b1-b2", ""),  # walking in between is safe (JULG-4.4)
        (5, "b2 d1", "a3 c2", "crowns", "a3-a2", "b2"),
        (6, "a2 c3 d1", "b2 c4 d4", "suns", "c3-c2", "b2"),
        (7, "a1 d4", "c1 a4", "crowns", "c1-b1", ""),
        (8, "a1 c2", "b1 b4", "suns", "c2-c1", "b1"),
        (9, "a2 c4 c1", "b2 c3 d4", "suns", "c1-c2", "b2 c3"),
        (14, "a2 d2", "b2", "suns", "d2-d3", ""),
        (0, "a1 c2", "b1", "suns", "c2-b2", ""),
    ],
)
def test_captures(number: int, suns: str, crowns: str, to_act: str, move: str, taken: str) -> None:
    assert captures(position(suns, crowns, to_act), move) == set(taken.split())


def test_10_three_captures_win() -> None:
    after = play(position("a2 c4 c1", "b2 c3 d4", captured=[2, 0]), "c1-c2")
    assert after.captured == (4, 0)
    outcome = GAME.outcome(after)
    assert (outcome.winners, outcome.clause) == ((0,), "JULG-5.1")


def test_11_shuttling_loses_on_the_third_move() -> None:
    state = play(GAME.start(), "a1-a2 d4-d3 a2-a1 d3-c3")
    second = GAME.apply(play(GAME.start(), "a1-a2 d4-d3"), GAME.read(state, "a2-a1")).effects[0]
    assert "shuttle" in second.facts
    outcome = GAME.outcome(play(state, "a1-a2"))
    assert (outcome.winners, outcome.clause) == ((1,), "JULG-5.2")


def test_another_move_in_between_is_no_shuttling() -> None:
    assert not play(GAME.start(), "a1-a2 d4-d3 a2-a1 d3-c3 d1-d2 c3-c2 a1-a2").end


def test_8_4_a_capture_resets_the_shuttle_count() -> None:
    last = {"suns": ["a1-a2", "a2-a1"]}
    board = ("a1 c1 c2", "b2 d4 a4")
    assert not play(position(*board, last=last), "a1-a2").end
    strict = play(position(*board, last=last, options={"strict_shuttle": True}), "a1-a2")
    assert strict.end == "shuttle"
    by_the_other = position("a1 c3 d1", "b3 a4 d4", "crowns", last=last)
    assert by_the_other.trails[0]
    assert captures(by_the_other, "d4-d3") == {"c3"}
    assert not play(by_the_other, "d4-d3 a1-a2").end


def test_13_a_blocked_side_can_only_pass() -> None:
    assert legal(position("a1", "a2 b1")) == {"pass"}
    assert position("a1", "a2 b1", options={"stalemate": "loses"}).winner == 1


def test_15_the_third_capture_comes_before_shuttling() -> None:
    last = {"suns": ["a1-a2", "a2-a1"]}
    state = position("a1 c1 c2", "b2 d4 a4", captured=[2, 0], last=last, options={"strict_shuttle": True})
    assert GAME.outcome(play(state, "a1-a2")).winners == (0,)


def test_5_3_the_third_repetition_is_a_draw() -> None:
    around = "a1-a2 a4-a3 b1-b2 b4-b3 a2-a1 a3-a4 b2-b1 b3-b4 "
    assert GAME.outcome(play(GAME.start(), around * 2)).drawn
    assert not play(GAME.start({"repetition_draw": 0}), around * 2).end


def test_5_3_both_sides_blocked() -> None:
    state = GAME.decode({**GAME.encode(position("a1", "a2 b1")), "passes": 1})
    assert GAME.outcome(GAME.advance(state, GAME.read(state, "pass"))).clause == "JULG-5.3"


def test_8_6_ko_forbids_restoring_the_position() -> None:
    state = play(GAME.start({"ko": True}), "a1-a2 a4-a3 a2-a1")
    assert refused(state, "a3-a4") == "JULG-8.6"
    assert "a3-a4" not in legal(state)
    assert not play(state, "d4-d3 a1-a2").end


def test_8_7_the_other_seat_may_begin() -> None:
    assert legal(GAME.start({"start_player": 1})) == {"a4-a3", "b4-b3", "c4-c3", "d4-d3"}


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        ("a1-b1", "JULG-4.1"),
        ("a1-b2", "JULG-4.1"),
        ("a1-a3", "JULG-4.1"),
        ("a1-a1", "JULG-4.1"),
        ("a2-a3", "JULG-4.1"),
        ("a4-a3", "JULG-3.3"),
        ("1:move(a4,a3)", "JULG-3.3"),
        ("move(a1,e1)", "JULG-2.1"),
        ("pass", "JULG-4.3"),
    ],
)
def test_refusals(action: str, clause: str) -> None:
    assert refused(GAME.start(), action) == clause


@pytest.mark.parametrize(
    "fields",
    [
        {"captured": [5]},
        {"last": {"suns": ["a1-c1"]}},
        {"last": ["a1"]},
        {"last": {"suns": "a1"}},
        {"suns": ["a4"]},
        {"suns": "a1"},
        {"suns": ["e1"]},
        {"to_act": "moons"},
        {"moons": []},
    ],
)
def test_a_position_says_what_is_wrong_with_it(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w{4}"):
        GAME.position(fields, OPTIONS(), ())


def test_captured_coins_lie_with_the_captor() -> None:
    layout = GAME.layout(play(position("a2 c1 d1 d2", "b2 d4 a4 b4"), "c1-c2"))
    assert [(p.piece.code, p.seat) for p in layout if p.zone == "spent"] == [("cC?", 0)]


def test_perft() -> None:
    assert [perft(GAME, GAME.start(), depth) for depth in range(6)] == [1, 4, 16, 124, 938, 6524]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"start_player": 1},
        {"stalemate": "loses"},
        {"strict_shuttle": True},
        {"ko": True},
        {"ko": True, "repetition_draw": 0},
        {"repetition_draw": 0},
    ],
)
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options, limit=40) for seed in range(2)) > 30


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 5))
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


@pytest.mark.full
def test_hints_win_what_can_be_won() -> None:
    values = solver.solution(3)
    key, left = max(values.items(), key=lambda item: (item[1], item[0]))
    suns, crowns = BOARD.places(key >> 16), BOARD.places(key & BOARD.full)
    state = position(" ".join(suns), " ".join(crowns), captured=[4 - len(crowns), 4 - len(suns)])
    assert left == solver.value(state) == LONGEST_WIN
    while not state.end:
        now = abs(solver.value(state) or 0)
        assert 0 < now <= left, "the loser may have to hurry, because shuttling loses at once"
        best = solver.hint(state)
        assert best
        state, left = GAME.advance(state, best), now - 1
    assert (left, state.winner) == (0, 0)
    assert solver.hint(state) is None


@pytest.mark.full
def test_the_solution_has_the_known_figures() -> None:
    start = GAME.start()
    assert solver.value(start) is None
    assert max(abs(value) for value in solver.solution(4).values()) == 57
    assert all(solver.value(GAME.advance(start, action)) is None for action in GAME.legal(start))
