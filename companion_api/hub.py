"""Wakes everybody who waits for news of a table. It holds no news itself: whoever wakes reads the session's events
after the last one it has, so a slow phone costs nothing and a lost wake-up is no loss."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion_api.boards import Boards
from companion_api.news import News
from companion_api.session import Session


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
        """Begin to listen; the session speaks from any thread."""
        self._loop = asyncio.get_running_loop()
        self._end = self._session.listen(self._heard)

    def stop(self) -> None:
        self.closed = True
        if self._end:
            self._end()
            self._end = None
        self._wake()

    def waiter(self) -> asyncio.Event:
        bell = asyncio.Event()
        self._waiting.add(bell)
        return bell

    def leave(self, bell: asyncio.Event) -> None:
        self._waiting.discard(bell)

    @property
    def listeners(self) -> int:
        return len(self._waiting)

    def _heard(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for bell in self._waiting:
            bell.set()
