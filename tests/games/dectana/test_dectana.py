"""The worked tests of Dectana, by their number, on board D1 unless said otherwise, and the laws in every variant."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.card import read_seats
from rules.engine.playout import perft
from rules.engine.positions import set_up
from rules.engine.rulebook import clauses_of
from rules.games import dectana, game
from rules.pieces.decktet import BASIC, DECKTET
from rules.table.change import change_between
from rules.table.layout import Zone
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("dectana")
PLAYER = Player(GAME, 2)
refused, play, position = PLAYER.refused, PLAYER.play, PLAYER.position
HERE = Path(__file__).parent


def using(suit: str, *pyramids: str, options: Any = None, **fields: Any) -> Any:
    """R is using that suit and has these pyramids."""
    return position(options, pyramids=list(pyramids), use={"suit": suit, **fields.pop("use", {})}, **fields)


def pyramids(state: Any) -> list[str]:
    return [f"{'RBCA'[p.seat]}{p.size}{p.orient}@({p.x},{p.y})" for p in state.pyramids]


def legal(state: Any, verb: str) -> set[str]:
    return {action.id for action in GAME.legal(state) if action.verb == verb}


def marks(state: Any, seat: int = 0) -> list[str]:
    return [held.mark for held in state.hands[seat]]


def test_1_spaces() -> None:
    ground = position().ground
    assert len(ground.wasteland) == 12
    assert (3, 1) in ground.wasteland
    assert all(ground.is_void(cell) for cell in [(-1, -1), (3, 3), (4, 1)])


def test_2_the_last_player_places_first() -> None:
    state = position(seats=3, stage="enter")
    order = []
    for _ in range(3):
        order.append(GAME.turn(state).seat)
        state = play(state, "place_start(x1y1,N)")
    assert order == [2, 1, 0]
    assert GAME.turn(state).phase == "turn"
    assert GAME.turn(state).seat == 0


@pytest.mark.parametrize(
    ("number", "fields", "action", "clause"),
    [
        (3, {"pyramids": ["R1U@(1,0)"]}, "A 1 0 S", "DEC-4.1"),
        (3, {"pyramids": ["R1U@(1,0)"]}, "A 1 0 L", None),
        (3, {"pyramids": ["R1U@(1,0)"]}, "A 1 0 W", "DEC-4.5"),
        (3, {"pyramids": ["R1E@(1,0)"]}, "A 1 0 W", None),
        (3, {"pyramids": ["R1U@(1,0)"]}, "A 1 1 L", "DEC-4.1"),
        (30, {"board": {"(0,0)": "E", "(1,0)": "2MK"}, "pyramids": ["R1U@(0,0)"]}, "A 0 0 S", "DEC-4.6"),
        (30, {"hands": {"R": ["E"]}, "pyramids": ["R1U@(0,0)"]}, "play(E,suns)", "DEC-4.6"),
        (33, {"pyramids": ["R1U@(1,0)"]}, "D 1 1 N", "DEC-4.8"),
        (33, {"pyramids": ["B1U@(1,1)"]}, "D 1 1 N", None),
        (33, {}, "D 3 1 U", None),
        (33, {}, "D 3 3 U", "DEC-2.4"),
        (34, {"pyramids": ["R1E@(0,0)"]}, "reorient(1N@x0y0>U)", "DEC-4.7"),
        (34, {"pyramids": ["R1E@(0,0)", "B1E@(1,0)"]}, "reorient(1E@x1y0>U)", "DEC-4.7"),
        (34, {"pyramids": ["R1E@(0,0)", "R2U@(1,0)", "R3N@(1,1)"]}, "reorient(1E@x0y0>W+3N@x1y1>U)", None),
        (0, {}, "reorient", None),
        (0, {"hands": {"R": ["2MK"]}, "pyramids": ["R1U@(0,0)"]}, "play(4MS,suns)", "DEC-4.2"),
        (0, {"discard": ["4MS", "4MS"], "hands": {"R": 2}}, "play(4MS,suns)", "DEC-6.1"),
        (0, {}, "draw(1U@x0y0)", "DEC-4.0"),
    ],
)
def test_choices(number: int, fields: Any, action: str, clause: str | None) -> None:
    options = {"excuses": True} if number == 30 else None
    assert refused(position(options, **fields), action) == clause


@pytest.mark.parametrize(
    ("number", "suit", "pyramid", "action", "clause"),
    [
        (5, "waves", ["R2E@(2,1)"], "move(2E@x2y1,2)", "DEC-4.26"),
        (5, "waves", ["R2E@(2,1)"], "move(2E@x2y1,1)", None),
        (5, "waves", ["R2E@(2,1)"], "move(2E@x2y1,0)", "DEC-R5"),
        (5, "waves", ["R2E@(0,1)"], "move(2E@x0y1,3)", "DEC-4.25"),
        (6, "waves", ["R1U@(0,0)"], "move(1U@x0y0,1)", "DEC-4.39"),
        (9, "waves", ["R1E@(1,1)", "B1U@(2,1)"], "move_card(1E@x1y1)", "DEC-4.11"),
        (9, "moons", ["R1E@(1,1)", "B1U@(2,1)"], "steal(1E@x1y1)", "DEC-4.11"),
        (9, "wyrms", ["R1E@(1,1)", "B1U@(2,1)"], "destroy(1E@x1y1)", "DEC-4.11"),
        (9, "leaves", ["R1E@(1,1)", "B1U@(2,1)"], "grow_card(1E@x1y1,9MS)", "DEC-4.11"),
        (9, "knots", ["R1E@(1,1)", "B1U@(2,1)"], "draw_card(1E@x1y1)", "DEC-4.11"),
        (10, "suns", ["R2U@(1,1)"], "create(2U@x1y1)", None),
        (11, "suns", ["R2U@(3,1)"], "create(2U@x3y1)", "DEC-R2"),
        (11, "leaves", ["R2U@(3,1)"], "grow(2U@x3y1)", None),
        (13, "leaves", ["R3U@(1,1)"], "grow(3U@x1y1)", "DEC-4.22"),
        (17, "moons", ["R2E@(0,1)", "B3U@(1,1)"], "push(2E@x0y1,s1-3U:1)", "DEC-4.30"),
        (18, "moons", ["R1E@(0,1)", "R1U@(1,1)"], "push(1E@x0y1,s0-1U:1)", None),
        (23, "wyrms", ["R1E@(0,1)", "R1U@(1,1)"], "shrink(1E@x0y1,s0-1U:1)", "DEC-4.32"),
        (0, "wyrms", ["R1E@(0,1)", "R1U@(1,1)", "B1U@(1,1)"], "shrink(1E@x0y1,s0-1U:1)", "DEC-4.33"),
        (0, "wyrms", ["R1E@(0,1)", "B2U@(1,1)"], "shrink(1E@x0y1,s1-2U:2)", "DEC-4.33"),
        (0, "moons", ["R1E@(0,1)"], "push(1E@x0y1,s1-1U:1)", "DEC-4.29"),
        (0, "suns", ["R1E@(1,1)"], "create_card(1E@x1y1)", "DEC-4.21"),
        (0, "suns", ["R1E@(2,1)", "B1U@(3,1)"], "create_card(1E@x2y1)", "DEC-4.21"),
        (0, "suns", ["R1E@(2,1)"], "draw(1E@x2y1)", "DEC-4.3"),
        (0, "suns", ["R1E@(2,1)"], "end_use", "DEC-4.5"),
        (0, "suns", ["R1E@(2,1)"], "create(1U@x2y1)", "DEC-4.4"),
    ],
)
def test_uses(number: int, suit: str, pyramid: list[str], action: str, clause: str | None) -> None:
    assert refused(using(suit, *pyramid), action) == clause


def test_7_a_card_flies_and_leaves_a_pyramid_in_the_void() -> None:
    state = play(using("waves", "R1W@(3,1)"), "move_card(1W@x3y1)")
    assert state.ground.top((-1, 1)) == "7SK"
    assert state.ground.what((2, 1)).text == "wasteland"
    assert state.ground.is_void((3, 1))
    assert pyramids(state) == []


def test_10_suns_create() -> None:
    state = play(using("suns", "R2U@(1,1)"), "create(2U@x1y1)")
    assert pyramids(state) == ["R1U@(1,1)", "R2U@(1,1)"]
    assert refused(using("suns", "R2U@(1,1)", stash={"R": [0, 2, 3]}), "create(2U@x1y1)") == "DEC-4.20"


def test_11_leaves_grow_on_wasteland() -> None:
    assert pyramids(play(using("leaves", "R2U@(3,1)"), "grow(2U@x3y1)")) == ["R3U@(3,1)"]


def test_13_no_medium_left() -> None:
    assert refused(using("leaves", "R1U@(1,1)", stash={"R": [2, 0, 3]}), "grow(1U@x1y1)") == "DEC-4.22"


@pytest.mark.parametrize(
    ("card", "clause"),
    [("5ML", None), ("3SK", "DEC-4.24"), ("XM", "DEC-4.24"), ("AW", "DEC-4.24"), ("9MS", "DEC-4.23")],
)
def test_14_only_a_larger_card_covers(card: str, clause: str | None) -> None:
    state = using("leaves", "R1N@(1,0)", hands={"R": ["5ML", "3SK", "XM", "AW"]})
    assert refused(state, f"grow_card(1N@x1y0,{card})") == clause
    assert legal(state, "grow_card") == {"grow_card(1N@x1y0,5ML)"}


@pytest.mark.parametrize(
    ("below", "card", "clause"),
    [
        ("XL", "AW", None),
        ("XL", "XM", "DEC-4.24"),
        ("E", "XM", None),
        ("2MK", "E", "DEC-4.24"),
        ("E", "E", "DEC-4.24"),
    ],
)
def test_15_aces_on_crowns_and_crowns_on_the_excuse(below: str, card: str, clause: str | None) -> None:
    fields = {"board": {"(0,1)": below, "(1,1)": "3LY"}, "hands": {"R": [card]}}
    state = using("leaves", "R1W@(1,1)", options={"excuses": True}, **fields)
    assert refused(state, f"grow_card(1W@x1y1,{card})") == clause


def test_18_an_own_pyramid_is_pushed() -> None:
    state = play(using("moons", "R1E@(0,1)", "R1U@(1,1)"), "push(1E@x0y1,s0-1U:1)")
    assert pyramids(state) == ["R1E@(0,1)", "R1U@(2,1)"]


def test_20_a_push_is_divided_and_ends_in_the_void() -> None:
    state = using("moons", "R3E@(2,1)", "B1N@(3,1)", "B2U@(3,1)")
    assert refused(state, "push(3E@x2y1,s1-1N:2)") == "DEC-4.30"
    after = play(state, "push(3E@x2y1,s1-1N:1+s1-2U:1)")
    assert pyramids(after) == ["R3E@(2,1)"]


def test_19_a_stolen_card_and_the_hand_limit() -> None:
    hand = ["2MK", "2SY", "2WL", "3MW", "3SK", "4MS"]
    state = play(using("moons", "R1E@(1,1)", hands={"R": hand}), "steal(1E@x1y1)")
    assert GAME.turn(state).phase == "discard"
    assert len(marks(state)) == 7
    assert len(GAME.layout(GAME.view(state, 1)).zone(Zone.HAND, 0)) == 7
    assert "7SK" in marks(GAME.view(state, 1))
    assert "2MK" not in marks(GAME.view(state, 1))
    assert GAME.turn(play(state, "discard(2MK)")).seat == 1


@pytest.mark.parametrize(
    ("number", "actor", "stash", "points", "after"),
    [
        (21, "R1E@(0,1)", [3, 3, 2], 1, "B2U@(1,1)"),
        (21, "R1E@(0,1)", [3, 0, 2], 1, "B1U@(1,1)"),
        (21, "R1E@(0,1)", [0, 0, 2], 1, None),
        (22, "R2E@(0,1)", [0, 3, 2], 2, "B2U@(1,1)"),
        (22, "R2E@(0,1)", [0, 0, 2], 2, None),
        (22, "R2E@(0,1)", [3, 3, 2], 2, "B1U@(1,1)"),
        (22, "R3E@(0,1)", [0, 0, 2], 3, ""),
    ],
)
def test_21_and_22_shrinking_by_what_the_stash_has(
    number: int, actor: str, stash: list[int], points: int, after: str | None
) -> None:
    state = using("wyrms", actor, "B3U@(1,1)", stash={"B": stash})
    text = f"shrink({actor[1:3]}@x0y1,s1-3U:{points})"
    if after is None:
        assert refused(state, text) == "DEC-R7"
    else:
        assert pyramids(play(state, text))[1:] == ([after] if after else [])


def test_shrinking_in_the_order_that_frees_a_size() -> None:
    """B's only medium is on the board: made small first, it is there for the large one."""
    state = using("wyrms", "R2E@(0,1)", "B2U@(1,1)", "B3U@(1,1)", stash={"B": [3, 0, 0]})
    wide = play(state, "shrink(2E@x0y1,s1-2U:1+s1-3U:1)")
    assert pyramids(wide)[1:] == ["B1U@(1,1)", "B2U@(1,1)"]
    other = play(state, "shrink(2E@x0y1,s1-3U:1+s1-2U:1)")
    assert pyramids(other)[1:] == ["B1U@(1,1)", "B1U@(1,1)"]


