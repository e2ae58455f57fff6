"""`python -m tests.bench stills`: short games in stills, drawn as a camera would see them, without hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from companion_api.commands.console import progress
from companion_api.commands.games import Json
from rules.games import game
from tests.bench.keeping import KeptFigures
from tests.bench.tasks.options import (
    EyesUsed,
    Games,
    Illegal,
    Keep,
    Seed,
    Style,
    Threads,
    WhoseEyes,
    lacking,
    named,
    print_figures,
    real_eyes,
)
from tests.bench.trials.stills import Stills, followed_stills, summary
from tests.bench.trials.without import Sense, Senses
from vision.eyes import Eyes
from vision.gaze import Gaze

EACH = "each"


@dataclass(frozen=True, slots=True)
class ShownStills:
    """What each sequence shows, and whether people put right what was missed."""

    moments: int
    style: str
    helping: bool
    illegal: int

    def __str__(self) -> str:
        helped = ", people helping" if self.helping else ""
        broken = f", {self.illegal} illegal acts" if self.illegal else ""
        return f"{self.moments} stills, {self.style} set{helped}{broken}"


def stills(
    sequences: Annotated[int, typer.Option("--sequences", min=1, max=400, help="sequences per game")] = 1,
    moments: Annotated[int, typer.Option("--moments", min=1, max=4000, help="moments per sequence")] = 5,
    helping: Annotated[bool, typer.Option("--helping", help="people put right what was missed")] = False,
    illegal: Illegal = 0,
    without: Annotated[
        str,
        typer.Option("--without", help="left out: witness, change, nearer, names; each: one by one"),
    ] = "",
    games: Games = "",
    eyes: EyesUsed = WhoseEyes.REAL,
    seed: Seed = 7,
    style: Style = "classic",
    threads: Threads = 2,
    keep: Keep = None,
    as_json: Json = False,
) -> None:
    """Every moment of a random game is drawn, looked at, and judged with all senses or without some of them."""
    names, shown = named(games), ShownStills(moments, style, helping, illegal)
    less = [frozenset[Sense](), *(frozenset({sense}) for sense in Sense)] if without == EACH else [lacking(without)]
    tried = {", ".join(sorted(one)): Senses(one) for one in less}
    looking, kept = real_eyes(eyes, threads), KeptFigures(keep)
    todo = [(name, number) for number in range(seed, seed + sequences) for name in names]
    each = (_followed(name, number, shown, [*tried.values()], looking, kept) for name, number in todo)
    found = list(progress(each, len(todo), "stills"))
    told = {name: [one[number] for one in found] for number, name in enumerate(tried)}
    if len(tried) > 1:
        print_figures({"without": {name or "nothing": summary(one) for name, one in told.items()}}, as_json)
    else:
        only = next(iter(told.values()))
        print_figures({"stills": [one.to_json() for one in only], "all": summary(only)}, as_json)


def _followed(
    name: str, seed: int, shown: ShownStills, senses: Sequence[Senses], eyes: Eyes | None, kept: KeptFigures
) -> list[Stills]:
    """What was measured before is not measured again."""
    told = "" if eyes else ", told what lies there"
    asked = f"{name}: {shown}, seed {seed}{told}, {'; '.join(map(str, senses))}"
    if (before := kept.done(asked)) is not None:
        return [Stills.from_json(one) for one in before["stills"]]
    found = followed_stills(
        game(name), seed, shown.moments, shown.style, Gaze(eyes) if eyes else None, senses, shown.helping, shown.illegal
    )
    kept.keep(asked, {"stills": [one.to_json() for one in found]}, done=True)
    return found
