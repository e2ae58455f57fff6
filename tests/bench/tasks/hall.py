"""`python -m tests.bench hall`: many tables, a hub and a wall under load and attack."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from companion_api.commands.console import CommandError, UsageError
from companion_api.commands.games import Json
from tests.bench.tasks.options import Seed, print_figures


def hall(
    tables: Annotated[int, typer.Option("--tables", min=1, max=2000, help="number of tables")] = 100,
    minutes: Annotated[float, typer.Option("--minutes", min=0.1, max=1440, help="how long they play")] = 5.0,
    chaos: Annotated[int, typer.Option("--chaos", min=0, max=10_000, help="number of kills and cuts")] = 0,
    hubs: Annotated[int, typer.Option("--hubs", min=1, max=9, help="number of hubs")] = 1,
    away: Annotated[float, typer.Option("--away", min=0, help="seconds without any hub")] = 0.0,
    seed: Seed = 7,
    as_json: Json = False,
) -> None:
    """Simulated tables in a real hall; needs PostgreSQL and nats-server. Exit 1 where an event was lost or doubled."""
    try:
        from companion_api.hall.broker import BrokerError
        from tests.bench.hall.building import BenchPlan
        from tests.bench.hall.run import measured
        from tests.bench.hall.servers import BenchError
    except ImportError:
        raise UsageError("this needs the extra: pip install 'piecepack-companion[hall]'") from None
    try:
        figures = measured(
            BenchPlan(tables, minutes, 1.0, chaos, hubs, away, seed), lambda text: print(text, file=sys.stderr)
        )
    except (BenchError, BrokerError) as error:
        raise CommandError(str(error)) from None
    print_figures({"hall": figures}, as_json)
    if figures["games_that_differ"] or figures["events_in_logs"] != figures["events_in_database"]:
        raise CommandError("the database is not what the logs are")