def test_25_destroying_a_card_leaves_a_pyramid_in_the_void() -> None:
    state = using("wyrms", "R1W@(2,0)", board={"(0,0)": "2MK", "(1,0)": "3LY"})
    step = GAME.apply(state, parse_action("destroy(1W@x2y0)"))
    assert step.state.ground.what((1, 0)).text == "wasteland"
    assert pyramids(step.state) == []
    assert step.state.discard[-1] == "3LY"
    assert any(e.clause == "DEC-2.4" for e in step.effects)


def test_26_knots_draw_by_pips() -> None:
    state = play(using("knots", "R3U@(0,0)", hands={"R": 5}), "draw(3U@x0y0)")
    assert len(marks(state)) == 8
    state = play(state, "discard(?)", "discard(3MW)")
    assert (len(marks(state)), GAME.turn(state).seat) == (6, 1)


def test_27_knots_draw_by_value_and_destroy() -> None:
    fields = {"hands": {"R": 2}, "use": {"card": "9LK"}}
    state = play(using("knots", "R1N@(2,1)", **fields), "draw_card(1N@x2y1)")
    assert len(marks(state)) == 11
    assert pyramids(state) == []
    assert state.discard[-1] == "9WY"
    assert state.ground.what((2, 2)).text == "wasteland"
    state = play(state, *["discard(?)"] * 5)
    assert (len(marks(state)), state.discard[-1]) == (6, "9LK")


