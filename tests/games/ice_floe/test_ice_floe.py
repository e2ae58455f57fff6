"""The worked tests of IceFloe, by their number, the laws in every variant and a whole game."""

from __future__ import annotations

from dataclasses import replace
from operator import eq
from pathlib import Path
from typing import Any

import pytest

from rules.engine.card import SetupError
from rules.engine.playout import perft, walk
from rules.games import game
from rules.pieces import Rank, die
from rules.table.change import Change, MovedPiece, change_between
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("ice_floe")
PLAYER = Player(GAME)
clause, do, position = PLAYER.refused, PLAYER.play, PLAYER.position
EVERYBODY = {"S-A": "a1", "M-A": "e1", "C-A": "a5", "A-A": "e5"}


def where(state: Any, name: str) -> str:
    placed = GAME.layout(state).by_key(f"y{name}")
    assert placed is not None
    return placed.place or placed.zone.value


def effects(state: Any, text: str) -> list[dict[str, object]]:
    return [effect.to_json() for effect in GAME.apply(state, GAME.read(state, text)).effects]


def placed_by_luck(seats: int) -> Any:
    states = walk(GAME, 1, {"start_player": "0"}, seats)
    return next(state for state, _ in states if state.phase == "move")


def test_1_all_pyramids_are_placed_letter_by_letter() -> None:
    names = [a[0] for _, a in zip(range(24), _placings(4), strict=False)]
    assert names == [f"{suit}-{letter}" for letter in "ABCDEF" for suit in "SMCA"]
    state = placed_by_luck(4)
    assert sorted(state.pyramids) == [cell for cell, name in enumerate(state.floes) if name]


def _placings(seats: int) -> list[Any]:
    return [action for state, action in walk(GAME, 1, {"start_player": "0"}, seats) if state.phase == "place"]


def test_2_three_players_have_no_corners() -> None:
    state = GAME.start({"start_player": "1"}, 3)
    holes = [GAME.layout(state).places[cell].name for cell, name in enumerate(state.floes) if not name]
    assert holes == ["a1", "e1", "c3", "a5", "e5"]
    placed = placed_by_luck(3)
    assert sum(bool(name) for name in placed.floes) == 20
    assert len(set(placed.pyramids)) == 18
    assert clause(state, "place(M-A,a1)") == "ICE-3.5"
    assert clause(state, "place(S-A,b1)") == "ICE-3.5"


@pytest.mark.parametrize(
    ("number", "pyramids", "action", "expected"),
    [
        (3, {"S-A": [1, 1]}, "S-A (2,2)", "ICE-4.5"),
        (5, {"S-A": [2, 1], "M-B": [2, 1]}, "S-A (2,3)", None),
        (6, {"S-A": [0, 0]}, "S-A (1,0) (3,2)", None),
        (7, {"S-A": [0, 0]}, "S-A (2,0) (4,0)", "ICE-4.4"),
        (7, {"S-A": [0, 0]}, "S-A (3,0)", "ICE-4.3"),
        (7, {"S-A": [0, 0]}, "S-A (1,2)", "ICE-4.3"),
        (7, {"S-A": [0, 0]}, "S-A (1,0) (0,0)", "ICE-R4"),
        (7, {"S-A": [0, 0]}, "move(S-A,b1>b2>b3)", "ICE-4.4"),
        (7, {"S-A": [0, 0]}, "move(S-F,b1)", "ICE-4.7"),
        (7, {"S-A": [0, 0]}, "move(M-A,b1)", "ICE-4.1"),
        (7, {"S-A": [0, 0]}, "pass", "ICE-4.11"),
        (15, {"S-A": [2, 1]}, "slide c2 N", None),
        (17, {"S-A": [0, 2]}, "slide a3 W", "ICE-4.9"),
        (17, {"S-A": [0, 2]}, "slide a3 E", "ICE-4.9"),
        (17, {"M-A": [0, 2], "S-A": [0, 0]}, "slide a3 E", "ICE-4.9"),
    ],
)
def test_ways(number: int, pyramids: dict[str, object], action: str, expected: str | None) -> None:
    assert clause(position(pyramids=pyramids), action) == expected


