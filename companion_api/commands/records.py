"""`companion replay`, `export` and `import`: games as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from companion_api.commands.console import CommandError, UsageError, as_usage, complain, print_json, text_of, trouble
from companion_api.commands.games import Json

Data = Annotated[Path | None, typer.Option("--data", help="folder of the log")]
Database = Annotated[str | None, typer.Option("--database", help="sqlite:///FILE or postgresql://USER@HOST/NAME")]


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE.ppn")],
    forgiving: Annotated[bool, typer.Option("--forgiving", help="read over small slips of the format")] = False,
    diagrams: Annotated[bool, typer.Option("--diagrams", help="draw every table")] = False,
    as_json: Json = False,
) -> int:
    """Read a PPN game; where it names one of our games, referee it move by move."""
    from rules.notation.errors import NotationError
    from rules.notation.replay import replay_file

    broken = False
    try:
        for result in replay_file(file, forgiving=forgiving, diagrams=diagrams or not as_json):
            broken = broken or result.get("ok") is False
            print_json(result) if as_json else _print(result)
    except NotationError as error:
        raise UsageError(_with_file(file, str(error))) from None
    return 1 if broken else 0


def _with_file(file: Path, text: str) -> str:
    return text if str(file) in text else f"{file}: {text}"


def _print(result: dict[str, Any]) -> None:
    print(" ".join(str(result[part]) for part in ("type", "label", "verdict", "action") if result.get(part)))
    for part in ("text", "diagram", "error"):
        if result.get(part):
            print(result[part])
    for line in (*result.get("warnings", ()), *result.get("differs", ()), *result.get("says", ())):
        print(f"  {line}")
    if refusal := result.get("refusal"):
        print(f"  {refusal['text']} ({refusal['clause']})")


def export(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="its id, or `latest`")],
    out: Annotated[Path, typer.Argument(metavar="OUT")],
    form: Annotated[
        str | None, typer.Option("--format", help="ppn, json, csv, html, png, gif or mp4; else as OUT ends")
    ] = None,
    secrets: Annotated[bool, typer.Option("--secrets", help="include what is still secret in a running game")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write a table's game to a file: record, notation, score sheet, printable page, picture or film. What is secret in
    a game that is still played is left out, unless asked for."""
    from companion_api.records.export import export as write

    chosen = _format(out, form)
    session = _session(table, data, database)
    try:
        write(session.history if secrets else session.known(None).record, chosen, out)
    except OSError as error:
        raise UsageError(trouble(error, out)) from None
    except ValueError as error:
        raise CommandError(f"{out}: {error}") from None
    print(f"{out}: {session.game.card.name}, {_counted(len(session.history.entries))}")


def _format(out: Path, form: str | None) -> str:
    """The format asked for, else the file's suffix, else JSON."""
    from companion_api.records.export import FORMATS

    known, ending = ", ".join(FORMATS), out.suffix.removeprefix(".").lower()
    if form is not None and form not in FORMATS:
        raise UsageError(f"--format must be one of {known}, not {form!r}")
    if out.is_dir():
        raise UsageError(f"{out}: is a folder; name a file")
    if form is None and ending and ending not in FORMATS:
        raise UsageError(f"{out}: no format has this ending; end it with one of {known}, or say --format")
    if form is not None and ending in FORMATS and ending != form:
        raise UsageError(f"{out} ends like {ending}, but --format says {form}: change one of them")
    return form or ending or "json"


def _counted(actions: int) -> str:
    return "1 action" if actions == 1 else f"{actions} actions"


def restore_game(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a JSON record, or a game in PPN")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Make a table of a recorded game; `companion serve` goes on with it."""
    from companion_api.records.restore import read_history
    from companion_api.records.restore import restore_game as bring

    text = text_of(file, "a game in PPN or a JSON record")
    try:
        history = read_history(text)
    except ValueError as error:
        raise UsageError(_with_file(file, str(error))) from None
    log, table = _log(data, database), f"import-{file.stem}"[:40]
    with as_usage(ValueError):
        session = bring(log, table, history)
    print(f"{session.table}: {history.game.card.name}, {_counted(len(history.entries))}")


def list_tables(data: Data = None, database: Database = None, as_json: Json = False) -> None:
    """The tables of the log, the latest first: id, game, who plays, how many actions, when the last one was."""
    from datetime import datetime

    from companion_api.folded_table import RequestError
    from companion_api.session import Session

    log = _log(data, database)
    heads = log.heads()
    for table in log.tables():
        try:
            session = Session(log, table)
        except RequestError as error:
            complain(f"{table}: {error}")
            continue
        at = datetime.fromtimestamp(heads[table][1]).astimezone().isoformat(" ", "minutes")
        names, over = [seat.name for seat in session.seats], session.game.turn(session.state).is_over
        row = {"table": table, "game": session.game.card.id, "seats": names, "actions": len(session.history.entries)}
        if as_json:
            print_json({**row, "over": over, "at": round(heads[table][1], 3)})
            continue
        state = "over" if over else "running"
        print(f"{table}  {session.game.card.name}: {', '.join(names)}; {_counted(row['actions'])}, {state}; {at}")
    if not heads and not as_json:
        print("There is no table in this log yet: `companion serve` begins one.")


def _log(data: Path | None, database: str | None) -> Any:
    from companion_api.commands.serve import settings_from
    from companion_api.log.databases import open_log
    from companion_api.log.store import LogUnavailableError

    settings = settings_from(None, data, database, None)
    try:
        return open_log(settings.database, settings.data)
    except LogUnavailableError as error:
        raise CommandError(str(error)) from None


def _session(table: str, data: Path | None, database: str | None) -> Any:
    from companion_api.folded_table import RequestError
    from companion_api.session import Session

    log = _log(data, database)
    known = log.tables()
    if not known:
        raise UsageError("there is no table in this log yet")
    if table != "latest" and table not in known:
        raise UsageError(f"there is no table {table!r}; the latest are {', '.join(known[:5])}")
    with as_usage(RequestError):
        return Session(log, known[0] if table == "latest" else table)
