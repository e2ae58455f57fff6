"""`python -m tests.bench synthetic`: the referee on trial without pictures."""

from __future__ import annotations

from typing import Annotated

import typer

from companion_api.commands.console import UsageError, progress
from companion_api.commands.games import Json
from companion_api.simulated.synthetic import Noise
from rules.games import game
from tests.bench.tasks.options import Games, Illegal, Seed, Turns, named, print_figures
from tests.bench.trials.bench import table, tried
from tests.bench.trials.setting import Part, Setting
from tests.bench.trials.witness import PictureErrors

MISREAD = 0.01


def synthetic(
    turns: Turns = 5,
    illegal: Illegal = 0,
    misread: Annotated[float, typer.Option("--misread", min=0, max=1, help="pieces misread")] = MISREAD,
    miss: Annotated[float, typer.Option("--miss", min=0, max=1, help="pieces not seen in a look")] = 0.0,
    picture: Annotated[
        float | None, typer.Option("--picture", min=0, max=1, help="a witness that errs so often at a place")
    ] = None,
    without: Annotated[str, typer.Option("--without", help="left out: legal, history, fusion")] = "",
    games: Games = "",
    seed: Seed = 7,
    as_json: Json = False,
) -> None:
    """Random games and illegal acts as sightings with errors, without any picture, before the referee alone."""
    names, setting = named(games), _setting(without, misread, miss, picture)
    scores = list(progress((tried(game(name), seed, turns, illegal, setting) for name in names), len(names), "trials"))
    if as_json:
        print_figures({"eyes": "synthetic", "journeys": [score.to_json() for score in scores]}, as_json)
    else:
        print("\n".join(table(scores)))


def _setting(without: str, misread: float, miss: float, picture: float | None) -> Setting:
    names = [name for name in without.split(",") if name]
    unknown = next((name for name in names if name not in set(Part)), None)
    if unknown is not None:
        raise UsageError(f"--without takes {', '.join(Part)}, not {unknown!r}")
    noise = Noise(misread=misread, flicker=2 * misread, miss=miss)
    told = None if picture is None else PictureErrors(overlooked=picture, imagined=picture / 10, mute=picture)
    return Setting(noise, picture=told, without=frozenset(Part(name) for name in names))
