"""Who may do what at the broker: NATS' own signed user tokens (JWT), so that a new table needs no change of the
broker's configuration. A table may write its own subjects, read the rulings meant for it, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from typing import Any

import nkeys

from companion_api.hall import names

DAYS_VALID = 365


class Key:
    """A signing key in NATS' notation."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._pair = nkeys.from_seed(seed.encode())

    @staticmethod
    def new(prefix: int) -> Key:
        return Key(nkeys.encode_seed(os.urandom(32), prefix).decode())

    @property
    def public(self) -> str:
        return str(self._pair.public_key.decode())

    def sign(self, text: bytes) -> bytes:
        signed: bytes = self._pair.sign(text)
        return signed


def new_user() -> Key:
    return Key.new(nkeys.PREFIX_BYTE_USER)


@dataclass(frozen=True, slots=True)
class Seeds:
    """The secrets of a hall: who runs the broker, whose the streams are, what rulings are sealed with, what the tokens
    of people are signed with."""

    operator: str
    account: str
    system: str
    seal: str
    people: str

    @staticmethod
    def new() -> Seeds:
        account, seal = nkeys.PREFIX_BYTE_ACCOUNT, base64.b64encode(os.urandom(32)).decode()
        operator = Key.new(nkeys.PREFIX_BYTE_OPERATOR).seed
        return Seeds(operator, Key.new(account).seed, Key.new(account).seed, seal, os.urandom(32).hex())

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def operator_token(seeds: Seeds) -> str:
    operator, system = Key(seeds.operator), Key(seeds.system)
    claims = {"type": "operator", "version": 2, "system_account": system.public}
    return _token(operator, operator.public, "companion hall", claims)


def account_token(seeds: Seeds, name: str, seed: str) -> str:
    unlimited = ("subs", "data", "payload", "imports", "exports", "conn", "leaf")
    limits: dict[str, Any] = dict.fromkeys(unlimited, -1) | {"wildcards": True}
    if seed == seeds.account:
        limits |= dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
    claims = {"type": "account", "version": 2, "limits": limits, "default_permissions": {"pub": {}, "sub": {}}}
    return _token(Key(seeds.operator), Key(seed).public, name, claims)


def hub_credentials(seeds: Seeds) -> str:
    """May do everything in the hall's account."""
    return _credentials(seeds, "hub", [">"], [">"], days=None)


def table_credentials(seeds: Seeds, station: str) -> str:
    return _credentials(seeds, station, _may_write(station), [f"{names.inbox(station)}.>"], days=DAYS_VALID)


def _may_write(station: str) -> list[str]:
    store = names.bucket(station)
    own = names.event_subject(station, "*")
    asked = [
        f"DIRECT.GET.{names.EVENTS}.{own}",
        f"CONSUMER.MSG.NEXT.{names.RULINGS}.{station}",
        f"STREAM.INFO.OBJ_{store}",
        f"STREAM.PURGE.OBJ_{store}",
        f"STREAM.MSG.GET.OBJ_{store}",
        f"DIRECT.GET.OBJ_{store}.>",
    ]
    # The hub's own broker judges what it has mapped out of the domain, another room's judges what it hears.
    apis = [f"{api}.{what}" for api in ("$JS.API", f"$JS.{names.DOMAIN}.API") for what in asked]
    acks = f"$JS.ACK.{names.RULINGS}.{station}.>"
    return [own, names.look_subject(station, "*"), acks, f"$O.{store}.>", *apis]


def _credentials(seeds: Seeds, name: str, publish: list[str], subscribe: list[str], days: int | None) -> str:
    """The text of a `.creds` file."""
    user = new_user()
    claims = {
        "type": "user",
        "version": 2,
        "pub": {"allow": publish},
        "sub": {"allow": subscribe},
        "subs": -1,
        "data": -1,
        "payload": -1,
    }
    token = _token(Key(seeds.account), user.public, name, claims, days)
    return (
        f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
    )


def _token(issuer: Key, subject: str, name: str, nats: dict[str, Any], days: int | None = None) -> str:
    now = int(time.time())
    claims: dict[str, Any] = {"iat": now, "iss": issuer.public, "sub": subject, "name": name, "nats": nats}
    if days is not None:
        claims["exp"] = now + days * 86_400
    claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(claims).encode()).digest()).decode().rstrip("=")
    body = f"{_encoded({'typ': 'JWT', 'alg': 'ed25519-nkey'})}.{_encoded(claims)}"
    return f"{body}.{_plain64(issuer.sign(body.encode()))}"


def _encoded(value: Any) -> str:
    return _plain64(json.dumps(value, separators=(",", ":")).encode())


def _plain64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
