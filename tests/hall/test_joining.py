"""The commands as people type them: a hub that starts its own broker, a table that comes in by an invitation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from companion_api.__main__ import main
from companion_api.hall.membership import JoinError, Membership, membership, stored_membership
from companion_api.hall.names import natural_key
from companion_api.hall.publisher import Publisher
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from rules.games import game
from tests.hall.brokers import needed
from tests.ports import free_port
from tests.waiting import until


def test_a_table_comes_in_by_the_address_that_the_hub_prints(tmp_path: Path) -> None:
    needed()
    port, nats_port = free_port(), free_port()
    ours = ["--host", "127.0.0.1", "--port", str(port), "--nats-port", str(nats_port), "--leaf-port", "0"]
    command = [sys.executable, "-m", "companion_api", "hall", "--data", str(tmp_path / "hub"), *ours]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as hub:
        try:
            assert hub.stdout is not None
            printed = [line.strip() for line in iter(hub.stdout.readline, "Stop with Ctrl-C.\n")]
            table = next(line for line in printed if line.startswith("Tables:")).split("'")[1]
            guest = next(line for line in printed if line.startswith("Wall:")).rpartition("=")[2]
            until(lambda: answers(f"http://127.0.0.1:{port}/ready"))
            log = SqliteLog(tmp_path / "table" / "companion.db")
            Session.begin(log, "t1", game("dodgem"), {}, None)
            member = membership(table, tmp_path / "table", "Window 3")
            publisher = Publisher(log, tmp_path / "table", member)
            publisher.start()
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/") as wall:
                assert wall.post("join", json={"code": "WRONG"}).status_code == 404
                assert wall.post("join", json={"code": guest}).json()["role"] == "guest"
                until(lambda: wall.get("wall").json()["tables"])
                assert wall.get("wall").json()["tables"][0]["name"] == "Window 3"
            publisher.stop()
            log.close()
            with pytest.raises(JoinError, match="this code is not known here"):
                membership(table.replace("nats://", "nats://X"), tmp_path / "other", "Window 4")
        finally:
            hub.terminate()


def answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def test_a_table_remembers_its_hall_and_may_move_to_the_broker_of_another_room(tmp_path: Path) -> None:
    before = Membership("nats://hub:4222", "window-3", "Window 3", "credentials", "seal")
    before.keep(tmp_path)
    assert oct((tmp_path / "hall.json").stat().st_mode)[-3:] == "600"
    assert membership("nats://cellar:4333", tmp_path, "") == stored_membership(tmp_path)
    found = stored_membership(tmp_path)
    assert found is not None
    assert (found.server, found.credentials) == ("nats://cellar:4333", "credentials")


@pytest.mark.parametrize("url", ["http://hub:8480", "hub", "nats://"])
def test_another_address_is_told_in_one_line(url: str, tmp_path: Path) -> None:
    with pytest.raises(JoinError, match="--hall is nats://HUB:4222"):
        membership(url, tmp_path, "x")


def test_a_hub_that_is_away_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(JoinError, match="is `companion hall` running there"):
        membership(f"nats://CODE@127.0.0.1:4222?hub={free_port()}", tmp_path, "x")


def test_a_spoilt_membership_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "hall.json").write_text(json.dumps({"server": 1, "other": 2}))
    with pytest.raises(JoinError, match="join the hall again"):
        membership("nats://hub:4222", tmp_path, "x")


def test_how_to_install_a_missing_broker_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    code = main(["hall", "--data", str(tmp_path), "--nats-port", str(free_port())])
    said = capsys.readouterr().err
    assert code == 1
    assert said.count("\n") == 1
    assert "apt install nats-server" in said


def test_tables_of_any_name_are_counted_as_people_do() -> None:
    names = ["Table 10", "²", "Table 2", "table 1", "٣", "7"]
    assert sorted(names, key=natural_key) == ["٣", "7", "table 1", "Table 2", "Table 10", "²"]
