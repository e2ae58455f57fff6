"""A recording in the place of camera and eyes: the same loop that serves a table judges it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion_api.setting_up.hands import Area, with_owners
from rules.table.evidence import TableEvidence
from tests.bench.ground.recording import Deed, RecordedLook, RecordedStep, Recording
from vision.pipeline import CameraState, Moment
from vision.witness.witness import FrameEvidence

RESTS_S = {Deed.ILLEGAL: 8.0}
"""For so long a table lies still after a deed (people: an illegal act is seen by somebody before it is put right)."""
REST_S = 2.0
AGAIN_S = 0.2
"""Another look at a table at rest comes so much later (a look takes as long)."""


@dataclass(slots=True)
class Replayed:
    """Behaves as a pipeline: gives moments, hears what the referee makes of them. `number` is that of the step
    whose moment was given last."""

    recording: Recording
    number: int = -1
    ended: bool = False
    _left: Iterator[Moment] | None = None
    _asked: bool = False
    _enough: bool = False

    def step(self) -> Moment | None:
        """The next moment; None once the recording is over."""
        self._left = self._left or self.moments()
        moment = next(self._left, None)
        self.ended = moment is None
        return moment

    def moments(self) -> Iterator[Moment]:
        """Of each step the looks that a pipeline would have taken: no more once the table is understood, and the last
        one again, later, where somebody wants to be surer."""
        for number, step in enumerate(self.recording.steps):
            self.number = number
            yield from self._of(step)

    def settle(self) -> None:
        """No more looks are needed at this table."""
        self._enough = True

    def request_reread(self) -> None:
        """Somebody wants to be surer."""
        self._asked = True

    def _of(self, step: RecordedStep) -> Iterator[Moment]:
        last: Moment | None = None
        self._enough = False
        for look in step.looks:
            if self._enough and not self._asked:
                return
            self._asked = False
            last = moment_of(look, self.recording.areas, self.recording.size)
            yield last
        if last is None:
            return
        until = step.looks[0].at + (AGAIN_S if last.standalone else RESTS_S.get(step.deed, REST_S))
        while self._asked and last.at + AGAIN_S <= until + 1e-6:
            self._asked = False
            last = _later(last)
            yield last


def moment_of(look: RecordedLook, areas: Sequence[Area], size: tuple[int, int]) -> Moment:
    """The moment as it went to the referee; `areas`: whose things lie where at this table."""
    frame = look.frame()
    embeddings = [row.astype(np.float32) for row in look.embeddings]
    picture = FrameEvidence(frame, look.plane, list(zip(look.single, embeddings, strict=True)) if embeddings else ())
    seen = TableEvidence(with_owners(look.seen, areas, size), picture)
    return Moment(CameraState.LOOKED, look.at, frame, seen, None, look.steady, look.alone, look.at)


def _later(moment: Moment) -> Moment:
    assert moment.evidence is not None
    table = replace(moment.evidence.table, time=moment.evidence.table.time + AGAIN_S)
    return replace(moment, at=moment.at + AGAIN_S, evidence=replace(moment.evidence, table=table), steady=True)
