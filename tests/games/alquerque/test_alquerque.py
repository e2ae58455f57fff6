"""Alquerque clause by clause, against a second way to count, and the laws in every variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.engine.effects import EffectKind
from rules.engine.playout import perft, play_out
from rules.games import game
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("alquerque")
PLAYER = Player(GAME)
refused = PLAYER.refused
Point = tuple[int, int]
Side = frozenset[Point]
NO_COINS: dict[str, list[str]] = {"suns": [], "moons": [], "crowns": [], "arms": []}


def position(options: Mapping[str, object] | None = None, /, **fields: Any) -> Any:
    lists = {name: value.split() if name in NO_COINS else value for name, value in fields.items()}
    return GAME.position(NO_COINS | lists, GAME.card.options_type(**(options or {})), ())


def legal(state: Any) -> set[str]:
    return {("x" if action.verb == "capture" else "-").join(action.args) for action in GAME.legal(state)}


def test_one_point_is_empty_at_the_start() -> None:
    """Diagonals lead to the middle (ALQU-2.2, ALQU-3.2)."""
    assert legal(GAME.start()) == {"b2-c3", "c2-c3", "d2-c3", "d3-c3"}


def test_diagonals_lead_only_from_every_other_point() -> None:
    assert legal(position(suns="b2", crowns="e5")) == {
        f"b2-{to}" for to in ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")
    }
    assert legal(position(suns="b1", crowns="e5")) == {"b1-a1", "b1-c1", "b1-b2"}


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("c1-c2", None),
        ("c1-e1", "ALQU-4.2"),
        ("c1-c3", "ALQU-4.2"),
        ("move(c1,e2)", "ALQU-2.2"),
        ("move(d2,e1)", "ALQU-4.1"),
        ("c1-b1", "ALQU-2.1"),
        ("capture(c1,b3)", "ALQU-4.2"),
        ("capture(c1,a1)", "ALQU-2.1"),
        ("e5-e4", "ALQU-3.3"),
        ("move(c1,c0)", "ALQU-2.1"),
        ("capture(f1,c0)", "ALQU-2.1"),
        ("capture(a5,c5)", "ALQU-4.1"),
        ("pass", "ALQU-4.5"),
        ("1:move(e5,e4)", "ALQU-3.3"),
    ],
)
def test_refusals(text: str, clause: str | None) -> None:
    state = position(suns="c1 b1 a1", crowns="e5")
    assert refused(state, text) == clause


def test_who_can_capture_must_with_any_coin() -> None:
    state = position(suns="c1 a2", crowns="c2 b2")
    assert legal(state) == {"c1xc3", "c1xa3"}
    assert refused(state, "a2-a3") == "ALQU-4.3"
    step = GAME.apply(state, GAME.read(state, "c1xc3"))
    assert [effect.kind for effect in step.effects[:2]] == [EffectKind.MOVE, EffectKind.REMOVE]
    taken = [placed for placed in GAME.layout(step.state) if placed.key.startswith("crowns-taken")]
    assert {placed.seat for placed in taken} == {0}


def test_a_coin_goes_on_capturing_and_no_other() -> None:
    state = position(suns="c1 e1", arms="c2 d3 e2 a5")
    state = GAME.apply(state, GAME.read(state, "c1xc3")).state
    assert (GAME.turn(state).seat, GAME.turn(state).phase) == (0, "capturing")
    assert legal(state) == {"c3xe3"}
    assert refused(state, "e1xe3") == "ALQU-4.4"
    assert refused(state, "e1-d1") == "ALQU-4.4"
    state = GAME.apply(state, GAME.read(state, "c3xe3")).state
    assert (GAME.turn(state).seat, GAME.turn(state).phase) == (1, "moving"), "behind e2 lies a coin of suns"


def test_backward_is_a_variant_for_moves_and_never_for_captures() -> None:
    fields: dict[str, Any] = {"suns": "c3", "crowns": "e5"}
    assert "c3-c2" in legal(position(**fields))
    forward = position({"backward": False}, **fields)
    assert legal(forward) == {f"c3-{to}" for to in ("b3", "d3", "b4", "c4", "d4")}
    assert refused(forward, "c3-b2") == "ALQU-9.1"
    assert legal(position({"backward": False}, **fields, to_act="crowns")) == {"e5-d5", "e5-e4", "e5-d4"}
    assert legal(position({"backward": False}, suns="c3", crowns="c2 a5")) == {"c3xc1"}


@pytest.mark.parametrize(
    ("fields", "text", "winners", "clause"),
    [
        ({"suns": "c1", "crowns": "c2"}, "c1xc3", (0,), "ALQU-5.1"),
        ({"suns": "a2 b1 b2 c1 c3 a4", "crowns": "a1"}, "a4-a3", (0,), "ALQU-5.2"),
        ({"suns": "a1", "crowns": "e5", "quiet": 39}, "a1-a2", (), "ALQU-5.3"),
    ],
)
def test_how_it_ends(fields: dict[str, Any], text: str, winners: tuple[int, ...], clause: str) -> None:
    state = position(**fields)
    after = GAME.apply(state, GAME.read(state, text)).state
    outcome = GAME.outcome(after)
    assert (outcome.over, outcome.winners, outcome.clause) == (True, winners, clause)
    assert not legal(after)


def test_a_capture_begins_the_quiet_turns_anew() -> None:
    state = position(suns="c1", crowns="c2 e5", quiet=39)
    after = GAME.apply(state, GAME.read(state, "c1xc3")).state
    assert (after.quiet, GAME.outcome(after).over) == (0, False)


@pytest.mark.parametrize(
    "fields",
    [
        {"suns": "a1", "arms": "a1"},
        {"suns": "c3", "moons": "c3", "crowns": "c3"},
        {"suns": "a6"},
        {"to_act": "moons"},
        {"cats": "a1"},
        {"moons": "a1 a2 a3 a4 a5 b1 b2"},
        {"quiet": 40},
        {"suns": "c1", "crowns": "e5", "capturing": "c1"},
        {"suns": "c1", "crowns": "e5", "capturing": "e5"},
    ],
)
def test_positions_that_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"alquerque|coins|to_act|list|quiet|capturing|place"):
        position(**fields)


def test_a_position_in_the_middle_of_captures() -> None:
    assert legal(position(suns="c1 e1", crowns="c2 e2", capturing="c1")) == {"c1xc3"}


def test_every_game_ends() -> None:
    assert all(play_out(GAME, seed).finished for seed in range(40))


def _ways(mover: Side, other: Side, only: Point | None) -> Iterator[tuple[Point, Point, Point | None]]:
    """From, to and captured, by the rulebook, with pairs of numbers and nothing shared with the game."""
    steps: list[tuple[Point, Point, Point | None]] = []
    jumps: list[tuple[Point, Point, Point | None]] = []
    for x, y in [only] if only else mover:
        for right in (-1, 0, 1):
            for up in (-1, 0, 1):
                diagonal = right != 0 and up != 0
                if (right, up) == (0, 0) or (diagonal and (x + y) % 2):
                    continue
                near, far = (x + right, y + up), (x + 2 * right, y + 2 * up)
                if _free(near, mover, other):
                    steps.append(((x, y), near, None))
                elif near in other and _free(far, mover, other):
                    jumps.append(((x, y), far, near))
    yield from jumps or ([] if only else steps)


def _free(point: Point, mover: Side, other: Side) -> bool:
    return 0 <= point[0] < 5 and 0 <= point[1] < 5 and point not in mover | other


def _count(mover: Side, other: Side, depth: int, only: Point | None = None) -> int:
    if depth == 0:
        return 1
    total = 0
    for start, goal, captured in _ways(mover, other, only):
        mine, theirs = mover - {start} | {goal}, other - {captured}
        goes_on = captured is not None and any(True for _ in _ways(mine, theirs, goal))
        total += _count(mine, theirs, depth - 1, goal) if goes_on else _count(theirs, mine, depth - 1)
    return total if total or only else 1


def _points(names: str) -> Side:
    return frozenset((ord(name[0]) - 97, int(name[1]) - 1) for name in names.split())


SOUTH, NORTH = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 d3 e3", "a5 b5 c5 d5 e5 a4 b4 c4 d4 e4 a3 b3"


@pytest.mark.parametrize(
    ("south", "north", "depth"),
    [(SOUTH, NORTH, 7), ("a1 c1 b2 d2 e3", "b4 c3 d4 e5 a3", 4), ("a1 c1", "b4 c3 d4", 5)],
)
def test_perft(south: str, north: str, depth: int) -> None:
    suns, moons = south.split()[:6], south.split()[6:]
    crowns, arms = north.split()[:6], north.split()[6:]
    state = position(suns=" ".join(suns), moons=" ".join(moons), crowns=" ".join(crowns), arms=" ".join(arms))
    found = [perft(GAME, state, ply) for ply in range(depth)]
    assert found == [_count(_points(south), _points(north), ply) for ply in range(depth)]


@pytest.mark.parametrize("options", [{}, {"backward": False}])
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options) for seed in range(3)) > 20


def test_playthrough() -> None:
    check_playthrough(Path(__file__).with_name("playthrough.txt"), transcript(GAME, by_luck(GAME, 3)))
