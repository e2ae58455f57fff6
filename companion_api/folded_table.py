"""The state of a table folded from its events: game, people, disputes, and the snapshot readers get.

The only place that knows what an event changes; `Session` also writes events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from companion_api.log.event import Event, EventKind
from companion_api.redaction import UNSEEN
from companion_api.reducers import Clock, CountedAction, Luck, Roster, Takeback, TakenBack, clock_after, open_request
from companion_api.seat_view import DisputeView, SeatView, Status, TableMoment
from rules.engine.action import Action, parse_action
from rules.engine.card import Seat, read_seats
from rules.engine.history import LAID, History, IllegalActionError
from rules.engine.turn import TurnKind
from rules.games import game as find_game
from rules.referee.position_fit import position_as_moves
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict
from rules.sentence import InputError, say

_CHANGING = (EventKind.STARTED, EventKind.ACTION, EventKind.LAID, EventKind.UNDO, EventKind.REDO, EventKind.CORRECTED)


class RequestError(InputError):
    """A request that makes no sense at this table; the text says why."""


@dataclass(slots=True)
class Dispute:
    claim: Event
    rulings: list[Event] = field(default_factory=list)


class FoldedTable:
    """All events of one table, beginning with its start; `take` adds more."""

    def __init__(self, table: str, events: list[Event]) -> None:
        self.table = table
        self.events: list[Event] = []
        self.status = Status.NO_CAMERA
        self.simulated = False
        self.pending: Verdict | None = None
        self.disputes: dict[int, Dispute] = {}
        self.roster = Roster()
        self.state_seq = 0
        """The last event that changed the position; requests made before it are outdated."""
        self.clock: Clock | None = None
        self.luck: Luck | None = None
        self.takeback: Takeback | None = None
        self.taken_back: TakenBack | None = None
        self._done: list[CountedAction] = []
        self._keys: dict[str, Event] = {}
        if not events or events[0].kind is not EventKind.STARTED:
            raise RequestError(say("there is no table “{table}”", table=self.table))
        started = events[0].data
        self.game = find_game(started["game"])
        if started["rules"] != self.game.card.version:
            raise RequestError(
                say(
                    "this game was played under version {version} of the rules of {game}, "
                    "this program has version {known}",
                    version=started["rules"],
                    game=self.game.card.name,
                    known=self.game.card.version,
                )
            )
        self.seats: tuple[Seat, ...] = read_seats(self.game.card, started["seats"])
        self.first = History.begin(self.game, started["options"], started["seats"])
        if "first" in started:  # a game that began from a position, as an imported record may
            self.first = replace(self.first, first=self.game.decode(started["first"]))
        self.referee = Referee(self.game, self.first)
        self.take(*events)

    def take(self, *events: Event) -> None:
        """Folds the next events of the log."""
        for event in events:
            self._fold(event)
        self._publish()

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def history(self) -> History:
        return self.referee.history

    @property
    def state(self) -> Any:
        return self.history.state

    def event_of_action(self, index: int) -> int:
        """Sequence number of the event that brought the n-th counting action."""
        return self._done[index].seq

    def known(self, seat: int | None) -> SeatView:
        """The view of a seat, None for the public view."""
        return SeatView(self.game, self.table, self.seats, self.moment, seat)

    def counts(self, seq: int) -> bool:
        """Whether an event brought actions that still count."""
        return any(done.seq == seq for done in self._done)

    def actors_of_last(self, count: int) -> list[int]:
        """Seats of the last actions. Chance entered by a seat belongs to it; chance drawn from the seed belongs to
        everybody, so that nobody redraws alone."""
        found: set[int] = set()
        for index in range(max(0, len(self._done) - count), len(self._done)):
            before = self.history.entries[index - 1].state if index else self.history.first
            done = self._done[index]
            event = self.events[done.seq - 1]
            if "luck" in event.data:
                return list(range(len(self.seats)))
            actor = None if done.state is not None else self.game.actor(before, done.action)
            kind, _, number = event.by.partition(":")
            if actor is not None:
                found.add(actor)
            elif kind == "seat" and number.isdecimal():
                found.add(int(number))
        return sorted(found)

    def _publish(self) -> None:
        before = getattr(self, "moment", None)
        same = before is not None and (before.seq, before.pending) == (self.seq, self.pending)
        known = before.version if before is not None else 0
        self.moment = TableMoment(
            seq=self.seq,
            state_seq=self.state_seq,
            # greater than before; it starts at the event's number so that it also grows over a restart
            version=known if same else max(known + 1, 1000 * self.seq),
            roster=self.roster.copy(),
            status=self.status,
            pending=self.pending,
            disputes={seq: DisputeView(d.claim, tuple(d.rulings)) for seq, d in self.disputes.items()},
            events=self.events,
            history=self.history,
            seqs=tuple(done.seq for done in self._done),
            clock=self.clock,
            luck=self.luck,
            takeback=self.takeback,
            taken_back=self.taken_back,
            simulated=self.simulated,
        )

    def _fold(self, event: Event, checked: Action | None = None) -> None:
        """`checked`: the event's action, already found legal in this state."""
        changes = event.kind in _CHANGING
        self.takeback = open_request(self.takeback, event, changes)
        if changes:
            self.state_seq, self.pending = event.seq, None
            back, self.taken_back = self.taken_back, None
            self._fold_change(event, checked, back)
            if self.luck is not None and self.game.turn(self.state).is_over:
                self.luck = replace(self.luck, is_published=True)
        elif event.kind is EventKind.LUCK:
            self.luck = Luck(event.seq, event.data["seed"])
        elif event.kind is EventKind.CLAIM:
            self.disputes[event.seq] = Dispute(event)
        elif event.kind in (EventKind.RULING, EventKind.OVERRULED):
            self.disputes[event.data["claim"]].rulings.append(event)
        if self.clock is not None or event.kind is EventKind.CLOCK:
            turn = self.game.turn(self.state)
            to_act = turn.seats if turn.kind in (TurnKind.SEAT, TurnKind.ALL) else ()  # nobody while chance decides
            self.clock = clock_after(self.clock, event, to_act, len(self.seats))
        self.roster.fold(event)
        self.events.append(event)
        if event.key:
            self._keys[event.key] = event

    def _fold_change(self, event: Event, checked: Action | None, back: TakenBack | None) -> None:
        """Folds an event that changes the position; `back`: what was taken back last and may be restored now."""
        if event.kind is EventKind.ACTION:
            played = self.history.played(checked) if checked else self.history.play(parse_action(event.data["action"]))
            self.referee.set_history(played)
            self._done.append(CountedAction(event.seq, self.history.entries[-1].action))
            if "luck" in event.data and self.luck is not None:
                self.luck = replace(self.luck, draws=self.luck.draws + 1)
        elif event.kind is EventKind.LAID:
            state = self.game.decode(event.data["state"])
            self.referee.set_history(self._with_position(self.history, state))
            self._done.append(CountedAction(event.seq, LAID, state))
        elif event.kind is EventKind.UNDO:
            kept = len(self._done) - event.data["count"]
            self.referee.set_history(self.history.undo(event.data["count"]))
            seats = tuple(event.data.get("seats", ()))
            self.taken_back = TakenBack(event.seq, event.by, seats, tuple(self._done[kept:]))
            del self._done[kept:]
        elif event.kind is EventKind.REDO and back is not None:
            self._done += back.actions
            self.referee.set_history(self._replay(back.actions, self.history))
        elif event.kind is EventKind.CORRECTED:
            index = next(i for i, done in enumerate(self._done) if done.seq == event.data["seq"])
            wanted = [parse_action(text) for text in event.data["actions"]]
            self._done = self._replayed(index, wanted, event.data["seq"])
            self.referee.set_history(self._replay(self._done))

    def _with_position(self, history: History, state: Any) -> History:
        return history.lay(state, position_as_moves(self.game.layout(history.state), self.game.layout(state)))

    def _replayed(self, index: int, wanted: list[Action], seq: int) -> list[CountedAction]:
        """The actions before, the corrected ones, and the later ones up to the first illegal."""
        kept = [*self._done[:index], *(CountedAction(seq, action) for action in wanted)]
        history = self._replay(kept)
        for done in self._done[index + 1 :]:
            if done.state is not None:
                history = self._with_position(history, done.state)
            elif self.game.refusal(history.state, done.action):
                break
            else:
                history = history.play(done.action)
            kept.append(done)
        return kept

    def _replay(self, done: Iterable[CountedAction], history: History | None = None) -> History:
        """Plays from a history, by default from the first state."""
        history = self.first if history is None else history
        for each in done:
            try:
                state = each.state
                history = history.play(each.action) if state is None else self._with_position(history, state)
            except IllegalActionError as error:
                secret = self.game.view(history.state, None) != history.state
                why = UNSEEN if secret else error.refusal.sentence
                raise RequestError(say("{action} is not legal there: {why}", action=each.action, why=why)) from None
        return history
