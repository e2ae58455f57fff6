"""An umpire's answer on its way to a table: sealed by the hub, so that no broker between can make one up."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class SealError(ValueError):
    """A ruling that was not given in this hall."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """`about` is the claim, or the verdict that asks, in the log of the table. `actions`: what was really done, where
    the disputed action falls; or the answer to a question. `by` is who gave it."""

    id: str
    station: str
    table: str
    about: int
    by: str
    text: str
    upheld: bool
    actions: tuple[str, ...] = ()

    def sealed(self, secret: str) -> bytes:
        body = _plain(asdict(self))
        key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(secret))
        return _plain({"ruling": asdict(self), "seal": base64.b64encode(key.sign(body)).decode()})


def opened(message: bytes, public: str) -> tuple[Ruling, str]:
    """A ruling and its seal; SealError where the seal is not the hub's."""
    try:
        data = json.loads(message)
        given: dict[str, Any] = data["ruling"]
        ruling = Ruling(**{**given, "actions": tuple(given["actions"])})
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
        key.verify(base64.b64decode(data["seal"]), _plain(asdict(ruling)))
    except (InvalidSignature, ValueError, KeyError, TypeError) as error:
        raise SealError(f"a ruling without the hall's seal ({type(error).__name__})") from None
    return ruling, str(data["seal"])


def public_seal(secret: str) -> str:
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(secret)).public_key()
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    return base64.b64encode(key.public_bytes(*raw)).decode()


def _plain(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
