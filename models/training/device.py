"""A quarter of an hour on a fast machine, by one command: most of its cores draw and cut pieces from the first to the
last minute, and every net learns on its accelerator from whatever is there by then, all of them at once.

What comes back are checkpoints without their momentum: small enough to carry, ready to be exported or trained on.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.training import augment_batch, dice_data, finder_data, flat, outliner_data, reader_data, train
from models.training.export import light
from models.training.feed import Batch, Batches, Make, ahead, on
from models.training.pool import grow, pictures
from models.training.sample_cache import FromCache, loads, put
from models.training.train import Loss, TrainingPlan
from vision.nets import WEIGHTS

NETS: Final = ("finder", "outliner", "reader", "dice")


def finder_wrong(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    """Of crops that nothing was done to yet: lamps and lenses come from the accelerator too."""
    with torch.no_grad():
        looked = augment_batch.scene_look(data["image"])
    return train.finder_wrong(net, data | {"image": (255 * looked).round().to(torch.uint8)})


WRONG: Final[dict[str, Loss]] = {
    "finder": finder_wrong,
    "outliner": train.outliner_wrong,
    "reader": train.reader_wrong,
    "dice": train.dice_wrong,
}
PORTION: Final = 8
"""Pictures of one load."""
SCENES: Final = (
    "",
    "",
    "crowd",
    "",
    "",
    "territory",
    "",
    "throws",
    "",
    "",
    "rivals",
    "carried",
    "territory",
    "crowd",
    "carried",
    "throws",
)
"""What they show, in turn. Few men of other games: where one picture in eight shows them, blank coins are doubted."""
FLAT: Final = {"reader": 4, "dice": 6}
"""New editions laid flat for each load."""
BLANK: Final = 6
"""Photographs without pieces of one load."""
AHEAD: Final = 0.09
"""For this share of the time most cores draw and cut before the nets for small pictures begin."""
MANY_LOADS: Final = 20
"""Where so many lie there already, by a run before, nobody waits."""
BEHIND: Final = 10
"""Who draws gives way to who feeds the nets."""
ENDLESS: Final = 1_000_000
CROP: Final = 512
"""Side of the finder's crops: large enough for a whole board on much cloth."""
MOSAICS: Final = 0.6
"""The share of these that are made of four smaller ones."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is to work with, and what a step takes of it."""

    device: str
    cutters: int
    feeders: dict[str, int]
    batches: dict[str, int]
    at_once: int
    """So many nets learn side by side."""


def this_machine() -> Machine:
    cores = os.cpu_count() or 1
    if torch.cuda.is_available():
        feeders = {"finder": 8, "outliner": 2, "reader": 2, "dice": 1}
        batches = {"finder": 48, "outliner": 768, "reader": 768, "dice": 768}
        return Machine("cuda", max(2, cores - 3), feeders, batches, len(NETS))
    batches = {"finder": 2, "outliner": 96, "reader": 64, "dice": 96}
    return Machine("cpu", max(1, cores - 1), dict.fromkeys(NETS, 1), batches, 1)


@dataclass(frozen=True, slots=True)
class Work:
    """Where everything lies, and until when it goes on."""

    pools: tuple[Path, ...]
    """What is drawn comes to the last of them; what lies in any is cut as well."""
    photos: tuple[Path, ...]
    cache: Path
    runs: Path
    name: str
    minutes: float
    first: int
    """Seed of the first picture that is drawn."""
    steps: int = ENDLESS
    nets: tuple[str, ...] = NETS
    rate: float = 1.5e-3

    def checkpoint(self, net: str) -> Path:
        return self.runs / f"{net}-{self.name}.pt"


def everything(work: Work, out: Path, machine: Machine | None = None) -> str:
    """Goes on from the checkpoints, or from the shipped weights; what is learnt goes to `out`."""
    begun, machine = time.monotonic(), machine or this_machine()
    context = multiprocessing.get_context("spawn")
    end = time.time() + 60 * work.minutes
    cutters = [
        context.Process(target=cut_until, args=(work, number, machine.cutters, end), daemon=True)
        for number in range(machine.cutters)
    ]
    for cutter in cutters:
        cutter.start()
    until_something_lies_there(work, cutters)
    print(begun_from_onnx(work), flush=True)
    names = work.nets
    for start in range(0, len(names), machine.at_once):
        now = time.time()
        until = now + (end - now) * min(1.0, machine.at_once / (len(names) - start))
        learners = [
            context.Process(target=learn, args=(net, work, machine, until))
            for net in names[start : start + machine.at_once]
        ]
        for learner in learners:
            learner.start()
        for learner in learners:
            learner.join()
    for cutter in cutters:
        cutter.terminate()
    out.mkdir(parents=True, exist_ok=True)
    brought = [net for net in work.nets if lightened(work.checkpoint(net), out / work.checkpoint(net).name)]
    drawn = sum(len(pictures(pool)) for pool in work.pools)
    took = (time.monotonic() - begun) / 60
    return f"{drawn} pictures, {', '.join(brought)} in {took:.1f} minutes on {machine.device}"


