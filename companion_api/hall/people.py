"""Who may do what in the hall: a code or a QR lets people in, a signed token in a cookie keeps them in. No accounts.

Everything is worked out from one secret in the database, so several hubs agree; a role's codes and tokens are made
invalid together by raising its generation.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from enum import StrEnum

from companion_api.hall.store import Store

COOKIE = "hall"
# No letters or digits that look alike on a phone across the room.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 8


class Role(StrEnum):
    DIRECTOR = "director"  # invites, runs tournaments, and may do all that the others may
    UMPIRE = "umpire"  # answers what tables ask
    GUEST = "guest"  # looks on
    TABLE = "table"  # a table server; its code gives credentials for the broker, no cookie


@dataclass(frozen=True, slots=True)
class Person:
    role: Role
    name: str = ""

    @property
    def by(self) -> str:
        """As logs name who gave a ruling."""
        return f"{self.role.value}:{self.name}"


class People:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._secret = bytes.fromhex(store.seeds.people)

    def generation(self, role: Role) -> int:
        return int(self._store.setting(f"generation {role.value}", "1"))

    def renew(self, role: Role) -> None:
        """The codes and tokens of this role are worth nothing any more."""
        self._store.put_setting(f"generation {role.value}", str(self.generation(role) + 1))

    def code(self, role: Role) -> str:
        digest = hmac.digest(self._secret, f"code {role.value} {self.generation(role)}".encode(), "sha256")
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_LENGTH])

    def opens(self, code: str) -> Role | None:
        given = code.strip().upper().encode()
        return next((role for role in Role if hmac.compare_digest(given, self.code(role).encode())), None)

    def sign(self, person: Person) -> str:
        fields = [person.role.value, person.name, self.generation(person.role)]
        body = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
        return f"{body}.{self._mac(body)}"

    def read(self, text: str) -> Person | None:
        """Who brings this token, or None if it was not made here or is worth nothing any more."""
        body, dot, mac = text.partition(".")
        if not dot or len(text) > 1000 or not hmac.compare_digest(mac.encode(), self._mac(body).encode()):
            return None
        role, name, generation = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        person = Person(Role(role), name)
        return person if generation == self.generation(person.role) else None

    def _mac(self, body: str) -> str:
        return hmac.new(self._secret, f"token {body}".encode(), hashlib.sha256).hexdigest()[:43]
