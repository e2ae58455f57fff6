"""Which card lies there: compared with a gallery of card faces, given as pictures or taught with the camera.

A card is told by its drawing. The drawing is cut into cells, and each cell is described by the directions of its
edges, whatever their strength; so lamp, colour and camera hardly matter, and a card that is partly covered is told by
the cells that can still be seen. No training: a new deck is a folder of pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.shape import Floats
from vision.frame import Picture
from vision.rectify import Layers

Array = NDArray[np.float32]

WIDE: Final = 80
HIGH: Final = 112
CELL: Final = 8
BINS: Final = 8
ROWS: Final = HIGH // CELL
COLUMNS: Final = WIDE // CELL
LENGTH: Final = ROWS * COLUMNS * BINS
FAINT: Final = 0.25
"""A cell with less than this share of the usual edges says nothing."""
SEEN_SHARE: Final = 0.55
"""The best share of the cells decides: the rest may be covered."""
SHARPNESS: Final = 70.0
UNKNOWN: Final = 0.45
"""The likeness that a card of another deck, or a back, may well have with one of the gallery."""


def upright_quad(corners: Floats) -> Floats:
    """The four corners, begun so that the first side is a short one."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.roll(corners, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else corners


def picture_of(layers: Layers, corners: Floats) -> Picture:
    """The card's face, upright or upside down."""
    quad = upright_quad(corners)
    inner = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), inner).astype(np.float64)
    scale = WIDE / max(float(np.linalg.norm(quad[1] - quad[0])), 1.0)
    image, level = layers.fitting(scale, matrix)
    return np.asarray(cv2.warpPerspective(image, level, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def descriptor(face: Picture) -> Array:
    """The directions of the edges in every cell (cells x directions), each as a unit vector times how much it says."""
    face = np.asarray(cv2.resize(face, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.GaussianBlur(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength, angle = cv2.cartToPolar(across, down)
    place = (angle / np.pi * BINS) % BINS
    low = np.floor(place).astype(int)
    share = place - low
    cells = np.zeros((ROWS, COLUMNS, BINS), np.float32)
    for one, weight in ((low % BINS, 1 - share), ((low + 1) % BINS, share)):
        for direction in range(BINS):
            layer = np.where(one == direction, weight * strength, 0).astype(np.float32)
            cells[..., direction] += cv2.resize(layer, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    flat = cells.reshape(-1, BINS)
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    usual = float(np.median(length)) + 1e-6
    return np.asarray(flat / (length + FAINT * usual), np.float32)


def turned(description: Array) -> Array:
    """The same face upside down."""
    return np.ascontiguousarray(description.reshape(ROWS, COLUMNS, BINS)[::-1, ::-1].reshape(-1, BINS))


@dataclass(frozen=True, slots=True)
class Gallery:
    """Descriptions of known faces, by mark."""

    marks: tuple[str, ...]
    faces: Array
    """marks x cells x directions"""

    @staticmethod
    def of(pictures: Mapping[str, Picture]) -> Gallery:
        faces = np.stack([descriptor(picture) for picture in pictures.values()])
        return Gallery(tuple(pictures), faces)

    def chances(self, embedding: Array) -> tuple[dict[str, float], bool]:
        """(chance of every mark, whether the card lies upside down); what is like none has no likely mark."""
        shown = embedding.reshape(-1, BINS)
        up, down = self._likeness(shown), self._likeness(turned(shown))
        likeness = np.maximum(up, down)
        weights = np.exp(SHARPNESS * (np.append(likeness, UNKNOWN) - likeness.max()))
        chances = weights / weights.sum()
        best = int(np.argmax(likeness))
        return dict(zip(self.marks, chances[:-1].tolist(), strict=True)), bool(down[best] > up[best])

    def _likeness(self, shown: Array) -> Floats:
        """Mean likeness of the cells that fit best."""
        each = np.einsum("cb,mcb->mc", shown, self.faces)
        count = int(SEEN_SHARE * each.shape[1])
        return np.asarray(np.sort(each, axis=1)[:, -count:].mean(axis=1), dtype=np.float64)
