"""Training samples of the outliner: things cut roughly, as the finder would, then rotated, mirrored and shifted."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from models.training.augment import augment_scene, farther, halved, warped
from models.training.feed import Batch, Make, image_tensor
from models.training.pool import read_picture, sampled_pictures
from models.training.truth import MIN_VISIBLE, Labelled, pictures_with_truth
from vision.detect import shape
from vision.detect.decode import Detection, merged
from vision.detect.finder import ZOOMS, Finder, prepare
from vision.detect.outliner import CLASSES, CLOSE, ROOM
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.rectify import Layers, apply

STORE: Final = 136
BLANKS: Final = 5
"""Places without a piece that are cut from a picture, of each sort."""
FAR_SHARE: Final = 0.35
"""Share of the samples that are made to look as if taken from farther away, like enlarged parts of a picture."""
MIN_TILE_SIZE: Final = 0.65
"""Smallest length, in sides of a tile, of a poor detection of it."""
MIN_BACK_VISIBLE: Final = 0.6
"""Visible share from which the back of a tile gives bare quarters."""
WIDER: Final = 3.2
"""Side of stored pictures in sizes of the thing: room for rotations and shifts."""
FINDER_ERRORS: Final = {"tile": (0.06, 0.15), "coin": (0.06, 0.14), "die": (0.10, 0.16), "pawn": (0.14, 0.23)}
"""Errors of the finder (of the centre in sizes of the thing, of the logarithm of the size): standard deviations on 62
pictures of the stratum "test". Pyramids have those of pawns, all other kinds those of tiles."""
ADDED_ERRORS: Final = (0.03, 0.05)
"""The same for things cut at a detection, which have an error already."""
UPRIGHT_SHARE: Final = 0.5
"""Share of the samples rotated by no more than a camera is (20 degrees of standard deviation): what stands points
upwards in most pictures."""


@dataclass(frozen=True, slots=True)
class OutlinedThing:
    """A stored picture with its truth in the picture's pixels."""

    picture: Picture
    kind: str
    outline: Floats
    center: Floats
    as_found: bool = False
    """Cut at a detection, not at the true place."""


def cut_square(image: Picture, center: Floats, side: float, size: int) -> tuple[Picture, Floats]:
    """An upright square of the picture, and the 3x3 matrix from picture pixels to its pixels."""
    scale = size / side
    matrix = np.array([[scale, 0, size / 2 - scale * center[0]], [0, scale, size / 2 - scale * center[1]]])
    return warped(image, matrix, size, cv2.BORDER_REPLICATE), np.vstack([matrix, [0, 0, 1.0]])


def store(image: Picture, piece: Labelled, framed: Floats | None = None) -> OutlinedThing:
    """The piece in the centre of its picture, or with the outline `framed` there."""
    frame = piece.outline if framed is None else framed
    picture, matrix = cut_square(image, frame.mean(axis=0), WIDER * max(8.0, size_of(frame)), STORE)
    outline, center = apply(matrix, piece.outline), apply(matrix, piece.center[None])[0]
    return OutlinedThing(picture, piece.kind, outline, center, as_found=framed is not None)


def size_of(outline: Floats) -> float:
    return float(np.sqrt(shape.area(outline)))


def gather(paths: list[Path], rng: Generator, finder: Finder | None = None) -> list[OutlinedThing]:
    """Samples of true pieces, of places without any, and (with a finder) of its detections, right or wrong."""
    found: list[OutlinedThing] = []
    for image, pieces in pictures_with_truth(paths):
        true_pieces = [
            store(image, piece) for piece in pieces if piece.visible >= MIN_VISIBLE and size_of(piece.outline) > 8
        ]
        found += true_pieces + random_blanks(image, pieces, BLANKS, rng)
        if finder is not None:
            found += detected_things(image, pieces, finder)
    return found


def detected_things(
    image: Picture, pieces: list[Labelled], finder: Finder, max_false_alarms: int = 25
) -> list[OutlinedThing]:
    """Samples cut at the finder's detections: pieces with its errors of place and size, and (the strongest
    `max_false_alarms`) its false alarms as hard negatives."""
    layers = Layers(image)
    frames = [prepare(layers, zoom) for zoom in ZOOMS]
    out, false_count = [], 0
    for each in merged([finder.decode(finder.raw(frame), frame) for frame in frames]):
        piece = matching_piece(each, pieces)
        if piece is not None:
            out.append(store(image, piece, each.outline))
        elif false_count < max_false_alarms and not any(is_near(each, piece) for piece in pieces):
            false_count += 1
            out.append(blank(image, each.outline.mean(axis=0), max(8.0, size_of(each.outline))))
    return out


