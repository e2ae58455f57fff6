"""Training loops that can be stopped at any moment and go on from the last checkpoint."""

from __future__ import annotations

import copy
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from models.training import dice_data, finder_data, flat, outliner_data, reader_data
from models.training.export import net_of
from models.training.feed import Batch, Batches
from models.training.from_onnx import weights_from_onnx
from models.training.losses import dice_loss, finder_loss, likeness_loss, outliner_loss, reader_loss
from models.training.net import DiceNet, FinderNet, OutlinerNet, ReaderNet
from models.training.pool import pictures
from models.training.trunk import Trunk, learnt
from vision.detect import finder as seeing
from vision.nets import WEIGHTS, open_session

KEPT = 5
"""The reader learns from what it was given at so many last times: to draw and cut pieces takes long."""
Loss = Callable[[nn.Module, Batch], dict[str, Tensor]]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how fast."""

    steps: int
    rate: float
    checkpoint: Path
    minutes: float | None = None
    """Ends after so long, were it before the last step."""
    device: str = "cpu"
    workers: int = 1
    """So many make batches."""
    save_every_s: float = 120.0
    log_every: int = 25
    warm_up: int = 100
    decay: float = 0.02
    trunk: float = 0.3
    """The trunk learns at this share of the rate: it knows most already."""
    hold: int = 2
    """So many of the trunk's stages (and its stem) stay as they are."""
    seed: int = 0
    """Of the weights that start at random, of the pictures' order and of the editions."""


@dataclass(slots=True)
class TrainingState:
    net: nn.Module
    average: nn.Module
    optimiser: torch.optim.Optimizer
    step: int = 0
    began: float = field(default_factory=time.monotonic)

    def done(self, plan: TrainingPlan) -> float:
        """The share of the plan that is behind us."""
        steps = self.step / plan.steps
        return steps if plan.minutes is None else max(steps, (time.monotonic() - self.began) / 60 / plan.minutes)


def begin(net: nn.Module, average: nn.Module, plan: TrainingPlan) -> TrainingState:
    """A fresh state, or the one the checkpoint holds."""
    net.to(plan.device, memory_format=torch.channels_last)
    average.to(plan.device).load_state_dict(net.state_dict())
    state = TrainingState(net, average, torch.optim.AdamW(shares(net, plan), lr=plan.rate, weight_decay=plan.decay))
    if plan.checkpoint.exists():
        saved: dict[str, Any] = torch.load(plan.checkpoint, map_location=plan.device, weights_only=True)
        grown = net.load_state_dict(saved["net"], strict=False)
        average.load_state_dict(saved["average"], strict=False)
        if not grown.missing_keys and same_groups(saved["optimiser"], state.optimiser):
            state.optimiser.load_state_dict(saved["optimiser"])
        state.step = int(saved["step"])
    return state


def same_groups(saved: dict[str, Any], optimiser: torch.optim.Optimizer) -> bool:
    """Whether the momentum is of these weights: one that has grown, or has weights alone, starts anew."""
    mine = [len(group["params"]) for group in optimiser.param_groups]
    return bool(saved["state"]) and [len(group["params"]) for group in saved["param_groups"]] == mine


def shares(net: nn.Module, plan: TrainingPlan) -> list[dict[str, Any]]:
    """What learns, each group with its share of the rate."""
    trunk = getattr(net, "trunk", None)
    if not isinstance(trunk, Trunk):
        return [{"params": list(net.parameters()), "share": 1.0}]
    trunk.hold(plan.hold)
    mine = [each for each in trunk.parameters() if each.requires_grad]
    known = {id(each) for each in trunk.parameters()}
    rest = [each for each in net.parameters() if id(each) not in known]
    return [{"params": mine, "share": plan.trunk}, {"params": rest, "share": 1.0}]


def save(state: TrainingState, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    torch.save(
        {
            "net": state.net.state_dict(),
            "average": state.average.state_dict(),
            "optimiser": state.optimiser.state_dict(),
            "step": state.step,
        },
        draft,
    )
    draft.replace(path)


def rate_at(step: int, done: float, plan: TrainingPlan) -> float:
    """A short rise, then a cosine down to nothing."""
    rise = min(1.0, (step + 1) / plan.warm_up)
    return plan.rate * rise * (0.02 + 0.98 * 0.5 * (1 + math.cos(min(1.0, done) * math.pi)))


@torch.no_grad()
def follow(average: nn.Module, net: nn.Module, step: int) -> None:
    """The average of the last weights sees better than the last weights."""
    keep = min(0.998, (1 + step) / (10 + step))
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if slow.dtype.is_floating_point:
            slow.mul_(keep).add_(fast, alpha=1 - keep)
        else:
            slow.copy_(fast)


def run(
    state: TrainingState, plan: TrainingPlan, stream: Iterator[Batch], loss: Loss, until: int | None = None
) -> None:
    """Up to step `until` (of `plan.steps`); one step at least, however long the pictures took to come."""
    state.net.train()
    saved, counted, last = time.monotonic(), 0, until or plan.steps
    begun = state.step
    sums: dict[str, float] = {}
    while state.step < last and (state.step == begun or state.done(plan) < 1):
        parts = advance(state, plan, {name: value.to(plan.device) for name, value in next(stream).items()}, loss)
        counted += 1
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value)
        if counted == plan.log_every:
            report(state.step, sums, counted)
            sums, counted = {}, 0
        if time.monotonic() - saved > plan.save_every_s:
            save(state, plan.checkpoint)
            saved = time.monotonic()
    save(state, plan.checkpoint)


