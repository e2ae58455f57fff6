"""`python -m tests.bench journeys`: whole games filmed with hands, and what the referee said of each turn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from companion_api.commands.console import progress
from companion_api.commands.games import Json
from companion_api.simulated.true_eyes import TrueEyes
from models.render.simulated import Filming
from rules.games import game
from tests.bench.journeys import PAUSE_S, JourneyPlan, travel
from tests.bench.keeping import Figures, KeptFigures
from tests.bench.tasks.options import (
    EyesUsed,
    Games,
    Illegal,
    Keep,
    Seed,
    Style,
    Threads,
    Turns,
    WhoseEyes,
    lacking,
    named,
    own,
    print_figures,
    real_eyes,
)
from tests.bench.trials.without import Senses
from vision.eyes import Eyes
from vision.gaze import Gaze

HAND_S = 3.0
"""So long a hand takes over a turn, or nearly."""
TOLD_SIZE = (480, 270)
"""Eyes that are told what lies there need pixels only to notice motion."""


def journeys(
    turns: Turns = 5,
    illegal: Illegal = 0,
    minutes: Annotated[
        float | None, typer.Option("--minutes", min=0.1, max=1440, help="of film per game, over which the turns spread")
    ] = None,
    fps: Annotated[float, typer.Option("--fps", min=1, max=30, help="frames a second")] = 5.0,
    without: Annotated[str, typer.Option("--without", help="left out: witness, change, nearer, names")] = "",
    games: Games = "",
    eyes: EyesUsed = WhoseEyes.REAL,
    seed: Seed = 7,
    style: Style = "classic",
    threads: Threads = 2,
    keep: Keep = None,
    as_json: Json = False,
) -> None:
    """Whole games before the simulated camera, hands and all, from picture to verdict."""
    names, spread = named(games), PAUSE_S if minutes is None else max(PAUSE_S, 60 * minutes / turns - HAND_S)
    plan, looking = JourneyPlan(turns, illegal, spread, Senses(lacking(without))), real_eyes(eyes, threads)
    travels = _travels(names, looking, Filming(style, seed, fps), plan, KeptFigures(keep))
    found = list(progress(travels, len(names), "journeys"))
    print_figures({"journeys": found, "eyes": eyes.value}, as_json)


def _travels(
    names: Sequence[str], eyes: Eyes | None, filming: Filming, plan: JourneyPlan, kept: KeptFigures
) -> Iterable[Figures]:
    """Eyes that are told what lies there have small pictures."""
    for name in names:
        film = own(filming, name)
        small = replace(filming.view, width=TOLD_SIZE[0], height=TOLD_SIZE[1])
        figures = _travelled(name, eyes, film if eyes else replace(film, view=small), plan, kept)
        print(f"{name}: {figures['right']} of {figures['turns']} turns right", file=sys.stderr)
        yield figures


def _travelled(name: str, eyes: Eyes | None, film: Filming, plan: JourneyPlan, kept: KeptFigures) -> Figures:
    """What was measured before is not measured again."""
    whose = WhoseEyes.REAL if eyes else WhoseEyes.TRUE
    asked = f"{name}: {film.style} set, seed {film.seed}, {film.fps} fps, {whose} eyes, {plan}"
    if (before := kept.done(asked)) is not None:
        return before
    figures = travel(
        game(name),
        plan,
        lambda camera, own_seed: Gaze(eyes) if eyes else TrueEyes.at(camera, own_seed),
        film,
        lambda journey: kept.keep(asked, journey.to_json(), done=False),
    ).to_json()
    kept.keep(asked, figures, done=True)
    return figures