def matching_piece(found: Detection, pieces: list[Labelled]) -> Labelled | None:
    """The piece that a detection is of, be it of another kind; None where that is not clear."""
    size, at = size_of(found.outline), found.outline.mean(axis=0)
    distances = [
        (float(np.linalg.norm(at - piece.outline.mean(axis=0))) / size_of(piece.outline), piece)
        for piece in pieces
        if piece.visible >= MIN_VISIBLE and 0.6 < size / max(size_of(piece.outline), 1.0) < 1.7
    ]
    distance, piece = min(distances, key=lambda each: each[0], default=(1.0, None))
    return piece if distance < 0.35 else None


def blank(image: Picture, at: Floats, size: float) -> OutlinedThing:
    picture, _ = cut_square(image, at, WIDER * size, STORE)
    return OutlinedThing(picture, "nothing", np.zeros((4, 2)), np.zeros(2))


def is_near(found: Detection, piece: Labelled) -> bool:
    """Whether a detection may be one of that piece, however poor. A quarter of a tile's back may not."""
    if found.kind != piece.kind and piece.kind == "tile":
        return False
    reach = 0.4 if found.kind == piece.kind else 0.25
    if piece.kind == "tile" and size_of(found.outline) < MIN_TILE_SIZE * size_of(piece.outline):
        reach = 0.25
    return bool(np.linalg.norm(found.center - piece.center) < reach * size_of(piece.outline))


def random_blanks(image: Picture, pieces: list[Labelled], count: int, rng: Generator) -> list[OutlinedThing]:
    out = []
    for at, side in [*random_spots(image, count, rng), *edge_spots(pieces, count, rng)]:
        if all(np.linalg.norm(p.center - at) > 0.35 * max(side, size_of(p.outline)) for p in pieces):
            out.append(blank(image, at, side))
    return out + [blank(image, quad.mean(axis=0), size_of(quad)) for quad in back_quarters(pieces, count, rng)]


def back_quarters(pieces: list[Labelled], count: int, rng: Generator) -> list[Floats]:
    """Quads of bare quarters on the backs of tiles: lines on all four sides, as if each were a tile of half the
    size."""
    backs = [
        piece for piece in pieces if piece.kind == "tile" and piece.face == "back" and piece.visible > MIN_BACK_VISIBLE
    ]
    others = [piece.center for piece in pieces if piece.kind != "tile"]
    out = []
    for _ in range(count if backs else 0):
        corners = backs[rng.integers(len(backs))].outline
        size, middle, corner = size_of(corners), corners.mean(axis=0), int(rng.integers(4))
        following, before = corners[(corner + 1) % 4], corners[corner - 1]
        quad = np.stack([corners[corner], (corners[corner] + following) / 2, middle, (corners[corner] + before) / 2])
        quad = quad + rng.normal(0, 0.03 * size, (1, 2)) + rng.normal(0, 0.01 * size, (4, 2))
        if all(np.linalg.norm(other - quad.mean(axis=0)) > 0.3 * size for other in others):
            out.append(quad)
    return out


def random_spots(image: Picture, count: int, rng: Generator) -> list[tuple[Floats, float]]:
    height, width = image.shape[:2]
    sides = np.exp(rng.uniform(np.log(14), np.log(120), count))
    return [(rng.uniform(0, 1, 2) * (width, height), float(side)) for side in sides]


def edge_spots(pieces: list[Labelled], count: int, rng: Generator) -> list[tuple[Floats, float]]:
    """(centre, size) of spots on edges and corners of tiles: where two tiles meet looks almost like a tile."""
    tiles = [piece for piece in pieces if piece.kind == "tile"]
    out = []
    for _ in range(count if tiles else 0):
        tile = tiles[rng.integers(len(tiles))]
        edge = int(rng.integers(4))
        both = (tile.outline[edge] + tile.outline[(edge + 1) % 4]) / 2
        at = tile.outline[edge] if rng.random() < 0.3 else both
        size = size_of(tile.outline)
        out.append((at + rng.normal(0, 0.06 * size, 2), size * float(np.exp(rng.normal(0, 0.15)))))
    return out


def jitter_of(thing: OutlinedThing) -> tuple[float, float]:
    """Standard deviations of the errors of centre and size with which the outliner is shown a sample."""
    if thing.as_found:
        return ADDED_ERRORS
    return FINDER_ERRORS["pawn" if thing.kind == "pyramid" else thing.kind if thing.kind in FINDER_ERRORS else "tile"]


