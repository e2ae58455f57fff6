"""Batches of crops for the finder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.random import Generator as Random

from models.training.augment import Picture, coded, scene_look
from models.training.feed import Batch, Batches, ahead
from models.training.pool import pictures
from models.training.targets import WIDTHS, Array, Targets, encode
from models.training.truth import Labelled, read_hands, read_truth
from vision.detect import shape
from vision.detect.shape import Floats
from vision.rectify import apply

Sample = tuple[Picture, Targets]
Look = Callable[[Picture, Random], Picture]
Values = TypeVar("Values", Picture, Array)
TILES_PX = (34.0, 170.0)
"""Tiles are this long on crops: as the eyes will see them, whatever the renderer drew."""
TILE_PER = {"tile": 1.0, "card": 0.68, "coin": 2.8, "die": 3.6, "pawn": 2.6, "pyramid": 2.2}
CODED = 0.2
"""The share of the crops that are compressed where nothing else is done to them here."""
WIDTH = 1280
"""Pictures without pieces are thought of at this width, as the eyes see them."""


def plainly(image: Picture, rng: Random) -> Picture:
    """Only compressed: lamps and lenses are left to an accelerator (`augment_batch`)."""
    return coded(image, rng) if rng.random() < CODED else image


def crops(
    folders: list[Path], negatives: list[Path], size: int, rng: Random, each: int, look: Look = scene_look
) -> Iterator[Sample]:
    """Endless; `each` crops from every picture that is opened."""
    while True:
        found = [path for folder in folders for path in pictures(folder)]
        for _ in range(50):
            blank = bool(negatives) and rng.random() < 0.08
            path = negatives[rng.integers(len(negatives))] if blank else found[rng.integers(len(found))]
            image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
            pieces = [] if blank else read_truth(path.with_suffix(".json"))
            hands = [] if blank else read_hands(path.with_suffix(".json"))
            for _ in range(each):
                picture, targets = crop(image, pieces, size, rng, hands)
                yield look(picture, rng), targets


def mosaics(quarters: Iterator[Sample]) -> Iterator[Sample]:
    """Four crops in a square: most pictures are smaller than a large crop, which would be black for the most part."""
    while True:
        yield joined([next(quarters) for _ in range(4)])


def joined(quarters: Sequence[Sample]) -> Sample:
    """Two above, two below."""
    pictures, answers = zip(*quarters, strict=True)
    cells = []
    for index, targets in enumerate(answers):
        side = targets.heat.shape[1]
        down, right = side * (index // 2), side * (index % 2)
        cells += [(group, row + down, column + right, *rest) for group, row, column, *rest in targets.cells]
    return square(pictures, 0, 1), Targets(
        square([each.heat for each in answers], 1, 2),
        square([each.care for each in answers], 1, 2),
        square([each.mask for each in answers], 1, 2),
        cells,
    )


def square(parts: Sequence[Values], down: int, right: int) -> Values:
    rows = [np.concatenate(parts[start : start + 2], axis=right) for start in (0, 2)]
    return np.asarray(np.concatenate(rows, axis=down), parts[0].dtype)


def crop(image: Picture, pieces: list[Labelled], size: int, rng: Random, hands: Sequence[Floats] = ()) -> Sample:
    """A window of the picture as it is, and what the finder should say of it."""
    matrix = window(image.shape[1], image.shape[0], pieces, size, rng)
    inside = [piece for piece in (framed(moved(each, matrix), size) for each in pieces) if piece]
    border = cv2.BORDER_CONSTANT if pieces or rng.random() < 0.5 else cv2.BORDER_REFLECT_101
    moved_hands = [apply(np.vstack([matrix, [0, 0, 1]]), hand) for hand in hands]
    return warp(image, matrix, size, border), encode(inside, size, size, moved_hands)


def warp(image: Picture, matrix: Floats, size: int, border: int) -> Picture:
    """Shrinking by much goes by way of half the size: warping alone would alias."""
    if np.sqrt(abs(np.linalg.det(matrix[:, :2]))) < 0.6:
        image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        matrix = matrix @ np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
    out = cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(out, dtype=np.uint8)


def window(width: int, height: int, pieces: list[Labelled], size: int, rng: Random) -> Floats:
    """A random look at the picture: place, scale, a little turn, perhaps mirrored."""
    scale = WIDTH / width * float(np.exp(rng.uniform(np.log(0.6), np.log(1.7))))
    if pieces:
        wanted = float(np.exp(rng.uniform(np.log(TILES_PX[0]), np.log(TILES_PX[1]))))
        scale = float(np.clip(wanted / tile_size(pieces), 0.3, 2.0))
    if pieces and rng.random() < 0.85:
        kinds = sorted({piece.kind for piece in pieces})
        kind = kinds[rng.integers(len(kinds))]  # rare kinds as often as common ones
        mine = [piece for piece in pieces if piece.kind == kind]
        at = mine[rng.integers(len(mine))].center + rng.normal(0, size / 5 / scale, 2)
    else:
        at = rng.uniform(0, 1, 2) * (width, height)
    turn = np.deg2rad(rng.normal(0, 8) + (180 if rng.random() < 0.15 else 0))
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        linear = linear @ np.diag([-1.0, 1.0])
    return np.column_stack([linear, size / 2 - linear @ at])


def tile_size(pieces: list[Labelled]) -> float:
    """How long a tile's side is in this picture, or would be."""
    sizes = [TILE_PER[piece.kind] * np.sqrt(shape.area(piece.outline)) for piece in pieces]
    return float(np.median(sizes))


