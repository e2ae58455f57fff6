"""Decay on the table: layouts, what a change was, what would be, speed; the laws, and a game as a text."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.engine import Action, Effect, EffectKind
from rules.engine.action import parse_action
from rules.engine.playout import perft, play_out, walk
from rules.table.change import Change, MovedPiece, change_between
from rules.table.layout import Placed, Zone
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.decay.boards import DOUBLE, EVEN, GAME, SLIDE_1, SPLIT, done, on_board, position


def shaken(change: Change, rng: random.Random, much: float = 0.05) -> Change:
    """The same change as a camera sees it: a little off, in spaces."""
    moved = tuple(replace(move, after=_shaken(move.after, rng, much)) for move in change.moved)
    return Change(tuple(_shaken(placed, rng, much) for placed in change.added), change.removed, moved)


def _shaken(placed: Placed, rng: random.Random, much: float) -> Placed:
    return replace(placed, x=placed.x + rng.uniform(-much, much), y=placed.y + rng.uniform(-much, much))


@pytest.mark.parametrize("seed", range(3))
def test_what_was_seen_is_snapped_to_what_was_done(seed: int) -> None:
    """The first suggestion leads to the same table for every action that leaves a trace."""
    rng = random.Random(seed)
    told = 0
    for state, action in walk(GAME, seed):
        if action.verb in ("create_tile", "move_tile", "slide", "pawn_step"):
            after = GAME.apply(state, action).state
            change = shaken(change_between(GAME.layout(state), GAME.layout(after)), rng)
            found = list(GAME.suggest(state, change))
            assert GAME.refusal(state, found[0]) is None
            best = next(a for a in found if a.verb == action.verb)
            fell = action.verb == "move_tile" and on_board(after) == on_board(GAME.apply(state, best).state)
            assert fell or same_place(best, action), f"{action} was read as {best}"
            told += 1
    assert told > 20


def same_place(found: Action, done_: Action) -> bool:
    """The same tile, and a place not more than 2 u away: a gap that counts as contact is closed (DECAY-2.23)."""
    if found.args[0] != done_.args[0]:
        return False
    if done_.verb in ("create_tile", "move_tile"):
        return all(abs(int(a) - int(b)) <= 2 for a, b in zip(found.args[-2:], done_.args[-2:], strict=True))
    return done_.verb != "slide" or abs(int(found[1]) - int(done_[1])) <= 1


def seen(state: Any, tile: str, x: float, y: float) -> list[str]:
    """What is suggested when a tile is seen somewhere, in u."""
    before = GAME.layout(state)
    lies = before.by_key(f"tile-{tile}")
    assert lies is not None
    there = replace(lies, x=x / 8, y=y / 8, zone=Zone.BOARD, seat=None)
    after = replace(before, pieces=tuple(there if p.key == lies.key else p for p in before))
    return [action.id for action in GAME.suggest(state, change_between(before, after))]


def test_2_23_a_place_is_made_flush_and_rounded() -> None:
    state = position("S4@(0,0)", phase="create", to_act="M")
    assert seen(state, "M2", 17.3, 8.4)[0] == "create_tile(M2,16,8)"
    assert seen(state, "M2", 14.8, 3.6)[0] == "create_tile(M2,16,4)"


def test_2_23_two_contacts_fix_both_coordinates() -> None:
    state = position("C2@(0,0) S5@(-4,16) A4@(12,20)", phase="create", to_act="M")
    assert seen(state, "M2", 16.8, 3.2)[0] == "create_tile(M2,16,4)"


def test_a_slide_is_snapped_to_the_nearest_distance() -> None:
    state = position(SLIDE_1, phase="slide")
    assert seen(state, "S5", 0.4, 9.1)[0] == "slide(S5,8,S)"
    assert seen(state, "S5", -0.3, 4.8)[0] == "slide(S5,5,S)"


@pytest.mark.parametrize(
    ("phase", "tile", "x", "y", "expected"),
    [
        ("tile", "A5", -19.8, 60.0, "DECAY-2.8"),
        ("tile", "S4", 48.1, 1.0, "DECAY-2.10"),
        ("tile", "M4", 52.3, 28.2, "DECAY-2.13"),
        ("slide", "M4", 16.1, 1.0, "DECAY-2.19"),
    ],
)
def test_what_was_tried_is_refused_as_it_was_seen(phase: str, tile: str, x: float, y: float, expected: str) -> None:
    state = position(SPLIT, phase=phase, pawns={})
    before = GAME.layout(state)
    lies = before.by_key(f"tile-{tile}")
    assert lies is not None
    change = Change(moved=(MovedPiece(lies, replace(lies, x=x / 8, y=y / 8)),))
    refusals = [GAME.refusal(state, action) for action in GAME.attempts(state, change)]
    assert [refusal.clause for refusal in refusals if refusal] == [expected]


def told(state: Any, text: str) -> list[Effect]:
    """Who is attacked with which sums, what falls off, who dies."""
    kinds = (EffectKind.ATTACK, EffectKind.COLLAPSE, EffectKind.ELIMINATE)
    action = parse_action(text)
    assert GAME.refusal(state, action) is None
    return [effect for effect in GAME.apply(state, action).effects if effect.kind in kinds]


def test_what_an_attack_would_bring_is_told_with_its_sums() -> None:
    state = position(DOUBLE, to_act="M", phase="tile")
    found = told(state, "move_tile(M3,M,16,4)")
    assert [(e.kind, e.facts["target"], e.facts["strength"], e.facts["defence"]) for e in found] == [
        (EffectKind.ATTACK, "C2", 3, 2),
        (EffectKind.ATTACK, "A4", 5, 4),
    ]
    assert GAME.refusal(state, parse_action("move_tile(M3,M,16,3)")) is not None


def test_it_is_told_who_would_fall() -> None:
    state = position(EVEN, to_act="C", phase="tile", pawns={"C": "M4", "S": "S4"})
    found = told(state, "move_tile(C2,C,-16,4)")
    assert [effect.kind for effect in found] == [EffectKind.COLLAPSE, EffectKind.ELIMINATE, EffectKind.ATTACK]


def test_the_layout_has_places_to_tap_and_pieces_on_them() -> None:
    state = position(SPLIT, phase="tile", pawns={"C": "M4"}, dice={"S": "S4"}, hands={"M": "M4 C2"})
    layout = GAME.layout(state)
    place = next(place for place in layout.places if place.name == "S4")
    assert (place.x, place.y, place.width) == (4.5, 3.0, 2.0)
    assert [placed.key for placed in layout.at("M4")] == ["tile-M4", "pawn-crowns"]
    assert [placed.key for placed in layout.at("S4")] == ["tile-S4", "die-suns"]
    assert len(layout.zone(Zone.HAND, 1)) == 6 + 2
    assert len(layout) == 24 + 24 + 4 + 4


def test_the_drawing_can_be_read() -> None:
    state, _ = done(position(DOUBLE, to_act="M", phase="tile", pawns={"M": "M2"}), "move_tile(M3,M,16,4)")
    assert GAME.diagram(state).splitlines()[:10] == [
        "                ┌──────┐",
        "        ┌──────┐│M2    │",
        "┌──────┐│A4    ││♟M    │",
        "│S5    ││      │└──────┘",
        "│      │└──────┘",
        "└──────┘  ┌──────┐",
        "  ┌──────┐│M3    │",
        "  │C2    ││[M]   │",
        "  │      │└──────┘",
        "  └──────┘",
    ]


@pytest.mark.parametrize(
    ("phase", "text", "expected"),
    [
        ("create", "S4@(16,4)", "create_tile(S4,16,4)"),
        ("tile", "skip", "skip_tile"),
        ("slide", "end", "end_turn"),
        ("slide", "slide(S4,3,S)", "slide(S4,3,S)"),
    ],
)
def test_what_people_type(phase: str, text: str, expected: str) -> None:
    assert GAME.read(position("M4@(0,0)", phase=phase), text).id == expected


def test_perft() -> None:
    state = position("S5@(0,0) M2@(16,4)", pawns={"S": "S5", "M": "M2"}, out=["C", "A"])
    assert [perft(GAME, state, depth) for depth in range(2)] == [1, 1]
    pair = GAME.start({"first": 0}, 3)
    assert [perft(GAME, pair, depth) for depth in range(3)] == [1, 6, 6 * 6 * 96]


def slowest(ask: Callable[[Action], object], actions: list[Action]) -> float:
    """Seconds for the slowest of some questions, each at its best of five."""
    return max(min(_seconds(ask, action) for _ in range(5)) for action in actions)


def _seconds(ask: Callable[[Action], object], action: Action) -> float:
    start = time.process_time()
    ask(action)
    return time.process_time() - start


@pytest.mark.long
def test_answers_come_at_once() -> None:
    state = next(s for s, _ in walk(GAME, 1) if s.phase == "tile" and sum(map(bool, s.tiles)) == 24)
    actions = [action for action in GAME.legal(state) if action.verb == "move_tile"]
    wrong = [Action(a.verb, (*a.args[:3], str(int(a.args[3]) + 2))) for a in actions[::40]]
    right = random.Random(0).sample(actions, 30)
    assert slowest(lambda action: GAME.refusal(state, action), right + wrong) < 0.001
    assert slowest(lambda action: GAME.apply(state, action), right) < 0.001


def test_games_by_luck_end() -> None:
    assert all(play_out(GAME, seed, None, 3).finished for seed in range(10))


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 4),
        ({"two_persons": True, "shared_hand": True, "friendly_attack": True, "first": 1}, 4),
        (
            {
                "hands_open": False,
                "attack_optional": True,
                "allow_resign": True,
                "dead_tiles": "remove",
                "all_dead": "active_loses",
            },
            3,
        ),
        (
            {
                "movable_sides": "at_most_two",
                "revisit_start": True,
                "stolen_coin_usable": "next_turn",
                "slide_obeys_placement": True,
                "slide_same_tile_again": False,
                "draw": "after_3_repeats",
            },
            3,
        ),
        ({"gap_tol": 0, "min_contact": 3, "stop_slack": 0, "move_tile_with_pawn": "own_only", "first": 2}, 3),
    ],
)
def test_laws(options: dict[str, object], seats: int) -> None:
    assert check_laws(GAME, 7, options, seats, limit=45) >= 30


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 6, None, 3), None, 3, every=12)
    check_playthrough(Path(__file__).parent / "playthrough.txt", text)
