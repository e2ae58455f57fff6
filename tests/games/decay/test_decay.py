"""The worked tests of Decay, by their number."""

from __future__ import annotations

import pytest

from rules.engine import EffectKind
from rules.engine.action import parse_action
from rules.games.decay.deeds.slides import span
from tests.games.decay.boards import (
    DOUBLE,
    EVEN,
    GAME,
    ROW,
    SLIDE_1,
    SLIDE_2,
    SLIDE_3,
    SLIDE_4,
    SLIDE_5,
    SLIDE_6,
    SPLIT,
    TRIPLE,
    clause,
    done,
    ids,
    on_board,
    position,
    told,
)


@pytest.mark.parametrize(
    ("number", "tile", "hand", "expected"),
    [
        ("T1", "M5", "M4 C2", {"M"}),
        ("T2", "A5", "M4 C2", {"M+M+M+C+C", "M+M+M+M+C"}),
        ("T2", "S5", "M4 C2", {"M+M+M+C+C", "M+M+M+M+C"}),
        ("T3", "C5", "M4 C2", {"C"}),
        ("T5", "M2", "M2", {"M"}),
        ("4.6", "Ca", "M1 C1", {"C", "M"}),
        ("4.5", "Cn", "M1", {"-"}),
    ],
)
def test_payments(number: str, tile: str, hand: str, expected: set[str]) -> None:
    state = position(f"A3@(0,0) {tile}@(16,4)", pawns={"S": "A3"}, hands={"S": hand})
    assert {step.split(",")[1].rstrip(")") for step in ids(state, "pawn_step")} == expected


def test_t5_two_moons_do_not_pay_for_a_moon_tile() -> None:
    state = position("A3@(0,0) M2@(16,4)", pawns={"S": "A3"}, hands={"S": "M2"})
    assert clause(state, "pawn_step(M2,M+M)") == "DECAY-4.4"
    assert clause(state, "pawn_step(M2,C)") == "DECAY-4.2"


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (16, 4, None),
        (16, 15, None),
        (18, 8, None),
        (16, 0, "DECAY-2.10"),
        (16, 3, "DECAY-2.10"),
        (16, 16, "DECAY-2.8"),
        (19, 8, "DECAY-2.8"),
        (12, 8, "DECAY-2.11"),
    ],
)
def test_t6_a_second_tile(x: int, y: int, expected: str | None) -> None:
    assert clause(position("S4@(0,0)", phase="create", to_act="M"), f"create_tile(M2,{x},{y})") == expected


PINWHEEL = "C2@(0,0) S5@(-4,16) A4@(12,20)"


@pytest.mark.parametrize(("y", "expected"), [(4, None), (3, "DECAY-2.10"), (5, "DECAY-2.11")])
def test_t7_the_pinwheel_closes(y: int, expected: str | None) -> None:
    assert clause(position(PINWHEEL, phase="create"), f"create_tile(S2,16,{y})") == expected


def test_2_3_three_in_a_triangle_only_beside_a_slide() -> None:
    board = position("S5@(0,0) M5@(16,0)", phase="create")
    assert clause(board, "create_tile(S2,8,16)") == "DECAY-2.9"


def test_t9_who_may_be_lifted() -> None:
    for suit in "SMCA":
        state = position(SPLIT, to_act=suit, phase="tile", hands={suit: "S2 M1 C2 A1"})
        moved = {action[10:12] for action in ids(state, "move_tile")}
        assert moved == {"A5", "S3", "C2", "S4"}
    assert clause(state, "move_tile(M4,M,32,20)") == "DECAY-2.13"


def test_t10_two_opposite_sides_neither_move_nor_slide() -> None:
    assert clause(position(SLIDE_6, phase="tile"), "move_tile(S5,S,-32,10)") == "DECAY-2.13"
    assert clause(position(SLIDE_6, phase="slide"), "slide(S5,4,S)") == "DECAY-2.17"
    loose = position(SLIDE_6, {"movable_sides": "at_most_two"}, phase="tile")
    assert ids(loose, "move_tile(S5")


def test_t11_three_tiles_on_two_adjacent_sides() -> None:
    state = position("S5@(0,0) M2@(-16,13) M3@(-16,-7) M4@(5,16)", phase="tile")
    assert ids(state, "move_tile(S5")


def test_t13_a_board_torn_and_joined_again() -> None:
    state, effects = done(position(SPLIT, to_act="C", phase="tile"), "move_tile(C2,C,48,8)")
    assert not told(effects, EffectKind.COLLAPSE)
    assert on_board(state) == {"A5", "M4", "S3", "C2", "S4"}


