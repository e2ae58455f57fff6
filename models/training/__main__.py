"""Makes the shipped weights from nothing: `python -m models.training all`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import torch

from vision.detect.channels import KINDS
from vision.nets import WEIGHTS

if TYPE_CHECKING:
    from models.training.train import TrainingPlan

RUNS = Path("runs")
FLATS = RUNS / "flat"


def main(argv: list[str] | None = None) -> None:
    args = parser().parse_args(argv)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    TASKS[args.task](args)


def parser() -> argparse.ArgumentParser:
    out = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    out.add_argument("task", choices=tuple(TASKS))
    out.add_argument("--pool", type=Path, nargs="*", default=[RUNS / "pool" / "train"])
    out.add_argument("--negatives", type=Path, help="a folder of photographs without any piece")
    out.add_argument("--weights", type=Path, help="with `compare`: a folder with exported weights, not the shipped")
    out.add_argument("--alarms", type=Path, help="a folder with exported weights, to learn from their false alarms")
    out.add_argument("--stratum", default="train")
    out.add_argument("--first", type=int, default=0, help="first seed of the pool")
    out.add_argument("--count", type=int, default=4000, help="pictures in the pool")
    out.add_argument("--rare", type=int, default=0, help="only scenes with so many pawns, pyramids, dice, cards")
    out.add_argument("--kinds", default="", help="with --rare: scenes of these kinds as well (board,island,...)")
    out.add_argument(
        "--certain", default="", help="with `calibrate`: fit only the certainty of these kinds of pieces (coin,die,...)"
    )
    out.add_argument("--editions", type=int, default=40, help="sets for the reader each time")
    out.add_argument(
        "--of", default="", choices=("crowd", "rivals", "territory", "throws"), help="scenes of a special kind"
    )
    out.add_argument("--samples", type=int, default=6, help="rays a pixel of a path-traced picture")
    out.add_argument("--drawn", action="store_true", help="with `traced`: the same scenes by the rasteriser")
    out.add_argument("--steps", type=int)
    out.add_argument("--minutes", type=float, help="at most this long per net")
    out.add_argument("--nets", default="", help="with `device`: which nets learn, if not all; with `mean`: of which")
    out.add_argument("--device", default="cpu", help="cpu or cuda")
    out.add_argument("--workers", type=int, default=1, help="processes that make batches, where the device is fast")
    out.add_argument("--batch", type=int)
    out.add_argument("--rate", type=float)
    out.add_argument("--size", type=int, default=384, help="side of the finder's crops")
    out.add_argument("--names", default="", help="with `mean`: of which of the net's checkpoints")
    out.add_argument("--shares", default="", help="with `mean`: how much of each")
    out.add_argument("--name", default="v1", help="name of the run's checkpoints")
    out.add_argument("--threads", type=int, default=1, help="more than one only on an idle machine")
    out.add_argument("--out", type=Path, help="where evaluation puts its predictions, and `device` its nets")
    return out


def pool(args: argparse.Namespace) -> None:
    from models.training.pool import grow

    grow(args.pool[0], args.stratum, args.first, args.count, args.rare, args.kinds.split(","), args.of)


def traced(args: argparse.Namespace) -> None:
    """Path-traced pictures of such scenes (needs the extra `traced`), or drawn ones of the same to compare."""
    from models.training.traced.cycles import Effort
    from models.training.traced.grow import LackingError, drawn, grow
    from models.training.traced.grow import traced as tracer

    try:
        light = drawn if args.drawn else tracer(Effort(args.samples, threads=args.threads))
    except LackingError as error:
        raise SystemExit(str(error)) from None
    grow(args.pool[0], args.stratum, args.first, args.count, args.rare, args.kinds.split(","), args.of, light)


def negatives(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    return sorted(path for path in folder.rglob("*") if path.suffix in (".jpg", ".png"))


def plan(args: argparse.Namespace, net: str, steps: int, rate: float) -> TrainingPlan:
    from models.training.train import TrainingPlan

    checkpoint = RUNS / f"{net}-{args.name}.pt"
    return TrainingPlan(args.steps or steps, args.rate or rate, checkpoint, args.minutes, args.device, args.workers)


def finder(args: argparse.Namespace) -> None:
    from models.training.train import train_finder

    train_finder(args.pool, negatives(args.negatives), plan(args, "finder", 4000, 1.5e-3), args.size, args.batch or 4)


def outliner(args: argparse.Namespace) -> None:
    from models.training.train import train_outliner

    photos = negatives(args.negatives)
    train_outliner(args.pool, photos, plan(args, "outliner", 8000, 2e-3), args.batch or 96, args.alarms)


def reader(args: argparse.Namespace, net: str = "reader") -> None:
    from models.training.train import train_reader

    photos = negatives(args.negatives)
    how = plan(args, net, 2400, 1.5e-3)
    train_reader(args.pool, photos, how, args.batch or 64, args.alarms, args.editions, flats=FLATS)


def namer(args: argparse.Namespace) -> None:
    """A reader of other schooling: only what it calls things is heard, beside the reader."""
    reader(args, "namer")


def mean(args: argparse.Namespace) -> None:
    """Of several checkpoints of one net that went different ways from the same weights."""
    from models.training.export import mean_of

    if not (args.nets and args.names and args.out):
        raise SystemExit(
            "say of which net (--nets), of which of its checkpoints (--names, --shares) and where to (--out)"
        )
    shares = dict(zip(args.names.split(","), map(float, args.shares.split(",")), strict=True))
    mean_of({RUNS / f"{args.nets}-{name}.pt": share for name, share in shares.items()}, args.out)


def from_onnx(args: argparse.Namespace) -> None:
    """Checkpoints from begun or shipped weights, for nets that have none: training goes on from what landed."""
    from models.training.train import begin_from_onnx

    print(begin_from_onnx(args.pool, *checkpoints(args)))


def marker(args: argparse.Namespace) -> None:
    from models.training.train import train_marker

    train_marker(args.pool, plan(args, "marker", 12000, 2e-3), args.batch or 32)


def dice(args: argparse.Namespace) -> None:
    from models.training.train import train_dice

    train_dice(args.pool, plan(args, "dice", 12000, 1.5e-3), args.batch or 96)


def checkpoints(args: argparse.Namespace) -> list[Path]:
    from models.training.export import EXPORTS

    return [RUNS / f"{net}-{args.name}.pt" for net in EXPORTS]


def export(args: argparse.Namespace) -> None:
    from models.training.export import export_all

    export_all(checkpoints(args))


def ship(args: argparse.Namespace) -> None:
    from models.training.ship import ship_if_better

    tune, test = RUNS / "pool" / "tune", RUNS / "pool" / "test"
    print(ship_if_better(checkpoints(args), tune, negatives(args.negatives), test, RUNS / "candidate"))


def flat(args: argparse.Namespace) -> None:
    from models.training.flat import grow
    from models.training.reader_data import grounds

    grow(FLATS, args.first, args.count, grounds(args.pool, args.first))


def device(args: argparse.Namespace) -> None:
    from models.training.device import ENDLESS, NETS, Work, everything

    out = args.out or Path(os.environ.get("OUT", RUNS / "device"))
    photos = tuple(negatives(args.negatives))
    nets = tuple(args.nets.split(",")) if args.nets else tuple(NETS)
    if unknown := set(nets) - set(NETS):
        raise SystemExit(f"there is no net called {', '.join(sorted(unknown))}: it is one of {', '.join(NETS)}")
    minutes, steps, rate = args.minutes or 25, args.steps or ENDLESS, args.rate or 1.5e-3
    work = Work(tuple(args.pool), photos, RUNS / "cache", RUNS, args.name, minutes, args.first, steps, nets, rate)
    print(everything(work, out))


def quantise(args: argparse.Namespace) -> None:
    from models.training.pool import pictures
    from models.training.quantise import quantise as make_small

    paths = [path for folder in args.pool for path in pictures(folder)]
    print(make_small(WEIGHTS, paths[: args.count]))


def calibrate(args: argparse.Namespace) -> None:
    """Certainty and temperatures, or only the certainty of the kinds of `--certain`."""
    from models.training.calibrate import calibrate as fit
    from models.training.pool import pictures

    kinds = tuple(filter(None, args.certain.split(",")))
    if unknown := set(kinds) - set(KINDS):
        raise SystemExit(f"there is no kind called {', '.join(sorted(unknown))}: it is one of {', '.join(KINDS)}")
    paths = [path for folder in args.pool for path in pictures(folder)]
    print(fit(paths[: args.count], negatives(args.negatives), kinds=kinds))


def company(args: argparse.Namespace) -> None:
    from models.training.context_weights import fit
    from models.training.pool import pictures

    paths = [path for folder in args.pool for path in pictures(folder)]
    print(fit(paths[: args.count], negatives(args.negatives)))


def trust(args: argparse.Namespace) -> None:
    from models.training.dice_fusion import fit
    from models.training.pool import pictures

    paths = [path for folder in args.pool for path in pictures(folder)]
    print(fit(paths[: args.count]))


def evaluate(args: argparse.Namespace) -> None:
    from models.training.evaluate import evaluate as measure
    from models.training.evaluate import table

    print(table(measure(args.pool, args.out)))


def compare(args: argparse.Namespace) -> None:
    """The eyes on the same scenes in the folders of `--pool`."""
    from models.training.compare import compare as side_by_side
    from models.training.compare import table

    print(table(side_by_side(args.pool, args.weights)))


def card(args: argparse.Namespace) -> None:
    from models.training.card import write

    print(write(args.pool, Path("models/cards"), args.name))


def alarms(args: argparse.Namespace) -> Path:
    """Finder and outliner, as far as they are made, exported for the others to learn from their false alarms."""
    from models.training.export import export_all

    folder = RUNS / "alarms"
    export_all(checkpoints(args)[:2], folder)
    return folder


def everything(args: argparse.Namespace) -> None:
    """From nothing to the shipped weights and their figures on pictures kept aside."""
    aside = min(200, args.count)
    pool(args)
    args.first, args.rare = 100_000, 6
    pool(args)
    args.rare, args.count = 0, args.count // 3
    for args.first, args.of in ((200_000, "crowd"), (300_000, "rivals"), (400_000, "territory"), (500_000, "throws")):
        pool(args)
    finder(args)
    for task in (outliner, reader, namer, marker, dice, export):
        args.alarms = alarms(args)
        task(args)
    args.stratum, args.of, args.count = "test", "", aside
    args.pool, args.first = [RUNS / "pool" / "tune"], 1000
    for task in (pool, quantise, calibrate, company, trust):
        task(args)
    args.pool, args.first = [RUNS / "pool" / "test"], 0
    for task in (pool, evaluate):
        task(args)


TASKS = {
    "pool": pool,
    "traced": traced,
    "from_onnx": from_onnx,
    "flat": flat,
    "device": device,
    "finder": finder,
    "outliner": outliner,
    "reader": reader,
    "namer": namer,
    "mean": mean,
    "marker": marker,
    "dice": dice,
    "export": export,
    "quantise": quantise,
    "calibrate": calibrate,
    "company": company,
    "trust": trust,
    "evaluate": evaluate,
    "compare": compare,
    "card": card,
    "ship": ship,
    "all": everything,
}


if __name__ == "__main__":
    main()
