"""What a simulated table does when its game is over: after a pause it begins another one."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion_api.session import Session

PAUSE_S = 30.0
"""How long the end of a simulated game is shown."""


class NextGame:
    """`another` opens the next table after one; without it there is none."""

    def __init__(self) -> None:
        self.another: Callable[[Session], Session] | None = None
        self.pause_s = PAUSE_S
        self._timer: threading.Timer | None = None

    def begin_later(self, begin: Callable[[Session], None], session: Session) -> bool:
        """Calls `begin` after the pause; False where there is no next game."""
        if self.another is None:
            return False
        self._timer = threading.Timer(self.pause_s, begin, (session,))
        self._timer.daemon = True
        self._timer.start()
        return True

    def after(self, session: Session) -> Session:
        """The next table; the same one while its game goes on."""
        over = session.game.turn(session.state).is_over
        return self.another(session) if over and self.another is not None else session

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
