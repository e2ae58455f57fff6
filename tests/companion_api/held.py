"""Every answer that a test gets is what its route's model says: nothing missing, nothing too much, nothing of another
type. The models only describe, so nobody else would notice."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi.routing import iter_route_contexts
from pydantic import TypeAdapter
from starlette.routing import Match

from companion_api.answers.base import NotDone


def held(app: Any, response: Any) -> Any:
    """The response itself; AssertionError where its model says otherwise."""
    model = model_of(app, response.request.method, response.request.url.path)
    if model is None or "json" not in response.headers.get("content-type", ""):
        return response
    wanted = model if response.is_success else NotDone
    _adapter(wanted).validate_json(response.content, strict=True)
    return response


def model_of(app: Any, method: str, path: str) -> Any:
    """What the route answers, or None where it answers with a file or a stream."""
    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
    for route in iter_route_contexts(app.routes):
        if route.matches(scope)[0] is Match.FULL:
            return getattr(route, "response_model", None) or getattr(route, "responses", {}).get(200, {}).get("model")
    return None


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)
