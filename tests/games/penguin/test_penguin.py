"""The worked tests of the Penguin Game, by their number, and the laws in every variant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.engine.card import SetupError
from rules.engine.effects import EffectKind
from rules.engine.playout import perft
from rules.games import game
from rules.games.penguin.geometry import SHAPES, default_second_level, drift_targets, groups, turned_local
from rules.games.penguin.opening import Phase
from rules.table.change import change_between
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("penguin")
PLAYER = Player(GAME, 2)
refused, play, position = PLAYER.refused, PLAYER.play, PLAYER.position
DEAL_1 = {
    "a4": "S/M",
    "b4": "M",
    "c4": "C",
    "d4": "A/S",
    "a3": "M",
    "b3": "C/A",
    "c3": "A/C",
    "d3": "S",
    "a2": "C",
    "b2": "A/S",
    "c2": "S/M",
    "d2": "M",
    "a1": "A/C",
    "b1": "S",
    "c1": "M",
    "d1": "C/A",
}
DRAWN_1 = "SMCA" + "MCAS" + "CASM" + "ASMC" + "MSACSMCA"


def deal_1(*penguins: str, options: Mapping[str, object] | None = None, **fields: object) -> Any:
    return position(options, len(penguins), stacks=DEAL_1, penguins=list(penguins), **fields)


def moves(state: Any) -> set[str]:
    return {action.args[0] if action.args else action.id for action in GAME.legal(state)}


def how(state: Any, goal: str) -> object:
    return GAME.apply(state, GAME.read(state, goal)).effects[0].facts["how"]


def stack(state: Any, space: str) -> str:
    return "".join(state.suits[number] for number in state.stacks[state.board.cells[space]])


def test_1_moves_of_the_lone_penguin() -> None:
    state = deal_1("b2")
    assert moves(state) == {"b1", "d3", "d4", "a1", "b3", "c2", "c3"}
    assert all(how(state, goal) == ["hop"] for goal in ("b1", "d3", "d4"))
    assert all(how(state, goal) == ["step"] for goal in ("a1", "b3", "c2", "c3"))


def test_2_neither_step_nor_hop() -> None:
    refusal = GAME.refusal(deal_1("b2"), GAME.read(deal_1("b2"), "c1"))
    assert refusal is not None
    assert refusal.clause == "PENG-4.2"
    assert refusal.facts["from_height"] == 2
    assert refusal.facts["to_suit"] == "moons"


def test_3_the_coin_left_behind_melts() -> None:
    state = play(deal_1("b2"), "d4", "melt")
    assert stack(state, "b2") == "A"
    assert state.penguins == (state.board.cells["d4"],)


def test_5_hops_ignore_the_height() -> None:
    state = deal_1("d3")
    assert moves(state) == {"b1", "b2", "d4", "c4", "d2"}
    assert refused(state, "c3") == "PENG-4.2"


def test_6_and_7_another_penguin_is_in_the_way() -> None:
    assert refused(deal_1("b2", "d4"), "d4") == "PENG-8.1"
    assert moves(deal_1("b2", "c2")) == {"b1", "d3", "d4", "a1", "b3", "c3"}


def test_9_the_way_back_may_be_closed() -> None:
    assert refused(play(deal_1("b2"), "d4", "melt"), "b2") == "PENG-4.3"


def test_10_alone_with_one_coin_left() -> None:
    state = play(position({}, 1, stacks={"a1": "S", "c3": "S"}, penguins=["a1"]), "c3", "melt(a1)")
    outcome = GAME.outcome(state)
    assert (outcome.over, outcome.winners, outcome.scores) == (True, (0,), (1,))


@pytest.mark.parametrize(("first", "winners"), [("suns", (0,)), ("moons", ())])
def test_10_the_last_suit_must_match(first: str, winners: tuple[int, ...]) -> None:
    start = position({"match_first_suit": True}, 1, stacks={"a1": "S", "c3": "S"}, penguins=["a1"], first_suit=first)
    assert GAME.outcome(play(start, "c3", "melt")).winners == winners


def test_11_the_first_level_comes_first() -> None:
    fifteen = {space: coins[0] for space, coins in DEAL_1.items() if space != "c1"}
    state = position({"start": "strategic"}, 2, stacks=fifteen)
    assert refused(state, "place_coin(suns,a4)") == "PENG-9.2"
    state = play(state, "place_coin(S,c1)")
    assert refused(state, "place_coin(suns,c1)") == "PENG-9.2"
    assert refused(state, "place_coin(suns,a4)") is None


@pytest.mark.parametrize(("start", "clause"), [("irregular", "PENG-9.3"), ("chaotic", None)])
def test_13_the_height_limit(start: str, clause: str | None) -> None:
    level = {space: coins[0] for space, coins in DEAL_1.items()} | {"b4": "MC"}
    state = position({"start": start}, 2, stacks=level)
    assert refused(state, "place_coin(arms,b4)") == clause
    assert refused(state, "place_coin(arms,c1)") is None


def test_14_flame_throwers() -> None:
    state = play(deal_1("b2", "c3", options={"flame_throwers": True}), "b1")
    assert refused(state, "melt(c3)") == "PENG-9.7"
    assert refused(state, "melt(b1)") == "PENG-9.7"
    assert stack(play(state, "melt(d4)"), "d4") == "A"
    assert refused(play(deal_1("b2", "c3"), "b1"), "melt(d4)") == "PENG-4.4"


@pytest.mark.parametrize(
    ("number", "tiles", "action", "clause"),
    [
        (15, "square", "drift(c3,4,0,0)", None),
        (16, "square", "drift(c3,4,1,0)", "PENG-9.8"),
        (17, "square", "drift(c1,-2,2,0)", None),
        (18, "row", "drift(c1,6,2,0)", "PENG-9.8"),
        (15, "square", "drift(c3,1,2,0)", "PENG-9.8"),
        (15, "square", "drift(c3,2,2,90)", None),
    ],
)
def test_drifting(number: int, tiles: str, action: str, clause: str | None) -> None:
    state = position({"drifting": True, "shape": tiles}, 2, phase="drift")
    assert refused(state, action) == clause


def test_a_tile_drifts_and_turns_with_everything_on_it() -> None:
    state = deal_1("c3", "a1", options={"drifting": True}, phase="drift")
    after = play(state, "drift(d4,4,0,90)")
    assert [stack(after, space) for space in ("e1", "e2", "f1", "f2")] == ["S", "AC", "AS", "C"]
    assert after.board.names[after.penguins[0]] == "e2"
    assert after.board.names[0] == "a1"
    assert (after.phase, after.to_act) == (Phase.MOVE, 1)
    assert {"f2", "e1", "d2"} <= {after.board.names[c] for c in range(16)}


def test_a_quarter_turn_is_clockwise() -> None:
    assert [turned_local(local, 1) for local in range(4)] == [2, 0, 3, 1]
    assert all(turned_local(local, 4) == local for local in range(4))


def test_turns_that_change_nothing_are_listed_once() -> None:
    state = position({"drifting": True}, 2, stacks={"a1": "S", "b1": "M"}, penguins=["a1", "b1"], phase="drift")
    assert not any(action.id.startswith("drift(c3,2,2") for action in GAME.legal(state))
    assert play(state, "drift(c3,2,2,0)").phase is Phase.MOVE


def test_half_offset_tiles_may_stay() -> None:
    tiles = ((0, 0), (2, 1), (4, 0), (6, 0))
    assert groups(tiles) == 3
    assert (8, 0) in drift_targets(tiles, 0)
    assert all(corner == (4, 0) or corner[1] in (0, 2, -2) for corner in drift_targets(tiles, 2))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_room_for_all_coins(shape: str) -> None:
    tiles = SHAPES[shape]
    assert 4 * len(tiles) + len(default_second_level(tiles)) == 24
    assert groups(tiles) == 1


def test_the_square_has_an_x() -> None:
    state = GAME.start({"deal": DRAWN_1})
    assert {space: stack(state, space) for space in DEAL_1} == {s: c.replace("/", "") for s, c in DEAL_1.items()}
    placing = [state.to_act]
    for space in ("a1", "b1", "c1"):
        state = play(state, space)
        placing.append(state.to_act)
        if state.phase is not Phase.PLACE_PENGUINS:
            break
    assert placing == [0, 1, 0]


def test_coins_are_dealt_as_they_are_drawn() -> None:
    state = play(GAME.start(), f"deal({DRAWN_1[:16]})")
    assert (state.phase, stack(state, "a4"), stack(state, "d1")) == (Phase.DEAL, "S", "C")
    assert refused(state, "deal(MSACSMCAS)") == "PENG-3.2"
    assert refused(state, "deal(MSACSMC?)") == "PENG-3.2"
    state = play(state, "deal(MSAC)", "deal(SMCA)")
    assert (state.phase, state.stacks) == (Phase.PLACE_PENGUINS, GAME.start({"deal": DRAWN_1}).stacks)


def test_a_deal_is_read_from_the_table() -> None:
    """Sixteen coins may be one level or both; later only those that look otherwise are seen."""
    empty, full = GAME.start(), GAME.start({"deal": DRAWN_1})
    first, both = GAME.suggest(empty, change_between(GAME.layout(empty), GAME.layout(full)))
    assert first.args[0] == "MMCSMACSCSMMCSMA"
    assert both.args[0] == "?MC?M??SC??M?SM?MSACSMCA"
    half = play(empty, f"deal({DRAWN_1[:16]})")
    after = play(half, "deal(MSACS)")
    seen = change_between(GAME.layout(half), GAME.layout(after))
    assert [action.id for action in GAME.suggest(half, seen)] == ["deal(MSACS)"]


def test_the_last_player_places_first_in_reverse() -> None:
    state = GAME.start({"deal": DRAWN_1, "placement": "reverse"}, 3)
    order = []
    for space in ("a1", "b1", "c1"):
        order.append(state.to_act)
        state = play(state, space)
    assert order == [2, 1, 0]
    assert (state.phase, state.to_act) == (Phase.MOVE, 0)


def test_8_5_the_last_but_one_drops_out_and_the_last_wins() -> None:
    state = position({}, 2, stacks={"a1": "S", "d4": "M", "c1": "SA"}, penguins=["a1", "d4"])
    assert moves(state) == {"drop_out"}
    step = GAME.apply(state, GAME.read(state, "drop_out"))
    assert [effect.kind for effect in step.effects] == [
        EffectKind.REMOVE,
        EffectKind.ELIMINATE,
        EffectKind.END,
    ]
    assert GAME.outcome(step.state).winners == (1,)
    assert refused(deal_1("b2", "d4"), "drop_out") == "PENG-4.5"


def test_the_last_penguin_leaving_against_the_rules_ends_the_game() -> None:
    """A referee that asks what an illegal act would leave gets an answer."""
    alone = position({}, 2, stacks=DEAL_1, penguins=["b2", None])
    assert GAME.turn(GAME.advance(alone, GAME.read(alone, "drop_out"))).is_over


def test_a_coin_that_nobody_has_seen_is_read_when_it_comes_to_light() -> None:
    state = play(position({}, 2, stacks={**DEAL_1, "b2": "?S"}, penguins=["b2", "a1"]), "d4", "melt")
    assert GAME.turn(state).kind == "chance"
    assert refused(state, "reveal(b2,moons)") == "PENG-6.2"
    assert moves(state) == {"b2"}
    after = play(state, "reveal(b2,arms)")
    assert stack(after, "b2") == "A"
    assert after.to_act == 1


def test_a_shared_coin_melts_beneath_the_other() -> None:
    stacks = {"a1": "S", "b1": "S", "c1": "M", "d1": "M"}
    state = position({"share": True}, 3, stacks=stacks, penguins=["a1", "a1", "c1"])
    after = play(state, "b1", "melt")
    assert after.penguins[1] is None
    assert after.to_act == 2
    two = position({"share": True}, 3, stacks=stacks | {"a1": "MS"}, penguins=["a1", "a1", "c1"])
    assert play(two, "b1", "melt").penguins[1] is not None


def test_empty_tiles_may_be_taken_away() -> None:
    options = {"drifting": True, "remove_empty_tiles": True}
    state = position(options, 2, stacks={"a1": "S", "c1": "S", "d1": "M", "a3": "M"}, penguins=["a1", "d1"])
    state = play(state, "c1", "melt")
    assert [corner is None for corner in state.tiles] == [True, False, False, True]
    assert refused(state, "drift(a1,4,0,0)") == "PENG-2.1"


def test_a_penguin_on_a_tile_may_forbid_its_drift() -> None:
    state = deal_1("c3", "a1", options={"drifting": True, "drift_with_penguins": False}, phase="drift")
    assert refused(state, "drift(c3,4,0,0)") == "PENG-8.10"
    assert not any(action.id.startswith(("drift(c3", "drift(a1")) for action in GAME.legal(state))


def test_the_dice_decide_who_begins() -> None:
    state = GAME.start({"deal": DRAWN_1, "start_player": "roll"}, 3)
    assert len(list(GAME.legal(state))) == 216
    assert refused(state, "roll(7+1+2)") == "PENG-3.5"
    state = play(state, "roll(5+1+5)")
    assert state.rollers == (0, 2)
    state = play(state, "roll(2+3)")
    assert (state.first, state.to_act, state.phase) == (2, 2, Phase.PLACE_PENGUINS)


@pytest.mark.parametrize(
    "options",
    [
        {"tiles": "0,0+1,1+4,4"},
        {"tiles": "0,0+2,0"},
        {"tiles": "north"},
        {"second_level": "a1+a2"},
        {"second_level": "z9"},
        {"deal": "SSSS"},
        {"deal": "S" * 24},
        {"deal": DRAWN_1, "start": "chaotic"},
        {"deal": "SMCA" * 5 + "????"},
        {"start_player": 3},
    ],
)
def test_openings_that_cannot_be(options: dict[str, object]) -> None:
    with pytest.raises(SetupError):
        GAME.start(options, 2)


@pytest.mark.parametrize(
    "fields",
    [
        {"stacks": {"a9": "S"}},
        {"stacks": {"a1": "SSSSSSS"}},
        {"stacks": {"a1": "S?"}},
        {"stacks": {"a1": "S"}, "penguins": ["b1"]},
        {"penguins": ["z9"]},
        {"penguins": ["a1", "b1"], "phase": "melt"},
        {"penguins": []},
        {"phase": "lunch"},
        {"to_act": 7},
        {"tiles": [[0, 0], [1, 1], [4, 4], [8, 8]]},
        {"fish": 1},
    ],
)
def test_positions_that_cannot_be(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        position({}, 2, **fields)


def test_covered_coins_are_shown_on_request() -> None:
    assert "below the top coins: a1 A, " in GAME.diagram(deal_1("b2", options={"show_buried": True}))
    assert "below" not in GAME.diagram(deal_1("b2"))


def test_perft() -> None:
    """The first two were counted by a second, naive program as well."""
    assert [perft(GAME, deal_1("b2"), depth) for depth in (2, 4, 6, 8)] == [7, 34, 156, 746]
    assert [perft(GAME, deal_1("b2", "c2"), depth) for depth in (2, 4, 6)] == [6, 46, 199]
    assert perft(GAME, deal_1("b2", "c2", options={"drifting": True}), 3) == 654
    assert perft(GAME, deal_1("b2", "c2", options={"flame_throwers": True}), 4) == 9090


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 1),
        ({}, 2),
        ({"start_player": "roll"}, 3),
        ({"placement": "reverse", "share": True}, 4),
        ({"match_first_suit": True, "flame_throwers": True}, 1),
        ({"start": "strategic"}, 2),
        ({"start": "irregular", "shape": "tiny"}, 3),
        ({"start": "chaotic", "shape": "ess", "flame_throwers": True}, 2),
        ({"drifting": True, "shape": "row"}, 2),
        ({"drifting": True, "tiles": "0,0+2,1+4,0+6,3", "drift_with_penguins": False}, 3),
        ({"drifting": True, "remove_empty_tiles": True, "shape": "tiny_row", "flame_throwers": True}, 4),
        ({"second_level": "a1+a2+a3+a4+b1+b2+b3+b4", "show_buried": True, "drifting": True}, 1),
    ],
)
def test_laws(options: dict[str, object], seats: int) -> None:
    assert check_laws(GAME, 1, options, seats, limit=44) > 10


def test_playthrough() -> None:
    options = {"drifting": True, "flame_throwers": True, "start_player": "roll"}
    text = transcript(GAME, by_luck(GAME, 4, options, 3), options, 3, every=12)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)
