"""Delegate Dash on the table: what a change was, how long games are; the laws, and a game as a text."""

from __future__ import annotations

import math
import random
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from rules.engine import Action, EffectKind
from rules.engine.dice import read_dice
from rules.engine.playout import perft, play_out, walk
from rules.games.delegate_dash.chart import (
    CANDIDATES,
    NAMES,
)
from rules.games.delegate_dash.deeds.common import automatic_goals
from rules.pieces import Kind
from rules.table.change import change_between
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.delegate_dash.positions import GAME, done, position


@pytest.mark.parametrize("seed", range(2))
def test_what_was_done_is_read_off_the_table(seed: int) -> None:
    """Dice, coins, tiles and pawns tell what happened; only dice that show what they showed before tell nothing."""
    read = 0
    for state, action in walk(GAME, seed):
        change = change_between(GAME.layout(state), GAME.layout(GAME.apply(state, action).state))
        found = list(GAME.suggest(state, change))
        assert all(GAME.refusal(state, suggested) is None for suggested in found)
        if action.verb in ("deal", "reveal", "move", "stay", "surrender", "done", "take") or state.phase == "scatter":
            assert found[0] == action
            read += 1
    assert read > 50


def test_no_pawn_stands_on_another() -> None:
    """Not even where all four wait in the middle."""
    pawns = [p for p in GAME.layout(position()) if p.piece.kind is Kind.PAWN]
    assert len(pawns) == len(CANDIDATES)
    for one, other in combinations(pawns, 2):
        assert (
            math.dist((one.x, one.y), (other.x, other.y)) > 0.47
        )  # nearly as thick as a pawn, and all four fit between the tiles


def test_a_coin_is_the_same_from_the_bag_to_the_hand() -> None:
    state = position(phase="reveal", hidden={"d7": 1})
    hidden = GAME.layout(state).at("d7")[-1]
    turned = GAME.layout(done(state, "reveal(d7,5)")[0]).at("d7")[-1]
    assert hidden.key == turned.key == "arms-0"
    assert hidden.piece.rank is None
    assert turned.shown.suit is None


def test_perft() -> None:
    state = position(roll={"N": 1, "E": 1}, order=["N", "E"], stake={"d7": "50"})
    assert [perft(GAME, state, depth) for depth in range(3)] == [1, 10, 100]


def by_rule(state: Any, rng: random.Random) -> Action:
    """What a candidate without a player would do."""
    if state.phase == "move":
        candidate = state.order[0]
        goal = rng.choice(automatic_goals(state, candidate))
        name = CANDIDATES[candidate]
        stays = goal == state.pawn_at(candidate)
        return Action("stay", (name,)) if stays else Action("move", (name, NAMES[goal]))
    if state.phase == "after":
        return Action("done", (CANDIDATES[state.order[0]],))
    if state.phase == "take":
        return max(GAME.legal(state), key=lambda action: action[1] if action[1][0] == "c" else "")
    return GAME.sample(state, rng)


def test_5_8_games_are_as_long_as_reckoned() -> None:
    """About 11 to 12 throws of the four dice, mostly two candidates out or tied in the convention."""
    throws = out = 0
    for seed in range(25):
        rng, state = random.Random(seed), GAME.start(None, 4)
        while not GAME.turn(state).is_over:
            throws += state.phase == "roll"
            step = GAME.apply(state, by_rule(state, rng))
            out += sum(effect.kind is EffectKind.ELIMINATE for effect in step.effects)
            state = step.state
    assert 10 <= throws / 25 <= 13
    assert 1 <= out / 25 <= 3


def test_games_by_luck_end() -> None:
    assert all(play_out(GAME, seed, None, 1 + seed % 4).finished for seed in range(8))


@pytest.mark.parametrize(
    ("options", "seats", "limit"),
    [
        ({}, 1, 60),
        ({"surrender_limit": "once"}, 4, 40),
        (
            {"region_order": "compass", "free_pick": True, "automatic_shed": "random", "stall_limit": 3},
            2,
            400,
        ),
    ],
)
def test_laws(options: dict[str, object], seats: object, limit: int) -> None:
    assert check_laws(GAME, 7, options, seats, limit) >= 40


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 54, None, 2, limit=1000), None, 2, every=45)
    check_playthrough(Path(__file__).parent / "playthrough.txt", text)


def test_dice_show_the_throw_for_the_order_of_moves_after_they_decided_a_caucus() -> None:
    votes = rolls = 0
    for state, action in islice(walk(GAME, 412), 400):
        votes += action.verb == "dice"
        if action.verb == "roll" and votes:
            before, after = GAME.layout(state), GAME.layout(GAME.advance(state, action))
            assert [p.piece.rank for p in before if p.piece.kind is Kind.DIE] == [None] * 4, "they may lie anyhow"
            shown = [int(p.piece.rank) for p in after if p.piece.kind is Kind.DIE and p.piece.rank is not None]
            assert shown == [int(rank) for _, rank in read_dice(action[0])]
            rolls += 1
    assert rolls >= 2
