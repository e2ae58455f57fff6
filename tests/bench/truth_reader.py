"""A table reader fed with the truth and errors of a chosen size.

It measures what follows reading (stillness, fusion, referee, debounce) without the nets; its results say nothing about
the nets.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.render.simulated import SimulatedCamera
from rules.pieces import RANKS, SUITS, Face, Kind, Pose, Size, parse_rank, parse_suit
from rules.pieces.decktet import DECKTET
from vision.frame import Frame
from vision.piece import DetectedPiece, Name
from vision.table_reader import FrameResult

TruthOf = Callable[[Frame], dict[str, Any]]

CARDS = tuple(DECKTET)


@dataclass(frozen=True, slots=True)
class Errors:
    """`place` in inches; `misread` and `miss`: chances per piece and look; `doubt`: probability given to another
    identity in a correct reading."""

    place: float = 0.03
    misread: float = 0.005
    miss: float = 0.002
    least_visible: float = 0.4
    doubt: float = 0.02


class TruthReader:
    def __init__(self, truth_of: TruthOf, seed: int = 0, errors: Errors | None = None) -> None:
        self._truth_of = truth_of
        self._rng = random.Random(seed)
        self._errors = errors or Errors()

    @classmethod
    def at(cls, camera: SimulatedCamera, seed: int = 0, errors: Errors | None = None) -> TruthReader:
        """A reader for the latest frame of a simulated camera."""

        def truth_of(_: Frame) -> dict[str, Any]:
            assert camera.shot is not None, "nothing was filmed yet"
            return camera.shot.truth()

        return cls(truth_of, seed, errors)

    def look(self, frame: Frame) -> FrameResult:
        truth = self._truth_of(frame)
        pieces = [self._detection(piece) for piece in truth["pieces"] if self._is_detected(piece)]
        return FrameResult(frame, pieces, None, 0.05 if truth["hand"] else 0.0, [], {"total": 0.0})

    def _is_detected(self, piece: dict[str, Any]) -> bool:
        shown = min(piece["visible"], piece["in_frame"]) >= self._errors.least_visible
        return bool(shown) and self._rng.random() >= self._errors.miss

    def _detection(self, piece: dict[str, Any]) -> DetectedPiece:
        x, y = (at + self._rng.gauss(0, self._errors.place) for at in piece["position_in"])
        kind, suit, value = Kind(piece["kind"]), piece["suit"], piece["value"]
        return DetectedPiece(
            kind=kind,
            center=np.array(piece["center_px"]),
            outline=np.array(piece["outline_px"]),
            certainty=0.98,
            face=Face(piece["face"]) if piece["face"] else None,
            suits=self._distribution(parse_suit(suit) if suit else None, SUITS),
            ranks=self._distribution(parse_rank(value) if value and kind is not Kind.CARD else None, RANKS),
            marks=self._distribution(value, CARDS) if kind is Kind.CARD else {},
            sizes={Size(piece["size"]): 1.0} if piece["size"] else {},
            pose=Pose(piece["pose"]) if piece["pose"] else None,
            angle=piece["angle_img_deg"],
            position=(x, y),
            table_angle=piece["angle_deg"],
        )

    def _distribution(self, truth: Name | None, names: Sequence[Name]) -> dict[Name, float]:
        if truth is None or truth not in names:
            return {}
        other = self._rng.choice([name for name in names if name != truth])
        if self._rng.random() < self._errors.misread:
            return {other: 0.6, truth: 0.4}
        return {truth: 1.0 - self._errors.doubt, other: self._errors.doubt}
