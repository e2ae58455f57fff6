"""`companion judge`: a conversation of JSON lines about one game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from companion_api.commands.console import game_named, print_json, started
from companion_api.commands.games import GameName, Options, Seats
from rules.referee.judge import MAX_LINE, Conversation


def add_to(app: typer.Typer) -> None:
    app.command("judge")(judge)


def judge(
    name: GameName,
    options: Options = None,
    seats: Seats = None,
    _json: Annotated[bool, typer.Option("--json", hidden=True, help="always JSON; accepted for symmetry")] = True,
) -> None:
    """Answer JSON lines about a game: legal moves, actions, positions, pictures of the table.

    Try:  echo '{"legal": true}' | companion judge dodgem
    """
    rules = game_named(name)
    chosen, people = started(rules, options, seats)
    conversation = Conversation(rules, chosen, people)
    for line in _lines(sys.stdin.buffer) if sys.stdin is not None else ():
        if line is None:
            print_json({"ok": False, "error": f"the line is longer than {MAX_LINE} bytes"})
        elif line.strip():
            print_json(conversation.answer_line(line))


def _lines(stream: BinaryIO) -> Iterator[str | None]:
    """Lines of text; None for one too long to be kept. Bytes that are no UTF-8 spoil only their own line."""
    while raw := stream.readline(MAX_LINE + 1):
        if len(raw) > MAX_LINE and not raw.endswith(b"\n"):
            while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield raw.decode("utf-8", errors="replace")