def moved(piece: Labelled, matrix: Floats) -> Labelled:
    def go(points: Floats) -> Floats:
        out: Floats = points @ matrix[:, :2].T + matrix[:, 2]
        return out

    return replace(piece, outline=go(piece.outline), center=go(piece.center))


def framed(piece: Labelled, size: int) -> Labelled | None:
    """The piece as far as it lies in the crop; a piece cut off is seen less."""
    low, high = piece.outline.min(axis=0), piece.outline.max(axis=0)
    inner = np.minimum(high, size) - np.maximum(low, 0)
    if (inner <= 0).any():
        return None
    share = float(np.prod(inner / np.maximum(high - low, 1e-6)))
    return replace(piece, visible=piece.visible * share)


def collate(samples: list[Sample]) -> Batch:
    images = np.stack([image for image, _ in samples])
    rows = [
        (index, group, row, column, size, np.pad(numbers, (0, max(WIDTHS) - len(numbers))))
        for index, (_, targets) in enumerate(samples)
        for group, row, column, numbers, size in targets.cells
    ]
    whole = torch.tensor(np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4))
    return {
        "image": torch.from_numpy(images.transpose(0, 3, 1, 2).copy()),
        "heat": torch.from_numpy(np.stack([targets.heat.astype(np.float16) for _, targets in samples])),
        "care": torch.from_numpy(np.stack([targets.care > 0 for _, targets in samples])),
        "mask": torch.from_numpy(np.stack([targets.mask > 0 for _, targets in samples])),
        "batch": whole[:, 0],
        "group": whole[:, 1],
        "row": whole[:, 2],
        "column": whole[:, 3],
        "size": torch.tensor([row[4] for row in rows], dtype=torch.float32),
        "numbers": torch.tensor(np.array([row[5] for row in rows], dtype=np.float32).reshape(-1, max(WIDTHS))),
    }


def batches(
    folders: list[Path],
    negatives: list[Path],
    size: int,
    count: int,
    seed: int,
    workers: int = 1,
    look: Look = scene_look,
    mosaic: float = 0.0,
) -> Batches:
    """`mosaic`: the share of the crops that are made of four smaller ones."""
    streams: dict[int, tuple[Iterator[Sample], Iterator[Sample]]] = {}  # for each random stream, that is each worker
    waiting: list[Sample] = []

    def begun(rng: Random) -> tuple[Iterator[Sample], Iterator[Sample]]:
        whole, small = (crops(folders, negatives, side, rng, 4, look) for side in (size, size // 2))
        return whole, mosaics(small)

    def make(rng: Random) -> Batch:
        whole, mixed = streams.setdefault(id(rng), begun(rng))
        while len(waiting) < 4 * count:
            waiting.append(next(mixed if rng.random() < mosaic else whole))
        return collate([waiting.pop(int(rng.integers(len(waiting)))) for _ in range(count)])

    return ahead(make, seed, workers)
