"""Access: join codes and signed tokens derived from one secret, and rate limits against guessing."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import tempfile
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

COOKIE = "companion"
_SECRET_LENGTH = 32
_CODE_LENGTH = 6
_HOSTS = 12
"""Host codes per table."""


class Role(StrEnum):
    HOST = "host"
    PLAYER = "player"
    SPECTATOR = "spectator"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class Token:
    table: str
    role: Role
    seat: int | None = None
    name: str = ""
    phone: str = ""
    """Identifies the phone, so that the table knows who sits where; programs need none."""

    @property
    def by(self) -> str:
        """The actor's name in the log."""
        return self.role.value if self.seat is None else f"seat:{self.seat}"

    @property
    def may_act(self) -> bool:
        return self.role in (Role.HOST, Role.PLAYER)


class Keys:
    """Signs and reads tokens and derives a table's codes, from one secret in the data folder."""

    def __init__(self, secret: bytes) -> None:
        self._signer = Signer(secret)

    @staticmethod
    def of(data: Path) -> Keys:
        """The server's secret, created on first use and readable by its owner alone. An empty or short file could be
        guessed, so it is replaced, and people join again by their codes."""
        path = data / "secret"
        known = path.read_bytes() if path.exists() else b""
        if len(known) < _SECRET_LENGTH:
            known = secrets.token_bytes(_SECRET_LENGTH)
            write_secret(path, known)
        return Keys(known)

    def sign(self, token: Token) -> str:
        return self._signer.sign([token.table, token.role.value, token.seat, token.name, token.phone])

    def read(self, text: str) -> Token | None:
        """The token, None for a wrong signature."""
        fields = self._signer.read(text)
        if fields is None:
            return None
        table, role, seat, name, *phone = fields
        return Token(table, Role(role), seat, name, *phone)

    def code(self, table: str, role: Role, number: int = 0) -> str:
        """A join code: one for players and spectators, and one per host, since a host's code opens once. `number`:
        hosts who have joined by code."""
        return self._signer.code(f"{table} {role.value}" + (f" {number}" if number else ""), _CODE_LENGTH)

    def opens(self, table: str, code: str) -> tuple[Role, int] | None:
        """The role of a code, and the number of a host code; None for another table's code."""
        for role, number in ((Role.PLAYER, 0), *((Role.HOST, number) for number in range(_HOSTS))):
            if is_code(code, self.code(table, role, number)):
                return role, number
        return None


class Brake:
    """Allows `tries` per caller within `seconds`."""

    def __init__(self, tries: int, seconds: float, callers: int = 2000) -> None:
        self._tries, self._seconds, self._callers = tries, seconds, callers
        self._seen: dict[str, list[float]] = {}

    def allows(self, caller: str) -> bool:
        now = time.monotonic()
        recent = [t for t in self._seen.get(caller, []) if now - t < self._seconds]
        if len(recent) >= self._tries:
            self._seen[caller] = recent
            return False
        if len(self._seen) >= self._callers and caller not in self._seen:
            self._seen.pop(next(iter(self._seen)))
        self._seen[caller] = [*recent, now]
        return True


# without characters that look alike on a phone
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_MAX_LENGTH = 1000


class Signer:
    """`purpose` separates signatures of one use from those of another."""

    def __init__(self, secret: bytes, purpose: str = "") -> None:
        self._secret = secret
        self._purpose = purpose

    def sign(self, fields: list[Any]) -> str:
        body = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
        return f"{body}.{self._mac(body)}"

    def read(self, text: str) -> list[Any] | None:
        """The signed fields; None for a wrong signature."""
        body, dot, mac = text.partition(".")
        if not dot or len(text) > _MAX_LENGTH or not hmac.compare_digest(mac.encode(), self._mac(body).encode()):
            return None
        fields: list[Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return fields

    def code(self, which: str, length: int) -> str:
        digest = hmac.digest(self._secret, f"code {which}".encode(), "sha256")
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:length])

    def _mac(self, body: str) -> str:
        return hmac.new(self._secret, f"{self._purpose}{body}".encode(), hashlib.sha256).hexdigest()[:43]


def is_code(given: str, code: str) -> bool:
    """Compares ignoring case and surrounding blanks, as people type."""
    return hmac.compare_digest(given.strip().upper().encode(), code.encode())


def token_text(authorization: str | None, cookie: str | None) -> str:
    """The token of a request: programs send a header, the page a cookie."""
    return (authorization.removeprefix("Bearer ") if authorization else cookie) or ""


def write_secret(path: Path, data: bytes) -> None:
    """Writes and syncs a temporary file beside it, then replaces the target."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # for its owner alone
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


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
    """Joining without typing: a screen shows a public code, somebody inside grants it, and the screen, which alone has
    the secret part, picks up what it was granted (`Entry`)."""

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
