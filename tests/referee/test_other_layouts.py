"""What an action leaves unexplained is weighed against pieces that somebody laid otherwise besides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Face, Kind
from rules.referee.dice import off_board_dice
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Zone
from rules.table.observed import Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import resighted
from tests.tiers import full

DASH = game("delegate_dash")
DEAL = "deal(32514,43521,35421,15432)"
THROWS = ("roll(A3+S5+C2+M2)", "roll(A4+S2+C4+M2)")
"""The second lays a coin of moons beside the first one, on one tile."""


def without_coins_on_the_board(seen: TableEvidence) -> TableEvidence:
    return resighted(seen, (s for s in seen.table.sightings if s.kind is not Kind.COIN or s.zone is not Zone.BOARD))


def table(state: Any, thrown: str, laid: str) -> Layout:
    """The dice as they fell, and the coins as somebody laid them."""
    dice = {placed.key: placed for placed in off_board_dice(DASH.layout(DASH.advance(state, parse_action(thrown))))}
    layout = DASH.layout(DASH.advance(state, parse_action(laid)))
    return replace(layout, pieces=tuple(dice.get(placed.key, placed) for placed in layout))


def verdicts_along(laid: tuple[str, ...] = THROWS) -> list[Verdict]:
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
    assert [verdict.action_id for verdict in verdicts_along()] == list(THROWS)


@pytest.mark.parametrize("laid", ["roll(A4+S2+C1+M2)", full("roll(A1+S5+C1+M5)")])
def test_coins_laid_otherwise_than_the_dice_show_are_not_taken_for_the_throw(laid: str) -> None:
    first, second = verdicts_along((THROWS[0], laid))
    assert first.action_id == THROWS[0]
    assert second.kind is not VerdictKind.ACCEPTED


DODGEM = game("dodgem")
MOVE = parse_action("move(a1,b1)")


def verdict_after_move(changed: Callable[[Sighting], Sighting]) -> Verdict:
    """A coin was moved as the rules allow, and of another the eyes see something else than before."""
    referee = Referee(DODGEM, History.begin(DODGEM))
    onlooker = Onlooker(8, Noise(), zones=True, picture=PictureErrors())
    referee.look(onlooker.see(DODGEM.layout(referee.history.state)))
    seen = onlooker.see(DODGEM.layout(DODGEM.advance(referee.history.state, MOVE)))
    coins = [s for s in seen.table.sightings if s.kind is Kind.COIN]
    other = max(coins, key=lambda s: s.x + s.y)
    table = resighted(seen, (changed(s) if s is other else s for s in seen.table.sightings))
    return referee.look(replace(table, picture=None))


def test_a_coin_that_seems_turned_over_does_not_hide_what_was_done() -> None:
    verdict = verdict_after_move(lambda s: replace(s, face=Face.FRONT if s.face is Face.BACK else Face.BACK))
    assert verdict.actions == (MOVE,)


def test_a_coin_that_lies_elsewhere_is_no_error_of_the_eyes() -> None:
    verdict = verdict_after_move(lambda s: replace(s, x=s.x - 2.0, y=s.y - 2.5))
    assert verdict.kind in (VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE)
