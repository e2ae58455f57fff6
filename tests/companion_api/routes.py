"""Requests for every route that the server has, made from its own OpenAPI document: a new route is in it by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

STREAM = "/api/events"
MOST = 24

Candidates = Mapping[str, list[Any]]


@dataclass(frozen=True)
class Asked:
    """One request; `path` is filled in."""

    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.query or ''} {'' if self.body is None else self.body}".strip()


def requests_of(openapi: dict[str, Any], candidates: Candidates, most: int = MOST) -> Iterator[Asked]:
    """Sensible requests of every route but the endless stream, so many of each at most: what is read first, then what
    is posted."""
    for method in ("get", "post"):
        for path, item in openapi["paths"].items():
            if method in item and path != STREAM:
                yield from islice(_of_route(openapi, method, path, item[method], candidates), most)


def _of_route(
    openapi: dict[str, Any], method: str, path: str, operation: dict[str, Any], candidates: Candidates
) -> Iterator[Asked]:
    places = {p["name"]: p for p in operation.get("parameters", ()) if p["in"] in ("path", "query")}
    values = {name: _values(openapi, name, p.get("schema", {}), candidates) for name, p in places.items()}
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    bodies = _bodies(openapi, schema, candidates) if schema else [None]
    for number in range(max([len(bodies), *map(len, values.values())])):
        chosen = {name: found[number % len(found)] for name, found in values.items()}
        query = {name: value for name, value in chosen.items() if places[name]["in"] == "query"}
        filled = path.format(**{name: value for name, value in chosen.items() if places[name]["in"] == "path"})
        yield Asked(method.upper(), filled, query, bodies[number % len(bodies)])


def _bodies(openapi: dict[str, Any], schema: dict[str, Any], candidates: Candidates) -> list[Any]:
    schema = _resolved(openapi, schema)
    fields = {n: _values(openapi, n, s, candidates) for n, s in schema.get("properties", {}).items()}
    required = {name: fields[name] for name in schema.get("required", ())}
    count = max([1, *map(len, fields.values())])
    made = [{n: found[i % len(found)] for n, found in wanted.items()} for i in range(count) for wanted in _both(
        required, fields
    )]  # fmt: skip
    return [body for number, body in enumerate(made) if body not in made[:number]]


def _both(required: dict[str, list[Any]], fields: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], ...]:
    """Only what must be there, and everything but the key that would make every repetition harmless."""
    return required, {name: found for name, found in fields.items() if name not in ("key", "expected")}


def _values(openapi: dict[str, Any], name: str, schema: dict[str, Any], candidates: Candidates) -> list[Any]:
    if name in candidates:
        return candidates[name]
    schema = _resolved(openapi, schema)
    for choice in schema.get("anyOf", ()):
        return _values(openapi, name, choice, candidates)
    if "enum" in schema or "const" in schema:
        return list(schema.get("enum", [schema.get("const")]))
    plain = {"integer": 1, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return [schema.get("default", plain.get(schema.get("type", ""), "x"))]


def _resolved(openapi: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = openapi["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema
