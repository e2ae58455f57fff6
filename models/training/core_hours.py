"""Core hours of a recipe's steps, estimated and measured. Needs no torch."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from models.training.recipe import Recipe

PER_UNIT: Final[Mapping[str, float]] = {
    "picture": 0.6,
    "finder": 1.0,
    "outliner": 0.40,
    "reader": 0.25,
    "dice": 0.15,
    "fit": 0.65,
    "scene": 0.3,
    "evaluate": 1.7,
}
"""Core seconds of a drawn picture, of a step of each net (with the batches of recipe.toml and its share of cutting and
drawing), and of a picture read. Measured on one core of an AMD EPYC under other load."""
FIT_PASSES: Final = 3
"""Passes over the pool that fits: temperatures, dice fusion, scene net."""


@dataclass(slots=True)
class Ledger:
    """Core seconds by step, kept in a file beside the results."""

    path: Path
    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = _core_seconds()
        print(f"== {name}", flush=True)
        try:
            yield
        finally:
            self.spent[name] = round(self.spent.get(name, 0.0) + _core_seconds() - start, 1)
            self.path.write_text(json.dumps(self.spent, indent=1) + "\n")

    def __str__(self) -> str:
        rows = [f"{seconds / 3600:9.3f} h  {name}" for name, seconds in self.spent.items()]
        return "\n".join([*rows, f"{sum(self.spent.values()) / 3600:9.3f} core hours in all"])


def _core_seconds() -> float:
    """Processor time of this process and of its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def estimate(recipe: Recipe) -> str:
    """Estimated core hours by step, as text."""
    counts: Counter[str] = Counter()
    for part in recipe.pool:
        counts[part.name] += part.count
    rows = {"pictures": counts.total() * PER_UNIT["picture"]}
    rows |= {f"learn {step.net} {step.name}": step.steps * PER_UNIT[step.net] for step in recipe.learn}
    quantised = counts[recipe.quantise.pool] / recipe.quantise.every
    rows["whole numbers and fits"] = (quantised + FIT_PASSES * counts[recipe.fit.pool]) * PER_UNIT["fit"]
    rows["learn scene"] = recipe.fit.scene_steps * PER_UNIT["scene"]
    rows["evaluate"] = counts[recipe.evaluate.pool] * PER_UNIT["evaluate"]
    return str(Ledger(Path(), rows))
