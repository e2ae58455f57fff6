"""The broker: a nats-server started by the hub unless another is named, its configuration, connections and streams."""

from __future__ import annotations

import asyncio
import logging
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client, RawCredentials
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, BadRequestError, NotFoundError

from companion_api.access import write_secret
from companion_api.hall import names
from companion_api.hall.credentials import (
    CLAIMS,
    Key,
    Seeds,
    account_token,
    leaf_credentials,
    operator_token,
    system_credentials,
)
from companion_api.hall.membership import log_connection_error

log = logging.getLogger("companion.hall.broker")

INSTALL_HINT = (
    "nats-server is not installed; `apt install nats-server` (Debian, Ubuntu), `brew install nats-server` (macOS) "
    "or nats.io/download; or name a running one with --nats nats://HOST:4222 --creds FILE"
)
DAY_S = 86_400.0
ACK_WAIT_S = 10.0
MAX_UNACKNOWLEDGED = 2000
EVENTS_BYTES = 2 * 1024**3
PICTURES_BYTES = 32 * 1024**2
PICTURE_S = 10.0
CONNECT_S = 5


class BrokerError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Ports:
    """`leaf`: port for brokers of other rooms; `monitor`: HTTP, on this machine only."""

    client: int = 4222
    leaf: int | None = 7422
    monitor: int | None = None
    host: str = "0.0.0.0"


def configuration(seeds: Seeds, store: Path, ports: Ports, shut_out: Iterable[str] = ()) -> str:
    """The configuration of the hub's nats-server. Tables are admitted by signed tokens, so it never changes; later
    revocations go to the running broker, which keeps them in a folder beside its streams."""
    known = f'{{ type: full, dir: "{store}/accounts", allow_delete: false, interval: "2m" }}'
    parts = [
        "# Made by `companion hall`; it holds no secrets.",
        f'listen: "{ports.host}:{ports.client}"',
        "max_payload: 4MB",
        f'jetstream {{ store_dir: "{store}", domain: {names.DOMAIN}, max_mem: 64MB, max_file: 256GB }}',
        *_trust(seeds, known, shut_out),
    ]
    if ports.leaf is not None:
        parts.append(f'leafnodes {{ listen: "{ports.host}:{ports.leaf}" }}')
    if ports.monitor is not None:
        parts.append(f'http: "127.0.0.1:{ports.monitor}"')
    return "\n".join(parts) + "\n"


def write_leaf(seeds: Seeds, folder: Path, hub: str, listen: str, shut_out: Iterable[str] = ()) -> Path:
    """Write the configuration of a broker in another room or club: tables connect to it, it connects to the hub. It
    stores nothing; while the hub cannot be reached, the tables' logs wait."""
    secret, path = folder / "leaf.creds", folder / "leaf.conf"
    write_secret(secret, leaf_credentials(seeds).encode())
    remote = f'{{ url: "{hub}", account: "{Key(seeds.account).public}", credentials: "{secret.resolve()}" }}'
    parts = [
        "# Made by `companion hall leaf`. The credentials beside it are secret.",
        f'listen: "{listen}"',
        "max_payload: 4MB",
        *_trust(seeds, "MEMORY", shut_out),
        f"leafnodes {{ remotes: [ {remote} ] }}",
    ]
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")
    return path


def _trust(seeds: Seeds, resolver: str, shut_out: Iterable[str]) -> list[str]:
    account, system = Key(seeds.account).public, Key(seeds.system).public
    return [
        f"operator: {operator_token(seeds)}",
        f"system_account: {system}",
        f"resolver: {resolver}",
        "resolver_preload: {",
        f"  {account}: {account_token(seeds, 'HALL', seeds.account, shut_out)}",
        f"  {system}: {account_token(seeds, 'SYS', seeds.system)}",
        "}",
    ]


