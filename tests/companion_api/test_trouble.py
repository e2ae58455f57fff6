"""What people see when the disk, the database or the pictures fail: the table is still shown, posts say in words that
nothing was changed, and it goes on by itself when the trouble is over."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion_api.app import make_app, safe_app
from companion_api.log.databases import SqliteLog
from companion_api.log.store import Evidence, LogUnavailableError
from companion_api.session import Session
from companion_api.settings import Settings
from rules.games import game
from rules.sentence import sentence_of
from tests.companion_api.phones import Server
from tests.companion_api.served import Process
from tests.ports import free_port
from tests.waiting import until


def test_a_locked_database_stops_no_reader_and_loses_nothing(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        phone = server.host()
        other = sqlite3.connect(tmp_path / "companion.db", isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        server.tables.log._connection.execute("PRAGMA busy_timeout = 60000")
        answers: list[int] = []
        post = threading.Thread(
            target=lambda: answers.append(server.host().send("actions", action="move(a1,b1)", key="a").status_code)
        )
        post.start()
        assert phone.get("board")["seq"] == 1
        assert phone.get("history")
        assert not answers
        other.execute("ROLLBACK")
        post.join(timeout=60)
        assert answers == [200]
        other.execute("BEGIN IMMEDIATE")
        server.tables.log._connection.execute("PRAGMA busy_timeout = 100")
        assert phone.send("actions", action="move(f6,e6)", key="b").status_code == 503
        other.execute("ROLLBACK")
        assert phone.post("actions", action="move(f6,e6)", key="b")["seq"] == 3
        other.close()


@pytest.mark.full
def test_a_server_that_is_started_before_a_locked_database_waits_for_it(tmp_path: Path) -> None:
    """It is locked for longer than one try of SQLite lasts, which is five seconds."""
    log = SqliteLog(tmp_path / "companion.db")
    table = Session.begin(log, "table1", game("dodgem"), {}, None).table
    log.close()
    other = sqlite3.connect(tmp_path / "companion.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(7.0, other.execute, ("ROLLBACK",)).start()
    server = Process(tmp_path, free_port())
    try:
        server.ready(100)
        with server.host(table) as host:
            assert host.get("board").json()["seq"] == 1
    finally:
        server.kill()
        other.close()


def test_a_database_that_becomes_read_only_is_said_in_words(tmp_path: Path) -> None:
    """As when a card is pulled out a little, or the system mounts it read-only after an error."""
    with Server(tmp_path) as server:
        log = server.tables.log
        log._connection.execute("PRAGMA query_only = ON")
        answer = server.host().send("actions", action="move(a1,b1)", key="k")
        assert answer.status_code == 503
        assert "nothing was changed" in answer.json()["detail"]
        assert server.host().get("board")["seq"] == 1
        log._connection.execute("PRAGMA query_only = OFF")
        assert server.host().post("actions", action="move(a1,b1)", key="k")["seq"] == 2


def test_a_corrupted_database_ends_in_safe_mode_with_words(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        for number in range(200):
            server.session.join("host", f"{number}" * 20)
    file = tmp_path / "companion.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    for beside in tmp_path.glob("companion.db-*"):
        beside.unlink()
    try:
        app = make_app(Settings(data=tmp_path))
        with pytest.raises(LogUnavailableError) as caught:
            app.state.tables.log.tables()
        problem = sentence_of(caught.value)
    except LogUnavailableError as error:
        problem = sentence_of(error)
    assert "\n" not in problem.text
    answer = TestClient(safe_app(problem)).get("/api/board")
    assert answer.status_code == 503
    assert answer.json() == {"detail": problem.text, "said": problem.to_json(), "safe_mode": True}


def test_pictures_that_are_gone_are_said_in_words_and_rulings_rest_on_the_rules(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = server.host()
        host.post("actions", action="move(a1,b1)")
        gone = server.tables.evidence.keep(b"a picture")
        server.tables.evidence.find(gone).unlink()
        answer = host.ask(f"evidence/{gone}")
        assert answer.status_code == 404
        assert "not here" in answer.json()["detail"]
        claim = server.session.add_claim("host", {"text": "", "about": 2, "pictures": {"now": gone}}, key="c")
        host.post("claims", seq=2, key="c")
        ruling = server.session.disputes[claim.seq].rulings[0].data
        assert "no stored picture" in ruling["text"]


def test_old_pictures_go_and_those_of_disputes_stay(tmp_path: Path) -> None:
    import os

    evidence = Evidence(tmp_path)
    old, needed, fresh = (evidence.keep(name) for name in (b"old", b"needed", b"fresh"))
    for name in (old, needed):
        path = evidence.find(name)
        assert path is not None
        os.utime(path, (1, 1))
    assert evidence.expire(frozenset({needed})) == 1
    assert [evidence.find(name) is not None for name in (old, needed, fresh)] == [False, True, True]


def test_the_server_itself_lets_old_pictures_go(tmp_path: Path) -> None:
    import os

    with Server(tmp_path) as server:
        old, needed = (server.tables.evidence.keep(name) for name in (b"old", b"needed"))
        server.session.add_claim("host", {"text": "", "about": None, "pictures": {"now": needed}}, key=None)
        pictures = [server.tables.evidence.find(name) for name in (old, needed)]
    for path in pictures:  # not before it stopped: a server tidies when it starts, in its own time
        assert path is not None
        os.utime(path, (1, 1))
    with Server(tmp_path) as again:
        until(lambda: again.tables.evidence.find(old) is None)
        assert again.tables.evidence.find(needed) is not None
