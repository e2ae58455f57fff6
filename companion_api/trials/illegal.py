"""What the referee says to staged illegal acts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from companion_api.lying_dice import LyingDice
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.referee import Referee
from rules.referee.verdict import Kind, Verdict
from companion_api.trials.legal import looks_alike
from companion_api.trials.staging import Staged, staged
from companion_api.trials.synthetic import Noise, anywhere, nudge, observe


@dataclass(frozen=True)
class Judged:
    """`expected` is the clause that the game itself cites for what was tried, where that can be said in its words."""

    staged: Staged
    result: str
    text: str
    cited: str
    expected: str
    attempt: str


def judge_staged(game: AnyGame, seed: int, noise: Noise | None = None, limit: int = 40) -> Iterator[Judged]:
    rng = random.Random(seed)
    noise = noise or Noise(misread=0.01)
    for act in staged(game, seed, limit=limit):
        board = anywhere(rng)
        referee = Referee(game, History(game, act.state))
        referee.registration = board
        dice = LyingDice(rng)
        before = observe(game.layout(act.state), board, rng, noise, dice=dice)
        referee.begin(before)
        referee.look(before)
        verdict = referee.look(observe(act.layout, nudge(board, rng), rng, noise, dice=dice))
        if verdict.kind is Kind.ACCEPTED and looks_alike(game, game.layout(referee.history.state), act.layout):
            continue  # legal after all: no staged act
        cited = verdict.refusal.clause if verdict.refusal else ""
        attempt = verdict.attempt.id if verdict.attempt else ""
        yield Judged(act, _result(verdict), verdict.text, cited, expected_clause(game, act), attempt)


def _result(verdict: Verdict) -> str:
    names = {Kind.REFUSED: "refused", Kind.IMPOSSIBLE: "please look"}
    return names.get(verdict.kind, verdict.kind.value)


def expected_clause(game: AnyGame, act: Staged) -> str:
    """The clause that the game itself cites for what was tried, where that can be said in its words."""
    if not act.source or not act.goal:
        return ""
    try:
        action = game.shorthand(act.state, f"{act.source}-{act.goal}")
    except (ValueError, LookupError):
        return ""
    refusal = game.refusal(act.state, action) if action else None
    return refusal.clause if refusal else ""