def random_view(rng: Generator, shift: float, size: float) -> Floats:
    """Random matrix from stored pixels to the outliner's: rotated, perhaps mirrored, with errors of centre and size of
    random strength."""
    turn = rng.normal(0, np.radians(20)) if rng.random() < UPRIGHT_SHARE else rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        spin = spin @ np.diag([-1.0, 1.0])
    strength = rng.uniform(0, np.sqrt(3))
    linear = spin * CLOSE / STORE * WIDER / ROOM * float(np.exp(rng.normal(0, strength * size)))
    offset = rng.normal(0, strength * shift, 2) * CLOSE / ROOM
    out = np.eye(3)
    out[:2] = np.column_stack([linear, CLOSE / 2 + offset - linear @ np.full(2, STORE / 2)])
    return out


def sample(thing: OutlinedThing, rng: Generator) -> tuple[Picture, dict[str, object]]:
    matrix = random_view(rng, *jitter_of(thing))
    picture = np.asarray(cv2.warpAffine(thing.picture, matrix[:2], (CLOSE, CLOSE), flags=cv2.INTER_AREA), np.uint8)
    picture = farther(picture, rng) if rng.random() < FAR_SHARE else picture
    moved = replace(thing, outline=apply(matrix, thing.outline), center=apply(matrix, thing.center[None])[0])
    return augment_scene(picture, rng), labels_of(moved)


def labels_of(thing: OutlinedThing) -> dict[str, object]:
    half = CLOSE / 2
    out: dict[str, object] = {"class": CLASSES.index(thing.kind)}
    out |= {"flat": np.full(7, np.nan), "standing": np.full(10, np.nan)}
    if thing.kind in ("pawn", "pyramid"):
        reach = shape.supports(thing.center, thing.outline) / half
        out["standing"] = np.concatenate([thing.center / half - 1, reach])
    elif thing.kind != "nothing":
        out["flat"] = flat_labels(thing, half)
    return out


def flat_labels(thing: OutlinedThing, half: float) -> Floats:
    disc = thing.kind == "coin"
    matrix = shape.disc_spread(thing.outline) if disc else shape.spread(thing.outline)
    phase = np.nan if disc else shape.quad_phase(thing.outline, matrix)
    middle = thing.outline.mean(axis=0) / half - 1
    turn = [0.3 * np.cos(phase), 0.3 * np.sin(phase)]  # small numbers: its weight beside the lengths
    return np.array([*middle, matrix[0, 0] / half, matrix[0, 1] / half, matrix[1, 1] / half, *turn])


def collate(samples: list[tuple[Picture, dict[str, object]]]) -> Batch:
    return {
        "image": image_tensor([image for image, _ in samples]),
        "class": torch.tensor([labels["class"] for _, labels in samples]),
        "flat": torch.tensor(np.array([labels["flat"] for _, labels in samples]), dtype=torch.float32),
        "standing": torch.tensor(np.array([labels["standing"] for _, labels in samples]), dtype=torch.float32),
    }


def balanced(names: list[str]) -> NDArray[np.float64]:
    """Sampling probabilities by label: rare labels come more often than they occur, but less often than common ones."""
    counts = {name: names.count(name) for name in set(names)}
    weights = np.array([counts[name] ** -0.5 for name in names])
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def batch_of(things: list[OutlinedThing], count: int) -> Make:
    """Makes batches of `count` samples of things."""
    probabilities = balanced([thing.kind for thing in things])

    def make(rng: Generator) -> Batch:
        return collate([sample(things[index], rng) for index in rng.choice(len(things), count, p=probabilities)])

    return make


def false_alarms(photos: list[Path], finder: Finder) -> list[OutlinedThing]:
    """False alarms of the finder in photographs without pieces (other games, cloths, hands), in two sizes."""
    images = in_two_sizes(photos)
    return [thing for image in images for thing in detected_things(image, [], finder, max_false_alarms=60)]


def in_two_sizes(photos: list[Path]) -> Iterator[Picture]:
    for path in photos:
        image = read_picture(path)
        yield image
        yield halved(image)


def folder_items(
    folders: list[Path], seed: int, max_pictures: int = 900, finder: Finder | None = None
) -> list[OutlinedThing]:
    """Samples of random pictures of the folders."""
    rng = np.random.default_rng(seed)
    return gather(sampled_pictures(folders, rng, max_pictures), rng, finder=finder)
