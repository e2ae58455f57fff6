"""Breakthrough clause by clause, against a second way to count, and the laws in every variant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.effects import EffectKind
from rules.engine.playout import perft, play_out
from rules.games import game
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("breakthrough")
PLAYER = Player(GAME)
refused = PLAYER.refused
Side = frozenset[tuple[int, int]]


def position(**fields: object) -> Any:
    lists = {name: str(value).split() if name != "to_act" else value for name, value in fields.items()}
    return GAME.position({"suns": [], "moons": [], "crowns": [], "arms": []} | lists, GAME.card.options_type(), ())


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) for action in GAME.legal(state)}


def test_the_second_rank_begins() -> None:
    assert len(legal(GAME.start())) == 16
    assert legal(GAME.start({"ranks": 1})) >= {"a1-a2", "a1-b2", "f1-f2", "f1-e2"}


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        ("c3-c4", "BRKT-4.3"),
        ("c3-b4", None),
        ("c3-d4", "BRKT-4.1"),
        ("c3-b3", "BRKT-4.4"),
        ("c3-c2", "BRKT-4.4"),
        ("c3-c3", "BRKT-4.4"),
        ("c3-c5", "BRKT-4.1"),
        ("c3-e4", "BRKT-4.1"),
        ("c4-c3", "BRKT-3.3"),
        ("a1-a2", "BRKT-4.1"),
        ("move(g1,g2)", "BRKT-2.1"),
        ("1:move(c4,b3)", "BRKT-3.3"),
    ],
)
def test_refusals(action: str, clause: str | None) -> None:
    state = position(suns="c3 d4", moons="f2", crowns="c4 b4", arms="e6")
    assert refused(state, action) == clause
    assert (action in legal(state)) == (clause is None)


def test_crowns_goes_down_the_board() -> None:
    assert legal(position(suns="c3", crowns="d4", to_act="crowns")) == {"d4-d3", "d4-c3", "d4-e3"}


def test_a_capture_is_told_and_leaves_the_board() -> None:
    state = position(moons="c3", arms="d4 f6")
    step = GAME.apply(state, GAME.read(state, "c3xd4"))
    assert [effect.kind for effect in step.effects] == [EffectKind.REMOVE, EffectKind.MOVE, EffectKind.TURN]
    taken = [placed for placed in GAME.layout(step.state) if placed.key.startswith("arms-taken")]
    assert {placed.seat for placed in taken} == {0}
    assert [placed.place for placed in GAME.layout(step.state) if placed.key == "moons@d4"] == ["d4"]


@pytest.mark.parametrize(
    ("fields", "action", "winner", "clause"),
    [
        ({"suns": "b5", "crowns": "f3"}, "b5-b6", 0, "BRKT-5.1"),
        ({"suns": "b5", "crowns": "f2", "to_act": "crowns"}, "f2-e1", 1, "BRKT-5.1"),
        ({"moons": "b3", "arms": "c4"}, "b3-c4", 0, "BRKT-5.2"),
    ],
)
def test_how_it_ends(fields: dict[str, str], action: str, winner: int, clause: str) -> None:
    state = position(**fields)
    after = GAME.apply(state, GAME.read(state, action)).state
    outcome = GAME.outcome(after)
    assert (outcome.over, outcome.winners, outcome.clause) == (True, (winner,), clause)
    assert not legal(after)


@pytest.mark.parametrize(
    "fields",
    [
        {"suns": "a1", "arms": "a1"},
        {"suns": "c3", "moons": "c3", "crowns": "c3"},
        {"suns": "a7"},
        {"to_act": "moons"},
        {"cats": "a1"},
        {"moons": "a1 a2 a3 a4 a5 b1 b2"},
    ],
)
def test_positions_that_cannot_be(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"breakthrough|coins|to_act|list|place"):
        position(**fields)


def test_somebody_always_wins() -> None:
    results = [play_out(GAME, seed) for seed in range(40)]
    assert all(result.finished and len(result.outcome.winners) == 1 for result in results)


def _count(mover: Side, other: Side, up: int, depth: int) -> int:
    """The same rules once more, with sets of spaces and nothing shared with the game."""
    ended = not mover or any(rank == (0 if up > 0 else 5) for _, rank in other)
    if depth == 0 or ended:
        return 1
    return sum(
        _count(other - {goal}, mover - {start} | {goal}, -up, depth - 1) for start, goal in _ways(mover, other, up)
    )


def _ways(mover: Side, other: Side, up: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for file, rank in mover:
        for across in (-1, 0, 1):
            goal = (file + across, rank + up)
            blocked = goal in mover or (across == 0 and goal in other)
            if 0 <= goal[0] < 6 and not blocked:
                yield (file, rank), goal


def test_perft() -> None:
    south = frozenset((file, rank) for file in range(6) for rank in (0, 1))
    north = frozenset((file, rank) for file in range(6) for rank in (4, 5))
    found = [perft(GAME, GAME.start(), depth) for depth in range(5)]
    assert found == [1, 16, 256, 4308, 71478]
    assert found[:4] == [_count(south, north, 1, depth) for depth in range(4)]


@pytest.mark.parametrize("fields", [{"suns": "b5 c3", "moons": "d4", "crowns": "e5 c5", "arms": "d2 b2"}])
def test_perft_amid_captures_and_ends(fields: dict[str, str]) -> None:
    def side(*suits: str) -> Side:
        return frozenset((ord(p[0]) - 97, int(p[1]) - 1) for suit in suits for p in fields[suit].split())

    south, north = side("suns", "moons"), side("crowns", "arms")
    for depth in range(5):
        assert perft(GAME, position(**fields), depth) == _count(south, north, 1, depth)


@pytest.mark.parametrize("options", [{}, {"ranks": 1}])
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options) for seed in range(3)) > 20


def test_playthrough() -> None:
    check_playthrough(Path(__file__).with_name("playthrough.txt"), transcript(GAME, by_luck(GAME, 3)))


def test_nobody_may_pass() -> None:
    refusal = GAME.refusal(GAME.start(), parse_action("pass"))
    assert refusal is not None
    assert (refusal.clause, refusal.text) == ("BRKT-4.4", "nobody may pass")
