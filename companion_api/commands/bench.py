"""`companion bench`: the project's own figures, with the machine described."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from companion_api.commands.console import game_named, print_json, progress
from companion_api.commands.games import Json


def add_to(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    games: Annotated[str, typer.Option("--games", help="names with commas between; all if left out")] = "",
    as_json: Json = False,
) -> None:
    """Measure this machine: a look stage by stage, a verdict, plies a second, frames of the simulated camera."""
    from companion_api.bench import SIZES, machine, of_games, seeing
    from rules.games import available
    from vision.table_reader import TableReader

    names = [game_named(name).card.id for name in games.split(",") if name] or available()
    figures: dict[str, Any] = {"machine": machine()}
    figures["seeing"] = dict(progress(seeing(TableReader()), len(SIZES), "seeing"))
    figures["games"] = dict(progress(of_games(names), len(names), "games"))
    if as_json:
        print_json(figures)
    else:
        print(json.dumps(figures, indent=2))
