"""`python -m tests.bench soak`: does the table server hold while everything goes wrong?"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from companion_api.commands.console import CommandError, game_named, print_json
from companion_api.commands.games import Json
from companion_api.watching.camera_manager import DRAWN, SIMULATED
from tests.bench.soak.run import SoakPlan
from tests.bench.soak.run import soak as run
from tests.bench.soak.served import SoakError


def soak(
    minutes: Annotated[float, typer.Option("--minutes", min=0.2, max=20_000, help="how long, in minutes")] = 5.0,
    game: Annotated[str, typer.Option("--game", help="what is played; one with secrets tries more")] = "ice_floe",
    phones: Annotated[int, typer.Option("--phones", min=1, max=500, help="spectators whose line keeps breaking")] = 20,
    eyes: Annotated[bool, typer.Option("--eyes", help="before a simulated camera and the real eyes")] = False,
    every: Annotated[float, typer.Option("--chaos-every", min=1.0, help="seconds from one mishap to the next")] = 12.0,
    out: Annotated[Path, typer.Option("--out", help="folder of the report")] = Path("soak"),
    as_json: Json = False,
) -> int:
    """Serve a table that plays by itself under kills, lost cameras, a locked database, a full disk, a wrong clock and
    phones whose line breaks; then check that nothing was lost, told or left growing. Exit 1 where something was."""
    # Asked to stop, it still stops its server and unmounts its small file system.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    out.mkdir(parents=True, exist_ok=True)  # a report that has no place is told now and not after hours
    plan = SoakPlan(minutes, game_named(game).card.id, SIMULATED if eyes else DRAWN, phones, every)
    try:
        report = run(plan, lambda words: print(words, file=sys.stderr, flush=True))
    except SoakError as error:
        raise CommandError(str(error)) from None
    page = report.write(out)
    if as_json:
        print_json({"holds": report.holds, **report.figures, "problems": report.problems, "report": str(page)})
    else:
        for name, value in {**report.figures, **report.chaos}.items():
            print(f"{name}: {value}")
        for problem in report.problems[:20]:
            print(f"DOES NOT HOLD: {problem}")
        print(f"{'everything held' if report.holds else 'not everything held'}; the report is {page}")
    return 0 if report.holds else 1
