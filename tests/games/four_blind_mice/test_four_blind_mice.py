"""The worked tests of Four Blind Mice, by their number, hints, bids and the laws in every variant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.engine.card import SetupError
from rules.engine.effects import EffectKind
from rules.engine.playout import perft
from rules.games import game
from rules.games.four_blind_mice.opening import NAMES, Phase
from rules.games.four_blind_mice.slides import places
from rules.games.four_blind_mice.solver import exact_route, hint, shortest_route
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_script, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("four_blind_mice")
PLAYER = Player(GAME, 3)
refused, play, position = PLAYER.refused, PLAYER.play, PLAYER.position
CHEESE = {"c3": "S0", "f6": "S1", "d4": "M0", "b6": "M1", "g3": "C0", "e7": "C1", "b4": "A0", "f4": "A1"}
MICE = {"S": "b2", "M": "e2", "C": "g5", "A": "d6"}
BOARD = "+".join(f"{space}:{what}" for space, what in [*CHEESE.items(), *((s, m) for m, s in MICE.items())])


def board_1(target: str | None = None, options: Mapping[str, object] | None = None, **fields: Any) -> Any:
    if target:
        fields = {"phase": "attempt", "target": target, **fields}
    return position(options, **{"cheese": CHEESE, "mice": MICE, **fields})


def mouse(state: Any, suit: str) -> str:
    cell: int = state.mice["SMCA".index(suit)]
    return NAMES[cell]


def test_1_the_board_can_be_placed() -> None:
    state = GAME.start({}, 3)
    for space, code in CHEESE.items():
        state = play(state, f"place_cheese({code[1]},{space})")
    for suit, space in MICE.items():
        state = play(state, f"place_mouse(p{suit},{space})")
    assert (state.phase, state.chooser) == (Phase.CHOOSE, 0)


@pytest.mark.parametrize(
    ("number", "target", "slides", "suit", "stop"),
    [
        (2, "c3", "S N", "S", "b3"),
        (3, "c3", "S E", "S", "d2"),
        (5, "c3", "C S", "C", "g4"),
        (13, "g3", "C S", "C", "g1"),
        (14, "c3", "S N, S E", "S", "f3"),
    ],
)
def test_slides(number: int, target: str, slides: str, suit: str, stop: str) -> None:
    state = play(board_1(target), *slides.split(", "))
    assert mouse(state, suit) == stop
    assert state.target is not None


@pytest.mark.parametrize(
    ("number", "target", "slides", "cost"),
    [
        (6, "c3", "S E, S N, S W", 3),
        (9, "f4", "A S, A E, A S", 3),
        (10, "d4", "A W, M N, M W, M S", 4),
        (11, "f6", "C N, S W, S N, S E, S S", 5),
    ],
)
def test_claims(number: int, target: str, slides: str, cost: int) -> None:
    state = board_1(target, attempt={"seat": 1, "bid": cost})
    *first, last = slides.split(", ")
    state = play(state, *first)
    step = GAME.apply(state, GAME.read(state, last))
    assert step.state.scores == (0, 1, 0)
    assert step.state.phase is Phase.CHOOSE
    assert [effect.kind for effect in step.effects][:3] == [
        EffectKind.MOVE,
        EffectKind.TAKE,
        EffectKind.SCORE,
    ]
    assert step.effects[2].facts["moves"] == cost
    assert len(shortest_route(board_1(target)) or ()) == cost


def test_7_the_least_bid_is_three() -> None:
    state = position({}, cheese=CHEESE, mice=MICE, target="c3")
    assert refused(state, "0:bid(2)") == "MICE-8.12"
    assert refused(state, "0:bid(3)") is None
    assert refused(state, "bid(3)") == "MICE-4.2"
    assert refused(state, "S N") == "MICE-4.2"


def test_15_no_turning_back() -> None:
    state = play(board_1("c3"), "S E")
    assert refused(state, "S W") == "MICE-4.6"
    assert refused(play(board_1("c3", {"allow_reverse": True}), "S E"), "S W") is None


def test_17_the_order_of_the_bids() -> None:
    state = position({}, 4, cheese=CHEESE, mice=MICE, target="c3")
    assert refused(state, "close_bids") == "MICE-4.3"
    state = play(state, "2:bid(4,10)", "3:bid(4,12)", "1:bid(3,50)")
    assert refused(state, "0:bid(5,71)") == "MICE-4.2"
    assert refused(state, "2:bid(4)") == "MICE-4.2"
    assert refused(state, "close_bids(69.9)") == "MICE-4.3"
    assert refused(state, "discard") == "MICE-4.11"
    state = play(state, "close_bids(70)")
    order = [state.to_act]
    for _ in range(2):
        state = play(state, "fail")
        order.append(state.to_act)
    assert order == [1, 2, 3]


def test_a_lower_bid_of_ones_own_has_a_new_time() -> None:
    state = position({}, 2, cheese=CHEESE, mice=MICE, target="c3")
    state = play(state, "0:bid(5,1)", "1:bid(4,2)", "0:bid(4,3)", "close_bids")
    assert (state.to_act, state.order) == (1, (0,))


@pytest.mark.parametrize(
    ("space", "clause"), [("d3", "MICE-3.5c"), ("a5", "MICE-3.5a"), ("d4", "MICE-3.5b"), ("e5", None)]
)
def test_18_placing(space: str, clause: str | None) -> None:
    state = position({}, phase="place_mice", cheese={"d4": "M0"})
    assert refused(state, f"place_mouse(pS,{space})") == clause


def test_19_all_bidders_fail() -> None:
    state = position({}, 3, cheese=CHEESE, mice=MICE, target="c3", chooser=2, bids={"0": 3, "1": 3, "2": 4})
    state = play(state, "close_bids", "S N", "fail", "S E", "fail", "M N", "fail")
    assert state.scores == (0, 0, 0)
    assert (state.phase, state.chooser) == (Phase.CHOOSE, 0)
    assert [mouse(state, suit) for suit in "SMCA"] == list(MICE.values())
    assert refused(state, "c3") == "MICE-4.1"


def test_the_moves_are_used_up() -> None:
    state = play(board_1("c3", attempt={"seat": 0, "bid": 3}), "S N", "S E", "C N")
    assert [action.id for action in GAME.legal(state)] == ["fail"]
    assert refused(state, "M N") == "MICE-4.10"


def test_nobody_bids() -> None:
    state = play(position({}, 3, cheese=CHEESE, mice=MICE, target="c3"), "discard")
    assert state.phase is Phase.CHOOSE
    assert len(GAME.layout(state)) == 16 + 8 + 4


def test_8_2_with_stop_the_slide_must_end_on_the_cheese() -> None:
    plan = ["S E", "S N", "S W"]
    state = play(board_1("c3", {"claim_on": "stop"}), *plan)
    assert state.target is not None
    assert mouse(state, "S") == "a3"


def test_8_4_turns_may_cost() -> None:
    state = play(board_1("c3", {"count": "slides+turns"}), "S E", "S N")
    assert state.used == 3
    assert len(shortest_route(board_1("c3", {"count": "slides+turns"})) or ()) == 3


def test_8_7_exactly_the_bid() -> None:
    state = play(board_1("c3", {"exact": True}, attempt={"seat": 0, "bid": 4}), "S E", "S N", "S W")
    assert state.target is not None
    start = board_1("c3", {"exact": True}, attempt={"seat": 0, "bid": 4})
    route = exact_route(start, 4)
    assert route is not None
    assert play(start, *(action.id for action in route)).scores == (1, 0, 0)


def test_8_10_when_there_is_no_room_contact_is_allowed() -> None:
    full = ["b2", "b4", "d3", "f2", "g4", "e5", "c6", "b7"]
    cheese = {space: f"?{number % 2}" for number, space in enumerate(full)}
    fields: dict[str, Any] = {"phase": "place_mice", "cheese": cheese, "mice": {"S": "e7", "M": "g6"}}
    state = position({}, **fields)
    assert len(places(state)) == 36 - 10
    assert refused(state, "place_mouse(pC,c3)") is None
    again = position({"no_room": "restart"}, **fields)
    assert [action.id for action in GAME.legal(again)] == ["restart"]
    assert play(again, "restart").phase is Phase.PLACE_CHEESE
    assert refused(state, "restart") == "MICE-8.10"


def test_8_14_a_mouse_on_its_own_cheese_must_come_back() -> None:
    cheese = {**CHEESE, "d4": "S0", "c3": "M0"}
    state = board_1("d4", cheese=cheese, mice={**MICE, "S": "d4"})
    assert play(state, "S W").target is not None


def test_9_1_the_cheese_goes_back() -> None:
    options = {"replacement": True, "goal": 2}
    state = play(board_1("c3", options, attempt={"seat": 0, "bid": 3}, chooser=0), "S E", "S N", "S W")
    assert (state.phase, state.to_act) == (Phase.REPLACE, 0)
    assert refused(state, "a1") == "MICE-3.5a"
    state = play(state, "c5")
    assert (state.phase, state.to_act) == (Phase.CHOOSE, 1)
    assert refused(state, "c5") == "MICE-9.1"
    state = play(state, "uncover(f6)", "discard")
    assert refused(state, "c5") is None
    assert play(state, "c5").phase is Phase.BID
    with pytest.raises(SetupError):
        GAME.start({"replacement": True, "goal": 0})


def test_the_goal_ends_the_game() -> None:
    state = board_1("c3", attempt={"seat": 1, "bid": 3}, scores=[0, 2, 1])
    outcome = GAME.outcome(play(state, "S E", "S N", "S W"))
    assert (outcome.winners, outcome.scores) == ((1,), (0, 3, 1))


def test_time_is_up_and_a_tie_is_played_out() -> None:
    options = {"time_limit": 30}
    state = play(board_1(None, options, scores=[1, 0, 1], chooser=1), "time_up")
    assert (state.tied, state.phase, state.chooser) == ((0, 2), Phase.CHOOSE, 2)
    assert refused(state, "time_up") == "MICE-5.1"
    state = play(state, "uncover(c3)")
    assert GAME.turn(state).seats == (0, 2)
    assert refused(state, "1:bid(3)") == "MICE-4.2"
    outcome = GAME.outcome(play(state, "2:bid(3)", "close_bids", "S E", "S N", "S W"))
    assert (outcome.winners, outcome.clause) == ((2,), "MICE-5.2")
    assert GAME.outcome(play(board_1(None, options, scores=[1, 0, 0]), "time_up")).winners == (0,)
    assert refused(board_1(), "time_up") == "MICE-5.1"


def test_no_cheese_left_shares_the_win() -> None:
    state = position({"goal": 0}, 2, cheese={"c3": "S0"}, mice=MICE, target="c3", scores=[1, 1])
    outcome = GAME.outcome(play(state, "discard"))
    assert (outcome.winners, outcome.clause) == ((0, 1), "MICE-5.2")


def test_5_3_alone_the_moves_are_counted() -> None:
    two = {"c3": "S0", "d4": "M0"}
    state = play(position({}, 1, cheese=two, mice=MICE), "uncover(c3)", "S N", "fail")
    assert GAME.turn(state).seat == 0
    state = play(state, "S E", "S N", "S W", "uncover(d4)")
    assert GAME.outcome(state).scores == (4,)
    outcome = GAME.outcome(play(state, "M N", "discard"))
    assert (outcome.over, outcome.winners, outcome.scores) == (True, (), (5,))
    last = position({}, 1, cheese={"c3": "S0"}, mice={**MICE, "S": "e3", "M": "e2"}, target="c3", plan=["SE", "SN"])
    assert GAME.outcome(play(last, "S W")).winners == ()


def test_covered_suits_are_known_to_nobody() -> None:
    state = GAME.start({"board": BOARD}, 3)
    view = GAME.view(state, 0)
    assert all(cheese.suit is None for cheese in view.cheeses)
    assert play(state, "c3").cheeses[0].public
    unknown = position({}, cheese={space: f"?{code[1]}" for space, code in CHEESE.items()}, mice=MICE)
    state = play(unknown, "c3")
    assert GAME.turn(state).kind == "chance"
    state = play(state, "reveal(suns)", "discard", "d4")
    assert refused(state, "reveal(suns)") == "MICE-6.1"
    assert refused(state, "reveal(moons)") is None


def test_a_blocked_mouse() -> None:
    state = play(board_1("c3"), "S N")
    refusal = GAME.refusal(board_1("c3", mice={**MICE, "S": "c2"}), GAME.read(state, "slide(S,W)"))
    assert refusal is None
    blocked = board_1("f6", mice={**MICE, "S": "b3"})
    assert "the cheese on c3 is in the way" in str(GAME.refusal(blocked, GAME.read(blocked, "S E")))
    assert refused(board_1("f6", mice={**MICE, "S": "h8"}), "S E") == "MICE-4.5"


def test_hints() -> None:
    assert hint(board_1()) is None
    think = position({}, cheese=CHEESE, mice=MICE, target="f6")
    assert str(hint(think)) == "bid(5)"
    assert hint(play(think, "0:bid(5)")) is None
    state = board_1("f6", attempt={"seat": 0, "bid": 5})
    for _ in range(5):
        action = hint(state)
        assert action is not None
        state = play(state, action.id)
    assert state.scores == (1, 0, 0)
    assert str(hint(board_1("f6", attempt={"seat": 0, "bid": 4}))) == "fail"
    assert hint(board_1("c3", {"exact": True})) is None


@pytest.mark.parametrize(
    ("target", "options", "length"), [("c3", {"claim_on": "stop"}, 6), ("f6", {"allow_reverse": True}, 5)]
)
def test_shortest_routes_in_variants(target: str, options: dict[str, object], length: int) -> None:
    state = board_1(target, options)
    route = shortest_route(state)
    assert route is not None
    assert len(route) == length
    assert play(state, *(action.id for action in route)).scores == (1, 0, 0)


@pytest.mark.parametrize(
    "fields",
    [
        {"cheese": {"c9": "S0"}},
        {"cheese": {"c3": "S0", "c5": "S0"}},
        {"cheese": {"c3": "S5"}},
        {"cheese": {"c3": "S0"}, "mice": {**MICE, "S": "c3"}},
        {"cheese": CHEESE, "mice": MICE, "phase": "attempt"},
        {"cheese": CHEESE, "mice": MICE, "target": "a1"},
        {"cheese": CHEESE, "mice": MICE, "target": "c3", "bids": {"0": 1}},
        {"cheese": CHEESE, "mice": MICE, "scores": [1]},
        {"phase": "choose"},
        {"cats": 1},
    ],
)
def test_positions_that_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        position({}, **fields)


@pytest.mark.parametrize("board", ["c3:S0", BOARD.replace("b2:S", "c3:S"), "x"])
def test_boards_that_cannot_be(board: str) -> None:
    with pytest.raises(SetupError):
        GAME.start({"board": board}, 2)


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 2),
        ({"goal": 0}, 1),
        ({"start_player": "roll", "time_limit": 30}, 4),
        ({"replacement": True, "markers": True, "board": BOARD}, 3),
        ({"claim_on": "stop", "count": "slides+turns", "allow_reverse": True, "board": BOARD}, 2),
        ({"exact": True, "no_room": "restart", "goal": 1}, 8),
    ],
)
def test_laws(options: dict[str, object], seats: int) -> None:
    assert check_laws(GAME, 2, options, seats, limit=36) > 20


SCRIPT = """
uncover(c3) 0:bid(4,20) 1:bid(3,31.5) close_bids slide(pS,E) slide(pS,N) slide(pS,W) uncover(f4) 2:bid(3) close_bids
slide(pA,S) slide(pA,E) fail uncover(d4) discard uncover(f6) 1:bid(9) 0:bid(8) close_bids fail slide(pC,N) fail
"""


def test_playthrough() -> None:
    options = {"board": BOARD, "markers": True}
    text = transcript(GAME, by_script(SCRIPT), options, 3, every=8)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


def test_perft() -> None:
    assert [perft(GAME, board_1("c3"), depth) for depth in range(4)] == [1, 17, 240, 2986]
