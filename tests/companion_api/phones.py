"""A server in this process and phones (test clients with a role) that talk to it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from starlette.testclient import TestClient

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.session import Session
from companion_api.settings import Settings
from tests.companion_api.held import held


class Server:
    def __init__(
        self, data: Path, game: str = "dodgem", options: dict[str, Any] | None = None, seats: Any = None
    ) -> None:
        self.app = make_app(Settings(data=data))
        self.tables = self.app.state.tables
        self.session: Session = self.tables.begin(game, options or {}, seats)
        self._open = TestClient(self.app)

    def __enter__(self) -> Server:
        self._open.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.__exit__(kind, error, at)

    def phone(self, role: Role = Role.PLAYER, seat: int | None = None, name: str = "") -> Phone:
        return Phone(self.app, self.tables.keys.sign(Token(self.session.table, role, seat, name)))

    def host(self) -> Phone:
        return self.phone(Role.HOST)

    def stranger(self) -> TestClient:
        """Somebody without a token."""
        return TestClient(self.app)


class Phone:
    """One token. `get` and `post` expect success and give the JSON; `ask` and `send` give the response. All answers
    are held against their models."""

    def __init__(self, app: Any, token: str) -> None:
        self.app = app
        self.client = TestClient(app, headers={"authorization": f"Bearer {token}"})

    def ask(self, path: str, **given: Any) -> Any:
        return held(self.app, self.client.get(f"/api/{path}", **given))

    def send(self, path: str, **body: Any) -> Any:
        return held(self.app, self.client.post(f"/api/{path}", json=body))

    def get(self, path: str, **given: Any) -> Any:
        response = self.ask(path, **given)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, path: str, **body: Any) -> Any:
        response = self.send(path, **body)
        assert response.status_code == 200, response.text
        return response.json()
