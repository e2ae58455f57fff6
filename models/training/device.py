"""Short training on a fast machine by one command: most cores draw and cut pictures all the time, and every net learns
on the accelerator from whatever exists by then, all of them at once.

The results are checkpoints without optimiser state: small, ready to be exported or trained on."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.training import augment_batch, dice_data, finder_data, flat, outliner_data, reader_data, train
from models.training.export import without_optimiser
from models.training.feed import Batch, Batches, Make, prefetched, to_device
from models.training.pool import grow, pictures, read_picture
from models.training.recipe import NETS
from models.training.sample_cache import FromCache, loads, put
from models.training.train import Loss, TrainingPlan
from vision.nets import WEIGHTS


def finder_losses(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    """Losses on crops without augmentation, which is done here for the whole batch."""
    with torch.no_grad():
        images = augment_batch.augment_scenes(data["image"])
    return train.finder_losses(net, data | {"image": (255 * images).round().to(torch.uint8)})


LOSSES: Final[Mapping[str, Loss]] = {**train.LOSSES, "finder": finder_losses}
BATCH_OF: Final[Mapping[str, Callable[[list[Any], int], Make]]] = {
    "outliner": outliner_data.batch_of, "reader": reader_data.batch_of, "dice": dice_data.batch_of,
}  # fmt: skip
"""How batches of so many are made of the cut samples of a net."""
PICTURES_PER_LOAD: Final = 8
"""Pictures of one load."""
SCENES: Final = (
    *("", "", "crowd", "", "", "territory", "", "throws"),
    *("", "", "rivals", "carried", "territory", "crowd", "carried", "throws"),
)
"""Kinds of scenes of the loads, in turn. Few figures of other games: where one picture in eight shows them, blank coins
are doubted."""
FLAT_EDITIONS: Final = {"reader": 4, "dice": 6}
"""Flat editions of each load."""
PHOTOS_PER_LOAD: Final = 6
"""Photographs without pieces of one load."""
CUT_AHEAD_SHARE: Final = 0.09
"""Share of the time in which samples are cut before the nets for crops begin."""
MANY_LOADS: Final = 20
"""Loads of an earlier run from which the nets begin at once."""
CUTTER_NICENESS: Final = 10
"""Niceness of the cutting processes: batches come first."""
UNLIMITED: Final = 1_000_000
CROP_SIDE: Final = 512
"""Side of the finder's crops: large enough for a whole board on much cloth."""
MOSAIC_SHARE: Final = 0.6
"""Share of these that are made of four smaller ones."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine: device, processes that cut, and of each net processes that make batches and batch size."""

    device: str
    cutters: int
    feeders: dict[str, int]
    batches: dict[str, int]
    parallel_nets: int
    """Nets that are trained at the same time."""


def this_machine() -> Machine:
    cores = os.cpu_count() or 1
    if torch.cuda.is_available():
        feeders = {"finder": 8, "outliner": 2, "reader": 2, "dice": 1}
        batches = {"finder": 48, "outliner": 768, "reader": 768, "dice": 768}
        return Machine("cuda", max(2, cores - 3), feeders, batches, len(NETS))
    batches = {"finder": 2, "outliner": 96, "reader": 64, "dice": 96}
    return Machine("cpu", max(1, cores - 1), dict.fromkeys(NETS, 1), batches, 1)


@dataclass(frozen=True, slots=True)
class DeviceRun:
    """Folders, duration and nets of a run."""

    pools: tuple[Path, ...]
    """Drawn pictures go to the last of them; pictures of all are cut."""
    photos: tuple[Path, ...]
    cache: Path
    runs: Path
    name: str
    minutes: float
    first: int
    """Seed of the first picture that is drawn."""
    steps: int = UNLIMITED
    nets: tuple[str, ...] = NETS
    rate: float = 1.5e-3

    def checkpoint(self, net: str) -> Path:
        return self.runs / f"{net}-{self.name}.pt"


def train_all(work: DeviceRun, out: Path, machine: Machine | None = None) -> str:
    """Train from the checkpoints or the shipped weights, and write the results to `out`; returns a summary."""
    start_time, machine = time.monotonic(), machine or this_machine()
    context = multiprocessing.get_context("spawn")
    end = time.time() + 60 * work.minutes
    cutters = [
        context.Process(target=cut_until, args=(work, number, machine.cutters, end), daemon=True)
        for number in range(machine.cutters)
    ]
    for cutter in cutters:
        cutter.start()
    wait_for_samples(work, cutters)
    print(train.begin_from_onnx(list(work.pools), [work.checkpoint(net) for net in work.nets]), flush=True)
    for start in range(0, len(work.nets), machine.parallel_nets):
        now, nets = time.time(), work.nets[start : start + machine.parallel_nets]
        until = now + (end - now) * min(1.0, machine.parallel_nets / (len(work.nets) - start))
        learners = [context.Process(target=learn, args=(net, work, machine, until)) for net in nets]
        for learner in learners:
            learner.start()
        for learner in learners:
            learner.join()
    for cutter in cutters:
        cutter.terminate()
    out.mkdir(parents=True, exist_ok=True)
    written = [net for net in work.nets if write_average(work.checkpoint(net), out / work.checkpoint(net).name)]
    minutes = (time.monotonic() - start_time) / 60
    return f"{len(pictures(*work.pools))} pictures, {', '.join(written)} in {minutes:.1f} minutes on {machine.device}"