def test_28_an_excuse_gives_no_cards_to_knots() -> None:
    fields = {"board": {"(0,0)": "E", "(1,0)": "2MK"}, "hands": {"R": 1}}
    state = play(using("knots", "R1W@(1,0)", options={"excuses": True}, **fields), "draw_card(1W@x1y0)")
    assert (len(marks(state)), pyramids(state), (0, 0) in state.ground.cards) == (1, [], False)


def test_29_a_crown_up_to_three_times() -> None:
    fields = {"hands": {"R": ["XS"]}, "stash": {"R": [2, 3, 3]}}
    state = play(position(pyramids=["R1U@(1,1)"], **fields), "play(XS,suns)")
    assert refused(state, "end_use") == "DEC-4.5"
    state = play(state, "create(1U@x1y1)")
    assert GAME.turn(play(state, "end_use")).seat == 1
    done = play(state, "create(1U@x1y1)")
    assert GAME.turn(done).seat == 1
    assert done.discard[-1] == "XS"


def test_31_redraw_with_a_full_hand() -> None:
    state = play(position(hands={"R": ["2MK", "2SY", "2WL", "3MW", "?", "?"]}), "redraw")
    assert len(marks(state)) == 7
    assert list(state.discard) == ["2MK", "2SY", "2WL", "3MW", "?", "?"]
    assert len(marks(play(state, "discard(?)"))) == 6