def test_5_those_on_the_same_tile_stay() -> None:
    state = do(position(pyramids={"S-A": [2, 1], "M-B": [2, 1]}), "S-A c4")
    assert (where(state, "S-A"), where(state, "M-B")) == ("c4", "c2")


def test_9_too_much_weight_breaks_the_tile() -> None:
    state = position(pyramids={"S-D": "a1", "M-E": "b1", "M-B": "b1", "C-A": "e5", "S-A": "d5"})
    after = do(state, "S-D b1")
    assert after.floes[1] == ""
    assert {where(after, name) for name in ("S-D", "M-E", "M-B")} == {"spent"}
    told = effects(state, "S-D b1")
    assert [effect["kind"] for effect in told][:7] == ["move", "collapse", *["remove"] * 4, "eliminate"]
    assert told[1]["facts"] == {"places": ["b1"], "lost": ["S-D", "M-B", "M-E"], "weight": 6}


def test_10_five_is_not_too_much() -> None:
    state = position(pyramids={"S-C": "a1", "M-F": "b1", "M-A": "a2", "C-A": "e5"})
    after = do(state, "S-C b1")
    assert (where(after, "S-C"), after.floes[1]) == ("b1", "A5")
    assert do(after, "M-A b1").floes[1] == ""


def test_11_five_pyramids_may_share_a_tile() -> None:
    five = {
        "S-A": "b1",
        "M-A": "b1",
        "C-A": "b1",
        "A-A": "b1",
        "S-B": "b1",
        "M-B": "a1",
        "C-B": "e5",
        "A-B": "e1",
    }
    state = position(pyramids=five, to_act="M")
    assert do(state, "M-B b1").floes[1] == ""
    with pytest.raises(ValueError, match="no tile can carry"):
        position(pyramids={"S-E": "b1", "M-F": "b1"})


def test_13_the_second_landing_breaks() -> None:
    state = position(pyramids={"M-C": [0, 4], "S-A": [2, 3], "C-F": [2, 3], "A-A": "e1"}, to_act="M")
    after = do(state, "M-C (1,3) (2,3)")
    assert {where(after, name) for name in ("S-A", "C-F", "M-C")} == {"spent"}
    assert after.floes[3 * 5 + 2] == ""
    assert after.floes[3 * 5 + 1] == "S5"


def test_14_the_first_landing_breaks_and_the_move_ends() -> None:
    pyramids = {"S-D": [0, 0], "M-E": [1, 0], "M-B": [1, 0], "C-A": "e5"}
    after = do(position(pyramids=pyramids), "S-D (1,0) (2,0)")
    assert where(after, "S-D") == "spent"
    late = do(position({"overweight_check": "final_landing"}, pyramids=pyramids), "S-D (1,0) (2,0)")
    assert (where(late, "S-D"), late.floes[1]) == ("c1", "A5")


def test_15_a_tile_slides_with_everything_on_it() -> None:
    state = position(pyramids={"M-B": [2, 1], "S-A": [2, 1]}, to_act="M")
    after = do(state, "slide c2 N")
    assert (where(after, "M-B"), where(after, "S-A")) == ("c3", "c3")
    assert (after.floes[7], after.floes[12]) == ("", "Ma")


@pytest.mark.parametrize(
    ("number", "votes", "coins", "tally", "winner"),
    [
        (18, {"S": "5", "M": "n", "C": "n", "A": "a"}, [], ["n 2", "5 1", "a 1"], "n"),
        (
            19,
            {"S": "5", "M": "a", "C": "n", "A": "a"},
            [
                "0:add_coin(2,5)",
                "1:keep_coins",
                "2:add_coin(2,n)",
                "3:keep_coins",
                "0:keep_coins",
                "1:keep_coins",
                "2:add_coin(a,n)",
            ],
            ["n 4", "5 3", "a 2"],
            "n",
        ),
        (22, {"S": "5", "M": "n", "C": "n"}, ["0:add_coin(2,5)"], ["5 3", "n 2"], "5"),
    ],
)
def test_votes_and_coins(number: int, votes: dict[str, str], coins: list[str], tally: list[str], winner: str) -> None:
    state = position(seats=len(votes), pyramids=EVERYBODY if len(votes) == 4 else THREE, phase="number", votes=votes)
    state = do(state, *coins)
    counted = [effect["facts"] for effect in effects(state, "close_coins") if effect.get("clause") == "ICE-4.14"]
    assert counted[0] == {"weights": tally}
    after = do(state, "close_coins")
    assert (after.phase, after.number) == ("suit", winner)
    assert sum(after.coins) == sum(state.coins)


