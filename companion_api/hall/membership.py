"""A table server's membership of a hall, kept in `hall.json` of its data folder, and its connection to the broker."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
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


class Reason(StrEnum):
    """Why a hall cannot be joined: the key of the sentence that the page shows."""

    ADDRESS = "address"
    AWAY = "away"
    INVITATION = "invitation"
    REFUSED = "refused"
    SPOILT = "spoilt"


_TEXTS = {
    Reason.ADDRESS: "--hall is nats://HUB:4222, or nats://CODE@HUB:4222 with the code of the invitation",
    Reason.AWAY: "the hall at {page} cannot be reached ({why}); is `companion hall` running there?",
    Reason.INVITATION: "the hall at {server} lets in whom it has invited; use the address on the director's desk",
    Reason.REFUSED: "the hall at {page} does not let us in: {why}",
    Reason.SPOILT: "{path} cannot be read ({why}); join the hall again with a new invitation",
}


class JoinError(ValueError):
    """A hall that cannot be joined; the text says why and what to do."""

    def __init__(self, reason: Reason, **facts: str) -> None:
        super().__init__(_TEXTS[reason].format(**facts))
        self.reason, self.facts = reason, facts

    def to_json(self) -> dict[str, Any]:
        return {"text": str(self), "reason": self.reason.value, "facts": self.facts}


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
        raise JoinError(Reason.SPOILT, path=str(path), why=str(error)) from None


def membership(url: str, data: Path, name: str) -> Membership:
    """The membership for an address: `nats://HUB:4222` for a table with a stored membership, `nats://CODE@HUB:4222`
    with an invitation's code (`?hub=PORT` where the hub's page is not on 8480). It is stored; JoinError if refused."""
    try:
        parsed = urlsplit(url.strip())
        server = f"{parsed.scheme}://{parsed.hostname}:{parsed.port or 4222}"
    except ValueError:
        raise JoinError(Reason.ADDRESS) from None
    if parsed.scheme not in ("nats", "tls") or not parsed.hostname:
        raise JoinError(Reason.ADDRESS)
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
        raise JoinError(Reason.REFUSED, page=page, why=str(detail)) from None
    except (OSError, ValueError) as error:
        raise JoinError(Reason.AWAY, page=page, why=str(getattr(error, "reason", error))) from None
    return Membership(server, given["station"], given["name"], given["credentials"], given["seal"])


# The connection -------------------------------------------------------------------------------------------------


async def connect(member: Membership) -> Client:
    """A connection to the broker that does not reconnect: after it breaks the log is read again from the cursor."""
    options: dict[str, Any] = {"user_credentials": RawCredentials(member.credentials)} if member.credentials else {}
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
            **options,
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
            raise JoinError(Reason.INVITATION, server=member.server) from None
        raise JoinError(Reason.AWAY, page=member.server, why=str(error) or type(error).__name__) from None


async def _try_connection(member: Membership) -> None:
    await close_connection(await asyncio.wait_for(connect(member), 2 * ANSWER_S))