class Broker:
    """A nats-server started by this process and stopped with it; it outlives a hub that is killed."""

    def __init__(self, configuration_file: Path) -> None:
        program = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")
        if program is None:
            raise BrokerError(INSTALL_HINT)
        self.command = [program, "-c", str(configuration_file)]
        self._log = configuration_file.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        with self._log.open("ab") as out:
            self._process = subprocess.Popen(self.command, stdout=out, stderr=out, start_new_session=True)

    def restart_if_ended(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            log.warning("nats-server ended (%s); it is started again", self._process.returncode)
            self.start()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()


async def hub_connection(server: str, credentials: str) -> Client:
    """A hub's connection to the broker, which does not reconnect; `credentials`: the text of a `.creds` file or
    empty."""
    return await nats.connect(
        server,
        name="hub",
        allow_reconnect=False,
        connect_timeout=CONNECT_S,
        error_cb=log_connection_error,
        user_credentials=RawCredentials(credentials) if credentials else None,
    )


async def revoke(server: str, seeds: Seeds, shut_out: Iterable[str]) -> bool:
    """Revoke the credentials of these stations at the broker, which ends their connections; whether it accepted.

    The revoked keys are sent in an account token over the broker's own system account. A broker with rules of its own
    rejects it. A restarted broker may know an older list, so every hub repeats it whenever it connects."""
    token = account_token(seeds, "HALL", seeds.account, shut_out)
    try:
        client = await hub_connection(server, system_credentials(seeds))
        try:
            answer = await client.request(CLAIMS, token.encode(), timeout=CONNECT_S)
        finally:
            await client.close()
    except (NatsError, OSError, TimeoutError) as error:
        log.warning("the broker was not told who is shut out: %s", error or type(error).__name__)
        return False
    if b'"code":200' not in answer.data.replace(b" ", b""):
        log.warning("the broker does not take who is shut out: %s", answer.data.decode(errors="replace")[:200])
        return False
    return True


async def prepare(stream: JetStreamContext, store_id: str) -> None:
    """Create streams and consumer in the broker; repeating it changes nothing. There is one consumer per database:
    another database gets everything from the beginning, hubs of the same database share the work."""
    streams: tuple[tuple[str, str, dict[str, float]], ...] = (
        (names.EVENTS, "event", {"max_age": 30 * DAY_S, "max_bytes": EVENTS_BYTES, "duplicate_window": 600.0}),
        (names.LOOKS, "look", {"max_age": 2 * DAY_S, "max_msgs_per_subject": 1}),
        (names.RULINGS, "ruling", {"max_age": 7 * DAY_S, "duplicate_window": 600.0}),
    )
    for name, what, limits in streams:
        await _ensure(stream, name, [f"hall.{what}.*.*"], retention=RetentionPolicy.LIMITS, **limits)
    await _ensure_consumer(
        stream,
        names.EVENTS,
        f"store-{store_id}",
        deliver_subject=f"{names.DELIVER}.{store_id}",
        deliver_group="hubs",
        ack_wait=ACK_WAIT_S,
        max_ack_pending=MAX_UNACKNOWLEDGED,
    )


async def prepare_station(stream: JetStreamContext, station: str) -> None:
    """Create a station's consumer of rulings and its store of pictures, which drops the oldest when it is full."""
    subject = names.subject("ruling", station, "*")
    await _ensure_consumer(stream, names.RULINGS, station, filter_subject=subject, ack_wait=30.0)
    bucket = names.bucket(station)
    subjects = [f"$O.{bucket}.C.>", f"$O.{bucket}.M.>"]
    await _ensure(stream, f"OBJ_{bucket}", subjects, max_bytes=PICTURES_BYTES, allow_rollup_hdrs=True)


async def prepared_stations(stream: JetStreamContext) -> set[str]:
    """Stations with a consumer of rulings and a store of pictures; asked in pages, not one by one."""
    kept = {str(info.config.name) for info in await _all_pages(stream.streams_info)}
    waiting = await _all_pages(partial(stream.consumers_info, names.RULINGS))
    stations = {str(info.name) for info in waiting}
    return {station for station in stations if f"OBJ_{names.bucket(station)}" in kept}


async def _all_pages(ask: Callable[..., Awaitable[list[Any]]]) -> list[Any]:
    found: list[Any] = []
    while page := await ask(offset=len(found)):
        found += page
    return found


async def stored_picture(stream: JetStreamContext, station: str, name: str) -> bytes | None:
    """A picture, None if some of its parts were dropped: the store drops the oldest parts when it is full."""
    bucket = names.bucket(station)
    try:
        store = await stream.object_store(bucket)
        info = await store.get_info(name)
        parts = f"$O.{bucket}.C.{info.nuid}"
        kept = (await stream.stream_info(f"OBJ_{bucket}", subjects_filter=parts)).state.subjects or {}
        if kept.get(parts, 0) < (info.chunks or 0):
            return None
        return (await asyncio.wait_for(store.get(name), PICTURE_S)).data
    except NotFoundError:
        return None


async def _ensure(stream: JetStreamContext, name: str, subjects: list[str], **limits: Any) -> None:
    kept: dict[str, Any] = {"discard": DiscardPolicy.OLD, "storage": StorageType.FILE, "allow_direct": True}
    config = StreamConfig(name=name, subjects=subjects, **kept, **limits)
    try:
        await stream.add_stream(config)
    except BadRequestError:
        # It exists with other limits.
        await stream.update_stream(config)


async def _ensure_consumer(stream: JetStreamContext, name: str, durable: str, **settings: Any) -> None:
    config = ConsumerConfig(durable_name=durable, ack_policy=AckPolicy.EXPLICIT, **settings)
    try:
        await stream.add_consumer(name, config)
    except APIError as error:
        # It exists and is in use.
        log.debug("%s: %s", durable, error)
