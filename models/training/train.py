"""Training loops, which can be stopped at any time and resumed from the last checkpoint."""

import copy
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from inspect import unwrap
from itertools import chain
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from models.training import dice_data, finder_data, flat, outliner_data, reader_data
from models.training.export import NETS, net_of
from models.training.feed import Batch, Batches, prefetched
from models.training.from_onnx import weights_from_onnx
from models.training.losses import dice_loss, finder_loss, likeness_loss, outliner_loss, reader_loss
from models.training.pool import pictures
from models.training.trunk import Trunk, load_imagenet
from vision.detect.finder import Finder
from vision.nets import WEIGHTS, open_session

ROUNDS_KEPT = 5
"""Rounds of samples that the reader learns from: drawing and cutting pieces is slow."""
GRADIENT_LIMIT = 5.0
Loss = Callable[[nn.Module, Batch], dict[str, Tensor]]


class AdamW(torch.optim.AdamW):
    """AdamW without the decorators that load torch's compiler on the first call: 150 MB and a second."""

    step = torch.no_grad()(unwrap(torch.optim.AdamW.step))


for name in ("add_param_group", "load_state_dict", "state_dict", "zero_grad"):
    setattr(AdamW, name, unwrap(getattr(torch.optim.AdamW, name)))


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Duration and learning rate of a training run."""

    steps: int
    rate: float
    checkpoint: Path
    minutes: float | None = None
    """Time limit, if it ends before the last step."""
    device: str = "cpu"
    workers: int = 1
    """Processes that make batches."""
    save_every_s: float = 120.0
    log_every: int = 25
    warm_up: int = 100
    decay: float = 0.02
    trunk_rate: float = 0.3
    """Learning rate of the pretrained trunk, as a share of `rate`."""
    frozen_stages: int = 2
    """First stages of the trunk that are frozen, with its stem."""
    seed: int = 0
    """Of the initial weights, of the pictures' order and of the editions."""


@dataclass(slots=True)
class TrainingState:
    net: nn.Module
    average: nn.Module
    optimiser: torch.optim.Optimizer
    step: int = 0
    began: float = field(default_factory=time.monotonic)

    def progress(self, plan: TrainingPlan) -> float:
        """The finished share of the plan."""
        steps = self.step / plan.steps
        return steps if plan.minutes is None else max(steps, (time.monotonic() - self.began) / 60 / plan.minutes)


def begin(net: nn.Module, plan: TrainingPlan) -> TrainingState:
    """A new state, or that of the checkpoint."""
    average = copy.deepcopy(net)
    net.to(plan.device, memory_format=torch.channels_last)
    average.to(plan.device).load_state_dict(net.state_dict())
    optimiser = AdamW(parameter_groups(net, plan), lr=plan.rate, weight_decay=plan.decay)
    state = TrainingState(net, average, optimiser)
    if plan.checkpoint.exists():
        saved: dict[str, Any] = torch.load(plan.checkpoint, map_location=plan.device, weights_only=True)
        loaded = net.load_state_dict(saved["net"], strict=False)
        average.load_state_dict(saved["average"], strict=False)
        if not loaded.missing_keys and has_same_groups(saved["optimiser"], optimiser):
            optimiser.load_state_dict(saved["optimiser"])
        state.step = int(saved["step"])
    return state


def has_same_groups(saved: dict[str, Any], optimiser: torch.optim.Optimizer) -> bool:
    """Whether a saved optimiser state fits; that of a smaller net, or of weights alone, does not."""
    sizes = [len(group["params"]) for group in optimiser.param_groups]
    return bool(saved["state"]) and [len(group["params"]) for group in saved["param_groups"]] == sizes


def parameter_groups(net: nn.Module, plan: TrainingPlan) -> list[dict[str, Any]]:
    """Trainable parameters, each group with its share of the learning rate."""
    trunk = getattr(net, "trunk", None)
    if not isinstance(trunk, Trunk):
        return [{"params": list(net.parameters()), "share": 1.0}]
    trunk.freeze(plan.frozen_stages)
    trainable = [each for each in trunk.parameters() if each.requires_grad]
    in_trunk = {id(each) for each in trunk.parameters()}
    rest = [each for each in net.parameters() if id(each) not in in_trunk]
    return [{"params": trainable, "share": plan.trunk_rate}, {"params": rest, "share": 1.0}]


