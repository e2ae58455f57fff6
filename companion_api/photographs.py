"""Photographs of people's own pieces, cut from pictures of a table on which everything lay as it should.

What lies flat and open to view is cut out as it looks from above, upright in its own frame: tiles and coins. What
stands is drawn as ever. A photograph is kept where it is large and sharp enough to be looked at, and a better one
takes its place.
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

from companion_api.change_box import lens_of
from rules.pieces import Kind
from rules.pieces.sizes import half_extent
from rules.referee.exposure import exposed
from rules.referee.register import Registration
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable, Sighting
from vision.frame import Picture

log = logging.getLogger("companion.photographs")

BETWEEN_S = 8.0
SIDE = {Kind.TILE: 160, Kind.COIN: 72}
LEAST_PX = {Kind.TILE: 44.0, Kind.COIN: 20.0}
"""A piece that is narrower in the picture looks worse than a drawn one (seen)."""
LEAST_SHARP = 7.0
"""The mean step between neighbouring pixels along its sharpest tenth: less is blurred or too dark (seen)."""
BETTER = 1.15
NEAR = 0.35
OPEN = 0.97
MATCHED = 0.8
"""So much of what lies flat must be seen where it should lie (seen: where a board is believed a space aside, coins are
not)."""
ENOUGH = 0.7
"""So much of what lies flat on the board must be there before boards are drawn with photographs (seen: half of a board
is neither)."""
QUALITY = 88


def appearance_of(placed: Placed) -> str:
    """What its visible side shows, as a name: tile.suns.3.front."""
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
    """Those of one table, in a folder that a restart finds again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known = {path.stem: Photograph(path.read_bytes(), LEAST_SHARP) for path in folder.glob("*.jpg")}

    @property
    def known(self) -> dict[str, Photograph]:
        with self._lock:
            return dict(self._known)

    def are_enough_for(self, layout: Layout) -> bool:
        """Whether most of what lies flat on this board has a photograph."""
        flat = Counter(appearance_of(placed) for placed in layout.board if placed.piece.kind in SIDE)
        return sum(flat[look] for look in self.known.keys() & flat.keys()) >= ENOUGH * max(1, flat.total())

    def learn(self, layout: Layout, lies: Registration, observed: ObservedTable, picture: Picture) -> int:
        """From a picture in which everything lies as the layout says; how many are new or better."""
        lens, found = lens_of(observed), 0
        if lens is None:
            return 0
        for placed, seen in _flat(layout, lies, observed):
            cut = _cut(placed, seen, lies, lens, picture)
            if cut is not None and self._keep(appearance_of(placed), cut):
                found += 1
        return found

    def _keep(self, look: str, cut: Photograph) -> bool:
        with self._lock:
            old = self._known.get(look)
            if old is not None and cut.sharp < BETTER * old.sharp:
                return False
            self._known[look] = cut
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{look}.jpg").write_bytes(cut.jpeg)
        return True


