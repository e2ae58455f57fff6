"""The files of the page, kept in memory, small and ready to go: a phone asks for dozens of them at once, and what each
costs the server is what the phone waits for. A file that changes on the disk is read again."""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
NEEDS_CHARSET = ("text/html", "text/css")
"""Modules are UTF-8 by themselves."""
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class KeptFile:
    stamp: tuple[int, int]
    kind: str
    tag: str
    plain: bytes
    small: bytes


class PageFiles:
    """Answers for what lies in one folder; a folder itself is its index.html."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._kept: dict[Path, KeptFile] = {}
        """By path in the folder, never by the name that was asked for: there are no more of them than files."""

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
        headers["content-type"] = found.kind
        if "gzip" not in asked.get("accept-encoding", ""):
            return Response(found.plain, headers=headers)
        return Response(found.small, headers={**headers, "content-encoding": "gzip"})

    def _find(self, name: str) -> KeptFile | None:
        """ValueError and OSError are for names that no file can have."""
        try:
            path = (self._folder / name).resolve()
            if not path.is_relative_to(self._folder):
                return None
            source = self._source(path)
            found = source.stat()
            stamp = found.st_mtime_ns, found.st_size
            if path not in self._kept or self._kept[path].stamp != stamp:
                self._kept[path] = _kept(path, stamp, self._read(path))
        except (OSError, ValueError):
            return None
        return self._kept[path]

    def _source(self, path: Path) -> Path:
        """The file that a path in the folder is made of."""
        return path

    def _read(self, path: Path) -> bytes:
        return self._source(path).read_bytes()


class SmallAnswers:
    """What a phone waits for in its first second comes small too; all other answers pass as they are."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self._plain, self._small, self._paths = app, GZipMiddleware(app, minimum_size=600, compresslevel=6), paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        small = scope["type"] == "http" and scope["path"] in self._paths
        await (self._small if small else self._plain)(scope, receive, send)


class WordFiles(PageFiles):
    """The page's words; `first/en.json` are those of the first second, `rest/en.json` those of later views, and
    `wall/en.json` those of a hall."""

    def _read(self, path: Path) -> bytes:
        if self._source(path) == path:
            return super()._read(path)
        words = json.loads(super()._read(path))
        chosen = {key: text for key, text in words.items() if _part(key) == path.parent.name}
        return json.dumps(chosen, ensure_ascii=False, separators=(",", ":")).encode()

    def _source(self, path: Path) -> Path:
        part = path.parent.name
        return self._folder / path.name if part in _PARTS and path.parent.parent == self._folder else path


_PARTS = _FIRST, _REST, _WALL = "first", "rest", "wall"
LATER = (
    "act.laid", "advice.", "camera.", "check.", "clock", "corners", "correct", "demo", "differences", "dispute",
    "earlier", "effect.", "end.", "evenings", "event.", "evidence", "export", "guesses", "hall", "hand.", "hands",
    "import", "incident.", "invite", "its_place", "join.code", "join.how", "join.role", "lay_on", "laying.",
    "learnt.", "led.", "lesson.", "lobby.", "log.", "lying.", "moments", "none_of_these", "note.", "options.",
    "other_game", "past", "phone.", "photo.", "picture.", "points", "preset", "put_back", "quality.", "reasons",
    "redo", "refusal.", "rematch", "replay", "rulebook", "ruling.", "score.", "screen.", "scrub", "seat.wanted",
    "settings.", "setup", "step.", "study", "summary.", "take_off", "takeback.", "taken_back", "trust.", "undo",
    "where.", "why.", "wizard",
)  # fmt: skip
"""How the keys of words begin that no view of the first second says."""


def _part(key: str) -> str:
    return _WALL if key.startswith(f"{_WALL}.") else _REST if key.startswith(LATER) else _FIRST


_REMARKS = (
    re.compile(rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL),
    re.compile(rb"^[ \t]*//.*$", re.MULTILINE),
    re.compile(rb"/\*\* @(?:type|param)\b[^\n]*?\*/ ?"),
)


_INDENTED = re.compile(rb"^[ \t]+", re.MULTILINE)


def unremarked(source: bytes) -> bytes:
    """A module without what only its readers need; its lines keep their numbers."""
    for remark in _REMARKS:
        source = remark.sub(lambda found: b"\n" * found[0].count(b"\n"), source)
    return _INDENTED.sub(b"", source)


def unspaced(style: bytes) -> bytes:
    """A style sheet without what only its readers need."""
    return re.sub(rb":\s+", b":", re.sub(rb"\s*([{};,>])\s*", rb"\1", style)).replace(b";}", b"}")


_SMALLER = {".js": unremarked, ".css": unspaced}


def _kept(path: Path, stamp: tuple[int, int], plain: bytes) -> KeptFile:
    plain = _SMALLER.get(path.suffix, bytes)(plain)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = f"{kind}; charset=utf-8" if kind in NEEDS_CHARSET else kind
    return KeptFile(stamp, kind, f'"{sha256(plain).hexdigest()[:12]}"', plain, gzip.compress(plain, mtime=0))
