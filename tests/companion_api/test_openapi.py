"""Whatever is posted, the service answers in its own words and never with a 500."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from companion_api.access import Role
from companion_api.answers.table import Board
from companion_api.app import ROUTES
from tests.companion_api.held import model_of
from tests.companion_api.phones import Server

if TYPE_CHECKING:
    from schemathesis import APIOperation, Case


def test_the_openapi_names_every_route(server: Server) -> None:
    paths = server.stranger().get("/openapi.json").json()["paths"]
    assert {"/api/board", "/api/events", "/api/actions", "/api/claims", "/api/join"} <= set(paths)


def test_every_answer_is_held_against_the_model_of_its_route(server: Server) -> None:
    assert model_of(server.app, "GET", "/api/board") is Board
    assert model_of(server.app, "GET", "/app.css") is None


def test_what_is_worked_out_of_the_routes_is_kept_for_the_next_app(server: Server, tmp_path: Path) -> None:
    with Server(tmp_path / "other") as other:
        both = {id(route) for route in server.app.routes} & {id(route) for route in other.app.routes}
        assert len(both) == len(ROUTES)
        assert server.app.state.tables is not other.app.state.tables


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.full
@pytest.mark.parametrize("role", [Role.HOST, Role.PLAYER])
def test_no_request_makes_it_stumble(role: Role, tmp_path: Path) -> None:
    import schemathesis  # takes seconds to load, and every worker would

    with Server(tmp_path) as server:
        server.session.act("table", "move(a1,b1)", expected=None, key=None)
        phone = server.phone(role, 0)
        schema = schemathesis.openapi.from_asgi("/openapi.json", server.app)
        headers = {"authorization": phone.client.headers["authorization"], "host": "localhost"}
        for result in schema.get_all_operations():
            operation = result.ok()
            if operation.path != "/api/events":
                exercise(operation, headers)


def exercise(operation: APIOperation, headers: dict[str, str]) -> None:
    """Sensible requests of one route and others; in the default tier test_numbers.py and tests/fuzz make some."""
    quick = settings(
        max_examples=12,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )

    @quick
    @given(case=operation.as_strategy())
    def one(case: Case) -> None:
        response = case.call(headers=headers)
        assert response.status_code < 500, f"{operation.method} {operation.path}: {response.text}"

    one()
