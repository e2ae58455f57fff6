"""Of more than a thousand throws, which are worth comparing with the whole table."""

from __future__ import annotations

import random

import pytest

from rules.engine.action import Action
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import RANKS, Kind, Rank, Suit
from rules.referee.hypothesis import Seeker
from rules.referee.likelihood import View
from rules.referee.register import Registration
from rules.table.layout import Layout
from rules.table.observed import ObservedTable, Sighting


def doubtful(layout: Layout, rng: random.Random) -> ObservedTable:
    """Every die is seen to show what it shows, and may show anything else."""
    seen = []
    for placed in layout:
        if placed.piece.kind is Kind.DIE:
            chances: dict[tuple[Suit | None, Rank | None], float] = {
                (placed.piece.suit, rank): rng.random() for rank in RANKS
            }
            chances[placed.piece.suit, placed.piece.rank] = 3.0
            total = sum(chances.values())
            told = {identity: chance / total for identity, chance in chances.items()}
            seen.append(Sighting(Kind.DIE, placed.x, placed.y, identities=told))
    return ObservedTable(tuple(seen))


class Counting(View):
    """A table that counts how often it is asked what the dice show."""

    asked = 0

    def thrown(self, layout: Layout) -> float:
        self.asked += 1
        return super().thrown(layout)


@pytest.mark.parametrize(("name", "most"), [("delegate_dash", 40), ("zombie", 40), ("decay", 30)])
def test_the_likeliest_throws_are_found_without_trying_all(name: str, most: int) -> None:
    rules = game(name)
    turns = (
        (state, action)
        for state, action in walk(rules, 1)
        if rules.turn(state).kind is TurnKind.CHANCE and len(list(rules.legal(state))) > 20
    )
    state, thrown = next(turns)
    legal = list(rules.legal(state))
    layout = rules.layout(rules.advance(state, thrown))
    table = Counting(doubtful(layout, random.Random(3)), Registration(), layout)
    seeker = Seeker(rules, table)

    def surprise(action: Action) -> float:
        return table.thrown(rules.layout(rules.advance(state, action)))

    kept = seeker._likely_throws(seeker.still(state), legal)
    assert table.asked <= most
    least = sorted(surprise(action) for action in legal)[: len(kept)]
    assert sorted(surprise(action) for action in kept) == pytest.approx(least)
