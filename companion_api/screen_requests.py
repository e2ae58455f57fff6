"""Coming in without typing: a television shows a code that means nothing by itself; somebody who is inside scans it and
lets it in, and the television, which alone knows the other half, is told."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from dataclasses import dataclass
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
KEPT_S = 1800.0
MOST = 60
"""Doors that are knocked at once; the oldest is forgotten, so that strangers cannot fill the memory."""


@dataclass(slots=True)
class _Knock(Generic[Entry]):
    secret: str
    at: float
    entry: Entry | None = None


class Knocks(Generic[Entry]):
    """`Entry`: what whoever is let in gets."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Knock[Entry]] = {}
        self._lock = threading.Lock()

    def knock(self) -> tuple[str, str]:
        """What is shown to everybody, and what is kept."""
        shown, kept = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        with self._lock:
            self._forget()
            if len(self._waiting) >= MOST:
                del self._waiting[next(iter(self._waiting))]
            self._waiting[shown] = _Knock(kept, time.monotonic())
        return shown, kept

    def is_waiting(self, shown: str) -> bool:
        with self._lock:
            self._forget()
            return shown in self._waiting

    def let_in(self, shown: str, entry: Entry) -> bool:
        """False where nobody knocks with this code (any more)."""
        with self._lock:
            self._forget()
            waiting = self._waiting.get(shown)
            if waiting is None:
                return False
            waiting.entry = entry
            return True

    def enter(self, shown: str, secret: str) -> Entry | None:
        """What somebody inside has given, once; None while nobody has. KeyError for whoever does not knock."""
        with self._lock:
            self._forget()
            waiting = self._waiting[shown]
            if not hmac.compare_digest(waiting.secret.encode(), secret.encode()):
                raise KeyError(shown)
            if waiting.entry is not None:
                del self._waiting[shown]
            return waiting.entry

    def _forget(self) -> None:
        limit = time.monotonic() - KEPT_S
        self._waiting = {shown: waiting for shown, waiting in self._waiting.items() if waiting.at >= limit}
