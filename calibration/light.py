"""Exposure, evenness, glare and white balance of a picture, with advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np

from calibration.sheet import SheetSeen
from vision.detect.shape import Floats
from vision.frame import Picture

COLUMNS: Final = 9
ROWS: Final = 5
WIDTH: Final = 480
BLOWN: Final = 248
"""Level of a channel (of 255) from which it is overexposed."""
GAMMA: Final = 2.2
TARGET: Final = 205.0
"""Target of the picture's 95th percentile of brightness: bright, and not overexposed."""
MAX_DARK_STOPS: Final = 0.9
"""Largest underexposure (stops)."""
MAX_BLOWN: Final = 0.05
"""Largest share of the picture that is overexposed."""
MIN_CONTRAST: Final = 0.15
"""Least contrast of the pieces' drawings."""
MAX_GLARE: Final = 0.01
MIN_SHADE: Final = 0.45
PLACES: Final = (
    ("at the top left", "at the top", "at the top right"),
    ("on the left", "in the middle", "on the right"),
    ("at the bottom left", "at the bottom", "at the bottom right"),
)


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to improve. `words` are English; pages in other languages have their own for each code, with
    `facts`."""

    code: str
    words: str
    facts: Mapping[str, float | str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "words": self.words, "facts": dict(self.facts)}


@dataclass(frozen=True, slots=True)
class Light:
    """`score`: 0 to 1. `stops`: missing exposure (negative: too much). `glare`: share of each of 5 x 9 fields that is
    overexposed in spots; `shade`: brightness of each field's table relative to the median."""

    score: float
    stops: float
    blown: float
    contrast: float
    evenness: float
    glare: Floats
    shade: Floats

    def to_json(self) -> dict[str, Any]:
        return {
            "score": round(self.score, 3),
            "stops": round(self.stops, 2),
            "blown": round(self.blown, 4),
            "contrast": round(self.contrast, 3),
            "evenness": round(self.evenness, 3),
            "glare": np.round(self.glare, 3).tolist(),
            "shade": np.round(self.shade, 3).tolist(),
        }


def judge(image: Picture, quads: Sequence[Floats] = ()) -> Light:
    """The light in one picture; with the tiles' outlines, also the contrast of their drawings."""
    scale = min(1.0, WIDTH / image.shape[1])
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    value = small.max(axis=2).astype(np.float64)
    glare = field_values(glare_mask(small).astype(np.float64), np.mean)
    shade = shading(value)
    bright = max(1.0, float(np.percentile(value, 95)))
    stops = float(np.clip(GAMMA * np.log2(TARGET / bright), -4, 4))
    blown = float((small.min(axis=2) >= BLOWN).mean())
    contrast = drawing_contrast(image, quads)
    evenness = float(np.percentile(shade, 10))
    score = exposure_score(stops, blown) * min(1.0, contrast / 0.25) * min(1.0, evenness / 0.6)
    return Light(float(np.clip(score - 4 * glare.max() * 0.25, 0, 1)), stops, blown, contrast, evenness, glare, shade)


def exposure_score(stops: float, blown: float) -> float:
    """Score of the exposure: 1 where it is right within half a stop."""
    return float(np.clip(1.25 - 0.4 * abs(stops), 0, 1) * np.clip(1.1 - 6 * blown, 0.1, 1))


def glare_mask(image: Picture) -> np.ndarray:
    """Mask of glare: overexposed spots in darker surroundings, unlike a white tablecloth."""
    least = image.min(axis=2)
    around = cv2.medianBlur(np.ascontiguousarray(image.max(axis=2)), 61)
    return np.asarray((least >= BLOWN) & (around < 228))


def field_values(values: Floats, how: Any) -> Floats:
    """One number for each field of the picture."""
    rows = np.array_split(np.arange(values.shape[0]), ROWS)
    columns = np.array_split(np.arange(values.shape[1]), COLUMNS)
    return np.array([[float(how(values[np.ix_(row, column)])) for column in columns] for row in rows])


def shading(value: Floats) -> Floats:
    """Light on each field relative to the median: linear, by the field's bright parts (80th percentile), so that a dark
    piece does not count as a shadow."""
    lit = field_values((value / 255) ** GAMMA, lambda part: np.percentile(part, 80))
    return lit / max(float(np.median(lit)), 1e-6)


def drawing_contrast(image: Picture, quads: Sequence[Floats]) -> float:
    """Contrast of ink and body of the tiles, 0 to 1 (median)."""
    if not quads:
        return 0.25
    contrasts = []
    for quad in quads:
        low = np.clip(quad.min(axis=0), 0, None).astype(int)
        high = quad.max(axis=0).astype(int)
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            dark, bright = np.percentile(part, (3, 97), axis=(0, 1))
            contrasts.append(float((bright - dark).max()) / 255)
    return float(np.median(contrasts)) if contrasts else 0.25


def position_text(field: tuple[float, float]) -> str:
    row, column = field
    return PLACES[min(2, int(row * 3 / ROWS))][min(2, int(column * 3 / COLUMNS))]


def advice(light: Light) -> list[Advice]:
    """Advice on the light, the worst first."""
    found = []
    if light.stops > MAX_DARK_STOPS:
        more = round(light.stops)
        words = f"too dark: more light on the table, or raise the exposure by {more} stop{'s' if more > 1 else ''}"
        found.append(Advice("dark", words, {"stops": more}))
    if light.stops < -0.35 or light.blown > MAX_BLOWN:
        less = max(1, round(-light.stops))
        words = f"too bright: lower the exposure by {less} stop{'s' if less > 1 else ''}, or dim the lamp"
        found.append(Advice("bright", words, {"stops": less}))
    worst = np.unravel_index(int(np.argmax(light.glare)), light.glare.shape)
    if light.glare[worst] > MAX_GLARE:
        place = position_text((int(worst[0]), int(worst[1])))
        found.append(
            Advice("mirror", f"the lamp mirrors {place}: move the lamp or the camera to the side", {"where": place})
        )
    dark = np.argwhere(light.shade < MIN_SHADE)
    if len(dark) and light.evenness < MIN_SHADE:
        row, column = dark.mean(axis=0)
        place = position_text((row, column))
        found.append(
            Advice("shadow", f"a shadow lies {place}: a second lamp from the other side helps", {"where": place})
        )
    if light.contrast < MIN_CONTRAST:
        words = "the drawings hardly stand out: more light, and nothing that mirrors on the pieces"
        found.append(Advice("flat", words))
    return found


def white_from_sheet(image: Picture, sheet: SheetSeen) -> tuple[float, float, float]:
    """White balance factors (blue, green, red) from the sheet's paper: the brightest fifth inside its corners."""
    hull = cv2.convexHull(sheet.seen.astype(np.float32)).astype(np.int32)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, hull, 1)
    inside = image[mask > 0].astype(np.float64)
    paper = inside[inside.sum(axis=1) >= np.percentile(inside.sum(axis=1), 80)]
    return grey_factors(np.median(paper, axis=0))


def grey_factors(colour: Floats) -> tuple[float, float, float]:
    """Factors that make this colour grey at the same brightness."""
    safe = np.maximum(colour, 1e-3)
    return bgr(np.clip(safe.mean() / safe, 0.3, 3.0))


def bgr(values: Iterable[Any]) -> tuple[float, float, float]:
    """Three values (blue, green, red) as a tuple of floats; ValueError where there are more or fewer."""
    blue, green, red = (float(value) for value in values)
    return blue, green, red


def corrected(image: Picture, white: tuple[float, float, float]) -> Picture:
    return np.clip(image * np.array(white, np.float32), 0, 255).astype(np.uint8)