def wait_for_samples(work: DeviceRun, cutters: Sequence[BaseProcess]) -> None:
    """Wait until every net has samples; ends the program if all cutting processes have died."""
    while not (all(loads(work.cache, net) for net in work.nets if net != "finder") and any(map(pictures, work.pools))):
        if not any(cutter.is_alive() for cutter in cutters):
            raise SystemExit("nothing was cut to learn from: see above for what went wrong")
        time.sleep(0.5)


def learn(net: str, work: DeviceRun, machine: Machine, until: float) -> None:
    """Train one net from the samples in the cache. Its workers start before the accelerator is used, and their start
    counts as its time: the learning rate reaches zero when the time is over, and not later."""
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    if net != "finder" and len(loads(work.cache, net)) < MANY_LOADS:
        time.sleep(CUT_AHEAD_SHARE * 60 * work.minutes)
    stream = batches_of(net, work, machine)
    first = next(stream)
    minutes, workers = max(until - time.time(), 1.0) / 60, machine.feeders[net]
    plan = TrainingPlan(
        work.steps, work.rate, work.checkpoint(net), minutes, machine.device, workers, trunk_rate=0.5, frozen_stages=0
    )
    state = train.begin(train.new_net(net, plan), plan)
    first_step = state.step
    with closing(to_device(machine.device, stream)) as copied:
        train.run(state, plan, chain([first], copied), LOSSES[net])
    print(f"{net}: {state.step - first_step} steps of {machine.batches[net]}", flush=True)


def batches_of(net: str, work: DeviceRun, machine: Machine) -> Batches:
    count, workers = machine.batches[net], machine.feeders[net]
    if net == "finder":
        pools, photos, augment = list(work.pools), list(work.photos), finder_data.compressed_only
        return finder_data.batches(pools, photos, CROP_SIDE, count, work.first, workers, augment, MOSAIC_SHARE)
    make_from = BATCH_OF[net]
    return prefetched(FromCache[Any](work.cache, net, lambda items: make_from(items, count)), work.first, workers)


def cut_until(work: DeviceRun, number: int, cutters: int, end: float) -> None:
    """Work of the `number`th of `cutters` cutting processes until `end`: first its share of the photographs and of the
    existing pictures."""
    os.nice(CUTTER_NICENESS)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    proposals = reader_data.ProposalNets(WEIGHTS)
    for index, photos in enumerate(portions(work.photos[number::cutters], PHOTOS_PER_LOAD)):
        cut_blanks(work, work.cache / f"blank-{work.first}-{number}-{index}", photos, proposals)
    existing = pictures(*work.pools)[number::cutters]
    for index, paths in enumerate(chain(portions(existing, PICTURES_PER_LOAD), drawn(work, number, cutters))):
        load = work.cache / f"load-{work.first}-{number}-{index:05d}"
        cut(work, load, paths, work.first + number + cutters * index, proposals)
        if time.time() > end:  # after the first load at the earliest: the nets wait for one
            return


def portions(paths: Sequence[Path], count: int) -> Iterator[Sequence[Path]]:
    return (paths[start : start + count] for start in range(0, len(paths), count))


def drawn(work: DeviceRun, number: int, cutters: int) -> Iterator[Sequence[Path]]:
    """Endless lists of new pictures, each of another kind of scene."""
    pool = work.pools[-1]
    for turn in range(number, UNLIMITED, cutters):
        first = work.first + PICTURES_PER_LOAD * turn
        grow(pool, "train", first, PICTURES_PER_LOAD, of=SCENES[(turn + turn // cutters) % len(SCENES)])
        yield [path for seed in range(first, first + PICTURES_PER_LOAD) if (path := pool / f"{seed:07d}.jpg").exists()]


def cut(work: DeviceRun, load: Path, paths: Sequence[Path], seed: int, proposals: reader_data.ProposalNets) -> None:
    """Cut the samples of all nets from these pictures, and draw flat editions on them."""
    if not paths:
        return
    rng, found = np.random.default_rng(seed), list(paths)
    grounds = [read_picture(path) for path in found]
    if "reader" in work.nets:
        flat_faces = flat.editions(FLAT_EDITIONS["reader"], seed, grounds)
        put(load, "reader", [*reader_data.gather(found, rng, proposals=proposals), *flat_faces])
    if "outliner" in work.nets:
        put(load, "outliner", outliner_data.gather(found, rng, finder=proposals.finder))
    if "dice" in work.nets:
        put(load, "dice", [*dice_data.gather(found), *dice_data.editions(FLAT_EDITIONS["dice"], seed, grounds)])


def cut_blanks(work: DeviceRun, load: Path, photos: Sequence[Path], proposals: reader_data.ProposalNets) -> None:
    """Cut the false alarms in photographs without pieces."""
    if "reader" in work.nets:
        put(load, "reader", proposals.false_alarms_of(list(photos)))
    if "outliner" in work.nets:
        put(load, "outliner", outliner_data.false_alarms(list(photos), proposals.finder))


def write_average(checkpoint: Path, path: Path) -> bool:
    """Write the averaged weights of a checkpoint, if it exists; returns whether it does."""
    if not checkpoint.exists():
        return False
    torch.save(without_optimiser(torch.load(checkpoint, map_location="cpu", weights_only=True)["average"]), path)
    return True
