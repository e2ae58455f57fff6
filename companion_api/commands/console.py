"""Shared by all commands: JSON arguments, output, errors in one line."""

from __future__ import annotations

import errno
import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rules.engine.card import SetupError
from rules.engine.contract import AnyGame
from rules.games import UnknownGameError
from rules.games import game as find_game

if TYPE_CHECKING:
    from companion_api.settings import Settings

T = TypeVar("T")


class UsageError(Exception):
    """Bad usage or bad input: exit 2."""


class CommandError(Exception):
    """The thing asked for failed: exit 1."""


@contextmanager
def as_usage(*errors: type[Exception]) -> Iterator[None]:
    """Turns these errors into usage errors with their own text."""
    try:
        yield
    except errors as error:
        raise UsageError(str(error)) from None


def settings_of(**given: Any) -> Settings:
    """The settings: those options that are not None, else what the environment says."""
    from pydantic import ValidationError

    from companion_api.settings import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"COMPANION_{str(first['loc'][0]).upper()}: {first['msg']}, not {first['input']!r}") from None


def complain(text: str, code: int = 2) -> int:
    if sys.stderr is not None:  # a caller may have closed it
        print("companion: " + spellable(" ".join(text.split())), file=sys.stderr)
    return code


def print_json(value: Any) -> None:
    """One line of JSON on stdout; bytes that are no UTF-8 become the replacement character."""
    unicode = getattr(sys.stdout, "encoding", "utf-8").lower() == "utf-8"
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    text = spellable(text)
    print(text if unicode else json.dumps(json.loads(text)), flush=True)


def spellable(text: str) -> str:
    """The text with U+FFFD for every lone surrogate, so that it can be written as UTF-8."""
    return "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= sign <= "\udfff" else sign for sign in text)


_TROUBLES = {
    errno.ENOENT: "no such file",
    errno.EISDIR: "is a folder; name a file",
    errno.ENOTDIR: "a part of this path is a file and no folder",
    errno.EEXIST: "is a file; name a folder",
    errno.EACCES: "may not be read or written by this user",
    errno.EPERM: "may not be read or written by this user",
    errno.EROFS: "lies on a disk that cannot be written",
    errno.ENOSPC: "cannot be written: the disk is full",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "is a link that leads back to itself",
}


def trouble(error: OSError, path: Path | str | None = None) -> str:
    """A file error in plain words."""
    named = str(error.filename or path) if path is None else str(path)
    return f"{named}: {_TROUBLES.get(error.errno or 0) or error.strerror or error}"


def text_of(path: Path, wanted: str) -> str:
    """The text of a user's file; UsageError says what is wrong with it and that `wanted` belongs there."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(trouble(error, path)) from None
    except ValueError:
        raise UsageError(f"{path}: is not a text file; give {wanted}") from None


def game_named(name: str) -> AnyGame:
    with as_usage(UnknownGameError):
        return find_game(name)


_EXAMPLES = {"--options": '{"direction": "facing"}', "--seats": '3 or ["suns", "moons"]'}


def json_argument(text: str | None, name: str) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{name} must be JSON, for example '{_EXAMPLES[name]}', not {text[:40]!r}") from None


def started(name: str, options: str | None, seats: str | None) -> tuple[AnyGame, Any, Any]:
    """The game of this name with parsed options and seats, checked against it."""
    game = game_named(name)
    chosen, people = json_argument(options, "--options"), json_argument(seats, "--seats")
    with as_usage(SetupError, ValueError):
        game.start(chosen, people)
    return game, chosen, people


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"at": round(record.created, 3), "level": record.levelname.lower(), "from": record.name}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps({**line, "text": record.getMessage()}, ensure_ascii=False)


def log_as_json() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """A progress bar on stderr, in a terminal only."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)
