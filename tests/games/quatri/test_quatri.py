"""The worked tests of Quatri, by their number, the laws in every variant, and the solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.engine.playout import perft, walk
from rules.games import game
from rules.games.quatri import solver
from rules.games.quatri.opening import BOARD, LINES
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("quatri")
PLAYER = Player(GAME)
refused, play = PLAYER.refused, PLAYER.play_line
LOST_LINE = "c1-c2 d1-c1 a1-a2 b1-b2 a2-a3 c4-c3 b4-c4 c1-b1 c2-d2 b1-a1"


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) or action.id for action in GAME.legal(state)}


def position(options: dict[str, object] | None = None, **fields: object) -> Any:
    lists = {name: str(value).split() if name != "to_act" else value for name, value in fields.items()}
    return GAME.position(lists, GAME.card.options_type(**(options or {})), ())


def test_1_first_moves() -> None:
    assert legal(GAME.start()) == {"a1-a2", "c1-c2", "b4-b3", "d4-d3"}


@pytest.mark.parametrize(
    ("number", "before", "action", "clause"),
    [
        (2, "", "a1-b1", "QUAT-4.1"),
        (3, "", "a1-b2", "QUAT-4.3"),
        (5, "", "1:move(b1,b2)", "QUAT-3.4"),
        (5, "", "b1-b2", "QUAT-3.4"),
        (13, "c1-c2 d1-d2", "a1-c1", "QUAT-4.1"),
        (0, "", "a1-a1", "QUAT-4.1"),
        (0, "", "a2-a3", "QUAT-4.1"),
        (0, "", "pass", "QUAT-4.3"),
        (0, "", "move(e1,e2)", "QUAT-2.1"),
    ],
)
def test_refusals(number: int, before: str, action: str, clause: str) -> None:
    assert refused(play(GAME.start(), before), action) == clause


@pytest.mark.parametrize(
    ("number", "suns", "action", "line"),
    [(6, "a2 b2 c1 d4", "c1-c2", "a2 b2 c2"), (7, "a1 b2 d3 d4", "d3-c3", "a1 b2 c3")],
)
def test_a_line_wins(number: int, suns: str, action: str, line: str) -> None:
    state = position(suns=suns, crowns="b1 d1 a4 c4")
    step = GAME.apply(state, GAME.read(state, action))
    assert GAME.outcome(step.state).winners == (0,)
    assert step.effects[-1].facts["line"] == line.split()


def test_9_a_blocked_side_can_only_pass() -> None:
    state = position(suns="a1 b1 a2 b2", crowns="c1 c2 a3 b3")
    assert legal(state) == {"pass"}
    after = GAME.apply(state, GAME.read(state, "pass")).state
    assert GAME.turn(after).seat == 1


def test_8_2_a_blocked_side_may_lose() -> None:
    state = position({"stalemate": "loses"}, suns="a1 b1 a2 b2", crowns="c1 c2 a3 b3")
    assert GAME.outcome(state).winners == (1,)
    assert GAME.outcome(state).clause == "QUAT-8.2"
    before = position({"stalemate": "loses"}, suns="a1 b1 a2 b2", crowns="c1 d2 a3 b3", to_act="crowns")
    assert GAME.outcome(play(before, "d2-c2")).winners == (1,)


def test_10_crowns_wins_the_known_line() -> None:
    state = play(GAME.start(), LOST_LINE)
    assert GAME.outcome(state).winners == (1,)
    assert "a1, b2, c3" in GAME.outcome(state).reason


def test_11_the_same_line_two_plies_earlier() -> None:
    state = play(GAME.start(), " ".join(LOST_LINE.split()[:8]))
    assert [set(BOARD.places(own)) for own in state.coins] == [
        {"a3", "c4", "c2", "d4"},
        {"b1", "b2", "c3", "a4"},
    ]
    assert not state.end


def test_14_there_are_24_lines() -> None:
    assert len(set(LINES)) == 24


def test_5_3_the_third_repetition_is_a_draw() -> None:
    there_and_back = "a1-a2 b1-b2 a2-a1 b2-b1 "
    state = play(GAME.start(), there_and_back * 2)
    assert GAME.outcome(state).drawn
    assert not GAME.turn(play(GAME.start({"repetition_draw": 0}), there_and_back * 2)).is_over


def test_5_3_both_sides_blocked() -> None:
    state = GAME.decode({**GAME.encode(position(suns="a1 b1 a2 b2", crowns="c1 c2 a3 b3")), "passes": 1})
    assert GAME.outcome(GAME.advance(state, GAME.read(state, "pass"))).drawn


def test_seats_may_have_other_suits() -> None:
    state = GAME.start(None, ["moons", "arms"])
    assert {p.piece.suit for p in GAME.layout(state) if p.piece.suit} == {"moons", "arms"}


def test_a_position_says_what_is_wrong_with_it() -> None:
    for name, value in (("suns", "z9"), ("suns", "b1"), ("moons", "a1"), ("to_act", "arms")):
        with pytest.raises(ValueError, match=r"no place|two coins|to_act|quatri"):
            position(None, **{name: value})


def test_perft() -> None:
    assert [perft(GAME, GAME.start(), depth) for depth in range(6)] == [1, 4, 22, 150, 970, 7092]


@pytest.mark.parametrize("options", [{}, {"mirror": True}, {"stalemate": "loses"}, {"repetition_draw": 0}])
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options, limit=40) for seed in range(3)) > 30


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 3))
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


def test_the_solution_has_the_known_figures() -> None:
    start = GAME.start()
    values = solver.solution(4, 4, "pass")
    assert solver.value(start) is None
    assert max(abs(value) for value in values.values()) == 22
    first = {"-".join(a.args): solver.value(GAME.advance(start, a)) for a in GAME.legal(start)}
    assert first == {"a1-a2": None, "d4-d3": None, "c1-c2": 9, "b4-b3": 9}


def test_hints_win_what_can_be_won() -> None:
    state = play(GAME.start(), "c1-c2")
    for left in range(9, 0, -1):
        assert abs(solver.value(state) or 0) == left
        best = solver.hint(state)
        assert best
        state = GAME.advance(state, best)
    assert GAME.outcome(state).winners == (1,)
    assert solver.hint(state) is None


def test_positions_that_look_alike_are_one() -> None:
    for seed in range(5):
        for state, _ in walk(GAME, seed):
            own, other = state.coins
            mirrored = [sum(1 << (bit ^ 3) for bit in range(16) if spaces >> bit & 1) for spaces in (own, other)]
            assert BOARD.canonical(own, other) == BOARD.canonical(mirrored[0], mirrored[1])