def test_34_any_subset_of_own_pyramids() -> None:
    state = position(pyramids=["R1E@(0,0)", "R2U@(1,0)", "B1U@(1,1)"])
    assert len(legal(state, "reorient")) == 5 * 5
    assert pyramids(play(state, "reorient(1E@x0y0>N+2U@x1y0>W)"))[:2] == ["R1N@(0,0)", "R2W@(1,0)"]


@pytest.mark.parametrize(
    ("hand", "reshuffles", "action", "clause"),
    [
        (["AM", "AS", "AK"], 0, "end_game(AM+AS+AK)", "DEC-5.1"),
        (["AM", "AS", "AK"], 1, "end_game(AM+AS+AK)", None),
        (["AM", "AS", "AK"], 1, "end_game(AM+AS+AL)", "DEC-5.1"),
        (["AM", "AS", "XK"], 1, "end_game(AM+AS+XK)", "DEC-5.1"),
        (["?", "AS", "?"], 1, "end_game(AM+AS+AK)", None),
    ],
)
def test_35_three_aces(hand: list[str], reshuffles: int, action: str, clause: str | None) -> None:
    state = position(hands={"R": hand}, reshuffles=reshuffles)
    assert refused(state, action) == clause
    later = position(hands={"R": hand}, reshuffles=reshuffles, to_act="B")
    assert refused(later, f"0:{action}") == clause
    if clause is None:
        assert GAME.outcome(play(later, f"0:{action}")).over
        assert action in {a.without_seat.id for a in GAME.legal(later, 0)}


