"""Training batches of crops for the finder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.random import Generator as Random

from models.training.augment import augment_scene, compressed, warped
from models.training.feed import Batch, Batches, image_tensor, prefetched
from models.training.pool import pictures, read_picture
from models.training.targets import WIDTHS, Array, Targets, encode
from models.training.truth import Labelled, read_hands, read_truth
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.rectify import apply

Sample = tuple[Picture, Targets]
Augment = Callable[[Picture, Random], Picture]
Values = TypeVar("Values", Picture, Array)
TILES_PX = (34.0, 170.0)
"""Range of a tile's side on crops, as at inference, whatever the renderer drew."""
TILE_PER = {"tile": 1.0, "card": 0.68, "coin": 2.8, "die": 3.6, "pawn": 2.6, "pyramid": 2.2}
"""Side of a tile, in sizes of each kind."""
COMPRESSED_SHARE = 0.2
"""Share of the crops that are compressed where no other augmentation is applied here."""
FRAME_WIDTH = 1280
"""Pictures without pieces are scaled from this width, as at inference."""


def compressed_only(image: Picture, rng: Random) -> Picture:
    """Compression alone: lamps and lenses are left to an accelerator (`augment_batch`)."""
    return compressed(image, rng) if rng.random() < COMPRESSED_SHARE else image


def crops(
    folders: list[Path], negatives: list[Path], size: int, rng: Random, each: int, augment: Augment = augment_scene
) -> Iterator[Sample]:
    """Endless crops, `each` of every picture that is opened."""
    while True:
        found = pictures(*folders)
        for _ in range(50):
            is_negative = bool(negatives) and rng.random() < 0.08
            path = negatives[rng.integers(len(negatives))] if is_negative else found[rng.integers(len(found))]
            image = read_picture(path)
            pieces = [] if is_negative else read_truth(path.with_suffix(".json"))
            hands = [] if is_negative else read_hands(path.with_suffix(".json"))
            for _ in range(each):
                picture, targets = crop(image, pieces, size, rng, hands)
                yield augment(picture, rng), targets


def mosaics_of(quarters: Iterator[Sample]) -> Iterator[Sample]:
    """Four crops in a square: most pictures are smaller than a large crop, which would be mostly black."""
    while True:
        yield joined([next(quarters) for _ in range(4)])


def joined(quarters: Sequence[Sample]) -> Sample:
    """A square of four samples, two above, two below."""
    pictures, answers = zip(*quarters, strict=True)
    cells = []
    for index, targets in enumerate(answers):
        side = targets.heat.shape[1]
        down, right = side * (index // 2), side * (index % 2)
        cells += [(group, row + down, column + right, *rest) for group, row, column, *rest in targets.cells]
    return tiled(pictures, 0, 1), Targets(
        tiled([each.heat for each in answers], 1, 2),
        tiled([each.care for each in answers], 1, 2),
        tiled([each.mask for each in answers], 1, 2),
        cells,
    )


def tiled(parts: Sequence[Values], down: int, right: int) -> Values:
    rows = [np.concatenate(parts[start : start + 2], axis=right) for start in (0, 2)]
    return np.asarray(np.concatenate(rows, axis=down), parts[0].dtype)


def crop(image: Picture, pieces: list[Labelled], size: int, rng: Random, hands: Sequence[Floats] = ()) -> Sample:
    """A random window of the picture, with the finder's targets."""
    matrix = random_window(image.shape[1], image.shape[0], pieces, size, rng)
    inside = [piece for piece in (clipped(moved(each, matrix), size) for each in pieces) if piece]
    border = cv2.BORDER_CONSTANT if pieces or rng.random() < 0.5 else cv2.BORDER_REFLECT_101
    moved_hands = [apply(np.vstack([matrix, [0, 0, 1]]), hand) for hand in hands]
    return warped(image, matrix, size, border), encode(inside, size, size, moved_hands)


def random_window(width: int, height: int, pieces: list[Labelled], size: int, rng: Random) -> Floats:
    """2x3 matrix of a random crop: place, scale, a small rotation, perhaps mirrored."""
    scale = FRAME_WIDTH / width * float(np.exp(rng.uniform(np.log(0.6), np.log(1.7))))
    if pieces:
        tile_px = float(np.exp(rng.uniform(np.log(TILES_PX[0]), np.log(TILES_PX[1]))))
        scale = float(np.clip(tile_px / tile_side(pieces), 0.3, 2.0))
    if pieces and rng.random() < 0.85:
        kinds = sorted({piece.kind for piece in pieces})
        kind = kinds[rng.integers(len(kinds))]  # rare kinds as often as common ones
        candidates = [piece for piece in pieces if piece.kind == kind]
        at = candidates[rng.integers(len(candidates))].center + rng.normal(0, size / 5 / scale, 2)
    else:
        at = rng.uniform(0, 1, 2) * (width, height)
    turn = np.deg2rad(rng.normal(0, 8) + (180 if rng.random() < 0.15 else 0))
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        linear = linear @ np.diag([-1.0, 1.0])
    return np.column_stack([linear, size / 2 - linear @ at])


def tile_side(pieces: list[Labelled]) -> float:
    """Side of a tile in this picture in px, estimated from all pieces."""
    sizes = [TILE_PER[piece.kind] * np.sqrt(shape.area(piece.outline)) for piece in pieces]
    return float(np.median(sizes))


def moved(piece: Labelled, matrix: Floats) -> Labelled:
    outline, center = (points @ matrix[:, :2].T + matrix[:, 2] for points in (piece.outline, piece.center))
    return replace(piece, outline=outline, center=center)


def clipped(piece: Labelled, size: int) -> Labelled | None:
    """The piece as far as it is in the crop; being cut off reduces its visible share."""
    low, high = piece.outline.min(axis=0), piece.outline.max(axis=0)
    inner = np.minimum(high, size) - np.maximum(low, 0)
    if (inner <= 0).any():
        return None
    share = float(np.prod(inner / np.maximum(high - low, 1e-6)))
    return replace(piece, visible=piece.visible * share)


def collate(samples: list[Sample]) -> Batch:
    rows = [
        (index, group, row, column, size, np.pad(numbers, (0, max(WIDTHS) - len(numbers))))
        for index, (_, targets) in enumerate(samples)
        for group, row, column, numbers, size in targets.cells
    ]
    integers = torch.tensor(np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4))
    return {
        "image": image_tensor([image for image, _ in samples]),
        "heat": torch.from_numpy(np.stack([targets.heat.astype(np.float16) for _, targets in samples])),
        "care": torch.from_numpy(np.stack([targets.care > 0 for _, targets in samples])),
        "mask": torch.from_numpy(np.stack([targets.mask > 0 for _, targets in samples])),
        "batch": integers[:, 0],
        "group": integers[:, 1],
        "row": integers[:, 2],
        "column": integers[:, 3],
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
    augment: Augment = augment_scene,
    mosaic: float = 0.0,
) -> Batches:
    """Endless batches of `count` crops. `mosaic`: the share of crops made of four smaller ones."""
    streams: list[Iterator[Sample]] = []  # a worker has its own, made when its random stream is known
    buffer: list[Sample] = []

    def make(rng: Random) -> Batch:
        if not streams:
            single, small = (crops(folders, negatives, side, rng, 4, augment) for side in (size, size // 2))
            streams.extend((single, mosaics_of(small)))
        single, mixed = streams
        while len(buffer) < 4 * count:
            buffer.append(next(mixed if rng.random() < mosaic else single))
        return collate([buffer.pop(int(rng.integers(len(buffer)))) for _ in range(count)])

    return prefetched(make, seed, workers)
