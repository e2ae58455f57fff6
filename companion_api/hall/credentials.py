"""Permissions at the broker as NATS user tokens (JWT), so that a new table needs no change of the broker's
configuration. A table may write its own subjects, read its rulings, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import nkeys

from companion_api.hall import names

DAYS_VALID = 365


class Key:
    """A signing key in NATS notation."""

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


@dataclass(frozen=True, slots=True)
class Seeds:
    """The secrets of a hall: the broker's operator, the account of the streams, the system account, the key that signs
    rulings (`seal`) and the one that signs people's tokens."""

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


def operator_token(seeds: Seeds) -> str:
    operator, system = Key(seeds.operator), Key(seeds.system)
    claims = {"type": "operator", "version": 2, "system_account": system.public}
    return _token(operator, operator.public, "companion hall", claims)


def account_token(seeds: Seeds, name: str, seed: str, shut_out: Iterable[str] = ()) -> str:
    """The token of an account; `shut_out`: stations whose credentials it revokes."""
    unlimited = ("subs", "data", "payload", "imports", "exports", "conn", "leaf")
    limits: dict[str, Any] = dict.fromkeys(unlimited, -1) | {"wildcards": True}
    if seed == seeds.account:
        limits |= dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
    claims: dict[str, Any] = {"type": "account", "version": 2, "limits": limits}
    claims["default_permissions"] = {"pub": {}, "sub": {}}
    if revoked := {table_key(seeds, station).public: int(time.time()) for station in shut_out}:
        claims["revocations"] = revoked
    return _token(Key(seeds.operator), Key(seed).public, name, claims)


def table_key(seeds: Seeds, station: str) -> Key:
    """A station's user key, derived from the account, so that it can be revoked without a list of issued keys."""
    secret = hmac.digest(seeds.account.encode(), f"table {station}".encode(), "sha256")
    return Key(nkeys.encode_seed(secret, nkeys.PREFIX_BYTE_USER).decode())


def hub_credentials(seeds: Seeds) -> str:
    """Credentials of a hub: everything in the hall's account."""
    return _credentials(seeds.account, "hub", {"allow": [">"]}, [">"])


def system_credentials(seeds: Seeds) -> str:
    """Credentials to update the broker's revocations, and nothing else."""
    return _credentials(seeds.system, "hub", {"allow": [CLAIMS]}, ["_INBOX.>"])


def table_credentials(seeds: Seeds, station: str) -> str:
    store = names.bucket(station)
    own = names.subject("event", station, "*")
    requests = [
        f"DIRECT.GET.{names.EVENTS}.{own}",
        f"CONSUMER.MSG.NEXT.{names.RULINGS}.{station}",
        f"STREAM.INFO.OBJ_{store}",
        f"STREAM.PURGE.OBJ_{store}",
        f"STREAM.MSG.GET.OBJ_{store}",
        f"DIRECT.GET.OBJ_{store}.>",
    ]
    acks = f"$JS.ACK.{names.RULINGS}.{station}.>"
    publish = [own, names.subject("look", station, "*"), acks, f"$O.{store}.>", *_api(requests)]
    inbox, key = f"{names.inbox(station)}.>", table_key(seeds, station)
    return _credentials(seeds.account, station, {"allow": publish}, [inbox], key, DAYS_VALID)


def leaf_credentials(seeds: Seeds) -> str:
    """Credentials of a room's broker: its tables' events and looks out, receipts, rulings and answers in. It cannot
    create or change a stream, give a ruling, or read what other rooms send."""
    streams = (names.EVENTS, names.LOOKS, names.RULINGS)
    denied = _api([f"STREAM.{deed}.{stream}" for deed in ("PURGE", "MSG.GET", "INFO") for stream in streams])
    requests = [
        f"DIRECT.GET.{names.EVENTS}.hall.event.*.*",
        f"CONSUMER.MSG.NEXT.{names.RULINGS}.*",
        f"CONSUMER.INFO.{names.RULINGS}.*",
        *("STREAM.INFO.*", "STREAM.PURGE.*", "STREAM.MSG.GET.*", "DIRECT.GET.*.$O.>"),
    ]
    acks = f"$JS.ACK.{names.RULINGS}.>"
    allowed = [names.subject("event", "*", "*"), names.subject("look", "*", "*"), acks, "$O.>", *_api(requests)]
    return _credentials(seeds.account, "room", {"allow": allowed, "deny": denied}, [f"{names.INBOXES}.>"])


CLAIMS = "$SYS.REQ.CLAIMS.UPDATE"


def _api(requests: list[str]) -> list[str]:
    """Subjects of JetStream requests: the hub's broker checks them without the domain, another room's with it."""
    return [f"{api}.{what}" for api in ("$JS.API", f"$JS.{names.DOMAIN}.API") for what in requests]


def _credentials(
    account: str,
    name: str,
    publish: dict[str, list[str]],
    subscribe: list[str],
    user: Key | None = None,
    days: int | None = None,
) -> str:
    """The text of a `.creds` file."""
    user = user or Key.new(nkeys.PREFIX_BYTE_USER)
    unlimited = {"subs": -1, "data": -1, "payload": -1}
    claims = {"type": "user", "version": 2, "pub": publish, "sub": {"allow": subscribe}, **unlimited}
    token = _token(Key(account), user.public, name, claims, days)
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
