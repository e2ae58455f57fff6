"""New weights replace the shipped ones only when they see better on pictures kept aside."""

from __future__ import annotations

import shutil
from pathlib import Path

from models.training.calibrate import calibrate
from models.training.evaluate import evaluate
from models.training.export import export_all, net_of
from models.training.pool import pictures
from models.training.quantise import quantise
from vision.nets import WEIGHTS

Figures = dict[str, float]
SHOWN = 5
"""One picture in so many shows what numbers run through the nets."""


def candidate_from(checkpoints: list[Path], tune: Path, photos: list[Path], folder: Path) -> Path:
    """Exports, quantises and calibrates on the pictures of `tune` (and `photos` without any piece), beside what is
    shipped of other nets."""
    shutil.copytree(WEIGHTS, folder, dirs_exist_ok=True)
    export_all(checkpoints, folder)
    made = {net_of(path) for path in checkpoints if path.exists()}
    quantise(folder, pictures(tune)[::SHOWN], made)
    calibrate(pictures(tune), photos, folder)
    return folder


def ship_if_better(candidate: Path, test: Path) -> str:
    """Compares on the pictures of `test`."""
    new = evaluate([test], weights=candidate)["all"]
    old = evaluate([test])["all"] if (WEIGHTS / "registry.json").exists() else None
    if old is not None and merit(new) <= merit(old):
        return f"kept: {merit(old):.4f} (candidate {merit(new):.4f})"
    for path in candidate.iterdir():
        shutil.copy(path, WEIGHTS / path.name)
    return f"shipped: {merit(new):.4f} (before {merit(old) if old else 0:.4f})"


def merit(figures: Figures) -> float:
    """The share of pieces found and rightly named, spoilt by what was made up."""
    precision, recall = figures["precision"], figures["recall"]
    if not precision + recall:
        return 0.0
    return 2 * precision * recall / (precision + recall) * figures["identity"]
