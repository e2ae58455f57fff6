"""Simulated tables are laid as hands lay them."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from companion_api.simulated.rolled_dice import RolledDice
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Kind
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Placed, Zone
from tests.bench.trials.hand_laid import HandLaid
from tests.tiers import GAMES

PLIES = 40


def tables(name: str, seed: int) -> list[Layout]:
    """What lies on the table after each action of a random game."""
    hands = HandLaid(RolledDice(random.Random(seed), 0.3))
    rules = game(name)
    found = [hands.laid(rules.layout(rules.start()))]
    for _, (state, action) in zip(range(PLIES), walk(rules, seed), strict=False):
        step = rules.apply(state, action)
        hands.throw_all(step.effects)
        found.append(hands.laid(rules.layout(step.state)))
    return found


def beside(layout: Layout) -> dict[str, Placed]:
    return {p.key: p for p in layout if p.zone is not Zone.BOARD and p.piece.kind is not Kind.DIE}


def is_crossed(placed: Placed, layout: Layout) -> bool:
    """Whether something of the board lies where this lies."""
    return any(
        max(abs(p.x - placed.x), abs(p.y - placed.y)) < half_extent(p.piece) + half_extent(placed.piece)
        for p in layout.board
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_nobody_touches_stays_where_it_lies(name: str) -> None:
    for before, after in pairwise(tables(name, 3)):
        lay, lie = beside(before), beside(after)
        for key in lay.keys() & lie.keys():
            one, other = lay[key], lie[key]
            same = (one.zone, one.seat, one.shown, one.face) == (other.zone, other.seat, other.shown, other.face)
            if same and not is_crossed(one, after):
                assert (one.x, one.y) == (other.x, other.y), key


@pytest.mark.parametrize("name", GAMES)
def test_no_die_lies_on_anything_nor_anything_on_a_die(name: str) -> None:
    for layout in tables(name, 4):
        small = [p for p in layout if p.piece.kind not in (Kind.TILE, Kind.CARD)]
        for die in (p for p in small if p.piece.kind is Kind.DIE and p.zone is not Zone.BOARD):
            for other in small:
                if other is not die:
                    apart = math.hypot(other.x - die.x, other.y - die.y)
                    assert apart > half_extent(die.piece) + half_extent(other.piece) - 0.02, (die.key, other.key)


def test_a_die_is_taken_up_where_a_tile_is_laid() -> None:
    for seed in range(8):
        for before, after in pairwise(tables("delegate_dash", seed)):
            new = {p.key for p in after.board} - {p.key for p in before.board}
            laid = [p for p in after.board if p.key in new and p.piece.kind is Kind.TILE]
            for die in (p for p in after if p.piece.kind is Kind.DIE):
                assert all(max(abs(p.x - die.x), abs(p.y - die.y)) >= half_extent(p.piece) for p in laid), die.key


def test_a_table_that_is_laid_out_anew_is_tidy() -> None:
    hands, rules = HandLaid(), game("dodgem")
    layout = rules.layout(rules.start())
    moved = hands.laid(layout)
    hands.anew()
    assert hands.laid(layout) == moved == layout
