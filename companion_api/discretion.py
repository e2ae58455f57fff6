"""Reasons as far as a viewer may know them: a refusal worked out from everybody's secrets would tell them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.referee.verdict import Verdict

UNSEEN = "something that you cannot see forbids it"


def discreet(game: AnyGame, state: Any, seat: int | None, action: Action | None, refusal: Refusal) -> Refusal:
    """What forbids an action, in the words of what this seat sees; where only secrets forbid it, without any facts."""
    if not game.card.hidden:
        return refusal
    known = game.refusal(game.view(state, seat), action) if action is not None else None
    return known or Refusal(Code.NOT_ALLOWED, game.card.action_clause, UNSEEN)


def public(game: AnyGame, state: Any, verdict: Verdict) -> Verdict:
    """A verdict that everybody reads."""
    if verdict.refusal is None or not game.card.hidden:
        return verdict
    refusal = discreet(game, state, None, verdict.attempt, verdict.refusal)
    return replace(verdict, refusal=refusal, text=refusal.text)