@pytest.mark.parametrize(("x", "y"), [(12, 20), (20, 28)])
def test_t14_the_same_side_again(x: int, y: int) -> None:
    state = position(SPLIT, to_act="C", phase="tile")
    assert clause(state, f"move_tile(C2,C,{x},{y})") == "DECAY-2.12"


def test_t15_of_two_equal_parts_the_active_pawn_keeps_its_own() -> None:
    state = position(EVEN, to_act="C", phase="tile", pawns={"C": "M4", "S": "S4"})
    state, effects = done(state, "move_tile(C2,C,-16,4)")
    collapse = told(effects, EffectKind.COLLAPSE)[0]
    assert collapse.facts["places"] == ["S2", "S4", "S5"]
    assert collapse.clause == "DECAY-5.6"
    assert on_board(state) == {"A5", "M4", "C2"}
    assert [effect.seat for effect in told(effects, EffectKind.ELIMINATE)] == [0]


def test_t17_a_seat_may_kill_itself() -> None:
    board = EVEN.replace(" S2@(56,44)", "")
    state = position(board, to_act="C", phase="tile", pawns={"C": "S5", "A": "A5"})
    state, effects = done(state, "move_tile(C2,C,-16,4)")
    assert told(effects, EffectKind.COLLAPSE)[0].facts["places"] == ["S4", "S5"]
    assert told(effects, EffectKind.ELIMINATE)[0].seat == 2
    assert on_board(state) == {"A5", "M4", "C2"}
    assert not state.living[2]
    assert state.phase == "pawn"
    assert state.to_act == 3


def test_t18_of_three_equal_parts_the_active_pawn_keeps_its_own() -> None:
    state = position(TRIPLE, to_act="C", phase="tile", pawns={"C": "M5"})
    state, effects = done(state, "move_tile(C2,C,-26,-12)")
    assert on_board(state) == {"M4", "M5"}
    assert {effect.clause for effect in told(effects, EffectKind.COLLAPSE)} == {"DECAY-5.7"}


def test_5_7_without_a_pawn_the_moved_tile_decides() -> None:
    state = position(TRIPLE, to_act="C", phase="tile", pawns={})
    state, _ = done(state, "move_tile(C2,C,-26,-12)")
    assert on_board(state) == {"C2", "S3"}


def test_5_7_else_the_active_seat_chooses() -> None:
    """The active pawn and the moved tile are in the smallest of three parts; the two others are equal."""
    board = TRIPLE.replace("A5@(14,-32)", "S5@(14,-32) A3@(18,-48) A4@(48,14)")
    pawns = {"C": "S3", "M": "M4", "S": "S5", "A": "A4"}
    state = position(board, to_act="C", phase="tile", pawns=pawns, dice={"A": "A3"})
    state, effects = done(state, "move_tile(C2,C,-26,-12)")
    assert effects[-1].facts == {"phase": "keep"}
    assert ids(state) == {f"keep_section({tile})" for tile in ("S4", "S5", "A3", "M4", "M5", "A4")}
    assert clause(state, "keep_section(S3)") == "DECAY-5.7"
    state, effects = done(state, "keep_section(M4)")
    assert on_board(state) == {"M4", "M5", "A4"}
    assert state.dice == (None, None, None, None)
    assert {effect.seat for effect in told(effects, EffectKind.ELIMINATE)} == {0, 2}


def test_t19_a_double_attack() -> None:
    state = position(DOUBLE, to_act="M", phase="tile")
    assert clause(state, "move_tile(M3,S+C+A,16,4)") == "DECAY-4.2"
    state, effects = done(state, "move_tile(M3,M,16,4)")
    found = {e.facts["target"]: (e.facts["strength"], e.facts["defence"]) for e in told(effects, EffectKind.ATTACK)}
    assert found == {"C2": (3, 2), "A4": (5, 4)}
    assert ids(state) == {"take_coin(C,C)", "decline_coin(C)", "take_coin(A,A)", "decline_coin(A)"}
    state, _ = done(state, "take_coin(A,A)")
    state, _ = done(state, "take_coin(C,C)")
    assert state.hand(1) == (0, 5, 1, 1)
    assert state.phase == "slide"
    assert state.dice[1] == 9


def test_t19_three_others_pay_too() -> None:
    state = position(DOUBLE, to_act="M", phase="tile", hands={"M": "S1 C1 A1"})
    assert clause(state, "move_tile(M3,S+C+A,16,4)") is None


