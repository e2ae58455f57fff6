"""Follows a camera with a referee: the same for a table that is served and for `companion watch`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from rules.referee.patience import Patience
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from vision.pipeline import Moment, Pipeline, Seeing


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A verdict with the moment it was made of; `latency_ms` counts from the last motion to now."""

    verdict: Verdict
    moment: Moment
    latency_ms: float


def follow(pipeline: Pipeline, patience: Patience) -> Iterator[Moment | TimedVerdict]:
    """Every moment, and after it the verdict if there is something to tell. What has been told is not told again."""
    told: tuple[object, ...] = ()
    for moment in pipeline.moments():
        yield moment
        if moment.seeing is not Seeing.LOOKED or moment.seen is None:
            continue
        begun = time.perf_counter()
        for verdict in _verdicts(patience, moment, moment.seen):
            if verdict is None:
                pipeline.ask_again()
                continue
            if verdict.kind is VerdictKind.ACCEPTED:
                pipeline.understood()
            if verdict.kind is VerdictKind.ACCEPTED or verdict.news != told:
                told = verdict.news
                waited = moment.at - moment.moved_at + time.perf_counter() - begun
                yield TimedVerdict(verdict, moment, 1e3 * waited + moment.timings_ms.get("total", 0.0))


def _verdicts(patience: Patience, moment: Moment, seen: TableEvidence) -> Iterator[Verdict | None]:
    """Who takes something back does something else, perhaps at once: then the same table is looked at once more."""
    verdict = patience.look(seen, moment.steady, moment.alone)
    yield verdict
    if verdict is not None and verdict.undone:
        yield patience.look(seen, moment.steady, moment.alone)
