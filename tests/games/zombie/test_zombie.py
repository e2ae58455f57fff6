"""The worked tests of Zombie in my Piecepack, by their number, its options, and the laws in every variant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.effects import EffectKind
from rules.engine.playout import perft, play_out
from rules.engine.refusal import Code
from rules.games import game
from rules.games.zombie import house
from rules.games.zombie.deeds.common import no_such_room
from rules.games.zombie.opening import IN, OUT, PATIO, ROOMS, STACKS, Phase, Totem
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("zombie")
PLAYER = Player(GAME)
refused, play, position, ids = PLAYER.refused, PLAYER.play, PLAYER.position, PLAYER.ids


def test_a_position_is_over_only_where_something_ended_it() -> None:
    with pytest.raises(ValueError, match="nothing has ended this game"):
        GAME.position({"phase": "over"}, GAME.card.options_type(), ())


def test_1_setup() -> None:
    state = GAME.start()
    assert (state.health, state.weapon, state.hand, state.intensity) == (5, 1, 0, (0, 3, 5))
    assert [len(house.stack(state, zone)) for zone in (IN, OUT)] == [7, 7]
    assert len(GAME.layout(state)) == 18 + 15 + 3 + 3


def test_2_and_3_a_full_hour() -> None:
    state = play(position(hand=7), "clock")
    assert (state.hand, state.intensity, state.phase) == (0, (3, 5), Phase.MOVE)
    outcome = GAME.outcome(play(position(hand=7, intensity=[5]), "clock"))
    assert (outcome.over, outcome.winners, outcome.clause) == (True, (), "ZOMB-5.2")


@pytest.mark.parametrize(
    ("number", "health", "dice", "phase", "after"),
    [
        (5, 5, "S2 M4 A4", Phase.ATTACK, (5, 1)),
        (6, 5, "S3 M1 A3", Phase.SPECIAL, (5, 1)),
        (7, 6, "S5 M2 A4", Phase.SPECIAL, (6, 1)),
        (4, 5, "S5 M2 A4", Phase.SPECIAL, (6, 1)),
        (4, 5, "S2 M2 A4", Phase.SPECIAL, (5, 2)),
        (11, 5, "S0 M0 A0", Phase.ATTACK, (5, 1)),
    ],
)
def test_events(number: int, health: int, dice: str, phase: Phase, after: tuple[int, int]) -> None:
    state = play(position(phase="event", health=health), dice)
    assert (state.phase, (state.health, state.weapon)) == (phase, after)


def test_8_and_9_an_attack() -> None:
    state = position(rooms={"1:0": "A4"}, place="A4", moon=4, intensity=[3, 5])
    assert play(state, "retreat(tS0)").health == 4
    offered = GAME.offer(state, GAME.read(state, "fight"))
    assert offered is not None
    assert offered.text == "fight: lose 6 health"
    assert GAME.outcome(play(state, "fight")).over
    fought = play(position(moon=4, intensity=[3, 5], weapon=4), "fight")
    assert (fought.health, fought.phase) == (2, Phase.SPECIAL)


def test_10_no_retreat_from_the_first_room() -> None:
    state = play(GAME.start(), "clock", "stay", "S0 M3 A0")
    assert ids(state) == {"fight"}
    assert refused(state, "retreat(tS0)") == "ZOMB-8.9"


def test_11_zombies_that_do_no_harm() -> None:
    state = play(position(phase="event", weapon=3), "S0 M1 A0", "fight")
    assert state.health == 5


def test_13_and_14_the_dining_room_owes_the_patio() -> None:
    last = position(phase="move", rooms={"1:0": "A5", "2:0": "A2", "1:1": "A3"}, place="A5")
    assert refused(last, "open(1:-1,draw)") == "ZOMB-4.4b"
    assert play(last, "open(1:-1)").place == PATIO
    fresh = position(phase="move", rooms={"1:0": "A5"}, place="A5")
    assert {"open(2:0,patio)", "open(2:0,draw)"} <= ids(fresh)
    words = [GAME.describe(parse_action(text)) for text in ("open(2:0,patio)", "open(2:0)")]
    assert words == ["open a door towards 2:0 to the patio", "open a door towards 2:0 and draw a room"]
    laid = play(fresh, "open E patio")
    assert laid.doors == (("S0", "A5"), ("A5", "M0"))
    assert laid.phase is Phase.EVENT


def test_15_zombies_break_in_where_no_door_is_left() -> None:
    state = play(GAME.start(), "clock", "open N", "draw A0", "S3 M1 A3", "end_turn", "clock")
    assert refused(state, "open N") == "ZOMB-2.3"
    state = play(state, "break_wall N")
    assert GAME.turn(state).kind == "chance"
    state = play(state, "draw A3", "M4")
    assert (state.place, state.phase, state.holes) == ("A0", Phase.ATTACK, (("A0", "A3"),))
    assert house.used_doorways(state, "A3") == 0
    state = play(state, "fight")
    assert (state.phase, state.health) == (Phase.EVENT, 2)
    state = play(state, "S3 M1 A3", "end_turn", "clock")
    assert "A3" not in state.visited
    assert refused(state, "break_wall N") == "ZOMB-4.5"
    assert play(state, "walk A3").visited[-1] == "A3"


def test_17_and_18_totem_and_grave() -> None:
    state = position(phase="draw", opening={"cell": "1:0"})
    state = play(state, "draw(tS1)", "S3 M1 A3")
    assert state.totem is Totem.TEMPLE
    assert refused(state, "take_totem") == "ZOMB-4.9"
    state = play(state, "end_turn", "clock", "stay", "S3 M1 A3", "take_totem")
    assert refused(state, "take_totem") == "ZOMB-4.8"
    grave = position(
        rooms={"1:0": "S1", "0:1": "A5", "0:2": "M0", "0:3": "M1"}, place="M1", totem="carried", phase="move"
    )
    step = GAME.apply(play(grave, "stay", "S3 M1 A3"), GAME.read(grave, "bury"))
    assert GAME.outcome(step.state).winners == (0,)
    assert step.effects[-1].kind is EffectKind.END
    assert refused(play(grave, "stay", "S3 M1 A3"), "take_totem") == "ZOMB-4.9"
    assert refused(position(phase="special", place="S0"), "bury") == "ZOMB-4.9"


def test_17_after_a_retreat_there_is_no_special_action() -> None:
    state = position(rooms={"1:0": "S1"}, phase="special", place="S1", stayed=True, retreated=True)
    assert refused(state, "take_totem") == "ZOMB-4.8"
    arrived = position({"temple": "on_arrival"}, rooms={"1:0": "S1"}, phase="special", place="S1")
    assert play(arrived, "take_totem").totem is Totem.CARRIED


@pytest.mark.parametrize(("roll", "health"), [("S3", 3), ("S4", 4)])
def test_19_cowering(roll: str, health: int) -> None:
    state = play(position(phase="special", health=3), "cower", roll)
    assert (state.health, state.hand, state.phase) == (health, 1, Phase.CLOCK)


@pytest.mark.parametrize(("search", "hand"), [("clock", 1), ("free", 0)])
def test_20_searching(search: str, hand: int) -> None:
    state = position({"search": search}, rooms={"1:0": "A0"}, place="A0", phase="special")
    found = play(state, "search", "A2")
    assert (found.weapon, found.hand, found.phase) == (2, hand, Phase.SPECIAL)
    assert play(state, "search", "A1").weapon == 1
    assert refused(found, "search") == "ZOMB-4.8"
    late = position({"search": search}, rooms={"1:0": "A0"}, place="A0", phase="special", hand=7, intensity=[5])
    assert GAME.outcome(play(late, "search")).over == (search == "clock")


def drawn(options: Mapping[str, object] | None, code: str) -> Any:
    """A room laid at 1:1, opened from 1:0, beside A4 at 0:1 with two of its four doorways used."""
    state = position(
        options,
        rooms={"0:0": "S0", "0:1": "A4", "1:0": "A5", "-1:1": "A2"},
        doors=[["S0", "A4"], ["A4", "A2"]],
        place="A5",
        phase="draw",
        opening={"cell": "1:1"},
    )
    return play(state, f"draw {code}")


def test_21_a_new_room_joins_what_it_touches() -> None:
    state = drawn(None, "A3")
    assert state.doors[-2:] == (("A5", "A3"), ("A4", "A3"))
    assert house.used_doorways(state, "A3") == 2
    assert drawn({"auto_connect": False}, "A3").doors[-1] == ("A5", "A3")


def test_22_a_room_with_one_doorway_joins_nothing_more() -> None:
    assert drawn(None, "A0").doors[-1] == ("A5", "A0")


def test_23_house_and_garden_have_a_wall_between_them() -> None:
    state = position(rooms={"0:1": "A5", "1:1": "M0"}, place="M0", phase="draw", opening={"cell": "1:0"})
    state = play(state, "draw C4")
    assert state.doors[-1] == ("M0", "C4")
    assert ("S0", "C4") not in state.doors
    assert (0.5, 0.5, 0.5, 2.5) not in GAME.layout(state).borders
    assert (2.5, 0.5, 2.5, 2.5) in GAME.layout(state).borders


def test_9_1_check_sums() -> None:
    doorways = {zone: sum(kind.doorways for kind in ROOMS.values() if kind.zone == zone) for zone in (IN, OUT)}
    assert doorways == {IN: 18, OUT: 19}
    assert all(ROOMS[code].zone == zone for zone, codes in STACKS.items() for code in codes)


def test_4_12_the_kitchen() -> None:
    fields: dict[str, Any] = {"rooms": {"1:0": "A1"}, "place": "A1", "phase": "special", "health": 4}
    assert play(position(**fields), "end_turn").health == 5
    assert play(position(**{**fields, "health": 6}), "end_turn").health == 6
    assert play(position(**fields), "cower", "S5").health == 6
    assert play(position({"bonus_after_retreat": False}, **fields, retreated=True), "end_turn").health == 4
    assert play(position(**fields, retreated=True), "end_turn").health == 5


def test_8_10_a_retreat_can_kill() -> None:
    state = position(rooms={"1:0": "A4"}, place="A4", moon=1, health=1)
    assert GAME.outcome(play(state, "retreat(tS0)")).clause == "ZOMB-5.2"


def closed_in(options: Mapping[str, object]) -> Any:
    """In the Storage: the Foyer is full, the Storage is full, nothing can be opened."""
    return position(options, rooms={"1:0": "A0"}, place="A0", phase="move")


def test_8_5_to_8_8_break_ins() -> None:
    assert "break_wall(-1:0,tS0)" in ids(closed_in({"break_where": "any"}))
    assert refused(closed_in({}), "break_wall(-1:0,tS0)") == "ZOMB-8.5"
    assert refused(closed_in({}), "break_wall(5:5)") == "ZOMB-4.5"
    entering = play(closed_in({"enter_after_break": True}), "break_wall E", "draw A4", "M0")
    assert entering.place == "A4"
    no_event = play(closed_in({"event_after_break": False}), "break_wall E", "draw A4", "M0", "fight")
    assert no_event.phase is Phase.SPECIAL
    used = play(closed_in({"break_uses_door": True}), "break_wall E", "draw A4")
    assert house.used_doorways(used, "A4") == 1


@pytest.mark.parametrize("uses_door", [False, True])
def test_8_6_a_hole_uses_the_doorway_of_the_room_behind_it_too(uses_door: bool) -> None:
    """Laid behind a wall of the Storage, the Evil Temple touches another room, and has but one doorway."""
    options = {"break_scope": "room", "break_uses_door": uses_door}
    rooms = {"0:1": "A5", "-1:1": "A0", "0:2": "A4"}
    before = position(options, rooms=rooms, doors=[["S0", "A5"], ["A5", "A0"], ["A5", "A4"]], place="A0", phase="move")
    laid = play(before, "break_wall(-1:2)", "draw S1")
    assert laid.holes == (("A0", "S1"),)
    assert (("A4", "S1") in laid.doors) is not uses_door


@pytest.mark.parametrize(("scope", "clause"), [("house", "ZOMB-4.5"), ("zone", None), ("room", None)])
def test_8_4_where_doors_may_still_be_possible(scope: str, clause: str | None) -> None:
    """Indoors all doorways are used, but the Patio has one left."""
    rooms = {"0:1": "A5", "1:1": "A0", "0:2": "M0", "-1:1": "A2", "-1:0": "A1", "-2:0": "S1"}
    doors = [["S0", "A5"], ["A5", "A0"], ["A5", "M0"], ["A5", "A2"], ["A2", "A1"], ["A1", "S1"]]
    state = position({"break_scope": scope}, rooms=rooms, doors=doors, place="A0", phase="move")
    assert refused(state, "break_wall E") == clause


def test_8_9_retreat_to_any_visited_room() -> None:
    fields: dict[str, Any] = {"rooms": {"1:0": "A4", "2:0": "A3"}, "place": "A3", "moon": 2}
    assert ids(position(**fields)) == {"fight", "retreat(tA4)"}
    assert ids(position({"retreat": "visited"}, **fields)) == {"fight", "retreat(tA4)", "retreat(tS0)"}


def test_8_13_only_back_to_the_last_room() -> None:
    fields: dict[str, Any] = {
        "rooms": {"1:0": "A4", "2:0": "A3"},
        "place": "A4",
        "previous": "A3",
        "phase": "move",
    }
    assert refused(position({"walk": "last"}, **fields), "walk S0") == "ZOMB-8.13"
    assert refused(position({"walk": "last"}, **fields), "walk A3") is None
    assert refused(position(**fields), "walk S0") is None
    assert refused(position(**fields), "walk C3") == "ZOMB-4.3b"


def test_8_15_a_closed_in_dining_room() -> None:
    rooms = {"0:1": "A5", "1:1": "A0", "0:2": "S1", "-1:1": "A2"}
    fields: dict[str, Any] = {
        "rooms": rooms,
        "doors": [["S0", "A5"], ["A5", "A2"]],
        "place": "A5",
        "phase": "move",
    }
    assert not any(action.startswith("open") for action in ids(position(**fields)))
    state = play(position({"relocate_patio": True}, **fields), "open(-2:1,patio)")
    assert state.doors[-1] == ("A5", "M0")


def test_8_16_the_attack_may_be_rolled_again() -> None:
    state = play(position({"attack_roll": "reroll"}, phase="event"), "S0 M3 A0")
    assert state.phase is Phase.MOON
    assert play(state, "M1").moon == 1


def test_8_19_time_may_pass_with_the_move() -> None:
    state = play(GAME.start({"time": "action"}), "stay")
    assert (state.phase, state.hand) == (Phase.CLOCK, 0)
    state = play(state, "clock", "S3 M1 A3", "end_turn")
    assert (state.phase, state.hand) == (Phase.MOVE, 1)


def test_the_effects_tell_the_sums_of_an_attack() -> None:
    state = position(phase="event", intensity=[3, 5], weapon=2)
    attack = GAME.apply(state, GAME.read(state, "S2 M4 A4")).effects[4]
    assert attack.kind is EffectKind.ATTACK
    assert dict(attack.facts) == {"moons_die": 4, "intensity": 3, "zombies": 7, "weapon": 2, "damage": 5}


def test_a_drawn_room_must_be_in_the_stack() -> None:
    state = play(GAME.start(), "clock", "open N")
    assert refused(state, "draw C2") == "ZOMB-4.4a"
    assert refused(state, "draw(t99)") == "ZOMB-4.4a"
    assert len(ids(state)) == 7


@pytest.mark.parametrize("text", ["roll(S9+M1+A1)", "roll(S1)", "roll(M1+S1+A1)"])
def test_dice_that_cannot_be(text: str) -> None:
    assert refused(position(phase="event"), text) == "ZOMB-4.6"


@pytest.mark.parametrize("text", ["open(1:2,draw)", "open(1:0,cellar)", "open(north,draw)", "open(01:0,draw)"])
def test_doors_that_cannot_be(text: str) -> None:
    assert refused(position(phase="move"), text) == "ZOMB-4.4"


@pytest.mark.parametrize(
    "fields",
    [
        {"rooms": {"0:0": "A4"}},
        {"rooms": {"0:1": "A4", "0:2": "A4"}},
        {"rooms": {"north": "A4"}},
        {"rooms": {"0:1": "X9"}},
        {"place": "A4"},
        {"doors": [["S0", "A4"]]},
        {"intensity": [5, 3]},
        {"health": 9},
        {"totem": "lost"},
        {"totem": "temple"},
        {"phase": "draw"},
        {"phase": "tea"},
        {"stayed": 1},
        {"dice": [1, 2]},
        {"brains": 1},
    ],
)
def test_positions_that_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        position(**fields)


def test_every_game_ends() -> None:
    results = [play_out(GAME, seed) for seed in range(60)]
    assert all(result.finished and result.plies < 300 for result in results)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"auto_connect": False, "temple": "on_arrival", "search": "free"},
        {"break_scope": "room", "break_where": "any", "enter_after_break": True, "retreat": "visited"},
        {"break_scope": "zone", "break_uses_door": True, "event_after_break": False, "time": "action"},
        {"walk": "last", "attack_roll": "reroll", "bonus_after_retreat": False, "relocate_patio": True},
    ],
)
def test_laws(options: dict[str, object]) -> None:
    assert check_laws(GAME, 3, options, limit=400 if not options else 40) > 12


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 3), every=12)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


def test_perft() -> None:
    assert [perft(GAME, GAME.start(), depth) for depth in range(5)] == [1, 1, 5, 244, 6389]


def test_a_word_that_is_no_room_breaks_no_rule() -> None:
    """It accuses nobody (rules/referee/attempt): a pawn that lies somewhere is not drawn as a room."""
    state = GAME.start()
    codes = []
    for text in ("pA", "tZ9"):
        refusal = no_such_room(text, "ZOMB-4.5")
        assert refusal is not None
        codes.append(refusal.code)
    assert codes == [Code.BAD_ARGUMENT, Code.NO_SUCH_PIECE]
    assert GAME.refusal(state, parse_action("draw(pA)")) is not None