@pytest.mark.parametrize(("more", "winners"), [(["R1U@(3,0)"], (0,)), ([], (0, 1))])
def test_37_more_pyramids_break_the_tie(more: list[str], winners: tuple[int, ...]) -> None:
    board = {"(0,0)": "7SK", "(1,0)": "7ML", "(2,0)": "XL"}
    there = ["R1U@(0,0)", "B1U@(1,0)", "R1U@(2,0)", "B2U@(2,0)", *more]
    state = position(board=board, pyramids=there, hands={"R": ["AM", "AM", "AK"]}, reshuffles=1)
    outcome = GAME.outcome(play(state, "end_game(AM+AM+AK)"))
    assert (outcome.scores, outcome.winners, outcome.clause) == ((7, 7), winners, "DEC-5.3")


def test_38_reshuffling_while_drawing() -> None:
    fields = {"pile": 1, "discard": ["2MK", "3LY"], "hands": {"R": 1}, "use": {"card": "9LK"}}
    state = using("knots", "R3U@(0,0)", **fields)
    below = len(state.discard)
    state = play(state, "draw(3U@x0y0)")
    assert (len(marks(state)), state.reshuffles, state.pile) == (4, 1, below - 2)
    assert state.discard == ("9LK",)


def test_39_a_pawn_has_three_suits_and_one_use() -> None:
    board = {"(0,0)": "PMSL", "(1,0)": "3LY"}
    state = position({"pawns": True}, board=board, pyramids=["R1U@(0,0)", "R1E@(0,0)"])
    assert legal(state, "activate") == {f"activate(x0y0,{suit})" for suit in ("moons", "suns", "leaves")}
    after = play(state, "activate(x0y0,suns)", "create(1U@x0y0)")
    assert GAME.turn(after).seat == 1


def test_the_card_that_suns_lay_is_read_from_the_table() -> None:
    state = play(using("suns", "R1E@(2,1)"), "create_card(1E@x2y1)")
    assert GAME.turn(state).kind == "chance"
    state = play(state, "reveal(9MS)")
    assert state.ground.top((3, 1)) == "9MS"
    full = position(board={"(0,0)": ["9MS", "9MS"]}, pyramids=["R1E@(0,0)"], use={"suit": "suns"})
    assert refused(play(full, "create_card(1E@x0y0)"), "reveal(9MS)") == "DEC-6.1"


def test_hands_may_be_entered_and_stay_hidden() -> None:
    state = play(position(hands={"R": 3, "B": 3}), "1:tell(AM+9MS)")
    assert sorted(marks(state, 1)) == ["9MS", "?", "AM"]
    assert marks(GAME.view(state, 0), 1) == ["?"] * 3
    assert marks(GAME.view(state, 1), 1) == marks(state, 1)
    assert refused(state, "1:tell(AM+AM)") == "DEC-6.2"
    assert refused(position(hands={"B": 3}), "1:tell(AM+AM)") == "DEC-6.1"  # one is on the board
    assert refused(state, "7:tell(AM)") == "DEC-3.4"


