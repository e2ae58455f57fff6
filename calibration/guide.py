"""Steps of the set-up wizard, a live assessment of the camera's picture with advice, and whether a picture of a lesson
is good enough to be stored automatically: sharp, well lit, pieces apart, and not stored already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import cv2
import numpy as np

from calibration import lens as lenses
from calibration import light as lights
from calibration.lens import Lens
from calibration.lesson_task import LessonError, NamedPage
from calibration.light import Advice, Light
from calibration.plane import TablePlane, plane_of
from calibration.profile import Profile
from calibration.runtime import tile_outlines
from rules.sentence import say
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult

MIN_TILES: Final = 6
MIN_TILE_PX: Final = 60.0
MIN_SHARPNESS: Final = 0.35
MAX_TILT_DEG: Final = 50.0
MAX_ERROR_MM: Final = 2.0


@dataclass(frozen=True, slots=True)
class Quality:
    tiles: int
    tile_px: float
    sharpness: float
    tilt_deg: float | None
    distance_mm: float | None
    error_mm: float | None
    light: Light
    advice: tuple[Advice, ...]

    @property
    def good(self) -> bool:
        return not self.advice

    def to_json(self) -> dict[str, Any]:
        return {
            "tiles": self.tiles,
            "tile_px": round(self.tile_px, 1),
            "sharpness": round(self.sharpness, 3),
            "tilt_deg": None if self.tilt_deg is None else round(self.tilt_deg, 1),
            "distance_mm": None if self.distance_mm is None else round(self.distance_mm),
            "error_mm": None if self.error_mm is None else round(self.error_mm, 2),
            "light": self.light.to_json(),
            "good": self.good,
            "advice": [each.to_json() for each in self.advice],
        }


@dataclass(frozen=True, slots=True)
class GuideStep:
    id: str
    title: str
    words: str
    needed: bool = True


STEPS: Final = (
    GuideStep("camera", "Place the camera", "Fix the camera so that it sees all of the table, best from above."),
    GuideStep("light", "Look at the light", "Even light, no lamp that mirrors in the pieces, no hard shadow."),
    GuideStep(
        "plane",
        "Lay tiles on the table",
        "Lay at least six tiles all over the table, apart. Without tiles: the printed sheet, or drag four corners.",
    ),
    GuideStep("lens", "Photograph the sheet", "Three to ten pictures of the printed sheet from several sides.", False),
    GuideStep("my-set", "Teach your set", "Three pictures: all tiles, all coins, all coins turned over.", False),
)


def steps_done(profile: Profile) -> dict[str, bool]:
    return {
        "camera": profile.plane is not None,
        "light": profile.plane is not None,
        "plane": profile.plane is not None and profile.plane.accuracy.typical <= MAX_ERROR_MM,
        "lens": profile.lens is not None and profile.lens.known < 0.02,
        "my-set": profile.my_set is not None,
    }


def quality(look: FrameResult, lens: Lens | None = None) -> Quality:
    image, quads = look.frame.image, tile_outlines(look.pieces)
    light = lights.judge(image, quads)
    plane = plane_of(quads, lens or lenses.assumed(look.frame.size))
    size = float(np.median([np.sqrt(shape.area(quad)) for quad in quads])) if quads else 0.0
    clear = sharpness(image, quads)
    hints = [
        *([Advice("hand", "a hand is in the picture: take it away")] if look.has_hand else []),
        *tile_advice(len(quads), size, plane),
        *camera_advice(plane, clear, size),
        *lights.advice(light),
        *error_advice(plane),
    ]
    return Quality(
        len(quads),
        size,
        clear,
        plane.tilt_deg if plane else None,
        plane.distance_mm if plane else None,
        plane.accuracy.typical if plane else None,
        light,
        tuple(hints),
    )


def sharpness(image: Picture, quads: Sequence[Floats]) -> float:
    """Slope of the steepest edges relative to the contrast: about 0.5 where an edge takes one pixel, less where it is
    blurred. Measured inside the tiles if there are any, so that the table's pattern does not matter."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    found = [part for quad in quads if (part := edge_slope(quad_box(grey, quad))) is not None]
    if not found:
        whole = edge_slope(grey)
        return whole if whole is not None else 0.0
    return float(np.median(found))


def quad_box(grey: np.ndarray, quad: Floats) -> np.ndarray:
    low = np.clip(quad.min(axis=0) - 3, 0, None).astype(int)
    high = (quad.max(axis=0) + 4).astype(int)
    return grey[low[1] : high[1], low[0] : high[0]]


