"""A look is a function: the same history, memory and table give the same verdict and the same memory, every time."""

from __future__ import annotations

import pytest

from companion_api.trials.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import game
from rules.referee.looking import Memory, begun, followed, look
from rules.referee.patience import Patience
from rules.referee.referee import Referee
from rules.referee.verdict import Kind

DODGEM = game("dodgem")
START = DODGEM.start()
MOVED = DODGEM.advance(START, DODGEM.read(START, "a1-b1"))


@pytest.fixture
def onlooker() -> Onlooker:
    return Onlooker(4, Noise())


def test_looking_twice_says_the_same_and_changes_nothing(onlooker: Onlooker) -> None:
    history, opening, moved = History.begin(DODGEM), *(onlooker.see(DODGEM.layout(s)) for s in (START, MOVED))
    settled, memory = look(history, begun(history, Memory(), opening), opening)
    first, second = (look(history, memory, moved) for _ in range(2))
    assert first == second
    assert (settled.kind, first[0].kind) == (Kind.SETTLED, Kind.ACCEPTED)
    assert history.entries == ()
    assert followed(history, first[0]).state == MOVED
    assert look(history, memory, opening)[0].kind is Kind.SETTLED, "what was not followed was not done"


def test_what_is_followed_elsewhere_leaves_the_history_alone(onlooker: Onlooker) -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    patience = Patience(referee)
    patience.consider(onlooker.see(DODGEM.layout(START)), steady=True)
    verdict = patience.consider(onlooker.see(DODGEM.layout(MOVED)), steady=True)
    assert verdict is not None
    assert verdict.kind is Kind.ACCEPTED
    assert referee.history.entries == ()
    referee.follow(verdict)
    assert referee.history.state == MOVED


def test_a_verdict_that_is_followed_backwards_is_an_undo(onlooker: Onlooker) -> None:
    history = History.begin(DODGEM).play(DODGEM.read(START, "a1-b1"))
    _, memory = look(history, Memory(), onlooker.see(DODGEM.layout(MOVED)))
    verdict, _ = look(history, memory, onlooker.see(DODGEM.layout(START)))
    assert verdict.undone == 1
    assert followed(history, verdict).state == START
