"""A table that plays by itself without a picture: what a demo shows where no weights of the eyes are installed.

It plays on from wherever the session stands and keeps still for a while after a person has done something, so that a
correction or an undo on the phone is not at once played over.
"""

from __future__ import annotations

import random
import threading
import time

from companion_api.log.event import EventKind
from companion_api.log.store import LogError
from companion_api.session import Session
from vision.pipeline import Moment

BY = "table"
_PEOPLE = frozenset({EventKind.ACTION, EventKind.UNDO, EventKind.CORRECTED, EventKind.CLAIM, EventKind.OVERRULED})


class SelfPlay:
    """The same to its owner as TableEyes, only that it sees nothing."""

    latest: Moment | None = None

    def __init__(self, session: Session, seed: int = 1, every: float = 3.0, manners: float = 12.0) -> None:
        self.session = session
        self._rng = random.Random(seed)
        self._every, self._manners = every, manners
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="self-play", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            if self._may_play():
                self.play_one()

    def _may_play(self) -> bool:
        session = self.session
        with session.lock:
            last = session.events[-1]
            if session.game.turn(session.state).is_over:
                return False
        meddled = last.kind in _PEOPLE and last.by != BY
        return not meddled or time.time() - last.at > self._manners

    def play_one(self) -> None:
        """One action by luck; if a person was faster, nothing."""
        session = self.session
        with session.lock:
            action = session.game.sample(session.state, self._rng)
            seq = session.seq
        try:
            session.act(BY, action.id, expected=seq, key=None)
        except (LogError, ValueError):
            return  # a full disk is told to whoever posts; the table tries again at its next turn
