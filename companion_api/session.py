"""One table: a game, its log, its referee and whoever watches.

Everything that happens is first written to the log and then folded into the state; a restarted server folds the same
events again. The camera thread and the web's threads both come here, so every entrance takes the lock; it is free while
a moment is judged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from companion_api.change_box import box_of
from companion_api.folded_table import FoldedTable, RequestError
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log, StaleError
from companion_api.luck import new_seed
from companion_api.reasons import KeptReasons, Reasons
from companion_api.redaction import known_to_all, public
from companion_api.seat_view import Status
from companion_api.takeback import ASKED, REFUSED
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

MOST_JUDGED = 3
"""So many times one moment is judged while people go on changing the history; then a newer picture says more."""
_IN_ORDER = (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
_NOTHING, _UNKNOWN = ObservedTable(()), Memory()


@dataclass(frozen=True, slots=True)
class Offer:
    """The table as it lies, shown to people who have still to confirm it."""

    state_seq: int
    seen: ObservedTable
    position: FittedPosition


@dataclass(frozen=True, slots=True)
class Pictures:
    """What was stored for a verdict: the name of its own picture and of the last good one before it."""

    is_news: bool = False
    now: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedMoment:
    """What came of a moment: the verdict as everybody may know it, the patience to judge the next one with, and the
    event that the position comes from since."""

    verdict: Verdict | None
    patience: Debounce
    state_seq: int


class OutdatedError(RequestError):
    """What was asked for was asked of a table that has changed since."""


class Session(FoldedTable):
    def __init__(self, log: Log, table: str) -> None:
        self.log = log
        self.lock = threading.RLock()
        self._judging = threading.Lock()
        """Held while a moment is judged, one after the other. Who holds `lock` must not ask for it."""
        self._listeners: list[Callable[[], None]] = []
        self._seen: ObservedTable | None = None
        self._good_picture: Callable[[], str | None] = lambda: None
        """Keeps and names the last picture in which everything lay as it should: what a verdict is compared with."""
        self._offer: Offer | None = None
        self.reasons = KeptReasons()
        super().__init__(table, log.read(table))

    # Beginning --------------------------------------------------------------------------------------------------

    @staticmethod
    def begin(log: Log, table: str, game: AnyGame, options: dict[str, Any] | None, seats: Any) -> Session:
        """Open a new table; the first event holds everything that the game was started with."""
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

    # What can be asked ------------------------------------------------------------------------------------------

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Be told after every event and change of status; the answer ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def done_before(self, key: str | None) -> Event | None:
        """The event that a post with this key has brought, also before a restart. It is looked up before anything else
        is judged: what was right then may be wrong by now."""
        return self._keys.get(key) if key else None

    # What can be done -------------------------------------------------------------------------------------------

    def act(
        self, by: str, data: Any, *, expected: int | None, key: str | None, asked_of: int | None = None
    ) -> Event | Refusal:
        """An action from a phone, read already or as it was written. A refusal changes nothing. `asked_of`: the
        `state_seq` that its preview was made for."""
        with self.lock:
            if known := self.done_before(key):
                return known
            if asked_of is not None and asked_of != self.state_seq:
                raise OutdatedError(say("the table has changed since you asked; nothing was done"))
            action = data if isinstance(data, Action) else self.read(data)
            if refusal := self.game.refusal(self.state, action):
                return refusal
            return self._append(EventKind.ACTION, by, {"action": action.id}, expected, key, checked=action)

    def draw(self, by: str, *, expected: int | None, key: str | None) -> Event:
        """What dice and coins decide now is drawn from the seed, up to the next decision of people."""
        with self.lock:
            if known := self.done_before(key):
                return known
            turn = self.game.turn(self.state)
            if turn.kind is not TurnKind.CHANCE:
                raise RequestError(say("there is nothing to roll, shuffle or draw now"))
            if self.luck is None or self.luck.told:
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

    def undo(self, by: str, count: int, *, expected: int | None, key: str | None) -> Event:
        with self.lock:
            if known := self.done_before(key):
                return known
            if not 1 <= count <= len(self._done):
                raise RequestError(
                    say(
                        "only one action can be undone, not {wanted}",
                        "only {count} actions can be undone, not {wanted}",
                        count=len(self._done),
                        wanted=count,
                    )
                )
            return self._append(EventKind.UNDO, by, {"count": count, "seats": self.whose(count)}, expected, key)

    def whose(self, count: int) -> list[int]:
        with self.lock:
            return super().whose(count)

    def ask_back(self, by: str, count: int, seats: list[int], *, expected: int | None, key: str | None) -> Event:
        """Whoever did the last actions is asked whether they may be taken back."""
        facts = {"count": count, "seats": seats}
        with self.lock:
            note = {"code": ASKED, "text": "may I take that back?", "facts": facts}
            return self._append(EventKind.NOTE, by, note, expected, key)

    def answer_back(self, by: str, agree: bool, *, key: str | None) -> Event:
        """What is being asked for is taken back, or stays."""
        with self.lock:
            if known := self.done_before(key):
                return known
            asked = self.takeback
            if asked is None:
                raise OutdatedError(say("nobody is asking for that any more"))
            if agree:
                data = {"count": asked.count, "seats": list(asked.seats), "granted": by}
                return self._append(EventKind.UNDO, asked.by, data, None, key)
            facts = {"count": asked.count, "seats": list(asked.seats)}
            return self._append(EventKind.NOTE, by, {"code": REFUSED, "text": "it stays", "facts": facts}, None, key)

    def redo(self, by: str, *, key: str | None) -> Event:
        """What was taken back last is put back, as long as the game has not gone on."""
        with self.lock:
            if known := self.done_before(key):
                return known
            if self.taken_back is None:
                raise RequestError(say("there is nothing to put back"))
            back = self.taken_back
            return self._append(
                EventKind.REDO, by, {"undo": back.seq, "count": len(back.actions), "seats": list(back.seats)}, None, key
            )

    def correct(self, by: str, seq: int, actions: list[Any], *, expected: int | None, key: str | None) -> Event:
        """An earlier action was really another one (or several, or none)."""
        with self.lock:
            if known := self.done_before(key):
                return known
            index = next((i for i, done in enumerate(self._done) if done.seq == seq), None)
            if index is None:
                raise RequestError(say("event {seq} holds no action that counts", seq=seq))
            wanted = [action if isinstance(action, Action) else self.read(action) for action in actions]
            kept = self._replayed(index, wanted, seq)
            data = {"seq": seq, "actions": [action.id for action in wanted], "dropped": len(self._done) - len(kept)}
            return self._append(EventKind.CORRECTED, by, data, expected, key)

    def offer(self) -> Offer:
        """The table as the camera saw it last, as a position of the game; UnclearTableError where it is none. It takes
        seconds, and the table goes on meanwhile."""
        with self.lock:
            seen, seq, history, memory = self._seen, self.state_seq, self.history, self.referee.memory
            offer = self._offer
        if seen is None:
            raise UnclearTableError(say("no camera has seen the table yet"))
        if offer is None or offer.seen is not seen or offer.state_seq != seq:
            position = fit_position(history, memory, seen)
            here = {seat: state for seat, state in position.others.items() if seat < len(self.seats)}
            offer = Offer(seq, seen, replace(position, others=here))
        with self.lock:
            self._offer = offer
        return offer

    def lay(self, by: str, seat: int | None, asked_of: int, *, expected: int | None, key: str | None) -> Event:
        """People confirm the position that they were shown, and who moves next."""
        with self.lock:
            if known := self.done_before(key):
                return known
            offer = self._offer
            if offer is None or offer.state_seq != self.state_seq or asked_of != self.state_seq:
                raise OutdatedError(say("the table has changed since you asked; nothing was done"))
            position = offer.position
            state = position.state if seat is None else position.others.get(seat)
            if state is None:
                raise RequestError(say("{seat} cannot be to move in this position", seat=Person(seat)))
            data = {"state": self.game.encode(state), "evidence": self._last_evidence()}
            return self._append(EventKind.LAID, by, data, expected, key)

    def _last_evidence(self) -> str | None:
        pictured = (event.data.get("evidence") for event in reversed(self.events))
        return next((name for name in pictured if name), None)

    def claim(self, by: str, data: dict[str, Any], *, key: str | None) -> Event:
        with self.lock:
            return self._append(EventKind.CLAIM, by, data, None, key)

    def rule(self, by: str, claim: int, data: dict[str, Any], *, overruled: bool, key: str | None) -> Event:
        with self.lock:
            if known := self.done_before(key):
                return known
            if claim not in self.disputes:
                raise RequestError(say("event {seq} is not a claim", seq=claim))
            kind = EventKind.OVERRULED if overruled else EventKind.RULING
            return self._append(kind, by, {"claim": claim, **data}, None, key)

    def move_on(self, by: str, table: str, places: tuple[int, ...] = ()) -> Event:
        """The host plays on at another table; whoever is here may follow. `places`: to which seat each seat goes."""
        with self.lock:
            data = {"table": table} | ({"places": list(places)} if places else {})
            return self._append(EventKind.MOVED, by, data, None, None)

    def join(self, by: str, name: str, key: str | None = None, **more: Any) -> Event:
        """Somebody is here: `seat` and `phone` say who sits where, `host_code` which code made a host."""
        with self.lock:
            return self._append(EventKind.JOINED, by, {"name": name, **more}, None, key)

    def set_clock(self, by: str, minutes: int, increment: int, *, key: str | None) -> Event:
        """So much time for everybody, from now on; no minutes: no clock."""
        with self.lock:
            return self._append(EventKind.CLOCK, by, {"minutes": minutes, "increment": increment}, None, key)

    def run_clock(self, by: str, run: bool, *, key: str | None = None) -> Event:
        """The clock goes, or it stands; who lets it go says that nothing is disputed any more."""
        with self.lock:
            if self.clock is None:
                raise RequestError(say("this table has no clock"))
            data = {"run": True, "held": False} if run else {"run": False}
            return self._append(EventKind.CLOCK, by, data, None, key)

    def back_again(self) -> None:
        """The server was away: that was nobody's time, and people say when the clock goes on."""
        with self.lock:
            if self.clock is not None and self.clock.run and not self.game.turn(self.state).is_over:
                self._append(EventKind.CLOCK, "table", {"run": False, "away": True}, None, None)

    def note(self, by: str, data: dict[str, Any]) -> Event:
        """Something that people should know and that changes nothing."""
        with self.lock:
            return self._append(EventKind.NOTE, by, data, None, None)

    def observe(
        self,
        seen: TableEvidence,
        patience: Debounce,
        steady: bool,
        evidence: Callable[[], str | None],
        alone: bool = False,
        seen_at: int | None = None,
    ) -> JudgedMoment:
        """A still moment from the camera: the referee judges, and what it accepts is logged. `evidence` keeps the
        picture and names it; it is only asked when there is something to prove. `alone`: a still that is a moment of
        its own. `seen_at`: the `state_seq` whose table this is; once there is a later one, the moment says nothing.

        Nobody who posts waits for this: the lock is held only to begin and to write down. If the history changes
        meanwhile, what was found is forgotten and the moment is judged again."""
        with self._judging:
            for _ in range(MOST_JUDGED):
                with self.lock:
                    state_seq, referee = self.state_seq, copy(self.referee)
                if seen_at not in (None, state_seq):
                    break
                after, before = patience.with_referee(referee), referee.history
                verdict = after.consider(seen, steady, alone)
                told = None if verdict is None else public(self.game, referee.history.state, verdict)
                pictures = Pictures() if told is None else self._pictures(told, evidence)
                with self.lock:
                    if self.state_seq == state_seq and (
                        told is None
                        or self._record(
                            told, pictures, seen.table, referee.memory, Reasons(before, told, referee.explanation)
                        )
                    ):
                        self.referee.memory, self._seen = referee.memory, seen.table
                        known = None if verdict is None else known_to_all(self.game, referee.history.state, verdict)
                        return JudgedMoment(known, after, self.state_seq)
        return JudgedMoment(None, patience, state_seq)

    def set_status(self, status: Status) -> None:
        with self.lock:
            if status is self.status:
                return
            self.status = status
            self._stand()
        self._tell()

    def set_simulated(self, simulated: bool) -> None:
        """Whether the table plays by itself from now on."""
        with self.lock:
            self.simulated = simulated
            self._stand()

    # Folding ----------------------------------------------------------------------------------------------------

    def _pictures(self, verdict: Verdict, evidence: Callable[[], str | None]) -> Pictures:
        """What is stored of a moment: its own picture where it is news, and the last good one where it is no good."""
        is_news = verdict.kind is not VerdictKind.SETTLED and not self._same_as_pending(verdict)
        before = self._good_picture() if is_news and verdict.kind not in _IN_ORDER else None
        if verdict.kind in _IN_ORDER:
            self._good_picture = evidence
        return Pictures(is_news, evidence() if is_news else None, before)

    def _record(
        self,
        verdict: Verdict,
        pictures: Pictures,
        observed: ObservedTable = _NOTHING,
        memory: Memory = _UNKNOWN,
        reasons: Reasons | None = None,
    ) -> bool:
        """Write down what was found; False if another server has written to this table since."""
        against = self.state_seq
        seen = {"evidence": pictures.now, "margin": round(verdict.margin, 2), "against": against}
        found: list[tuple[EventKind, dict[str, Any]]] = []
        if verdict.kind is VerdictKind.ACCEPTED and verdict.undone:
            found = [(EventKind.UNDO, {"count": verdict.undone, "seats": self.whose(verdict.undone), **seen})]
        elif verdict.kind is VerdictKind.ACCEPTED:
            found = [(EventKind.ACTION, {"action": action.id, **seen}) for action in verdict.actions]
        elif pictures.is_news:
            box = box_of(verdict.wrong, self.game, self.state, memory, observed)
            told = {**verdict.to_json(self.game), **seen, "before": pictures.before, "box": box}
            found = [(EventKind.VERDICT, told)]
        for kind, data in found:
            try:
                event = self._append(kind, "camera", data, self.seq, None)
                if reasons is not None:
                    self.reasons.keep(event.seq, reasons)
            except StaleError:
                for event in self.log.read(self.table, self.seq):
                    self._fold(event)
                self._stand()
                return False
        self.pending = None if verdict.kind in _IN_ORDER else verdict
        if verdict.kind is VerdictKind.SETTLED and self.clock is not None and self._is_held_by_camera():
            self._append(EventKind.CLOCK, "camera", {"held": False}, None, None)
        self._stand()
        self.set_status(_STATUS_AFTER[verdict.kind])
        return True

    def _is_held_by_camera(self) -> bool:
        """Whether the clock stands for what the camera saw, and nobody disputes anything else."""
        disputed = (e.kind for e in reversed(self.events) if e.kind in (EventKind.VERDICT, EventKind.CLAIM))
        return self.clock is not None and self.clock.held and next(disputed, None) is EventKind.VERDICT

    def _same_as_pending(self, verdict: Verdict) -> bool:
        """The same complaint about the same table is not written again at every look."""
        old = self.pending
        return old is not None and old.news == verdict.news

    def _append(
        self,
        kind: EventKind,
        by: str,
        data: dict[str, Any],
        expected: int | None,
        key: str | None,
        checked: Action | None = None,
    ) -> Event:
        """`checked`: the action of the event, found legal in this very state."""
        event = self.log.append(self.table, kind, by, data, expected=expected, key=key)
        if event.seq > self.seq:
            # Another server may have written in between: then what is folded is what stands in the log, judged anew.
            missed = self.log.read(self.table, self.seq) if event.seq > self.seq + 1 else []
            for each in missed:
                self._fold(each)
            if not missed:
                self._fold(event, checked)
            self._stand()
            self._tell()
        return event

    def read(self, data: Any) -> Action:
        if isinstance(data, str):
            return self.game.read(self.state, data)
        return action_from_json(data, self.game.verbs)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


_MOST_DRAWS = 60
"""A table of coins is drawn one by one; no game draws more of them in a row."""
_STATUS_AFTER = {
    VerdictKind.SETTLED: Status.WATCHING,
    VerdictKind.ACCEPTED: Status.UNDERSTOOD,
    VerdictKind.AMBIGUOUS: Status.NEED_YOU,
    VerdictKind.REFUSED: Status.NEED_YOU,
    VerdictKind.IMPOSSIBLE: Status.OUT_OF_SYNC,
}
