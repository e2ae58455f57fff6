"""Photographs of people's own pieces, cut from pictures that agree with the layout.

Flat, uncovered tiles and coins are cut out as seen from above, upright in their own frame; standing pieces stay drawn.
A photograph is kept where it is large and sharp enough, and replaced by a better one.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from companion_api.change_box import table_to_picture
from rules.pieces import Kind
from rules.pieces.sizes import half_extent
from rules.referee.exposure import exposed
from rules.referee.register import Registration
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable, Sighting
from vision.frame import Picture

log = logging.getLogger("companion.photographs")

MIN_INTERVAL_S = 8.0
SIDE = {Kind.TILE: 160, Kind.COIN: 72}
MIN_PX = {Kind.TILE: 44.0, Kind.COIN: 20.0}
"""Narrower pieces look worse than drawn ones (observed)."""
MIN_SHARPNESS = 7.0
"""Mean step between neighbouring pixels of the sharpest tenth, in grey levels; less is blurred or too dark
(observed)."""
MIN_IMPROVEMENT = 1.15
MAX_DISTANCE = 0.35
MIN_VISIBLE_SHARE = 0.97
MIN_MATCHED_SHARE = 0.8
"""Share of flat pieces that must be seen where they should lie (observed: with a board believed one space aside, coins
are not)."""
MIN_PHOTOGRAPHED_SHARE = 0.7
"""Share of the board's flat pieces that need a photograph before boards are drawn with them (observed: half a board
looks like neither)."""
QUALITY = 88


def appearance_of(placed: Placed) -> str:
    """Name of the visible side: tile.suns.3.front."""
    shown = placed.shown
    rank = shown.rank.word if shown.rank is not None else "-"
    return ".".join((shown.kind.value, shown.suit.value if shown.suit else "-", rank, placed.face or "-"))


@dataclass(frozen=True, slots=True)
class Photograph:
    jpeg: bytes
    sharp: float

    @property
    def version(self) -> str:
        return sha256(self.jpeg).hexdigest()[:12]


class Photographs:
    """The photographs of one set, stored in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known = {path.stem: Photograph(path.read_bytes(), MIN_SHARPNESS) for path in folder.glob("*.jpg")}

    @property
    def known(self) -> dict[str, Photograph]:
        with self._lock:
            return dict(self._known)

    def cover(self, layout: Layout) -> bool:
        """Whether most flat pieces of this board have a photograph."""
        flat = Counter(appearance_of(placed) for placed in layout.board if placed.piece.kind in SIDE)
        photographed = sum(flat[look] for look in self.known.keys() & flat.keys())
        return photographed >= MIN_PHOTOGRAPHED_SHARE * max(1, flat.total())

    def learn(self, layout: Layout, registration: Registration, observed: ObservedTable, picture: Picture) -> int:
        """Cuts photographs from a picture that agrees with the layout; returns how many are new or better."""
        homography, found = table_to_picture(observed), 0
        if homography is None:
            return 0
        for placed, seen in _flat(layout, registration, observed):
            cut = _cut(placed, seen, registration, homography, picture)
            if cut is not None and self._keep(appearance_of(placed), cut):
                found += 1
        return found

    def _keep(self, look: str, cut: Photograph) -> bool:
        with self._lock:
            old = self._known.get(look)
            if old is not None and cut.sharp < MIN_IMPROVEMENT * old.sharp:
                return False
            self._known[look] = cut
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{look}.jpg").write_bytes(cut.jpeg)
        return True