def advance(state: TrainingState, plan: TrainingPlan, batch: Batch, loss: Loss) -> dict[str, Tensor]:
    for group in state.optimiser.param_groups:
        group["lr"] = group["share"] * rate_at(state.step, state.done(plan), plan)
    parts = loss(state.net, batch)
    state.optimiser.zero_grad(set_to_none=True)
    torch.stack(list(parts.values())).sum().backward()
    nn.utils.clip_grad_norm_(state.net.parameters(), 5.0)
    state.optimiser.step()
    state.step += 1
    follow(state.average, state.net, state.step)
    return {name: value.detach() for name, value in parts.items()}


def report(step: int, sums: dict[str, float], counted: int) -> None:
    text = "  ".join(f"{name} {value / counted:.3f}" for name, value in sums.items())
    print(f"{time.strftime('%H:%M:%S')} step {step}  {text}", flush=True)


def pixels(batch: Batch) -> Tensor:
    return (batch["image"].float() / 255).contiguous(memory_format=torch.channels_last)


def half_length(data: Batch) -> AbstractContextManager[object]:
    """Numbers of half the length on an accelerator, where dense nets learn twice as quickly. Processors are slower with
    them, also those with units for them (AMX, one thread, 64 pictures: 1.08 s a step of the reader instead of 0.61, and
    0.84 s of the outliner instead of 0.39)."""
    on_accelerator = data["image"].device.type == "cuda"
    return torch.autocast("cuda", torch.bfloat16) if on_accelerator else nullcontext()


def answered(net: nn.Module, data: Batch) -> Tensor:
    with half_length(data):
        out: Tensor = net(pixels(data))
    return out.float()