def until_something_lies_there(work: Work, cutters: Sequence[BaseProcess]) -> None:
    """Of everything that is drawn and cut; without anybody who cuts there will never be any."""
    while not (all(loads(work.cache, net) for net in work.nets if net != "finder") and any(map(pictures, work.pools))):
        if not any(cutter.is_alive() for cutter in cutters):
            raise SystemExit("nothing was cut to learn from: see above for what went wrong")
        time.sleep(0.5)


def begun_from_onnx(work: Work) -> str:
    return train.begin_from_onnx(list(work.pools), [work.checkpoint(net) for net in work.nets])


def learn(net: str, work: Work, machine: Machine, until: float) -> None:
    """One net, from what comes into the cache while it learns. Its feeders begin before the accelerator is touched, and
    what they take to begin is of its time: the rate comes down to nothing when the time is over, and not later."""
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    if net != "finder" and len(loads(work.cache, net)) < MANY_LOADS:
        time.sleep(AHEAD * 60 * work.minutes)
    stream = fed(net, work, machine)
    first = next(stream)
    minutes, workers = max(until - time.time(), 1.0) / 60, machine.feeders[net]
    plan = TrainingPlan(
        work.steps, work.rate, work.checkpoint(net), minutes, machine.device, workers, trunk=0.5, hold=0
    )
    learner = train.new_net(net, plan)
    state = train.begin(learner, copy.deepcopy(learner), plan)
    begun = state.step
    carried = on(machine.device, stream)
    train.run(state, plan, chain([first], carried), WRONG[net])
    carried.close()
    print(f"{net}: {state.step - begun} steps of {machine.batches[net]}", flush=True)


def fed(net: str, work: Work, machine: Machine) -> Batches:
    count, workers = machine.batches[net], machine.feeders[net]
    if net == "finder":
        pools, photos, look = list(work.pools), list(work.photos), finder_data.plainly
        return finder_data.batches(pools, photos, CROP, count, work.first, workers, look, MOSAICS)
    makers: dict[str, Make] = {
        "outliner": FromCache[outliner_data.OutlinedThing](
            work.cache, net, lambda things: outliner_data.batch_of(things, count)
        ),
        "reader": FromCache[reader_data.Stored](work.cache, net, lambda things: reader_data.batch_of(things, count)),
        "dice": FromCache[dice_data.StoredDie](work.cache, net, lambda things: dice_data.batch_of(things, count)),
    }
    return ahead(makers[net], work.first, workers)


def cut_until(work: Work, number: int, hands: int, end: float) -> None:
    """The `number`th of so many that cut: first its share of the photographs and of what is drawn already."""
    os.nice(BEHIND)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    proposals = reader_data.ProposalNets(WEIGHTS)
    for index, photos in enumerate(portions(work.photos[number::hands], BLANK)):
        blanks(work, work.cache / f"blank-{work.first}-{number}-{index}", photos, proposals)
    there = [path for pool in work.pools for path in pictures(pool)][number::hands]
    for index, paths in enumerate(chain(portions(there, PORTION), drawn(work, number, hands))):
        load = work.cache / f"load-{work.first}-{number}-{index:05d}"
        cut(work, load, paths, work.first + number + hands * index, proposals)
        if time.time() > end:  # after the first load, however long it took: the nets wait for one
            return


def portions(paths: Sequence[Path], count: int) -> Iterator[Sequence[Path]]:
    return (paths[start : start + count] for start in range(0, len(paths), count))


def drawn(work: Work, number: int, hands: int) -> Iterator[Sequence[Path]]:
    """Endless: new pictures, each time of another kind of scene."""
    pool = work.pools[-1]
    for turn in range(number, ENDLESS, hands):
        first = work.first + PORTION * turn
        grow(pool, "train", first, PORTION, of=SCENES[(turn + turn // hands) % len(SCENES)])
        yield [path for seed in range(first, first + PORTION) if (path := pool / f"{seed:07d}.jpg").exists()]


def cut(work: Work, load: Path, paths: Sequence[Path], seed: int, proposals: reader_data.ProposalNets) -> None:
    """All that the nets learn from these pictures, and editions laid flat on them."""
    if not paths:
        return
    rng, found = np.random.default_rng(seed), list(paths)
    grounds = [np.asarray(cv2.imread(str(path)), dtype=np.uint8) for path in found]
    if "reader" in work.nets:
        laid = flat.editions(FLAT["reader"], seed, grounds)
        put(load, "reader", [*reader_data.gather(found, rng, proposals=proposals), *laid])
    if "outliner" in work.nets:
        put(load, "outliner", outliner_data.gather(found, rng, finder=proposals.finder))
    if "dice" in work.nets:
        put(load, "dice", [*dice_data.gather(found), *dice_data.editions(FLAT["dice"], seed, grounds)])


def blanks(work: Work, load: Path, photos: Sequence[Path], proposals: reader_data.ProposalNets) -> None:
    """What is taken for pieces where there is none."""
    if "reader" in work.nets:
        put(load, "reader", proposals.mistaken(list(photos)))
    if "outliner" in work.nets:
        put(load, "outliner", outliner_data.mistaken(list(photos), proposals.finder))


def lightened(checkpoint: Path, path: Path) -> bool:
    """The average of the last weights and nothing else."""
    if not checkpoint.exists():
        return False
    torch.save(light(torch.load(checkpoint, map_location="cpu", weights_only=True)["average"]), path)
    return True
