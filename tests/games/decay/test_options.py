"""Setting up, options and rulings of Decay, and the refusals that the worked tests leave out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.engine import EffectKind
from rules.engine.action import parse_action
from rules.engine.card import SetupError
from tests.games.decay.boards import (
    DOUBLE,
    EVEN,
    GAME,
    ROW,
    SLIDE_1,
    SPLIT,
    clause,
    done,
    ids,
    on_board,
    position,
    told,
)


def rolled(*faces: int, seats: int = 4) -> Any:
    state = GAME.start(None, seats)
    for letter, face in zip("SMCA", faces, strict=False):
        state, _ = done(state, f"roll({letter},{face})")
    return state


def test_3_2_the_highest_roll_begins() -> None:
    state = rolled(2, 5, 0, 1)
    assert (state.phase, state.to_act) == ("create", 1)


def test_3_2_ties_roll_again_among_themselves() -> None:
    state = rolled(5, 0, 5, 1)
    assert GAME.turn(state).seats == (0, 2)
    assert clause(state, "roll(M,3)") == "DECAY-3.2"
    state, _ = done(state, "roll(S,1)")
    state, _ = done(state, "roll(C,3)")
    assert state.to_act == 2


def test_3_3_the_first_tile_is_the_origin() -> None:
    state = GAME.start({"first": 0}, 3)
    assert ids(state) == {f"create_tile({tile},0,0)" for tile in ("Sn", "Sa", "S2", "S3", "S4", "S5")}
    assert clause(state, "create_tile(S4,5,5)") == "DECAY-8.14"
    assert clause(state, "create_tile(M4,0,0)") == "DECAY-3.3"


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"two_persons": True}, 3),
        ({"shared_hand": True}, 4),
        ({"first": 3}, 3),
        ({"min_slide": 2}, 4),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], seats: int) -> None:
    with pytest.raises(SetupError):
        GAME.start(options, seats)


@pytest.mark.parametrize(
    ("rule", "own", "other"),
    [("allow", None, None), ("own_only", None, "DECAY-2.16"), ("forbid", "DECAY-2.16", "DECAY-2.16")],
)
def test_8_4_tiles_with_pawns(rule: str, own: str | None, other: str | None) -> None:
    state = position(SPLIT, {"move_tile_with_pawn": rule}, phase="tile", pawns={"S": "S4", "M": "A5"})
    assert clause(state, "move_tile(S4,S,48,8)") == own
    assert clause(state, "move_tile(A5,S+S+S+S+S,48,8)") == other


def test_8_7_a_slide_may_have_to_end_like_a_placement() -> None:
    free = {int(action[9:-3]) for action in ids(position(SLIDE_1, phase="slide"), "slide(S5,")}
    bound = {
        int(action[9:-3])
        for action in ids(position(SLIDE_1, {"slide_obeys_placement": True}, phase="slide"), "slide(S5,")
    }
    assert bound < free
    assert 6 not in bound, "slid by 6 u it is flush with M2"


@pytest.mark.parametrize(("again", "expected"), [(True, None), (False, "DECAY-8.8")])
def test_8_8_sliding_twice(again: bool, expected: str | None) -> None:
    state = position(SLIDE_1, {"slide_same_tile_again": again}, phase="slide")
    state, _ = done(state, "slide(S5,8,S)")
    assert clause(state, "slide(S5,3,S)") == expected


def test_8_9_the_tiles_of_the_dead_may_leave() -> None:
    board = "Aa@(0,0) M2@(16,4) A5@(-16,-4) A4@(16,-12) C5@(32,-20)"
    fields: dict[str, Any] = {
        "pawns": {"A": "Aa", "M": "M2", "C": "C5"},
        "hands": {"A": ""},
        "out": ["S"],
        "to_act": "A",
    }
    state = position(board, {"dead_tiles": "remove"}, **fields)
    assert not state.living[3]
    assert on_board(state) == {"M2", "A4", "C5"}, "A4 holds the board together"
    assert on_board(position(board, **fields)) == {"Aa", "M2", "A5", "A4", "C5"}


def test_8_12_the_same_position_three_times() -> None:
    board = "Sn@(0,0) Cn@(16,4) Mn@(32,0) An@(48,4)"
    state = position(
        board,
        {"draw": "after_3_repeats"},
        out=["C", "A"],
        pawns={"S": "Sn", "M": "Mn"},
    )
    assert clause(state, "offer_draw") == "DECAY-8.12"
    plies = 0
    while not GAME.turn(state).is_over:
        here = state.pawns[state.to_act]
        target = {0: "Cn", 12: "Sn", 6: "An", 18: "Mn"}[here]
        for action in (f"pawn_step({target},-)", "end_pawn_move", "skip_tile", "end_turn"):
            state, effects = done(state, action)
        plies += 1
    assert plies == 8
    assert GAME.outcome(state).clause == "DECAY-8.12"
    assert GAME.outcome(state).winners == (0, 1)
    assert effects[-1].kind is EffectKind.END


def test_8_13_an_attack_may_be_left_out() -> None:
    state = position(DOUBLE, {"attack_optional": True}, to_act="M", phase="tile")
    state, effects = done(state, "move_tile(M3,M,16,4)")
    assert not told(effects, EffectKind.ATTACK)
    assert ids(state) == {"attack", "waive_attack"}
    assert done(state, "waive_attack")[0].phase == "slide"
    assert done(state, "attack")[0].gains == (14, 22)


def test_5_16_a_coin_may_be_declined() -> None:
    state, _ = done(position(DOUBLE, to_act="M", phase="tile"), "move_tile(M3,M,16,4)")
    state, _ = done(state, "decline_coin(A)")
    assert clause(state, "take_coin(A,A)") == "DECAY-5.16"
    assert clause(state, "take_coin(C,S)") == "DECAY-5.16"


def test_8_17_giving_up() -> None:
    assert clause(position(ROW, pawns={"S": "Sn"}), "resign") == "DECAY-8.17"
    state = position(ROW + " C5@(48,4)", {"allow_resign": True}, pawns={"S": "Sn", "M": "M2", "A": "Aa"})
    state, effects = done(state, "resign")
    assert told(effects, EffectKind.ELIMINATE)[0].clause == "DECAY-8.17"
    assert clause(state, "end_pawn_move") == "DECAY-4.12"


def test_5_20_the_last_two_agree() -> None:
    state = position(ROW, out=["C", "A"], pawns={"S": "Sn", "M": "Aa"})
    state, _ = done(state, "offer_draw")
    assert GAME.turn(state).seats == (1,)
    again, _ = done(state, "decline_draw")
    assert clause(again, "offer_draw") == "DECAY-5.20"
    state, _ = done(state, "accept_draw")
    assert GAME.outcome(state).winners == (0, 1)
    assert GAME.outcome(state).drawn


def test_9_1_the_own_other_seat_is_not_attacked() -> None:
    friends = position(DOUBLE, {"two_persons": True}, to_act="M", phase="tile")
    _, effects = done(friends, "move_tile(M3,M,16,4)")
    assert [effect.facts["target"] for effect in told(effects, EffectKind.ATTACK)] == ["C2"]
    foes = position(DOUBLE, {"two_persons": True, "friendly_attack": True}, to_act="M", phase="tile")
    assert len(told(done(foes, "move_tile(M3,M,16,4)")[1], EffectKind.ATTACK)) == 2


def test_9_1_a_person_lives_while_one_pawn_stands() -> None:
    fields: dict[str, Any] = {
        "pawns": {"S": "S4", "M": "M4", "C": "C2"},
        "out": ["A"],
        "to_act": "C",
        "phase": "tile",
    }
    state, _ = done(position(EVEN, {"two_persons": True}, **fields), "move_tile(C2,C,-16,4)")
    assert not GAME.outcome(state).over, "suns fell off, but crowns is of the same person"
    alone = {**fields, "pawns": {"S": "A5", "M": "S4", "C": "C2"}}
    state, _ = done(position(EVEN, {"two_persons": True}, **alone), "move_tile(C2,C,-16,4)")
    assert GAME.outcome(state).winners == (0, 2)


def test_9_1_one_hand_for_two_seats() -> None:
    state = GAME.start({"two_persons": True, "shared_hand": True, "first": 0}, 4)
    assert state.hands == ((6, 0, 6, 0), (0, 6, 0, 6), (0, 0, 0, 0), (0, 0, 0, 0))
    state = position(SPLIT, {"two_persons": True, "shared_hand": True}, to_act="C", pawns={"S": "S4", "C": "A5"})
    state, _ = done(state, "pawn_step(M4,S+S+C+C)")
    assert state.hands[0] == (4, 0, 4, 0)


def test_8_1_closed_hands_show_only_their_number() -> None:
    state = position(SPLIT, {"hands_open": False}, phase="tile")
    view = GAME.view(state, 1)
    assert view.hands == ((0, 0, 0, 0, 6), (0, 6, 0, 0), (0, 0, 0, 0, 6), (0, 0, 0, 0, 6))
    assert len(GAME.layout(view)) == len(GAME.layout(state))
    assert GAME.view(position(SPLIT), 1) == position(SPLIT)


def test_8_1_who_takes_a_coin_is_shown_what_there_is() -> None:
    """5.16: it is a coin of its choice."""
    fields: dict[str, Any] = {"to_act": "S", "phase": "take", "gains": ["M4"], "hands": {"M": "M4 C2"}}
    state = position("S4@(0,0) M4@(16,4) C4@(32,8)", {"hands_open": False}, **fields)
    taker, other = GAME.view(state, 0), GAME.view(state, 2)
    assert {action.id for action in GAME.legal(taker)} == {action.id for action in GAME.legal(state)}
    assert "take_coin(M,C)" in {action.id for action in GAME.legal(taker)}
    assert taker.hands[2] == (0, 0, 0, 0, 4)  # whose coins are not at stake; two of them M holds
    assert other.hands[1] == (0, 0, 0, 0, 6)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("create_tile(S4,0,0)", "DECAY-3.3"),
        ("end_turn", "DECAY-4.26"),
        ("pawn_step(Q9,-)", "DECAY-1.3"),
        ("pawn_step(Mn,-)", "DECAY-5.9"),
        ("pawn_step(S3,S)", "DECAY-4.3"),
        ("pawn_step(M4,X)", "DECAY-4.4"),
        ("pawn_step(M4,S+S+S)", "DECAY-4.4"),
        ("pawn_step(M4,S+S+S+S,S)", "DECAY-4.7"),
        ("end_pawn_move", "DECAY-4.12"),
        ("offer_draw", "DECAY-5.20"),
    ],
)
def test_absurd_actions_in_step_1(action: str, expected: str) -> None:
    assert clause(position(SPLIT, pawns={"S": "A5"}), action) == expected


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("move_tile(A5,S+S+S+S+S,x,1)", "DECAY-2.23"),
        ("move_tile(A5,S+S+S+S+S,999999,-999999)", "DECAY-2.8"),
        ("move_tile(A5,A,48,8)", "DECAY-4.2"),
        ("move_tile(A5,-,48,8)", "DECAY-4.4"),
        ("move_tile(C2,S+S,33,18)", "DECAY-2.11"),
    ],
)
def test_absurd_actions_in_step_2(action: str, expected: str) -> None:
    assert clause(position(SPLIT, phase="tile"), action) == expected


def test_the_nearest_legal_place_is_named() -> None:
    refusal = GAME.refusal(position(SPLIT, to_act="S", phase="tile"), parse_action("move_tile(S4,S,-15,1)"))
    assert refusal is not None
    assert refusal.facts["nearest"] == "-16,0" or refusal.facts["nearest_base"] == "A5"
    assert "nearest legal place is (-16, " in refusal.text
    assert re.search(r"shifted to the (north|south) by \d+ to \d+ u", refusal.text), refusal.text


@pytest.mark.parametrize(
    "data",
    [
        {"bord": {}},
        {"board": 5},
        {"board": {"A9": [0, 0]}},
        {"board": {"A5": [0.5, 0]}},
        {"hands": {"S": "Q4"}},
        {"hands": {"S": "S9"}},
        {"pawns": {"S": "A4"}},
        {"to_act": "nobody"},
        {"phase": "over"},
        {"phase": "take", "board": {"A5": [0, 0]}},
    ],
)
def test_positions_that_cannot_be(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        GAME.position(data, GAME.card.options_type(), ())
