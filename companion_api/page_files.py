"""Static files of the page, minified and compressed once and kept in memory, since a phone requests dozens of them at
once. A changed file is read again."""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from companion_api.phrasebook import WORDS, language_names, phrasebook

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
NEEDS_CHARSET = ("text/html", "text/css")
"""JavaScript modules are UTF-8 by definition."""
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class CachedFile:
    stamp: tuple[int, int]
    kind: str
    tag: str
    plain: bytes
    compressed: bytes


class PageFiles:
    """Serves the files of one folder; the folder itself is its index.html."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._cached: dict[Path, CachedFile] = {}
        """By resolved path, never by the requested name, so that there are at most as many entries as files."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405)
        found = self._find(scope["path"][len(scope.get("root_path", "")) :].lstrip("/") or INDEX)
        if found is None:
            return Response("Not Found", 404)
        request_headers = Headers(scope=scope)
        headers = {"etag": found.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request_headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        headers["content-type"] = found.kind
        if "gzip" not in request_headers.get("accept-encoding", ""):
            return Response(found.plain, headers=headers)
        return Response(found.compressed, headers={**headers, "content-encoding": "gzip"})

    def _find(self, name: str) -> CachedFile | None:
        """None for a name outside the folder or one no file can have (ValueError, OSError)."""
        try:
            path = (self._folder / name).resolve()
            if not path.is_relative_to(self._folder):
                return None
            source = self._source(path)
            found = source.stat()
            stamp = found.st_mtime_ns, found.st_size
            if path not in self._cached or self._cached[path].stamp != stamp:
                self._cached[path] = _cached(path, stamp, self._read(path))
        except (OSError, ValueError):
            return None
        return self._cached[path]

    def _source(self, path: Path) -> Path:
        """The file a path in the folder is made from."""
        return path

    def _read(self, path: Path) -> bytes:
        return path.read_bytes()


class CompressedAnswers:
    """Compresses the answers of the given paths, which a phone needs in its first second; others pass unchanged."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self._plain, self._compressed, self._paths = app, GZipMiddleware(app, minimum_size=600, compresslevel=6), paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        compressed = scope["type"] == "http" and scope["path"] in self._paths
        await (self._compressed if compressed else self._plain)(scope, receive, send)


class WordFiles(PageFiles):
    """The page's words in parts: `first/en.json` for the first second, `rest/en.json` for later views, `wall/en.json`
    for a hall."""

    def _read(self, path: Path) -> bytes:
        source = self._source(path)
        if source == path:
            return source.read_bytes()
        words = json.loads(source.read_bytes())
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
"""Prefixes of the keys that no view of the first second uses."""


def _part(key: str) -> str:
    return _WALL if key.startswith(f"{_WALL}.") else _REST if key.startswith(LATER) else _FIRST


_COMMENTS = (
    re.compile(rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL),
    re.compile(rb"^[ \t]*//.*$", re.MULTILINE),
    re.compile(rb"/\*\* @(?:type|param)\b[^\n]*?\*/ ?"),
)
_INDENTED = re.compile(rb"^[ \t]+", re.MULTILINE)


def strip_comments(source: bytes) -> bytes:
    """A module without comments and indentation; line numbers stay."""
    for comment in _COMMENTS:
        source = comment.sub(lambda found: b"\n" * found[0].count(b"\n"), source)
    return _INDENTED.sub(b"", source)


def strip_spaces(style: bytes) -> bytes:
    """A style sheet without superfluous white space."""
    return re.sub(rb":\s+", b":", re.sub(rb"\s*([{};,>])\s*", rb"\1", style)).replace(b";}", b"}")


_MINIFIERS = {".js": strip_comments, ".css": strip_spaces}


def _cached(path: Path, stamp: tuple[int, int], plain: bytes) -> CachedFile:
    plain = _MINIFIERS.get(path.suffix, bytes)(plain)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = f"{kind}; charset=utf-8" if kind in NEEDS_CHARSET else kind
    return CachedFile(stamp, kind, f'"{sha256(plain).hexdigest()[:12]}"', plain, gzip.compress(plain, mtime=0))


def mount_words(app: FastAPI) -> None:
    books = Router([Route("/{language}/{game}.json", _phrasebook)])
    app.mount("/words/rules", GZipMiddleware(books), name="phrasebooks")
    app.add_route("/words/languages.json", lambda _: JSONResponse(language_names()), include_in_schema=False)
    app.mount("/words", WordFiles(WORDS), name="words")


async def _phrasebook(request: Request) -> JSONResponse:
    try:
        return JSONResponse(phrasebook(request.path_params["language"], request.path_params["game"]))
    except LookupError as error:
        return JSONResponse({"detail": str(error)}, 404)