THREE = {"S-A": "b1", "M-A": "d1", "C-A": "b5"}


def test_19_used_coins_are_gone() -> None:
    state = position(pyramids=EVERYBODY, phase="number", votes={"S": "5", "M": "a", "C": "n", "A": "a"})
    after = do(state, "0:add_coin(2,5)", "1:keep_coins", "2:add_coin(2,n)")
    assert after.coins == (1, 3, 1, 3)
    spent = {p.key for p in GAME.layout(after) if p.zone.value == "spent" and p.key.startswith("c")}
    assert spent == {"cS2", "cC2"}


def test_21_void_votes_and_a_tie_for_the_torch_bearer() -> None:
    state = position(
        gone=["Sn", "An"],
        pyramids=EVERYBODY,
        phase="suit",
        number="n",
        votes={"S": "S", "M": "S", "C": "M", "A": "C"},
        torch="A",
    )
    assert clause(state, "3:add_coin(a,S)") == "ICE-R9"
    tied = do(state, "close_coins")
    assert GAME.turn(tied).seats == (3,)
    assert {action.id for action in GAME.legal(tied)} == {
        "break_tie(M)",
        "break_tie(C)",
        *(f"sanction({seat})" for seat in range(4)),
    }
    assert clause(tied, "break_tie(S)") == "ICE-4.23"
    assert do(tied, "break_tie(M)").target == "Mn"


def test_22_an_ace_only_makes_a_tie() -> None:
    votes = {"S": "5", "M": "n", "C": "n"}
    state = do(position(seats=3, pyramids=THREE, phase="number", votes=votes), "add_coin(a,5)", "close_coins")
    assert (state.phase, state.ballot.choices) == ("number_tie", ("5", "n"))


def test_23_a_coin_is_used_once() -> None:
    state = position(pyramids=EVERYBODY, phase="number", votes={"S": "5", "M": "a", "C": "n", "A": "a"})
    later = do(state, "add_coin(a,5)", "keep_coins", "keep_coins", "keep_coins")
    assert clause(later, "add_coin(a,5)") == "ICE-4.17"
    assert clause(later, "add_coin(2,4)") == "ICE-4.18"
    assert do(later, "add_coin(2,5)").coins[0] == 0
    assert do(later, "keep_coins").ballot.choices == ("5", "a")


@pytest.mark.parametrize(("free_tiles", "phase"), [(2, "bonus"), (1, "move")])
def test_25_a_second_explosion(free_tiles: int, phase: str) -> None:
    tiles = {"a1": "A4", "e1": "C5", "a5": "S2", "e5": "M3", "b1": "A5", "c1": "Sa", "d1": "C4"}
    left = dict(list(tiles.items())[: 5 + free_tiles])
    state = position(tiles=left, pyramids=EVERYBODY, phase="explode", target="A5")
    assert clause(state, "explode(c1)") == "ICE-4.27"
    after = do(state, "explode(b1)")
    assert after.phase == phase
    if phase == "bonus":
        assert {a.id for a in GAME.legal(after)} == {"bonus(c1)", "bonus(d1)", "decline"}
        assert clause(after, "bonus(a1)") == "ICE-4.28"
        assert do(after, "bonus(c1)").floes[2] == ""
    assert clause(do(after, "decline") if phase == "bonus" else after, "bonus(c1)") == "ICE-4.28"


