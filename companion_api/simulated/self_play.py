"""A table that plays by itself without a camera, for demos without weights.

It continues from the session's state and pauses after people's actions, so that a correction is not played over at
once. On request it stages illegal acts: the referee gets the layout as observed, and a drawn picture is kept as
evidence.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np

from companion_api.log.event import EventKind
from companion_api.log.store import LogError
from companion_api.session import Session
from companion_api.simulated.incidents import (
    ILLEGAL,
    KINDS,
    MAX_RECENT,
    WRONG_MOVE,
    ActKind,
    Meaning,
    Requests,
    caption,
    staged_at,
)
from companion_api.simulated.script import choose_to_win
from companion_api.simulated.synthetic import Noise, Onlooker
from companion_api.watching.table_watcher import SessionJudge, TableWatcher
from companion_api.worker import Worker
from models.render import cards
from models.render.layout_scene import render_layout
from models.render.renderer import Rendered
from rules.engine.history import History
from rules.pieces.decktet import DECKTET
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Zone
from rules.table.observed import ObservedTable
from vision.frame import Frame
from vision.identify.deck import BACK, Deck
from vision.pipeline import CameraState, Moment

BY = "table"
TURN_S = 3.0
INCIDENTS = (ILLEGAL, WRONG_MOVE, *KINDS)
_STAGE_AFTER = range(2, 8)
"""Numbers of actions after which an illegal act is staged."""
_PEOPLE_EVENTS = (
    EventKind.ACTION, EventKind.UNDO, EventKind.REDO, EventKind.LAID, EventKind.CORRECTED, EventKind.CLAIM,
    EventKind.OVERRULED,
)  # fmt: skip
Keep = Callable[[Frame], str | None]


class SelfPlay(Worker):
    """Same interface as WatcherThread, with a known table. `grace_s`: pause in seconds after people's actions and
    before an illegal act is undone."""

    latest: Moment | None = None

    def __init__(
        self,
        session: Session,
        seed: int = 1,
        grace_s: float = 12.0,
        requests: Requests | None = None,
        keep: Keep = lambda _: None,
        at_end: Callable[[Session], object] = lambda _: None,
    ) -> None:
        super().__init__("self-play")
        self.session = session
        self._rng = random.Random(seed)
        self._seed = seed
        self._grace_s = grace_s
        self._requests, self._keep = requests or Requests(), keep
        self._onlooker = Onlooker(seed, Noise(jitter=0.02))
        self._last_event = (0, 0.0)
        self._is_broken, self._staged = False, ""
        self._stage_after = _STAGE_AFTER
        self._at_end: Callable[[Session], object] | None = at_end

    def _run(self) -> None:
        while not self._stop.wait(TURN_S):
            wanted = self._requests.take()
            if wanted is not None:
                self.stage(wanted)
            elif self._may_play():
                self._play_on()
            elif self._at_end is not None and self._is_over():
                self._at_end(self.session)
                self._at_end = None

    def _play_on(self) -> None:
        """Early in the game one illegal act is staged."""
        if self._is_broken:
            self._undo_incident()
        elif len(self.session.history.entries) in self._stage_after and self.stage(WRONG_MOVE):
            self._stage_after = range(0)
        else:
            self.play_one()

    def _is_over(self) -> bool:
        with self.session.lock:
            return self.session.game.turn(self.session.state).is_over

    def _may_play(self) -> bool:
        """Measured by a monotonic clock."""
        session = self.session
        with session.lock:
            last = session.events[-1]
            if session.game.turn(session.state).is_over:
                return False
        if self._last_event[0] != last.seq:
            self._last_event = last.seq, time.monotonic()
        waited = time.monotonic() - self._last_event[1] > self._grace_s
        changed_by_people = last.kind in _PEOPLE_EVENTS and last.by != BY
        return waited or not (changed_by_people or self._is_broken)

    def play_one(self) -> None:
        """Plays one action; nothing if a person was faster."""
        session = self.session
        with session.lock:
            state, seq = session.state, session.seq
        action = choose_to_win(session.game, state, self._rng)
        with suppress(LogError, ValueError):  # a full disk is reported to whoever posts; the next turn tries again
            session.act(BY, action.id, expected=seq, key=None)

    def stage(self, incident: str) -> bool:
        """Shows an illegal act to the referee; False where this table allows none."""
        self._show_legal()
        state_seq, history = self._position()
        recent = [history.undo(count).state for count in range(1, min(MAX_RECENT, len(history.entries)) + 1)]
        act = staged_at(history.game, history.state, incident, self._rng, recent)
        if act is None:
            return False
        self._note_incident(ActKind.ILLEGAL, act.kind)
        self._show(act.layout, state_seq)
        self._is_broken = True
        self._staged = act.kind
        return True

    def _note_incident(self, deed: ActKind, incident: str) -> None:
        with suppress(LogError):  # as in play_one
            if note := caption(Meaning(deed, incident=incident)):
                self.session.note(BY, note)

    def _position(self) -> tuple[int, History]:
        with self.session.lock:
            return self.session.state_seq, self.session.history

    def _undo_incident(self) -> None:
        self._note_incident(ActKind.PUT_RIGHT, self._staged)
        self._show_legal()
        self._is_broken = False

    def _show_legal(self) -> None:
        state_seq, history = self._position()
        self._show(history.game.layout(history.state), state_seq)

    def _show(self, layout: Layout, state_seq: int | None = None) -> None:
        """Shows a still table of that `state_seq` to the referee; dropped after a later event."""
        rendered = self._render(layout)
        seen = TableEvidence(self._in_picture(self._onlooker.see(layout).table, rendered))
        frame = self._frame(rendered)
        judge = SessionJudge(self.session, lambda _: self.photograph(rendered), final=True, state_seq=state_seq)
        with suppress(LogError):  # as in play_one
            list(TableWatcher(judge).verdicts(Moment(CameraState.LOOKED, frame.at, frame, seen, steady=True)))

    def _render(self, layout: Layout) -> Rendered:
        """A drawn picture for everybody: off-board pieces only as publicly known."""
        game, state = self.session.game, self.session.state
        aside = tuple(p for p in game.layout(game.view(state, None)) if p.zone is not Zone.BOARD)
        return render_layout(replace(layout, pieces=(*layout.board, *aside)), seed=self._seed)

    def _in_picture(self, seen: ObservedTable, rendered: Rendered) -> ObservedTable:
        """The sightings with their picture positions."""
        homography, board = np.array(rendered.truth["table_homography"]), self._onlooker.board

        def spot(x: float, y: float) -> tuple[float, float]:
            across, down, far = homography @ (*board.to_board(x, y), 1.0)
            return across / far, down / far

        return replace(seen, sightings=tuple(replace(s, center_px=spot(s.x, s.y)) for s in seen.sightings))

    def photograph(self, rendered: Rendered) -> str | None:
        """Stores the picture as evidence and returns its name."""
        frame = self._frame(rendered)
        self.latest = Moment(CameraState.LOOKED, frame.at, frame)
        return self._keep(frame)

    @staticmethod
    def _frame(rendered: Rendered) -> Frame:
        return Frame(rendered.image, source="drawn", at=time.monotonic())


DENSITY = 70.0
"""Pixels an inch: a scan of each card."""


@cache
def drawn_deck() -> Deck:
    rng = np.random.default_rng(0)
    return Deck.of({mark: cards.face(mark, DENSITY, rng).colours for mark in (BACK, *DECKTET)})
