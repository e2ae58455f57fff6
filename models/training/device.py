"""Half an hour on a fast machine, by one command: pictures by all its cores, then every net by its accelerator.

What comes back are the nets as ONNX files, small enough to carry and ready to be thawed (`thaw`), shipped or measured.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from models.training import train
from models.training.export import EXPORTS, export_all
from models.training.pool import grow, pictures
from models.training.train import TrainingPlan

SHARES = {"pool": 0.2, "finder": 0.36, "reader": 0.2, "outliner": 0.1, "marker": 0.05, "dice": 0.06}
"""Of the time; the rest is for starting, thawing and bringing back."""
PORTION = 8
"""Pictures that one process draws at a time."""
ENDLESS = 1_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is to work with, and what a step takes of it."""

    device: str
    workers: int
    batches: dict[str, int]
    editions: int
    """So many new ones for reader and marker each time."""


def this_machine() -> Machine:
    cores = os.cpu_count() or 1
    if torch.cuda.is_available():
        return Machine(
            "cuda", max(2, cores - 2), {"finder": 32, "reader": 512, "outliner": 768, "marker": 192, "dice": 768}, 400
        )
    return Machine("cpu", 1, {"finder": 4, "reader": 64, "outliner": 96, "marker": 32, "dice": 96}, 40)


def everything(
    pool: Path,
    photos: list[Path],
    minutes: float,
    runs: Path,
    name: str,
    out: Path,
    machine: Machine | None = None,
    steps: int = ENDLESS,
) -> str:
    """Goes on from the checkpoints in `runs`, or from the shipped weights; the exported nets go to `out`."""
    begun, machine = time.monotonic(), machine or this_machine()
    drawn = grow_by_all(pool, minutes * SHARES["pool"])
    paths = {net: runs / f"{net}-{name}.pt" for net in EXPORTS}
    print(train.thaw_all([pool], *paths.values()), flush=True)
    plans = {
        net: TrainingPlan(steps, 1.5e-3, path, minutes * SHARES[net], machine.device, machine.workers)
        for net, path in paths.items()
    }
    train.train_finder([pool], photos, plans["finder"], 384, machine.batches["finder"])
    export_all([paths["finder"]], out)
    train.train_outliner([pool], photos, plans["outliner"], machine.batches["outliner"], out)
    export_all([paths["outliner"]], out)
    train.train_reader([pool], photos, plans["reader"], machine.batches["reader"], out, machine.editions)
    train.train_marker([pool], plans["marker"], machine.batches["marker"], machine.editions)
    train.train_dice([pool], plans["dice"], machine.batches["dice"], machine.editions)
    export_all([paths["reader"], paths["marker"], paths["dice"]], out)
    return f"{drawn} pictures, five nets in {(time.monotonic() - begun) / 60:.1f} minutes on {machine.device}"


def grow_by_all(pool: Path, minutes: float) -> int:
    """Pictures by all cores, for so long; at least one portion. Gives how many lie there then."""
    end = time.monotonic() + 60 * minutes
    first = max((int(path.stem) + 1 for path in pictures(pool)), default=0)
    hands = os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(hands, mp_context=context) as drawers:
        while True:
            starts = [first + PORTION * index for index in range(2 * hands)]
            list(drawers.map(grow, *zip(*((pool, "train", start, PORTION) for start in starts), strict=True)))
            first += PORTION * len(starts)
            if time.monotonic() > end:
                return len(pictures(pool))
