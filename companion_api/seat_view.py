"""A table as one seat may know it: the only thing that routes, streams, exports and previews read a game from.

What is secret is taken out here, of the events themselves, before anybody puts them into words. It holds what was known
at one moment and needs no lock: while the referee thinks or the database is locked, phones are still shown the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from companion_api.log.event import Event, EventKind
from companion_api.luck import hash_of
from rules.engine.action import Action
from rules.engine.card import Seat
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import SEALED, Entry, History, known_entry, known_history, known_options
from rules.referee.verdict import Verdict

if TYPE_CHECKING:
    from companion_api.clock import Clock
    from companion_api.luck import Luck
    from companion_api.roster import Roster
    from companion_api.takeback import Takeback, TakenBack

Made = TypeVar("Made")


class Status(StrEnum):
    """What the machine is doing, in one word that page and log share."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    UNDERSTOOD = "understood"
    NEED_YOU = "need_you"
    OUT_OF_SYNC = "out_of_sync"
    CAMERA_LOST = "camera_lost"
    NO_CAMERA = "no_camera"


@dataclass(frozen=True, slots=True)
class ToldAction:
    """An action that counts, as far as it may be known: `action` is None where only the actor (`seat`) is."""

    action: Action | None
    seat: int | None
    entry: Entry
    secret: bool = False
    """Known here and not to everybody: never to be said aloud."""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event without its secrets, and what it brought."""

    event: Event
    told: tuple[ToldAction, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownDispute:
    claim: Event
    rulings: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TableMoment:
    """A table as it stands between two events; nothing in it ever changes but `events`, which only ever grows."""

    seq: int
    state_seq: int
    version: int
    """Grows with whatever a phone is shown: events, and what the referee makes of the table."""
    roster: Roster
    status: Status
    pending: Verdict | None
    disputes: Mapping[int, KnownDispute]
    events: list[Event]
    history: History
    seqs: tuple[int, ...]
    clock: Clock | None = None
    luck: Luck | None = None
    takeback: Takeback | None = None
    taken_back: TakenBack | None = None
    simulated: bool = False
    """Whether the table plays by itself."""
    worked_out: MomentCache = field(default_factory=lambda: MomentCache())


class MomentCache:
    """What follows from a moment, worked out for the first phone that asks: at once eight of them want the same."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._made: dict[tuple[object, ...], Any] = {}

    def once(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            made: Made = self._made[key]
            return made


class SeatView:
    """`seat` is None for whoever has none: lookers-on, the big screen, a host who does not play."""

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
        self.pending = moment.pending  # public by the time that it is pending
        self.disputes = moment.disputes
        self.clock = moment.clock
        self.luck = moment.luck
        self.takeback = moment.takeback
        self.taken_back = moment.taken_back
        self.simulated = moment.simulated
        self._events = moment.events
        self._history = moment.history
        self._seqs = moment.seqs
        self._worked_out = moment.worked_out

    def once(self, what: str, make: Callable[[], Made]) -> Made:
        """The same for all who know the same: made once for each moment."""
        all_of_it = self.state is self._history.state
        return self._worked_out.once(("everybody" if all_of_it else self.seat, what), make)

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
        """How many actions count."""
        return len(self._seqs)

    @property
    def names(self) -> list[str]:
        """What those who sit there call themselves, or else what the game calls the seat."""
        return [self.roster.name_of(number) or seat.name for number, seat in enumerate(self.seats)]

    @property
    def record(self) -> History:
        """The game to be written to a file: as far as it is known while it is played, all of it once it is over."""
        return self._history if self.game.turn(self._history.state).is_over else known_history(self._history, self.seat)

    @cached_property
    def out(self) -> frozenset[int]:
        """Who has lost all there was to lose, as the story of the game tells it to everybody."""
        lost = (effect for entry in self._history.entries for effect in entry.effects)
        gone = (effect for effect in lost if effect.kind is EffectKind.ELIMINATE and not effect.facts.get("pawns_left"))
        return frozenset(effect.seat for effect in gone if effect.seat is not None)

    # What was done ----------------------------------------------------------------------------------------------

    def seq_of(self, index: int) -> int:
        """The number of the event that brought the n-th action that counts."""
        return self._seqs[index]

    def index_of(self, seq: int) -> int | None:
        """Which of the actions that count an event brought (the first, if it brought several)."""
        return self._seqs.index(seq) if seq in self._seqs else None

    def before(self, index: int) -> Any:
        """The state in which the n-th action was done; the number of actions stands for now."""
        history = self._history
        return self.game.view(history.entries[index - 1].state, self.seat) if index else self.first

    def after(self, seq: int) -> Any:
        """The state as it was after an event, as far as its actions still count."""
        return self.before(sum(each <= seq for each in self._seqs))

    def done(self, index: int) -> ToldAction:
        entry = known_entry(self._history, index, self.seat)
        history = self._history
        raw = history.entries[index - 1].state if index else history.first
        actor = None if entry.is_laid else self.game.actor(raw, history.entries[index].action)
        public = known_entry(self._history, index, None) if self.seat is not None else entry
        action = None if entry.action.verb == SEALED else entry.action
        return ToldAction(action, actor, entry, secret=public.action != entry.action)

    def is_whole(self, index: int) -> bool:
        """Whether all of an action is known."""
        return self.done(index).action == self._history.entries[index].action

    def read(self, text: str) -> Action:
        """An action from what a person wrote, understood by what that person sees."""
        return self.game.read(self.state, text)

    # Events -----------------------------------------------------------------------------------------------------

    def events(self, after: int = 0, last: int | None = None) -> Iterator[KnownEvent]:
        """All events after one (up to a last one), in order."""
        end = self.seq if last is None else min(last, self.seq)
        fresh = self._events[after:end] if after < end else []
        wanted = {event.data["seq"] if event.kind is EventKind.CORRECTED else event.seq for event in fresh}
        told = self._told(wanted)
        for event in fresh:
            yield self._known(event, told)

    def _told(self, wanted: set[int]) -> dict[int, tuple[ToldAction, ...]]:
        """For the wanted events: the actions of theirs that count."""
        found: dict[int, tuple[ToldAction, ...]] = {}
        for index in range(len(self._seqs) - 1, -1, -1):
            seq = self._seqs[index]
            if seq in wanted:
                found[seq] = (self.done(index), *found.get(seq, ()))
            elif seq < min(wanted, default=0):
                break
        return found

    def _known(self, event: Event, told: dict[int, tuple[ToldAction, ...]]) -> KnownEvent:
        if event.kind is EventKind.STARTED:
            # A position that was laid, or a prepared deal, is told by the board and not here.
            data = {name: value for name, value in event.data.items() if name != "first"}
            return KnownEvent(replace(event, data={**data, "options": dict(self.options)}))
        if event.kind in (EventKind.ACTION, EventKind.LAID):  # a position is told by the board
            kept = {
                name: event.data[name] for name in ("evidence", "margin", "luck") if event.data.get(name) is not None
            }
            return KnownEvent(replace(event, data=kept), told.get(event.seq, ()))
        if event.kind is EventKind.LUCK:  # the seed itself is told by the board, once the game is over
            return KnownEvent(replace(event, data={"hash": hash_of(event.data["seed"])}))
        if event.kind is EventKind.CORRECTED:
            data = {"corrects": event.data["seq"], "dropped": event.data["dropped"]}
            return KnownEvent(replace(event, data=data), told.get(event.data["seq"], ()))
        return KnownEvent(event)
