"""What the steps of a recipe take, in core hours: as estimated, and as it was. Needs no torch."""

from __future__ import annotations

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
    "evaluate": 1.7,
}
"""Core seconds of a picture drawn, of a step of each net (with the batches of recipe.toml, and its share of what is
cut and drawn anew from time to time), and of a picture looked at. Measured on one core of an AMD EPYC that other work
shared."""
LOOKS_TO_FIT: Final = 3
"""Looks at every picture of the pool that fits: temperatures, context, trust in the dice net."""


@dataclass(slots=True)
class Ledger:
    """Core seconds of every step, kept in a file beside what was made."""

    path: Path
    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        before = _core_seconds()
        print(f"== {name}", flush=True)
        try:
            yield
        finally:
            self.spent[name] = round(self.spent.get(name, 0.0) + _core_seconds() - before, 1)
            self.path.write_text(json.dumps(self.spent, indent=1) + "\n")

    def __str__(self) -> str:
        rows = [f"{seconds / 3600:9.3f} h  {name}" for name, seconds in self.spent.items()]
        return "\n".join([*rows, f"{sum(self.spent.values()) / 3600:9.3f} core hours in all"])


def _core_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def estimate(recipe: Recipe) -> str:
    """Core hours by step, from what a unit of each was measured to take."""
    counts: Counter[str] = Counter()
    for part in recipe.pool:
        counts[part.name] += part.count
    rows = {"pictures": counts.total() * PER_UNIT["picture"]}
    rows |= {f"learn {step.net} {step.name}": step.steps * PER_UNIT[step.net] for step in recipe.learn}
    shown = counts[recipe.quantise.pool] / recipe.quantise.every
    rows["whole numbers and fits"] = (shown + LOOKS_TO_FIT * counts[recipe.fit.pool]) * PER_UNIT["fit"]
    rows["evaluate"] = counts[recipe.evaluate.pool] * PER_UNIT["evaluate"]
    return str(Ledger(Path(), rows))
