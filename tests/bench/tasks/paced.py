"""`python -m tests.bench paced`: film at the pace of the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from companion_api.commands.console import progress
from companion_api.commands.games import Json
from models.render.simulated import Filming
from rules.games import game
from tests.bench.keeping import Figures
from tests.bench.tasks.options import Games, Seed, Style, Threads, Turns, named, own, print_figures
from tests.bench.trials.drawn_deck import drawn_deck
from tests.bench.trials.paced import filmed
from tests.bench.trials.paced import paced as measured
from vision.eyes import Eyes
from vision.gaze import Gaze


def paced(
    turns: Turns = 5,
    fps: Annotated[float, typer.Option("--fps", min=1, max=30, help="frames a second")] = 15.0,
    games: Games = "",
    seed: Seed = 7,
    style: Style = "classic",
    threads: Threads = 2,
    as_json: Json = False,
) -> None:
    """From the last frame with a hand to the verdict, in seconds of the clock, and how many frames pass meanwhile."""
    names = named(games)
    films = _paced(names, Eyes(threads, deck=drawn_deck()), Filming(style, seed, fps), turns)
    print_figures({"paced": list(progress(films, len(names), "films"))}, as_json)


def _paced(names: Sequence[str], eyes: Eyes, filming: Filming, turns: int) -> Iterable[Figures]:
    """The same games, sets and cameras as the journeys have."""
    for name in names:
        yield measured(filmed(game(name), turns, own(filming, name)), lambda: Gaze(eyes)).to_json()
