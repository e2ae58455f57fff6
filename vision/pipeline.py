"""From a camera to still moments: waits until the table is at rest, looks once or a few times, and fuses.

    Frame -> at rest? -> long exposure -> eyes -> ObservedTable

A quiet table is not looked at again; a hand in the picture is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.camera.contract import Camera, Unhurried
from vision.exposure import LongExposure
from vision.frame import Frame
from vision.fuse import fuse
from vision.sightings import observed_table, picture_evidence
from vision.stillness import Rest, SceneState, StaticHands, Stillness
from vision.table_reader import MIN_HAND_SHARE, FrameResult, on_common_plane

LOST_S = 2.0
HELD_S = 5.0
"""No hand keeps so still: what looks like one for so long lies on the table."""
NEWS = 0.0
FUSED = 3
LOOK_AGAIN_S = 10.0
SELDOM_S = 40.0
"""A quiet table is read again after ten seconds, then after twenty, then every so many..."""
EXPOSED_S = 1.0
"""... in a picture that is exposed for so long before."""


class FrameReader(Protocol):
    """Whoever can look at a frame."""

    def look(self, frame: Frame) -> FrameResult: ...


class CameraState(StrEnum):
    """What the camera shows just now."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    LOOKED = "looked"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Moment:
    """`seen` and `look` are there when the eyes have looked. `moved_at` is when something moved for the last time.
    `alone`: a still that is a moment of its own."""

    seeing: CameraState
    at: float
    frame: Frame | None = None
    seen: TableEvidence | None = None
    look: FrameResult | None = None
    steady: bool = False
    alone: bool = False
    moved_at: float = 0.0
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def table(self) -> ObservedTable | None:
        return None if self.seen is None else self.seen.table


class Pipeline:
    """One camera, one pair of eyes. `fused` still frames are read together before a look counts as steady."""

    def __init__(self, camera: Camera, eyes: FrameReader, fused: int = FUSED) -> None:
        self.camera = camera
        self.eyes = eyes
        self._fused = fused
        self._stillness = Stillness()
        self._resting = StaticHands()
        self._exposure = LongExposure()
        self._looks: list[FrameResult] = []
        self._needed = fused
        self._last_frame_at = time.monotonic()
        self._moved_at = 0.0
        self._still_since = 0.0
        self._looked_at = 0.0
        self._asked = False
        self._again_s = LOOK_AGAIN_S

    @property
    def ended(self) -> bool:
        """Whether the camera gives no more frames."""
        return self.camera.ended

    def moments(self) -> Iterator[Moment]:
        """Until the camera ends."""
        while not self.ended:
            moment = self.step()
            if moment is not None:
                yield moment

    def step(self) -> Moment | None:
        """Take one frame in; None if it brought nothing to tell."""
        frame = self.camera.read()
        if frame is None:
            return self._silence()
        self._last_frame_at = time.monotonic()
        alone = self.camera.stills
        rest = self._stillness.feed(frame, alone)
        if rest.scene is not SceneState.STILL:
            self._begin()
        if rest.scene is SceneState.DARK:
            self._exposure.restart(frame.at)  # who knows what was done meanwhile
            return Moment(CameraState.LOST, frame.at, frame)
        if rest.scene is SceneState.MOVING:
            self._moved_at = frame.at
            self._again_s = LOOK_AGAIN_S
            self._resting.moved()
        self._calm(rest.scene is SceneState.STILL and self._is_seen)
        self._expose(frame, alone, rest)
        if rest.scene is not SceneState.STILL:
            self._still_since = frame.at
            return Moment(
                CameraState.HAND if rest.scene is SceneState.MOVING else CameraState.SETTLING, frame.at, frame
            )
        if not alone and rest.changed <= NEWS and self._is_seen and not self._wants_another(frame):
            return Moment(CameraState.WATCHING, frame.at, frame)
        return self._look(self._exposure.of(frame), alone)

    def _expose(self, frame: Frame, alone: bool, rest: Rest) -> None:
        """Since something was last seen to change; of a quiet table afresh shortly before it is read again."""
        fresh = self._looked_at + self._again_s - EXPOSED_S
        moved = rest.scene is SceneState.MOVING or (self._is_seen and rest.changed > NEWS)
        if alone or moved or self._exposure.begun_at < fresh <= frame.at:
            self._exposure.restart(frame.at)
        if not alone and rest.scene is not SceneState.MOVING:
            self._exposure.take(frame)

    def _silence(self) -> Moment | None:
        if self.camera.live and time.monotonic() - self._last_frame_at > LOST_S:
            self._last_frame_at = time.monotonic()
            self._begin()  # who knows what was done meanwhile
            self._exposure.restart(self._exposure.begun_at)
            return Moment(CameraState.LOST, 0.0)
        return None

    def _look(self, frame: Frame, alone: bool) -> Moment:
        self._asked = False
        look = self.eyes.look(frame)
        if not alone and self._is_hand(look) and frame.at - self._still_since < HELD_S:
            self._begin()
            self._moved_at = frame.at
            return Moment(CameraState.HAND, frame.at, frame, look=look)
        self._stillness.looked()
        self._looks = [look] if alone else [*self._looks[-self._fused + 1 :], look]
        looks = on_common_plane(self._looks)
        seen = TableEvidence(fuse([observed_table(one, frame.at) for one in looks]), picture_evidence(looks[-1]))
        steady = alone or len(self._looks) >= self._fused
        self._looked_at = frame.at
        return Moment(CameraState.LOOKED, frame.at, frame, seen, look, steady, alone, self._moved_at, look.timings_ms)

    def _is_hand(self, look: FrameResult) -> bool:
        """Whether a hand is in view that did not lie there, just so, before something moved."""
        share = self._resting.acting(look.hands, look.frame.image) if look.has_hand else None
        return look.has_hand if share is None else share > MIN_HAND_SHARE

    @property
    def _is_seen(self) -> bool:
        return len(self._looks) >= self._needed

    def _begin(self) -> None:
        """Another still moment."""
        self._looks.clear()
        self._needed = self._fused

    def understood(self) -> None:
        """What this still moment shows is understood without a doubt: no more looks at it are needed."""
        self._needed = min(self._needed, len(self._looks))

    def ask_again(self) -> None:
        """Somebody wants to be surer: look once more, although nothing has changed."""
        self._asked = True

    def _wants_another(self, frame: Frame) -> bool:
        """A quiet table is read again now and then, and at once when somebody asks."""
        due = frame.at - self._looked_at >= self._again_s
        if due:
            self._again_s = min(2 * self._again_s, SELDOM_S)
        return self._asked or due

    def _calm(self, quiet: bool) -> None:
        """A camera that can give fewer frames of a quiet table need not decode the others."""
        if isinstance(self.camera, Unhurried):
            self.camera.calm(quiet)
