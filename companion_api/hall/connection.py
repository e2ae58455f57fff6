"""A table's way to the broker."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from nats.aio.client import Client, RawCredentials
from nats.errors import Error as NatsError

from companion_api.hall import names
from companion_api.hall.membership import JoinError, Membership, Reason

log = logging.getLogger("companion.hall.connection")

ANSWER_S = 4.0
CONNECT_S = 5
BROKEN = (NatsError, OSError, asyncio.TimeoutError)


async def connect(member: Membership) -> Client:
    """A connection that ends when it breaks: whoever uses it reads the log again and goes on from there."""
    options: dict[str, Any] = {"user_credentials": RawCredentials(member.credentials)} if member.credentials else {}
    client = Client()
    try:
        # The library tries one address again and again for two minutes; we try by ourselves, from the beginning.
        connected = client.connect(
            member.server,
            name=member.station,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            connect_timeout=CONNECT_S,
            ping_interval=5,
            max_outstanding_pings=2,
            inbox_prefix=names.inbox(member.station),
            error_cb=_quiet,
            **options,
        )
        await asyncio.wait_for(connected, 2 * CONNECT_S)
    except BROKEN:
        await _hung_up(client)
        raise
    return client


async def _hung_up(client: Client) -> None:
    """Whoever is not let in keeps no line open."""
    transport: Any = client._transport
    if transport is not None:
        transport.close()
        with suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(transport.wait_closed(), 1.0)


async def _quiet(error: Exception) -> None:
    log.debug("connection: %s", error)


async def closed(client: Client) -> None:
    try:
        await asyncio.wait_for(client.close(), 5)
    except BROKEN:
        log.debug("the connection was gone already")


def lets_in(member: Membership) -> None:
    """Knocks once; JoinError where nobody answers or nobody opens."""
    try:
        asyncio.run(_knock(member))
    except BROKEN as error:
        if "authorization" in str(error).lower():
            raise JoinError(Reason.INVITATION, server=member.server) from None
        raise JoinError(Reason.AWAY, page=member.server, why=str(error) or type(error).__name__) from None


async def _knock(member: Membership) -> None:
    await closed(await asyncio.wait_for(connect(member), 2 * ANSWER_S))
