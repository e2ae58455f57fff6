"""A board that looks the same from two sides, of coins whose suits are hardly told apart, stays open until something is
done that is only legal if it lies one way."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion_api.simulated.synthetic import Noise, observe
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Kind, Suit
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable, Sighting

DODGEM = game("dodgem")
LIES = Registration(20.0, 3.0, -1.0)


def blurred(seen: Sighting, certainty: float) -> Sighting:
    """A coin that is taken for one of suns by so much, whatever it is."""
    if seen.kind is not Kind.COIN:
        return seen
    return replace(seen, identities={(Suit.SUNS, None): certainty, (Suit.CROWNS, None): 1 - certainty})


def table(state: Any, pose: Registration, certainty: float | None) -> ObservedTable:
    seen = observe(DODGEM.layout(state), pose, random.Random(3), Noise())
    if certainty is None:
        return seen
    return replace(seen, sightings=tuple(blurred(one, certainty) for one in seen.sightings))


def verdict_after(action: str, turn: float, certainty: float | None) -> tuple[Verdict, Referee]:
    """The opening is shown, and the table after something was done."""
    referee, pose = Referee(DODGEM, History.begin(DODGEM)), replace(LIES, turn=LIES.turn + turn)
    assert referee.look(TableEvidence(table(DODGEM.start(), pose, certainty))).kind is VerdictKind.SETTLED
    return referee.look(
        TableEvidence(table(DODGEM.advance(DODGEM.start(), parse_action(action)), pose, certainty))
    ), referee


@pytest.mark.parametrize("turn", [0.0, 180.0])
@pytest.mark.parametrize("certainty", [0.5, 0.55, 0.45])
def test_the_first_move_tells_how_the_board_lies(turn: float, certainty: float) -> None:
    verdict, referee = verdict_after("move(a1,b1)", turn, certainty)
    assert verdict.kind is VerdictKind.ACCEPTED
    assert verdict.action_id == "move(a1,b1)"
    assert referee.registration is not None
    assert abs((referee.registration.turn - LIES.turn - turn + 180) % 360 - 180) < 5
    assert referee.memory.turned == ()


def test_suits_that_are_told_leave_nothing_open() -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    referee.look(TableEvidence(table(DODGEM.start(), LIES, None)))
    assert referee.memory.turned == ()


def test_nobody_is_accused_while_it_is_open_whose_coins_are_whose() -> None:
    """Two coins of one side moved: legal either way it is not."""
    for certainty, kind in ((0.5, VerdictKind.IMPOSSIBLE), (None, VerdictKind.REFUSED)):
        referee = Referee(DODGEM, History.begin(DODGEM))
        referee.look(TableEvidence(table(DODGEM.start(), LIES, certainty)))
        seen = table(DODGEM.start(), LIES, certainty)
        a1 = LIES.to_table(1, 1)
        jumped = LIES.to_table(3, 3)
        moved = tuple(
            replace(one, x=jumped[0], y=jumped[1])
            if one.kind is Kind.COIN and abs(one.x - a1[0]) + abs(one.y - a1[1]) < 0.3
            else one
            for one in seen.sightings
        )
        assert referee.look(TableEvidence(replace(seen, sightings=moved))).kind is kind
