"""A number that means nothing here is told so, on every route of the OpenAPI document that takes one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.companion_api.phones import Server
from tests.companion_api.routes import STREAM, Asked, requests_of
from tests.tiers import first

NONE_OF_OURS = (-1, 10**6, 2**31, 2**63, 10**20, 10**400)
ANY_WILL_DO = {"minutes", "increment", "x", "y", "width", "height"}
"""Measures and spots: they have limits of their own, and a spot may lie anywhere."""


def numbers_in(openapi: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Whether a whole number may stand there."""
    while "$ref" in schema:
        schema = openapi["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema.get("type") == "integer" or any(numbers_in(openapi, each) for each in schema.get("anyOf", ()))


def fields_of(openapi: dict[str, Any], operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a number goes and what it is called."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] in ("path", "query") and numbers_in(openapi, parameter.get("schema", {})):
            yield parameter["in"], parameter["name"]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    while "$ref" in body:
        body = openapi["components"]["schemas"][body["$ref"].rsplit("/", 1)[1]]
    for name, schema in body.get("properties", {}).items():
        if numbers_in(openapi, schema):
            yield "body", name


def strange(openapi: dict[str, Any]) -> Iterator[Asked]:
    """Every route with a number, with each number that is none of ours in each of its places."""
    sensible = {(a.method, a.path): a for a in requests_of(openapi, {"seq": [1], "action": ["move(a1,b1)"]})}
    for path, item in openapi["paths"].items():
        for method, operation in item.items():
            for place, name in fields_of(openapi, operation):
                for number in NONE_OF_OURS:
                    filled = path.format_map(_Ones({name: number}))
                    usual = sensible.get((method.upper(), path.format_map(_Ones())))
                    query = dict(usual.query) if usual else {}
                    body = dict(usual.body) if usual and usual.body else None
                    if place == "query":
                        query[name] = number
                    if place == "body":
                        body = {**(body or {}), name: number}
                    yield Asked(method.upper(), filled, query, body)


class _Ones(dict[str, Any]):
    def __missing__(self, _: str) -> int:
        return 1


def is_measure(asked: Asked) -> bool:
    return bool(ANY_WILL_DO & {*asked.query, *(asked.body or {})})


@pytest.mark.parametrize("game", first(["dodgem", "ice_floe"]))
def test_a_number_that_is_none_of_ours_is_refused_in_words(tmp_path: Path, game: str) -> None:
    with Server(tmp_path, game) as server:
        openapi, phone = server.app.openapi(), server.host()
        server.session.act(
            "host", server.session.game.sample(server.session.state, random.Random(1)).id, expected=1, key=None
        )
        tried = [asked for asked in strange(openapi) if not is_measure(asked)]
        assert {"/api/at/{seq}", STREAM} <= {path for path, item in openapi["paths"].items() for _ in item}
        for asked in tried:
            answer = phone.client.request(asked.method, asked.path, params=asked.query, json=asked.body)
            assert 400 <= answer.status_code < 500, f"{asked!s:.200}: {answer.status_code} {answer.text[:200]}"
            assert answer.json()["detail"], str(asked)[:200]
