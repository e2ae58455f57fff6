"""What the referee says, as far as a viewer may know it: a reason worked out from all secrets would tell them."""

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
    """What forbids an action, in the words of what this seat sees; where only secrets forbid it, without any facts."""
    seen = game.view(state, seat)
    if seen == state:
        return refusal
    known = game.refusal(seen, action) if action is not None else None
    return known or Refusal(Code.NOT_ALLOWED, game.card.action_clause, UNSEEN)


def public(game: AnyGame, state: Any, verdict: Verdict) -> Verdict:
    """A verdict for everybody to read. What it accepts stays as it is: that goes into the log as actions."""
    if game.view(state, None) == state:
        return verdict
    choices = (Choice(told(game, state, choice.actions), choice.chance) for choice in verdict.choices)
    attempt = told(game, state, [verdict.attempt])[0] if verdict.attempt else None
    verdict = replace(verdict, choices=tuple(choices), attempt=attempt)
    if verdict.kind is VerdictKind.AMBIGUOUS:
        verdict = replace(
            verdict, sentence=question_sentence(mention(game, choice.actions[-1]) for choice in verdict.choices)
        )
    if verdict.refusal is None:
        return verdict
    refusal = redacted(game, state, None, verdict.attempt, verdict.refusal)
    return replace(verdict, refusal=refusal, sentence=refusal.sentence)


def known_to_all(game: AnyGame, state: Any, verdict: Verdict) -> Verdict:
    """The same without what it accepts either: for whoever is told it outside the log."""
    seen = public(game, state, verdict)
    actions = told(game, state, seen.actions)
    if actions == seen.actions:
        return seen
    said = actions_sentence(game, actions) if seen.kind is VerdictKind.ACCEPTED else seen.sentence
    return replace(seen, actions=actions, effects=(), sentence=said)


def told(game: AnyGame, state: Any, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Actions one after the other, as everybody may know them."""
    known = []
    for action in actions:
        known.append(game.redact(state, action, None) or Action(SEALED, (), game.actor(state, action)))
        state = state if game.refusal(state, action) else game.advance(state, action)
    return tuple(known)
