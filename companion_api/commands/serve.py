"""`companion serve` and `companion demo`: the table server."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import UsageError, as_usage, log_as_json, settings_of, started
from companion_api.commands.games import Options, Seats
from companion_api.commands.listening import QUIET, address_of, listen_on, listen_quietly, own_certificate
from companion_api.commands.systemd_unit import install_unit
from companion_api.commands.watch import Beforehand, Stage, history_after, requested
from rules.engine.action import Action
from rules.engine.history import History

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from companion_api.log.store import Log
    from companion_api.session import Session
    from companion_api.settings import Settings
    from companion_api.simulated.incidents import Requests
    from companion_api.tables import Tables
    from vision.camera.contract import Camera

Port = Annotated[int | None, typer.Option("--port", min=0, max=65535, help="port to listen on; default 8470")]
Data = Annotated[Path | None, typer.Option("--data", help="folder for the log, pictures and profiles")]
Database = Annotated[str | None, typer.Option("--database", help="sqlite:///FILE or postgresql://USER@HOST/NAME")]
Host = Annotated[str | None, typer.Option("--host", help="address to listen on; default all")]
InHall = Annotated[
    str | None, typer.Option("--hall", help="nats://HUB:4222, or nats://CODE@HUB:4222 as the hall's invitation says")
]
TableName = Annotated[str, typer.Option("--table-name", help="what this table is called in the hall")]
JsonLogs = Annotated[bool, typer.Option("--log-json", help="log lines as JSON")]

TOUR = ("dodgem", "breakthrough", "quatri", "fuji_san", "jul_gonu")
"""Games of the demonstration in turn, each over in a few minutes."""
STOP_TIMEOUT_S = 5.0
LOG_TIMEOUT_S, RETRY_S = 60.0, 1.0
"""How long a log that cannot be written is waited for, and how often it is tried again."""
SWITCH_S = 0.0005
"""Interval in which a searching referee, pure Python, yields to other threads: with Python's default 5 ms a post, which
changes threads some ten times, would wait for 50 ms."""

GC_THRESHOLDS = (700, 10, 1000)
"""Thresholds of the cyclic garbage collector: objects loaded before serving are frozen, and the oldest generation is
scanned seldom (Python's own third number is 10), since every thread stops meanwhile: posts waited up to 200 ms (p99 212
ms beside a searching referee, 39 ms with these)."""


def serve(
    camera: Annotated[str | None, typer.Option("--camera", help="index, file, folder, address or `simulated`")] = None,
    game: Annotated[str, typer.Option("--game", help="what a new table begins with")] = "dodgem",
    port: Port = None,
    data: Data = None,
    database: Database = None,
    host: Host = None,
    hall: InHall = None,
    table_name: TableName = "",
    log_json: JsonLogs = False,
    options: Options = None,
    seats: Seats = None,
    beforehand: Beforehand = None,
    install: Annotated[bool, typer.Option("--install", help="start it like this whenever the computer starts")] = False,
) -> None:
    """Serve the table and its page; with the first working camera, or else a simulated table that plays by itself."""
    rules, chosen, people = started(game, options, seats)
    actions = history_after(History.begin(rules, chosen, people), beforehand or []).actions
    if install:
        print(install_unit([argument for argument in sys.argv[1:] if argument != "--install"]))
        return
    settings, requests = settings_from(port, data, database, host), requested(None)
    if log_json:
        log_as_json()
    fresh = bool(options is not None or seats is not None or beforehand)
    first = FirstTable(rules.card.id, chosen, people, fresh=fresh, beforehand=actions)
    _run(settings, camera, first, requests=requests, hall=(hall, table_name))


def demo(
    game: Annotated[
        str | None, typer.Argument(help="one of `companion games`; without one, several short games in turn")
    ] = None,
    port: Port = None,
    data: Data = None,
    database: Database = None,
    host: Host = None,
    seed: Annotated[int, typer.Option("--seed", help="which game is played")] = 1,
    stage: Stage = None,
    options: Options = None,
    seats: Seats = None,
    hall: InHall = None,
    table_name: TableName = "",
) -> None:
    """The same with a simulated table that plays itself; needs no camera and no set-up."""
    settings, requests = settings_from(port, data, database, host), requested(stage)
    rules, chosen, people = started(game or TOUR[0], options, seats)
    first = FirstTable(rules.card.id, rules.card.easiest if options is None else chosen, people, fresh=True)
    tour = () if game else TOUR
    _run(settings, "simulated", first, seed=seed, requests=requests, hall=(hall, table_name), tour=tour)


def settings_from(port: int | None, data: Path | None, database: str | None, host: str | None) -> Settings:
    if database is not None and not database.startswith(("sqlite:///", "postgresql://")):
        raise UsageError(f"--database must be sqlite:///FILE or postgresql://USER@HOST/NAME, not {database[:40]!r}")
    return settings_of(port=port, data=data, database=database, host=host)


@dataclass(frozen=True, slots=True)
class FirstTable:
    """What the server opens: a new game where `fresh`, else the latest unfinished one."""

    game: str
    options: dict[str, Any] | None
    seats: Any
    fresh: bool
    beforehand: tuple[Action, ...] = ()
    """Actions before the first look, such as a deal."""


def _run(
    settings: Settings,
    source: str | None,
    first: FirstTable,
    *,
    requests: Requests,
    hall: tuple[str | None, str],
    seed: int = 1,
    tour: Sequence[str] = (),
) -> None:
    from companion_api import memory_trim

    memory_trim.configure()
    sys.setswitchinterval(SWITCH_S)
    from companion_api.app import make_app, safe_app
    from companion_api.log.store import LogUnavailableError
    from companion_api.simulated.script import simulated_for
    from rules.sentence import sentence_of

    if settings.certificate is not None:
        own_certificate(settings.certificate, settings.certificate_key)  # reported before anything starts
    listening = listen_on(settings.host, settings.port)
    port = listening.getsockname()[1]
    secure = listen_quietly(settings.host, port + 1)
    try:
        app = make_app(settings, lambda session: simulated_for(session, seed, requests), requests)
        app.state.camera_manager.open_next = partial(app.state.tables.after, tour=tour)
        _claim_tables(app.state.tables.log)
    except (LogUnavailableError, OSError) as error:
        print(f"companion: safe mode: {error}", file=sys.stderr)
        app, words, hall_line = safe_app(sentence_of(error)), "", ""
    else:
        app.state.secure_port = port + 1 if secure else None
        hall_line = _join_hall(app, settings, *hall)
        try:
            words = _prepare(app, source, first)
        except LogUnavailableError as error:
            print(f"companion: safe mode: {error}", file=sys.stderr)
            app, words = safe_app(sentence_of(error)), ""

    def announce() -> None:
        if words:  # in safe mode the page says what is wrong
            _announce(app, words, address_of(settings.host), port, hall_line)

    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    asyncio.run(_serve(app, settings, listening, secure, announce))


def _claim_tables(log: Log) -> None:
    """UsageError if another server uses these tables, since two would stop its clock and judge it twice; waits for one
    that is stopping."""
    until = time.monotonic() + STOP_TIMEOUT_S
    while not log.keep_alone():
        if time.monotonic() > until:
            raise UsageError("another companion already serves these tables; stop it, or choose other ones with --data")
        time.sleep(0.3)


def _servers(
    app: FastAPI, settings: Settings, listening: socket.socket, secure: socket.socket | None
) -> list[tuple[uvicorn.Server, socket.socket]]:
    """Servers with their sockets: http, and https where there are certificates."""
    import uvicorn

    class Server(uvicorn.Server):
        """One of two servers in a loop, which handle signals together."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    servers: list[tuple[uvicorn.Server, socket.socket]] = [(Server(uvicorn.Config(app, **QUIET)), listening)]
    if secure is not None and (certificates := _certificates(app, settings)) is not None:
        config = uvicorn.Config(app, lifespan="off", **QUIET)
        config.load()
        config.ssl = certificates
        servers.append((Server(config), secure))
    return servers


