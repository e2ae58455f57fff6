"""`python -m tests.bench synthetic`: the referee on trial, and the table of what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from rules.engine.contract import AnyGame
from tests.bench.trials.illegal import offend
from tests.bench.trials.legal import follow
from tests.bench.trials.quick import hurry
from tests.bench.trials.score import JudgedTurn, TrialScore
from tests.bench.trials.setting import Setting

PLIES = 60
MOMENTS = 80
MOST_GAMES = 400
NOTED = 12


def tried(game: AnyGame, seed: int, turns: int, illegal: int, setting: Setting) -> TrialScore:
    """So many legal turns and illegal acts, or as many as some hundred short games have."""
    score = TrialScore(game.card.id)
    for each in range(seed, seed + MOST_GAMES):
        if score.legal >= turns:
            break
        score.add(follow(game, each, setting, limit=min(PLIES, 2 * (turns - score.legal) + 4)))
    for each in count(seed):
        if score.illegal >= illegal or each >= seed + MOST_GAMES:
            break
        score.add(offend(game, each, setting, limit=MOMENTS, most=illegal - score.illegal))
        score.add(hurry(game, each, setting, most=illegal - score.quick))
    return score


def table(scores: Iterable[TrialScore]) -> Iterator[str]:
    """Markdown: a row for each game, the sum below, and what went wrong, the worst game first."""
    known = list(scores)
    total = TrialScore("all")
    for score in known:
        total.add(score)
    yield "| game | " + " | ".join(_COLUMNS) + " |"
    yield "|---" * (len(_COLUMNS) + 1) + "|"
    for score in (*known, total):
        yield f"| {score.game} | " + " | ".join(_cells(score)) + " |"
    if total.kinds:
        kinds = ", ".join(f"{kind} {count}" for kind, count in total.kinds.most_common())
        yield f"{len(total.kinds)} kinds of illegal acts: {kinds}"
    for score in sorted(known, key=lambda s: s.fine / max(1, s.legal)):
        for note in score.notes[:NOTED]:
            yield f"{score.game}: {note}"


_COLUMNS = (
    "legal turns", "right", "asked, then right", "false accusations", "amber", "wrong or silent", "scores exact",
    "face-down kept", "illegal acts", "flagged", "right clause", "three at once", "nobody can tell", "refused",
    "one look p95",
)  # fmt: skip


def _cells(score: TrialScore) -> Iterator[str]:
    yield str(score.legal)
    yield _share(score.fine, score.legal)
    yield str(score.turns[JudgedTurn.ASKED])
    yield str(score.turns[JudgedTurn.ACCUSED])
    yield str(score.turns[JudgedTurn.AMBER] + score.turns[JudgedTurn.ASKED_WRONG])
    yield str(score.astray)
    yield f"{score.exact} of {score.games}"
    yield _share(score.kept, score.hidden)
    yield str(score.illegal)
    yield _share(score.flagged, score.illegal)
    yield f"{score.right_clause} of {score.nameable}"
    yield f"{score.quick_right} of {score.quick - score.quick_untold}"
    yield str(score.quick_untold)
    yield str(score.quick_accused)
    slow = score.to_json()["seconds_p95"]
    yield f"{slow} s" if slow is not None else ""


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""
