"""A profile in use: it gives the table reader taught names and the calibrated plane, and detects a bump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.check import CalibrationState, Check, check, positions_of, refit
from calibration.custom_set import TaughtSet, reader_now
from calibration.plane import TablePlane
from calibration.profile import Profile
from vision.detect.shape import Floats
from vision.identify.deck import Deck
from vision.nets import ModelError, open_session
from vision.piece import DetectedPiece
from vision.plane import Plane

CERTAIN_TILE = 0.5
BUMPS_IN_A_ROW = 2
"""Consecutive still pictures that must show a bump before the plane is fitted again."""


@dataclass(frozen=True, slots=True)
class BentPlane(Plane):
    """A plane for the table reader with a distorting lens: positions are exact, the homography is undistorted."""

    table: TablePlane | None = None

    def to_table(self, points: Floats) -> Floats:
        assert self.table is not None
        return self.table.to_table(points) / (self.table.tile / 2)

    def to_picture(self, points: Floats) -> Floats:
        assert self.table is not None
        return self.table.to_picture(points * (self.table.tile / 2))


def reader_plane(plane: TablePlane) -> BentPlane:
    return BentPlane(plane.homography(plane.tile / 2), plane.accuracy.typical / plane.tile, plane)


@dataclass(slots=True)
class CalibrationKeeper:
    """Checks and refits the calibration during a game. `last`: the last check; `notes`: messages for people, which the
    caller empties."""

    profile: Profile
    last: Check | None = None
    notes: list[str] = field(default_factory=list)
    _bumps: int = 0
    _taught: TaughtSet | None = None

    def __post_init__(self) -> None:
        self._taught = usable_set(self.profile.my_set, self.notes)

    @property
    def deck(self) -> Deck | None:
        return self.profile.deck

    @property
    def reader(self) -> bytes | None:
        return None if self._taught is None else self._taught.net

    def reweight(self, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
        if self._taught is None:
            return list(pieces)
        return [piece if piece.kind == "card" else self._taught.reweighted(piece) for piece in pieces]

    def plane(self, pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None:
        """The profile's plane, refitted after a bump; None where it does not fit the picture's shape."""
        known = self.profile.plane
        if known is None or not has_same_shape(known, size):
            return None
        known = replace(known, lens=known.lens.at_size(size))
        quads = tile_outlines(pieces)
        self.last = check(known, quads, self.profile.resting)
        self._bumps = self._bumps + 1 if self.last.state is CalibrationState.BUMPED else 0
        if self._bumps >= BUMPS_IN_A_ROW:
            self._bumps = 0
            self.notes.append(self.last.words)
            known = refit(known, quads, self.profile.resting)
        if self._bumps == 0:  # so that a bump after the next moves is detected too
            resting = positions_of(known, quads) if quads else np.zeros((0, 2))
            self.profile = replace(self.profile, plane=known, resting=resting)
        return reader_plane(known)


def has_same_shape(plane: TablePlane, size: tuple[int, int]) -> bool:
    """Whether pictures of this size have the aspect ratio of the calibrated ones."""
    width, height = plane.lens.size
    return abs(size[0] / size[1] - width / height) < 0.01


def tile_outlines(pieces: Sequence[DetectedPiece]) -> list[Floats]:
    return [piece.outline for piece in pieces if piece.kind == "tile" and piece.certainty >= CERTAIN_TILE]


def is_outdated(taught: TaughtSet) -> bool:
    """Whether a set was taught with other nets than this release's. ModelError or KeyError where there are none."""
    return taught.reader != reader_now()


def usable_set(taught: TaughtSet | None, notes: list[str]) -> TaughtSet | None:
    """The set, or None if it was taught with other weights or its own reader cannot be opened; adds a note then."""
    if taught is None:
        return None
    try:
        outdated = is_outdated(taught)
    except (ModelError, KeyError):
        return None
    if outdated:
        notes.append(f"the set {taught.name!r} was taught to an older recogniser: teach it again")
        return None
    if taught.net is not None:
        try:
            open_session("reader", threads=1, instead=taught.net)
        except ModelError:
            notes.append(f"the reader tuned on the set {taught.name!r} cannot be opened: teach it again")
            return taught.other if taught.other is not None and taught.other.net is None else None
    return taught