def edge_slope(part: np.ndarray) -> float | None:
    """Steepest slope (99th percentile) relative to the contrast; None where there is little contrast."""
    if min(part.shape) < 8:
        return None
    step = float(np.percentile(part, 98) - np.percentile(part, 2))
    if step < 20:
        return None
    slope = np.hypot(cv2.Sobel(part, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(part, cv2.CV_32F, 0, 1, scale=1 / 8))
    return float(np.percentile(slope, 99) / step)


def tile_advice(count: int, size: float, plane: TablePlane | None) -> list[Advice]:
    if count == 0:
        return [Advice("no-tiles", "no tile is seen: lay a few face up on the table, or use the printed sheet")]
    hints = []
    if count < MIN_TILES:
        few = f"only {count} tiles are seen: lay at least {MIN_TILES}, all over the table"
        hints.append(Advice("few-tiles", few, {"count": count, "least": MIN_TILES}))
    if size < MIN_TILE_PX and plane is not None:
        nearer = round(plane.distance_mm * (1 - size / MIN_TILE_PX) / 10)
        small = f"tiles are only {size:.0f} pixels wide: lower the camera about {nearer} cm"
        hints.append(Advice("small", small, {"px": round(size), "cm": nearer}))
    return hints


def camera_advice(plane: TablePlane | None, clear: float, size: float) -> list[Advice]:
    hints = []
    if plane is not None and plane.tilt_deg > MAX_TILT_DEG:
        words = f"the camera looks at {plane.tilt_deg:.0f} degrees from above: raise it, below 45 is better"
        hints.append(Advice("angle", words, {"degrees": round(plane.tilt_deg)}))
    if clear < MIN_SHARPNESS * 0.5 and size != 0.0:
        words = "the picture is blurred: clean the lens, let it focus, fix the camera, or add light"
        hints.append(Advice("blur", words))
    return hints


def error_advice(plane: TablePlane | None) -> list[Advice]:
    if plane is None or plane.accuracy.typical <= MAX_ERROR_MM:
        return []
    words = f"places are known only to {plane.accuracy.typical:.1f} mm: lay more tiles, farther apart"
    return [Advice("error", words, {"mm": round(plane.accuracy.typical, 1)})]


# Pictures of a lesson -------------------------------------------------------------------------------------------

MIN_GAP: Final = 0.04
"""Distance, as a share of the piece's size, below which pieces may touch."""
MIN_MOVED: Final = 0.3
"""Distance, as a share of the piece's size, from all former positions at which a picture counts as another one."""
LYING: Final = ("tile", "coin", "die")
"""Kinds that must lie apart; a standing piece may cover its neighbour's foot in the picture without touching it."""


def refuse_unready(image: Picture, page: NamedPage, before: Sequence[NamedPage]) -> None:
    """LessonError where a picture is not good enough. `before`: the pictures stored for this step."""
    pieces = [each.piece for each in page.named]
    if any(is_same_layout(pieces, [each.piece for each in other.named]) for other in before):
        raise LessonError(say("this picture is taken; lay the pieces anew for the next one"))
    outlines = [piece.outline for piece in pieces]
    if sharpness(image, outlines) < MIN_SHARPNESS / 2:
        raise LessonError(say("the picture is blurred: hold the camera still, let it focus, or give it more light"))
    light = lights.judge(image, outlines)
    if light.stops > lights.MAX_DARK_STOPS or light.contrast < lights.MIN_CONTRAST:
        raise LessonError(say("the picture is too dark or too pale: it needs more light, and no lamp that mirrors"))
    if light.blown > lights.MAX_BLOWN:
        raise LessonError(say("the picture is too bright: dim the lamp, or lower the exposure"))
    if page.step.kind in LYING and any_touching(outlines):
        raise LessonError(say("some pieces touch each other: lay them apart"))


def is_same_layout(pieces: Sequence[DetectedPiece], before: Sequence[DetectedPiece]) -> bool:
    """Whether every piece lies where one lay before."""
    if len(pieces) != len(before):
        return False
    there = np.array([piece.center for piece in before])
    return all(
        np.linalg.norm(there - piece.center, axis=1).min() < MIN_MOVED * np.sqrt(shape.area(piece.outline))
        for piece in pieces
    )


def any_touching(outlines: Sequence[Floats]) -> bool:
    """Whether two pieces are nearer to each other than MIN_GAP."""
    order = sorted(outlines, key=lambda outline: float(outline[:, 0].min()))
    for place, one in enumerate(order):
        reach = MIN_GAP * float(np.sqrt(shape.area(one)))
        for other in order[place + 1 :]:
            if other[:, 0].min() > one[:, 0].max() + reach:
                break
            if min(outline_distance(one, other), outline_distance(other, one)) < reach:
                return True
    return False


def outline_distance(one: Floats, other: Floats) -> float:
    """Least distance (pixels) of one outline's corners and mid-sides from the other; negative inside."""
    ring = other.astype(np.float32).reshape(-1, 1, 2)
    middles = [(start + end) / 2 for start, end in pairwise([*one, one[0]])]
    return min(-cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in [*one, *middles])
