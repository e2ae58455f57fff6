"""Training samples passed between processes through files: some processes write them, others learn from them.

A load is a folder that is written once: the pictures of each net's samples as one array, which all readers share, and
their labels beside it."""

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
from models.training.reader_data import NO_PICTURE, Stored

Item = TypeVar("Item", Stored, OutlinedThing, StoredDie)

POLL_S: Final = 30.0
"""Seconds between searches for new loads."""


def put(load: Path, net: str, items: Sequence[Item]) -> None:
    """Write samples of a net into a load; the labels come last and mark it as finished. Files of an earlier run are
    replaced and not overwritten, as they may be open elsewhere."""
    if not items:
        return
    load.mkdir(parents=True, exist_ok=True)
    draft = load / f"{net}.part"
    with draft.open("wb") as file:
        np.save(file, np.stack([item.picture for item in items]))
    draft.rename(load / f"{net}.npy")
    draft.write_bytes(pickle.dumps([replace(item, picture=NO_PICTURE) for item in items]))
    draft.rename(load / f"{net}.pickle")


def take(load: Path, net: str) -> list[Item]:
    """The samples of a net in a load; their pictures are memory-mapped."""
    pictures = np.asarray(np.load(load / f"{net}.npy", mmap_mode="r"))
    items: list[Item] = pickle.loads((load / f"{net}.pickle").read_bytes())
    return [replace(item, picture=pictures[index]) for index, item in enumerate(items)]


def loads(cache: Path, net: str) -> list[Path]:
    """Finished loads of a net."""
    return sorted(path.parent for path in cache.glob(f"*/{net}.pickle"))


class FromCache(Generic[Item]):
    """Batches of all loads of a net; new loads are added while it learns."""

    def __init__(self, cache: Path, net: str, make_from: Callable[[list[Item]], Make]) -> None:
        self.cache, self.net = cache, net
        self.make_from: Callable[[list[Item]], Make] = make_from
        self.known: dict[Path, list[Item]] = {}
        self.polled = -POLL_S
        self.make: Make | None = None

    def __call__(self, rng: Random) -> Batch:
        if time.monotonic() - self.polled > POLL_S or self.make is None:
            self.poll()
        assert self.make is not None
        return self.make(rng)

    def poll(self) -> None:
        """Add new loads; waits for the first one."""
        while not (new_loads := [load for load in loads(self.cache, self.net) if load not in self.known]):
            if self.known:
                break
            time.sleep(1.0)
        self.polled = time.monotonic()
        if new_loads:
            self.known |= {load: take(load, self.net) for load in new_loads}
            self.make = self.make_from([item for items in self.known.values() for item in items])
