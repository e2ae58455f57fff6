"""A table that plays by itself without a camera: what a demo shows where no weights of the eyes are installed.

It plays on from wherever the session stands and keeps still for a while after a person has done something, so that a
correction or an undo on the phone is not at once played over. On request somebody breaks the rules at it: the referee
is shown the table as it lies then, and a drawn picture of it is kept as evidence.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from companion_api.log.event import EventKind
from companion_api.log.store import LogError
from companion_api.session import Session
from companion_api.simulated.illegal_acts import KINDS, Staged
from companion_api.simulated.incidents import (
    ILLEGAL,
    LATELY,
    WRONG_MOVE,
    ActKind,
    Meaning,
    Requests,
    caption,
    staged_at,
)
from companion_api.simulated.players import to_win
from companion_api.simulated.synthetic import Noise, Onlooker
from companion_api.watching.table_watcher import SessionJudge, TableWatcher
from models.render.layout_scene import render_layout
from models.render.renderer import Rendered
from rules.engine.history import History
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Zone
from rules.table.observed import ObservedTable
from vision.frame import Frame
from vision.pipeline import CameraState, Moment

BY = "table"
INCIDENTS = (ILLEGAL, WRONG_MOVE, *KINDS)
_EARLY = range(2, 8)
"""After so many actions a rule is broken, where the table allows it."""
_PEOPLE = frozenset(
    {
        EventKind.ACTION,
        EventKind.UNDO,
        EventKind.REDO,
        EventKind.LAID,
        EventKind.CORRECTED,
        EventKind.CLAIM,
        EventKind.OVERRULED,
    }
)


Keep = Callable[[Frame], str | None]


class SelfPlay:
    """The same to its owner as WatcherThread, only that it is told what it sees. `manners` are the seconds that people
    have after they did something, and that an illegal act lies on the table before it is put right."""

    latest: Moment | None = None

    def __init__(
        self,
        session: Session,
        seed: int = 1,
        every: float = 3.0,
        manners: float = 12.0,
        requests: Requests | None = None,
        keep: Keep = lambda _: None,
        at_end: Callable[[Session], object] = lambda _: None,
    ) -> None:
        self.session = session
        self._rng = random.Random(seed)
        self._seed = seed
        self._every, self._manners = every, manners
        self._requests, self._keep = requests or Requests(), keep
        self._onlooker = Onlooker(seed, Noise(jitter=0.02))
        self._noticed = (0, 0.0)
        self._broken, self._staged = False, ""
        self._shows = _EARLY
        self._at_end: Callable[[Session], object] | None = at_end
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
            wanted = self._requests.take()
            if wanted is not None:
                self.stage(wanted)
            elif self._may_play():
                self._play_on()
            elif self._at_end is not None and self._is_over():
                self._at_end(self.session)
                self._at_end = None

    def _play_on(self) -> None:
        """Soon after the beginning one of the players breaks a rule by himself."""
        if self._broken:
            self._put_right()
        elif len(self.session.history.entries) in self._shows and self.stage(WRONG_MOVE):
            self._shows = range(0)
        else:
            self.play_one()

    def _is_over(self) -> bool:
        with self.session.lock:
            return self.session.game.turn(self.session.state).is_over

    def _may_play(self) -> bool:
        """By a clock of its own, since that of the computer may be set back."""
        session = self.session
        with session.lock:
            last = session.events[-1]
            if session.game.turn(session.state).is_over:
                return False
        if self._noticed[0] != last.seq:
            self._noticed = last.seq, time.monotonic()
        waited = time.monotonic() - self._noticed[1] > self._manners
        meddled = last.kind in _PEOPLE and last.by != BY
        return waited or not (meddled or self._broken)

    def play_one(self) -> None:
        """One action; if a person was faster, nothing."""
        session = self.session
        with session.lock:
            state, seq = session.state, session.seq
        action = to_win(session.game, state, self._rng)
        try:
            session.act(BY, action.id, expected=seq, key=None)
        except (LogError, ValueError):
            return  # a full disk is told to whoever posts; the table tries again at its next turn

    def stage(self, incident: str) -> bool:
        """Somebody does what the rules forbid; the referee is shown it. False where this table allows no such act."""
        self._show_as_it_should_lie()
        state_seq, history = self._stands()
        act = self._forbidden(incident, history)
        if act is None:
            return False
        self._tell(ActKind.ILLEGAL, act.kind)
        self._show(act.layout, state_seq)
        self._broken = True
        self._staged = act.kind
        return True

    def _tell(self, deed: ActKind, incident: str) -> None:
        """People are told what they are shown."""
        note = caption(Meaning(deed, incident=incident))
        try:
            if note is not None:
                self.session.note(BY, note)
        except LogError:
            return  # as in play_one

    def _stands(self) -> tuple[int, History]:
        """The game, and the event that it stands so since."""
        with self.session.lock:
            return self.session.state_seq, self.session.history

    def _forbidden(self, incident: str, history: History) -> Staged | None:
        lately = [history.undo(count).state for count in range(1, min(LATELY, len(history.entries)) + 1)]
        return staged_at(history.game, history.state, incident, self._rng, lately)

    def _put_right(self) -> None:
        self._tell(ActKind.PUT_RIGHT, self._staged)
        self._show_as_it_should_lie()
        self._broken = False

    def _show_as_it_should_lie(self) -> None:
        state_seq, history = self._stands()
        self._show(history.game.layout(history.state), state_seq)

    def _show(self, layout: Layout, state_seq: int | None = None) -> None:
        """The referee looks at a table at rest, as it was after that event; after a later one nobody looks."""
        drawn = self._drawn(layout)
        seen = TableEvidence(self._in_picture(self._onlooker.see(layout).table, drawn))
        frame = self._frame(drawn)
        judge = SessionJudge(self.session, lambda _: self.photograph(drawn), final=True, state_seq=state_seq)
        try:
            list(TableWatcher(judge).verdicts(Moment(CameraState.LOOKED, frame.at, frame, seen, steady=True)))
        except LogError:
            return  # as above: a full disk is told to whoever posts

    def _drawn(self, layout: Layout) -> Rendered:
        """A drawn picture of the table. Everybody may look at it: what only one seat knows of the things beside the
        board is not drawn."""
        game, state = self.session.game, self.session.state
        aside = tuple(p for p in game.layout(game.view(state, None)) if p.zone is not Zone.BOARD)
        return render_layout(replace(layout, pieces=(*layout.board, *aside)), seed=self._seed)

    def _in_picture(self, seen: ObservedTable, drawn: Rendered) -> ObservedTable:
        """The sightings with where they are in the picture, as real eyes tell it."""
        lens, board = np.array(drawn.truth["table_homography"]), self._onlooker.board

        def spot(x: float, y: float) -> tuple[float, float]:
            across, down, far = lens @ (*board.to_board(x, y), 1.0)
            return across / far, down / far

        return replace(seen, sightings=tuple(replace(s, center_px=spot(s.x, s.y)) for s in seen.sightings))

    def photograph(self, drawn: Rendered) -> str | None:
        """The picture, kept as evidence."""
        frame = self._frame(drawn)
        self.latest = Moment(CameraState.LOOKED, frame.at, frame)
        return self._keep(frame)

    @staticmethod
    def _frame(drawn: Rendered) -> Frame:
        return Frame(drawn.image, source="drawn", at=time.monotonic())
