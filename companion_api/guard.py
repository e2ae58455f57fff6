"""Checks before every route: host names, origins, sizes; adds security headers."""

from __future__ import annotations

import ipaddress
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion_api.answers.base import problem_response
from rules.sentence import Sentence, say

MAX_BODY = 256 * 1024
MAX_UPLOAD = 16 * 1024 * 1024
UPLOADS = ("/api/photo", "/api/import")

NO_SNIFFING = {"x-content-type-options": "nosniff"}
POLICY = "content-security-policy"
HEADERS = {
    POLICY: (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; "
        "connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    **NO_SNIFFING,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=()",
}
PARTS = (".js", ".css", ".json")
"""Parts of the page run under the policies of the page that loads them; only a service worker has its own."""
WORKER = "/sw.js"


class Guard:
    """Refuses foreign Host headers (DNS rebinding) and cross-site requests, limits bodies, adds headers. `reaches`:
    further origins the page may connect to."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), reaches: str = "") -> None:
        self._app = app
        policy = HEADERS[POLICY].replace("connect-src 'self'", f"connect-src 'self' {reaches}".strip())
        self._headers = _encoded({**HEADERS, POLICY: policy})
        self._names = {name.lower() for name in names} | {"localhost", "testserver"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if problem is not None:
            status, said = problem
            if scope["type"] == "http":
                await problem_response(status, said)(scope, receive, send)
                return
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": said.text})
            return
        path = scope["path"]
        # Parts of the page carry fewer headers, since a page has dozens of them.
        is_part = path.endswith(PARTS) and path != WORKER and not path.startswith("/api/")
        added = _NO_SNIFFING if is_part else self._headers
        await self._app(scope, _limit_body(receive, _limit(path)), _with_headers(send, added))

    def _problem(self, scope: Scope, headers: Headers) -> tuple[int, Sentence] | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, say("this address is not one of this server's names")
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD", "OPTIONS")
        if changes and origin is not None and _parts(origin).netloc.lower() != host.lower():
            return 403, say("this request comes from another site")
        length = headers.get("content-length", "0")
        limit = _limit(scope["path"])
        if length.isdecimal() and int(length[:18]) > limit:
            return 413, say("at most {limit} bytes are accepted", limit=limit)
        return None

    def _is_ours(self, host: str) -> bool:
        """Numeric addresses, localhost and .local names cannot be rebound by a foreign name server."""
        name = _parts(f"//{host}").hostname or ""
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names or name.endswith(".local")
        return True


def _limit(path: str) -> int:
    return MAX_UPLOAD if path.startswith(UPLOADS) else MAX_BODY


def _parts(address: str) -> SplitResult:
    """Empty parts for an invalid address, such as a single bracket."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


class BodyTooLargeError(Exception):
    pass


async def handle_too_large(_: Request, __: Exception) -> Response:
    return problem_response(413, say("the request is too large"))


def _limit_body(receive: Receive, limit: int) -> Receive:
    """Counts a body without a length header."""
    received = 0

    async def receive_counted() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > limit:
                raise BodyTooLargeError
        return message

    return receive_counted


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


_NO_SNIFFING = _encoded(NO_SNIFFING)


def _with_headers(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    async def send_with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *headers]
        await send(message)

    return send_with_headers
