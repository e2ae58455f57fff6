"""The worked tests of San Andreas, by their number, and the laws in every variant."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.card import read_seats
from rules.engine.effects import EffectKind
from rules.engine.playout import perft
from rules.engine.positions import set_up
from rules.engine.rulebook import clauses_of
from rules.games import game
from rules.table.change import change_between
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("san_andreas")
PLAYER = Player(GAME, 4)
refused, play, position = PLAYER.refused, PLAYER.play, PLAYER.position
HERE = Path(__file__).parent


def quake(tile: str, die: int, **fields: object) -> Any:
    """One die acts on one tile; the other pawns stand far away and show null."""
    state = position(pawns={"arms": tile}, dice={"arms": die}, **fields)
    return play(state, "resolve(arms)")


def corner(state: Any, tile: str) -> Any:
    return state.terrain.tiles[tile]


def lean(state: Any, tile: str) -> Any:
    return state.terrain.leans[tile]


def cities(state: Any) -> set[str]:
    """Suit, value and place of every city: S4@x1y13."""
    found = set()
    for city in state.cities:
        value = "?" if city.coin.value is None else int(city.coin.value)
        x, y = state.cell(city)
        found.add(f"{city.coin.suit.letter}{value}@({x},{y})")
    return found


def ruins(state: Any) -> list[tuple[str, int]]:
    return [(coin.suit.letter, int(coin.value)) for coin in state.ruins]


def test_1_the_coast_at_the_start() -> None:
    assert set(position().terrain.coastal) == {f"r{row}c1" for row in range(1, 9)}


@pytest.mark.parametrize(
    ("number", "fields", "action", "clause"),
    [
        (2, {}, "epicenter suns r1c2", "SAND-4.2"),
        (2, {}, "epicenter suns r1c1", None),
        (3, {"cities": ["S?@(2,14)"], "to_act": 1}, "found M 2 13", "SAND-4.1"),
        (3, {"cities": ["S?@(2,14)"], "to_act": 1}, "found M 3 13", None),
        (0, {}, "found M 2 13", "SAND-1.2"),
        (0, {}, "found S 1 17", "SAND-2.8"),
        (0, {}, "found S 1 9", "SAND-2.8"),
        (0, {"shifts": [["r1c1", 2]]}, "found S 1 17", "SAND-5.13"),
        (0, {"cities": ["S?@(2,14)"]}, "found S 2 14", "SAND-4.1"),
        (0, {"pawns": {"moons": [1, 15]}}, "epicenter M 1 16", "SAND-4.2"),
        (0, {}, "pass", "SAND-4.3"),
        (0, {}, "resolve(suns)", "SAND-4.4"),
        (0, {"founded": {"suns": 6}}, "found S 2 13", "SAND-4.1"),
    ],
)
def test_refusals(number: int, fields: dict[str, object], action: str, clause: str | None) -> None:
    assert refused(position(**fields), action) == clause


def test_4_a_lift_leans_and_tilts_away_cities() -> None:
    state = quake("r2c1", 1, cities=["S4@(1,13)", "C5@(4,13)"])
    assert (corner(state, "r2c1"), lean(state, "r2c1")) == ((2, 13), (1, 0))
    assert cities(state) == {"C5@(4,13)"}
    assert ruins(state) == [("S", 4)]


def test_5_flattened_on_the_next_tile() -> None:
    state = quake("r2c1", 1, shifts=[["r2c1", 1]], cities=["C5@(4,13)"])
    assert (corner(state, "r2c1"), lean(state, "r2c1")) == ((3, 13), (0, 0))
    assert ruins(state) == [("C", 5)]


def test_6_flat_over_two_tiles() -> None:
    state = quake("r2c1", 1, shifts=[["r2c1", 1], ["r2c1", 1]], cities=["S4@(3,13)"])
    assert (corner(state, "r2c1"), lean(state, "r2c1")) == ((4, 13), (0, 0))
    assert state.terrain.supports("r2c1") == (1, 1, 1, 1)
    assert cities(state) == {"S4@(4,13)"}


def test_7_a_dip_goes_under() -> None:
    state = quake("r2c1", 2, cities=["S4@(1,13)", "M2@(2,14)", "C5@(1,16)"])
    assert corner(state, "r2c1") == (1, 14)
    assert lean(state, "r2c1") == (0, 0)
    assert lean(state, "r1c1") == (0, -1)
    assert cities(state) == {"S4@(1,14)"}
    assert sorted(ruins(state)) == [("C", 5), ("M", 2)]


def test_9_a_lift_over_the_land_border() -> None:
    state = quake("r1c1", 3, cities=["S4@(1,15)"])
    assert state.terrain.stacks[1, 17] == ("x1y17", "r1c1")
    assert lean(state, "r1c1") == (0, 1)
    assert not state.cities


def test_10_a_dip_under_the_land_border() -> None:
    state = quake("r1c1", 2, cities=["S4@(1,15)", "M4@(2,16)"])
    assert lean(state, "r1c1") == (0, 0)
    assert cities(state) == {"S4@(1,16)"}
    assert ruins(state) == [("M", 4)]
    assert play(state, "reveal(x1y16,4)").scores == (4, 0, 0, 0)


@pytest.mark.parametrize("die", [4, 5])
def test_11_into_open_water(die: int) -> None:
    state = quake("r7c1", die, cities=["S4@(5,3)"])
    assert (corner(state, "r7c1"), lean(state, "r7c1"), cities(state)) == ((5, 2), (0, 0), {"S4@(5,2)"})
    assert state.tiles == quake("r7c1", 9 - die).tiles


def test_12_and_13_south_by_lift_and_by_dip() -> None:
    fields = {"cities": ["S3@(1,11)", "M3@(3,9)", "C3@(2,10)"]}
    lifted = quake("r3c1", 5, **fields)
    assert lean(lifted, "r3c1") == (1, -1)
    assert cities(lifted) == {"M3@(3,9)"}
    dipped = quake("r3c1", 4, **fields)
    assert (lean(dipped, "r3c1"), lean(dipped, "r4c1")) == ((0, 0), (-1, 1))
    assert cities(dipped) == {"S3@(1,10)"}
    assert sorted(ruins(dipped)) == [("C", 3), ("M", 3)]


def test_14_flattened_by_the_second_shift() -> None:
    state = quake("r2c1", 3, shifts=[["r2c1", 1]])
    assert corner(state, "r2c1") == (2, 14)
    assert state.terrain.supports("r2c1") == (0, 1, 1, 1)
    assert lean(state, "r2c1") == (0, 0)


def test_15_a_tile_slides_between() -> None:
    state = quake("r2c1", 1, shifts=[["r2c1", 2], ["r1c1", 1]])
    assert state.terrain.stacks[3, 15] == ("r1c2", "r2c1", "r1c1")
    assert (lean(state, "r2c1"), lean(state, "r1c1")) == ((1, 0), (1, -1))


@pytest.mark.parametrize(
    ("cell", "points"),
    [((1, 13), 5), ((2, 13), 4), ((3, 15), 3), ((4, 11), 2), ((6, 3), 5), ((7, 9), 0), ((10, 2), 2)],
)
def test_17_distance_to_the_coast(cell: tuple[int, int], points: int) -> None:
    state = position(cities=[f"S5@({cell[0]},{cell[1]})"], phase="score")
    step = GAME.apply(state, parse_action(f"reveal(x{cell[0]}y{cell[1]},5)"))
    assert step.state.scores[0] == points
    assert next(e.amount for e in step.effects if e.kind is EffectKind.SCORE) == points


def test_18_a_null_comes_back_as_a_five() -> None:
    state = position(cities=["S0@(1,13)"], destroyed={"suns": [5]}, phase="score")
    state = play(state, "reveal(x1y13,null)")
    assert GAME.turn(state).seat == 0
    assert refused(state, "swap(4)") == "SAND-5.23"
    after = play(state, "swap(5)")
    assert after.scores[0] == 5
    assert ruins(after) == [("S", 0)]
    assert play(state, "keep").scores[0] == 0


def test_18_a_destroyed_coin_that_nobody_has_seen() -> None:
    fields = {"cities": ["S?@(1,13)", "S4!@(1,15)"], "destroyed": {"suns": [None]}, "phase": "score"}
    state = play(position(**fields), "reveal(x1y13,null)")
    assert refused(state, "swap(4)") == "SAND-5.23"
    assert play(state, "swap(3)").scores[0] == 4 + 3


def test_19_four_nulls() -> None:
    pawns = {"suns": "r1c1", "moons": "r2c1", "crowns": "r3c1", "arms": "r4c1"}
    again = play(position(pawns=pawns), "roll 0 0 0 0")
    assert GAME.turn(again).phase == "roll"
    back = play(position({"all_null": "return"}, pawns=pawns), "roll 0 0 0 0")
    assert back.pawns == (None,) * 4
    assert GAME.turn(back).seat == 1


def test_20_nulls_stay_for_the_next_quake() -> None:
    pawns = {"suns": "r1c1", "moons": "r2c1", "crowns": "r3c1", "arms": "r4c1"}
    state = play(position(pawns=pawns), "roll 1 0 0 5")
    assert refused(state, "die moons") == "SAND-5.3"
    state = play(state, "die arms", "die suns")
    assert [stands and stands.tile for stands in state.pawns] == [None, "r2c1", "r3c1", None]
    assert refused(state, "epicenter M r2c1") == "SAND-4.2"


def test_21_the_game_ends_after_the_next_quake() -> None:
    state = play(position(founded={"suns": 5}), "found S 2 13")
    assert not GAME.outcome(state).over
    pawns = {"suns": "r7c1", "moons": "r7c1", "crowns": "r7c1", "arms": "r7c1"}
    after = play(position(founded={"suns": 6}, pawns=pawns), "roll 4 0 0 0", "die S")
    assert GAME.outcome(after).over
    assert GAME.outcome(after).clause == "SAND-5.26"


def test_22_two_epicenters_on_one_tile() -> None:
    fields = {"pawns": {"suns": "r2c1", "moons": "r2c1"}, "dice": {"suns": 1, "moons": 1}}
    state = play(position(cities=["S4@(1,14)"], **fields), "die S")
    assert not state.cities
    state = play(state, "die M")
    assert (corner(state, "r2c1"), lean(state, "r2c1")) == ((3, 13), (0, 0))


def test_23_too_steep_for_a_city() -> None:
    """r2c1 covers r2c2, r3c1 comes beside them and climbs east over both."""
    fields = {
        "tiles": {"r2c1": [3, 13], "r3c1": [2, 13]},
        "above": [["r2c1", "r2c2"], ["r3c1", "r2c1"], ["r3c1", "r2c2"]],
    }
    steep = position(**fields)
    assert lean(steep, "r3c1") == (2, 0)
    assert refused(steep, "found S 2 13") == "SAND-4.1"
    assert refused(steep, "epicenter S 2 13") is None
    assert refused(position({"steep_limit": 2}, **fields), "found S 2 13") is None
    assert lean(position(shifts=[["r2c1", 1], ["r2c1", 1], ["r3c2", 3]]), "r3c2") == (0, 2)


def test_islands_sink_before_or_after_scoring() -> None:
    far = {"r7c1": [3, -2]}
    fields = {"tiles": far, "cities": ["S5@(3,-2)"], "pawns": {"arms": "r7c1"}, "dice": {"arms": 4}}
    before = play(position(**fields), "die A")
    assert before.tiles.count(None) == 1
    assert ruins(before) == [("S", 5)]
    assert before.phase == "turn"
    after = play(position({"islands_before_scoring": False}, **fields), "die A", "reveal(x3y-3,5)")
    assert (after.scores[0], after.tiles.count(None)) == (5, 1)


def test_nothing_is_put_where_a_wholly_covered_epicenter_is_laid_on_top() -> None:
    """SAND-4.1, 4.2 with 5.11: r3c1 comes to lie on all of r2c1, whose pawn is laid on x1y14 as a reminder."""
    covered = position(pawns={"suns": [1, 14], "moons": "r3c1"}, shifts=[["r3c1", 3]], dice={"suns": 0, "moons": 3})
    state = play(covered, "resolve(moons)")
    assert refused(state, "found(moons,x1y14)") == "SAND-4.1"
    assert refused(state, "epicenter(moons,x1y14)") == "SAND-4.2"
    assert refused(state, "found(moons,x1y13)") is None
    assert "found(moons,x1y14)" not in {action.id for action in GAME.legal(state)}


def test_a_covered_epicenter_steps_aside_lies_on_top_or_is_cancelled() -> None:
    pawns = {"suns": [2, 14], "moons": [1, 11]}
    fields: dict[str, Any] = {"pawns": pawns, "dice": {"suns": 2, "moons": 3}}
    state = play(position(**fields), "die S")
    assert state.pawns[1].tile == "r3c1"
    covered = position(pawns={"suns": "r2c1", "moons": [3, 13]}, shifts=[["r2c1", 1]], dice={"suns": 1, "moons": 1})
    state = play(covered, "die S")
    assert not state.terrain.shown["r2c2"]
    assert "wholly covered: r2c2" in GAME.diagram(state)
    assert state.remaining == ("moons",)
    cancelled = position(
        {"covered_epicenter": "cancelled"},
        pawns={"suns": "r2c1", "moons": [4, 13]},
        shifts=[["r2c1", 1]],
        dice={"suns": 1, "moons": 1},
    )
    state = play(cancelled, "die S")
    assert state.pawns[1] is None
    assert not state.remaining


def test_a_dip_at_the_border_can_lift() -> None:
    state = position({"border_dip": "lift"}, pawns={"arms": "r1c1"}, dice={"arms": 2})
    assert lean(play(state, "die A"), "r1c1") == (0, 1)


def test_a_pinned_tile_stays_under() -> None:
    """r1c1 lies on r2c1, which lies on r1c2: what slides over r1c2 cannot also climb over r1c1."""
    state = position(shifts=[["r2c1", 2], ["r1c1", 1], ["r2c1", 1]], pawns={"arms": [2, 14]}, dice={"arms": 1})
    assert state.terrain.stacks[3, 15][-1] == "r1c1"
    assert play(state, "die A").terrain.tiles["r2c1"] == (3, 14)


def test_holes_are_ocean_only_if_asked_for() -> None:
    hole = {"tiles": {"r4c2": None}}
    assert (4, 9) not in position(**hole).terrain.sea
    assert (4, 9) in position({"ocean": "any_gap"}, **hole).terrain.sea
    score = {"cities": ["S5@(6,9)"], "phase": "score", **hole}
    assert play(position(**score), "reveal(x6y9,5)").scores[0] == 1
    assert play(position({"ocean": "any_gap"}, **score), "reveal(x6y9,5)").scores[0] == 5


def test_what_the_phones_may_show() -> None:
    state = play(position(cities=["S?@(1,13)", "M3!@(1,15)"]), "0:tell(x1y13,5)")
    assert refused(state, "1:tell(x1y13,4)") == "SAND-6.1"
    assert cities(GAME.view(state, 0)) == {"S5@(1,13)", "M?@(1,15)"}
    assert cities(GAME.view(state, 2)) == {"S?@(1,13)", "M?@(1,15)"}
    shown = position({"show_known_values": True}, cities=["S5@(1,13)", "M3!@(1,15)"])
    assert cities(GAME.view(shown, None)) == {"S?@(1,13)", "M3@(1,15)"}
    step = GAME.apply(position(cities=["S?@(1,13)"]), parse_action("0:tell(x1y13,5)"))
    assert "5" not in str([effect.to_json() for effect in step.effects])


def test_what_was_told_must_agree() -> None:
    state = position(cities=["S5@(1,13)", "S?@(1,15)"], phase="score")
    assert refused(state, "reveal(x1y13,4)") == "SAND-5.21"
    assert refused(state, "reveal(x1y15,5)") == "SAND-5.21"
    assert refused(state, "reveal(x1y15,4)") is None


def test_the_dice_are_read_from_the_table() -> None:
    pawns = {"suns": "r1c1", "moons": "r2c1", "crowns": "r3c1", "arms": "r4c1"}
    state = position(pawns=pawns)
    rolled = play(state, "roll 1 0 3 5")
    change = change_between(GAME.layout(state), GAME.layout(rolled))
    assert [action.id for action in GAME.suggest(state, change)] == ["roll(S1+M0+C3+A5)"]


def test_a_shift_is_recognised_by_its_tile() -> None:
    state = position(pawns={"suns": "r2c1", "moons": "r5c1", "arms": "r2c1"}, dice={"suns": 1, "moons": 4, "arms": 3})
    change = change_between(GAME.layout(state), GAME.layout(play(state, "die moons")))
    assert [action.id for action in GAME.suggest(state, change)] == ["resolve(moons)"]


def test_founding_is_recognised_by_its_place() -> None:
    state = position()
    change = change_between(GAME.layout(state), GAME.layout(play(state, "S4@(3,13)")))
    assert {a.id for a in GAME.suggest(state, change)} >= {"found(suns,x3y13)"}
    assert len(list(GAME.suggest(state, change))) <= 5


def test_the_drawing_shows_what_lies_how() -> None:
    drawn = GAME.diagram(position(shifts=[["r2c1", 1], ["r1c1", 3]], cities=["S4@(2,14)"]))
    assert "r2c1 leans (1, 0) over r2c2" in drawn
    assert "r1c1 leans (0, 1) over the border at x1y17, the border at x2y17" in drawn


@pytest.mark.parametrize(
    "fields",
    [
        {"cities": ["S4@(0,13)"]},
        {"cities": ["S4@(1,13)", "S4@(1,15)"]},
        {"tiles": {"r2c1": [2, 13]}},
        {"tiles": {"r9c1": [2, 13]}},
        {"pawns": {"suns": [0, 0]}},
        {"coins": []},
        {"to_act": 7},
        {"cities": [{"value": 3}]},
        {"shifts": 5},
    ],
)
def test_impossible_positions(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        set_up(GAME, fields, GAME.card.options_type(), read_seats(GAME.card, 4))


def test_every_clause_that_the_code_cites_is_in_the_rulebook() -> None:
    room = Path(str(files("rules.games.san_andreas")))
    texts = [source.read_text(encoding="utf-8") for source in room.rglob("*.py")]
    cited = {clause for text in texts for clause in re.findall(r'"(SAND-R?\d+(?:\.\d+)*)"', text)}
    assert cited <= clauses_of("san_andreas").keys()


def test_perft() -> None:
    first = GAME.start({"start_player": 0}, 4)
    assert [perft(GAME, first, depth) for depth in range(3)] == [1, 92 + 4 * 32, 43256]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (4, {}),
        (3, {"steep_limit": 2, "show_known_values": True}),
        (2, {"start_player": 1}),
        (4, {"ocean": "any_gap", "islands_before_scoring": False}),
        (3, {"covered_epicenter": "cancelled", "border_dip": "lift", "all_null": "return"}),
    ],
)
def test_laws(seats: int, options: dict[str, object]) -> None:
    assert check_laws(GAME, seats, options, seats, limit=60) > 20


def test_playthrough() -> None:
    actions = by_luck(GAME, 11, None, 3)
    check_playthrough(HERE / "playthrough.txt", transcript(GAME, actions, None, 3, every=16))
