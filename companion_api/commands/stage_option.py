"""The option `--stage`: what a simulated table shows besides plain play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from companion_api.commands.console import UsageError

if TYPE_CHECKING:
    from companion_api.simulated.incidents import Requests

Stage = Annotated[
    list[str] | None,
    typer.Option("--stage", help="at the simulated table: illegal (or a kind of it), take_back, quick, jostle, bump, "
                 "lamp, cup, arm; may be given several times"),
]  # fmt: skip


def requested(incidents: list[str] | None) -> Requests:
    """What is asked for on the command line, in that order; one after each legal turn."""
    from companion_api.simulated.incidents import Requests

    try:
        return Requests(incidents or ())
    except ValueError as error:
        raise UsageError(str(error)) from None
