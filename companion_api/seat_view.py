"""The table as one seat may know it: the only source of routes, streams, exports and previews.

Secrets are removed here, from the events themselves, before anything is put into words. A view holds one snapshot and
needs no lock: phones are answered while the referee computes or the database is locked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from companion_api.log.event import Event, EventKind
from companion_api.reducers import hash_of
from rules.engine.action import Action
from rules.engine.card import Seat
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import SEALED, Entry, History, known_entry, known_history, known_options
from rules.referee.verdict import Verdict

if TYPE_CHECKING:
    from companion_api.reducers import Clock, Luck, Roster, Takeback, TakenBack

Value = TypeVar("Value")


class Status(StrEnum):
    """State of the watcher, shown on the page and logged."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    UNDERSTOOD = "understood"
    NEED_YOU = "need_you"
    OUT_OF_SYNC = "out_of_sync"
    CAMERA_LOST = "camera_lost"
    NO_CAMERA = "no_camera"


@dataclass(frozen=True, slots=True)
class VisibleAction:
    """An action that counts; `action` is None where only its actor (`seat`) may be known."""

    action: Action | None
    seat: int | None
    entry: Entry
    secret: bool = False
    """Known to this seat but not to everybody: never read aloud."""


@dataclass(frozen=True, slots=True)
class VisibleEvent:
    """An event without its secrets, and the actions it brought."""

    event: Event
    actions: tuple[VisibleAction, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputeView:
    claim: Event
    rulings: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TableMoment:
    """Immutable snapshot of a table between two events; only `events` is shared, and it only grows."""

    seq: int
    state_seq: int
    version: int
    """Increases with every event and every pending verdict."""
    roster: Roster
    status: Status
    pending: Verdict | None
    disputes: Mapping[int, DisputeView]
    events: list[Event]
    history: History
    seqs: tuple[int, ...]
    clock: Clock | None = None
    luck: Luck | None = None
    takeback: Takeback | None = None
    taken_back: TakenBack | None = None
    simulated: bool = False
    """Whether the table plays by itself."""
    derived: MomentCache = field(default_factory=lambda: MomentCache())


class MomentCache:
    """Values derived from one snapshot, computed for the first phone that asks and shared with the others."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._values: dict[tuple[object, ...], Any] = {}

    def get(self, key: tuple[object, ...], make: Callable[[], Value]) -> Value:
        with self._lock:
            if key not in self._values:
                self._values[key] = make()
            value: Value = self._values[key]
            return value


class SeatView:
    """`seat` is None for spectators, the large screen and a host who does not play."""

    def __init__(
        self, game: AnyGame, table: str, seats: tuple[Seat, ...], moment: TableMoment, seat: int | None
    ) -> None:
        self.game = game
        self.table = table
        self.seats = seats
        self.seat = seat
        self.status = moment.status
        self.seq = moment.seq
        self.state_seq = moment.state_seq
        self.version = moment.version
        self.roster = moment.roster
        self.pending = moment.pending  # already redacted
        self.disputes = moment.disputes
        self.clock = moment.clock
        self.luck = moment.luck
        self.takeback = moment.takeback
        self.taken_back = moment.taken_back
        self.simulated = moment.simulated
        self._events = moment.events
        self._history = moment.history
        self._seqs = moment.seqs
        self._derived = moment.derived

    def cached(self, what: str, make: Callable[[], Value]) -> Value:
        """A value computed once per snapshot for all viewers with the same knowledge."""
        complete = self.state is self._history.state
        return self._derived.get(("everybody" if complete else self.seat, what), make)

    @cached_property
    def state(self) -> Any:
        return self.game.view(self._history.state, self.seat)

    @cached_property
    def first(self) -> Any:
        return self.game.view(self._history.first, self.seat)

    @property
    def is_over(self) -> bool:
        return self.game.turn(self.state).is_over

    @cached_property
    def options(self) -> Mapping[str, object]:
        return known_options(self._history)

    @property
    def actions(self) -> int:
        return len(self._seqs)

    @property
    def names(self) -> list[str]:
        return [self.roster.name_of(number) or seat.name for number, seat in enumerate(self.seats)]

    @property
    def record(self) -> History:
        """The history for a record file: redacted while the game is played, complete once it is over."""
        return self._history if self.game.turn(self._history.state).is_over else known_history(self._history, self.seat)

    @cached_property
    def eliminated(self) -> frozenset[int]:
        """Eliminated seats, which everybody may know."""
        effects = (effect for entry in self._history.entries for effect in entry.effects)
        out = (one for one in effects if one.kind is EffectKind.ELIMINATE and not one.facts.get("pawns_left"))
        return frozenset(effect.seat for effect in out if effect.seat is not None)

    def seq_of(self, index: int) -> int:
        """Sequence number of the event that brought the n-th counting action."""
        return self._seqs[index]

    def index_of(self, seq: int) -> int | None:
        """Index of the (first) counting action that an event brought."""
        return self._seqs.index(seq) if seq in self._seqs else None

    def before(self, index: int) -> Any:
        """The state before the n-th action; with the number of actions, the current state."""
        history = self._history
        return self.game.view(history.entries[index - 1].state, self.seat) if index else self.first

    def after(self, seq: int) -> Any:
        """The state after an event, counting only actions that still count."""
        return self.before(sum(each <= seq for each in self._seqs))

    def action_at(self, index: int) -> VisibleAction:
        history = self._history
        entry = known_entry(history, index, self.seat)
        raw = history.entries[index - 1].state if index else history.first
        actor = None if entry.is_laid else self.game.actor(raw, history.entries[index].action)
        public = known_entry(history, index, None) if self.seat is not None else entry
        action = None if entry.action.verb == SEALED else entry.action
        return VisibleAction(action, actor, entry, secret=public.action != entry.action)

    def is_whole(self, index: int) -> bool:
        """Whether the whole action is visible to this seat."""
        return self.action_at(index).action == self._history.entries[index].action

    def read(self, text: str) -> Action:
        """Parses an action in the state this seat sees."""
        return self.game.read(self.state, text)

    def events(self, after: int = 0, last: int | None = None) -> Iterator[VisibleEvent]:
        """Events after one, up to a last one, in order."""
        end = self.seq if last is None else min(last, self.seq)
        new_events = self._events[after:end] if after < end else []
        wanted = {event.data["seq"] if event.kind is EventKind.CORRECTED else event.seq for event in new_events}
        counting = self._counting_actions(wanted)
        return (self._visible_event(event, counting) for event in new_events)

    def _counting_actions(self, wanted: set[int]) -> dict[int, tuple[VisibleAction, ...]]:
        found: dict[int, tuple[VisibleAction, ...]] = {}
        for index in range(len(self._seqs) - 1, -1, -1):
            seq = self._seqs[index]
            if seq in wanted:
                found[seq] = (self.action_at(index), *found.get(seq, ()))
            elif seq < min(wanted, default=0):
                break
        return found

    def _visible_event(self, event: Event, counting: dict[int, tuple[VisibleAction, ...]]) -> VisibleEvent:
        if event.kind is EventKind.STARTED:
            data = {**event.data, "options": dict(self.options)}
            data.pop("first", None)  # a starting position or prepared deal is part of the board, not of the event
            return VisibleEvent(replace(event, data=data))
        if event.kind in (EventKind.ACTION, EventKind.LAID):  # the position is part of the board
            public = ((name, event.data.get(name)) for name in ("evidence", "margin", "luck"))
            kept = {name: value for name, value in public if value is not None}
            return VisibleEvent(replace(event, data=kept), counting.get(event.seq, ()))
        if event.kind is EventKind.LUCK:  # the board tells the seed once the game is over
            return VisibleEvent(replace(event, data={"hash": hash_of(event.data["seed"])}))
        if event.kind is EventKind.CORRECTED:
            data = {"corrects": event.data["seq"], "dropped": event.data["dropped"]}
            return VisibleEvent(replace(event, data=data), counting.get(event.data["seq"], ()))
        return VisibleEvent(event)