@pytest.mark.parametrize(
    ("option", "suit", "pyramid", "action"),
    [
        ({"suns_needs_territory": False}, "suns", ["R2U@(3,1)"], "create(2U@x3y1)"),
        ({"waves_zero": True}, "waves", ["R2E@(2,1)"], "move(2E@x2y1,0)"),
        ({"waves_into_void": "destroy"}, "waves", ["R2E@(2,1)"], "move(2E@x2y1,2)"),
    ],
)
def test_options_that_allow_more(option: Any, suit: str, pyramid: list[str], action: str) -> None:
    assert refused(using(suit, *pyramid, options=option), action) is None


def test_options_that_forbid() -> None:
    assert refused(position({"reorient_zero": "forbid"}), "reorient") == "DEC-R4"
    assert refused(position({"entry_orientation": "upright"}), "D 1 1 N") == "DEC-R3"
    spend = using("moons", "R2E@(0,1)", "B1U@(1,1)", options={"spend_all_points": True})
    assert refused(spend, "push(2E@x0y1,s1-1U:1)") == "DEC-R6"
    assert legal(spend, "push") == {"push(2E@x0y1,s1-1U:2)"}
    there = ["R1U@(1,0)", "R1E@(0,0)"]
    only = using("waves", *there, options={"board_actor": "occupant"}, use={"cell": "x1y0"})
    assert refused(only, "move(1E@x0y0,1)") == "DEC-R1"


def test_options_that_change_what_happens() -> None:
    smaller = {"missing_size": "next_smaller_or_destroy"}
    state = using("wyrms", "R2E@(0,1)", "B3U@(1,1)", options=smaller, stash={"B": [0, 3, 2]})
    assert pyramids(play(state, "shrink(2E@x0y1,s1-3U:2)")) == ["R2E@(0,1)"]
    deep = {"board": {"(0,0)": ["2MK", "3LY"], "(1,0)": "9MS"}, "hands": {"R": 0}}
    whole = using("knots", "R1W@(1,0)", options={"knots_card_destroys": "whole_stack"}, **deep)
    assert (0, 0) not in play(whole, "draw_card(1W@x1y0)").ground.cards
    top = using("knots", "R1W@(1,0)", **deep)
    assert play(top, "draw_card(1W@x1y0)").ground.top((0, 0)) == "2MK"
    last = play(position({"max_turns": 1}, pyramids=["R1U@(0,0)"]), "reorient")
    assert GAME.outcome(last).scores == (2, 0)
    assert GAME.outcome(last).over


def test_a_card_in_use_is_not_in_the_hand() -> None:
    state = play(position(pyramids=["R1N@(1,0)"], hands={"R": ["9LK", "9MS"]}), "play(9LK,leaves)")
    assert refused(state, "grow_card(1N@x1y0,9LK)") == "DEC-R12"
    alone = position(pyramids=["R1N@(1,0)"], hands={"R": ["9LK"]})
    assert refused(alone, "play(9LK,leaves)") == "DEC-4.5"


def test_where_cards_and_pyramids_lie() -> None:
    layout = GAME.layout(position(pyramids=["R3E@(1,1)", "B1U@(1,1)"]))
    assert [(p.x, p.y, p.angle) for p in layout.at("x1y0") if p.piece.mark] == [(3.0, 0.0, 90.0)]
    flat, upright = (p for p in layout.at("x1y1") if not p.piece.mark)
    assert (flat.angle, flat.pose, upright.pose) == (270.0, "flat", "upright")
    assert layout.by_key("pile-60") is not None


def test_turned_pyramids_are_recognised_together() -> None:
    state = position(pyramids=["R1E@(0,0)", "R2U@(1,0)", "R3N@(1,1)"])
    after = play(state, "reorient(1E@x0y0>N+2U@x1y0>W+3N@x1y1>U)")
    change = change_between(GAME.layout(state), GAME.layout(after))
    assert next(iter(GAME.suggest(state, change))).id == "reorient(1E@x0y0>N+2U@x1y0>W+3N@x1y1>U)"


def test_uses_are_recognised_by_where_they_act() -> None:
    state = using("waves", "R1E@(0,1)", "R1E@(0,0)")
    after = play(state, "move(1E@x0y1,1)")
    change = change_between(GAME.layout(state), GAME.layout(after))
    assert {a.id for a in GAME.suggest(state, change)} >= {"move(1E@x0y1,1)"}
    assert all("x0y1" in a.id for a in GAME.suggest(state, change))