def save(state: TrainingState, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    checkpoint = {name: getattr(state, name).state_dict() for name in ("net", "average", "optimiser")}
    torch.save(checkpoint | {"step": state.step}, draft)
    draft.replace(path)


def rate_at(step: int, progress: float, plan: TrainingPlan) -> float:
    """Learning rate: linear warm-up, then cosine decay towards zero."""
    rise = min(1.0, (step + 1) / plan.warm_up)
    return plan.rate * rise * (0.02 + 0.98 * 0.5 * (1 + math.cos(min(1.0, progress) * math.pi)))


@torch.no_grad()
def update_average(average: nn.Module, net: nn.Module, step: int) -> None:
    """Exponential moving average of the weights, which reads better than the last weights."""
    keep = min(0.998, (1 + step) / (10 + step))
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if slow.dtype.is_floating_point:
            slow.mul_(keep).add_(fast, alpha=1 - keep)
        else:
            slow.copy_(fast)


def run(
    state: TrainingState, plan: TrainingPlan, stream: Iterator[Batch], loss: Loss, until: int | None = None
) -> None:
    """Train up to step `until` (default: `plan.steps`); at least one step, however long its batch took."""
    state.net.train()
    saved_at, counted, last = time.monotonic(), 0, until or plan.steps
    first = state.step
    sums: dict[str, float] = {}
    while state.step < last and (state.step == first or state.progress(plan) < 1):
        parts = advance(state, plan, {name: value.to(plan.device) for name, value in next(stream).items()}, loss)
        counted += 1
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value)
        if counted == plan.log_every:
            text = "  ".join(f"{name} {value / counted:.3f}" for name, value in sums.items())
            print(f"{time.strftime('%H:%M:%S')} step {state.step}  {text}", flush=True)
            sums, counted = {}, 0
        if time.monotonic() - saved_at > plan.save_every_s:
            save(state, plan.checkpoint)
            saved_at = time.monotonic()
    save(state, plan.checkpoint)


def advance(state: TrainingState, plan: TrainingPlan, batch: Batch, loss: Loss) -> dict[str, Tensor]:
    """One step of the optimiser; returns the losses by name."""
    for group in state.optimiser.param_groups:
        group["lr"] = group["share"] * rate_at(state.step, state.progress(plan), plan)
    parts = loss(state.net, batch)
    torch.stack(list(parts.values())).sum().backward()
    nn.utils.clip_grad_norm_(state.net.parameters(), GRADIENT_LIMIT)
    state.optimiser.step()
    state.optimiser.zero_grad(set_to_none=True)
    state.step += 1
    update_average(state.average, state.net, state.step)
    return {name: value.detach() for name, value in parts.items()}


def pixels(batch: Batch) -> Tensor:
    """The images of a batch as floats from 0 to 1."""
    return (batch["image"].float() / 255).contiguous(memory_format=torch.channels_last)


def half_precision(batch: Batch) -> AbstractContextManager[object]:
    """bfloat16 on an accelerator, where dense nets learn twice as fast. Processors are slower with it, also those with
    units for it (AMX, one thread, 64 pictures: 1.08 s a step of the reader instead of 0.61, and 0.84 s of the outliner
    instead of 0.39)."""
    on_accelerator = batch["image"].device.type == "cuda"
    return torch.autocast("cuda", torch.bfloat16) if on_accelerator else nullcontext()


def finder_losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    with half_precision(batch):
        out, mask = net.with_mask(pixels(batch))
    return finder_loss(out.float(), mask.float(), batch)


def reader_losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    with half_precision(batch):
        out, embedding = net(pixels(batch))
    likeness = likeness_loss(embedding.float(), batch["set"], batch["same"])
    return reader_loss(out.float(), batch) | {"likeness": likeness}


def outputs(net: nn.Module, batch: Batch) -> Tensor:
    with half_precision(batch):
        return net(pixels(batch)).float()


LOSSES: Final[Mapping[str, Loss]] = {
    "finder": finder_losses,
    "outliner": lambda net, batch: outliner_loss(outputs(net, batch), batch),
    "reader": reader_losses,
    "dice": lambda net, batch: dice_loss(outputs(net, batch), batch),
}


def train(name: str, plan: TrainingPlan, stream_at: Callable[[int], Batches], round_steps: int | None = None) -> None:
    """Train a net in rounds of `round_steps` (default: one round). `stream_at`: batches of a round by its seed."""
    state = begin(new_net(name, plan), plan)
    while state.progress(plan) < 1:
        with closing(stream_at(plan.seed + state.step)) as stream:
            run(state, plan, stream, LOSSES[name], until=round_steps and state.step + round_steps)


def train_finder(folders: list[Path], negatives: list[Path], plan: TrainingPlan, size: int, batch: int) -> None:
    train("finder", plan, lambda seed: finder_data.batches(folders, negatives, size, batch, seed, plan.workers))


