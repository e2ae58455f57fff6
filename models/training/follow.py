"""Follows a recipe: pictures, nets, means, export, quantisation, fits, figures. Whatever exists is kept, so a run can
be stopped at any time and resumed. Ships weights only where they score better than the shipped ones."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from models.training import train
from models.training.calibrate import calibrate, fit_dice
from models.training.core_hours import Ledger
from models.training.evaluate import evaluate, table
from models.training.export import export_all, mean_of, net_of
from models.training.pool import grow, pictures
from models.training.quantise import quantise
from models.training.recipe import LearnStep, Recipe
from models.training.scene import fit_scene
from models.training.train import TrainingPlan
from vision.nets import WEIGHTS

QUANTISE_EVERY: Final = 5
"""Of the pictures of a candidate's pool, every so manieth gives value ranges."""


def follow(recipe: Recipe, folder: Path, photos: Sequence[Path]) -> str:
    """Make the weights of a recipe in `folder`/weights; returns their figures and the core hours. `photos`: photographs
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
        nets = {net_of(path) for path in made} & set(recipe.quantise.nets)
        print(quantise(weights, pictures(pools[recipe.quantise.pool])[:: recipe.quantise.every], nets))
    with ledger.step("fit temperatures and certainty"):
        print(calibrate(tune, list(photos), weights))
    with ledger.step("fit dice"):
        print(fit_dice(tune, weights))
    with ledger.step("learn scene"):
        print(fit_scene(tune, photos, weights, recipe.fit.scene_steps))
    with ledger.step("evaluate"):
        figures = table(evaluate([pools[recipe.evaluate.pool]], weights=weights))
    return f"{figures}\n{ledger}\n{weights}: made by recipe {recipe.name}, {recipe.digest[:12]}"


def learn(step: LearnStep, folder: Path, pools: list[Path], photos: Sequence[Path], alarms: Path | None) -> None:
    """Train one net in `folder`, from its checkpoint where there is one."""
    checkpoint = folder / step.checkpoint
    if step.begin == "shipped":
        train.begin_from_onnx(pools, [checkpoint])
    teach(step, pools, photos, TrainingPlan(step.steps, step.rate, checkpoint, seed=step.seed), alarms)


def teach(
    step: LearnStep,
    pools: list[Path],
    photos: Sequence[Path],
    plan: TrainingPlan,
    alarms: Path | None = None,
    flats: Path | None = None,
) -> None:
    """Train the step's net by the plan."""
    negatives = list(photos)
    if step.net == "finder":
        train.train_finder(pools, negatives, plan, step.size, step.batch)
    elif step.net == "outliner":
        train.train_outliner(pools, negatives, plan, step.batch, alarms)
    elif step.net == "reader":
        train.train_reader(pools, negatives, plan, step.batch, alarms, step.editions, flats=flats)
    else:
        train.train_dice(pools, plan, step.batch)


def candidate_from(checkpoints: list[Path], tune: Path, photos: list[Path], folder: Path) -> Path:
    """Export, quantise and calibrate on the pictures of `tune` (and `photos` without any piece) into `folder`, beside
    the shipped weights of other nets."""
    shutil.copytree(WEIGHTS, folder, dirs_exist_ok=True)
    export_all(checkpoints, folder)
    made = {net_of(path) for path in checkpoints if path.exists()}
    quantise(folder, pictures(tune)[::QUANTISE_EVERY], made)
    calibrate(pictures(tune), photos, folder)
    return folder


def ship_if_better(candidate: Path, test: Path) -> str:
    """Replace the shipped weights by the candidate if it has more merit on the pictures of `test`; returns both."""
    new = merit(evaluate([test], weights=candidate)["all"])
    old = merit(evaluate([test])["all"]) if (WEIGHTS / "registry.json").exists() else None
    if old is not None and new <= old:
        return f"kept: {old:.4f} (candidate {new:.4f})"
    for path in candidate.iterdir():
        shutil.copy(path, WEIGHTS / path.name)
    return f"shipped: {new:.4f} (before {old or 0:.4f})"


def merit(figures: Mapping[str, float]) -> float:
    """F1 score of detection times the share of right identities."""
    precision, recall = figures["precision"], figures["recall"]
    if not precision + recall:
        return 0.0
    return 2 * precision * recall / (precision + recall) * figures["identity"]
