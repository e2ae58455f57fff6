"""The worked tests of Global Warming, by their number, the laws in every variant and a whole game."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.card import SetupError
from rules.engine.effects import EffectKind
from rules.engine.playout import perft, walk
from rules.games import game
from rules.games.global_warming.cells import island
from rules.games.global_warming.coins import danger
from rules.games.global_warming.deeds.common import wrong_line
from rules.pieces import Face, Rank, die
from rules.table.change import Change, MovedPiece, change_between
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("global_warming")
PLAYER = Player(GAME)
clause, do, position = PLAYER.refused, PLAYER.play, PLAYER.position
LINE = ["S", "3", "M"]
FOUR = {"S": [0, 2], "M": [2, 4], "C": [4, 0], "A": [1, 1]}


def kinds(state: Any, text: str) -> list[str]:
    return [effect.kind.value for effect in GAME.apply(state, parse_action(text)).effects]


def acting(state: Any) -> list[str]:
    return [state.suits[index].letter for index in state.order]


def test_1_the_coins_say_where_the_pawns_begin() -> None:
    state = do(GAME.start({"island": "ordered"}), *(f"draw_start({coin})" for coin in ("cM4", "cS2", "cA5", "cC3")))
    assert state.pawns == ("0/2", "2/4", "4/0", "1/1")
    assert state.bag == 24
    assert do(state, "open_line(cS?+c?3+cM?)").bag == 21
    assert do(GAME.start({"island": "ordered"}), "draw_start(cM4+cS2+cA5+cC3)") == state


@pytest.mark.parametrize(
    ("number", "faces", "order"),
    [(2, "Sn+M5+C5+A2", "SA"), (3, "Sa+M4+Cn+A3", "CMAS"), (5, "S2+M2+Ca+Aa", "")],
)
def test_equal_faces_cancel_and_the_others_act_in_order(number: int, faces: str, order: str) -> None:
    state = do(position(pawns=FOUR), f"reveal({faces})")
    assert acting(state) == list(order)
    assert state.phase == ("actions" if order else "sink")


@pytest.mark.parametrize(
    ("number", "pawns", "face", "action", "expected"),
    [
        (6, {"S": [1, 2]}, "a", "move_pawns(SE)", "GW-4.6"),
        (7, {"S": [1, 3], "M": [2, 3]}, "a", "move_pawns(SE)", "GW-4.6"),
        (9, {"S": [1, 3], "M": [4, 4]}, "2", "move_pawns(SN+SS)", None),
        (9, {"S": [1, 3], "M": [4, 4]}, "2", "arrange(-)", None),
        (10, {"S": [1, 3], "M": [4, 4]}, "3", "move_pawns(SN+SS)", "GW-4.7"),
        (10, {"S": [1, 3], "M": [4, 4]}, "a", "move_pawns(SN+SS)", "GW-4.5"),
        (14, {"S": [1, 3], "M": [4, 4]}, "5", "arrange(-)", "GW-4.8"),
        (14, {"S": [1, 3], "M": [4, 4]}, "2", "arrange(S>1/4)", "GW-4.8"),
        (15, FOUR, "n", "move_tile(0/0,-1/1)", None),
        (15, FOUR, "n", "move_tile(0/0,-1/-1)", "GW-4.9"),
        (15, FOUR, "n", "move_tile(0/0,2/2)", None),
        (18, {"S": [1, 3], "M": [4, 4]}, "n", "move_tile(4/0,4/0)", "GW-R4"),
        (18, {"S": [1, 3], "M": [4, 4]}, "n", "move_tile(1/3,2/2)", "GW-4.9"),
        (18, {"S": [1, 3], "M": [4, 4]}, "n", "move_pawns(SN)", "GW-4.9"),
        (18, {"S": [1, 3], "M": [4, 4]}, "3", "decline", "GW-4.7"),
        (27, {"S": [1, 3], "M": [4, 4]}, "2", "arrange(S>3/1)", "GW-4.5"),
        (27, {"S": [1, 3], "M": [4, 4]}, "3", "arrange(S>4/4)", "GW-2.6"),
    ],
)
def test_actions(number: int, pawns: dict[str, object], face: str, action: str, expected: str | None) -> None:
    assert clause(position(pawns=pawns, faces={"S": face}), action) == expected


@pytest.mark.parametrize(
    ("face", "words"),
    [("a", "the die shows an ace: one step with a pawn"), ("3", "the die shows a 3: 3 steps with pawns")],
)
def test_a_number_moves_no_tile(face: str, words: str) -> None:
    refusal = GAME.refusal(position(pawns=FOUR, faces={"S": face}), parse_action("move_tile(0/0,-1/1)"))
    assert refusal is not None
    assert (refusal.clause, refusal.text) == ("GW-4.5", words)


def test_11_without_any_possible_step_the_action_lapses() -> None:
    start: dict[str, Any] = {"island": [[0, 0], [1, 0]], "pawns": {"S": [0, 0], "M": [1, 0]}}
    assert position(**start, faces={"S": "3"}).phase == "sink"
    step = GAME.apply(position(**start), parse_action("reveal(S3+M-)"))
    lapses = [effect for effect in step.effects if effect.clause == "GW-4.7"]
    assert len(lapses) == 1
    assert clause(position(**start), "reveal(S3)") == "GW-4.3"


def test_13_two_steps_in_a_row_of_three_tiles() -> None:
    state = position(island=[[0, 0], [1, 0], [2, 0]], pawns={"S": [0, 0], "M": [1, 0]}, faces={"S": "2"})
    assert {action.id for action in GAME.legal(state)} == {"arrange(-)", "arrange(S>1/0+M>2/0)"}


def test_17_the_neighbour_must_be_another_tile() -> None:
    state = position(island=[[0, 0], [1, 0]], pawns={"S": [0, 0]}, faces={"S": "n"})
    assert clause(state, "move_tile(1/0,2/0)") == "GW-4.10"
    legal = {action.id for action in GAME.legal(state)}
    assert legal == {"decline", *(f"move_tile(1/0,{place})" for place in ("0/1", "-1/0", "0/-1"))}


def test_19_the_left_coin_names_the_tile_that_sinks() -> None:
    state = position(pawns=FOUR, line=LINE, bag=21, phase="sink")
    after = do(state, "sink(c?0,c?4)")
    assert after.line == ("c?3", "cM?", "c?0")
    assert (after.bag, after.tiles[4], after.sunk) == (20, "", (4,))
    assert kinds(state, "sink(c?0,c?4)") == ["place", "flip", "collapse", "remove", "remove", "phase"]


def test_the_last_coin_is_drawn_by_the_old_handler() -> None:
    """GW-4.12: crowns drowns by the coin that suns has drawn, and draws the coins only from now on (GW-5.2)."""
    pawns = {"S": [2, 1], "M": [4, 0], "C": [4, 4], "A": [0, 4]}
    state = position(pawns=pawns, line=LINE, phase="sink", handler=0)
    step = GAME.apply(state, parse_action("sink(c?0,c?4)"))
    drawn, *_, chosen, _ = step.effects
    assert (drawn.kind, drawn.seat) == (EffectKind.PLACE, 0)
    assert (chosen.kind, chosen.seat) == (EffectKind.CHOOSE, 2)


def test_21_a_moved_tile_sinks_at_its_new_place() -> None:
    state = position(pawns=FOUR, line=LINE, faces={"S": "n"})
    after = do(state, "move_tile(4/4,5/3)", "sink(c?0,c?4)")
    assert "5/3" not in after.tiles
    assert after.tiles[4] == ""


@pytest.mark.parametrize(
    ("number", "retired", "action", "expected"),
    [
        (22, ["S4"], "sink(c?0,c?4)", "GW-7.3"),
        (22, [], "sink(c?0,cM?)", "GW-7.3"),
        (22, [], "sink(-,c?4)", "GW-4.12"),
        (22, [], "sink(c?4,c?9)", "GW-1.4"),
        (22, ["M3", "C3", "A3"], "sink(c?0,c?3)", "GW-7.3"),
        (22, ["M3", "C3", "A3"], "sink(c?3,c?4)", "GW-7.3"),
        (22, ["M3", "C3", "A3"], "sink(c?2,c?4)", None),
    ],
)
def test_the_coins_must_fit_together(number: int, retired: list[str], action: str, expected: str | None) -> None:
    state = position(pawns={"S": [0, 4], "M": [2, 4]}, line=LINE, retired=retired, phase="sink")
    assert clause(state, action) == expected


def test_23_the_last_pawn_wins_at_once() -> None:
    state = position(pawns={"S": [4, 4], "M": [2, 4]}, line=LINE, phase="sink")
    step = GAME.apply(state, parse_action("sink(c?0,c?4)"))
    assert GAME.outcome(step.state).winners == (1,)
    assert [effect.kind for effect in step.effects][-3:] == [
        EffectKind.REMOVE,
        EffectKind.ELIMINATE,
        EffectKind.END,
    ]


def test_25_a_declined_blank_leads_to_the_sinking() -> None:
    state = do(position(pawns=FOUR), "reveal(Sn+M5+C5+A5)")
    assert do(state, "decline").phase == "sink"
    assert clause(do(position({"blank_optional": False}, pawns=FOUR), "reveal(Sn+M5+C5+A5)"), "decline") == "GW-R2"


def test_26_what_the_line_betrays() -> None:
    found = {entry.tile: Fraction(entry.next, entry.cases) for entry in danger(("cS?", "c?3", "cM?"), ())}
    assert found["tS3"] == Fraction(17, 132)
    assert found["tS2"] == Fraction(23, 132)
    assert sum(found.values()) == 1
    state = position(pawns=FOUR, line=LINE)
    assert GAME.view(state, 0).danger == danger(state.line, state.sunk)


@pytest.mark.parametrize(("face", "count"), [("a", 12), ("2", 75), ("3", 300), ("4", 906), ("5", 2232)])
def test_27_how_many_arrangements_there_are(face: str, count: int) -> None:
    pawns = {"S": [1, 2], "M": [3, 2], "C": [2, 0], "A": [2, 4]}
    state = position(pawns=pawns, faces={"S": face})
    legal = [action.id for action in GAME.legal(state)]
    assert len(legal) == count
    assert any("S>2/1" in text for text in legal) == (face != "a")


def test_27_any_listed_arrangement_is_also_reached_step_by_step() -> None:
    state = position(pawns=FOUR, faces={"S": "3"})
    ends = {GAME.advance(state, action).pawns for action in GAME.legal(state)}
    rng = random.Random(1)
    assert {GAME.advance(state, GAME.sample(state, rng)).pawns for _ in range(300)} <= ends


def test_sealed_faces_are_seen_by_their_owner_only() -> None:
    state = do(position(pawns=FOUR), "0:commit(S,n)", "2:commit(C,5)")
    assert GAME.view(state, 0).faces == ("n", "", "?", "")
    assert GAME.view(state, None).faces == ("?", "", "?", "")
    shown = {p.key: p.piece for p in GAME.layout(GAME.view(state, 1)) if p.key.startswith("d")}
    assert shown["dS"] == die(state.suits[0])
    assert clause(state, "reveal(S3+M5+A2)") == "GW-6.1"
    assert clause(state, "reveal(M5)") == "GW-4.3"
    assert clause(state, "0:commit(S,a)") == "GW-4.1"
    assert clause(state, "1:commit(A,a)") == "GW-1.5"
    assert acting(do(state, "reveal(M5+A2)")) == ["S", "A"]
    seen = do(state, "reveal(M5+A2)")
    assert seen.shown == ("", "5", "", "2")
    assert do(state, "1:commit(M,5)", "3:commit(A,2)") == replace(seen, shown=state.shown)


def test_a_die_that_was_not_set() -> None:
    assert acting(do(position(pawns=FOUR), "reveal(S-+M5+C5+A2)")) == ["A"]
    again = do(position({"missing_commit": "replay"}, pawns=FOUR), "reveal(S-+M5+C5+A2)")
    assert (again.phase, again.faces) == ("select", ("", "", "", ""))


def test_the_first_who_is_out_handles_the_coins() -> None:
    state = position(pawns={"S": [0, 0], "M": [1, 0], "C": [4, 4]}, line=LINE, phase="sink")
    assert do(state, "sink(c?0,c?4)").handler == 0
    full = position(pawns={**FOUR, "C": [4, 4]}, line=LINE, phase="sink")
    assert do(full, "sink(c?0,c?4)").handler == 2
    fixed = position({"handler": "fixed"}, pawns={**FOUR, "C": [4, 4]}, line=LINE, phase="sink")
    assert do(fixed, "sink(c?0,c?4)").handler == 0
    assert clause(position({"handler": "fixed"}, pawns=FOUR), "set_handler(2)") == "GW-R8"
    assert do(position(pawns=FOUR), "set_handler(2)").handler == 2


def test_an_empty_bag_shortens_the_line() -> None:
    state = position(island={"S2": [0, 0], "S3": [1, 0], "M2": [2, 0]}, pawns={"S": [0, 0], "M": [1, 0]}, phase="sink")
    assert (state.bag, len(state.line)) == (0, 3)
    assert clause(state, "sink(c?2,cM?)") == "GW-4.14"
    state = position(
        island={"S2": [0, 0], "S3": [1, 0], "M2": [2, 0]},
        pawns={"S": [0, 0], "M": [1, 0]},
        line=["M", "S", "3"],
        phase="sink",
    )
    after = do(state, "sink(-,c?2)")
    assert after.line == ("cS?", "c?3")
    assert [action.id for action in GAME.legal(do(after, "reveal(Sn+Mn)"))] == ["sink(-,c?2)"]


def test_resigning_is_like_drowning() -> None:
    state = position({"resign": True}, pawns=FOUR)
    after = do(state, "1:resign", "2:resign")
    assert [after.suits[index].letter for index in after.alive] == ["S", "A"]
    assert after.handler == 1
    assert GAME.outcome(do(after, "3:resign")).winners == (0,)
    assert clause(position(pawns=FOUR), "1:resign") == "GW-R14"


@pytest.mark.parametrize(
    ("setup", "picture"),
    [
        ("cross", "...#... .#####. .##.##. ##...## .##.##. .#####. ...#..."),
        ("diagonal", "...#... .#####. .#.#.#. ###.### .#.#.#. .#####. ...#..."),
    ],
)
def test_starting_islands(setup: str, picture: str) -> None:
    cells = {
        f"{x}/{y}"
        for y, row in zip(range(5, -2, -1), picture.split(), strict=True)
        for x, sign in zip(range(-1, 6), row, strict=True)
        if sign == "#"
    }
    assert set(island(setup)) == cells


def test_two_players_with_two_pawns_each() -> None:
    state = GAME.start({"two_seats_each": True, "island": "ordered"}, 2)
    assert (state.owners, len(state.pawns)) == ((0, 1, 0, 1), 4)
    both = position({"two_seats_each": True}, 2, pawns=FOUR)
    assert GAME.turn(do(both, "0:commit(S,n)")).seats == (0, 1)
    assert acting(do(both, "0:commit(S,n)", "0:commit(C,n)", "1:commit(M,2)", "1:commit(A,a)")) == ["M", "A"]
    with pytest.raises(SetupError):
        GAME.start({"two_seats_each": True}, 4)


def suggested(before: Any, after: Any) -> list[str]:
    change = change_between(GAME.layout(before), GAME.layout(after))
    return [action.id for action in GAME.suggest(before, change)]


def same_die(before: Any, after: Any) -> bool:
    return any(before.shown[index] == after.shown[index] for index in before.alive)


def test_every_ply_of_a_game_is_explained_by_the_picture() -> None:
    """But for sealed choices and dice that show the same as before: a suggestion leads to the same table."""
    for state, action in walk(GAME, 3, seats=4):
        after = GAME.advance(state, action)
        if action.verb == "commit" or (action.verb == "reveal" and same_die(state, after)):
            continue
        change = change_between(GAME.layout(state), GAME.layout(after))
        first = [a for _, a in zip(range(5), GAME.suggest(state, change), strict=False)]
        ends = [GAME.advance(state, a) for a in first if GAME.refusal(state, a) is None]
        assert after in ends, f"{action} is not among {first}"


def test_the_dice_are_read_when_they_are_uncovered() -> None:
    before = position(pawns=FOUR)
    dice = [p for p in GAME.layout(before) if p.key.startswith("d")]
    tops = (Rank.NULL, Rank.FIVE, Rank.FIVE, Rank.TWO)
    one = MovedPiece(dice[0], replace(dice[0], piece=die(dice[0].piece.suit, Rank.FIVE)))
    assert list(GAME.suggest(before, Change(moved=(one,)))) == []
    moved = tuple(MovedPiece(p, replace(p, piece=die(p.piece.suit, top))) for p, top in zip(dice, tops, strict=True))
    assert [a.id for a in GAME.suggest(before, Change(moved=moved))] == ["reveal(S0+M5+C5+A2)"]


def test_who_leaves_the_pawns_as_they_stand_has_tried_nothing_with_them() -> None:
    """A coin that is turned out of its time is no arrangement of pawns."""
    before = position(pawns=FOUR, line=LINE, faces={"S": "3"})
    (lying, *_) = (p for p in GAME.layout(before) if p.key.startswith("coin"))
    change = Change(moved=(MovedPiece(lying, replace(lying, face=Face.BACK)),))
    assert list(GAME.attempts(before, change)) == []


def test_two_players_acting_between_two_pictures_are_explained() -> None:
    before = position(pawns=FOUR, faces={"S": "5", "M": "4"})
    after = do(before, "move_pawns(SS+SS+SE+SE+SE)", "move_pawns(ME+AS+AE+AN)")
    first = suggested(before, after)[0]
    between = do(before, first)
    assert do(between, suggested(between, after)[0]) == after


def test_a_pawn_that_vanished_with_a_tile_stood_on_it() -> None:
    before = position(pawns={**FOUR, "M": [3, 4]}, line=LINE, faces={"S": "a"})
    after = do(before, "move_pawns(ME)", "sink(c?0,c?4)")
    assert suggested(before, after)[0] == "arrange(M>4/4)"
    assert suggested(do(before, "arrange(M>4/4)"), after)[0] == "sink(c?0,c?4)"


def test_shorthand() -> None:
    state = position(pawns=FOUR, faces={"S": "n"})
    assert GAME.read(state, "0/0--1/1").id == "move_tile(0/0,-1/1)"
    assert GAME.read(state, "0/0 - 2/2").id == "move_tile(0/0,2/2)"
    assert GAME.read(state, "SE SN").id == "move_pawns(SE+SN)"


def test_perft() -> None:
    state = position(pawns=FOUR, line=LINE, faces={"S": "a", "M": "2"})
    assert [perft(GAME, state, depth) for depth in range(3)] == [1, 66, 742]


OPTIONS: list[tuple[dict[str, object], int]] = [
    ({}, 4),
    ({"setup": "cross", "resign": True}, 4),
    ({"setup": "diagonal", "missing_commit": "replay", "handler": "fixed"}, 3),
    ({"two_seats_each": True, "blank_optional": False}, 2),
    ({"island": "ordered", "line_side": "handler_free"}, 2),
]


@pytest.mark.parametrize(("options", "seats"), OPTIONS)
def test_every_variant_comes_to_its_end(options: dict[str, object], seats: int) -> None:
    for seed in range(3):
        state = GAME.start(options, seats)
        for before, action in walk(GAME, seed, options, seats):
            assert GAME.refusal(before, action) is None
            state = GAME.apply(before, action).state
        assert GAME.outcome(state).over
        assert len(state.sunk) < 24


@pytest.mark.parametrize(("options", "seats"), OPTIONS[1:4])
def test_laws(options: dict[str, object], seats: int) -> None:
    assert check_laws(GAME, 5, options, seats, limit=32) > 5


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 11), every=12)
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


def test_coins_that_are_not_left_cannot_show_a_line() -> None:
    refusal = wrong_line(("cS?", "c?3", "cM?"), range(24))
    assert refusal is not None
    assert refusal.text.startswith("no 3 coins that are left can show a coin of suns, a coin of value 3 and a coin of")
