"""Follows a recipe: pictures, nets, means, export, whole numbers, fits, figures. Whatever is made already is kept, so a
run can be stopped at any moment and goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from models.training import calibrate, context_weights, dice_fusion, train
from models.training.core_hours import Ledger
from models.training.evaluate import evaluate, table
from models.training.export import export_all, mean_of
from models.training.pool import grow, pictures
from models.training.quantise import quantise
from models.training.recipe import LearnStep, Recipe
from models.training.train import TrainingPlan


def follow(recipe: Recipe, folder: Path, photos: Sequence[Path]) -> str:
    """Makes the weights of a recipe in `folder`/weights; says its figures and what it took. `photos`: photographs
    without any piece."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger_path = folder / "core-seconds.json"
    ledger = Ledger(ledger_path, json.loads(ledger_path.read_text()) if ledger_path.exists() else {})
    pools = {part.name: folder / "pool" / part.name for part in recipe.pool}
    for part in recipe.pool:
        with ledger.step(f"pool {part.name}, {part.of or 'any scene'}{', rare' * bool(part.rare)}"):
            grow(pools[part.name], part.stratum, part.first, part.count, part.rare, of=part.of)
    weights, alarms = folder / "weights", folder / "alarms"
    made: list[Path] = []
    for step in recipe.learn:
        with ledger.step(f"learn {step.net} {step.name}"):
            if step.alarms:
                export_all([path for path in made if path.name.startswith(("finder", "outliner"))], alarms, "alarms")
            learn(step, folder, [pools[step.pool]], photos, alarms if step.alarms else None)
            made.append(folder / step.checkpoint)
    for mix in recipe.mix:
        mean_of(
            {folder / f"{mix.net}-{name}.pt": share for name, share in mix.of.items()}, folder / f"{mix.net}-mix.pt"
        )
        made = [path for path in made if not path.name.startswith(mix.net)] + [folder / f"{mix.net}-mix.pt"]
    tune = pictures(pools[recipe.fit.pool])
    with ledger.step("export and whole numbers"):
        export_all(made, weights, recipe.digest)
        nets = {path.name.split("-")[0] for path in made} & set(recipe.quantise.nets)
        print(quantise(weights, pictures(pools[recipe.quantise.pool])[:: recipe.quantise.every], nets))
    for name, fit in FITS.items():
        with ledger.step(f"fit {name}"):
            print(fit(tune, list(photos), weights))
    with ledger.step("evaluate"):
        figures = table(evaluate([pools[recipe.evaluate.pool]], weights=weights))
    return f"{figures}\n{ledger}\n{weights}: made by recipe {recipe.name}, {recipe.digest[:12]}"


FITS: Final[Mapping[str, Callable[[list[Path], list[Path], Path], Mapping[str, float]]]] = {
    "temperatures and certainty": calibrate.calibrate,
    "context": context_weights.fit,
    "dice": lambda paths, _, folder: dice_fusion.fit(paths, folder),
}


def learn(step: LearnStep, folder: Path, pools: list[Path], photos: Sequence[Path], alarms: Path | None) -> None:
    """One net, from its checkpoint where there is one."""
    checkpoint = folder / step.checkpoint
    if step.begin == "shipped" and not checkpoint.exists():
        train.begin_from_shipped(step.net, checkpoint, pools)
    teach(step, pools, photos, TrainingPlan(step.steps, step.rate, checkpoint, seed=step.seed), alarms)


def teach(
    step: LearnStep,
    pools: list[Path],
    photos: Sequence[Path],
    plan: TrainingPlan,
    alarms: Path | None = None,
    flats: Path | None = None,
) -> None:
    """Trains the step's net as the plan says."""
    negatives = list(photos)

    ways: dict[str, Callable[[], None]] = {
        "finder": lambda: train.train_finder(pools, negatives, plan, step.size, step.batch),
        "outliner": lambda: train.train_outliner(pools, negatives, plan, step.batch, alarms),
        "reader": lambda: train.train_reader(pools, negatives, plan, step.batch, alarms, step.editions, flats=flats),
        "dice": lambda: train.train_dice(pools, plan, step.batch),
    }
    ways[step.net]()