def test_t21_a_neighbour_of_its_suit_defends() -> None:
    state = position(DOUBLE + " C3@(-16,-4)", to_act="M", phase="tile")
    _, effects = done(state, "move_tile(M3,M,16,4)")
    attack = next(e for e in told(effects, EffectKind.ATTACK) if e.facts["target"] == "C2")
    assert (attack.facts["strength"], attack.facts["defence"], attack.facts["success"]) == (3, 5, False)


def test_t22_the_ace_attacks_and_fails() -> None:
    state = position(DOUBLE.replace("M3", "Ma"), to_act="M", phase="tile", pawns={})
    state, effects = done(state, "move_tile(Ma,M,16,4)")
    found = {e.facts["target"]: (e.facts["strength"], e.facts["defence"]) for e in told(effects, EffectKind.ATTACK)}
    assert found == {"C2": (1, 2), "A4": (3, 4)}
    assert state.phase == "slide"


def test_t23_the_null_attacks_nobody_but_is_marked() -> None:
    state = position(DOUBLE.replace("M3", "Mn"), to_act="M", phase="tile")
    state, effects = done(state, "move_tile(Mn,-,16,4)")
    assert not told(effects, EffectKind.ATTACK)
    assert [placed.key for placed in GAME.layout(state).at("Mn")] == ["tile-Mn", "die-moons"]


def test_t25_a_foreign_tile_attacks_nobody() -> None:
    state = position(DOUBLE, to_act="A", phase="tile")
    _, effects = done(state, "move_tile(M3,A+A+A,16,4)")
    assert not told(effects, EffectKind.ATTACK)


def test_t26_over_an_occupied_tile() -> None:
    state = position(ROW, to_act="A", pawns={"A": "Aa", "M": "M2"}, hands={"A": "A3"})
    assert clause(state, "pawn_step(M2,A+A)") == "DECAY-4.7"
    state, _ = done(state, "pawn_step(M2,A+A,A)")
    assert clause(state, "end_pawn_move") == "DECAY-4.8"
    state, _ = done(state, "pawn_step(Sn,-)")
    state, _ = done(state, "end_pawn_move")
    assert state.hand(1) == (0, 6, 0, 1)
    assert state.spent == (0, 0, 0, 2)


def test_t27_killed_before_any_toll_is_paid() -> None:
    state = position(ROW, to_act="A", pawns={"A": "Aa", "M": "M2"}, hands={"A": "A2", "M": "M6"}, out=["S", "C"])
    assert GAME.outcome(state).winners == (1,)
    assert GAME.outcome(state).clause == "DECAY-5.18"
    assert state.hand(1) == (0, 6, 0, 0)


def test_t27_told_by_the_turn_before() -> None:
    fields = {"pawns": {"A": "Aa", "M": "M2", "C": "Sn"}, "hands": {"A": "A2"}, "out": ["S"]}
    state, effects = done(position(ROW + " C5@(48,4)", to_act="C", phase="slide", **fields), "end_turn")
    died = told(effects, EffectKind.ELIMINATE)
    assert [(effect.seat, effect.clause) for effect in died] == [(3, "DECAY-4.13")]
    assert state.to_act == 1


@pytest.mark.parametrize(("hand", "alive"), [("A1", True), ("", False)])
def test_t29_a_die_makes_it_free_but_the_toll_remains(hand: str, alive: bool) -> None:
    fields: dict[str, object] = {"pawns": {"A": "Aa", "M": "M2"}, "dice": {"C": "M2"}, "hands": {"A": hand}}
    state = position(ROW, to_act="A", **fields)
    assert state.living[3] is alive
    if alive:
        state, _ = done(state, "pawn_step(M2,-,A)")
        assert clause(state, "pawn_step(Sn,-)") is None


def test_t30_not_back_to_the_start() -> None:
    board = "A5@(0,0) M4@(16,4) S3@(32,0)"
    state, _ = done(position(board, to_act="M", pawns={"M": "A5"}), "pawn_step(M4,M)")
    assert clause(state, "pawn_step(A5,M+M+M+M+M)") == "DECAY-4.9"
    hand = {"M": "M3 A2"}
    state = position(board, {"revisit_start": True}, to_act="M", pawns={"M": "A5"}, hands=hand)
    free, _ = done(state, "pawn_step(M4,M)")
    assert clause(free, "pawn_step(A5,A)") is None
    passed, _ = done(free, "pawn_step(A5,A)")
    assert clause(passed, "end_pawn_move") == "DECAY-4.12"


