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

# OpenCV reads these when it is loaded; without them it writes to stderr before our one line.
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
def _global_options(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")] = False,
) -> None:
    pass


# Typer carries its own copy of click; its exception tree is reached through the one member that Typer exports.
_CliError: type[Exception] = typer.BadParameter.__mro__[2]

# By command its module and function, in the order of the help; heavy imports happen when a command runs.
_COMMANDS = {
    "bench": "doctor:bench", "calibrate": "profile:calibrate", "teach": "profile:teach", "doctor": "doctor:doctor",
    "games": "games:list_games", "rules": "games:show_rules", "perft": "games:count_positions",
    "playout": "games:play_by_luck", "hall": "hall:rooms", "judge": "games:judge", "replay": "records:replay",
    "export": "records:export", "import": "records:restore_game", "tables": "records:list_tables", "look": "look:look",
    "render": "look:render", "serve": "serve:serve", "demo": "serve:demo", "solve": "games:solve_app",
    "watch": "watch:watch", "why": "watch:why",
}  # fmt: skip


@cache
def _load() -> None:
    for name, place in _COMMANDS.items():
        module, _, function = place.partition(":")
        command = getattr(import_module(f"companion_api.commands.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)


def main(argv: list[str] | None = None) -> int:
    _load()
    return run_command(app, argv, "companion")


def run_command(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    """Runs one command and returns its exit code, without a traceback for a user's mistake."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # unprintable characters are replaced
    try:
        return _flushed_exit_code(app, argv, name)
    except BrokenPipeError:
        # The reader has closed the pipe; the buffer must not raise when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _flushed_exit_code(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    """The exit code, after flushing all output."""
    try:
        code = _exit_code(app, argv, name)
        if sys.stdout is not None:  # a caller may have closed it
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.errno not in _OUTPUT_ERRORS:
            raise  # no file of the user: an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return complain(trouble(error, "the output" if error.filename is None else None), code=1)
    return code


_OUTPUT_ERRORS = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)


def _exit_code(app: typer.Typer, argv: list[str] | None, name: str) -> int:
    out = sys.stdout
    try:
        code = app(args=argv, standalone_mode=False, prog_name=name)
    except SystemExit as ended:
        if sys.stdout is not out:  # the library swallowed a broken pipe
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
    """One line for a usage error, or the help where no command was given."""
    text = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    if type(error).__name__ == "NoArgsIsHelpError":
        print(text)
        return 0
    command_path = getattr(getattr(error, "ctx", None), "command_path", name)
    return complain(f"{text}; see `{command_path} --help`")


def run() -> None:
    sys.exit(main())


if __name__ == "__main__":
    run()
