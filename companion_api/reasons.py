"""Why a look was judged as it was, for the host of a table, who may play there too: nothing that is secret is in it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from companion_api.projections.choices import told, valued
from companion_api.redaction import known_to_all
from rules.engine.argument_value import sign_of
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.explanation import Comparison, Explanation, ranked, terms_of, words_of
from rules.referee.fit import Term, TermKind
from rules.referee.hypothesis import Hypothesis
from rules.referee.verdict import Verdict
from rules.table.layout import Zone

MOST = 4
"""So many looks are explained afterwards: what they compared takes memory."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """One look: the game before it, what was said of it, and what the referee compared."""

    history: History
    verdict: Verdict
    why: Explanation

    def to_json(self) -> dict[str, Any]:
        """Where something in the game is hidden, only what follows from the public view is told: that nothing was done,
        and what was said to everybody; with no count of what else was thought of, since a hand may be guessed by it."""
        game, state = self.history.game, self.history.state
        verdict = known_to_all(game, state, self.verdict)
        compared = [step for step in self.why.steps if isinstance(step, Comparison)]
        hidden = any(game.view(s, None) != s for s in (state, *(h.state for step in compared for h in step.found)))
        steps = (
            [self._public(step, verdict) for step in compared] if hidden else [self._whole(step) for step in compared]
        )
        return {
            "verdict": verdict.kind.value,
            "text": verdict.text,
            "said": valued(game, verdict.sentence.to_json()),
            "hidden": hidden,
            "comparisons": steps,
            "notes": [] if hidden else [step for step in self.why.steps if isinstance(step, str)],
        }

    def _whole(self, step: Comparison) -> dict[str, Any]:
        explanations = [self._explanation(step, hypothesis) for hypothesis in ranked(step)]
        return {"table": step.label, "explanations": explanations, "decided": list(step.decisions)}

    def _explanation(self, step: Comparison, hypothesis: Hypothesis) -> dict[str, Any]:
        game = self.history.game
        return {
            "actions": [action.id for action in hypothesis.actions],
            "acts": [told(game, action) for action in hypothesis.actions],
            "text": words_of(game, hypothesis.actions),
            "nats": round(hypothesis.cost, 2),
            "terms": [told_term(game, term) for term in terms_of(hypothesis, step.view, game)],
        }

    def _public(self, step: Comparison, verdict: Verdict) -> dict[str, Any]:
        """What was said, and that nothing was done, against the board alone as everybody may see it."""
        said = {(), verdict.actions, *(choice.actions for choice in verdict.choices)}
        states = {h.actions: h.state for h in reversed(step.found) if h.actions in said}
        told = (self._seen(step, actions, state) for actions, state in states.items())
        return {"table": step.label, "explanations": sorted(told, key=lambda one: one["nats"]), "decided": []}

    def _seen(self, step: Comparison, actions: Any, state: Any) -> dict[str, Any]:
        game = self.history.game
        terms: list[Term] = []
        step.view.fit(game.layout(game.view(state, None)), terms)
        least = step.view.tuning.explanation.min_nats
        board = [t for t in terms if t.nats >= least and t.placed is not None and t.placed.zone is Zone.BOARD]
        return {
            "actions": [action.id for action in actions],
            "acts": [told(game, action) for action in actions],
            "text": words_of(game, actions),
            "nats": round(sum(term.nats for term in board), 2),
            "terms": [told_term(game, term) for term in sorted(board, key=lambda term: -term.nats)],
        }


def told_term(game: AnyGame, term: Term) -> dict[str, Any]:
    """A part of a cost; of what lies beside the board only the kind and whose it is."""
    plain: dict[str, Any] = term.to_json()
    zone = term.placed.zone if term.placed is not None else term.seen.sighting.zone if term.seen is not None else None
    beside = term.kind is TermKind.BESIDE or zone not in (None, Zone.BOARD)
    if not beside:
        what = sign_of(plain["piece"]).to_json() if plain["piece"] else None
        where = game.place_value(plain["place"]).to_json() if plain["place"] else None
        return {**plain, "what": what, "where": where, "kind": None, "owner": None}
    lies = term.placed.piece if term.placed is not None else term.seen.sighting if term.seen is not None else None
    owner = term.placed.seat if term.placed is not None else term.seen.sighting.seat if term.seen is not None else None
    nothing = dict.fromkeys(("piece", "place", "what", "where", "seen", "at"))
    return {**plain, **nothing, "kind": lies.kind.value if lies is not None else None, "owner": owner}


class KeptReasons:
    """Those of the last events that a camera brought, by their numbers."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Reasons] = OrderedDict()

    def keep(self, seq: int, reasons: Reasons) -> None:
        self._kept[seq] = reasons
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def of(self, seq: int) -> Reasons | None:
        return self._kept.get(seq)