def test_t31_the_own_die_holds_the_tile() -> None:
    assert clause(position(SPLIT, phase="tile", dice={"S": "S4"}), "move_tile(S4,S,48,8)") == "DECAY-2.14"


@pytest.mark.parametrize(
    ("number", "board", "legal"),
    [
        ("T33", SLIDE_1, range(3, 9)),
        ("T34", SLIDE_2, range(3, 12)),
        ("T35", SLIDE_3, ()),
        ("2.5 row 4", SLIDE_4, range(3, 8)),
        ("T37", SLIDE_5, range(3, 25)),
        ("2.5 row 6", SLIDE_6, ()),
    ],
)
def test_slides(number: str, board: str, legal: range) -> None:
    state = position(board, phase="slide")
    for distance in range(-2, 40):
        refused = clause(state, f"slide(S5,{distance},S)")
        assert (refused is None) == (distance in legal), (distance, refused)
    assert ids(state, "slide(S5") == {f"slide(S5,{k},S)" for k in legal}


@pytest.mark.parametrize(("distance", "code"), [(2, "too_low"), (9, "blocked")])
def test_t33_why(distance: int, code: str) -> None:
    refusal = GAME.refusal(position(SLIDE_1, phase="slide"), parse_action(f"slide(S5,{distance},S)"))
    assert refusal is not None
    assert refusal.code == code
    assert "3 to 8 u to the north" in refusal.text


@pytest.mark.parametrize(
    ("tile", "fields"),
    [("S5", {"pawns": {"C": "S5"}}), ("S5", {"dice": {"M": "S5"}}), ("Aa", {})],
)
def test_t38_what_cannot_slide(tile: str, fields: dict[str, object]) -> None:
    state = position(SLIDE_1.replace("S5", tile), phase="slide", **{"pawns": {}, **fields})
    assert clause(state, f"slide({tile},4,S)") == "DECAY-2.18"


def test_t39_a_slide_needs_a_coin() -> None:
    assert clause(position(SLIDE_1, phase="slide", hands={"S": ""}), "slide(S5,4,S)") == "DECAY-4.22"


@pytest.mark.parametrize(("usable", "expected"), [("same_turn", None), ("next_turn", "DECAY-4.22")])
def test_t39_a_stolen_coin_may_pay(usable: str, expected: str | None) -> None:
    state = position(SLIDE_1, {"stolen_coin_usable": usable}, phase="take", hands={"S": ""}, gains=["M2"], moved="S5")
    state, _ = done(state, "take_coin(M,M)")
    assert clause(state, "slide(S5,4,M)") == expected


DOOMED = {"out": ["S", "A"], "pawns": {"C": "S4", "M": "S5"}, "to_act": "C", "phase": "tile"}


@pytest.mark.parametrize(("rule", "winners"), [("draw", (1, 2)), ("active_loses", (1,))])
def test_t41_the_last_pawns_die_together(rule: str, winners: tuple[int, ...]) -> None:
    state = position(EVEN.replace(" S2@(56,44)", ""), {"all_dead": rule}, **DOOMED)
    state, effects = done(state, "move_tile(C2,C,-16,4)")
    assert GAME.outcome(state).winners == winners
    assert effects[-1].kind is EffectKind.END


def test_t42_nothing_to_win_from_an_empty_hand() -> None:
    state = position(DOUBLE, to_act="M", phase="tile", hands={"C": "", "A": ""})
    state, effects = done(state, "move_tile(M3,M,16,4)")
    assert all(effect.facts["success"] for effect in told(effects, EffectKind.ATTACK))
    assert state.phase == "slide"


def test_t43_a_corner_is_no_contact() -> None:
    board = "C2@(0,0) M3@(16,16) S5@(16,-4)"
    assert clause(position(board, to_act="M", pawns={"M": "C2"}), "pawn_step(M3,M)") == "DECAY-4.3"
    state = position("C2@(0,0) A5@(16,-4) C3@(32,4) M3@(-16,-4)", to_act="M", phase="tile")
    _, effects = done(state, "move_tile(M3,M,16,16)")
    assert [effect.facts["target"] for effect in told(effects, EffectKind.ATTACK)] == ["C3"]


@pytest.mark.parametrize(("legal", "words"), [(["15"], "15"), (["4", "5", "6"], "4 to 6"), (["4", "9"], "4, 9")])
def test_a_slide_of_one_length_is_no_span(legal: list[str], words: str) -> None:
    assert span(legal).text == words