@pytest.mark.parametrize(
    ("players", "round_", "phase"), [(4, 4, "move"), (4, 5, "score"), (3, 4, "score"), (3, 3, "move")]
)
def test_26_when_scoring_begins(players: int, round_: int, phase: str) -> None:
    pyramids = EVERYBODY if players == 4 else THREE
    state = position(seats=players, pyramids=pyramids, phase="bonus", round=round_)
    after = do(state, "decline")
    assert after.phase == phase
    assert (clause(after, "score(c1)") is None) == (phase == "score")


@pytest.mark.parametrize(("points_f", "joe"), [(6, 7), (0, 1), (3, 4)])
def test_27_the_example_of_the_rules(points_f: int, joe: int) -> None:
    """Joe plays suns, Bill moons, Jill crowns."""
    pyramids = {"S-F": "b2", "M-A": "b2", "C-A": "b2", "M-D": "c2", "C-E": "d2", "S-A": "d2"}
    state = position({"points_f": points_f}, 3, pyramids=pyramids, phase="score", round=4)
    assert do(state, "score(b2)", "score(c2)", "score(d2)").scores == (joe, 5, 6)
    assert clause(state, "score(c3)") == "ICE-4.30"


def test_29_the_torch_bearer_decides_a_tie_at_the_end() -> None:
    left = {"S-C": "a1", "M-B": "b1", "C-A": "c1", "C-B": "d1"}
    state = position(pyramids=left, phase="final", torch="A")
    assert (state.scores, state.phase) == ((3, 2, 3, 0), "winner")
    assert {a.id for a in GAME.legal(state)} == {"choose_winner(S)", "choose_winner(C)", "share"}
    assert clause(state, "choose_winner(M)") == "ICE-5.4"
    assert GAME.outcome(do(state, "choose_winner(C)")).winners == (2,)
    assert GAME.outcome(do(state, "share")).winners == (0, 2)


def test_30_all_on_one_tile_ends_the_game() -> None:
    together = {"S-A": "b1", "M-A": "b1", "C-A": "b1", "A-A": "a1"}
    state = do(position(pyramids=together, to_act="A"), "A-A b1")
    assert (state.phase, state.scores) == ("winner", (1, 1, 1, 1))
    after = do(position(pyramids={**together, "S-B": "c1"}, to_act="A"), "A-A b1")
    assert after.phase == "number"


def test_31_the_others_finish_the_movement() -> None:
    pyramids = {"S-A": "e1", "M-E": "b1", "C-F": "a1", "A-B": "e5"}
    state = do(position(pyramids=pyramids, to_act="C"), "C-F b1")
    assert GAME.turn(state).seats == (3,)
    ended = do(state, "A-B d5")
    assert GAME.outcome(ended).over or ended.phase == "winner"
    now = do(position({"end_timing": "immediate"}, pyramids=pyramids, to_act="C"), "C-F b1")
    assert now.phase == "ended"
    assert now.scores == (1, 0, 0, 2)


def test_the_torch_bearer_still_has_the_second_explosion_before_the_end() -> None:
    state = position(pyramids={**EVERYBODY, "S-B": "e5"}, phase="explode", target="S2")
    after = do(state, "explode(a5)")
    assert after.phase == "bonus"
    assert GAME.outcome(do(after, "decline")).scores == (3, 1, 0, 1)


def test_the_start_roll() -> None:
    state = do(GAME.start(), "roll(S5+M3+Cn+A5)")
    assert state.rolling == (0, 3)
    assert do(GAME.start(), "roll(S5)", "roll(A5+Cn)", "roll(M3)") == state
    assert GAME.turn(do(state, "roll(S4)", "roll(A2)")).seats == (0,)
    assert clause(state, "roll(Mn)") == "ICE-3.4"
    assert clause(state, "roll(S4+M4)") == "ICE-3.4"
    assert GAME.turn(do(state, "roll(Sa+A2)")).seats == (3,)
    with pytest.raises(SetupError):
        GAME.start({"start_player": "3"}, 3)


