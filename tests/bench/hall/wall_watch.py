"""A wall without a screen."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from typing import Any


class WallWatch:
    """A wall that notes how late each row comes, by the table's clock, which is ours."""

    def __init__(self, ports: list[int], token: str) -> None:
        self._ports, self._token = ports, token
        self.late: list[float] = []
        self._seen: dict[tuple[str, str], int] = {}
        self._ended = threading.Event()
        self.steady = True
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """When the hubs are gone."""
        self._ended.set()
        self._thread.join(20)

    def _watch(self) -> None:
        turn, version = 0, 0
        while not self._ended.is_set():
            address = f"http://127.0.0.1:{self._ports[turn % len(self._ports)]}/api/stream?after={version}"
            request = urllib.request.Request(address, headers={"authorization": f"Bearer {self._token}"})
            try:
                with urllib.request.urlopen(request, timeout=20) as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            self._note(json.loads(line[5:]), time.time())
            except (OSError, ValueError):
                turn += 1
                self._ended.wait(0.3)

    def _note(self, news: dict[str, Any], now: float) -> None:
        for row in news["tables"]:
            key = (row["station"], row["table"])
            if row["seq"] > self._seen.get(key, 0):  # a hub that was started anew tells everything again
                self._seen[key] = row["seq"]
                if self.steady:
                    self.late.append(now - row["at"])