class PhotographAlbum:
    """The photographs of every set, by its name, or by that of the table it was seen on; learnt from now and then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._sets: dict[str, Photographs] = {}
        self._learnt_at = -BETWEEN_S

    def photographs(self, name: str) -> Photographs:
        with self._lock:
            if name not in self._sets:
                self._sets[name] = Photographs(self._folder / sha256(name.encode()).hexdigest()[:16])
            return self._sets[name]

    def learn(self, name: str, layout: Layout, lies: Registration | None, table: ObservedTable, image: Picture) -> None:
        """From a moment in which everything lies as it should, unless there was one just now."""
        if time.monotonic() - self._learnt_at < BETWEEN_S:
            return
        self._learnt_at = time.monotonic()
        try:
            if lies is not None:
                self.photographs(name).learn(layout, lies, table, image)
        except OSError as error:
            log.warning("a photograph of a piece could not be kept: %s", error)


def _flat(layout: Layout, lies: Registration, observed: ObservedTable) -> Iterator[tuple[Placed, Sighting]]:
    """What lies flat and open to view, with what is seen of it. Nothing where much of the board is not seen where it
    lies: then the board lies otherwise than was believed, and what is cut out would be something else."""
    seen = [(sighting, *lies.to_board(sighting.x, sighting.y)) for sighting in observed.sightings]
    board = layout.board
    flat = [(placed, share) for placed, share in exposed(layout) if placed.piece.kind in SIDE]
    found = [(placed, share, _near(placed, seen)) for placed, share in flat]
    if sum(len(near) == 1 for _, _, near in found) < MATCHED * len(found):
        return
    for placed, share, near in found:
        bare = share >= OPEN and placed.lean == (0, 0) and not carries(board, placed)
        if bare and len(near) == 1 and not _is_seen_covered(placed, near[0], seen):
            yield placed, near[0]


def _near(placed: Placed, seen: list[tuple[Sighting, float, float]]) -> list[Sighting]:
    return [
        sighting
        for sighting, x, y in seen
        if sighting.kind is placed.piece.kind and math.hypot(x - placed.x, y - placed.y) < NEAR
    ]


def _is_seen_covered(placed: Placed, own: Sighting, seen: list[tuple[Sighting, float, float]]) -> bool:
    """Whether a smaller piece is seen on it, whatever should lie there."""
    (there,) = ((x, y) for sighting, x, y in seen if sighting is own)
    return placed.piece.kind is Kind.TILE and any(
        sighting.kind is not Kind.TILE and max(abs(x - there[0]), abs(y - there[1])) < half_extent(placed.piece)
        for sighting, x, y in seen
    )


def carries(board: tuple[Placed, ...], below: Placed) -> bool:
    """Whether anything lies or stands on it, or may hide a part of it from the side."""
    room = half_extent(below.piece)
    return any(
        placed is not below
        and placed.piece.kind is not Kind.TILE
        and max(abs(placed.x - below.x), abs(placed.y - below.y)) < room + half_extent(placed.piece)
        for placed in board
    )


def _cut(
    placed: Placed, seen: Sighting, lies: Registration, lens: cv2.typing.MatLike, picture: Picture
) -> Photograph | None:
    """The piece from above, upright; None where it is too small, beyond the edge or blurred."""
    half, side = half_extent(placed.piece), SIDE[placed.piece.kind]
    angle = math.radians(seen.angle if seen.angle is not None else placed.angle + lies.turn)
    c, s = math.cos(angle), math.sin(angle)
    corners = [(seen.x + c * u - s * v, seen.y + s * u + c * v) for u, v in _corners(half)]
    there = cv2.perspectiveTransform(np.array([corners], dtype=np.float64), lens)[0].astype(np.float32)
    if seen.center_px is not None:  # what lies on tiles is nearer to the camera than the plane of the lens
        there += np.array(seen.center_px, dtype=np.float32) - there.mean(axis=0)
    height, width = picture.shape[:2]
    if (
        not np.isfinite(there).all()
        or (there < 0).any()
        or (there[:, 0] >= width).any()
        or (there[:, 1] >= height).any()
    ):
        return None
    if min(float(np.linalg.norm(there[i] - there[i - 1])) for i in range(4)) < LEAST_PX[placed.piece.kind]:
        return None
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    upright = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(there, square), (side, side), flags=cv2.INTER_AREA
    )
    sharp = _sharpness(upright)
    good, jpeg = cv2.imencode(".jpg", upright, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Photograph(jpeg.tobytes(), sharp) if good and sharp >= LEAST_SHARP else None


def _corners(half: float) -> tuple[tuple[float, float], ...]:
    """From the north-west, as a picture is written."""
    return (-half, half), (half, half), (half, -half), (-half, -half)


def _sharpness(image: cv2.typing.MatLike) -> float:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steps = np.abs(np.diff(grey, axis=1)).ravel()
    return float(np.sort(steps)[-max(1, steps.size // 10) :].mean())
