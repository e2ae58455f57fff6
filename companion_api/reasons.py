"""Explanation of a verdict for the host, who may play there too: it contains nothing secret."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion_api.projections.choices import action_json, with_values
from companion_api.redaction import redact_for_all
from rules.engine.action import Action
from rules.engine.argument_value import sign_of
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.explanation import Comparison, Explanation, ranked, terms_of, words_of
from rules.referee.fit import Term, TermKind
from rules.referee.verdict import Verdict
from rules.table.layout import Placed, Zone


@dataclass(frozen=True, slots=True)
class Reasons:
    """One look: the history before it, its verdict and the referee's comparisons."""

    history: History
    verdict: Verdict
    why: Explanation

    def to_json(self) -> dict[str, Any]:
        """Where the game hides something, only what follows from the public view: the costs of no action and of the
        announced actions, without the number of other hypotheses, which would hint at a hand."""
        game, state = self.history.game, self.history.state
        verdict = redact_for_all(game, state, self.verdict)
        compared = [step for step in self.why.steps if isinstance(step, Comparison)]
        hidden = any(game.view(s, None) != s for s in (state, *(h.state for step in compared for h in step.found)))
        return {
            "verdict": verdict.kind.value,
            "text": verdict.text,
            "said": with_values(game, verdict.sentence.to_json()),
            "hidden": hidden,
            "comparisons": [self._public(step, verdict) if hidden else self._full(step) for step in compared],
            "notes": [] if hidden else [step for step in self.why.steps if isinstance(step, str)],
        }

    def _full(self, step: Comparison) -> dict[str, Any]:
        game = self.history.game
        explanations = [self._explanation(h.actions, h.cost, terms_of(h, step.view, game)) for h in ranked(step)]
        return {"table": step.label, "explanations": explanations, "decided": list(step.decisions)}

    def _explanation(self, actions: tuple[Action, ...], nats: float, terms: Iterable[Term]) -> dict[str, Any]:
        game = self.history.game
        return {
            "actions": [action.id for action in actions],
            "acts": [action_json(game, action) for action in actions],
            "text": words_of(game, actions),
            "nats": round(nats, 2),
            "terms": [term_json(game, term) for term in terms],
        }

    def _public(self, step: Comparison, verdict: Verdict) -> dict[str, Any]:
        """Costs of the announced actions and of no action, against the public board."""
        said = {(), verdict.actions, *(choice.actions for choice in verdict.choices)}
        states = {h.actions: h.state for h in reversed(step.found) if h.actions in said}
        explanations = (self._public_explanation(step, actions, state) for actions, state in states.items())
        return {"table": step.label, "explanations": sorted(explanations, key=lambda one: one["nats"]), "decided": []}

    def _public_explanation(self, step: Comparison, actions: Any, state: Any) -> dict[str, Any]:
        game = self.history.game
        terms: list[Term] = []
        step.view.fit(game.layout(game.view(state, None)), terms)
        min_nats = step.view.tuning.explanation.min_nats
        board = [t for t in terms if t.nats >= min_nats and t.placed is not None and t.placed.zone is Zone.BOARD]
        return self._explanation(actions, sum(term.nats for term in board), sorted(board, key=lambda term: -term.nats))


def term_json(game: AnyGame, term: Term) -> dict[str, Any]:
    """A term of a cost; of off-board pieces only kind and owner."""
    plain: dict[str, Any] = term.to_json()
    lies = term.placed if term.placed is not None else term.seen.sighting if term.seen is not None else None
    if term.kind is not TermKind.BESIDE and (lies is None or lies.zone in (None, Zone.BOARD)):
        what = sign_of(plain["piece"]).to_json() if plain["piece"] else None
        where = game.place_value(plain["place"]).to_json() if plain["place"] else None
        return {**plain, "what": what, "where": where, "kind": None, "owner": None}
    piece = lies.piece if isinstance(lies, Placed) else lies
    nothing = dict.fromkeys(("piece", "place", "what", "where", "seen", "at"))
    kind, owner = (piece.kind.value, lies.seat) if piece is not None and lies is not None else (None, None)
    return {**plain, **nothing, "kind": kind, "owner": owner}
