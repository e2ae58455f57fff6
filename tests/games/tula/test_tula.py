"""The worked tests of Tula, by their number, and the laws in every variant."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rules.engine.card import SetupError
from rules.engine.playout import perft
from rules.games import game
from rules.games.tula.temple import SETUPS, bits, temple
from rules.pieces.piece import TILES
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("tula")
PLAYER = Player(GAME)
refused, play = PLAYER.refused, PLAYER.play
OPTIONS = GAME.card.options_type
FIVE = "2:2-6 2:6-6 2:2-4 2:6-4 2:4-2"
WINNABLE = "".join(piece.code[1:] for piece in TILES)
PERFT = [1, 2, 2, 4, 6, 12, 26]


def at(setup: str = "original", options: Any = None, **fields: object) -> Any:
    given = {name: value.split() if isinstance(value, str) else value for name, value in fields.items()}
    return GAME.position(given, OPTIONS(setup=setup, **(options or {})), ())


def reveals(state: Any) -> set[str]:
    return {action[0] for action in GAME.legal(state) if action.verb == "reveal"}


@pytest.mark.parametrize(
    ("number", "gone", "expected"),
    [
        (1, "", "4:4-4"),
        (2, "4", "3:3-5 3:5-5 3:4-3"),
        (5, "4 3", FIVE),
        (7, "4 3 2:2-6 2:6-6", "2:2-4 2:6-4 2:4-2 2:4-6 1:1-7 1:7-7"),
        (9, "4 3 2:2-6 2:6-6 2:4-2", "2:2-4 2:6-4 2:4-6 1:1-7 1:7-7 1:4-1"),
        (10, "4 3 2", "1:1-7 1:7-7 1:1-3 1:7-3 1:4-1"),
        (11, "4 3 2 1:1-7", "1:3-7 1:1-5 1:7-7 1:1-3 1:7-3 1:4-1"),
    ],
)
def test_reveals(number: int, gone: str, expected: str) -> None:
    assert reveals(at(gone=gone)) == set(expected.split())


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ("original", "4:4-4"),
        ("variant1", "3:3-3 3:7-3"),
        ("variant2", "2:7-10 2:2-6 2:12-6 2:7-2 3:5-7 3:9-7 3:5-5 3:9-5"),
        ("variant3", "3:6-8 3:6-2 4:4-5 4:8-5"),
        ("variant4", "2:2-4 2:14-4 3:5-5 3:11-5 3:5-3 3:11-3 4:8-4"),
    ],
)
def test_19_and_3_5_what_can_be_revealed_at_the_start(setup: str, expected: str) -> None:
    assert reveals(GAME.start({"setup": setup})) == set(expected.split())


@pytest.mark.parametrize(
    ("setup", "counts"),
    [
        ("original", [13, 7, 3, 1]),
        ("variant1", [13, 8, 3]),
        ("variant2", [28, 16, 4]),
        ("variant3", [20, 15, 10, 3]),
        ("variant4", [24, 15, 8, 1]),
    ],
)
def test_3_5_the_temples_stand(setup: str, counts: list[int]) -> None:
    built = temple(setup)
    assert [built.layer(layer).bit_count() for layer in range(1, built.layers + 1)] == counts
    cells: dict[int, set[tuple[int, int]]] = {layer: set() for layer in range(1, built.layers + 1)}
    for spot in built.spots:
        square = {(spot.x + dx, spot.y + dy) for dx in (-1, 0) for dy in (-1, 0)}
        assert not square & cells[spot.layer], "tiles of a layer overlap"
        cells[spot.layer] |= square
    assert all(cells[layer + 1] <= cells[layer] for layer in range(1, built.layers))


@pytest.mark.parametrize(
    ("number", "fields", "action", "clause"),
    [
        (3, {"gone": "4"}, "reveal 2:(2,6)", "TULA-4.2"),
        (6, {"gone": "4 3"}, "reveal 2:(4,6)", "TULA-2.5"),
        (13, {"gone": "4 3", "stack": "A5", "face_up": {"2:2-6": "A3"}}, "remove 2:2-6", None),
        (14, {"gone": "4 3", "stack": "A5"}, "remove 2:2-6", "TULA-8.4"),
        (19, {"setup": "variant1"}, "reveal 3:5-3", "TULA-2.5"),
        (0, {"gone": "4", "stack": "A5", "face_up": {"3:3-5": "S3"}}, "remove 3:3-5", "TULA-4.7"),
        (0, {"gone": "4", "stack": "A5", "face_up": {"3:3-5": "S5"}}, "remove(3:3-5,left)", "TULA-9.4"),
        (0, {"gone": "4", "stack": "A5", "face_up": {"2:2-6": "S5"}}, "remove 2:2-6", "TULA-4.3"),
        (0, {"gone": "4"}, "reveal 4:4-4", "TULA-2.1"),
        (0, {"gone": "4", "face_up": {"3:3-5": "S3"}}, "reveal 3:3-5", "TULA-4.6"),
        (0, {"gone": "4"}, "start", "TULA-4.1"),
        (0, {"setup": "variant1"}, "start", "TULA-3.4"),
        (0, {"gone": "4"}, "reveal 9:9-9", "TULA-2.1"),
        (0, {"gone": "4"}, "show(3:3-5,tS4)", "TULA-4.2"),
        (0, {"gone": "4"}, "demerit", "TULA-9.4"),
        (0, {"gone": "4", "pending": None}, "exchange(3:3-5)", "TULA-9.1"),
    ],
)
def test_refusals(number: int, fields: dict[str, object], action: str, clause: str | None) -> None:
    assert refused(at(**fields), action) == clause  # type: ignore[arg-type]


def test_8_5_a_face_up_tile_needs_no_free_corner() -> None:
    state = at(gone="4 3", stack="A5", face_up={"2:4-6": "A3"})
    assert "2:4-6" not in reveals(state)
    assert refused(state, "remove 2:4-6") is None


def test_15_nothing_to_reveal_and_nothing_that_matches_is_a_loss() -> None:
    state = at(gone="4", stack="S5", face_up={"3:3-5": "M4", "3:5-5": "C3", "3:4-3": "A0"})
    outcome = GAME.outcome(state)
    assert (outcome.over, outcome.winners, outcome.scores, outcome.clause) == (True, (), (23,), "TULA-5.2")


@pytest.mark.parametrize(
    ("number", "shown", "clause"), [(17, ("M4", "C5", "A0"), None), (18, ("S1", "C5", "A0"), "TULA-9.1")]
)
def test_mercy(number: int, shown: tuple[str, ...], clause: str | None) -> None:
    face_up = dict(zip(("3:3-5", "3:5-5", "3:4-3"), shown, strict=True))
    state = at(options={"mercy": True}, stack=["S3"], face_up=face_up)
    assert refused(state, "exchange 3:5-5") == clause
    if clause is None:
        after = play(state, "exchange 3:5-5")
        layout = GAME.layout(after)
        assert [p.piece.code for p in layout.at("stack")] == ["tC5"]
        assert [(p.piece.code, p.face) for p in layout.at("3:5-5")] == [("tS3", "front")]
        assert after.end == "lost", "neither S3 nor M4 nor A0 matches C5"
        assert refused(state, "exchange 2:2-6") == "TULA-9.1"


def test_mercy_waits_for_all_three_and_ends_a_lost_game_not_too_soon() -> None:
    state = at(options={"mercy": True}, stack=["S3"], face_up={"3:3-5": "M4", "3:5-5": "C5"})
    assert refused(state, "exchange 3:3-5") == "TULA-9.1"
    assert GAME.turn(play(state, "reveal 3:4-3", "A0")).seat == 0
    assert play(at(stack=["S3"], face_up={"3:3-5": "M4", "3:5-5": "C5"}), "reveal 3:4-3", "A0").end == "lost"


def test_4_1_start_is_reveal_and_remove() -> None:
    short = play(GAME.start(), "start", "S3")
    long = play(GAME.start(), "reveal 4:4-4", "S3", "remove 4:4-4")
    assert short == long
    assert [p.piece.code for p in GAME.layout(short).at("stack")] == ["tS3"]


def test_a_tile_is_turned_by_chance_and_comes_only_once() -> None:
    state = play(GAME.start(), "start")
    assert GAME.turn(state).kind == "chance"
    assert len(list(GAME.legal(state))) == 24
    assert refused(state, "reveal 4:4-4") == "TULA-4.2"
    assert refused(state, "show(4:4-4,S3)") == refused(state, "show(4:4-4,xy)") == "TULA-1.1"
    state = play(state, "S3", "reveal 3:3-5")
    assert refused(state, "S3") == "TULA-1.1"


def test_a_prepared_deal_is_hidden_until_it_is_turned() -> None:
    state = play(GAME.start({"tiles": WINNABLE}), "start")
    assert [action[1] for action in GAME.legal(state)] == ["tA5"]
    assert refused(state, "S3") == "TULA-3.1"
    seen = GAME.view(state, 0)
    assert WINNABLE not in str(GAME.encode(seen))
    assert GAME.layout(seen) == GAME.layout(state)


@pytest.mark.parametrize("tiles", ["S3", WINNABLE.replace("S0", "S1"), "X" * 48])
def test_a_wrong_deal_is_a_setup_error(tiles: str) -> None:
    with pytest.raises(SetupError, match="option tiles"):
        GAME.start({"tiles": tiles})


def test_8_8_tiles_may_turn_up_by_themselves() -> None:
    state = play(GAME.start({"auto_reveal": True}), "show(4:4-4,tS3)", "remove 4:4-4")
    assert GAME.turn(state).kind == "chance"
    state = play(state, "show(3:5-5,tS4)", "show(3:3-5,tM0)", "show(3:4-3,tA5)")
    assert {action.id for action in GAME.legal(state)} == {"remove(3:5-5)"}


def test_9_4_demerit() -> None:
    rest = [piece.code for piece in TILES if piece.code not in ("tS3", "tM4", "tS5")]
    stack = ["S3", *rest, "M4"]
    state = at(options={"demerit": True}, present=["1:4-1"], stack=stack, face_up={"1:4-1": "S5"})
    assert {action.id for action in GAME.legal(state)} == {"demerit"}
    after = play(state, "demerit")
    assert [p.piece.code for p in GAME.layout(after).at("stack")][-1] == "tS3"
    assert GAME.outcome(play(after, "remove 1:4-1")).reason.endswith("1 penalty point")


def test_9_4_a_line_grows_at_both_ends() -> None:
    face_up = {"2:2-6": "S5", "2:6-6": "A4"}
    state = at(options={"line": True}, gone="4 3", stack="S3 M4", face_up=face_up)
    state = GAME.decode({**GAME.encode(state), "stack": list(state.stack[-2:])})
    assert refused(state, "remove 2:2-6") == "TULA-4.7"
    after = play(state, "remove(2:2-6,left)", "remove 2:6-6")
    assert [p.piece.code for p in GAME.layout(after).at("stack")] == ["tS5", "tS3", "tM4", "tA4"]
    assert [p.x for p in GAME.layout(after).at("stack")] == [2, 4, 6, 8]


@pytest.mark.parametrize(
    "fields",
    [
        {"tiles": []},
        {"gone": "9:9-9"},
        {"gone": 4},
        {"gone": "4", "stack": "S3 S4"},
        {"gone": "4", "stack": "S3", "face_up": {"3:3-5": "S3"}},
        {"gone": "4", "face_up": {"4:4-4": "S3"}},
        {"gone": "4", "face_up": []},
        {"gone": "4", "pending": "4:4-4"},
        {"stack": ["Q7"]},
        {"demerits": -1},
    ],
)
def test_a_position_says_what_is_wrong_with_it(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w{4}"):
        at(**fields)


def test_perft() -> None:
    """A prepared deal: chance has one way only."""
    state = GAME.start({"tiles": WINNABLE})
    assert [perft(GAME, state, depth) for depth in range(7)] == PERFT


@pytest.mark.parametrize(
    "options",
    [
        *({"setup": setup} for setup in SETUPS),
        {"mercy": True},
        {"setup": "variant4", "mercy": True, "auto_reveal": True},
        {"demerit": True},
        {"line": True, "demerit": True},
        {"auto_reveal": True},
        {"tiles": WINNABLE},
    ],
)
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options, limit=24) for seed in range(2)) > 6


def test_random_games_end() -> None:
    rng = random.Random(2)
    for setup in SETUPS:
        state = GAME.start({"setup": setup})
        while not GAME.turn(state).is_over:
            state = GAME.advance(state, GAME.sample(state, rng))
        assert state.present.bit_count() == len(list(bits(state.present)))


def test_playthrough() -> None:
    options = {"mercy": True}
    text = transcript(GAME, by_luck(GAME, 12, options), options, every=10)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)
