"""The suit of a tile from the signs in its corners, each cropped and classified by itself: what stands on a tile covers
or tints everything else on it, but seldom the corner with its suit.

A classifier fitted to views of the lesson's tiles (multinomial logistic regression over cells of gradients and colours)
gives each corner the probability of each suit's sign or none. It need not be known which corner has the sign: a corner
without one has no influence.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from calibration.views import SetPictures, augmented, covered, plain_view, uncovered
from rules.pieces import SUITS, Suit
from vision.detect.shape import Floats
from vision.identify.heads import CROP
from vision.identify.read import Array
from vision.odds import softmax
from vision.piece import DetectedPiece
from vision.rectify import Layers

LOW, HIGH = 5, 37
"""Extent of a corner in pixels of the reader's crop: from the piece's edge to short of its middle."""
CELLS: Final = 5
"""Cells along a side of a corner."""
DIRECTIONS: Final = 8
"""Bins of gradient direction."""
GRADIENT_FLOOR: Final = 0.05
"""Added to a cell's total gradient, so that faint ones count little."""
LIGHT_FLOOR: Final = 0.05
"""Added to brightness before its logarithm is taken."""
MARGIN_PX: Final = 4
"""Margin of a corner (pixels) that is ignored where its ink is measured: the piece's edge."""
VIEWS: Final = 16
"""Views of each tile of the lesson; every other one is partly covered."""
ODDS_FLOOR: Final = 0.02
"""Added to the probability of no sign, which limits a sign's odds."""
SUIT_FLOOR: Final = 0.5
"""Added to each suit's sum of odds."""
STEPS: Final = 400
RATE: Final = 0.05
RIDGE: Final = 1e-3
"""Ridge penalty of the weights."""
NO_SIGN: Final = len(SUITS)
"""The class of a corner without a sign."""


@dataclass(frozen=True, slots=True)
class CornerSigns:
    """`weights`: a row per feature and one for the constant; a column per suit and one for no sign."""

    weights: Floats

    def votes(self, picture: Array) -> Floats:
        """Log evidence for each suit (of SUITS) in a tile's crop, relative to the mean of all suits."""
        corners = np.stack([features_of(corner_crop(picture, turn)) for turn in range(4)])
        chances = softmax((corners @ self.weights[:-1] + self.weights[-1]).astype(np.float32), 1.0)
        odds = chances[:, :NO_SIGN] / (chances[:, NO_SIGN:] + ODDS_FLOOR)
        sums = SUIT_FLOOR + odds.sum(axis=0)
        return np.asarray(np.log(sums / sums.mean()))

    def to_json(self) -> dict[str, Any]:
        return {"weights": base64.b64encode(self.weights.astype("<f4").tobytes()).decode()}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> CornerSigns:
        flat = np.frombuffer(base64.b64decode(data["weights"], validate=True), "<f4").astype(np.float64)
        if len(flat) != (FEATURES + 1) * (NO_SIGN + 1) or not np.isfinite(flat).all():
            raise ValueError("a set's signs in corners")
        return CornerSigns(flat.reshape(-1, NO_SIGN + 1))


FEATURES: Final = CELLS * CELLS * (DIRECTIONS + 3)


def corner_crop(picture: Array, turn: int) -> Array:
    """One of the four corners, turned to be the top left."""
    low, high = (round(at * len(picture) / CROP) for at in (LOW, HIGH))
    return np.ascontiguousarray(np.rot90(picture, turn)[low:high, low:high])


def features_of(part: Array) -> Floats:
    """Features of a corner: each cell's histogram of gradient directions, its brightness and colour relative to the
    median."""
    light = np.log(cv2.GaussianBlur(part, (0, 0), 0.8) + LIGHT_FLOOR)
    oriented = directions(np.asarray(light.mean(axis=2), np.float32))
    cells = pooled(np.concatenate([oriented, light], axis=2))
    rises, colours = cells[:, :, :DIRECTIONS], cells[:, :, DIRECTIONS:] - np.median(light, axis=(0, 1))
    shares = np.sqrt(rises / (rises.sum(axis=2, keepdims=True) + GRADIENT_FLOOR))
    blue, green, red = np.moveaxis(colours, 2, 0)
    tints = np.tanh(2 * np.stack([colours.mean(axis=2), blue - green, red - green], axis=2))
    return np.concatenate([shares, tints], axis=2).ravel().astype(np.float64)


def directions(light: Array) -> Array:
    """Gradient of every pixel, distributed over DIRECTIONS."""
    x, y = (cv2.Sobel(light, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    magnitude, angle = np.hypot(x, y), np.arctan2(y, x) / (2 * np.pi) * DIRECTIONS
    first = np.floor(angle)
    share, first = angle - first, first.astype(int) % DIRECTIONS
    out = np.zeros((*light.shape, DIRECTIONS), np.float32)
    row, column = np.indices(light.shape)
    out[row, column, first] = magnitude * (1 - share)
    out[row, column, (first + 1) % DIRECTIONS] = magnitude * share
    return out


def pooled(layers: Array) -> Array:
    """The layers blurred and reduced to CELLS x CELLS, so that a small shift of a sign matters little."""
    soft = cv2.GaussianBlur(layers, (0, 0), len(layers) / CELLS / 2.5)
    parts = [soft[:, :, at : at + 4] for at in range(0, soft.shape[2], 4)]
    small = [cv2.resize(np.ascontiguousarray(part), (CELLS, CELLS), interpolation=cv2.INTER_AREA) for part in parts]
    return np.concatenate([each.reshape(CELLS, CELLS, -1) for each in small], axis=2)


def ink_contrast(part: Array) -> float:
    """Mean difference of log brightness from the ground's, without the frame."""
    light = np.log(part.mean(axis=2) + LIGHT_FLOOR)[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    return float(np.abs(light - np.median(light)).mean())


def fitted_classifier(examples: Sequence[tuple[Suit, Layers, DetectedPiece]], same_set: SetPictures) -> CornerSigns:
    """Fit the classifier to tiles face up of all suits: the corner with most ink has the sign, the others have none. Of
    partly covered views only the corners without the sign are used."""
    rng, side = np.random.default_rng(7), CROP
    rows, labels = [], []
    for suit, layers, piece in examples:
        plain = plain_view(layers, piece, side, None)
        own = int(np.argmax([ink_contrast(corner_crop(plain, turn)) for turn in range(4)]))
        for index in range(VIEWS):
            view, is_open = plain_view(layers, piece, side, rng), index % 2 == 0
            view = augmented(view, "tile", same_set, rng, uncovered if is_open else covered)
            for turn in range(4):
                if turn != own or is_open:
                    rows.append(features_of(corner_crop(view, turn)))
                    labels.append(SUITS.index(suit) if turn == own else NO_SIGN)
    return CornerSigns(logistic_weights(np.array(rows), np.array(labels)))


def logistic_weights(rows: Floats, labels: np.ndarray) -> Floats:
    """Weights of a logistic regression in which all classes have equal weight, by Adam."""
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    sample_weights = 1 / np.bincount(labels, minlength=NO_SIGN + 1)[labels]
    sample_weights = (sample_weights / sample_weights.sum())[:, None]
    out = np.zeros((rows.shape[1], NO_SIGN + 1))
    mean, square = np.zeros_like(out), np.zeros_like(out)
    for step in range(1, STEPS + 1):
        gradient = (
            rows.T @ ((softmax((rows @ out).astype(np.float32), 1.0) - np.eye(NO_SIGN + 1)[labels]) * sample_weights)
            + RIDGE * out
        )
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        rate = RATE * (1 - (step - 1) / STEPS)
        out -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return out
