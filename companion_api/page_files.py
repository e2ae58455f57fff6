"""The files of the page, kept in memory, small and ready to go: a phone asks for dozens of them at once, and what each
costs the server is what the phone waits for. A file that changes on the disk is read again."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class Kept:
    stamp: tuple[int, int]
    kind: str
    tag: str
    plain: bytes
    small: bytes


class PageFiles:
    """Answers for what lies in one folder; a folder itself is its index.html."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._kept: dict[str, Kept] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405)
        found = self._find(scope["path"][len(scope.get("root_path", "")) :].lstrip("/") or INDEX)
        if found is None:
            return Response("Not Found", 404)
        asked = Headers(scope=scope)
        headers = {"etag": found.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if asked.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in asked.get("accept-encoding", ""):
            return Response(found.plain, headers=headers, media_type=found.kind)
        return Response(found.small, headers={**headers, "content-encoding": "gzip"}, media_type=found.kind)

    def _find(self, name: str) -> Kept | None:
        if "\0" in name:
            return None
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder):
            return None
        try:
            found = path.stat()
            stamp = found.st_mtime_ns, found.st_size
            if name not in self._kept or self._kept[name].stamp != stamp:
                self._kept[name] = _read(path, stamp)
        except OSError:
            return None
        return self._kept[name]


def _read(path: Path, stamp: tuple[int, int]) -> Kept:
    plain = path.read_bytes()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Kept(stamp, kind, f'"{sha256(plain).hexdigest()[:16]}"', plain, gzip.compress(plain, mtime=0))