def finder_wrong(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    with half_length(data):
        out, mask = net.with_mask(pixels(data))
    return finder_loss(out.float(), mask.float(), data)


def outliner_wrong(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    return outliner_loss(answered(net, data), data)


def reader_wrong(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    with half_length(data):
        out, embedding = net(pixels(data))
    likeness = likeness_loss(embedding.float(), data["set"], data["same"])
    return reader_loss(out.float(), data) | {"likeness": likeness}


def dice_wrong(net: nn.Module, data: Batch) -> dict[str, Tensor]:
    return dice_loss(answered(net, data), data)


def train_finder(folders: list[Path], negatives: list[Path], plan: TrainingPlan, size: int, batch: int) -> None:
    net = new_net("finder", plan)
    state = begin(net, copy.deepcopy(net), plan)
    stream = finder_data.batches(folders, negatives, size, batch, plan.seed + state.step, plan.workers)

    run(state, plan, stream, finder_wrong)
    stream.close()


def train_outliner(
    folders: list[Path],
    photos: list[Path],
    plan: TrainingPlan,
    batch: int,
    weights: Path | None = None,
    reload_every: int = 900,
) -> None:
    """`weights`: a folder with an exported finder, whose false alarms are learnt from, also those in `photos` that show
    no piece."""
    alarm = seeing.Finder(open_session("finder", 1, weights)) if weights else None
    net = new_net("outliner", plan)
    state = begin(net, copy.deepcopy(net), plan)

    while state.done(plan) < 1:
        items = outliner_data.folder_items(folders, seed=plan.seed + state.step, finder=alarm)
        items += outliner_data.mistaken(photos, alarm) if alarm else []
        print(f"{len(items)} things", flush=True)
        stream = outliner_data.batches(items, batch, plan.seed + state.step, plan.workers)
        run(state, plan, stream, outliner_wrong, until=state.step + reload_every)
        stream.close()


def train_reader(
    folders: list[Path],
    photos: list[Path],
    plan: TrainingPlan,
    batch: int,
    weights: Path | None = None,
    editions: int = 40,
    most: int = 500,
    flats: Path | None = None,
    reload_every: int = 700,
) -> None:
    """Rendered pieces and faces laid flat; from time to time other pictures and new editions. `weights`: a folder with
    an exported finder and outliner, whose mistakes are learnt from. `flats`: a folder of editions drawn beforehand."""
    proposals = reader_data.ProposalNets(weights) if weights else None
    mistaken = proposals.mistaken(photos) if proposals else []
    net = new_net("reader", plan)
    state = begin(net, copy.deepcopy(net), plan)

    kept: deque[list[reader_data.Stored]] = deque(maxlen=KEPT)
    while state.done(plan) < 1:
        items = reader_data.folder_items(folders, seed=plan.seed + state.step, most=most, proposals=proposals)
        if flats is not None and len(list(flats.glob("*.pickle"))) >= editions:
            items += flat.drawn(flats, editions, plan.seed + state.step)
        else:
            items += flat.editions(
                editions, plan.seed + state.step, reader_data.grounds(folders, seed=plan.seed + state.step)
            )
        kept.append(items)
        known = [item for some in kept for item in some]
        print(f"{len(known)} pieces, {len(items)} of them new", flush=True)
        stream = reader_data.batches(known + mistaken, batch, plan.seed + state.step, plan.workers)
        run(state, plan, stream, reader_wrong, until=state.step + reload_every)
        stream.close()


def train_dice(folders: list[Path], plan: TrainingPlan, batch: int, new: int = 150, reload_every: int = 1500) -> None:
    """Dice of rendered tables, also of pictures that are drawn while it learns, and dice laid flat."""
    net = new_net("dice", plan)
    state = begin(net, copy.deepcopy(net), plan)
    rendered: list[dice_data.StoredDie] = []
    gathered: set[Path] = set()

    kept: deque[list[dice_data.StoredDie]] = deque(maxlen=4 * KEPT)
    while state.done(plan) < 1:
        fresh = [path for folder in folders for path in pictures(folder) if path not in gathered]
        gathered.update(fresh)
        rendered += dice_data.gather(fresh)
        kept.append(
            dice_data.editions(new, plan.seed + state.step, reader_data.grounds(folders, seed=plan.seed + state.step))
        )
        known = [*rendered, *(die for some in kept for die in some)]
        print(f"{len(known)} dice, {len(rendered)} of them rendered", flush=True)
        stream = dice_data.batches(known, batch, plan.seed + state.step, plan.workers)
        run(state, plan, stream, dice_wrong, until=state.step + reload_every)
        stream.close()


NETS: Final[Mapping[str, type[nn.Module]]] = {
    "finder": FinderNet,
    "outliner": OutlinerNet,
    "reader": ReaderNet,
    "dice": DiceNet,
}


def new_net(name: str, plan: TrainingPlan) -> nn.Module:
    """A net to fill from the plan's checkpoint, or with random weights and a trunk from ImageNet."""
    torch.manual_seed(plan.seed)
    net = NETS[name]()
    trunk = getattr(net, "trunk", None)
    if isinstance(trunk, Trunk) and not plan.checkpoint.exists():
        learnt(trunk)
    return net


def shown(name: str, folders: list[Path]) -> Batches:
    """What a net is shown, for the norms of weights from a file."""
    if name == "finder":
        return finder_data.batches(folders, [], 384, 8, seed=0)
    if name == "outliner":
        return outliner_data.batches(outliner_data.folder_items(folders, 0, 100), 256, seed=0)
    if name == "dice":
        laid = dice_data.editions(10, 0, reader_data.grounds(folders, seed=0))  # a pool may have no dice
        return dice_data.batches([*dice_data.folder_dice(folders), *laid], 256, seed=0)
    return reader_data.batches(reader_data.folder_items(folders, 0, 100), 256, seed=0)


def begin_from_shipped(name: str, checkpoint: Path, folders: list[Path], weights: Path = WEIGHTS) -> None:
    """A checkpoint at step 0 with the weights of a file."""
    net = NETS[name]()
    stream = shown(name, folders)
    try:
        weights_from_onnx(net, weights / f"{name}.onnx", pixels(next(stream)))
    finally:
        stream.close()
    save(TrainingState(net, copy.deepcopy(net), torch.optim.AdamW(net.parameters(), lr=1e-3)), checkpoint)


def begin_from_onnx(folders: list[Path], checkpoints: Iterable[Path]) -> str:
    """A checkpoint at step 0, from the shipped weights, for every net that has none."""
    made = [path for path in checkpoints if not path.exists()]
    for path in made:
        begin_from_shipped(net_of(path), path, folders)
    return f"begun from weights: {', '.join(path.name for path in made) or 'nothing, all checkpoints are there'}"
