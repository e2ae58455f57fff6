"""Joining without typing: a screen shows a public code, somebody inside grants it, and the screen, which alone has the
secret part, picks up what it was granted."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from dataclasses import dataclass
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
KEPT_S = 1800.0
MAX_OPEN = 60
"""Open requests kept at most; the oldest is dropped, so that strangers cannot fill the memory."""


@dataclass(slots=True)
class _Request(Generic[Entry]):
    secret: str
    at: float
    entry: Entry | None = None


class ScreenRequests(Generic[Entry]):
    """`Entry`: what a granted screen receives."""

    def __init__(self) -> None:
        self._open: dict[str, _Request[Entry]] = {}
        self._lock = threading.Lock()

    def open(self) -> tuple[str, str]:
        """The public code and the secret part of a new request."""
        shown, kept = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        with self._lock:
            self._drop_expired()
            if len(self._open) >= MAX_OPEN:
                del self._open[next(iter(self._open))]
            self._open[shown] = _Request(kept, time.monotonic())
        return shown, kept

    def is_waiting(self, shown: str) -> bool:
        with self._lock:
            self._drop_expired()
            return shown in self._open

    def grant(self, shown: str, entry: Entry) -> bool:
        """Whether a request with this code was open."""
        with self._lock:
            self._drop_expired()
            waiting = self._open.get(shown)
            if waiting is None:
                return False
            waiting.entry = entry
            return True

    def redeem(self, shown: str, secret: str) -> Entry | None:
        """What was granted, once; None until then. KeyError for an unknown code or a wrong secret."""
        with self._lock:
            self._drop_expired()
            waiting = self._open[shown]
            if not hmac.compare_digest(waiting.secret.encode(), secret.encode()):
                raise KeyError(shown)
            if waiting.entry is not None:
                del self._open[shown]
            return waiting.entry

    def _drop_expired(self) -> None:
        limit = time.monotonic() - KEPT_S
        self._open = {shown: waiting for shown, waiting in self._open.items() if waiting.at >= limit}
