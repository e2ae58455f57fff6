"""What several tasks are asked, and how they answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from companion_api.benching import machine
from companion_api.commands.console import UsageError, game_named, print_json
from models.render.simulated import Filming
from rules.games import available
from tests.bench.trials.drawn_deck import drawn_deck
from tests.bench.trials.stills import view_of
from tests.bench.trials.without import Sense
from vision.eyes import Eyes

APART = 1000
"""The seeds of two games of one run lie so far apart: each is played with a set of its own."""


class WhoseEyes(StrEnum):
    REAL = "real"
    TRUE = "true"  # told what lies there, with errors


Games = Annotated[str, typer.Option("--games", help="names with commas between; all if left out")]
Seed = Annotated[int, typer.Option("--seed", help="which games, sets and lamps")]
Style = Annotated[str, typer.Option("--style", help="a set of `companion render`, or random")]
Threads = Annotated[int, typer.Option("--threads", min=1, max=64, help="processor threads of the eyes")]
EyesUsed = Annotated[WhoseEyes, typer.Option("--eyes", help="true: told what lies there, with errors")]
Illegal = Annotated[int, typer.Option("--illegal", min=0, max=4000, help="illegal acts per game")]
Turns = Annotated[int, typer.Option("--turns", min=1, max=4000, help="turns per game")]
Keep = Annotated[
    Path | None, typer.Option("--keep", help="figures are kept here as they come; what is done is not repeated")
]


def named(games: str) -> Sequence[str]:
    return [game_named(name).card.id for name in games.split(",") if name] or available()


def lacking(without: str) -> frozenset[Sense]:
    names = [name for name in without.split(",") if name]
    unknown = next((name for name in names if name not in set(Sense)), None)
    if unknown is not None:
        raise UsageError(f"--without takes {', '.join(Sense)}, not {unknown!r}")
    return frozenset(Sense(name) for name in names)


def real_eyes(eyes: WhoseEyes, threads: int) -> Eyes | None:
    """None for eyes that are told what lies there."""
    return Eyes(threads, deck=drawn_deck()) if eyes is WhoseEyes.REAL else None


def own(filming: Filming, name: str) -> Filming:
    """A set, a light and a camera of the game's own."""
    seed = filming.seed + APART * available().index(name)
    return replace(filming, seed=seed, view=view_of(seed))


def print_figures(figures: dict[str, Any], as_json: bool) -> None:
    """With the machine that they were measured on."""
    told = {"machine": machine(), **figures}
    if as_json:
        print_json(told)
    else:
        print(json.dumps(told, indent=2))
