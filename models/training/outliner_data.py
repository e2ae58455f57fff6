"""Found things for the outliner: cut roughly, as the finder would, then turned, mirrored and shifted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from models.training.augment import Picture, farther, scene_look
from models.training.feed import Batch, Batches, Make, ahead
from models.training.pool import pictures
from models.training.truth import SEEN, Labelled, read_truth
from vision.detect import shape
from vision.detect.decode import Detection, merged
from vision.detect.finder import ZOOMS, Finder, prepare
from vision.detect.outline_heads import CLASSES, CLOSE, ROOM
from vision.detect.shape import Floats
from vision.rectify import Layers, apply

STORE: Final = 136
FAR: Final = 0.35
"""The share of the pictures that are made to look as if taken from farther away: so parts of a picture look that are
made larger."""
A_QUARTER: Final = 0.65
"""What is smaller, as a length, than so much of a tile is no bad sighting of it."""
HALF_SEEN: Final = 0.6
WIDER: Final = 3.2
"""Stored pictures are this much wider than the thing: room to turn and to miss."""
MISSES: Final = {"tile": (0.06, 0.15), "coin": (0.06, 0.14), "die": (0.10, 0.16), "pawn": (0.14, 0.23)}
"""By how much the finder misses the middle (in shares of the thing's size) and the size (its logarithm): standard
deviations, on 62 pictures of the stratum "test". Pyramids are missed like pawns, everything else like tiles."""
SECOND: Final = (0.03, 0.05)
"""The same of what is cut as it was found: it is missed already."""
UPRIGHT: Final = 0.5
"""The share of the pictures that are turned by no more than a camera is (20 degrees in the mean): what stands points
upwards in most pictures."""


@dataclass(frozen=True, slots=True)
class OutlinedThing:
    """A stored picture and the truth in its own pixels."""

    picture: Picture
    kind: str
    outline: Floats
    center: Floats
    as_found: bool = False
    """Cut where the finder saw it, not where it is."""


def cut_square(image: Picture, center: Floats, side: float, size: int) -> tuple[Picture, Floats]:
    """The upright square of the picture, and the 3x3 matrix that takes picture pixels to its pixels."""
    scale = size / side
    matrix = np.array([[scale, 0, size / 2 - scale * center[0]], [0, scale, size / 2 - scale * center[1]]])
    if scale < 0.6:
        image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        small = matrix @ np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
    else:
        small = matrix
    out = cv2.warpAffine(image, small, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8), np.vstack([matrix, [0, 0, 1.0]])


def store(image: Picture, piece: Labelled, framed: Floats | None = None) -> OutlinedThing:
    """The piece in the middle, or where the outline `framed` sees it."""
    frame = piece.outline if framed is None else framed
    picture, matrix = cut_square(image, frame.mean(axis=0), WIDER * max(8.0, size_of(frame)), STORE)
    outline, center = apply(matrix, piece.outline), apply(matrix, piece.center[None])[0]
    return OutlinedThing(picture, piece.kind, outline, center, as_found=framed is not None)


def size_of(outline: Floats) -> float:
    return float(np.sqrt(shape.area(outline)))


def gather(paths: list[Path], rng: Generator, blanks: int = 5, finder: Finder | None = None) -> list[OutlinedThing]:
    """True pieces, places without any, and (with a finder) what it sees, right or wrong."""
    found: list[OutlinedThing] = []
    for path in paths:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        pieces = read_truth(path.with_suffix(".json"))
        mine = [store(image, piece) for piece in pieces if piece.visible >= SEEN and size_of(piece.outline) > 8]
        found += mine + nothings(image, pieces, blanks, rng)
        if finder is not None:
            found += as_found(image, pieces, finder)
    return found


def as_found(image: Picture, pieces: list[Labelled], finder: Finder, most: int = 25) -> list[OutlinedThing]:
    """What the finder sees, cut as it sees it: pieces a little beside and of a wrong size, and (the strongest `most`)
    its mistakes, which are the best teachers."""
    layers = Layers(image)
    frames = [prepare(layers, zoom) for zoom in ZOOMS]
    out, wrong = [], 0
    for each in merged([finder.decode(finder.raw(frame), frame) for frame in frames]):
        piece = meant(each, pieces)
        if piece is not None:
            out.append(store(image, piece, each.outline))
        elif wrong < most and not any(near(each, piece) for piece in pieces):
            wrong += 1
            out.append(nothing(image, each.outline.mean(axis=0), max(8.0, size_of(each.outline))))
    return out


def meant(found: Detection, pieces: list[Labelled]) -> Labelled | None:
    """The piece that this is a sighting of, be it taken for another kind; None where that is not clear."""
    size, at = size_of(found.outline), found.outline.mean(axis=0)
    gaps = [
        (float(np.linalg.norm(at - piece.outline.mean(axis=0))) / size_of(piece.outline), piece)
        for piece in pieces
        if piece.visible >= SEEN and 0.6 < size / max(size_of(piece.outline), 1.0) < 1.7
    ]
    gap, piece = min(gaps, key=lambda each: each[0], default=(1.0, None))
    return piece if gap < 0.35 else None


def nothing(image: Picture, at: Floats, size: float) -> OutlinedThing:
    picture, _ = cut_square(image, at, WIDER * size, STORE)
    return OutlinedThing(picture, "nothing", np.zeros((4, 2)), np.zeros(2))


def near(found: Detection, piece: Labelled) -> bool:
    """Whether this might be a sighting of that piece, be it a bad one. A quarter of a tile's back is none."""
    if found.kind != piece.kind and piece.kind == "tile":
        return False
    reach = 0.4 if found.kind == piece.kind else 0.25
    if piece.kind == "tile" and size_of(found.outline) < A_QUARTER * size_of(piece.outline):
        reach = 0.25
    return bool(np.linalg.norm(found.center - piece.center) < reach * size_of(piece.outline))


def nothings(image: Picture, pieces: list[Labelled], count: int, rng: Generator) -> list[OutlinedThing]:
    out = []
    for at, side in [*anywhere(image, count, rng), *between(pieces, count, rng)]:
        if all(np.linalg.norm(p.center - at) > 0.35 * max(side, size_of(p.outline)) for p in pieces):
            out.append(nothing(image, at, side))
    return out + [nothing(image, quad.mean(axis=0), size_of(quad)) for quad in quarters(pieces, count, rng)]


def quarters(pieces: list[Labelled], count: int, rng: Generator) -> list[Floats]:
    """Bare spaces on the backs of tiles: lines on all four sides, as if each were a tile of half the size."""
    backs = [piece for piece in pieces if piece.kind == "tile" and piece.face == "back" and piece.visible > HALF_SEEN]
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


def anywhere(image: Picture, count: int, rng: Generator) -> list[tuple[Floats, float]]:
    height, width = image.shape[:2]
    sides = np.exp(rng.uniform(np.log(14), np.log(120), count))
    return [(rng.uniform(0, 1, 2) * (width, height), float(side)) for side in sides]


def between(pieces: list[Labelled], count: int, rng: Generator) -> list[tuple[Floats, float]]:
    """On the edges and corners of tiles: where two of them meet it looks almost like a tile."""
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


def misses(thing: OutlinedThing) -> tuple[float, float]:
    """How far off its middle, and of how wrong a size, the outliner is shown such a thing."""
    if thing.as_found:
        return SECOND
    return MISSES["pawn" if thing.kind == "pyramid" else thing.kind if thing.kind in MISSES else "tile"]


def view(rng: Generator, shift: float, size: float) -> Floats:
    """From stored pixels to the outliner's: any turn, mirrored or not, off the middle, a wrong size; at times all but
    right."""
    turn = rng.normal(0, np.radians(20)) if rng.random() < UPRIGHT else rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        spin = spin @ np.diag([-1.0, 1.0])
    much = rng.uniform(0, np.sqrt(3))
    linear = spin * CLOSE / STORE * WIDER / ROOM * float(np.exp(rng.normal(0, much * size)))
    miss = rng.normal(0, much * shift, 2) * CLOSE / ROOM
    out = np.eye(3)
    out[:2] = np.column_stack([linear, CLOSE / 2 + miss - linear @ np.full(2, STORE / 2)])
    return out


def sample(thing: OutlinedThing, rng: Generator) -> tuple[Picture, dict[str, object]]:
    matrix = view(rng, *misses(thing))
    bent = np.asarray(cv2.warpAffine(thing.picture, matrix[:2], (CLOSE, CLOSE), flags=cv2.INTER_AREA), np.uint8)
    bent = farther(bent, rng) if rng.random() < FAR else bent
    moved = replace(thing, outline=apply(matrix, thing.outline), center=apply(matrix, thing.center[None])[0])
    return scene_look(bent, rng), answers(moved)


def answers(thing: OutlinedThing) -> dict[str, object]:
    half = CLOSE / 2
    out: dict[str, object] = {"class": CLASSES.index(thing.kind)}
    out |= {"flat": np.full(7, np.nan), "standing": np.full(10, np.nan)}
    if thing.kind in ("pawn", "pyramid"):
        reach = shape.supports(thing.center, thing.outline) / half
        out["standing"] = np.concatenate([thing.center / half - 1, reach])
    elif thing.kind != "nothing":
        out["flat"] = flat_answer(thing, half)
    return out


def flat_answer(thing: OutlinedThing, half: float) -> Floats:
    disc = thing.kind == "coin"
    matrix = shape.disc_spread(thing.outline) if disc else shape.spread(thing.outline)
    phase = np.nan if disc else shape.quad_phase(thing.outline, matrix)
    middle = thing.outline.mean(axis=0) / half - 1
    turn = [0.3 * np.cos(phase), 0.3 * np.sin(phase)]  # small numbers: its weight beside the lengths
    return np.array([*middle, matrix[0, 0] / half, matrix[0, 1] / half, matrix[1, 1] / half, *turn])


def collate(samples: list[tuple[Picture, dict[str, object]]]) -> Batch:
    images = np.stack([image for image, _ in samples]).transpose(0, 3, 1, 2).copy()
    return {
        "image": torch.from_numpy(images),
        "class": torch.tensor([answer["class"] for _, answer in samples]),
        "flat": torch.tensor(np.array([answer["flat"] for _, answer in samples]), dtype=torch.float32),
        "standing": torch.tensor(np.array([answer["standing"] for _, answer in samples]), dtype=torch.float32),
    }


def balance_labels(names: list[str]) -> NDArray[np.float64]:
    """Rare things come more often than they lie on tables, but not as often as common ones."""
    counts = {name: names.count(name) for name in set(names)}
    weights = np.array([counts[name] ** -0.5 for name in names])
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def batches(things: list[OutlinedThing], count: int, seed: int, workers: int = 1) -> Batches:
    return ahead(batch_of(things, count), seed, workers)


def batch_of(things: list[OutlinedThing], count: int) -> Make:
    chances = balance_labels([thing.kind for thing in things])

    def make(rng: Generator) -> Batch:
        return collate([sample(things[index], rng) for index in rng.choice(len(things), count, p=chances)])

    return make


def mistaken(photos: list[Path], finder: Finder) -> list[OutlinedThing]:
    """What the finder takes for pieces in photographs that show none: other games, cloths, hands; in two sizes."""
    return [thing for picture in in_two_sizes(photos) for thing in as_found(picture, [], finder, most=60)]


def in_two_sizes(photos: list[Path]) -> Iterator[Picture]:
    for path in photos:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        yield image
        yield np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def folder_items(folders: list[Path], seed: int, most: int = 900, finder: Finder | None = None) -> list[OutlinedThing]:
    rng = np.random.default_rng(seed)
    paths = [path for folder in folders for path in pictures(folder)]
    return gather([paths[index] for index in rng.permutation(len(paths))[:most]], rng, finder=finder)
