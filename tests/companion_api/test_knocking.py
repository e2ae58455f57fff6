"""A big screen comes in without typing, and nobody else does."""

from __future__ import annotations

import pytest

from companion_api.access import KEPT_S, MAX_OPEN, Role, ScreenRequests
from tests.companion_api.phones import Server


def test_only_who_knocked_comes_in_and_only_once() -> None:
    requests = ScreenRequests[str]()
    shown, kept = requests.open()
    assert requests.redeem(shown, kept) is None
    assert requests.grant(shown, "screen")
    with pytest.raises(KeyError):
        requests.redeem(shown, "what everybody sees: " + shown)
    assert requests.redeem(shown, kept) == "screen"
    with pytest.raises(KeyError):
        requests.redeem(shown, kept)
    assert not requests.grant(shown, "again")


def test_strangers_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = ScreenRequests[str]()
    codes = [requests.open()[0] for _ in range(MAX_OPEN + 5)]
    assert [requests.is_waiting(code) for code in (codes[0], codes[-1])] == [False, True]
    assert len(requests._open) == MAX_OPEN
    monkeypatch.setattr("companion_api.access.time.monotonic", lambda: 1e9 + KEPT_S)
    assert not requests.is_waiting(codes[-1])


def test_the_host_lets_a_big_screen_in_and_it_sees_what_everybody_may(server: Server) -> None:
    screen = server.stranger()
    knocked = screen.post("/api/knock").json()
    address = f"/api/knock/{knocked['id']}"
    assert screen.get(f"{address}/qr.svg").headers["content-type"] == "image/svg+xml"
    assert screen.post("/api/knock/enter", json=knocked).json() == {"open": False}
    assert screen.get("/api/board").status_code == 401
    assert server.phone(seat=0).send("knock/open", id=knocked["id"]).status_code == 403
    assert screen.post("/api/knock/open", json=knocked).status_code == 401
    server.host().post("knock/open", id=knocked["id"])
    assert server.stranger().post("/api/knock/enter", json={**knocked, "secret": "guessed"}).status_code == 404
    assert screen.post("/api/knock/enter", json=knocked).json() == {"open": True}
    board = screen.get("/api/board").json()
    assert (board["you"]["role"], board["you"]["seat"], board["legal"]) == (Role.SCREEN.value, None, [])
    assert screen.get(f"{address}/qr.svg").status_code == 404
