"""The worked tests of Delegate Dash, by their number, and the rulings."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import EffectKind
from rules.games.delegate_dash.chart import (
    BY_NAME,
    CELLS,
    DISTANCES,
    GAP,
    LETTERS,
    NULLS,
    REGION_OF,
    worth,
)
from rules.games.delegate_dash.deeds.convention import verdict_of
from rules.table.layout import Zone
from tests.games.delegate_dash.positions import GAME, at, clause, done, ids, position, said


def test_1_totals() -> None:
    suit = sum(worth(rank) for rank in range(6))
    assert (suit, 4 * suit, 4 * suit + 4) == (151, 604, 608)
    state = position(phase="count", hands={"N": "A50 A40 A30 A20 A10 A1 S50 S40 S30 S20 S10 pC"})
    assert state.total(0) == 151 + 150 + 2


def test_2_the_map() -> None:
    assert [REGION_OF.count(region) for region in range(4)] == [6, 6, 6, 6]
    assert [CELLS[cell] for cell in NULLS] == [(3, 4), (4, 5), (5, 4), (4, 3)]
    assert LETTERS == "ASCM"
    assert [DISTANCES[GAP].count(steps) for steps in (1, 2, 3)] == [4, 8, 12]
    assert DISTANCES[BY_NAME[at(3, 4)]][BY_NAME[at(5, 4)]] == 4
    assert max(max(row) for row in DISTANCES) == 8


def test_3_one_step_from_the_gap_or_home() -> None:
    state = position(roll={"N": 1}, order=["N"])
    home = {at(*CELLS[cell]) for cell in range(GAP) if REGION_OF[cell] == 0}
    reached = {action.args[1] for action in GAME.legal(state) if action.verb == "move"}
    assert reached == home | {at(3, 4), at(4, 3), at(4, 5), at(5, 4)}
    east = position(roll={"E": 1}, order=["E"])
    assert clause(east, f"E {at(3, 3)}") == "DASH-4.4"


def test_5_round_the_gap() -> None:
    state = position(pawns={"E": [3, 4]}, roll={"E": 3}, order=["E"])
    assert clause(state, f"E {at(5, 4)}") == "DASH-4.4"
    refusal = GAME.refusal(state, GAME.read(state, f"E {at(5, 4)}"))
    assert refusal is not None
    assert "4 states from d5" in refusal.text


@pytest.mark.parametrize(
    ("number", "row", "column", "expected"), [(6, 7, 4, None), (7, 2, 4, "DASH-4.4"), (0, 4, 4, "DASH-2.3")]
)
def test_6_7_with_a_null(number: int, row: int, column: int, expected: str | None) -> None:
    state = position(pawns={"S": [1, 4]}, roll={"S": 0}, order=["S"])
    where = "gap" if (row, column) == (4, 4) else at(row, column)
    assert clause(state, f"S {where}") == expected


ACE = {"tiles": {"A": "12345"}, "stake": {"d7": "50 1"}, "round": 1, "phase": "caucus"}


def test_9_alone_one_takes_one() -> None:
    state = position(pawns={"E": "Aa"}, **ACE)
    assert ids(state) == {"take(east,cA5)", "take(east,cA0)"}
    state, _ = done(state, "take(east,cA0)")
    assert state.phase == "roll"
    assert state.worth_of(state.stake_at(BY_NAME["d7"])[0]) == 50


def test_10_the_candidate_at_home_wins_ties() -> None:
    state = position(pawns={"N": "d7", "E": "d7"}, hidden={"c6": 1}, **ACE)
    state, _ = done(state, "dice(A4+S4)")
    assert clause(state, "take(east,cA5)") == "DASH-4.8"
    state, effects = done(state, "take(north,cA5)", "take(east,cA0)")
    assert (state.total(0), state.total(1)) == (50, 1)
    assert [effect.kind for effect in effects].count(EffectKind.TAKE) == 2
    assert (state.phase, state.round) == ("reveal", 1), "the twos are next, where a coin still lies"


def test_11_else_clockwise_from_the_regions_candidate() -> None:
    stake = {"stake": {"e5": "50 10"}, "round": 1, "phase": "caucus"}
    state = position(pawns={"N": "e5", "W": "e5"}, **stake)
    state, _ = done(state, "dice(A2+M2)")
    assert [action.args[0] for action in GAME.legal(state)] == ["west", "west"]


def test_13_an_automatic_candidate_goes_home() -> None:
    state = position(seats=2, roll={"W": 1}, order=["W"], stake={"d7": "50"}, round=1)
    assert ids(state) == {"move(west,c4)"}
    assert GAME.turn(state).seats == (0,)
    assert clause(state, "W b5") == "DASH-4.10"
    assert said(state, "W b5") == "General West can reach no coins at stake and goes home to c4"


def test_4_10_an_automatic_candidate_goes_where_most_is_at_stake() -> None:
    fields: dict[str, Any] = {
        "stake": {"d7": "20", "e5": "10 1", "b5": "20"},
        "round": 1,
        "roll": {"W": 3},
        "order": ["W"],
    }
    state = position(seats=2, **fields)
    assert ids(state) == {"move(west,d7)", "move(west,b5)"}
    assert said(state, "W c5") == "General West has no player and goes to d7 or b5: most coins are at stake there"
    there = position(seats=2, pawns={"W": "b5"}, **{**fields, "stake": {"b5": "20", "d7": "10"}})
    assert ids(there) == {"stay(west)"}, "DASH-8.13"


@pytest.mark.parametrize(("limit", "again"), [("any", True), ("once", False)])
def test_14_a_surrendered_coin_buys_another_move(limit: str, again: bool) -> None:
    state = position(
        {"surrender_limit": limit},
        roll={"E": 1},
        order=["E", "S"],
        hands={"E": "M20 M10"},
        stake={"d7": "50"},
    )
    state, _ = done(state, "move(east,d5)")
    assert ids(state) == {"surrender(east,cM2)", "surrender(east,cM1)", "done(east)"}
    assert clause(state, "surrender(east,cM5)") == "DASH-4.6"
    state, effects = done(state, "surrender(east,cM2)", "dice(S2)", "move(east,d7)")
    assert any(e.kind is EffectKind.PAY and e.target and e.target.zone is Zone.SPENT for e in effects)
    assert GAME.layout(state).by_key("moons-0").zone is Zone.SPENT  # type: ignore[union-attr]
    assert (state.phase == "after") is again
    assert state.order[0] == (1 if again else 2)


@pytest.mark.parametrize(
    ("number", "totals", "winner", "last", "even"),
    [
        (15, {0: 310, 1: 100, 2: 100, 3: 98}, 0, (), False),
        (17, {0: 250, 1: 200, 2: 79, 3: 79}, None, (2, 3), False),
        (19, {1: 304, 3: 304}, None, (1, 3), True),
        (5, {0: 200, 1: 200, 2: 150, 3: 58}, None, (3,), False),
    ],
)
def test_counts(number: int, totals: dict[int, int], winner: int | None, last: tuple[int, ...], even: bool) -> None:
    found = verdict_of(totals)
    assert (found.winner, found.last, found.even) == (winner, last, even)


ALL_A = "A50 A40 A30 A20 A10"


def test_15_a_majority_wins_at_once() -> None:
    state = position(phase="count", hands={"N": f"{ALL_A} S50 S40 S30 S20 S10 S1 A1"}, pool="C50")
    assert GAME.outcome(state).over is False
    state = position(phase="count", hands={"N": f"{ALL_A} S50 S40 S30 S20 S10 M10"}, pool="C50")
    assert GAME.outcome(state).winners == (0,)
    assert GAME.outcome(state).scores[0] == 311


def test_15_a_candidate_without_a_player_may_win() -> None:
    state = position(seats=2, phase="count", hands={"W": f"{ALL_A} S50 S40 S30 S20 S10 M10"})
    assert GAME.outcome(state).winners == ()
    assert GAME.outcome(state).over
    assert "all players lose" in GAME.outcome(state).reason


def test_17_who_ties_for_last_gives_up_a_region() -> None:
    hands = {"N": f"{ALL_A} S50", "E": "S40 S30 S20 S10 C50", "S": "C20 C10 C1 M1", "W": "M20 M10 S1 A1"}
    state = position(phase="count", hands=hands)
    assert ids(state) == {"shed(south,C)", "shed(south,M)"}
    assert clause(state, "shed(south,A)") == "DASH-5.3"
    state, _ = done(state, "shed(south,M)")
    assert ids(state) == {"shed(west,A)", "shed(west,S)", "shed(west,M)"}
    state, _ = done(state, "shed(west,A)")
    assert state.running == (True, True, True, True)
    assert state.phase == "share"
    assert state.regions == (3, 0), "moons before arms; nothing of suns and crowns is uncommitted"


def test_8_6_an_automatic_candidate_gives_up_the_cheapest() -> None:
    hands = {"N": f"{ALL_A} S50", "E": "S40 S30 S20 S10 C50", "S": "C20 C10 C1 M1", "W": "M20 M10 S1 A1"}
    state = position(seats=2, phase="count", hands=hands)
    assert ids(state) == {"shed(south,M)"}
    state, _ = done(state, "shed(south,M)")
    assert ids(state) == {"shed(west,A)"}, "arms and suns cost 1 each; arms is lower"
    free = position({"automatic_shed": "random"}, seats=2, phase="count", hands=hands)
    assert ids(free) == {"shed(south,C)", "shed(south,M)"}


SHARE: dict[str, Any] = {
    "phase": "count",
    "hands": {"N": "A50 A40 A30 A20 M1", "E": "S50 S40 S30 S20", "S": "C50 C40 C30", "W": "M50"},
}


def test_18_sharing_out_a_region() -> None:
    state = position(**SHARE)
    assert state.running == (True, True, True, False)
    assert GAME.turn(state).phase == "share"
    state, _ = done(state, "dice(A3+S4+C0)")
    assert state.ranking == ((0, 1), (2,)), "3 and one coin against 4"
    assert clause(state, "dice(A3)") == "DASH-4.8"
    state, _ = done(state, "dice(A5+S2)")
    assert ids(state) == {"take(north,cM5)"}
    state, _ = done(state, "take(north,cM5)")
    assert ids(state) == {"take(east,pM)"}
    state, _ = done(state, "take(east,pM)")
    assert state.total(1) == 142


def test_8_8_a_free_pick() -> None:
    state = position({"free_pick": True}, **SHARE)
    state, _ = done(state, "dice(A5+S2+C0)")
    assert ids(state) == {"take(north,cM5)", "take(north,pM)"}


def test_8_7_the_order_of_the_regions() -> None:
    fields: dict[str, Any] = {**SHARE, "pool": "S10 A10 C10"}
    assert position(**fields).regions == (1, 3, 2, 0)
    assert position({"region_order": "compass"}, **fields).regions == (0, 1, 2, 3)


EVEN = {
    "phase": "count",
    "out": ["S", "W"],
    "hands": {
        "N": "A50 A40 A30 A20 A10 M50 M40 M30 M20 M10 A1 M1 pM pA",
        "E": "S50 S40 S30 S20 S10 C50 C40 C30 C20 C10 S1 C1 pS pC",
    },
}


def test_19_the_legislature_decides() -> None:
    state = position(**EVEN)
    assert state.phase == "legislature"
    state, _ = done(state, "dice(A3+S3)")
    state, effects = done(state, "dice(A1+S4)")
    assert GAME.outcome(state).winners == (1,)
    assert GAME.outcome(state).clause == "DASH-5.5"
    assert effects[-1].kind is EffectKind.END


def test_8_9_last_without_any_marker() -> None:
    state = position(phase="count", hands={"N": f"{ALL_A} pC pM", "E": "S50 S40"})
    assert state.phase == "drop"
    state, _ = done(state, "dice(C2+M2)")
    state, effects = done(state, "dice(C2+M5)")
    first = next(effect for effect in effects if effect.kind is EffectKind.ELIMINATE)
    assert (first.seat, first.clause) == (2, "DASH-8.9")


def test_5_7_players_who_refuse_to_move() -> None:
    state = position({"stall_limit": 2}, stake={"d7": "50"}, hidden={"c6": 1}, phase="roll")
    for _ in range(2):
        state, effects = done(state, "roll(A0+S0+C0+M0)", "N stays", "E stays", "S stays", "W stays")
    assert state.markers_at(40) == [0]
    assert (state.round, state.phase) == (1, "reveal")
    assert any(effect.clause == "DASH-5.7" for effect in effects)


def test_4_2_what_is_turned_over() -> None:
    state = position(phase="reveal", hidden={"d7": 2}, pool="A50")
    assert len(ids(state)) == 10
    assert clause(state, "reveal(d7,5+1)") == "DASH-1.1"
    assert clause(state, "reveal(d7,4)") == "DASH-4.2"
    assert clause(state, "reveal(c6,4)") == "DASH-4.2"
    state, effects = done(state, "reveal(d7,4+0)")
    assert [effect.facts["worth"] for effect in effects if effect.kind is EffectKind.REVEAL] == [40, 1]


def test_4_3_the_order_of_moves() -> None:
    state, _ = done(position(phase="roll", stake={"d7": "50"}, holder="S"), "roll(A2+S5+C2+M2)")
    assert state.order == (1, 2, 3, 0)


def test_4_9_the_dice_pass_to_the_next_player() -> None:
    state = position(seats=["arms", "crowns"], pawns={"N": "d7"}, stake={"d7": "50"}, hidden={"c6": 1}, phase="caucus")
    state, _ = done(state, "take(north,cA5)")
    assert (state.round, state.holder) == (1, 2)


def test_8_4_the_holder_says_which_caucus_is_next() -> None:
    fields: dict[str, Any] = {"stake": {"d7": "50", "e5": "10"}, "pawns": {"N": "d7", "E": "e5"}}
    state = position(phase="caucus", **fields)
    assert ids(state) == {"caucus(d7)", "caucus(e5)"}
    state, _ = done(state, "caucus(Sa)", "take(east,cS1)")
    assert ids(state) == {"take(north,cA5)"}


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("move(nobody,d5)", "DASH-4.3"),
        ("move(north,q9)", "DASH-2.1"),
        ("stay(east)", "DASH-4.3"),
        ("roll(A1+S2+C3+M4)", "DASH-4.3"),
        ("take(north,cA5)", "DASH-4.8"),
        ("dice(A7)", "DASH-4.8"),
        ("deal(1,2,3,4)", "DASH-3.1"),
    ],
)
def test_absurd_actions(action: str, expected: str) -> None:
    assert clause(position(order=["N"], roll={"N": 5}), action) == expected


@pytest.mark.parametrize(
    "data",
    [
        {"tile": {}},
        {"stake": {"d7": "60"}},
        {"stake": {"d7": "50 50"}},
        {"pawns": {"N": "x"}},
        {"round": 6},
        {"phase": "x"},
        {"phase": "after"},
    ],
)
def test_positions_that_cannot_be(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        position(**data)


def test_5_1_a_candidate_without_a_player_wins_and_is_counted() -> None:
    """North alone has a player: the scores name all four."""
    hands = {"N": "A30 A1", "W": "M50 M40 M30 M20 M10 M1 S50 S40 S30 S20 C10 C1 C20"}
    state = position(seats=1, phase="count", hands=hands)
    outcome = GAME.outcome(state)
    assert (outcome.over, outcome.winners, outcome.scores) == (True, (), (32,))
    assert dict(outcome.others) == {"suns": 1, "crowns": 1, "moons": state.total(3)}
    assert state.total(3) > 304


def test_coins_are_named_by_their_value_or_their_delegates_everywhere() -> None:
    """S10 and cS1 are the ace of suns, S1 and cS0 the null, in positions as in actions."""
    suns = {"tiles": {"S": "12345"}, "phase": "caucus", "pawns": {"E": "Sa"}}
    first = position(stake={"Sa": "10 1"}, **suns)
    assert position(stake={"Sa": "S10 S1"}, **suns) == position(stake={"Sa": "cS1 cS0"}, **suns) == first
    assert done(first, "take(east,S10)")[0] == done(first, "take(east,cS1)")[0]
    refusal = GAME.refusal(first, GAME.read(first, "take(east,S20)"))
    assert refusal is not None
    assert refusal.text == "Governor East may take S10 or S1, not “S20”"
    assert position(hands={"E": "cS1 S50"}) == position(hands={"E": "S10 cS5"})


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"stake": {"S4": "50"}}, "nothing is at stake on .* in round 1, only on "),
        ({"stake": {"gap": "50"}}, "nothing is at stake on gap"),
        ({"stake": {"d7": "50"}, "phase": "count"}, "in the convention nothing is at stake"),
        ({"stake": {"d7": "S50"}}, "there is no coin 'S50'; write A50 or cA5"),
        ({"hands": {"N": "A50 cA5"}}, "the coin cA5 has a place already"),
    ],
)
def test_what_cannot_be_at_stake_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        position(**fields)
