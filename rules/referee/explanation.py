"""Why a look was judged as it was: the explanations that were compared, their costs, and the decisions.

An `Explanation` is filled during judging, with tables and hypotheses that exist anyway. The terms of their costs are
computed only when it is read (`companion why`, `companion watch --explain`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.referee.fit import Term, TermKind
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import TableLikelihood
from rules.referee.verdict import actions_sentence
from rules.sentence import by_number


@dataclass
class Comparison:
    """One table compared with its hypotheses. `label`: which reading of the table it is."""

    label: str
    view: TableLikelihood
    found: Sequence[Hypothesis] = ()
    decisions: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        self.decisions.append(text)


@dataclass
class Explanation:
    """What one look compared and decided, in order."""

    steps: list[Comparison | str] = field(default_factory=list)

    def compare(self, label: str, view: TableLikelihood) -> Comparison:
        step = Comparison(label, view)
        self.steps.append(step)
        return step

    def note(self, text: str) -> None:
        self.steps.append(text)

    def to_json(self, game: AnyGame, count: int | None = None) -> dict[str, object]:
        return {
            "steps": [
                {"note": step} if isinstance(step, str) else _comparison_json(step, game, count) for step in self.steps
            ]
        }

    def lines(self, game: AnyGame, count: int | None = None) -> list[str]:
        out: list[str] = []
        for step in self.steps:
            out += [f"- {step}"] if isinstance(step, str) else _comparison_lines(step, game, count)
        return out


def terms_of(hypothesis: Hypothesis, view: TableLikelihood, game: AnyGame) -> list[Term]:
    """The terms of a hypothesis's cost, the largest first; they add up to `hypothesis.cost`."""
    terms: list[Term] = []
    view.fit(game.layout(hypothesis.state), terms)
    terms += [Term(TermKind.PRIOR, nats, note=note) for nats, note in hypothesis.priors if nats]
    if hypothesis.fit.unstated:
        terms.append(Term(TermKind.UNSAID, hypothesis.fit.unstated, note="shown and not named"))
    shown = [term for term in terms if term.nats >= view.tuning.explanation.min_nats]
    rest = sum(term.nats for term in terms) - sum(term.nats for term in shown)
    if len(shown) < len(terms):
        shown.append(Term(TermKind.PIECE, rest, note=f"{len(terms) - len(shown)} small ones"))
    return sorted(shown, key=lambda term: -term.nats)


def ranked(step: Comparison, count: int | None = None) -> list[Hypothesis]:
    """The cheapest hypothesis of each state, and always the one that nothing was done."""
    states: dict[Any, Hypothesis] = {}
    for hypothesis in step.found:
        states.setdefault(hypothesis.state, hypothesis)
    distinct = list(states.values())[: count or step.view.tuning.explanation.max_ranked]
    return distinct + [h for h in step.found if not h.actions and h not in distinct][:1]


def _comparison_json(step: Comparison, game: AnyGame, count: int | None) -> dict[str, object]:
    return {
        "table": step.label,
        "explanations": [
            {
                "actions": [action.id for action in hypothesis.actions],
                "text": words_of(game, hypothesis.actions),
                "nats": round(hypothesis.cost, 3),
                "terms": [term.to_json() for term in terms_of(hypothesis, step.view, game)],
            }
            for hypothesis in ranked(step, count)
        ],
        "decided": list(step.decisions),
    }


def _comparison_lines(step: Comparison, game: AnyGame, count: int | None) -> list[str]:
    out = [f"- {step.label}"]
    for rank, hypothesis in enumerate(ranked(step, count), 1):
        ids = " ".join(action.id for action in hypothesis.actions) or "nothing was done"
        out.append(f"  {rank}. {hypothesis.cost:.2f} nats  {ids}")
        out += [f"       {term}" for term in terms_of(hypothesis, step.view, game)]
    return out + [f"  > {note}" for note in step.decisions]


def words_of(game: AnyGame, actions: tuple[Action, ...]) -> str:
    return actions_sentence(game, actions).english(by_number) if actions else "nothing was done"
