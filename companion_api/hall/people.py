"""Roles of the hall: a code or QR admits people, a signed token in a cookie identifies them. No accounts.

Codes and tokens are derived from one secret in the database, so several hubs agree; raising a role's generation
invalidates its code and all its tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion_api.access import Signer, is_code
from companion_api.hall.store import Store

COOKIE = "hall"
_LENGTH = 8


class HallRole(StrEnum):
    DIRECTOR = "director"  # invites, runs tournaments, and may do all that the others may
    UMPIRE = "umpire"  # answers what tables ask
    GUEST = "guest"  # looks on
    TABLE = "table"  # a table server; its code gives credentials for the broker, no cookie


@dataclass(frozen=True, slots=True)
class HallPerson:
    role: HallRole
    name: str = ""

    @property
    def by(self) -> str:
        """Author of a ruling in logs."""
        return f"{self.role.value}:{self.name}"


class People:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._signer = Signer(bytes.fromhex(store.seeds.people), purpose="token ")

    def generation(self, role: HallRole) -> int:
        return int(self._store.setting(f"generation {role.value}", "1"))

    def renew(self, role: HallRole) -> None:
        """Invalidate the code and all tokens of this role."""
        self._store.put_setting(f"generation {role.value}", str(self.generation(role) + 1))

    def code(self, role: HallRole) -> str:
        return self._signer.code(f"{role.value} {self.generation(role)}", _LENGTH)

    def role_of_code(self, code: str) -> HallRole | None:
        return next((role for role in HallRole if is_code(code, self.code(role))), None)

    def sign(self, person: HallPerson) -> str:
        return self._signer.sign([person.role.value, person.name, self.generation(person.role)])

    def read(self, text: str) -> HallPerson | None:
        """The person of this token, or None if it was not made here or is invalid by now."""
        fields = self._signer.read(text)
        if fields is None:
            return None
        role, name, generation = fields
        person = HallPerson(HallRole(role), name)
        return person if generation == self.generation(person.role) else None
