"""What must be refused is refused, in words, and the service goes on."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from companion_api.access import Role
from companion_api.guard import MAX_BODY
from tests.companion_api.phones import Server


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:80", "", "companion.local.evil", "[", "[::", "a]b"]
)
def test_a_foreign_host_name_is_refused(server: Server, host: str) -> None:
    """A name server that rebinds its name to us must not make us its site."""
    assert server.stranger().get("/api/games", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8470", "192.168.1.7:8470", "[fe80::1]:8470", "companion.local"])
def test_our_own_names_are_taken(server: Server, host: str) -> None:
    assert server.stranger().get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://testserver.evil", "http://testserver:1", "http://[", "http://a]b"],
)
def test_posts_from_another_site_are_refused(server: Server, origin: str) -> None:
    phone = server.host()
    answer = phone.client.post("/api/undo", json={}, headers={"origin": origin})
    assert answer.status_code == 403
    assert server.session.seq == 1


def test_posts_from_our_own_page_are_taken(server: Server) -> None:
    headers = {"origin": "http://testserver"}
    answer = server.host().client.post("/api/actions", json={"action": "move(a1,b1)"}, headers=headers)
    assert answer.status_code == 200


def test_a_socket_from_another_site_is_refused(server: Server) -> None:
    client = server.host().client
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/api/camera/stream", headers={"origin": "http://evil.example"}),
    ):
        pass


def test_a_socket_that_sends_words_is_told_to_send_pictures(server: Server) -> None:
    with server.host().client.websocket_connect("/api/camera/stream") as socket:
        socket.send_text('{"x": 1}')
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert (closed.value.code, "as bytes" in closed.value.reason) == (1003, True)


def test_a_body_that_is_too_long_is_refused(server: Server) -> None:
    answer = server.host().client.post("/api/actions", content=b" " * (MAX_BODY + 1))
    assert answer.status_code == 413


def test_a_body_that_hides_its_length_is_refused_too(server: Server) -> None:
    def pieces() -> Any:
        for _ in range(MAX_BODY // 1024 + 2):
            yield b"x" * 1024

    answer = server.host().client.post("/api/actions", content=pieces())
    assert answer.status_code in (400, 413)
    assert server.session.seq == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"action": 5}', b"\xff\xfe", b"[" * 5000, b'{"action": "move(a1,b1)", "expected": -1}'],
)
def test_bodies_that_make_no_sense_are_refused(server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = server.host().client.post("/api/actions", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert server.session.seq == 1


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "/%2e%2e/app.py",
        "/js/..%5c..%5capp.py",
        "//etc/passwd",
        "/words/../app.py",
        "/words/%2e%2e%2fsecret",
        "/api/evidence/..%2f..%2fsecret",
        "/api/evidence/" + "0" * 64 + "%00",
    ],
)
def test_no_path_leads_out_of_the_page(server: Server, path: str) -> None:
    answer = server.host().client.get(path)
    assert answer.status_code in (400, 404)
    assert "import" not in answer.text


def forged(server: Server) -> list[str]:
    """Tokens that look right: another body under an old signature, a cut one, no signature, none at all."""
    good = server.phone(Role.SPECTATOR).client.headers["authorization"].removeprefix("Bearer ")
    fields = json.dumps([server.session.table, "host", None, ""]).encode()
    host = base64.urlsafe_b64encode(fields).decode().rstrip("=")
    return [f"{host}.{good.split('.')[1]}", good[:-1], f"{host}.", host, "", ".", "x" * 5000, f"{good}x", "ä.ö"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("\u202eannA", "annA"),
        ("Ann\u2066\u200f\u0000a\n\tB", "AnnaB"),
        ("\U0001f3f4\u200d\u2620\ufe0f", "\U0001f3f4\u200d\u2620\ufe0f"),
        ("שרה", "שרה"),
    ],
)
def test_a_name_cannot_turn_the_words_around_it(server: Server, written: str, name: str) -> None:
    """Marks of direction and control signs are left out; letters of any writing and joined emoji stay."""
    code = server.app.state.tables.keys.code(server.session.table, Role.PLAYER)
    stranger = server.stranger()
    assert stranger.post("/api/join", json={"code": code, "name": written, "seat": 0}).status_code == 200
    assert server.session.events[-1].data["name"] == name
    body = json.dumps({"game": "dodgem", "seats": [written, "\ud800x"]})
    headers = {"content-type": "application/json"}
    answer = server.host().client.post("/api/tables", content=body.encode(), headers=headers)
    assert answer.status_code == 200
    opened = server.app.state.tables.session(answer.json()["table"])
    assert [seat.name for seat in opened.seats] == [name, "x"]


def test_forged_tokens_open_nothing(server: Server) -> None:
    for token in forged(server):
        client = server.stranger()
        client.cookies.set("companion", token.encode("ascii", "replace").decode())
        assert client.get("/api/board").status_code == 401
        assert client.post("/api/undo", json={}).status_code == 401


KNOCKING = ("/api/knock", "/api/knock/{shown}/qr.svg", "/api/knock/enter")
"""Whoever knocks has no token yet: what comes in by it is tried in test_knocking."""
OPEN = ("/api/games", "/api/join", "/api/ca.crt", *KNOCKING)


def test_every_route_of_the_table_wants_a_token(server: Server) -> None:
    paths = server.stranger().get("/openapi.json").json()["paths"]
    client = server.stranger()
    for path, methods in paths.items():
        if path in OPEN:
            continue
        for method in methods:
            if method != "get" or "/events" not in path:
                answer = client.request(method, path.replace("{seq}", "1").replace("{name}", "x"), json={})
                assert answer.status_code in (401, 422), (method, path, answer.status_code)
                assert answer.status_code == 401 or "detail" in answer.json()


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.SCREEN])
def test_whoever_looks_on_changes_nothing(server: Server, role: Role) -> None:
    phone = server.phone(role)
    for path, body in (
        ("actions", {"action": "move(a1,b1)"}),
        ("undo", {}),
        ("corrections", {"seq": 1, "actions": []}),
        ("claims", {}),
        ("tables", {"game": "dodgem"}),
        ("rulings", {"claim": 1, "text": "", "upheld": True}),
    ):
        assert phone.send(path, **body).status_code == 403, path
    assert server.session.seq == 1


def test_a_seat_cannot_play_another(server: Server) -> None:
    assert server.phone(seat=1).send("actions", action="move(a1,b1)").status_code == 403
    assert server.phone(seat=1).send("actions", action="0:move(a1,b1)").status_code == 403
    assert server.phone(seat=0).send("actions", action="move(a1,b1)").status_code == 200


def test_tries_to_guess_a_code_are_stopped(server: Server) -> None:
    client, begun = server.stranger(), time.monotonic()
    codes = [client.post("/api/join", json={"code": f"AAAA{i:03}"}).status_code for i in range(100)]
    minutes_begun = 1 + (time.monotonic() - begun) // 60
    assert set(codes) == {404, 429}
    assert codes.count(404) <= 20 * minutes_begun
    assert server.host().get("board")["seq"] == 1


def test_the_page_allows_no_foreign_address(server: Server) -> None:
    answer = server.stranger().get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in answer.text.replace("http-equiv", "")


def test_a_token_is_out_of_reach_of_scripts_and_other_sites(server: Server) -> None:
    code = server.tables.keys.code(server.session.table, Role.PLAYER)
    client = TestClient(server.app, client=("10.0.0.9", 1))
    cookie = client.post("/api/join", json={"code": code}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_whoever_claims_without_end_is_stopped(server: Server) -> None:
    server.session.act("table", "move(a1,b1)", expected=None, key=None)
    phone = server.phone(seat=1)
    codes = [phone.send("claims").status_code for _ in range(40)]
    assert codes.count(429) >= 5
    assert phone.get("board")["seq"] == server.session.seq
