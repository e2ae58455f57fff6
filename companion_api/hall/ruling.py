"""An umpire's ruling as a message to a table, signed by the hub, so that no broker between can forge one."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class SealError(ValueError):
    """A ruling without a valid signature of this hall."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """`about`: number of the claim, or of the verdict that asks, in the table's log. `actions`: what was really done,
    where the disputed action is not upheld, or the answer to a question. `by`: the umpire."""

    id: str
    station: str
    table: str
    about: int
    by: str
    text: str
    upheld: bool
    actions: tuple[str, ...] = ()

    def to_message(self, secret: str) -> bytes:
        body = _canonical(asdict(self))
        key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(secret))
        return _canonical({"ruling": asdict(self), "seal": base64.b64encode(key.sign(body)).decode()})


def verified_ruling(message: bytes, public: str) -> tuple[Ruling, str]:
    """A ruling and its signature; SealError where it was not made with the hub's key (`public`)."""
    try:
        data = json.loads(message)
        given: dict[str, Any] = data["ruling"]
        ruling = Ruling(**{**given, "actions": tuple(given["actions"])})
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
        key.verify(base64.b64decode(data["seal"]), _canonical(asdict(ruling)))
    except (InvalidSignature, ValueError, KeyError, TypeError) as error:
        raise SealError(f"a ruling without the hall's seal ({type(error).__name__})") from None
    return ruling, str(data["seal"])


def public_seal(secret: str) -> str:
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(secret)).public_key()
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    return base64.b64encode(key.public_bytes(*raw)).decode()


def _canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
