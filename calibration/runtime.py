"""A profile at work: it stands behind the eyes, gives taught names and the calibrated plane, and notices a bump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.check import CalibrationState, Check, check, places, refit
from calibration.custom_set import TaughtSet, reader_now
from calibration.plane import TablePlane
from calibration.profile import Profile
from vision.detect.shape import Floats
from vision.identify.deck import Deck
from vision.nets import ModelError, open_session
from vision.piece import DetectedPiece
from vision.plane import Plane

CERTAIN_TILE = 0.5
AGREE = 2
"""So many still pictures in a row must say that the camera was bumped before it is believed."""


@dataclass(frozen=True, slots=True)
class BentPlane(Plane):
    """The plane as the eyes know it, for a lens that bends: places are exact, the homography is the ideal picture's."""

    table: TablePlane | None = None

    def to_table(self, points: Floats) -> Floats:
        assert self.table is not None
        return self.table.to_table(points) / (self.table.tile / 2)

    def to_picture(self, points: Floats) -> Floats:
        assert self.table is not None
        return self.table.to_picture(points * (self.table.tile / 2))


def for_eyes(plane: TablePlane) -> BentPlane:
    return BentPlane(plane.homography(plane.tile / 2), plane.accuracy.typical / plane.tile, plane)


@dataclass(slots=True)
class CalibrationKeeper:
    """Keeps the calibration true while a game goes on; `last` is what the last check said, `notes` what people should
    be told (and is theirs to empty)."""

    profile: Profile
    last: Check | None = None
    notes: list[str] = field(default_factory=list)
    _doubts: int = 0
    _taught: TaughtSet | None = None

    def __post_init__(self) -> None:
        self._taught = usable(self.profile.my_set, self.notes)

    @property
    def deck(self) -> Deck | None:
        return self.profile.deck

    @property
    def reader(self) -> bytes | None:
        return None if self._taught is None else self._taught.net

    def reweight(self, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
        if self._taught is None:
            return list(pieces)
        return [piece if piece.kind == "card" else self._taught.named(piece) for piece in pieces]

    def plane(self, pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None:
        """The profile's plane as far as it still holds; None where the eyes must find one by themselves."""
        known = self.profile.plane
        if known is None or not fits(known, size):
            return None
        known = replace(known, lens=known.lens.at_size(size))
        quads = good_quads(pieces)
        self.last = check(known, quads, self.profile.resting)
        if self.last.standing is CalibrationState.BUMPED:
            known = self._bumped(known, quads, self.last)
        else:
            self._doubts = 0
        self._remember(known, quads)
        return for_eyes(known)

    def _bumped(self, known: TablePlane, quads: list[Floats], found: Check) -> TablePlane:
        self._doubts += 1
        if self._doubts < AGREE:
            return known
        self._doubts = 0
        self.notes.append(found.words)
        return refit(known, quads, self.profile.resting)

    def _remember(self, known: TablePlane, quads: list[Floats]) -> None:
        """Where the tiles lie now, so that a bump after the next moves is found too."""
        if self._doubts == 0:
            resting = places(known, quads) if quads else np.zeros((0, 2))
            self.profile = replace(self.profile, plane=known, resting=resting)


def fits(plane: TablePlane, size: tuple[int, int]) -> bool:
    """Whether pictures of this size are of the same shape as those that were calibrated."""
    width, height = plane.lens.size
    return abs(size[0] / size[1] - width / height) < 0.01


def good_quads(pieces: Sequence[DetectedPiece]) -> list[Floats]:
    return [piece.outline for piece in pieces if piece.kind == "tile" and piece.certainty >= CERTAIN_TILE]


def is_outdated(taught: TaughtSet) -> bool:
    """Whether it was taught to other nets than those of this release. ModelError or KeyError where there are none."""
    return taught.reader != reader_now()


def usable(taught: TaughtSet | None, notes: list[str]) -> TaughtSet | None:
    """A set taught to other weights says nothing, nor does one whose own reader cannot be opened: better none than a
    wrong one."""
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
