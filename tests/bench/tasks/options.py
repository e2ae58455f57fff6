"""What several tasks are asked, and how they answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from companion_api.bench import machine
from companion_api.commands.console import game_named, print_json
from rules.games import available

Games = Annotated[str, typer.Option("--games", help="names with commas between; all if left out")]
Seed = Annotated[int, typer.Option("--seed", help="which games, sets and lamps")]
Illegal = Annotated[int, typer.Option("--illegal", min=0, max=4000, help="illegal acts per game")]
Turns = Annotated[int, typer.Option("--turns", min=1, max=4000, help="turns per game")]


def named(games: str) -> Sequence[str]:
    return [game_named(name).card.id for name in games.split(",") if name] or available()


def print_figures(figures: dict[str, Any], as_json: bool) -> None:
    """With the machine that they were measured on."""
    told = {"machine": machine(), **figures}
    if as_json:
        print_json(told)
    else:
        print(json.dumps(told, indent=2))
