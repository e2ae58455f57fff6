"""The page's types of what it sends and what the server answers, made of the server's OpenAPI document. Write them with
`python -m tests.companion_api.page.answer_types` whenever a route or an answer changes."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from companion_api.app import WEB, make_app
from companion_api.hall import routes, tournament_routes
from companion_api.hall.app import WEB as HALL_WEB
from companion_api.hall.at_table import attach
from companion_api.settings import Settings

TABLE, HALL = WEB / "js" / "answers.d.ts", HALL_WEB / "hall" / "answers.d.ts"
HEAD = (
    "// Made of the server's OpenAPI document by tests/companion_api/page/answer_types.py; not to be changed by hand.\n"
)
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_JSON = "application/json"


@cache
def table_server() -> dict[str, Any]:
    """The document of a table server that may belong to a hall."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Settings(data=Path(folder)))
        attach(app, Path(folder))
        found: dict[str, Any] = app.openapi()
        app.state.tables.close()
    return found


@cache
def hub() -> dict[str, Any]:
    """The document of a hall's hub."""
    app = FastAPI()
    for each in (routes.router, tournament_routes.router):
        app.include_router(each)
    return app.openapi()


def written() -> dict[Path, str]:
    """Both files: all shapes by name, and which route takes and gives what. The hall's has only the shapes that the
    table's has not."""
    at_table, in_hall = table_server(), hub()
    known, own = _shapes(at_table), _shapes(in_hall)
    shared = _shared(known, own)
    borrowed = "\n".join(f"  {name}," for name in sorted(shared & _named_in(own, own.keys() - shared, in_hall)))
    return {
        TABLE: _file(known.values(), at_table),
        HALL: _file(
            [
                f'import type {{\n{borrowed}\n}} from "../js/answers";\n',
                *(own[name] for name in own if name not in shared),
            ],
            in_hall,
        ),
    }


def _file(shapes: Iterable[str], document: dict[str, Any]) -> str:
    return HEAD + "\n" + "\n".join([*shapes, *_routes(document["paths"])])


def _shapes(document: dict[str, Any]) -> dict[str, str]:
    return {name: _declared(name, schema) for name, schema in sorted(document["components"]["schemas"].items())}


def _shared(known: dict[str, str], own: dict[str, str]) -> set[str]:
    """The shapes that are the same in both, with all that they are made of."""
    same = {name for name in own if known.get(name) == own[name]}
    while apart := {name for name in same if _words(own[name]) & (own.keys() - same)}:
        same -= apart
    return same


def _named_in(own: dict[str, str], names: Iterable[str], document: dict[str, Any]) -> set[str]:
    return set().union(*(_words(own[name]) for name in names), *map(_words, _routes(document["paths"])))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _routes(paths: dict[str, Any]) -> Iterator[str]:
    yield _table("Gets", ((path, _answer(methods["get"])) for path, methods in paths.items() if "get" in methods))
    posts = [(path, methods["post"]) for path, methods in paths.items() if "post" in methods]
    yield _table("Posts", ((path, _answer(about)) for path, about in posts))
    yield _table("Sends", ((path, _sent(about)) for path, about in posts))


def _table(name: str, rows: Any) -> str:
    lines = [f"  {_address(path)}: {shape};" for path, shape in rows if shape and path.startswith("/api/")]
    return f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _address(path: str) -> str:
    """A path with a gap stands for all that fill it."""
    plain = path.removeprefix("/api/")
    filled = re.sub(r"\{\w+\}", "${string}", plain)
    return f'"{plain}"' if filled == plain else f"[path: `{filled}`]"


def _answer(about: dict[str, Any]) -> str | None:
    schema = about["responses"]["200"].get("content", {}).get(_JSON, {}).get("schema", {})
    return None if not schema or schema.get("format") == "binary" else _type(schema)


def _sent(about: dict[str, Any]) -> str | None:
    content = about.get("requestBody", {}).get("content", {})
    return _type(content[_JSON]["schema"]) if _JSON in content else None


def _declared(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    needed = set(schema.get("required", ()))
    fields = [f"  {key}{'' if key in needed else '?'}: {_type(value)};" for key, value in schema["properties"].items()]
    if schema.get("additionalProperties") is True:
        fields.append("  [more: string]: unknown;")
    return f"export interface {name} {{\n" + "\n".join(fields) + "\n}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if either := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(each) for each in either))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        return _list(schema)
    if kind == "object":
        extra = schema.get("additionalProperties")
        return f"Record<string, {_type(extra) if isinstance(extra, dict) else 'unknown'}>"
    return _PLAIN.get(str(kind), "unknown")


def _list(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
    inner = _type(schema.get("items", {}))
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


if __name__ == "__main__":
    for file, text in written().items():
        file.write_text(text, encoding="utf-8")
