"""A table server's membership of a hall, kept in `hall.json` of its data folder, and its connection to the broker."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nats.aio.client import Client, RawCredentials
from nats.errors import Error as NatsError

from companion_api.access import write_secret
from companion_api.hall import names

log = logging.getLogger("companion.hall.connection")

HUB_PORT = 8480
MEMBERSHIP_FILE = "hall.json"
ANSWER_S = 4.0
CONNECT_S = 5
BROKEN = (NatsError, OSError, asyncio.TimeoutError)


_REASONS = {
    "address": "--hall is nats://HUB:4222, or nats://CODE@HUB:4222 with the code of the invitation",
    "away": "the hall at {page} cannot be reached ({why}); is `companion hall` running there?",
    "invitation": "the hall at {server} lets in whom it has invited; use the address on the director's desk",
    "refused": "the hall at {page} does not let us in: {why}",
    "spoilt": "{path} cannot be read ({why}); join the hall again with a new invitation",
}


class JoinError(ValueError):
    """A hall that cannot be joined; the text says why and what to do, `reason` is the page's key of the sentence."""

    def __init__(self, reason: str, **facts: str) -> None:
        super().__init__(_REASONS[reason].format(**facts))
        self.reason, self.facts = reason, facts

    def to_json(self) -> dict[str, Any]:
        return {"text": str(self), "reason": self.reason, "facts": self.facts}


@dataclass(frozen=True, slots=True)
class Membership:
    """What a table server sends with. `seal`: public key of the hall's rulings; empty at a broker that is open to all,
    and then no rulings are accepted."""

    server: str
    station: str
    name: str = ""
    credentials: str = ""
    seal: str = ""

    def keep(self, data: Path) -> None:
        write_secret(data / MEMBERSHIP_FILE, json.dumps(asdict(self)).encode())


def stored_membership(data: Path) -> Membership | None:
    """The membership in the data folder, None if there is none; JoinError where the file is damaged."""
    path = data / MEMBERSHIP_FILE
    if not path.exists():
        return None
    try:
        return Membership(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise JoinError("spoilt", path=str(path), why=str(error)) from None


def membership(url: str, data: Path, name: str) -> Membership:
    """The membership for an address: `nats://HUB:4222` for a table with a stored membership, `nats://CODE@HUB:4222`
    with an invitation's code (`?hub=PORT` where the hub's page is not on 8480). It is stored; JoinError if refused."""
    try:
        parsed = urlsplit(url.strip())
        server = f"{parsed.scheme}://{parsed.hostname}:{parsed.port or 4222}"
    except ValueError:
        raise JoinError("address") from None
    if parsed.scheme not in ("nats", "tls") or not parsed.hostname:
        raise JoinError("address")
    if parsed.username:
        query = dict(part.split("=", 1) for part in parsed.query.split("&") if "=" in part)
        page = f"http://{parsed.hostname}:{query.get('hub', HUB_PORT)}"
        joined = _request_membership(page, server, parsed.username, name)
        joined.keep(data)
        return joined
    before = stored_membership(data)
    if before is not None:
        moved = replace(before, server=server)
        moved.keep(data)
        return moved
    return Membership(server, names.station_of(name), name)


def _request_membership(page: str, server: str, code: str, name: str) -> Membership:
    """Credentials from the hub's page for an invitation's code."""
    body = json.dumps({"code": code, "name": name}).encode()
    request = urllib.request.Request(f"{page}/api/stations", body, {"content-type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            given = json.load(answer)
    except urllib.error.HTTPError as error:
        detail = json.loads(error.read() or b"{}").get("detail", error.reason)
        raise JoinError("refused", page=page, why=str(detail)) from None
    except (OSError, ValueError) as error:
        raise JoinError("away", page=page, why=str(getattr(error, "reason", error))) from None
    return Membership(server, given["station"], given["name"], given["credentials"], given["seal"])


async def connect(member: Membership) -> Client:
    """A connection to the broker that does not reconnect: after it breaks the log is read again from the cursor."""
    client = Client()
    try:
        # The library retries one address for two minutes; the publisher retries from the beginning instead.
        connected = client.connect(
            member.server,
            name=member.station,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            connect_timeout=CONNECT_S,
            ping_interval=5,
            max_outstanding_pings=2,
            inbox_prefix=names.inbox(member.station),
            error_cb=log_connection_error,
            user_credentials=RawCredentials(member.credentials) if member.credentials else None,
        )
        await asyncio.wait_for(connected, 2 * CONNECT_S)
    except BROKEN:
        await _abort(client)
        raise
    return client


async def _abort(client: Client) -> None:
    """Close the socket of a connection that was refused."""
    transport: Any = client._transport
    if transport is not None:
        transport.close()
        with suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(transport.wait_closed(), 1.0)


async def log_connection_error(error: Exception) -> None:
    log.debug("connection: %s", error)


async def close_connection(client: Client) -> None:
    try:
        await asyncio.wait_for(client.close(), 5)
    except BROKEN:
        log.debug("the connection was gone already")


def verify_admission(member: Membership) -> None:
    """Connect once; JoinError where the broker cannot be reached or refuses the credentials."""
    try:
        asyncio.run(_try_connection(member))
    except BROKEN as error:
        if "authorization" in str(error).lower():
            raise JoinError("invitation", server=member.server) from None
        raise JoinError("away", page=member.server, why=str(error) or type(error).__name__) from None


async def _try_connection(member: Membership) -> None:
    await close_connection(await asyncio.wait_for(connect(member), 2 * ANSWER_S))
