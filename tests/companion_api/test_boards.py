"""What changes on a board comes with the stream: put together it is the board that can be asked for."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.session import Session
from companion_api.settings import Settings
from tests.companion_api.served import in_thread
from tests.tiers import full

STEPS = 12


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Any]]:
    app = make_app(Settings(data=tmp_path))
    with in_thread(app) as address:
        yield address, app.state.tables


def changes(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    kind = ""
    for line in lines:
        if line.startswith("event:"):
            kind = line.removeprefix("event:").strip()
        elif line.startswith("data:") and kind == "board":
            yield json.loads(line.removeprefix("data:"))


def put_in(board: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    assert change["from"] == board["version"]
    layout = {**board["layout"], **change["layout"]}
    return {**board, **change["board"], "version": change["version"], "layout": layout}


def act(session: Session, rng: random.Random) -> None:
    session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)


@pytest.mark.parametrize(
    ("name", "role", "seat"),
    [
        ("decay", Role.SPECTATOR, None),
        ("global_warming", Role.PLAYER, 1),
        full(("decay", Role.PLAYER, 1)),
        full(("global_warming", Role.SPECTATOR, None)),
    ],
)
def test_the_changes_lead_to_the_board_that_there_is(
    name: str, role: Role, seat: int | None, served: tuple[str, Any]
) -> None:
    address, tables = served
    session, rng = tables.begin(name, {}, None), random.Random(4)
    headers = {"authorization": f"Bearer {tables.keys.sign(Token(session.table, role, seat))}"}
    board = httpx.get(f"{address}/api/board", headers=headers).json()
    with httpx.stream("GET", f"{address}/api/events", headers=headers, timeout=60) as response:
        found = changes(response.iter_lines())
        assert put_in(board, next(found)) == board, "nothing has changed since"
        for _ in range(STEPS):
            act(session, rng)
            while board["seq"] < session.seq:
                board = put_in(board, next(found))
            assert board == httpx.get(f"{address}/api/board", headers=headers).json()


def test_the_stream_comes_small_to_whoever_takes_it_so(served: tuple[str, Any]) -> None:
    address, tables = served
    session, rng = tables.begin("decay", {}, None), random.Random(4)
    headers = {"authorization": f"Bearer {tables.keys.sign(Token(session.table, Role.SPECTATOR))}"}
    for _ in range(STEPS):
        act(session, rng)
    with httpx.stream("GET", f"{address}/api/events", headers=headers, timeout=60) as response:
        assert response.headers["content-encoding"] == "gzip"
        first, told = next(changes(response.iter_lines())), response.num_bytes_downloaded
    plain = httpx.get(f"{address}/api/history", headers=headers).text
    assert first["version"] == session.moment.version
    assert told < len(plain) / 2
    unpacked = {**headers, "accept-encoding": "identity"}
    with httpx.stream("GET", f"{address}/api/events", headers=unpacked, timeout=60) as response:
        assert "content-encoding" not in response.headers
        assert next(changes(response.iter_lines())) == first