def test_who_passes_leaves_nothing_to_see_and_the_next_draws() -> None:
    state = position(pyramids=["R1E@(0,1)", "B1E@(0,0)"])
    drawn = play(play(state, "reorient"), "redraw")
    change = change_between(GAME.layout(state), GAME.layout(drawn))
    assert "reorient" in {a.id for a in GAME.suggest(state, change)}


def test_a_pyramid_touches_its_space_and_the_one_it_points_at() -> None:
    assert GAME.touches(parse_action("destroy(1E@x0y1)")) == ("x0y1", "x1y1")
    assert GAME.touches(parse_action("create(1U@x0y1)")) == ("x0y1",)
    assert GAME.describe(parse_action("reorient")).startswith("pass")
    assert GAME.describe(parse_action("place_start(x0y1,E)")) == "a small pyramid on x0y1, pointing east"


@pytest.mark.parametrize("text", ["move(2E@x0y1,²)", "push(2E@x0y1,s1-1U:²)", "shrink(2E@x0y1,:)", "move(,)"])
def test_odd_arguments(text: str) -> None:
    for suit in ("waves", "moons", "wyrms"):
        assert refused(using(suit, "R2E@(0,1)", "B1U@(1,1)"), text)


def test_the_deck() -> None:
    assert len(BASIC) == 36
    assert all(sum(letter in card.suits for card in BASIC) == 10 for letter in "MSWLYK")
    assert len(DECKTET) == 45
    sizes = [
        GAME.start(options).pile for options in ({}, {"pawns": True}, {"pawns": True, "courts": True, "excuses": True})
    ]
    assert sizes == [72, 80, 90]


def test_the_drawing_shows_cards_and_pyramids() -> None:
    drawn = GAME.diagram(position(pyramids=["R3E@(1,1)", "B1U@(1,1)"], board={"(1,1)": ["2MK", "5ML"]}))
    assert "5ML over 2MK" in drawn
    assert "p0>3 p1▲1" in drawn


@pytest.mark.parametrize(
    "fields",
    [
        {"pyramids": ["R1U@(9,9)"]},
        {"pyramids": ["R1U@(0,0)"] * 4},
        {"hands": {"R": ["2XX"]}},
        {"hands": {"R": ["E"]}},
        {"hands": {"R": ["AM", "AM"]}},
        {"board": {"(0,0)": "?"}},
        {"to_act": "G"},
        {"cards": []},
        {"pile": 99},
        {"hands": {"R": 1.5}},
    ],
)
def test_impossible_positions(fields: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        set_up(GAME, fields, GAME.card.options_type(), read_seats(GAME.card, 2))


def test_every_clause_that_the_code_cites_is_in_the_rulebook() -> None:
    texts = [source.read_text(encoding="utf-8") for source in Path(dectana.__file__).parent.rglob("*.py")]
    cited = {clause for text in texts for clause in re.findall(r'"(DEC-R?\d+(?:\.\d+)*)"', text)}
    assert cited <= clauses_of("dectana").keys()


def test_perft() -> None:
    """Hands are known, so that the numbers are of the rules and not of what a hand might be."""
    hands = {"R": ["XS", "2MK", "9LK"], "B": ["4YK", "7WY", "AM"]}
    state = position(pyramids=["R1U@(1,1)", "R2E@(0,1)", "B1W@(2,1)"], hands=hands)
    assert [perft(GAME, state, depth) for depth in range(4)] == [1, 33, 268, 5420]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"pawns": True, "courts": True, "excuses": True, "start_player": 1}),
        (4, {"board_actor": "occupant", "reorient_zero": "forbid", "entry_orientation": "upright"}),
        (5, {"waves_zero": True, "waves_into_void": "destroy", "spend_all_points": True, "max_turns": 40}),
        (
            2,
            {
                "missing_size": "next_smaller_or_destroy",
                "knots_card_destroys": "whole_stack",
                "first_shuffle_counts": True,
            },
        ),
        (2, {"suns_needs_territory": False}),
    ],
)
def test_laws(seats: int, options: dict[str, object]) -> None:
    assert check_laws(GAME, seats, options, seats, limit=60) > 5


def test_playthrough() -> None:
    actions = by_luck(GAME, 3, None, 3)
    check_playthrough(HERE / "playthrough.txt", transcript(GAME, actions, None, 3, every=12))
