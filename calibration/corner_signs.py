"""The suit of a tile by the signs in its corners, each cut and told by itself: what stands on a tile covers or tints
everything else that it shows, but seldom the corner where its suit is.

Of every corner it is told which suit's sign is there, or none, by a line fitted to views of the lesson's tiles
(multinomial logistic regression over cells of its gradients and colours). It need not be known which corner has the
sign: what looks like none says nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from calibration.views import SetPictures, elsewhere, plain_view, uncovered, under_its_own
from rules.pieces import SUITS, Suit
from vision.detect.shape import Floats
from vision.identify.heads import CROP
from vision.identify.read import Array
from vision.odds import softmax
from vision.piece import DetectedPiece
from vision.rectify import Layers

LOW, HIGH = 5, 37
"""Where a corner begins and ends, in pixels of the reader's picture: on the piece's edge, and short of its middle."""
CELLS: Final = 5
"""To a side of a corner."""
WAYS: Final = 8
"""Directions that brightness may rise in."""
FAINT: Final = 0.05
"""Less than so much gradient in a cell is none."""
DARK: Final = 0.05
"""Added to all light before its logarithm is taken."""
FRAME: Final = 4
"""Pixels of a corner that are not looked at where its ink is measured: the piece's edge."""
VIEWS: Final = 16
"""Of every tile of the lesson; on every other one something lies."""
ODDS: Final = 0.02
"""A sign is never more than this much likelier than none..."""
UNKNOWN: Final = 0.5
"""... and so much is said for each suit in any case."""
STEPS: Final = 400
RATE: Final = 0.05
HELD: Final = 1e-3
"""How much the line is held back (ridge)."""
NOTHING: Final = len(SUITS)
"""The class of a corner without a sign."""


@dataclass(frozen=True, slots=True)
class CornerSigns:
    """`weights` has a row per number of a corner and one for the constant; a column per suit, and one for no sign."""

    weights: Floats

    def votes(self, picture: Array) -> Floats:
        """What speaks for each suit (of SUITS) in a tile's picture, in logarithms; of all suits together nothing."""
        corners = np.stack([numbers_of(corner(picture, turn)) for turn in range(4)])
        chances = softmax((corners @ self.weights[:-1] + self.weights[-1]).astype(np.float32), 1.0)
        odds = chances[:, :NOTHING] / (chances[:, NOTHING:] + ODDS)
        said = UNKNOWN + odds.sum(axis=0)
        out: Floats = np.log(said / said.mean())
        return out

    def to_json(self) -> dict[str, Any]:
        return {"weights": base64.b64encode(self.weights.astype("<f4").tobytes()).decode()}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> CornerSigns:
        flat = np.frombuffer(base64.b64decode(data["weights"], validate=True), "<f4").astype(np.float64)
        if len(flat) != (NUMBERS + 1) * (NOTHING + 1) or not np.isfinite(flat).all():
            raise ValueError("a set's signs in corners")
        return CornerSigns(flat.reshape(-1, NOTHING + 1))


NUMBERS: Final = CELLS * CELLS * (WAYS + 3)


def corner(picture: Array, turn: int) -> Array:
    """One of the four, turned to be the top left (from nought to one)."""
    low, high = (round(at * len(picture) / CROP) for at in (LOW, HIGH))
    return np.ascontiguousarray(np.rot90(picture, turn)[low:high, low:high])


def numbers_of(part: Array) -> Floats:
    """Of every cell where brightness rises to, as shares, and its brightness and colour against the usual one."""
    light = np.log(cv2.GaussianBlur(part, (0, 0), 0.8) + DARK)
    rising = directions(np.asarray(light.mean(axis=2), np.float32))
    cells = pooled(np.concatenate([rising, light], axis=2))
    rises, colours = cells[:, :, :WAYS], cells[:, :, WAYS:] - np.median(light, axis=(0, 1))
    shares = np.sqrt(rises / (rises.sum(axis=2, keepdims=True) + FAINT))
    blue, green, red = np.moveaxis(colours, 2, 0)
    tints = np.tanh(2 * np.stack([colours.mean(axis=2), blue - green, red - green], axis=2))
    out: Floats = np.concatenate([shares, tints], axis=2).ravel().astype(np.float64)
    return out


def directions(light: Array) -> Array:
    """Of every pixel how much brightness rises in each of WAYS directions."""
    x, y = (cv2.Sobel(light, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    steep, way = np.hypot(x, y), np.arctan2(y, x) / (2 * np.pi) * WAYS
    first = np.floor(way)
    share, first = way - first, first.astype(int) % WAYS
    out = np.zeros((*light.shape, WAYS), np.float32)
    row, column = np.indices(light.shape)
    out[row, column, first] = steep * (1 - share)
    out[row, column, (first + 1) % WAYS] = steep * share
    return out


def pooled(layers: Array) -> Array:
    """CELLS x CELLS of what was soft before: a sign a little beside itself is the same sign."""
    soft = cv2.GaussianBlur(layers, (0, 0), len(layers) / CELLS / 2.5)
    parts = [soft[:, :, at : at + 4] for at in range(0, soft.shape[2], 4)]
    small = [cv2.resize(np.ascontiguousarray(part), (CELLS, CELLS), interpolation=cv2.INTER_AREA) for part in parts]
    return np.concatenate([each.reshape(CELLS, CELLS, -1) for each in small], axis=2)


def ink_in(part: Array) -> float:
    """How far its brightness is from its ground's in the mean, without its frame."""
    light = np.log(part.mean(axis=2) + DARK)[FRAME:-FRAME, FRAME:-FRAME]
    return float(np.abs(light - np.median(light)).mean())


def learnt(examples: Sequence[tuple[Suit, Layers, DetectedPiece]], same_set: SetPictures) -> CornerSigns:
    """From tiles face up of all suits: the corner with most ink has the sign, the others have none, nor have corners
    of a tile on which something lies."""
    rng, side = np.random.default_rng(7), CROP
    rows, shown = [], []
    for suit, layers, piece in examples:
        plain = plain_view(layers, piece, side, None)
        own = int(np.argmax([ink_in(corner(plain, turn)) for turn in range(4)]))
        for index in range(VIEWS):
            view, is_open = plain_view(layers, piece, side, rng), index % 2 == 0
            view = elsewhere(view, "tile", same_set, rng, uncovered if is_open else under_its_own)
            for turn in range(4):
                if turn != own or is_open:
                    rows.append(numbers_of(corner(view, turn)))
                    shown.append(SUITS.index(suit) if turn == own else NOTHING)
    return CornerSigns(fitted_line(np.array(rows), np.array(shown)))


def fitted_line(rows: Floats, shown: np.ndarray) -> Floats:
    """Every class counts as much as every other one; by descent with momentum (Adam)."""
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    weigh = 1 / np.bincount(shown, minlength=NOTHING + 1)[shown]
    weigh = (weigh / weigh.sum())[:, None]
    line = np.zeros((rows.shape[1], NOTHING + 1))
    mean, square = np.zeros_like(line), np.zeros_like(line)
    for step in range(1, STEPS + 1):
        slope = (
            rows.T @ ((softmax((rows @ line).astype(np.float32), 1.0) - np.eye(NOTHING + 1)[shown]) * weigh)
            + HELD * line
        )
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        rate = RATE * (1 - (step - 1) / STEPS)
        line -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return line
