"""Fine-tunes the shipped reader for one set, on tables drawn with its double mixed with tables of other sets, so that
nothing is forgotten. It can be stopped at any time and resumes from its checkpoint."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.random import Generator

from models.training import reader_data
from models.training.augment import augment_own_set, augment_piece
from models.training.export import export
from models.training.feed import Batch, Batches, Make, prefetched
from models.training.net import ReaderNet
from models.training.pool import pictures
from models.training.quantise import quantise_file
from models.training.reader_data import NO_PICTURE, STORE, Stored
from models.training.train import TrainingPlan, begin, begin_from_shipped, pixels, reader_losses, run
from vision.nets import WEIGHTS

RATE: Final = 8e-4
OWN, OTHERS = 38, 26
"""Pictures of the set and of other sets in a batch."""
SAVE_EVERY: Final = 10
"""Steps between checkpoints."""
CALIBRATION_BATCHES: Final = 8
"""Batches that give the value ranges of quantisation."""
SHAPE: Final = (STORE, STORE, 3)


@dataclass(frozen=True, slots=True)
class StoredOnDisk(Stored):
    """Without its picture, which is number `at` of the file."""

    at: int = 0


class PictureFile:
    """Stored pictures in a new file, each read when a batch needs it: thousands of them take no memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        path.write_bytes(b"")

    def put(self, items: Sequence[Stored]) -> list[StoredOnDisk]:
        """The items without their pictures, which are appended to the file."""
        with self.path.open("ab") as file:
            for item in items:
                file.write(item.picture.tobytes())
        first, self.count = self.count, self.count + len(items)
        return [without_picture(item, at) for at, item in enumerate(items, first)]

    def take(self, item: Stored) -> Stored:
        """The item with its picture."""
        assert isinstance(item, StoredOnDisk)
        size = int(np.prod(SHAPE))
        return replace(item, picture=np.fromfile(self.path, np.uint8, size, offset=item.at * size).reshape(SHAPE))


def without_picture(item: Stored, at: int) -> StoredOnDisk:
    known = {field.name: getattr(item, field.name) for field in fields(Stored)}
    return StoredOnDisk(**known | {"picture": NO_PICTURE}, at=at)


def tuned_reader(own: Path, others: Path, work: Path, steps: int, go_on: Callable[[int], bool]) -> bytes | None:
    """The quantised ONNX file of a reader fine-tuned on the pictures in `own`. `go_on` takes the number of finished
    steps; where it returns False, the result is None and the checkpoint in `work` is resumed next time."""
    with closing(prefetched(batches(own, others, work), seed=0)) as stream:
        checkpoint = work / "reader.pt"
        if not checkpoint.exists():
            begin_from_shipped("reader", checkpoint, next(stream), RATE)
        if not trained(TrainingPlan(steps, RATE, checkpoint, log_every=steps + 1, warm_up=20), stream, go_on):
            return None
        file = work / "reader.onnx"
        export("reader", checkpoint, file)
        quantise_file(file, [pixels(next(stream)).numpy() for _ in range(CALIBRATION_BATCHES)])
        return file.read_bytes()


def trained(plan: TrainingPlan, stream: Batches, go_on: Callable[[int], bool]) -> bool:
    """Train up to the plan's last step; False where `go_on` stopped it."""
    state = begin(ReaderNet(), plan)
    while state.step < plan.steps:
        if not go_on(state.step):
            return False
        run(state, plan, stream, reader_losses, until=min(state.step + SAVE_EVERY, plan.steps))
    return True


def batches(own: Path, others: Path, work: Path) -> Make:
    """Batches of both folders together, with false alarms of finder and outliner; their pictures are stored in
    `work`."""
    rng, proposals = np.random.default_rng(1), reader_data.ProposalNets(WEIGHTS)

    def batches_of(folder: Path, count: int, look: reader_data.Augment) -> Make:
        file = PictureFile(work / f"{folder.name}.pictures")
        items = [  # table by table, so that only one is in memory
            item
            for table in pictures(folder)
            for item in file.put(reader_data.gather([table], rng, proposals=proposals))
        ]
        return reader_data.batch_of(items, count, look, file.take)

    make_own, make_others = batches_of(own, OWN, augment_own_set), batches_of(others, OTHERS, augment_piece)

    def make(rng: Generator) -> Batch:
        own_batch, other_batch = make_own(rng), make_others(rng)
        return {name: torch.cat([own_batch[name], other_batch[name]]) for name in own_batch}

    return make
