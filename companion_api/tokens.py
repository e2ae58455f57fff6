"""Codes that let people in and tokens that keep them in, worked out from one secret: at a table and in a hall alike."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

# No letters or digits that look alike on a phone across the table.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LONGEST = 1000


class Signer:
    """`purpose` keeps what is signed for one thing from being worth something for another."""

    def __init__(self, secret: bytes, purpose: str = "") -> None:
        self._secret = secret
        self._purpose = purpose

    def sign(self, fields: list[Any]) -> str:
        body = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
        return f"{body}.{self._mac(body)}"

    def read(self, text: str) -> list[Any] | None:
        """What was signed, or None if it was not signed here."""
        body, dot, mac = text.partition(".")
        if not dot or len(text) > _LONGEST or not hmac.compare_digest(mac.encode(), self._mac(body).encode()):
            return None
        fields: list[Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return fields

    def code(self, which: str, length: int) -> str:
        """The short code of a door."""
        digest = hmac.digest(self._secret, f"code {which}".encode(), "sha256")
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:length])

    def _mac(self, body: str) -> str:
        return hmac.new(self._secret, f"{self._purpose}{body}".encode(), hashlib.sha256).hexdigest()[:43]


def is_code(given: str, code: str) -> bool:
    """People type in small letters and with blanks around."""
    return hmac.compare_digest(given.strip().upper().encode(), code.encode())


def brought(authorization: str | None, cookie: str | None) -> str:
    """The token of a request: programs send a header, the page has a cookie."""
    return (authorization.removeprefix("Bearer ") if authorization else cookie) or ""
