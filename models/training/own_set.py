"""Trains the shipped reader on for one set, on tables drawn with its double mixed with tables of other sets, so that
nothing is forgotten. It can be stopped at any moment and goes on from its checkpoint."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.random import Generator

from models.training import reader_data
from models.training.augment import own_look, piece_look
from models.training.export import export_reader
from models.training.feed import Batch, Make, ahead
from models.training.from_onnx import weights_from_onnx
from models.training.net import ReaderNet
from models.training.pictures_on_disk import PictureFile
from models.training.pool import pictures
from models.training.quantise import make_small
from models.training.train import TrainingPlan, TrainingState, begin, pixels, reader_wrong, run, save
from vision.nets import WEIGHTS

STEPS: Final = 140
RATE: Final = 8e-4
OWN, OTHERS = 38, 26
"""Of the pictures of a batch."""
SAVED: Final = 10
"""Steps from one checkpoint to the next."""
SHOWN: Final = 8
"""Batches that show the ranges of its numbers, for whole ones."""

GoOn = Callable[[int], bool]


def tuned_reader(own: Path, others: Path, work: Path, go_on: GoOn) -> bytes | None:
    """The file (ONNX, in whole numbers) of a reader that knows the set of the pictures in `own`. `go_on` is told how
    many of STEPS are done; None where it said no: what was learnt till then lies in `work`."""
    stream = ahead(batches(own, others, work), seed=0)
    try:
        checkpoint = work / "reader.pt"
        if not checkpoint.exists():
            begin_from_shipped(checkpoint, next(stream))
        plan = TrainingPlan(STEPS, RATE, checkpoint, log_every=STEPS + 1, warm_up=20)
        net = ReaderNet()
        state = begin(net, copy.deepcopy(net), plan)
        while state.step < STEPS:
            if not go_on(state.step):
                return None
            run(state, plan, stream, reader_wrong, until=min(state.step + SAVED, STEPS))
        file = work / "reader.onnx"
        export_reader(checkpoint, file)
        make_small(file, [pixels(next(stream)).numpy() for _ in range(SHOWN)])
        return file.read_bytes()
    finally:
        stream.close()


def begin_from_shipped(checkpoint: Path, batch: Batch) -> None:
    net = ReaderNet()
    weights_from_onnx(net, WEIGHTS / "reader.onnx", pixels(batch))
    save(TrainingState(net, copy.deepcopy(net), torch.optim.AdamW(net.parameters(), lr=RATE)), checkpoint)


def batches(own: Path, others: Path, work: Path) -> Make:
    """Of both folders together, with what finder and outliner take there for pieces; the pictures lie in `work`."""
    rng, proposals = np.random.default_rng(1), reader_data.ProposalNets(WEIGHTS)
    make_own, make_others = (
        made_of(folder, PictureFile(work / f"{folder.name}.pictures"), rng, proposals, count, look)
        for folder, count, look in ((own, OWN, own_look), (others, OTHERS, piece_look))
    )

    def make(rng: Generator) -> Batch:
        mine, foreign = make_own(rng), make_others(rng)
        return {name: torch.cat([mine[name], foreign[name]]) for name in mine}

    return make


def made_of(
    folder: Path,
    file: PictureFile,
    rng: Generator,
    proposals: reader_data.ProposalNets,
    count: int,
    look: reader_data.Look,
) -> Make:
    """Batches of so many pieces of a folder; table after table is cut into the file, so that one at a time is in
    memory."""
    items = [
        item for table in pictures(folder) for item in file.put(reader_data.gather([table], rng, proposals=proposals))
    ]
    return reader_data.batch_of(items, count, look, file.take)
