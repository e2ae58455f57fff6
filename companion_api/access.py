"""Access: signed tokens with roles, join codes, and rate limits against guessing."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion_api.tokens import Signer, is_code, write_secret

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
        if self.seat is not None:
            return f"seat:{self.seat}"
        return self.role.value

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
