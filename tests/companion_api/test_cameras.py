"""Photos, the phone as camera, disputes with a second look: with the real eyes on rendered tables."""

from __future__ import annotations

import json
import random
import struct
import threading
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect

from companion_api import memory_trim
from companion_api.access import Role
from companion_api.log.event import EventKind
from companion_api.simulated.synthetic import Noise, observe
from companion_api.watching.camera_manager import MAX_PHOTOS, reader_problem
from companion_api.watching.second_look import ReadPicture, judge
from models.render.layout_scene import render_layout
from rules.games import game
from rules.referee.register import Registration
from rules.table.observed import ObservedTable
from tests.companion_api.phones import Phone, Server
from tests.companion_api.secret_pairs import pairs
from tests.waiting import PATIENCE_S, until
from vision.frame import Frame
from vision.table_reader import FrameResult


@cache
def jpeg(name: str, *actions: str) -> bytes:
    """A photo of the table after some actions."""
    rules = game(name)
    state = rules.start()
    for action in actions:
        state = rules.advance(state, rules.read(state, action))
    return encoded(render_layout(rules.layout(state)).image)


def encoded(image: Any) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def send(phone: Phone, data: bytes) -> Any:
    return phone.client.post("/api/photo", content=data, headers={"content-type": "image/jpeg"})


def test_photos_that_come_at_once_are_looked_at_one_after_the_other(server: Server) -> None:
    """Each look needs memory and a thread: who sends many gets no more of either."""
    photos = server.app.state.camera_manager.on_request
    looking, most, go_on = [], [], threading.Event()

    def look() -> None:
        with photos.photo_slot():
            looking.append(1)
            most.append(len(looking))
            go_on.wait(PATIENCE_S)
            looking.pop()

    threads = [threading.Thread(target=look) for _ in range(MAX_PHOTOS)]
    for thread in threads:
        thread.start()
    until(lambda: not photos._places._value)
    answer = send(server.host(), encoded(np.zeros((40, 40, 3), np.uint8)))
    assert answer.status_code == 503
    assert "busy with other photos" in answer.json()["detail"]
    go_on.set()
    for thread in threads:
        thread.join()
    assert most == [1] * MAX_PHOTOS
    with photos.photo_slot():
        pass  # there is room again


