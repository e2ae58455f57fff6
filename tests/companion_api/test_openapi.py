"""Whatever is posted, the service answers in its own words and never with a 500."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from companion_api.access import Role
from tests.companion_api.phones import Server
from tests.tiers import full


def test_the_openapi_names_every_route(server: Server) -> None:
    paths = server.stranger().get("/openapi.json").json()["paths"]
    assert {"/api/board", "/api/events", "/api/actions", "/api/claims", "/api/join"} <= set(paths)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("role", [Role.HOST, full(Role.PLAYER)])
def test_no_request_makes_it_stumble(role: Role, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.session.act("table", "move(a1,b1)", expected=None, key=None)
        phone = server.phone(role, 0)
        schema = schemathesis.openapi.from_asgi("/openapi.json", server.app)
        headers = {"authorization": phone.client.headers["authorization"], "host": "localhost"}
        for result in schema.get_all_operations():
            operation = result.ok()
            if operation.path != "/api/events":
                exercise(operation, headers)


def exercise(operation: schemathesis.APIOperation, headers: dict[str, str]) -> None:
    """A dozen requests of one route, sensible ones and others."""
    quick = settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )

    @quick
    @given(case=operation.as_strategy())
    def one(case: schemathesis.Case) -> None:
        response = case.call(headers=headers)
        assert response.status_code < 500, f"{operation.method} {operation.path}: {response.text}"

    one()
