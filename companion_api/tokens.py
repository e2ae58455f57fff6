"""Join codes and signed tokens derived from one secret, for tables and halls."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import tempfile
from pathlib import Path
from typing import Any

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
        """A short join code."""
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
