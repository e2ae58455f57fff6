"""`companion bench`: the project's own figures, with the machine described."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from companion_api.commands.console import UsageProblem, game_named, print_json, progress
from companion_api.commands.games import Json

REAL, TRUE = "real", "true"


def add_to(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    journeys: Annotated[bool, typer.Option("--journeys", help="play simulated games before the camera")] = False,
    games: Annotated[str, typer.Option("--games", help="names with commas between; all if left out")] = "",
    turns: Annotated[int, typer.Option("--turns", min=1, max=400, help="turns per game of --journeys")] = 5,
    eyes: Annotated[str, typer.Option("--eyes", help="real, or true: told what lies there, with errors")] = REAL,
    seed: Annotated[int, typer.Option("--seed", help="which games, sets and lamps")] = 7,
    style: Annotated[str, typer.Option("--style", help="a set of `companion render`, or random")] = "classic",
    as_json: Json = False,
) -> None:
    """Measure seeing, judging and playing; with --journeys whole games from picture to verdict."""
    from companion_api.benching import machine, of_games, seeing
    from vision.eyes import Eyes

    if eyes not in (REAL, TRUE):
        raise UsageProblem(f"--eyes is real or true, not {eyes!r}")
    names = [game_named(name).card.id for name in games.split(",") if name]
    figures: dict[str, Any] = {"machine": machine()}
    if journeys:
        figures["journeys"] = list(progress(_travels(names, turns, eyes, seed, style), len(names) or 14, "journeys"))
        figures["eyes"] = eyes
    else:
        figures["seeing"] = seeing(Eyes())
        figures["games"] = of_games(names)
    if as_json:
        print_json(figures)
    else:
        print(json.dumps(figures, indent=2))


def _travels(names: list[str], turns: int, eyes: str, seed: int, style: str) -> Iterable[dict[str, object]]:
    from companion_api.journeys import travel
    from companion_api.true_eyes import TrueEyes
    from rules.games import available, game
    from vision.eyes import Eyes

    real = Eyes() if eyes == REAL else None
    for name in names or available():
        journey = travel(game(name), seed, turns, lambda camera, seed: real or TrueEyes.at(camera, seed), style)
        yield journey.to_json()