def test_sealed_votes() -> None:
    state = do(position(pyramids=EVERYBODY, phase="number"), "0:commit_number(5)", "2:commit_number(n)")
    assert GAME.view(state, 0).ballot.votes == ("5", "", "?", "")
    assert GAME.view(state, None).ballot.votes == ("?", "", "?", "")
    assert clause(state, "reveal_number(S4+M5+A5)") == "ICE-4.12"
    assert clause(state, "reveal_number(M5)") == "ICE-4.12"
    assert clause(state, "0:commit_number(4)") == "ICE-4.12"
    both = do(state, "3:commit_number(a)", "1:commit_number(2)")
    seen = do(state, "reveal_number(M2+Aa)")
    assert seen.dice == ("", "2", "", "a")
    assert both == replace(seen, dice=both.dice)
    assert both.phase == "number_coins"


def test_void_votes_only() -> None:
    fields: dict[str, Any] = {"gone": ["Sn", "Mn", "Cn", "An"], "pyramids": EVERYBODY, "phase": "number"}
    void = "reveal_number(Sn+Mn+Cn+An)"
    state = do(position(**fields), void)
    assert (state.phase, state.ballot.choices) == ("number_tie", tuple("a2345"))
    again = do(position({"all_votes_void": "revote"}, **fields), void)
    assert (again.phase, again.ballot.votes) == ("number", ("",) * 4)


def test_sanctions() -> None:
    state = do(position(pyramids=EVERYBODY, phase="number"), "sanction(1)")
    assert clause(state, "1:commit_number(5)") == "ICE-4.26"
    assert clause(state, "reveal_number(S5+M5+C5+A5)") == "ICE-4.26"
    counted = do(state, "reveal_number(S5+C5+A4)")
    assert counted.ballot.votes == ("5", "", "5", "4")
    assert do(counted, "keep_coins").to_act == 1
    strict = do(position({"sanctioned_may_add_coins": False}, pyramids=EVERYBODY, phase="number"), "sanction(1)")
    assert do(strict, "reveal_number(S5+C5+A4)", "keep_coins").to_act == 2
    assert clause(do(strict, "reveal_number(S5+C5+A4)"), "sanction(1)") == "ICE-4.26"
    assert do(state, "sanction(0)", "sanction(2)", "sanction(3)").phase == "number_tie"


def test_one_tile_left_of_the_value() -> None:
    gone = ["Sn", "Mn", "Cn"]
    votes = {"S": "n", "M": "n", "C": "n", "A": "n"}
    held = position(gone=gone, pyramids=EVERYBODY, phase="number", votes=votes)
    assert do(held, "close_coins").phase == "suit"
    skip = position({"forced_suit_vote": "skip"}, gone=gone, pyramids=EVERYBODY, phase="number", votes=votes)
    assert do(skip, "close_coins").target == "An"


def test_coins_in_any_order_and_for_any_choice() -> None:
    votes = {"S": "5", "M": "a", "C": "n", "A": "a"}
    free = position({"coin_stage": "free"}, pyramids=EVERYBODY, phase="number", votes=votes)
    assert GAME.turn(free).seats == (0, 1, 2, 3)
    assert do(free, "3:add_coin(2,n)", "2:add_coin(a,n)").coins == (3, 3, 2, 1)
    wide = position({"support_unvoted_choice": True}, pyramids=EVERYBODY, phase="number", votes=votes)
    assert clause(wide, "add_coin(2,4)") is None


def test_nobody_ever_has_to_pass() -> None:
    """Beside a tile there is always another one to step to, or a hole to slide into."""
    lonely = position(tiles={"e5": "M3", "b1": "A5"}, pyramids={"S-A": "e5", "M-A": "b1"})
    assert {a.id for a in GAME.legal(lonely)} == {"slide(e5,S)", "slide(e5,W)"}
    assert clause(lonely, "pass") == "ICE-4.11"
    crowded = position(tiles={"a1": "A4", "b1": "A5", "a2": "A2"}, pyramids={"S-A": "a1", "M-A": "b1"})
    assert all(action.verb == "move" for action in GAME.legal(crowded))


