"""Training samples of the dice net: cut from rendered pictures, also of scenes made for it, and drawn flat."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator

from models.render.art import Sheets
from models.render.random_sets import wild_edition
from models.training import flat
from models.training.augment import augment_piece, farther, one_ink, printed, rotate_hue
from models.training.feed import Batch, Make, image_tensor
from models.training.reader_data import framed, is_usable, jittered
from models.training.truth import Labelled, pictures_with_truth
from vision.frame import Picture
from vision.identify.dice import SIDE
from vision.identify.heads import MARGIN, SUITS, VALUES
from vision.rectify import Layers, cut

STORE: Final = SIDE * 3 // 2
"""Side of stored pictures: the net's scale, with more around."""
OUTLINE_ERROR: Final = 0.06
"""Standard deviation of an outline's error, in halves of its side."""
FAR_SHARE: Final = 0.4
"""Share of the samples that are made to look as if taken from farther away."""
RECOLOURED_SHARE: Final = 0.3
"""Share of the samples that are coloured or printed as no set is: the value stays, the suit is no label."""
FACES: Final = 10
"""Flat dice of each edition."""


@dataclass(frozen=True, slots=True)
class StoredDie:
    """One stored crop with its labels; -1 where there is none."""

    picture: Picture
    value: int
    suit: int


def gather(paths: list[Path]) -> list[StoredDie]:
    """Samples of all dice of the pictures."""
    out = []
    for image, pieces in pictures_with_truth(paths):
        layers = Layers(image)
        dice = [piece for piece in pieces if piece.kind == "die" and piece.value is not None]
        out += [store(layers, piece) for piece in dice if is_usable(piece, image)]
    return out


def store(layers: Layers, piece: Labelled) -> StoredDie:
    picture = framed(layers, "die", piece.outline, STORE)
    return StoredDie(picture, VALUES.index(str(piece.value)), SUITS.index(piece.suit) if piece.suit else -1)


def editions(count: int, seed: int, grounds: list[Picture]) -> list[StoredDie]:
    """Samples of flat dice of `count` new editions."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        name = int(rng.integers(1 << 40))
        sheets = Sheets(wild_edition(name), int(rng.integers(1 << 30)))
        px = int(rng.integers(40, 120))
        faces = [flat.die(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), px, rng) for _ in range(FACES)]
        tile = flat.tile(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), px, rng)
        for face in faces:
            laid = flat.composed(face, [*faces, tile], grounds, rng, name)
            if laid.value is not None:
                small = np.asarray(cv2.resize(laid.picture, (STORE, STORE), interpolation=cv2.INTER_AREA), np.uint8)
                suit = SUITS.index(laid.suit) if laid.suit else -1
                out.append(StoredDie(small, VALUES.index(laid.value), suit))
    return out


def sample(die: StoredDie, rng: Generator) -> tuple[Picture, int]:
    """A random view of a stored die, and its suit where that is still a label."""
    matrix = jittered(rng, (STORE, SIDE), SIDE / 2 / MARGIN["die"], (OUTLINE_ERROR, 0.8 * OUTLINE_ERROR))
    picture, suit = np.rot90(cut(die.picture, matrix, SIDE), int(rng.integers(4))), die.suit
    picture = np.ascontiguousarray(picture)
    if rng.random() < FAR_SHARE:
        picture = farther(picture, rng)
    if rng.random() < RECOLOURED_SHARE:
        suit = -1
        draw = rng.random()
        if draw < 0.35:
            picture = rotate_hue(picture, float(rng.uniform(0, 360)))
        elif draw < 0.7:
            picture = one_ink(picture, rng)
        else:
            picture = printed(picture, rng)
    return augment_piece(picture, rng, False), suit


def batch_of(dice: list[StoredDie], count: int) -> Make:
    """Makes batches of `count` samples of dice."""

    def make(rng: Generator) -> Batch:
        picked = [dice[index] for index in rng.integers(len(dice), size=count)]
        samples = [sample(die, rng) for die in picked]
        return {
            "image": image_tensor([picture for picture, _ in samples]),
            "value die": torch.tensor([die.value for die in picked]),
            "suit die": torch.tensor([suit for _, suit in samples]),
        }

    return make
