"""`companion hall`: the hub of many tables; `hall broker` and `hall leaf`: configurations of external brokers."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion_api.commands.console import CommandError, UsageError, as_usage, log_as_json

if TYPE_CHECKING:
    from companion_api.hall.broker import Broker, Ports
    from companion_api.hall.hall import Hall
    from companion_api.hall.store import Store

Data = Annotated[Path, typer.Option("--data", help="folder for the broker's streams and a small club's database")]
Database = Annotated[
    str | None,
    typer.Option("--database", envvar="COMPANION_HALL_DATABASE", help="sqlite:///FILE or postgresql://USER@HOST/NAME"),
]
DATA = Path.home() / ".piecepack-companion" / "hall"
EXTRA = "`companion hall` needs the extra: pip install 'piecepack-companion[hall]'"


def hall(
    context: typer.Context,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="port of the wall's page")] = 8480,
    host: Annotated[str, typer.Option("--host", help="address to listen on; default all")] = "0.0.0.0",
    data: Data = DATA,
    database: Database = None,
    name: Annotated[str, typer.Option("--name", help="heading of the wall")] = "",
    nats: Annotated[
        str | None, typer.Option("--nats", help="a running broker, nats://HOST:4222; else one is started")
    ] = None,
    creds: Annotated[
        Path | None, typer.Option("--creds", help="credentials for a broker with rules of its own")
    ] = None,
    nats_port: Annotated[int, typer.Option("--nats-port", min=1, max=65535, help="port of its own broker")] = 4222,
    leaf_port: Annotated[
        int, typer.Option("--leaf-port", min=0, max=65535, help="where other rooms come in; 0: none")
    ] = 7422,
    log_json: Annotated[bool, typer.Option("--log-json", help="log lines as JSON")] = False,
) -> None:
    """Run the hub. Tables join with the address that the director's page shows."""
    if context.invoked_subcommand is not None:
        context.obj = (data, database)
        return
    if log_json:
        log_as_json()
    else:
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
    hall_store = _store(database, data)
    if name:
        hall_store.put_setting("name", name)
    from companion_api.hall.broker import Ports
    from companion_api.hall.hall import Hall

    ports = Ports(nats_port, leaf_port or None, None, host)
    broker = None if nats else _broker(hall_store, data, ports)
    server = nats or f"nats://127.0.0.1:{nats_port}"
    public = server.split("//")[-1] if nats else f"{host}:{nats_port}"
    own = creds.read_text(encoding="utf-8") if creds else None
    _run(Hall(hall_store, server, public, broker, own), host, port)


def leaf(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="where the configuration is written")],
    hub: Annotated[str, typer.Option("--hub", help="the hub's door for other rooms, nats://HUB:7422")],
    listen: Annotated[str, typer.Option("--listen", help="where tables of that room come in")] = "0.0.0.0:4222",
) -> None:
    """Write the one file for a nats-server in another room or club: `nats-server -c FOLDER/leaf.conf` there."""
    from companion_api.hall.broker import write_leaf

    data, database = context.obj
    store = _store(database, data)
    path = write_leaf(store.seeds, folder, hub, listen, store.all_shut_out())
    print(f"{path}; take the folder along and keep leaf.creds secret")


def broker(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="where the configuration is written")],
    streams: Annotated[Path, typer.Option("--streams", help="where nats-server keeps its streams")],
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="where tables and hubs come in")] = 4222,
    leaf_port: Annotated[int, typer.Option("--leaf-port", min=0, max=65535, help="for other rooms; 0: none")] = 7422,
) -> None:
    """Write the configuration for a nats-server that runs by itself: `nats-server -c FOLDER/nats.conf`; then
    `companion hall --nats nats://HOST:4222` with the same database."""
    from companion_api.hall.broker import Ports, configuration

    data, database = context.obj
    store = _store(database, data)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "nats.conf"
    path.write_text(
        configuration(store.seeds, streams, Ports(port, leaf_port or None), store.all_shut_out()), encoding="utf-8"
    )
    print(f"{path} written; it holds no secrets")


def _store(database: str | None, data: Path) -> Store:
    try:
        from companion_api.hall.store import DatabaseError, Store, open_database
    except ImportError:
        raise UsageError(EXTRA) from None
    with as_usage(DatabaseError):
        return Store(open_database(database, data))


def _broker(store: Store, data: Path, ports: Ports) -> Broker | None:
    """Starts nats-server here; one left behind by a killed hub is reused."""
    from companion_api.commands.listening import bound
    from companion_api.hall.broker import Broker, BrokerError, configuration

    try:
        bound(ports.host, ports.client).close()
    except OSError:
        print(f"Port {ports.client} is in use; what answers there is taken for the broker of this hall.")
        return None
    path = data / "nats.conf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(configuration(store.seeds, data / "jetstream", ports, store.all_shut_out()), encoding="utf-8")
    try:
        broker = Broker(path)
    except BrokerError as error:
        raise CommandError(str(error)) from None
    broker.start()
    return broker


def _run(hub: Hall, host: str, port: int) -> None:
    import uvicorn

    from companion_api.commands.listening import QUIET, address_of, listen_on
    from companion_api.hall.app import make_hub

    listening = listen_on(host, port)
    hub.address = f"http://{address_of(host)}:{listening.getsockname()[1]}"
    _announce(hub)
    uvicorn.Server(uvicorn.Config(make_hub(hub), **QUIET)).run(sockets=[listening])


def _announce(hub: Hall) -> None:
    import segno

    from companion_api.hall.people import HallRole

    address, (host, port) = hub.address, hub.address.removeprefix("http://").split(":")
    link = f"{address}/#join={hub.people.code(HallRole.DIRECTOR)}"
    print("Piecepack Companion hall. The director comes in here and invites tables, umpires and guests:")
    segno.make(link, error="m").terminal(compact=True)
    print(f"Director: {link}")
    print(f"Wall:     {address}/#join={hub.people.code(HallRole.GUEST)}")
    table = f"nats://{hub.people.code(HallRole.TABLE)}@{host}:{hub.public.rsplit(':', 1)[1]}?hub={port}"
    print(f"Tables:   companion serve --hall '{table}' --table-name 'Table 1'")
    print("Stop with Ctrl-C.", flush=True)


rooms = typer.Typer(invoke_without_command=True, help="The hub of many tables: wall, umpire, league, tournaments.")
rooms.callback()(hall)
rooms.command("leaf")(leaf)
rooms.command("broker")(broker)
