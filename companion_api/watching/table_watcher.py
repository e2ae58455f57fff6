"""The loop of everything that watches a table: frames become moments, moments become verdicts.

Pipeline -> Moment -> TableWatcher -> Judge -> Verdict

`RefereeJudge` judges with a referee alone, `SessionJudge` for a served table, whose findings are logged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from companion_api.session import Session
from rules.referee.debounce import Debounce
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.frame import Frame
from vision.pipeline import Moment


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A verdict with its moment; `latency_ms` counts from the last motion to now."""

    verdict: Verdict
    moment: Moment
    latency_ms: float


class Moments(Protocol):
    """Source of moments: a pipeline, or a recording of one."""

    @property
    def ended(self) -> bool: ...

    def step(self) -> Moment | None: ...

    def settle(self) -> None: ...

    def request_reread(self) -> None: ...


class Judge(Protocol):
    """Judges still moments of one game and updates its history."""

    @property
    def is_behind(self) -> bool:
        """Whether the history was changed by others since the last judged moment."""
        ...

    def judge(self, moment: Moment) -> Verdict | None:
        """The verdict to report; None while it is too early."""
        ...


class RefereeJudge:
    """A referee alone; `judged_s` is the thread time of the last judgement in seconds."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._debounce = Debounce(referee)
        self._judged_history = referee.history
        self.judged_s = 0.0

    @property
    def is_behind(self) -> bool:
        return self._referee.history is not self._judged_history

    def judge(self, moment: Moment) -> Verdict | None:
        if moment.evidence is None:
            return None
        start = time.thread_time()
        verdict = self._debounce.look(moment.evidence, moment.steady, moment.standalone)
        self._judged_history = self._referee.history
        self.judged_s = time.thread_time() - start
        return verdict


class SessionJudge:
    """The referee of a served table. `keep` stores a moment's picture as evidence and returns its name; `in_order` is
    called for every steady moment that agrees with the layout. `final`: no later look follows (a photo). `state_seq`:
    the moment shows the table after that event and is dropped once there is a later one."""

    def __init__(
        self,
        session: Session,
        keep: Callable[[Frame], str | None],
        in_order: Callable[[ObservedTable, Frame], None] = lambda *_: None,
        final: bool = False,
        state_seq: int | None = None,
    ) -> None:
        self._session, self._keep, self._in_order, self._state_seq = session, keep, in_order, state_seq
        self._debounce = Debounce(session.referee, final)
        self._judged_seq = session.state_seq

    @property
    def is_behind(self) -> bool:
        return self._session.state_seq != self._judged_seq

    def judge(self, moment: Moment) -> Verdict | None:
        frame = moment.frame
        if moment.evidence is None:
            return None
        judged = self._session.observe(
            moment.evidence,
            self._debounce,
            moment.steady,
            lambda: self._keep(frame) if frame is not None else None,
            moment.standalone,
            self._state_seq,
        )
        self._debounce, self._judged_seq, verdict = judged.debounce, judged.state_seq, judged.verdict
        if moment.steady and frame is not None and verdict is not None and verdict.kind in _IN_ORDER:
            self._in_order(moment.evidence.table, frame)
        return verdict


class TableWatcher:
    """`with_owners` adds the owners of sightings to the evidence."""

    def __init__(
        self, judge: Judge, with_owners: Callable[[TableEvidence, Frame], TableEvidence] = lambda evidence, _: evidence
    ) -> None:
        self._judge = judge
        self._with_owners = with_owners
        self._reported: tuple[object, ...] = ()

    def watch(self, pipeline: Moments) -> Iterator[Moment | TimedVerdict]:
        """Yields every moment until the camera ends, and after it the verdicts that are new. After a change of the
        expected layout the next look is taken at once."""
        while not pipeline.ended:
            if self._judge.is_behind:
                pipeline.request_reread()
            moment = pipeline.step()
            if moment is None:
                continue
            if moment.evidence is not None and moment.frame is not None:
                moment = replace(moment, evidence=self._with_owners(moment.evidence, moment.frame))
            yield moment
            start = time.perf_counter()
            for verdict in self.verdicts(moment):
                if verdict is None:
                    pipeline.request_reread()
                    continue
                if verdict.kind is VerdictKind.ACCEPTED:
                    pipeline.settle()
                if verdict.kind is VerdictKind.ACCEPTED or verdict.news != self._reported:
                    self._reported = verdict.news
                    waited_s = moment.at - moment.moved_at + time.perf_counter() - start
                    yield TimedVerdict(verdict, moment, 1e3 * waited_s + moment.timings_ms.get("total", 0.0))

    def verdicts(self, moment: Moment) -> Iterator[Verdict | None]:
        """Verdicts of one moment, none if it was not read. After a physical undo the same moment is judged once more:
        another action may have followed before the look."""
        if moment.evidence is None:
            return
        verdict = self._judge.judge(moment)
        yield verdict
        if verdict is not None and verdict.undone:
            yield self._judge.judge(moment)


_IN_ORDER = (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