def test_choosing_sets() -> None:
    state = GAME.start({"choose_sets": True}, 3)
    state = do(state, "take_set(5)", "take_set(n)")
    assert clause(state, "take_set(5)") == "ICE-3.3"
    assert clause(state, "take_set(2)") == "ICE-1.3"
    assert do(state, "take_set(3)").sets == ("5", "n", "3")


SPOKEN = {
    "sanction",
    "roll",
    "score",
    "break_tie",
    "choose_winner",
    "share",
    "keep_coins",
    "close_coins",
    "take_set",
    "add_coin",
}


@pytest.mark.parametrize("seed", range(2))
def test_every_ply_of_a_game_is_explained_by_the_picture(seed: int) -> None:
    """But for what is only said, sealed votes and dice that show the same: a suggestion leads to the same table."""
    for state, action in walk(GAME, seed):
        if action.verb in SPOKEN or action.verb.startswith("commit"):
            continue
        after = GAME.advance(state, action)
        if action.verb.startswith("reveal") and not after.phase.endswith("_coins"):
            continue
        if action.verb in ("reveal_number", "roll") and any(map(eq, state.dice, after.dice)):
            continue
        change = change_between(GAME.layout(state), GAME.layout(after))
        first = [a for _, a in zip(range(6), GAME.suggest(state, change), strict=False)]
        ends = [GAME.layout(GAME.advance(state, a)) for a in first if GAME.refusal(state, a) is None]
        assert GAME.layout(after) in ends, f"{action} is not among {first}"


def test_dice_are_read_when_they_are_uncovered() -> None:
    for state, expected in (
        (GAME.start(seats=3), "roll(S5+M5+C5)"),
        (position(seats=3, pyramids=THREE, phase="number"), "reveal_number(S5+M5+C5)"),
    ):
        dice = [p for p in GAME.layout(state) if p.key in ("dS", "dM", "dC")]
        seen = tuple(MovedPiece(p, replace(p, piece=die(p.piece.suit, Rank.FIVE))) for p in dice)
        assert [a.id for a in GAME.suggest(state, Change(moved=seen))] == [expected]


def test_a_collapse_is_told_from_the_tile_and_the_mover() -> None:
    before = position(pyramids={"S-D": "a1", "S-A": "e1", "M-E": "b1", "M-B": "b1", "M-A": "e5", "C-A": "a5"})
    after = do(before, "S-D b1")
    change = change_between(GAME.layout(before), GAME.layout(after))
    assert next(iter(GAME.suggest(before, change))).id == "move(S-D,b1)"


def test_perft() -> None:
    state = position(pyramids={"S-A": "a1", "M-A": "e5"}, tiles={"a1": "A4", "b1": "A5", "c1": "Sa", "e5": "M3"})
    assert [perft(GAME, state, depth) for depth in range(3)] == [1, 5, 10]


OPTIONS: list[tuple[dict[str, object], int]] = [
    ({}, 3),
    ({"choose_sets": True, "points_f": 0, "coin_stage": "free"}, 3),
    ({"overweight_check": "final_landing", "null_move": "allow", "end_timing": "immediate"}, 4),
    ({"all_votes_void": "revote", "support_unvoted_choice": True, "forced_suit_vote": "skip"}, 4),
    ({"sanctioned_may_add_coins": False, "start_player": "2"}, 3),
]


@pytest.mark.parametrize(("options", "seats"), OPTIONS)
def test_every_variant_comes_to_its_end(options: dict[str, object], seats: int) -> None:
    for seed in range(3):
        state = GAME.start(options, seats)
        for before, action in walk(GAME, seed, options, seats):
            assert GAME.refusal(before, action) is None
            state = GAME.apply(before, action).state
        assert GAME.outcome(state).over


@pytest.mark.parametrize(("options", "seats"), [OPTIONS[1], OPTIONS[2]])
def test_laws(options: dict[str, object], seats: int) -> None:
    assert check_laws(GAME, 3, options, seats, limit=70) > 60


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 2, seats=3), seats=3, every=15)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)