class PhotographAlbum:
    """The photographs of every set, by the set's name or the table's; updated at intervals."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._sets: dict[str, Photographs] = {}
        self._last_learned = -MIN_INTERVAL_S

    def photographs(self, name: str) -> Photographs:
        with self._lock:
            if name not in self._sets:
                self._sets[name] = Photographs(self._folder / sha256(name.encode()).hexdigest()[:16])
            return self._sets[name]

    def learn(
        self, name: str, layout: Layout, registration: Registration | None, table: ObservedTable, image: Picture
    ) -> None:
        """Learns from a moment that agrees with the layout, at most once in MIN_INTERVAL_S."""
        if time.monotonic() - self._last_learned < MIN_INTERVAL_S:
            return
        self._last_learned = time.monotonic()
        try:
            if registration is not None:
                self.photographs(name).learn(layout, registration, table, image)
        except OSError as error:
            log.warning("a photograph of a piece could not be kept: %s", error)


def _flat(layout: Layout, registration: Registration, observed: ObservedTable) -> Iterator[tuple[Placed, Sighting]]:
    """Flat, uncovered pieces with their sightings. None where much of the board is not seen in its place: its pose is
    wrong then, and the cuts would show something else."""
    seen = [(sighting, *registration.to_board(sighting.x, sighting.y)) for sighting in observed.sightings]
    flat = [(placed, share) for placed, share in exposed(layout) if placed.piece.kind in SIDE]
    found = [(placed, share, _near(placed, seen)) for placed, share in flat]
    if sum(len(near) == 1 for _, _, near in found) < MIN_MATCHED_SHARE * len(found):
        return
    for placed, share, near in found:
        uncovered = share >= MIN_VISIBLE_SHARE and placed.lean == (0, 0) and not may_be_covered(layout.board, placed)
        if uncovered and len(near) == 1 and not _is_covered(placed, near[0], seen):
            yield placed, near[0]


def _near(placed: Placed, seen: list[tuple[Sighting, float, float]]) -> list[Sighting]:
    return [
        sighting
        for sighting, x, y in seen
        if sighting.kind is placed.piece.kind and math.hypot(x - placed.x, y - placed.y) < MAX_DISTANCE
    ]


def _is_covered(placed: Placed, own: Sighting, seen: list[tuple[Sighting, float, float]]) -> bool:
    """Whether a smaller piece is seen on it, whatever the layout says."""
    (own_xy,) = ((x, y) for sighting, x, y in seen if sighting is own)
    return placed.piece.kind is Kind.TILE and any(
        sighting.kind is not Kind.TILE and max(abs(x - own_xy[0]), abs(y - own_xy[1])) < half_extent(placed.piece)
        for sighting, x, y in seen
    )


def may_be_covered(board: tuple[Placed, ...], below: Placed) -> bool:
    """Whether a piece stands on it or so near that it may hide part of it."""
    room = half_extent(below.piece)
    return any(
        placed is not below
        and placed.piece.kind is not Kind.TILE
        and max(abs(placed.x - below.x), abs(placed.y - below.y)) < room + half_extent(placed.piece)
        for placed in board
    )


def _cut(
    placed: Placed, seen: Sighting, registration: Registration, homography: cv2.typing.MatLike, picture: Picture
) -> Photograph | None:
    """The piece from above, upright; None where it is too small, cut off or blurred."""
    half, side = half_extent(placed.piece), SIDE[placed.piece.kind]
    angle = math.radians(seen.angle if seen.angle is not None else placed.angle + registration.turn)
    c, s = math.cos(angle), math.sin(angle)
    square = (-half, half), (half, half), (half, -half), (-half, -half)  # clockwise from the north-west, as pixels are
    corners = [(seen.x + c * u - s * v, seen.y + s * u + c * v) for u, v in square]
    corners_px = cv2.perspectiveTransform(np.array([corners], dtype=np.float64), homography)[0].astype(np.float32)
    if seen.center_px is not None:  # pieces on tiles are nearer to the camera than the plane of the homography
        corners_px += np.array(seen.center_px, dtype=np.float32) - corners_px.mean(axis=0)
    height, width = picture.shape[:2]
    if not np.isfinite(corners_px).all() or (corners_px < 0).any() or (corners_px >= (width, height)).any():
        return None
    if min(float(np.linalg.norm(corners_px[i] - corners_px[i - 1])) for i in range(4)) < MIN_PX[placed.piece.kind]:
        return None
    upright_px = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    to_upright = cv2.getPerspectiveTransform(corners_px, upright_px)
    upright = cv2.warpPerspective(picture, to_upright, (side, side), flags=cv2.INTER_AREA)
    sharp = _sharpness(upright)
    encoded, jpeg = cv2.imencode(".jpg", upright, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Photograph(jpeg.tobytes(), sharp) if encoded and sharp >= MIN_SHARPNESS else None


def _sharpness(image: cv2.typing.MatLike) -> float:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steps = np.abs(np.diff(grey, axis=1)).ravel()
    return float(np.sort(steps)[-max(1, steps.size // 10) :].mean())
