"""Redaction of verdicts and refusals for a viewer: a reason computed from the full state would reveal secrets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import SEALED
from rules.engine.refusal import Code, Refusal
from rules.referee.verdict import Choice, Verdict, VerdictKind, actions_sentence, mention, question_sentence
from rules.sentence import say

UNSEEN = say("something that you cannot see forbids it")


def redacted(game: AnyGame, state: Any, seat: int | None, action: Action | None, refusal: Refusal) -> Refusal:
    """A refusal computed from this seat's view; a generic one where only secrets forbid the action."""
    seen = game.view(state, seat)
    if seen == state:
        return refusal
    known = game.refusal(seen, action) if action is not None else None
    return known or Refusal(Code.NOT_ALLOWED, game.card.action_clause, UNSEEN)


def redact_for_log(game: AnyGame, state: Any, verdict: Verdict) -> Verdict:
    """The verdict for the log: choices, attempt and refusal redacted. Accepted actions stay, since they are logged."""
    if game.view(state, None) == state:
        return verdict
    choices = (Choice(public_actions(game, state, choice.actions), choice.chance) for choice in verdict.choices)
    attempt = public_actions(game, state, [verdict.attempt])[0] if verdict.attempt else None
    verdict = replace(verdict, choices=tuple(choices), attempt=attempt)
    if verdict.kind is VerdictKind.AMBIGUOUS:
        verdict = replace(
            verdict, sentence=question_sentence(mention(game, choice.actions[-1]) for choice in verdict.choices)
        )
    if verdict.refusal is None:
        return verdict
    refusal = redacted(game, state, None, verdict.attempt, verdict.refusal)
    return replace(verdict, refusal=refusal, sentence=refusal.sentence)


def redact_for_all(game: AnyGame, state: Any, verdict: Verdict) -> Verdict:
    """The verdict with its accepted actions redacted too, for readers outside the log."""
    seen = redact_for_log(game, state, verdict)
    actions = public_actions(game, state, seen.actions)
    if actions == seen.actions:
        return seen
    said = actions_sentence(game, actions) if seen.kind is VerdictKind.ACCEPTED else seen.sentence
    return replace(seen, actions=actions, effects=(), sentence=said)


def public_actions(game: AnyGame, state: Any, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Consecutive actions as everybody may know them."""
    known = []
    for action in actions:
        known.append(game.redact(state, action, None) or Action(SEALED, (), game.actor(state, action)))
        state = state if game.refusal(state, action) else game.advance(state, action)
    return tuple(known)
