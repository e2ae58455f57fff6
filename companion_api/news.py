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

KEPT = 32


class News:
    """What comes after an event is the same for everybody of one seat, so 500 lookers-on cost as much as one. It is
    worked out in a thread, one at a time: while the referee thinks, the event loop goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._made: dict[tuple[int | None, int, int], bytes] = {}

    async def after(self, viewer: Token, seq: int) -> tuple[int, bytes]:
        """The last event's number and everything after `seq`; empty where there is nothing."""
        last = self._session.seq
        if last <= seq:
            return seq, b""
        key = (viewer.seat, seq, last)
        async with self._turn:
            if key not in self._made:
                if len(self._made) >= KEPT:
                    self._made.pop(next(iter(self._made)))
                self._made[key] = await run_in_threadpool(self._written, viewer, seq, last)
            return last, self._made[key]

    def _written(self, viewer: Token, seq: int, last: int) -> bytes:
        events = [event for event in events_for(self._session.known(viewer.seat), seq) if event["seq"] <= last]
        return b"".join(format_sse_event(data_str=plain(e), event="event", id=str(e["seq"])) for e in events)


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
