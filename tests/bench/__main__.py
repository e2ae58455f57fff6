"""Measuring tools for people with a clone: `python -m tests.bench TASK ...`; exit codes as those of `companion`."""

from __future__ import annotations

import sys

import typer

from companion_api.__main__ import run_command
from tests.bench.ground.commands import judge, record
from tests.bench.tasks import hall, numbers, soak, synthetic

app = typer.Typer(
    help="Measure the eyes, the referee, the table server and the hall.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command("synthetic")(synthetic.synthetic)
app.command("numbers")(numbers.numbers)
app.command("soak")(soak.soak)
app.command("hall")(hall.hall)
app.command("record")(record)
app.command("judge")(judge)


def main(argv: list[str] | None = None) -> int:
    return run_command(app, argv, "python -m tests.bench")


if __name__ == "__main__":
    sys.exit(main())
