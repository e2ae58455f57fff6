"""Another table: asked for twice it is opened once, and only one pair of eyes is at work at a time."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from companion_api.access import Role
from companion_api.session import Session
from companion_api.watching.table_watcher import WatcherThread
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.notation.record import write_record
from tests.companion_api.phones import Server
from tests.waiting import PATIENCE_S, until


def test_who_asks_twice_gets_one_table(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = server.phone(Role.HOST).client
        wish: dict[str, Any] = {"game": "quatri", "options": {"mirror": True}}
        first, second = (host.post("/api/tables", json=wish).json()["table"] for _ in range(2))
        assert first == second != server.session.table
        other = host.post("/api/tables", json={"game": "quatri"}).json()["table"]
        assert other not in (first, server.session.table)
        assert len(server.app.state.tables.log.tables()) == 3


def test_a_file_that_is_sent_again_opens_one_table(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        phone = server.phone(Role.HOST, 0)
        record = {"text": write_record(History.begin(game("quatri")).play(parse_action("move(a1,a2)")))}
        first, second = (phone.client.post("/api/import", json=record).json()["table"] for _ in range(2))
        assert first == second != server.session.table
        server.app.state.tables.session(first).act("table", "move(b1,b2)", expected=None, key=None)
        third = phone.client.post("/api/import", json=record).json()["table"]
        assert third not in (first, server.session.table), "who played on and sends it once more begins there again"
        assert len(server.app.state.tables.log.tables()) == 3


class Busy:
    """A camera whose picture takes longer than anybody waits; it notes how many are at work at once."""

    at_work = most = opened = 0
    go_on = threading.Event()
    live = stills = ended = False
    name = "busy"

    def read(self) -> None:
        Busy.at_work, Busy.opened = Busy.at_work + 1, Busy.opened + 1
        Busy.most = max(Busy.most, Busy.at_work)
        Busy.go_on.wait(PATIENCE_S)
        Busy.at_work -= 1
        self.ended = True

    def close(self) -> None:
        self.ended = True


class Nobody:
    def schedule_next_game(self, session: Session) -> bool:
        return True

    def keep(self, *_: object) -> None:
        return None

    with_owners = photograph = report_calibration = keep


def test_one_pair_of_eyes_after_the_other(tmp_path: Path) -> None:
    """Several that drew a simulated table at once took 950 MB."""
    turn = threading.Lock()
    with Server(tmp_path) as server:
        several = [WatcherThread(server.session, Busy(), Nobody(), lambda: None, turn) for _ in range(3)]  # type: ignore[arg-type,return-value]
        for eyes in several:
            eyes.start()
        until(lambda: Busy.opened)
        time.sleep(0.1)  # another one that came in would do so at once
        assert (Busy.most, Busy.opened) == (1, 1)
        several[1]._stop.set()
        Busy.go_on.set()
        for eyes in several:
            eyes._thread.join(PATIENCE_S)
        assert (Busy.most, Busy.opened) == (1, 2)
