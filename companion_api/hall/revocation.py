"""A table is shut out of a running hall: its credentials are revoked at the broker, which ends its connection.

The broker is told by an account token with a list of revoked keys, over the broker's own system account. A broker that
was started anew may know an older list, so every hub says it again whenever it connects.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

import nats
from nats.aio.client import RawCredentials
from nats.errors import Error as NatsError

from companion_api.hall.credentials import CLAIMS, Seeds, account_token, system_credentials

log = logging.getLogger("companion.hall.revocation")
ANSWER_S = 5.0


async def told(server: str, seeds: Seeds, shut_out: Iterable[str]) -> bool:
    """Whether the broker has taken it. One with rules of its own does not; its keeper has to be asked."""
    token = account_token(seeds, "HALL", seeds.account, shut_out)
    try:
        client = await nats.connect(
            server,
            name="hub",
            allow_reconnect=False,
            connect_timeout=ANSWER_S,
            user_credentials=RawCredentials(system_credentials(seeds)),
            error_cb=_quiet,
        )
        try:
            answer = await client.request(CLAIMS, token.encode(), timeout=ANSWER_S)
        finally:
            await client.close()
    except (NatsError, OSError, TimeoutError) as error:
        log.warning("the broker was not told who is shut out: %s", error or type(error).__name__)
        return False
    if b'"code":200' not in answer.data.replace(b" ", b""):
        log.warning("the broker does not take who is shut out: %s", answer.data.decode(errors="replace")[:200])
        return False
    return True


async def _quiet(error: Exception) -> None:
    log.debug("connection: %s", error)
