"""The stream of a table: its events and board changes as bytes, computed once for all phones that know the same."""

from __future__ import annotations

import asyncio
import json
import struct
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from functools import lru_cache
from typing import Any

from fastapi.sse import format_sse_event
from starlette.concurrency import run_in_threadpool

from companion_api.access import Role, Token
from companion_api.projections.board import board_for, seat_requests, you
from companion_api.projections.choices import events_for
from companion_api.seat_view import SeatView
from companion_api.session import Session

KEPT_BYTES = 2_000_000
CHUNK_EVENTS = 200
"""Events per chunk. Chunks are cut at the same numbers for everybody, so that one phone's chunk serves the others
and no whole history is held in memory."""


class News:
    """Events after a number, shared by all viewers of one seat, so 500 spectators cost as much as one; computed one
    at a time in a thread, while the event loop goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._chunks: dict[tuple[int | None, int, int], bytes] = {}
        self.kept_bytes = 0

    async def after(self, viewer: Token, seq: int) -> tuple[int, bytes]:
        """The next events after `seq` and the last one's number, empty if there are none; more may follow."""
        last = min(self._session.moment.seq, (seq // CHUNK_EVENTS + 1) * CHUNK_EVENTS)
        if last <= seq:
            return seq, b""
        key = (viewer.seat, seq, last)
        async with self._turn:
            if key not in self._chunks:
                self._chunks[key] = await run_in_threadpool(self._encode, viewer, seq, last)
                self.kept_bytes += len(self._chunks[key])
                while self.kept_bytes > KEPT_BYTES and len(self._chunks) > 1:
                    self.kept_bytes -= len(self._chunks.pop(next(iter(self._chunks))))  # the oldest
            return last, self._chunks[key]

    def _encode(self, viewer: Token, seq: int, last: int) -> bytes:
        events = events_for(self._session.known(viewer.seat), seq, last)
        return b"".join(format_sse_event(data_str=plain(e), event="event", id=str(e["seq"])) for e in events)


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x03\x00"
"""An empty final block."""


@lru_cache(maxsize=32)  # messages of one event for the seats of a table
def deflated(message: bytes) -> bytes:
    """A message as deflate blocks without back references to earlier ones."""
    compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(message) + compressor.flush(zlib.Z_FULL_FLUSH)


async def gzip_stream(stream: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The stream as one gzip, each message flushed as a whole."""
    check, size = 0, 0
    yield _HEAD
    async with aclosing(stream):
        async for message in stream:
            check, size = zlib.crc32(message, check), size + len(message)
            yield deflated(message)
    yield _END + struct.pack("<II", check, size & 0xFFFFFFFF)


Parts = Mapping[str, str]
"""Fields of a board as JSON, those of its layout separately (`layout.pieces`)."""
_OWN = ("you", "wanted", "version")
_LAYOUT = "layout."


class Boards:
    """Boards of a table as JSON parts, computed once for all phones that see the same, so that a phone gets only what
    changed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._version = 0
        self._made: dict[tuple[Role, int | None], Parts] = {}

    async def now(self, viewer: Token) -> tuple[int, Parts]:
        """A phone's board and its version, of one snapshot."""
        async with self._turn:
            known = self._session.known(viewer.seat)
            if self._version != known.version:
                self._made, self._version = {}, known.version
            key = viewer.role, viewer.seat
            if key not in self._made:
                self._made[key] = await run_in_threadpool(_parts, known, viewer)
            own = {"you": plain(you(viewer)), "wanted": plain(seat_requests(known, viewer))}
            return self._version, {**self._made[key], **own}


def _parts(known: SeatView, viewer: Token) -> Parts:
    board = board_for(known, viewer)
    layout = board.pop("layout")
    fields = {name: plain(value) for name, value in board.items() if name not in _OWN}
    return {**fields, **{_LAYOUT + name: plain(value) for name, value in layout.items()}}


def change(start: int, before: Parts, version: int, after: Parts) -> bytes:
    """The stream message with the fields that changed between two versions."""
    new = {name: value for name, value in after.items() if before.get(name) != value}
    layout = {name.removeprefix(_LAYOUT): value for name, value in new.items() if name.startswith(_LAYOUT)}
    fields = {name: value for name, value in new.items() if not name.startswith(_LAYOUT)}
    message = f'{{"from":{start},"version":{version},"board":{_object(fields)},"layout":{_object(layout)}}}'
    return format_sse_event(data_str=message, event="board")


def _object(fields: Parts) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


class Hub:
    def __init__(self, session: Session) -> None:
        self._session = session
        self.news = News(session)
        self.boards = Boards(session)
        self._waiting: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: Callable[[], None] | None = None
        self.closed = False

    def start(self) -> None:
        """Starts listening; the session calls from any thread."""
        self._loop = asyncio.get_running_loop()
        self._end = self._session.listen(self._schedule_wake)

    def stop(self) -> None:
        self.closed = True
        if self._end:
            self._end()
            self._end = None
        self._wake()

    def waiter(self) -> asyncio.Event:
        event = asyncio.Event()
        self._waiting.add(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        self._waiting.discard(event)

    @property
    def listeners(self) -> int:
        return len(self._waiting)

    def _schedule_wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()
