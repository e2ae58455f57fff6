"""Training samples on their way between processes: some write them, others learn from them.

A load is a folder that is written once: the pictures of each net's things as one array, which all readers share, and
what else is known of them beside it.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.random import Generator as Random

from models.training.dice_data import StoredDie
from models.training.feed import Batch, Make
from models.training.outliner_data import OutlinedThing
from models.training.reader_data import Stored

Thing = TypeVar("Thing", Stored, OutlinedThing, StoredDie)
NONE: Final = np.empty((0, 0, 3), np.uint8)
LOOKED_AT_S: Final = 30.0
"""So often a cache is looked at for what has been added."""


def put(load: Path, net: str, things: Sequence[Thing]) -> None:
    """The labels come last: a load without them is not finished. What a run before wrote is replaced, not written over:
    somebody may have it open."""
    if not things:
        return
    load.mkdir(parents=True, exist_ok=True)
    draft = load / f"{net}.part"
    with draft.open("wb") as file:
        np.save(file, np.stack([thing.picture for thing in things]))
    draft.rename(load / f"{net}.npy")
    draft.write_bytes(pickle.dumps([replace(thing, picture=NONE) for thing in things]))
    draft.rename(load / f"{net}.pickle")


def take(load: Path, net: str) -> list[Thing]:
    pictures = np.asarray(np.load(load / f"{net}.npy", mmap_mode="r"))
    things: list[Thing] = pickle.loads((load / f"{net}.pickle").read_bytes())
    return [replace(thing, picture=pictures[index]) for index, thing in enumerate(things)]


def loads(cache: Path, net: str) -> list[Path]:
    """The finished ones."""
    return sorted(path.parent for path in cache.glob(f"*/{net}.pickle"))


class FromCache(Generic[Thing]):
    """Batches of whatever lies there for this net; what is added while it learns is taken up."""

    def __init__(self, cache: Path, net: str, made_of: Callable[[list[Thing]], Make]) -> None:
        self.cache, self.net = cache, net
        self.made_of: Callable[[list[Thing]], Make] = made_of
        self.known: dict[Path, list[Thing]] = {}
        self.looked = -LOOKED_AT_S
        self.make: Make | None = None

    def __call__(self, rng: Random) -> Batch:
        if time.monotonic() - self.looked > LOOKED_AT_S or self.make is None:
            self.look()
        assert self.make is not None
        return self.make(rng)

    def look(self) -> None:
        while not (fresh := [load for load in loads(self.cache, self.net) if load not in self.known]):
            if self.known:
                break
            time.sleep(1.0)
        self.looked = time.monotonic()
        if fresh:
            self.known |= {load: take(load, self.net) for load in fresh}
            self.make = self.made_of([thing for things in self.known.values() for thing in things])