def bomb() -> bytes:
    """A PNG of a few bytes that claims 30000 x 30000 pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture", bomb(), encoded(np.zeros((40, 40, 3), np.uint8))[:300], b"\xff\xd8\xff\xc0" + b"\xff" * 40],
)
def test_what_is_no_photo_is_refused_in_words(server: Server, data: bytes) -> None:
    answer = send(server.host(), data)
    assert answer.status_code == 422
    assert "photo" in answer.json()["detail"]
    assert server.session.seq == 1


def test_a_photo_that_is_too_long_is_refused(server: Server) -> None:
    assert send(server.host(), b"\xff\xd8" + b"x" * (17 * 1024 * 1024)).status_code == 413


def test_whoever_looks_on_sends_no_photos(server: Server) -> None:
    assert send(server.phone(Role.SPECTATOR), b"x").status_code == 403


def test_a_photo_is_refereed_and_a_claim_freezes_it_and_the_referee_looks_again(server: Server) -> None:
    host = server.host()
    answer = send(host, jpeg("dodgem", "move(a1,b1)"))
    assert answer.status_code == 200, answer.text
    assert answer.json()["verdict"]["action"] == "move(a1,b1)"
    assert server.session.events[-1].data["evidence"]
    host.post("claims", seq=2, text="I never did that")
    dispute = host.get("board")["disputes"][0]
    ruling = dispute["rulings"][0]
    assert ruling["by"] == "referee"
    assert (ruling["action"], ruling["legal"], ruling["upheld"]) == ("move(a1,b1)", True, True)
    assert ruling["clause"].startswith("DODG")
    assert ruling["again"]["verdict"] == "accepted"
    assert host.ask(f"evidence/{dispute['pictures']['after']}").content[:2] == b"\xff\xd8"


def test_without_a_picture_the_ruling_rests_on_the_rules_and_says_so(server: Server) -> None:
    host = server.host()
    host.post("actions", action="move(a1,b1)")
    host.post("claims", seq=2)
    ruling = host.get("board")["disputes"][0]["rulings"][0]
    assert ruling["again"] is None
    assert "rests on the rules" in ruling["text"]


def test_the_host_overrules_and_the_game_follows(server: Server) -> None:
    host = server.host()
    host.post("actions", action="move(a1,b1)")
    host.post("claims", seq=2)
    host.post("rulings", claim=3, upheld=False, text="it was a slip", actions=["move(a2,b2)"])
    assert [a.id for a in server.session.history.actions] == ["move(a2,b2)"]
    kinds = [event.kind.value for event in server.session.events]
    assert kinds == ["started", "action", "claim", "ruling", "overruled", "corrected"]
    board = server.tables.__class__(server.tables.log, server.tables.data).session(server.session.table)
    assert board.state == server.session.state


def sees(name: str, *actions: str) -> ReadPicture:
    """Eyes that see the table after these actions, whatever picture they are shown."""
    rules = game(name)
    state = rules.start()
    for action in actions:
        state = rules.advance(state, rules.read(state, action))
    table = observe(rules.layout(state), Registration(0.0, 0.0, 0.0), random.Random(1), Noise(jitter=0.01))

    def see(_: Frame) -> ObservedTable:
        return table

    return see


@pytest.mark.parametrize(("really", "upheld"), [("move(a1,b1)", True), ("move(a2,b2)", False)])
def test_the_second_look_decides(server: Server, really: str, upheld: bool) -> None:
    session, tables = server.session, server.tables
    name = tables.evidence.keep(encoded(np.full((64, 64, 3), 90, np.uint8)))
    session.act("camera", "move(a1,b1)", expected=None, key=None)
    session.events[-1].data["evidence"] = name
    claim = session.add_claim("seat:1", {"about": 2, "pictures": {}}, key=None)
    ruling = judge(session, claim, tables.evidence, sees("dodgem", really))
    assert ruling["upheld"] is upheld
    assert ruling["again"]["action"] == really
    assert ruling["legal"] is True


def test_a_look_on_request_finds_no_free_memory_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[str] = []
    monkeypatch.setattr(memory_trim, "trim", lambda: given_back.append("given back"))

    class Blind:
        def look(self, frame: Frame, *_: object) -> FrameResult:
            given_back.append("looked")
            return FrameResult(frame, [], None, 0.0, [], {})

    camera_manager = server.app.state.camera_manager
    monkeypatch.setattr(camera_manager, "reader", Blind)
    frame = Frame(np.full((64, 64, 3), 90, np.uint8))
    camera_manager.picture_reader()(frame)
    camera_manager.judge_photo(server.session, frame)
    found = " ".join(given_back)
    assert found.count("looked") == found.count("given back looked") == 2


def test_a_disputed_refusal_names_its_clause_again(server: Server) -> None:
    session, tables = server.session, server.tables
    refused = {"verdict": "refused", "attempt": "move(a1,a3)", "text": "too far", "refusal": {"clause": "X"}}
    tables.log.append(session.table, EventKind.VERDICT, "camera", refused)
    session.join("spectator", "")
    claim = session.add_claim("seat:0", {"about": 2, "pictures": {}}, key=None)
    ruling = judge(session, claim, tables.evidence, None)
    assert ruling["legal"] is False
    assert ruling["clause"].startswith("DODG")
    assert ruling["code"]


def test_what_never_happened_cannot_be_disputed(server: Server) -> None:
    assert server.host().send("claims", seq=99).status_code == 422


def test_a_phone_is_the_camera(server: Server) -> None:
    host = server.host()
    with host.client.websocket_connect("/api/camera/stream") as line:
        line.send_bytes(jpeg("dodgem"))
        told = json.loads(line.receive_text())
        assert told["ok"]
        assert told["want"] in ("full", "small")
    assert host.get("cameras")["used"] == "phone"


def test_a_phone_that_sends_nonsense_is_told_and_stays(server: Server) -> None:
    if reader_problem():
        pytest.skip(str(reader_problem()))
    with server.host().client.websocket_connect("/api/camera/stream") as line:
        line.send_bytes(b"nonsense")
        assert json.loads(line.receive_text())["ok"] is False


def test_a_stranger_is_no_camera(server: Server) -> None:
    with pytest.raises(WebSocketDisconnect), server.stranger().websocket_connect("/api/camera/stream"):
        pass


@pytest.mark.full
def test_setup_help_names_what_lies_otherwise(server: Server) -> None:
    host = server.host()
    assert host.get("setup")["seen"] is False
    host.post("cameras", source="phone")
    send(host, jpeg("dodgem"))
    right = host.get("setup")
    assert right["found"]
    assert right["differences"] == []
    rules = game("dodgem")
    moved = rules.layout(rules.advance(rules.start(), rules.read(rules.start(), "move(a1,b1)")))
    send(host, encoded(render_layout(moved, seed=3).image))
    server.session.undo("host", 1, expected=None, key=None)
    assert host.get("setup")["differences"]


@pytest.mark.parametrize("source", ["/etc/passwd", "..", "file:///x", "999"])
def test_a_phone_cannot_open_files_as_cameras(server: Server, source: str) -> None:
    assert server.host().send("cameras", source=source).status_code == 422


@pytest.mark.parametrize("form", ["ppn", "json", "csv", "png", "gif"])
def test_a_game_is_given_out_as_a_file(server: Server, form: str) -> None:
    host = server.host()
    host.post("actions", action="move(a1,b1)")
    answer = host.ask(f"export/{form}")
    assert answer.status_code == 200
    start = {"png": b"\x89PNG", "gif": b"GIF8", "json": b"{", "ppn": b"---", "csv": b"number"}[form]
    assert answer.content.startswith(start)


def test_a_game_with_secrets_is_given_out_without_them_while_it_is_played(tmp_path: Path) -> None:
    with Server(tmp_path, "global_warming") as server:
        chosen = next(pair for pair in pairs() if pair.name == "global_warming commit")
        for action in chosen.both + chosen.secrets[0]:
            server.session.act("table", action, expected=None, key=None)
        given = server.host().ask("export/json")
        assert given.status_code == 200
        assert chosen.secrets[0][0] not in given.text
        assert "commit" in given.text


def test_everybody_may_follow_to_the_next_table(server: Server) -> None:
    host, player = server.host(), server.phone(seat=1, name="Bo")
    assert player.send("follow").status_code == 409
    opened = host.post("tables", game="quatri")
    assert player.get("history")[-1]["kind"] == "moved"
    followed = player.post("follow")
    assert followed["table"] == opened["table"]
    assert followed["seat"] == 1
