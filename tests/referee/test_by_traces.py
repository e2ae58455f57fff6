"""Eyes that never see a coin on the board: the picture shows where something came, and that tells the throw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Face, Kind, Rank, Suit
from rules.referee.by_traces import told_by_traces
from rules.referee.fit import Fit, Located
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import View
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.throw import dice_beside
from rules.referee.tuning import TUNING
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.resighted import resighted
from tests.tiers import full

DASH = game("delegate_dash")
DEAL = "deal(32514,43521,35421,15432)"
THROWS = ("roll(3,5,2,2)", "roll(4,2,4,2)")
"""The second lays a coin of moons beside the first one, on one tile."""


def without_coins_on_the_board(seen: TableEvidence) -> TableEvidence:
    return resighted(seen, (s for s in seen.table.sightings if s.kind is not Kind.COIN or s.zone is not Zone.BOARD))


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


@pytest.mark.parametrize("laid", ["roll(4,2,1,2)", full("roll(1,5,1,5)")])
def test_coins_laid_otherwise_than_the_dice_show_are_not_taken_for_the_throw(laid: str) -> None:
    first, second = followed((THROWS[0], laid))
    assert first.action_id == THROWS[0]
    assert second.kind is not VerdictKind.ACCEPTED


DODGEM = game("dodgem")
COIN = next(p for p in DODGEM.layout(DODGEM.start()) if p.place == "a1" and p.piece.kind is Kind.COIN)


def doubted(cost: float, moves: tuple[str, ...], likely: float = 0.2) -> bool:
    """Whether the traces tell that these moves were made, though the eyes take a moved coin for another's and are
    surprised by so much."""
    start = after = DODGEM.start()
    for move in moves:
        after = DODGEM.advance(after, parse_action(move))
    told: Beliefs = {(COIN.piece.suit, None): likely, (Suit.MOONS, None): 1 - likely}
    seen = Located(0, Sighting(Kind.COIN, 2.0, 1.0, COIN.face, identities=told), 2.0, 1.0, None)
    moved = next(p for p in DODGEM.layout(after) if p.place == "b1" and p.piece.kind is Kind.COIN)
    still = Hypothesis((), start, Fit(30.0, traces=2), TUNING.seeking)
    actions = tuple(map(parse_action, moves))
    best = Hypothesis(actions, after, Fit(cost, odd=((moved, seen),)), TUNING.seeking, len(actions))
    view = View(ObservedTable(()), Registration(), DODGEM.layout(start))
    return told_by_traces(DODGEM, view, [best, still])


def test_each_thing_more_that_was_touched_may_be_doubted_a_little() -> None:
    one, two = ("move(a1,b1)",), ("move(a1,b1)", "move(f6,e6)")
    within, beyond = TUNING.looking.good - 0.1, TUNING.looking.good + TUNING.looking.doubted - 0.1
    assert doubted(within, one)
    assert not doubted(beyond, one)
    assert doubted(beyond, two)
    assert not doubted(beyond, two, likely=TUNING.looking.hardly / 2), "it is hardly that coin at all"


def misread(count: int) -> bool:
    """Whether the traces tell a throw of four dice of which so many coins seem to show their other side."""
    start = DASH.advance(DASH.start(), parse_action(DEAL))
    thrown = parse_action(THROWS[0])
    after = DASH.advance(start, thrown)
    before = {placed.key: placed for placed in DASH.layout(start)}
    laid = [p for p in DASH.layout(after).board if p.piece.kind is Kind.COIN and before[p.key].zone is not Zone.BOARD]
    assert len(laid) == 4
    values: Beliefs = {(None, Rank.FOUR): 1.0}
    odd = tuple(
        (p, Located(n, Sighting(Kind.COIN, p.x, p.y, Face.FRONT, identities=values), p.x, p.y, None))
        for n, p in enumerate(laid[:count])
    )
    still = Hypothesis((), start, Fit(30.0, traces=4), TUNING.seeking)
    best = Hypothesis((thrown,), after, Fit(TUNING.looking.good + 1.0, odd=odd), TUNING.seeking, 1)
    return told_by_traces(DASH, View(ObservedTable(()), Registration(), DASH.layout(start)), [best, still])


def test_one_coin_of_many_that_were_laid_may_seem_to_show_its_other_side() -> None:
    assert misread(1)
    assert not misread(2)
