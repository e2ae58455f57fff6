"""A thread that works until it is stopped."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Worker(ABC):
    """Base of what works in a thread of its own: `_run` returns soon after `_stop` is set."""

    def __init__(self, name: str) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Asks the thread to end and waits five seconds for it."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    @abstractmethod
    def _run(self) -> None:
        """The work of the thread."""
