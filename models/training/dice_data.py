"""Dice for the net that reads only them: cut from rendered pictures, thrown in scenes made for it, and laid flat."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator

from models.render.art import Sheets
from models.render.zoo import wild_edition
from models.training import flat
from models.training.augment import Picture, farther, one_ink, piece_look, printed, turn_hue
from models.training.feed import Batch, Batches, Make, ahead
from models.training.pool import pictures
from models.training.reader_data import UNIT, framed, usable
from models.training.truth import Labelled, read_truth
from vision.detect.shape import Floats
from vision.identify.dice import SIDE
from vision.identify.heads import MARGIN, SUITS, VALUES
from vision.rectify import Layers, cut

STORE: Final = SIDE * 3 // 2
"""Side of the stored pictures; their scale is that of the net's, with more around."""
LOOSE: Final = 0.06
"""How far an outline is usually wrong, of half a side."""
FAR: Final = 0.4
"""The share that is made to look as if taken from farther away."""
OTHERWISE: Final = 0.3
"""The share that is coloured or printed as no set of ours is: the value stays what it is, the suit is not asked."""
FACES: Final = 10
"""So many dice of each edition are laid flat."""


@dataclass(frozen=True, slots=True)
class StoredDie:
    """One cut picture; -1 where nothing is asked."""

    picture: Picture
    value: int
    suit: int


def gather(paths: list[Path]) -> list[StoredDie]:
    out = []
    for path in paths:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        layers = Layers(image)
        dice = [piece for piece in read_truth(path.with_suffix(".json")) if piece.kind == "die"]
        out += [store(layers, piece) for piece in dice if usable(piece, image) and piece.value is not None]
    return out


def store(layers: Layers, piece: Labelled) -> StoredDie:
    picture = framed(layers, "die", piece.outline, STORE)
    return StoredDie(picture, VALUES.index(str(piece.value)), SUITS.index(piece.suit) if piece.suit else -1)


def editions(count: int, seed: int, grounds: list[Picture]) -> list[StoredDie]:
    """Dice of new editions, laid flat."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        name = int(rng.integers(1 << 40))
        sheets = Sheets(wild_edition(name), int(rng.integers(1 << 30)))
        px = int(rng.integers(40, 120))
        faces = [flat.die(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), px, rng) for _ in range(FACES)]
        beneath = flat.tile(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), px, rng)
        for face in faces:
            laid = flat.laid(face, [*faces, beneath], grounds, rng, name)
            if laid.value is not None:
                small = np.asarray(cv2.resize(laid.picture, (STORE, STORE), interpolation=cv2.INTER_AREA), np.uint8)
                suit = SUITS.index(laid.suit) if laid.suit else -1
                out.append(StoredDie(small, VALUES.index(laid.value), suit))
    return out


def bend(rng: Generator) -> Floats:
    """From stored to the net's picture, as a not quite right outline would cut it."""
    half = SIDE / 2 / MARGIN["die"]
    source = STORE / 2 + UNIT * half
    wrong = source + half * (rng.normal(0, LOOSE, (1, 2)) + rng.normal(0, 0.8 * LOOSE, (4, 2)))
    wrong = STORE / 2 + (wrong - STORE / 2) * np.exp(rng.normal(0, LOOSE))
    target = SIDE / 2 + UNIT * half
    matrix = cv2.getPerspectiveTransform(wrong.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def sample(die: StoredDie, rng: Generator) -> tuple[Picture, int]:
    """A picture, and the suit where it can still be asked for."""
    picture, suit = np.rot90(cut(die.picture, bend(rng), SIDE), int(rng.integers(4))), die.suit
    picture = np.ascontiguousarray(picture)
    if rng.random() < FAR:
        picture = farther(picture, rng)
    if rng.random() < OTHERWISE:
        suit = -1
        draw = rng.random()
        if draw < 0.35:
            picture = turn_hue(picture, float(rng.uniform(0, 360)))
        elif draw < 0.7:
            picture = one_ink(picture, rng)
        else:
            picture = printed(picture, rng)
    return piece_look(picture, rng, False), suit


def collate(dice: list[StoredDie], rng: Generator) -> Batch:
    samples = [sample(die, rng) for die in dice]
    return {
        "image": torch.from_numpy(np.stack([picture for picture, _ in samples]).transpose(0, 3, 1, 2).copy()),
        "value die": torch.tensor([die.value for die in dice]),
        "suit die": torch.tensor([suit for _, suit in samples]),
    }


def batches(dice: list[StoredDie], count: int, seed: int, workers: int = 1) -> Batches:
    return ahead(batch_of(dice, count), seed, workers)


def batch_of(dice: list[StoredDie], count: int) -> Make:
    def make(rng: Generator) -> Batch:
        return collate([dice[index] for index in rng.integers(len(dice), size=count)], rng)

    return make


def folder_dice(folders: list[Path]) -> list[StoredDie]:
    return gather([path for folder in folders for path in pictures(folder)])
