"""Tiles for the corner reader: cut at twice the reader's scale, their four corners shown together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator

from models.render.art import Sheets, has_mark, tile_front
from models.render.random_edition import random_edition
from models.training.augment import Picture, piece_look
from models.training.feed import Batch, Batches, Make, ahead
from models.training.flat import lit
from models.training.pool import pictures
from models.training.reader_data import UNIT
from models.training.truth import Labelled, read_truth
from vision.detect.shape import Floats
from vision.identify.heads import SUITS, VALUES
from vision.identify.marks import NONE, SIDE, corner_quad, to_corner
from vision.rectify import Layers, cut, to_crop

STORE: Final = 144
WIDER: Final = 1.5
CORNERS: Final[Floats] = STORE / 2 + UNIT * STORE / 2 / WIDER
"""Where a stored tile's corners lie in its picture."""
SEEN: Final = 0.6


@dataclass(frozen=True, slots=True)
class Tile:
    """A stored tile; `label` is a suit's number or NONE; `sure`: the corner surely shows it."""

    picture: Picture
    label: int
    sure: bool


def gather(paths: list[Path]) -> list[Tile]:
    out = []
    for path in paths:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        layers = Layers(image)
        tiles = [piece for piece in read_truth(path.with_suffix(".json")) if usable(piece)]
        out += [store(layers, piece) for piece in tiles]
    return out


def usable(piece: Labelled) -> bool:
    shows = piece.face == "back" or piece.suit is not None
    return piece.kind == "tile" and piece.visible >= SEEN and shows


def store(layers: Layers, piece: Labelled) -> Tile:
    matrix = to_crop("tile", piece.outline, STORE, WIDER)
    side = float(np.linalg.norm(piece.outline[1] - piece.outline[0]))
    picture = cut(*layers.fitting(STORE / WIDER / side, matrix), STORE)
    return Tile(picture, NONE if piece.face == "back" else SUITS.index(str(piece.suit)), piece.face == "back")


def editions(count: int, seed: int, each: int = 12) -> list[Tile]:
    """Faces of new editions, laid flat on one colour."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        edition = random_edition(int(rng.integers(1 << 40)), "train")
        sheets = Sheets(edition, int(rng.integers(1 << 30)))
        for pick in rng.permutation(24)[:each]:
            suit, value = SUITS[pick // 6], VALUES[pick % 6]
            face = lit(tile_front(sheets, suit, value, int(rng.integers(70, 150)), rng), rng)
            out.append(Tile(laid(face, rng), SUITS.index(suit) if has_mark(edition, value) else NONE, True))
    return out


def laid(face: Picture, rng: Generator) -> Picture:
    canvas = np.full((STORE, STORE, 3), rng.uniform(10, 245, 3), np.float64).astype(np.uint8)
    source = face.shape[0] / 2 + UNIT * face.shape[0] / 2
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), CORNERS.astype(np.float32))
    cv2.warpPerspective(face, matrix, (STORE, STORE), dst=canvas, borderMode=cv2.BORDER_TRANSPARENT)
    return canvas


def sample(tile: Tile, rng: Generator) -> Picture:
    """Its four corners, as a not quite right outline would cut them."""
    side = STORE / WIDER
    wrong = CORNERS + side * (rng.normal(0, 0.02, (1, 2)) + rng.normal(0, 0.015, (4, 2)))
    look = piece_look(tile.picture, rng, True)
    if rng.random() < 0.35:  # a far camera
        small = int(STORE * rng.uniform(0.4, 0.8))
        look = np.asarray(cv2.resize(cv2.resize(look, (small, small), interpolation=cv2.INTER_AREA), (STORE, STORE)))
    quads = [corner_quad(wrong, which) for which in range(4)]
    return np.stack([cv2.warpPerspective(look, to_corner(quad), (SIDE, SIDE)) for quad in quads])


def collate(tiles: list[Tile], rng: Generator) -> Batch:
    images = np.concatenate([sample(tile, rng) for tile in tiles]).transpose(0, 3, 1, 2).copy()
    return {
        "image": torch.from_numpy(images),
        "label": torch.tensor([tile.label for tile in tiles]),
        "sure": torch.tensor([tile.sure for tile in tiles]),
    }


def batches(tiles: list[Tile], count: int, seed: int, workers: int = 1) -> Batches:
    return ahead(batch_of(tiles, count), seed, workers)


def batch_of(tiles: list[Tile], count: int) -> Make:
    chances = np.array([0.3 if tile.label == NONE else 1.0 for tile in tiles])
    chances /= chances.sum()

    def make(rng: Generator) -> Batch:
        return collate([tiles[index] for index in rng.choice(len(tiles), count, p=chances)], rng)

    return make


def folder_tiles(folders: list[Path], seed: int, most: int = 1200) -> list[Tile]:
    paths = [path for folder in folders for path in pictures(folder)]
    order = np.random.default_rng(seed).permutation(len(paths))[:most]
    return gather([paths[index] for index in order])
