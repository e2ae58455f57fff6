"""One table: its game, log, referee and listeners.

Every event is written to the log first and then folded into the state, so a restarted server folds the same events.
Camera and web threads both call in, so every public method takes the lock; it is free while the referee judges.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from companion_api.change_box import box_of
from companion_api.folded_table import FoldedTable, RequestError
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log, StaleError
from companion_api.reasons import Reasons
from companion_api.redaction import redact_for_all, redact_for_log
from companion_api.reducers import TAKEBACK_ASKED, TAKEBACK_REFUSED, new_seed
from companion_api.seat_view import Status
from rules.engine.action import Action, action_from_json
from rules.engine.card import read_seats
from rules.engine.contract import AnyGame
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.referee.debounce import Debounce
from rules.referee.memory import Memory
from rules.referee.position_fit import FittedPosition, UnclearTableError, fit_position
from rules.referee.verdict import Verdict, VerdictKind
from rules.sentence import Person, say
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable

MAX_ATTEMPTS = 3
"""Attempts to judge one moment while people keep changing the history; after that a newer picture is better
evidence."""
MAX_REASONS = 4
"""Explained looks kept; their comparisons take memory."""
_IN_ORDER = (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
_EMPTY, _NO_MEMORY = ObservedTable(()), Memory()

Given = ParamSpec("Given")
Written = TypeVar("Written", Event, Event | Refusal)


@dataclass(frozen=True, slots=True)
class Offer:
    """A position fitted to the observed table, waiting for people to confirm it."""

    state_seq: int
    observed: ObservedTable
    position: FittedPosition


@dataclass(frozen=True, slots=True)
class Pictures:
    """Evidence stored for a verdict: the names of its own picture and of the last picture in order before it."""

    is_news: bool = False
    now: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedMoment:
    """Result of a moment: the verdict as everybody may know it, the debounce state for the next one, and `state_seq`
    after it."""

    verdict: Verdict | None
    debounce: Debounce
    state_seq: int


class OutdatedError(RequestError):
    """The request was made for an earlier state of the table."""


def _once(write: Callable[Concatenate[Session, Given], Written]) -> Callable[Concatenate[Session, Given], Written]:
    """Takes the lock; a repeated `key` gets the event it brought first, since the request may be illegal by now."""

    @wraps(write)
    def write_once(self: Session, /, *args: Given.args, **named: Given.kwargs) -> Written:
        with self.lock:
            known = self.event_with_key(cast("str | None", named.get("key")))
            return known or write(self, *args, **named)

    return write_once


class Session(FoldedTable):
    def __init__(self, log: Log, table: str) -> None:
        self.log = log
        self.lock = threading.RLock()
        self._judging = threading.Lock()
        """Held while a moment is judged. Lock order: `lock` is taken inside it, never the other way round."""
        self._listeners: list[Callable[[], None]] = []
        self._seen: ObservedTable | None = None
        self._store_good_picture: Callable[[], str | None] = lambda: None
        """Stores and names the last picture that agreed with the layout: the "before" picture of a verdict."""
        self._offer: Offer | None = None
        self.reasons: dict[int, Reasons] = {}
        """Reasons of the latest camera events, by sequence number."""
        super().__init__(table, log.read(table))

    @staticmethod
    def begin(log: Log, table: str, game: AnyGame, options: dict[str, Any] | None, seats: Any) -> Session:
        people = read_seats(game.card, seats)
        game.start(options, seats)
        data = {
            "game": game.card.id,
            "rules": game.card.version,
            "options": options or {},
            "seats": [person.to_json() for person in people],
        }
        log.append(table, EventKind.STARTED, "host", data)
        return Session(log, table)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Calls `listener` after every event and change of status; the returned function ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def event_with_key(self, key: str | None) -> Event | None:
        """The event an earlier post with this key brought, also before a restart."""
        return self._keys.get(key) if key else None

    @_once
    def act(
        self, by: str, data: Any, *, expected: int | None, key: str | None, asked_of: int | None = None
    ) -> Event | Refusal:
        """An action from a phone, parsed or as text. A refusal changes nothing. `asked_of`: the `state_seq` of its
        preview."""
        if asked_of is not None and asked_of != self.state_seq:
            raise OutdatedError(say("the table has changed since you asked; nothing was done"))
        action = data if isinstance(data, Action) else self.read(data)
        if refusal := self.game.refusal(self.state, action):
            return refusal
        return self._append(EventKind.ACTION, by, {"action": action.id}, expected, key, checked=action)

    @_once
    def draw(self, by: str, *, expected: int | None, key: str | None) -> Event:
        """Draws from the seed what chance decides, up to the next decision of a person."""
        turn = self.game.turn(self.state)
        if turn.kind is not TurnKind.CHANCE:
            raise RequestError(say("there is nothing to roll, shuffle or draw now"))
        if self.luck is None or self.luck.is_published:
            self._append(EventKind.LUCK, by, {"seed": new_seed()}, expected, None)
            expected = None
        event = self._draw(by, expected, key)
        for _ in range(_MOST_DRAWS):
            now = self.game.turn(self.state)
            if (now.kind, now.phase) != (turn.kind, turn.phase):
                break
            event = self._draw(by, None, None)
        return event

    def _draw(self, by: str, expected: int | None, key: str | None) -> Event:
        assert self.luck is not None
        action = self.game.sample(self.state, self.luck.next())
        data = {"action": action.id, "luck": self.luck.draws}
        return self._append(EventKind.ACTION, by, data, expected, key, checked=action)

    @_once
    def undo(self, by: str, count: int, *, expected: int | None, key: str | None) -> Event:
        if not 1 <= count <= len(self._done):
            raise RequestError(
                say(
                    "only one action can be undone, not {wanted}",
                    "only {count} actions can be undone, not {wanted}",
                    count=len(self._done),
                    wanted=count,
                )
            )
        data = {"count": count, "seats": self.actors_of_last(count)}
        return self._append(EventKind.UNDO, by, data, expected, key)

    def request_takeback(
        self, by: str, count: int, seats: list[int], *, expected: int | None, key: str | None
    ) -> Event:
        facts = {"count": count, "seats": seats}
        note = {"code": TAKEBACK_ASKED, "text": "may I take that back?", "facts": facts}
        return self._append(EventKind.NOTE, by, note, expected, key)

    @_once
    def resolve_takeback(self, by: str, agree: bool, *, key: str | None) -> Event:
        """Grants or declines the open take-back request."""
        request = self.takeback
        if request is None:
            raise OutdatedError(say("nobody is asking for that any more"))
        facts = {"count": request.count, "seats": list(request.seats)}
        if agree:
            return self._append(EventKind.UNDO, request.by, {**facts, "granted": by}, None, key)
        note = {"code": TAKEBACK_REFUSED, "text": "it stays", "facts": facts}
        return self._append(EventKind.NOTE, by, note, None, key)

    @_once
    def redo(self, by: str, *, key: str | None) -> Event:
        """Restores what was taken back last, as long as the game has not gone on."""
        back = self.taken_back
        if back is None:
            raise RequestError(say("there is nothing to put back"))
        data = {"undo": back.seq, "count": len(back.actions), "seats": list(back.seats)}
        return self._append(EventKind.REDO, by, data, None, key)

    @_once
    def correct(self, by: str, seq: int, actions: list[Any], *, expected: int | None, key: str | None) -> Event:
        """Replaces the actions of an earlier event (by one, several or none)."""
        index = next((i for i, done in enumerate(self._done) if done.seq == seq), None)
        if index is None:
            raise RequestError(say("event {seq} holds no action that counts", seq=seq))
        wanted = [action if isinstance(action, Action) else self.read(action) for action in actions]
        kept = self._replayed(index, wanted, seq)
        data = {"seq": seq, "actions": [action.id for action in wanted], "dropped": len(self._done) - len(kept)}
        return self._append(EventKind.CORRECTED, by, data, expected, key)

    def offer(self) -> Offer:
        """The last observed table as a position of the game; UnclearTableError where it fits none. Takes seconds,
        without the lock."""
        with self.lock:
            seen, seq, history, memory = self._seen, self.state_seq, self.history, self.referee.memory
            offer = self._offer
        if seen is None:
            raise UnclearTableError(say("no camera has seen the table yet"))
        if offer is None or offer.observed is not seen or offer.state_seq != seq:
            position = fit_position(history, memory, seen)
            here = {seat: state for seat, state in position.others.items() if seat < len(self.seats)}
            offer = Offer(seq, seen, replace(position, others=here))
        with self.lock:
            self._offer = offer
        return offer

    @_once
    def confirm_position(
        self, by: str, seat: int | None, asked_of: int, *, expected: int | None, key: str | None
    ) -> Event:
        """Confirms the offered position and the seat to move."""
        offer = self._offer
        if offer is None or offer.state_seq != self.state_seq or asked_of != self.state_seq:
            raise OutdatedError(say("the table has changed since you asked; nothing was done"))
        state = offer.position.state if seat is None else offer.position.others.get(seat)
        if state is None:
            raise RequestError(say("{seat} cannot be to move in this position", seat=Person(seat)))
        names = (event.data.get("evidence") for event in reversed(self.events))
        data = {"state": self.game.encode(state), "evidence": next((name for name in names if name), None)}
        return self._append(EventKind.LAID, by, data, expected, key)

    def add_claim(self, by: str, data: dict[str, Any], *, key: str | None) -> Event:
        return self._append(EventKind.CLAIM, by, data, None, key)

    @_once
    def add_ruling(self, by: str, claim: int, data: dict[str, Any], *, overruled: bool, key: str | None) -> Event:
        if claim not in self.disputes:
            raise RequestError(say("event {seq} is not a claim", seq=claim))
        kind = EventKind.OVERRULED if overruled else EventKind.RULING
        return self._append(kind, by, {"claim": claim, **data}, None, key)

    def move_to_table(self, by: str, table: str, places: tuple[int, ...] = ()) -> Event:
        """Moves everybody to another table; `places`: the new seat of each seat."""
        data = {"table": table} | ({"places": list(places)} if places else {})
        return self._append(EventKind.MOVED, by, data, None, None)

    def join(self, by: str, name: str, key: str | None = None, **more: Any) -> Event:
        """Records somebody joining; `seat` and `phone` say who sits where, `host_code` which code made a host."""
        return self._append(EventKind.JOINED, by, {"name": name, **more}, None, key)

    def set_clock(self, by: str, minutes: int, increment: int, *, key: str | None) -> Event:
        """Time per seat from now on; no minutes: no clock."""
        return self._append(EventKind.CLOCK, by, {"minutes": minutes, "increment": increment}, None, key)

    def run_clock(self, by: str, run: bool, *, key: str | None = None) -> Event:
        """Starts or stops the clock; starting it also ends the hold of a dispute."""
        with self.lock:
            if self.clock is None:
                raise RequestError(say("this table has no clock"))
            data = {"run": True, "held": False} if run else {"run": False}
            return self._append(EventKind.CLOCK, by, data, None, key)

    def pause_clock_after_restart(self) -> None:
        """Stops the clock after a restart, since the downtime counts for no seat; people start it again."""
        with self.lock:
            if self.clock is not None and self.clock.run and not self.game.turn(self.state).is_over:
                self._append(EventKind.CLOCK, "table", {"run": False, "away": True}, None, None)

    def note(self, by: str, data: dict[str, Any]) -> Event:
        return self._append(EventKind.NOTE, by, data, None, None)

    def observe(
        self,
        evidence: TableEvidence,
        debounce: Debounce,
        steady: bool,
        store_picture: Callable[[], str | None],
        standalone: bool = False,
        observed_at: int | None = None,
    ) -> JudgedMoment:
        """Judges a still moment of the camera and logs what is accepted. `store_picture` stores the frame and returns
        its name; called only for news. `standalone`: a single still. `observed_at`: the `state_seq` the frame shows; a
        moment of an older state is dropped.

        The lock is held only to begin and to record. If the history changes meanwhile, the result is discarded and the
        moment is judged again.
        """
        with self._judging:
            for _ in range(MAX_ATTEMPTS):
                with self.lock:
                    state_seq, referee = self.state_seq, copy(self.referee)
                if observed_at not in (None, state_seq):
                    break
                after, before = debounce.with_referee(referee), referee.history
                verdict = after.consider(evidence, steady, standalone)
                public_verdict = None if verdict is None else redact_for_log(self.game, referee.history.state, verdict)
                pictures = Pictures() if public_verdict is None else self._pictures(public_verdict, store_picture)
                with self.lock:
                    if self.state_seq != state_seq:
                        continue
                    if public_verdict is None or self._record(
                        public_verdict,
                        pictures,
                        evidence.table,
                        referee.memory,
                        Reasons(before, public_verdict, referee.explanation),
                    ):
                        self.referee.memory, self._seen = referee.memory, evidence.table
                        known = None if verdict is None else redact_for_all(self.game, referee.history.state, verdict)
                        return JudgedMoment(known, after, self.state_seq)
        return JudgedMoment(None, debounce, state_seq)

    def set_status(self, status: Status) -> None:
        with self.lock:
            if status is self.status:
                return
            self.status = status
            self._publish()
        self._notify()

    def set_simulated(self, simulated: bool) -> None:
        with self.lock:
            self.simulated = simulated
            self._publish()

    def _pictures(self, verdict: Verdict, store_picture: Callable[[], str | None]) -> Pictures:
        """Stores the moment's picture where the verdict is news, and the last picture in order where it is not in
        order."""
        is_pending = self.pending is not None and self.pending.news == verdict.news  # not logged at every look
        is_news = verdict.kind is not VerdictKind.SETTLED and not is_pending
        before = self._store_good_picture() if is_news and verdict.kind not in _IN_ORDER else None
        if verdict.kind in _IN_ORDER:
            self._store_good_picture = store_picture
        return Pictures(is_news, store_picture() if is_news else None, before)

    def _record(
        self,
        verdict: Verdict,
        pictures: Pictures,
        observed: ObservedTable = _EMPTY,
        memory: Memory = _NO_MEMORY,
        reasons: Reasons | None = None,
    ) -> bool:
        """Logs the verdict; False if another server has written to this table since."""
        seen = {"evidence": pictures.now, "margin": round(verdict.margin, 2), "against": self.state_seq}
        found: list[tuple[EventKind, dict[str, Any]]] = []
        if verdict.kind is VerdictKind.ACCEPTED and verdict.undone:
            found = [(EventKind.UNDO, {"count": verdict.undone, "seats": self.actors_of_last(verdict.undone), **seen})]
        elif verdict.kind is VerdictKind.ACCEPTED:
            found = [(EventKind.ACTION, {"action": action.id, **seen}) for action in verdict.actions]
        elif pictures.is_news:
            box = box_of(verdict.wrong, self.game, self.state, memory, observed)
            verdict_json = {**verdict.to_json(self.game), **seen, "before": pictures.before, "box": box}
            found = [(EventKind.VERDICT, verdict_json)]
        for kind, data in found:
            try:
                event = self._append(kind, "camera", data, self.seq, None)
                if reasons is not None:
                    self.reasons[event.seq] = reasons
                    while len(self.reasons) > MAX_REASONS:
                        del self.reasons[next(iter(self.reasons))]
            except StaleError:
                self.take(*self.log.read(self.table, self.seq))
                return False
        self.pending = None if verdict.kind in _IN_ORDER else verdict
        if verdict.kind is VerdictKind.SETTLED and self._is_held_by_camera():
            self._append(EventKind.CLOCK, "camera", {"held": False}, None, None)
        self._publish()
        self.set_status(_STATUS_AFTER[verdict.kind])
        return True

    def _is_held_by_camera(self) -> bool:
        """Whether a verdict of the camera holds the clock and nobody disputes anything else."""
        disputed = (e.kind for e in reversed(self.events) if e.kind in (EventKind.VERDICT, EventKind.CLAIM))
        return self.clock is not None and self.clock.held and next(disputed, None) is EventKind.VERDICT

    def _append(
        self,
        kind: EventKind,
        by: str,
        data: dict[str, Any],
        expected: int | None,
        key: str | None,
        checked: Action | None = None,
    ) -> Event:
        """`checked`: the event's action, already found legal in this state."""
        with self.lock:
            event = self.log.append(self.table, kind, by, data, expected=expected, key=key)
            if event.seq > self.seq:
                # Another server may have written in between: then everything is folded from the log.
                if event.seq > self.seq + 1:
                    self.take(*self.log.read(self.table, self.seq))
                else:
                    self._fold(event, checked)
                    self._publish()
                self._notify()
            return event

    def read(self, data: Any) -> Action:
        if isinstance(data, str):
            return self.game.read(self.state, data)
        return action_from_json(data, self.game.verbs)

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


_MOST_DRAWS = 60
"""Draws in a row at most; coins are drawn one by one, and no game draws more."""
_STATUS_AFTER = {
    VerdictKind.SETTLED: Status.WATCHING,
    VerdictKind.ACCEPTED: Status.UNDERSTOOD,
    VerdictKind.AMBIGUOUS: Status.NEED_YOU,
    VerdictKind.REFUSED: Status.NEED_YOU,
    VerdictKind.IMPOSSIBLE: Status.OUT_OF_SYNC,
}
