"""The worked tests of Fuji-San, by their number, and the laws in every variant."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rules.engine import Action
from rules.engine.card import SetupError
from rules.engine.playout import perft
from rules.games import game
from rules.games.fuji_san.mountain import HEIGHTS, LAYERS, NAMES
from rules.table.change import Change, change_between
from tests.conformance import laws
from tests.conformance.playthrough import check_playthrough, transcript
from tests.games.playing import Player

GAME = game("fuji_san")
PLAYER = Player(GAME)
refused, play = PLAYER.refused, PLAYER.play_line
OPTIONS = GAME.card.options_type
EASY = (
    "a1-e1 n2-k2 k2-k1 n1-h1 e1-e2 k1-k2 k2-i2 i2-c2 a2-g2 e2-h2 g2-g1 c2-g2",
    "g1-i1 h1-n1 i1-i2 h2-l2 i2-e2 e2-a2 l2-n2 g2-b2 b2-b1 b1-a1",
)
MEDIUM_27 = """a1-b1 n2-k2 b1-e1 e1-j1 j1-j2 j2-l2 k2-m2 m2-m1 l2-l1 n1-k1 m1-i1 i1-d1 d1-d2 l1-i1 i1-i2 k1-k2 k2-e2
    i2-c2 a2-f2 e2-h2 h2-g2 c2-h2 h2-h1 d2-h2 f2-b2 b2-b1 b1-g1"""
MEDIUM_29 = """a1-b1 n2-m2 m2-m1 b1-e1 e1-j1 j1-k1 k1-k2 k2-l2 l2-l1 n1-k1 l1-i1 m1-m2 m2-i2 i1-f1 f1-f2 f2-b2 k1-k2
    k2-e2 i2-d2 a2-f2 b2-b1 b1-g1 g1-g2 e2-e1 e1-h1 d2-h2 f2-b2 b2-b1 b1-g1"""
HARD_39 = """a2-d2 d2-d1 d1-e1 e1-f1 f1-f2 f2-k2 k2-k1 n1-i1 i1-m1 m1-j1 j1-j2 k1-k2 k2-f2 f2-f1 j2-f2 f1-e1 e1-e2 e2-c2
    c2-c1 f2-f1 f1-b1 a1-d1 b1-e1 c1-i1 d1-f1 e1-k1 i1-m1 m1-j1 j1-j2 k1-k2 f1-f2 f2-l2 n2-i2 i2-i1 k2-h2 l2-g2 h2-h1
    i1-g1 j2-h2"""
NO_FIRST_MOVE = "235334140030/554141221205"
PERFT = [1, 2, 9, 37, 183]


def at(priests: str, options: dict[str, object] | None = None, **more: object) -> Any:
    fields = {"priests": priests.split(), **more}
    return GAME.position(fields, OPTIONS(**{"layout": "easy", **(options or {})}), ())


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) for action in GAME.legal(state)}


@pytest.mark.parametrize(
    ("number", "layout", "priests", "expected"),
    [
        (1, "easy", "a2 a1 n2 n1", "a1-e1 n2-k2"),
        (5, "easy", "a2 e1 k2 n1", "e1-b1 e1-d1 e1-e2 k2-g2 k2-i2 k2-j2 k2-k1"),
        (7, "easy", "a2 e1 k1 h1", "e1-b1 e1-d1 e1-e2 h1-g1 h1-h2 k1-k2"),
        (14, "medium", "a2 a1 n2 n1", "a1-b1 a1-c1 n2-m2 n2-k2"),
        (15, "hard", "a2 a1 n2 n1", "a2-c2 a2-d2"),
    ],
)
def test_lists(number: int, layout: str, priests: str, expected: str) -> None:
    assert legal(at(priests, {"layout": layout})) == set(expected.split())


@pytest.mark.parametrize(
    ("number", "priests", "move", "clause"),
    [
        (2, "a2 a1 n2 n1", "a1-a2", "FUJI-4.5"),
        (3, "a2 a1 n2 n1", "n1-m1", "FUJI-8.5"),
        (6, "a2 e1 k1 n1", "n1-h1", None),
        (6, "a2 e1 k2 n1", "n1-h1", "FUJI-4.1"),
        (9, "a2 e1 k1 h1", "h1-j1", "FUJI-4.4"),
        (10, "a2 e1 k1 h1", "h1-g1", None),
        (11, "a2 n1 e2 k2", "k2-g2", None),
        (0, "a2 e1 k1 n1", "e1-a1", "FUJI-4.5"),
        (0, "a2 e1 k1 n1", "e1-f2", "FUJI-4.1"),
        (0, "a2 e1 k1 n1", "n1-k1", "FUJI-4.1"),
        (0, "a2 e1 k1 n1", "f1-g1", "FUJI-4.7"),
        (0, "a2 e1 k1 n1", "climb(e1,e9)", "FUJI-2.1"),
        (0, "a2 e1 e2 n1", "e1-e2", "FUJI-4.2"),
        (0, "a2 e1 k1 n1", "side(e1)", None),
        (0, "a2 e1 k1 n1", "side(e1,f1)", "FUJI-4.2"),
        (0, "a2 e1 k1 n1", "cross(e1)", "FUJI-4.3"),
        (0, "a2 g1 h1 n1", "cross(g1)", "FUJI-4.3"),
        (0, "a2 e1 k1 n1", "roll(S1+M2+C3+A4)", "FUJI-4.7"),
        (0, "a2 e1 k1 n1", "carry", "FUJI-4.7"),
        (0, "a2 e1 k1 n1", "rescue(suns)", "FUJI-4.7"),
        (0, "a2 e1 k1 n1", "554344221335311400512200", "FUJI-4.7"),
    ],
)
def test_refusals(number: int, priests: str, move: str, clause: str | None) -> None:
    assert refused(at(priests), move) == clause


def test_10_no_crossing_without_the_option() -> None:
    assert refused(at("a2 e1 k1 h1", {"summit_cross": False}), "h1-g1") == "FUJI-8.3"


def test_11_the_summit_holds_a_priest() -> None:
    state = play(at("a2 n1 e2 k2"), "k2-g2")
    assert refused(state, "g2-f2") == "FUJI-4.4"


@pytest.mark.parametrize(
    ("number", "layout", "cross", "moves"),
    [
        (13, "easy", False, EASY[0]),
        (17, "medium", True, MEDIUM_27),
        (18, "medium", False, MEDIUM_29),
        (19, "hard", False, HARD_39),
    ],
)
def test_recorded_climbs(number: int, layout: str, cross: bool, moves: str) -> None:
    state = play(GAME.start({"layout": layout, "summit_cross": cross}), moves)
    outcome = GAME.outcome(state)
    assert (outcome.winners, outcome.scores, outcome.clause) == ((0,), (len(moves.split()),), "FUJI-5.1")


def test_21_country_road() -> None:
    options: dict[str, object] = {"country_road": True}
    state = play(GAME.start({"layout": "easy", **options}), EASY[0])
    assert GAME.turn(state).phase == "carry"
    assert refused(state, "g2-f2") == "FUJI-9.4"
    assert refused(state, "carry(a2,a2,n1,n2)") == "FUJI-9.4"
    down = play(state, f"carry {EASY[1]}")
    assert (GAME.outcome(down).winners, GAME.outcome(down).clause) == ((0,), "FUJI-9.4")
    assert play(at("g2 g1 h2 h1", options, phase="descent"), EASY[1]).moves == 10


def test_9_4_the_way_down() -> None:
    state = play(at("g2 g1 h2 h1", {"country_road": True}, phase="descent"), "g1-i1")
    assert refused(state, "h1-g1") == "FUJI-9.4"
    assert refused(at("g2 g1 h2 i1", {"descent_cross": True}, phase="descent"), "g1-h1") is None
    assert refused(play(state, "h1-n1"), "n1-m1") == "FUJI-9.4"
    assert refused(at("g2 g1 e2 i1", phase="descent"), "climb(e2,h2)") == "FUJI-8.5"


def test_9_4_who_is_down_may_leave_the_table() -> None:
    start = at("g2 g1 h2 h1", {"country_road": True, "ground": "vacate"}, phase="descent")
    step = GAME.apply(play(start, "g1-i1"), Action("climb", ("h1", "n1")))
    assert [effect.kind.value for effect in step.effects] == ["move", "remove", "turn"]
    assert [p.piece.code for p in GAME.layout(step.state) if p.zone == "spent"] == ["pS"] or step.state.priests.count(
        -1
    ) == 1


def test_22_the_dice_rescue() -> None:
    state = GAME.start({"layout": NO_FIRST_MOVE})
    assert GAME.turn(state).phase == "roll"
    assert refused(state, "a1-b1") == "FUJI-3.6"
    assert refused(state, "roll(S1+M2+C3+A6)") == "FUJI-3.6"
    failed = play(state, "roll(S0+M0+C0+A0)")
    assert (GAME.outcome(failed).over, GAME.outcome(failed).winners) == (True, ())
    rolled = play(state, "roll(S0+M3+C0+A5)")
    assert refused(rolled, "rescue(clubs)") == refused(rolled, "rescue(S)") == "FUJI-3.6"
    assert NAMES[play(rolled, "rescue(moons)").priests[1]] == "k2"
    assert NAMES[play(rolled, "rescue(arms)").priests[3]] == "f1"
    assert play(rolled, "rescue(suns)").end == "failed"


def test_23_a_wrong_deal_is_refused() -> None:
    state = GAME.start()
    assert refused(state, "554344221335311400512203") == "FUJI-3.3"
    assert refused(state, "deal(12)") == "FUJI-3.5"
    assert refused(state, "a1-b1") == "FUJI-3.2"
    with pytest.raises(SetupError, match=r"FUJI-3\.3"):
        GAME.start({"layout": "554344221335311400512203"})
    with pytest.raises(SetupError, match="not a layout"):
        GAME.start({"layout": "steep"})


def test_the_deal_at_the_table() -> None:
    state = GAME.start()
    assert {p.face for p in GAME.layout(state) if p.piece.kind == "coin"} == {"back"}
    assert legal(play(state, "554344221335/311400512200")) == {"a1-e1", "n2-k2"}


def test_a_deal_and_a_roll_are_read_from_the_table() -> None:
    start = GAME.start()
    after = play(start, NO_FIRST_MOVE)
    seen = change_between(GAME.layout(start), GAME.layout(after))
    assert [action.id for action in GAME.suggest(start, seen)] == [f"deal({NO_FIRST_MOVE})"]
    seen = change_between(GAME.layout(after), GAME.layout(play(after, "roll(S1+M0+C3+A0)")))
    assert [action.id for action in GAME.suggest(after, seen)] == ["roll(S1+M0+C3+A0)"]
    assert not list(GAME.suggest(start, Change()))
    state = at("a2 a1 n2 n1")
    seen = change_between(GAME.layout(state), GAME.layout(play(state, "a1-e1")))
    assert "climb(a1,e1)" in [action.id for action in GAME.suggest(state, seen)]


def test_2_3_the_mountain() -> None:
    under = [sum(left <= column <= left + 1 for layer in LAYERS for left in layer) for column in range(1, 13)]
    assert tuple(under) == HEIGHTS
    assert sum(map(len, LAYERS)) == 24


def test_5_2_the_climb_may_stop_when_it_is_lost() -> None:
    lost = at("g2 h2 g1 b1", {"stop_when_lost": True, "aces_null": True})
    assert lost.end in ("", "lost")
    hard = at("a2 a1 n2 n1", {"layout": "hard", "aces_null": True, "stop_when_lost": True})
    assert (hard.end, GAME.outcome(hard).clause) == ("lost", "FUJI-5.2")


def test_8_9_priests_may_stand_otherwise() -> None:
    state = GAME.start({"priests": "AMSC", "layout": "easy"})
    assert [NAMES[place] for place in state.priests] == ["n1", "n2", "a1", "a2"]
    with pytest.raises(SetupError, match="SMCA"):
        GAME.start({"priests": "SMSA"})


@pytest.mark.parametrize(
    "fields",
    [
        {"pawns": []},
        {"layout": "12"},
        {"priests": ["a1"]},
        {"priests": ["a1", "a1", "b1", "b2"]},
        {"priests": ["a1", "z1", "b1", "b2"]},
        {"phase": "night"},
        {"phase": "deal"},
        {"phase": "rescue"},
        {"phase": "descent", "foot": {"g2": "a2"}},
        {"phase": "rescue", "layout": "easy", "dice": 3},
        {"phase": "rescue", "layout": "easy", "dice": [9, 0, 0, 0]},
        {"moves": -1},
    ],
)
def test_a_position_says_what_is_wrong_with_it(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w{4}"):
        GAME.position(fields, OPTIONS(layout="easy"), ())


def test_positions_by_suit() -> None:
    state = GAME.position({"priests": {"suns": "e1", "moons": "off"}}, OPTIONS(layout="easy"), ())
    assert [NAMES[place] if place >= 0 else "off" for place in state.priests] == ["e1", "off", "n1", "a1"]
    rescue = GAME.position({"phase": "rescue", "dice": [0, 3, 0, 5]}, OPTIONS(layout=NO_FIRST_MOVE), ())
    assert len(list(GAME.legal(rescue))) == 4


def test_perft() -> None:
    state = GAME.start({"layout": "easy"})
    assert [perft(GAME, state, depth) for depth in range(5)] == PERFT


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({}, 25),
        ({"layout": "easy", "aces_null": True}, 14),
        ({"layout": "medium", "summit_cross": False}, 14),
        ({"layout": "expert", "priests": "ACMS"}, 14),
        ({"layout": NO_FIRST_MOVE}, 14),
        ({"layout": "easy", "stop_when_lost": True}, 6),
    ],
)
def test_laws(options: dict[str, object], limit: int) -> None:
    assert sum(laws.check_laws(GAME, seed, options, limit=limit) for seed in range(2)) > 1


@pytest.mark.parametrize("more", [{}, {"ground": "vacate"}, {"descent_cross": True}])
def test_the_way_down_ends(more: dict[str, object]) -> None:
    """Random play from the summit; the laws in the phases that a random climb hardly sees."""
    state = play(GAME.start({"layout": "easy", "country_road": True, **more}), EASY[0])
    rng = random.Random(1)
    stock = laws._stock(GAME.layout(state))
    for _ in range(30):
        if GAME.turn(state).is_over:
            laws._check_end(GAME, state)
            break
        laws._check_state(GAME, state, rng, stock)
        state = laws._check_step(GAME, state, GAME.sample(state, rng)).state


def test_playthrough() -> None:
    """The easy climb in twelve moves, and the way down again."""
    options = {"layout": "easy", "country_road": True}
    state = GAME.start(options)
    actions = [GAME.read(state, word) for word in f"{EASY[0]} carry {EASY[1]}".split()]
    text = transcript(GAME, actions, options, every=4)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


@pytest.mark.parametrize(("layout", "places"), [("hard", "g1 g2 i1 i2"), ("easy", "c1 c2 d1 d2")])
def test_5_3_without_any_move_it_is_lost(layout: str, places: str) -> None:
    outcome = GAME.outcome(at(places, {"layout": layout, "summit_cross": False}))
    assert (outcome.over, outcome.winners, outcome.clause) == (True, (), "FUJI-5.2")
