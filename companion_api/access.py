"""Who may do what: signed tokens with a role in them, join codes, and a brake on guessing.

A token stands in an HttpOnly, SameSite=Strict cookie (or in an Authorization header for programs); never in a URL.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion_api.secret_files import write_secret
from companion_api.tokens import Signer, is_code

COOKIE = "companion"
_SECRET_LENGTH = 32
_CODE_LENGTH = 6
_HOSTS = 12
"""How many phones can become host of one table by a code."""


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
    """Which phone it is, so that the table knows who sits where; programs need none."""

    @property
    def by(self) -> str:
        """As the log names the actor."""
        if self.seat is not None:
            return f"seat:{self.seat}"
        return self.role.value

    @property
    def may_act(self) -> bool:
        return self.role in (Role.HOST, Role.PLAYER)


class Keys:
    """Signs and reads tokens and makes the codes of a table, all from one secret in the data folder."""

    def __init__(self, secret: bytes) -> None:
        self._signer = Signer(secret)

    @staticmethod
    def of(data: Path) -> Keys:
        """The secret of this server, made on first use and readable by its owner alone. A file that is empty or too
        short would be guessed; it is made anew, and people come in again by their codes."""
        path = data / "secret"
        known = path.read_bytes() if path.exists() else b""
        if len(known) < _SECRET_LENGTH:
            known = secrets.token_bytes(_SECRET_LENGTH)
            write_secret(path, known)
        return Keys(known)

    def sign(self, token: Token) -> str:
        return self._signer.sign([token.table, token.role.value, token.seat, token.name, token.phone])

    def read(self, text: str) -> Token | None:
        """The token, or None if it was not made here."""
        fields = self._signer.read(text)
        if fields is None:
            return None
        table, role, seat, name, *phone = fields
        return Token(table, Role(role), seat, name, *phone)

    def code(self, table: str, role: Role, number: int = 0) -> str:
        """The short code that lets somebody in: one for players and lookers-on, and one for each host, since a host's
        code opens once. `number` counts the hosts who have come in by such a code."""
        return self._signer.code(f"{table} {role.value}" + (f" {number}" if number else ""), _CODE_LENGTH)

    def opens(self, table: str, code: str) -> tuple[Role, int] | None:
        """Which door a code opens, and for the host's the number of the code."""
        for role, number in ((Role.PLAYER, 0), *((Role.HOST, number) for number in range(_HOSTS))):
            if is_code(code, self.code(table, role, number)):
                return role, number
        return None


class Brake:
    """So many tries per caller in so many seconds; then wait."""

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
