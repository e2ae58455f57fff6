"""What every command shares: reading JSON arguments, printing, complaining in one line."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from rules.engine.card import SetupError
from rules.engine.contract import AnyGame
from rules.games import UnknownGameError
from rules.games import game as find_game

T = TypeVar("T")


class UsageError(Exception):
    """Bad usage or bad input: exit 2."""


class CommandError(Exception):
    """The thing asked for failed: exit 1."""


def complain(text: str, code: int = 2) -> int:
    print("companion: " + " ".join(text.split()), file=sys.stderr)
    return code


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False), flush=True)


def game_named(name: str) -> AnyGame:
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise UsageError(str(error)) from None


def json_argument(text: str | None, name: str) -> Any:
    """The value of --options or --seats."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UsageError(f"{name} must be JSON: {error}") from None


def started(game: AnyGame, options: str | None, seats: str | None) -> tuple[Any, Any]:
    """Options and seats from the command line, checked against the game."""
    chosen, people = json_argument(options, "--options"), json_argument(seats, "--seats")
    try:
        game.start(chosen, people)
    except (SetupError, ValueError) as error:
        raise UsageError(str(error)) from None
    return chosen, people


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"at": round(record.created, 3), "level": record.levelname.lower(), "from": record.name}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps({**line, "text": record.getMessage()}, ensure_ascii=False)


def log_as_json() -> None:
    """Every line of the log as one JSON object on stderr, for whoever collects logs."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """A progress bar on stderr, only where somebody can see it."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)
