"""The phones of a soak: lookers-on whose line breaks again and again, and a host who plays and asks again with the same
key until there is an answer."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion_api.access import Keys, Role, Token

TIMEOUT_S = 10.0


class Line:
    """Requests of one token."""

    def __init__(self, port: int, data: Path, token: Token) -> None:
        self._port = port
        self._headers = {"authorization": f"Bearer {Keys.of(data).sign(token)}"}

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer; OSError while the server is away."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        try:
            text = None if body is None else json.dumps(body)
            headers = self._headers | ({} if text is None else {"content-type": "application/json"})
            connection.request("GET" if body is None else "POST", f"/api/{path}", text, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(str(error)) from None
        finally:
            connection.close()

    def listen(self, after: int, seconds: float, hear: Callable[[dict[str, Any]], None]) -> None:
        """The stream of events for a while; then the line breaks."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        try:
            connection.request("GET", "/api/events", headers=self._headers | {"last-event-id": str(after)})
            answer = connection.getresponse()
            if connection.sock is not None:
                connection.sock.settimeout(1.0)
            self._hear(answer, time.monotonic() + seconds, hear)
        except http.client.HTTPException as error:
            raise OSError(str(error)) from None
        finally:
            connection.close()

    @staticmethod
    def _hear(answer: http.client.HTTPResponse, until: float, hear: Callable[[dict[str, Any]], None]) -> None:
        while time.monotonic() < until:
            try:
                line = answer.readline()
            except TimeoutError:
                return  # nothing new for a second: this line is given up, the next one goes on where it was
            if not line:
                return
            if line.startswith(b"data:") and b'"seq":' in line:
                hear(json.loads(line.removeprefix(b"data:")))


@dataclass
class Heard:
    """What a phone heard of one table."""

    table: str
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def last(self) -> int:
        return int(self.events[-1]["seq"]) if self.events else 0


class FlappingPhone(threading.Thread):
    def __init__(self, number: int, port: int, data: Path, world: SoakWorld) -> None:
        super().__init__(name=f"phone-{number}", daemon=True)
        self._rng = random.Random(number)
        self._port, self._data, self._world = port, data, world
        self.heard: dict[str, Heard] = {}
        self.connections = 0
        self.delays_s: list[float] = []

    def run(self) -> None:
        while not self._world.over.is_set():
            table = self._world.table
            heard = self.heard.setdefault(table, Heard(table))
            line = Line(self._port, self._data, Token(table, Role.SPECTATOR))
            known = self._world.seq
            try:
                self.connections += 1
                line.listen(heard.last, self._rng.uniform(0.2, 6.0), lambda e: self._hear(heard, e, known))  # noqa: B023
            except OSError:
                time.sleep(0.3)  # the server is away
            time.sleep(self._rng.uniform(0.0, 0.5))

    def _hear(self, heard: Heard, event: dict[str, Any], known: int) -> None:
        heard.events.append(event)
        delay = time.time() - float(event["at"])
        if event["seq"] > known and self._world.clock_is_right and 0 <= delay < 60:
            self.delays_s.append(delay)  # what came while the line was up


@dataclass
class Acknowledged:
    table: str
    key: str
    seq: int


@dataclass
class SoakWorld:
    """What everybody in a soak shares."""

    table: str
    over: threading.Event = field(default_factory=threading.Event)
    seq: int = 0
    clock_is_right: bool = True
    problems: list[str] = field(default_factory=list)


class PlayingHost(threading.Thread):
    """Plays what is legal, now and then takes back or disputes, and opens the next table when a game is over."""

    def __init__(self, port: int, data: Path, world: SoakWorld, game: str, every_s: float) -> None:
        super().__init__(name="host", daemon=True)
        self._rng = random.Random(0)
        self._port, self._data, self._world, self._game, self._every_s = port, data, world, game, every_s
        self.acknowledged: list[Acknowledged] = []
        self.repeated = 0
        self.refused = 0
        self.unavailable = 0

    def run(self) -> None:
        while not self._world.over.wait(self._every_s):
            try:
                self._turn()
            except OSError:
                continue

    def _line(self, seat: int | None = None) -> Line:
        return Line(self._port, self._data, Token(self._world.table, Role.HOST, seat))

    def _turn(self) -> None:
        seat = self._rng.randrange(4)
        status, board = self._line(seat).ask("board")
        if status != 200:
            status, board = self._line().ask("board")
        if status != 200:
            return
        self._world.seq = board["seq"]
        if board["outcome"]["over"]:
            self._next_table()
        elif self._rng.random() < 0.05 and board["actions"]:
            self._post(seat, "undo", {"count": 1})
        elif self._rng.random() < 0.05 and board["actions"]:
            self._post(seat, "claims", {"text": "I doubt that"})
        elif board["legal"]:
            self._post(seat, "actions", {"action": self._rng.choice(board["legal"])["id"]})

    def _next_table(self) -> None:
        status, answer = self._line().ask("tables", {"game": self._game})
        if status == 200:
            self._world.table, self._world.seq = answer["table"], 1

    def _post(self, seat: int, path: str, body: dict[str, Any]) -> None:
        """The same key until there is an answer; sometimes once more although there was one."""
        key, table, line = uuid.uuid4().hex, self._world.table, self._line(seat)
        answered: int | None = None
        while not self._world.over.is_set():
            try:
                status, answer = line.ask(path, {**body, "key": key})
            except OSError:
                self.repeated += 1
                time.sleep(0.3)
                continue
            if status == 503:
                self.unavailable += 1
                time.sleep(0.3)
                continue
            if status == 200:
                self._told(table, key, int(answer["seq"]), answered)
                if answered is None and self._rng.random() < 0.2:
                    answered = int(answer["seq"])
                    continue
                return
            if answered is not None:
                self._world.problems.append(f"{path}: done as event {answered}, but answered {status} when sent again")
            if status >= 500:
                self._world.problems.append(f"{path}: answered {status}: {answer}")
            self.refused += 1
            return

    def _told(self, table: str, key: str, seq: int, answered: int | None) -> None:
        if answered not in (None, seq):
            self._world.problems.append(f"the same key was answered with event {answered}, then with {seq}")
        self.acknowledged.append(Acknowledged(table, key, seq))
