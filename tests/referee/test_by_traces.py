"""Eyes that never see a coin on the board: the picture shows where something came, and that tells the throw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion_api.trials.synthetic import Noise, Onlooker
from companion_api.trials.witness import PictureErrors
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Kind
from rules.referee.referee import Referee
from rules.referee.throw import dice_beside
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.layout import Layout, Zone
from rules.table.observed import ObservedTable

DASH = game("delegate_dash")
DEAL = "deal(32514,43521,35421,15432)"
THROWS = ("roll(3,5,2,2)", "roll(4,2,4,2)")
"""The second lays a coin of moons beside the first one, on one tile."""


def without_coins_on_the_board(seen: ObservedTable) -> ObservedTable:
    return replace(
        seen, sightings=tuple(s for s in seen.sightings if s.kind is not Kind.COIN or s.zone is not Zone.BOARD)
    )


def table(state: Any, thrown: str, laid: str) -> Layout:
    """The dice as they fell, and the coins as somebody laid them."""
    dice = {placed.key: placed for placed in dice_beside(DASH.layout(DASH.advance(state, parse_action(thrown))))}
    layout = DASH.layout(DASH.advance(state, parse_action(laid)))
    return replace(layout, pieces=tuple(dice.get(placed.key, placed) for placed in layout))


def followed(laid: tuple[str, ...] = THROWS) -> list[Verdict]:
    """`laid`: by which throws coins were laid."""
    referee = Referee(DASH, History.begin(DASH).play(parse_action(DEAL)))
    onlooker = Onlooker(8, Noise(), picture=PictureErrors())
    state, verdicts = referee.history.state, list[Verdict]()
    referee.look(without_coins_on_the_board(onlooker.see(DASH.layout(state))))
    for thrown, coins in zip(THROWS, laid, strict=True):
        onlooker.throw(DASH.apply(state, parse_action(thrown)).effects)
        verdicts.append(referee.look(without_coins_on_the_board(onlooker.see(table(state, thrown, coins)))))
        state = DASH.advance(state, parse_action(thrown))
    return verdicts


def test_four_places_that_look_otherwise_tell_a_throw_of_four_dice() -> None:
    assert [verdict.action_id for verdict in followed()] == list(THROWS)


@pytest.mark.parametrize("laid", ["roll(4,2,1,2)", "roll(1,5,1,5)"])
def test_coins_laid_otherwise_than_the_dice_show_are_not_taken_for_the_throw(laid: str) -> None:
    first, second = followed((THROWS[0], laid))
    assert first.action_id == THROWS[0]
    assert second.kind is not VerdictKind.ACCEPTED
