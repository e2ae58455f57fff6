"""A verdict can be explained: the terms add up to the costs, and each decision is told with its numbers."""

from __future__ import annotations

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import game
from rules.referee.explanation import Comparison, terms_of
from rules.referee.fit import TermKind
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from rules.table.evidence import ChangedRegion, TableEvidence
from tests.bench.trials.witness import PictureErrors
from tests.referee.test_accusation import layout_after_move
from tests.referee.test_change_evidence import ModifiedEvidence, without

DODGEM = game("dodgem")
START = DODGEM.start()
LAYOUT = DODGEM.layout(START)


def referee_after_look() -> tuple[Referee, Onlooker]:
    """A Dodg'em of which the opening was seen."""
    onlooker = Onlooker(8, Noise(misread=0.0, flicker=0.0), picture=PictureErrors())
    referee = Referee(DODGEM, History.begin(DODGEM))
    assert referee.look(onlooker.see(LAYOUT)).kind is VerdictKind.SETTLED
    return referee, onlooker


def after(action: str) -> object:
    return DODGEM.advance(START, DODGEM.read(START, action))


def comparisons(referee: Referee) -> list[Comparison]:
    return [step for step in referee.explanation.steps if isinstance(step, Comparison)]


def test_the_terms_of_every_explanation_add_up_to_its_cost() -> None:
    referee, onlooker = referee_after_look()
    seen = onlooker.see(DODGEM.layout(after("a1-b1")))
    coins = [s for s in seen.table.sightings if s.kind == "coin"]
    seen = TableEvidence(without(seen, coins[0]).table, ModifiedEvidence(seen.picture, ChangedRegion(4.0, 4.0, 1.5)))
    referee.look(seen)
    (first, *_) = comparisons(referee)
    assert len(first.found) > 1
    for hypothesis in first.found:
        terms = terms_of(hypothesis, first.view, DODGEM)
        assert sum(term.nats for term in terms) == pytest.approx(hypothesis.cost)
    kinds = {term.kind for term in terms_of(first.found[0], first.view, DODGEM)}
    assert {TermKind.REGION, TermKind.PRIOR} <= kinds


def test_what_was_accepted_comes_first_and_the_decision_names_its_margin() -> None:
    referee, onlooker = referee_after_look()
    verdict = referee.look(onlooker.see(DODGEM.layout(after("a1-b1"))))
    assert verdict.kind is VerdictKind.ACCEPTED
    (first, *_) = comparisons(referee)
    assert first.found[0].actions == verdict.actions
    assert f"the next outcome is {verdict.margin:.2f} nats worse" in first.decisions
    text = "\n".join(referee.explanation.lines(DODGEM))
    assert "1. " in text
    assert "move(a1,b1)" in text
    assert "nothing was done" in text, "it is told what speaks against that nothing was done"


def test_a_refusal_names_the_rule_and_a_look_why_nobody_is_accused() -> None:
    referee, onlooker = referee_after_look()
    refused = referee.look(onlooker.see(layout_after_move("a1", "c1")))
    assert refused.refusal is not None
    assert any(refused.refusal.clause in gate for step in comparisons(referee) for gate in step.decisions)
    unpictured = Onlooker(8, Noise(misread=0.0, flicker=0.0)).see(layout_after_move("a1", "c1"))
    other = Referee(DODGEM, History.begin(DODGEM))
    coins = [s for s in unpictured.table.sightings if s.kind == "coin"]
    assert other.look(without(unpictured, *coins[:5])).kind is VerdictKind.IMPOSSIBLE
    gates = [gate for step in comparisons(other) for gate in step.decisions]
    assert any(gate.startswith("nobody is accused: ") for gate in gates)


def test_an_explanation_is_of_the_last_look_and_of_that_alone() -> None:
    referee, onlooker = referee_after_look()
    referee.look(onlooker.see(DODGEM.layout(after("a1-b1"))))
    before = referee.explanation
    assert referee.look(onlooker.see(DODGEM.layout(referee.history.state))).kind is VerdictKind.SETTLED
    assert referee.explanation is not before
    (step,) = comparisons(referee)
    assert [hypothesis.actions for hypothesis in step.found] == [()]
