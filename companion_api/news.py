"""News of a table as the bytes of its stream: worked out once for all phones that may know the same."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi.sse import format_sse_event
from starlette.concurrency import run_in_threadpool

from companion_api.access import Token
from companion_api.projections.timeline import events_for
from companion_api.session import Session

KEPT_BYTES = 2_000_000
TOGETHER = 200
"""Events that go out in one piece. Whoever has missed a whole evening gets it in such pieces, cut at the same numbers
for everybody: what is worked out for one phone serves the others, and no phone's whole past is held in memory."""


class News:
    """What comes after an event is the same for everybody of one seat, so 500 lookers-on cost as much as one. It is
    worked out in a thread, one at a time: while the referee thinks, the event loop goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._made: dict[tuple[int | None, int, int], bytes] = {}
        self._kept = 0

    @property
    def kept_bytes(self) -> int:
        return self._kept

    async def after(self, viewer: Token, seq: int) -> tuple[int, bytes]:
        """The next events after `seq` and the last one's number; nothing where there are none. There may be more."""
        last = min(self._session.moment.seq, (seq // TOGETHER + 1) * TOGETHER)
        if last <= seq:
            return seq, b""
        key = (viewer.seat, seq, last)
        async with self._turn:
            if key not in self._made:
                self._keep(key, await run_in_threadpool(self._written, viewer, seq, last))
            return last, self._made[key]

    def _keep(self, key: tuple[int | None, int, int], made: bytes) -> None:
        """The newest always, older ones as far as there is room."""
        self._made[key] = made
        self._kept += len(made)
        while self._kept > KEPT_BYTES and len(self._made) > 1:
            oldest = next(iter(self._made))
            self._kept -= len(self._made.pop(oldest))

    def _written(self, viewer: Token, seq: int, last: int) -> bytes:
        events = events_for(self._session.known(viewer.seat), seq, last)
        return b"".join(format_sse_event(data_str=plain(e), event="event", id=str(e["seq"])) for e in events)


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