async def _serve(
    app: FastAPI,
    settings: Settings,
    listening: socket.socket,
    secure: socket.socket | None,
    announce: Callable[[], None],
) -> None:
    """Runs http for everything and https for the live phone camera in one event loop. The address is announced once
    both listen, and streams are ended before stopping."""
    from companion_api.certificates import LocalName

    servers = _servers(app, settings, listening, secure)

    def stop() -> None:
        if tables := getattr(app.state, "tables", None):
            tables.stop_hubs()
        for server, _ in servers:
            server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    running = [asyncio.ensure_future(server.serve(sockets=[at])) for server, at in servers]
    while not all(server.started for server, _ in servers) and not any(each.done() for each in running):
        await asyncio.sleep(0.02)
    announce()
    name = LocalName(address_of(settings.host), listening.getsockname()[1])
    announcing = asyncio.ensure_future(asyncio.to_thread(name.start))
    try:
        await asyncio.gather(*running)
    finally:
        await announcing
        name.stop()


def _join_hall(app: FastAPI, settings: Settings, url: str | None, name: str) -> str:
    """Joins the named hall or the previous one; an unreachable hall is retried."""
    try:
        from companion_api.hall.at_table import attach
        from companion_api.hall.membership import JoinError
    except ImportError:
        if url:
            raise UsageError("--hall needs the extra: pip install 'piecepack-companion[hall]'") from None
        return ""
    in_hall = attach(app, settings.data)
    with as_usage(JoinError):
        if url:
            in_hall.join(url, name or socket.gethostname())
        else:
            in_hall.resume()
    return f"Hall:    {in_hall.member.server} as {in_hall.member.name!r}" if in_hall.member else ""