def train_outliner(
    folders: list[Path], photos: list[Path], plan: TrainingPlan, batch: int, weights: Path | None = None
) -> None:
    """`weights`: a folder with an exported finder, whose false alarms are hard negatives, also those in `photos`
    without pieces."""
    finder = Finder(open_session("finder", 1, weights)) if weights else None

    def stream_at(seed: int) -> Batches:
        things = outliner_data.folder_items(folders, seed=seed, finder=finder)
        things += outliner_data.false_alarms(photos, finder) if finder else []
        print(f"{len(things)} things", flush=True)
        return prefetched(outliner_data.batch_of(things, batch), seed, plan.workers)

    train("outliner", plan, stream_at, round_steps=900)


def train_reader(
    folders: list[Path],
    photos: list[Path],
    plan: TrainingPlan,
    batch: int,
    weights: Path | None = None,
    editions: int = 40,
    flats: Path | None = None,
) -> None:
    """Rendered pieces and flat faces; every round adds other pictures and new editions. `weights`: a folder with an
    exported finder and outliner, whose false alarms are hard negatives. `flats`: a folder of editions drawn before."""
    proposals = reader_data.ProposalNets(weights) if weights else None
    negatives = proposals.false_alarms_of(photos) if proposals else []
    rounds: deque[list[reader_data.Stored]] = deque(maxlen=ROUNDS_KEPT)

    def stream_at(seed: int) -> Batches:
        items = reader_data.folder_items(folders, seed=seed, max_pictures=500, proposals=proposals)
        if flats is not None and len(list(flats.glob("*.pickle"))) >= editions:
            items += flat.drawn(flats, editions, seed)
        else:
            items += flat.editions(editions, seed, reader_data.grounds(folders, seed=seed))
        rounds.append(items)
        known = list(chain.from_iterable(rounds))
        print(f"{len(known)} pieces, {len(items)} of them new", flush=True)
        return prefetched(reader_data.batch_of(known + negatives, batch), seed, plan.workers)

    train("reader", plan, stream_at, round_steps=700)


def train_dice(folders: list[Path], plan: TrainingPlan, batch: int, new: int = 150) -> None:
    """Dice of rendered tables, also of pictures added meanwhile, and flat dice of `new` editions each round."""
    rendered: list[dice_data.StoredDie] = []
    gathered: set[Path] = set()
    rounds: deque[list[dice_data.StoredDie]] = deque(maxlen=4 * ROUNDS_KEPT)

    def stream_at(seed: int) -> Batches:
        fresh = [path for path in pictures(*folders) if path not in gathered]
        gathered.update(fresh)
        rendered.extend(dice_data.gather(fresh))
        rounds.append(dice_data.editions(new, seed, reader_data.grounds(folders, seed=seed)))
        known = [*rendered, *chain.from_iterable(rounds)]
        print(f"{len(known)} dice, {len(rendered)} of them rendered", flush=True)
        return prefetched(dice_data.batch_of(known, batch), seed, plan.workers)

    train("dice", plan, stream_at, round_steps=1500)


def new_net(name: str, plan: TrainingPlan) -> nn.Module:
    """A net to fill from the plan's checkpoint, or with random weights and a trunk from ImageNet."""
    torch.manual_seed(plan.seed)
    net = NETS[name].net()
    trunk = getattr(net, "trunk", None)
    if isinstance(trunk, Trunk) and not plan.checkpoint.exists():
        load_imagenet(trunk)
    return net


def example_batches(name: str, folders: list[Path]) -> Batches:
    """Inputs of a net, for the norms of weights from a file."""
    if name == "finder":
        return finder_data.batches(folders, [], 384, 8, seed=0)
    if name == "outliner":
        make = outliner_data.batch_of(outliner_data.folder_items(folders, 0, 100), 256)
    elif name == "dice":
        laid = dice_data.editions(10, 0, reader_data.grounds(folders, seed=0))  # a pool may have no dice
        make = dice_data.batch_of([*dice_data.gather(pictures(*folders)), *laid], 256)
    else:
        make = reader_data.batch_of(reader_data.folder_items(folders, 0, 100), 256)
    return prefetched(make, 0)


def begin_from_shipped(name: str, checkpoint: Path, example: Batch, rate: float = 1e-3) -> None:
    """Write a checkpoint at step 0 with the shipped weights. `example`: a batch of the net's inputs."""
    net = NETS[name].net()
    weights_from_onnx(net, WEIGHTS / f"{name}.onnx", pixels(example))
    save(TrainingState(net, copy.deepcopy(net), AdamW(net.parameters(), lr=rate)), checkpoint)


def begin_from_onnx(folders: list[Path], checkpoints: Iterable[Path]) -> str:
    """A checkpoint at step 0 with the shipped weights for every net that has none; returns their names."""
    made = [path for path in checkpoints if not path.exists()]
    for path in made:
        with closing(example_batches(net_of(path), folders)) as stream:
            begin_from_shipped(net_of(path), path, next(stream))
    return f"begun from weights: {', '.join(path.name for path in made) or 'nothing, all checkpoints are there'}"
