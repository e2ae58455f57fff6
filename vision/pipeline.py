"""From a camera to still moments: waits until the table is at rest, reads it once or a few times, and fuses the looks.

    Frame -> at rest? -> long exposure -> reader -> ObservedTable

An unchanged table is not read again at once; while a hand is in the picture the pipeline waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.camera.contract import Camera, RateControlled
from vision.frame import Frame
from vision.sightings import fuse, observed_table, picture_evidence
from vision.stillness import LongExposure, Rest, SceneState, StaticHands, Stillness
from vision.table_reader import MIN_HAND_SHARE, FrameResult, on_common_plane

LOST_S = 2.0
"""Seconds without a frame after which a live camera is lost."""
MAX_STILL_HAND_S = 5.0
"""Seconds of stillness after which a supposed hand is taken for an object: no hand keeps so still."""
UNCHANGED_SHARE = 0.0
"""Share of changed blocks up to which a frame shows the table as it was read."""
FUSED_LOOKS = 3
"""Number of looks at one still moment that are fused before it counts as steady."""
FIRST_REREAD_S = 10.0
"""Seconds after which an unchanged table is read again; the interval doubles each time..."""
MAX_REREAD_S = 40.0
"""... up to this."""
EXPOSURE_S = 1.0
"""Length of the long exposure before such a reading, in seconds."""


class FrameReader(Protocol):
    def look(self, frame: Frame) -> FrameResult: ...


class CameraState(StrEnum):
    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    LOOKED = "looked"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Moment:
    """`evidence` and `result` are set once the table has been read. `moved_at`: time of the last motion, in the
    camera's seconds. `standalone`: a still picture without a moment before it."""

    state: CameraState
    at: float
    frame: Frame | None = None
    evidence: TableEvidence | None = None
    result: FrameResult | None = None
    steady: bool = False
    standalone: bool = False
    moved_at: float = 0.0
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def table(self) -> ObservedTable | None:
        return None if self.evidence is None else self.evidence.table


class Pipeline:
    """One camera and one reader. `fused`: number of still frames that are read and fused before a moment counts as
    steady."""

    def __init__(self, camera: Camera, reader: FrameReader, fused: int = FUSED_LOOKS) -> None:
        self.camera = camera
        self.reader = reader
        self._fused = fused
        self._stillness = Stillness()
        self._static_hands = StaticHands()
        self._exposure = LongExposure()
        self._looks: list[FrameResult] = []
        self._looks_needed = fused
        self._last_frame_at = time.monotonic()
        self._moved_at = 0.0
        self._still_since = 0.0
        self._read_at = 0.0
        self._reread_requested = False
        self._reread_interval_s = FIRST_REREAD_S

    @property
    def ended(self) -> bool:
        return self.camera.ended

    def moments(self) -> Iterator[Moment]:
        while not self.ended:
            moment = self.step()
            if moment is not None:
                yield moment

    def step(self) -> Moment | None:
        """The moment of the next frame; None if there is nothing to report."""
        frame = self.camera.read()
        if frame is None:
            return self._no_frame()
        self._last_frame_at = time.monotonic()
        standalone = self.camera.stills
        rest = self._stillness.feed(frame, standalone)
        if rest.scene is not SceneState.STILL:
            self._start_moment()
        if rest.scene is SceneState.DARK:
            self._exposure.restart(frame.at)  # the table may have changed in the dark
            return Moment(CameraState.LOST, frame.at, frame)
        if rest.scene is SceneState.MOVING:
            self._moved_at = frame.at
            self._reread_interval_s = FIRST_REREAD_S
            self._static_hands.moved()
        if isinstance(self.camera, RateControlled):
            self.camera.calm(rest.scene is SceneState.STILL and self._has_enough_looks)
        self._expose(frame, standalone, rest)
        if rest.scene is not SceneState.STILL:
            self._still_since = frame.at
            state = CameraState.HAND if rest.scene is SceneState.MOVING else CameraState.SETTLING
            return Moment(state, frame.at, frame)
        is_known = not standalone and rest.changed <= UNCHANGED_SHARE and self._has_enough_looks
        if is_known and not self._is_reread_due(frame):
            return Moment(CameraState.WATCHING, frame.at, frame)
        return self._read(self._exposure.of(frame), standalone)

    def _expose(self, frame: Frame, standalone: bool, rest: Rest) -> None:
        """Add the frame to the long exposure. It restarts when something changes, and for an unchanged table shortly
        before it is read again."""
        restart_at = self._read_at + self._reread_interval_s - EXPOSURE_S
        moved = rest.scene is SceneState.MOVING or (self._has_enough_looks and rest.changed > UNCHANGED_SHARE)
        if standalone or moved or self._exposure.started_at < restart_at <= frame.at:
            self._exposure.restart(frame.at)
        if not standalone and rest.scene is not SceneState.MOVING:
            self._exposure.add(frame)

    def _no_frame(self) -> Moment | None:
        """A `LOST` moment if a live camera has given no frame for LOST_S, else None."""
        if self.camera.live and time.monotonic() - self._last_frame_at > LOST_S:
            self._last_frame_at = time.monotonic()
            self._start_moment()  # the table may have changed meanwhile
            self._exposure.restart(self._exposure.started_at)
            return Moment(CameraState.LOST, 0.0)
        return None

    def _read(self, frame: Frame, standalone: bool) -> Moment:
        self._reread_requested = False
        result = self.reader.look(frame)
        if not standalone and self._is_hand(result) and frame.at - self._still_since < MAX_STILL_HAND_S:
            self._start_moment()
            self._moved_at = frame.at
            return Moment(CameraState.HAND, frame.at, frame, result=result)
        self._stillness.mark_read()
        self._looks = [result] if standalone else [*self._looks[-self._fused + 1 :], result]
        results = on_common_plane(self._looks)
        fused = fuse([observed_table(one, frame.at) for one in results])
        evidence = TableEvidence(fused, picture_evidence(results[-1]))
        steady = standalone or len(self._looks) >= self._fused
        self._read_at = frame.at
        return Moment(
            CameraState.LOOKED, frame.at, frame, evidence, result, steady, standalone, self._moved_at, result.timings_ms
        )

    def _is_hand(self, result: FrameResult) -> bool:
        """Whether a hand is in view that did not lie at the same place before the last motion."""
        share = self._static_hands.moving_share(result.hands, result.frame.image) if result.has_hand else None
        return result.has_hand if share is None else share > MIN_HAND_SHARE

    @property
    def _has_enough_looks(self) -> bool:
        """Whether this still moment has been read as often as needed."""
        return len(self._looks) >= self._looks_needed

    def _start_moment(self) -> None:
        """Start a new still moment: forget its looks."""
        self._looks.clear()
        self._looks_needed = self._fused

    def settle(self) -> None:
        """Stop reading this still moment: the looks so far were explained without doubt."""
        self._looks_needed = min(self._looks_needed, len(self._looks))

    def request_reread(self) -> None:
        """Read the table once more although nothing has changed."""
        self._reread_requested = True

    def _is_reread_due(self, frame: Frame) -> bool:
        """Whether to read an unchanged table now: on request, and at growing intervals."""
        due = frame.at - self._read_at >= self._reread_interval_s
        if due:
            self._reread_interval_s = min(2 * self._reread_interval_s, MAX_REREAD_S)
        return self._reread_requested or due
