"""`companion`: the command line.

Exit 0: done. 1: the thing asked for failed. 2: bad usage or bad input, with one clear line on stderr.
"""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from companion_api.commands.console import CommandError, UsageError, complain, trouble
from rules.games import available

# OpenCV would chat on stderr before our one line; it reads this when it is loaded.
os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

app = typer.Typer(
    name="companion",
    help=f"A camera over the table that sees a piecepack, knows {len(available())} games, follows the play and "
    "referees it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"companion {version('piecepack-companion')}")
        raise typer.Exit


@app.callback()
def _everywhere(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")] = False,
) -> None:
    pass


# Typer carries its own copy of click; its exception tree is reached through the one member that Typer exports.
_CliError: type[Exception] = typer.BadParameter.__mro__[2]

# Each module adds its commands to the app when it is loaded; heavy imports happen when a command runs.
_COMMANDS = (
    "bench", "calibrate", "teach", "doctor", "games", "hall", "judge", "records", "look", "serve", "solve", "watch",
    "why",
)  # fmt: skip


@cache
def _load() -> None:
    for name in _COMMANDS:
        import_module(f"companion_api.commands.{name}").add_to(app)


def main(argv: list[str] | None = None) -> int:
    _load()
    return obeyed(app, argv, "companion")


def obeyed(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    """Run one command and give its exit code; never a traceback for what a user did."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # what this terminal cannot show is no reason to stop
    try:
        return _finished(app, argv, name)
    except BrokenPipeError:
        # Whoever read has enough; what is still in the buffer must not complain when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _finished(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    """The exit code, after all that was printed is out."""
    try:
        code = _exit_code(app, argv, name)
        if sys.stdout is not None:  # a caller may have closed it
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.errno not in _OF_THE_OUTPUT:
            raise  # nothing that a user named: a fault of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return complain(trouble(error, "the output" if error.filename is None else None), code=1)
    return code


_OF_THE_OUTPUT = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)


def _exit_code(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    out = sys.stdout
    try:
        code = app(args=argv, standalone_mode=False, prog_name=name)
    except SystemExit as ended:
        if sys.stdout is not out:  # the command line library swallowed a broken pipe
            sys.stdout = out
            raise BrokenPipeError from None
        return ended.code if isinstance(ended.code, int) else 0
    except _CliError as error:
        return _usage(error, name)
    except UsageError as error:
        return complain(str(error))
    except CommandError as error:
        return complain(str(error), code=1)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    return code if isinstance(code, int) else 0


def _usage(error: BaseException, name: str) -> int:
    """One line for a slip; the help itself where nothing was asked for."""
    text = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    if type(error).__name__ == "NoArgsIsHelpError":
        print(text)
        return 0
    asked = getattr(getattr(error, "ctx", None), "command_path", name)
    return complain(f"{text}; see `{asked} --help`")


def run() -> None:
    sys.exit(main())


if __name__ == "__main__":
    run()
