"""The one loop of everything that watches a table: frames become moments, and moments become verdicts.

    Pipeline -> Moment -> TableWatcher -> Judge -> Verdict

A judge says what a still moment means and follows it: `RefereeJudge` for a referee alone, `SessionJudge` for a served
table, where what was found is written to the log.
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
    """A verdict with the moment it was made of; `latency_ms` counts from the last motion to now."""

    verdict: Verdict
    moment: Moment
    latency_ms: float


class Moments(Protocol):
    """Where moments come from: a pipeline, or a recording of what one gave."""

    @property
    def ended(self) -> bool: ...

    def step(self) -> Moment | None: ...

    def settle(self) -> None: ...

    def request_reread(self) -> None: ...


class Judge(Protocol):
    """Judges still moments of one game and follows what they mean."""

    @property
    def is_behind(self) -> bool:
        """Whether somebody else has changed the history since the last moment was judged."""
        ...

    def judge(self, moment: Moment) -> Verdict | None:
        """What is to be told of this moment; None while it is too early to say."""
        ...


class RefereeJudge:
    """A referee by itself; `judged_s` is the thread's time that the last moment took."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._patience = Debounce(referee)
        self._left = referee.history
        self.judged_s = 0.0

    @property
    def is_behind(self) -> bool:
        return self._referee.history is not self._left

    def judge(self, moment: Moment) -> Verdict | None:
        if moment.evidence is None:
            return None
        begun = time.thread_time()
        verdict = self._patience.look(moment.evidence, moment.steady, moment.standalone)
        self._left = self._referee.history
        self.judged_s = time.thread_time() - begun
        return verdict


class SessionJudge:
    """The referee of a served table. `keep` stores the picture of a moment as evidence and gives its name; `understood`
    hears of every steady moment in which everything lay as it should. `final`: there will be no later look (a photo).
    `state_seq`: the moment shows the table as it was after that event, and says nothing once there is a later one."""

    def __init__(
        self,
        session: Session,
        keep: Callable[[Frame], str | None],
        understood: Callable[[ObservedTable, Frame], None] = lambda *_: None,
        final: bool = False,
        state_seq: int | None = None,
    ) -> None:
        self._session, self._keep, self._understood, self._state_seq = session, keep, understood, state_seq
        self._patience = Debounce(session.referee, final)
        self._left = session.state_seq

    @property
    def is_behind(self) -> bool:
        return self._session.state_seq != self._left

    def judge(self, moment: Moment) -> Verdict | None:
        frame = moment.frame
        if moment.evidence is None:
            return None
        finding = self._session.observe(
            moment.evidence,
            self._patience,
            moment.steady,
            lambda: self._keep(frame) if frame is not None else None,
            moment.standalone,
            self._state_seq,
        )
        self._patience, self._left, verdict = finding.patience, finding.state_seq, finding.verdict
        if moment.steady and frame is not None and verdict is not None and verdict.kind in _IN_ORDER:
            self._understood(moment.evidence.table, frame)
        return verdict


class TableWatcher:
    """`marked` completes what was seen with what is known of the table, such as whose things lie where."""

    def __init__(
        self, judge: Judge, marked: Callable[[TableEvidence, Frame], TableEvidence] = lambda seen, _: seen
    ) -> None:
        self._judge = judge
        self._marked = marked
        self._told: tuple[object, ...] = ()

    def watch(self, pipeline: Moments) -> Iterator[Moment | TimedVerdict]:
        """Every moment until the camera ends, and after it the verdicts that are news. After anything that changes what
        should lie there the next look is taken at once."""
        while not pipeline.ended:
            if self._judge.is_behind:
                pipeline.request_reread()
            moment = pipeline.step()
            if moment is None:
                continue
            if moment.evidence is not None and moment.frame is not None:
                moment = replace(moment, evidence=self._marked(moment.evidence, moment.frame))
            yield moment
            begun = time.perf_counter()
            for verdict in self.verdicts(moment):
                if verdict is None:
                    pipeline.request_reread()
                    continue
                if verdict.kind is VerdictKind.ACCEPTED:
                    pipeline.settle()
                if verdict.kind is VerdictKind.ACCEPTED or verdict.news != self._told:
                    self._told = verdict.news
                    waited_s = moment.at - moment.moved_at + time.perf_counter() - begun
                    yield TimedVerdict(verdict, moment, 1e3 * waited_s + moment.timings_ms.get("total", 0.0))

    def verdicts(self, moment: Moment) -> Iterator[Verdict | None]:
        """What one moment means, nothing if nobody looked at it. Who takes something back may have done something else
        before anybody looked: then the same moment is judged once more."""
        if moment.evidence is None:
            return
        verdict = self._judge.judge(moment)
        yield verdict
        if verdict is not None and verdict.undone:
            yield self._judge.judge(moment)


_IN_ORDER = (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