def _certificates(app: FastAPI, settings: Settings) -> ssl.SSLContext | None:
    """None without a usable folder for keys; tables then use http alone."""
    from companion_api.certificates import NAME, Authority

    if settings.certificate is not None:
        return own_certificate(settings.certificate, settings.certificate_key)
    folder = settings.data / "certificates"
    try:
        return Authority(folder).context({f"{NAME}.local", "localhost", "127.0.0.1", address_of(settings.host)})
    except (OSError, ValueError) as error:
        app.state.secure_port = None
        print(f"companion: no https: {folder} cannot be used ({error}); move it away for new keys", file=sys.stderr)
        return None


def _first_session(tables: Tables, first: FirstTable) -> Session:
    """The first table. Waits for a full disk or a locked database, since a service that ends would only be restarted
    into the same."""
    from companion_api.log.store import LogUnavailableError

    until = time.monotonic() + LOG_TIMEOUT_S
    while True:
        try:
            session = None if first.fresh else tables.latest()
            if session is None or session.game.turn(session.state).is_over:
                session = tables.begin(first.game, first.options or {}, first.seats)
                for action in first.beforehand:
                    session.act("host", action, expected=None, key=None)
            return session
        except LogUnavailableError as error:
            if time.monotonic() > until:
                raise
            print(f"companion: {error}; trying again", file=sys.stderr, flush=True)
            time.sleep(RETRY_S)


def _prepare(app: FastAPI, source: str | None, first: FirstTable) -> str:
    """Opens the first table and its camera; returns the sentence to print."""
    session = _first_session(app.state.tables, first)
    camera, chosen, words = _camera(source, first.game)
    app.state.first_table = session.table
    if camera is not None:
        app.state.camera_manager.assign(session, camera, chosen)
    else:
        app.state.camera_manager.watch(session, chosen)
    return words


def _camera(source: str | None, game: str) -> tuple[Camera | None, str, str]:
    """An open camera, its name, and the sentence to print."""
    from companion_api.watching.camera_manager import DRAWN, PHONE, SIMULATED
    from vision.camera import CameraError, first_working, open_camera

    if source == PHONE:
        return None, PHONE, "a phone will be the camera (More, then Camera)" + _weights_note()
    if source == DRAWN:
        return None, DRAWN, f"a table that plays {game} by itself, without a camera"
    if source not in (None, SIMULATED):
        with as_usage(CameraError):
            return open_camera(str(source)), str(source), f"watching {source}{_weights_note()}"
    camera = first_working() if source is None else None
    if camera is not None:
        return camera, camera.name, f"watching {camera.name}{_weights_note()}"
    why = "no camera found: " if source is None else ""
    return None, SIMULATED, f"{why}a simulated table plays {game} by itself{_weights_note()}"


def _weights_note() -> str:
    """A note where no weights are installed; games can still be entered by hand."""
    from companion_api.watching.camera_manager import reader_problem

    return f" (only as a drawing: {reader_problem()})" if reader_problem() else ""


def _announce(app: FastAPI, words: str, address: str, port: int, hall_line: str) -> None:
    """Prints the address, a QR code for phones, and the host's link."""
    import segno

    from companion_api.access import Role
    from companion_api.certificates import NAME

    tables = app.state.tables
    session = tables.session(app.state.first_table)

    def host_address() -> str:
        return f"http://{address}:{port}/#join={tables.host_code(session)}"

    join = f"http://{address}:{port}/#join={tables.keys.code(session.table, Role.PLAYER)}"
    print(f"Piecepack Companion: {words}.")
    segno.make(join, error="m").terminal(compact=True)
    print(f"Phones:  {join}")
    print(f"Host:    {host_address()}  (works once)")
    print(f"         (http://{NAME}.local:{port} where the network knows such names)")
    if hall_line:
        print(hall_line)
    print("Stop with Ctrl-C.", flush=True)

    app.state.host_came = lambda _: print(
        f"A host has come in. To let in another: {host_address()}  (works once)", flush=True
    )
