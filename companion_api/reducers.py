"""Reducers of the log: what a table has beside its position: clock, seed of chance, take-backs, who sits where."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from companion_api.log.event import Event, EventKind
from rules.engine.action import Action

_DISPUTED = (EventKind.VERDICT, EventKind.CLAIM)
_SETTLED = (EventKind.ACTION, EventKind.LAID, EventKind.UNDO, EventKind.REDO, EventKind.CORRECTED)


@dataclass(frozen=True, slots=True)
class Clock:
    """`left`: seconds by seat; `ticking`: seats whose time runs while `run` (set by people) and not `held` (a dispute);
    `since`: the time up to which it is counted."""

    minutes: int
    increment: int
    left: tuple[float, ...]
    since: float
    ticking: tuple[int, ...] = ()
    run: bool = True
    held: bool = False

    @property
    def goes(self) -> bool:
        return self.run and not self.held and bool(self.ticking)

    def at(self, now: float) -> tuple[float, ...]:
        """Seconds left by seat at a time; a clock set back takes nothing away."""
        spent = max(0.0, now - self.since) if self.goes else 0.0
        return tuple(left - spent if seat in self.ticking else left for seat, left in enumerate(self.left))


def clock_after(clock: Clock | None, event: Event, to_act: tuple[int, ...], seats: int) -> Clock | None:
    """The clock after an event; `to_act`: the seats to move then."""
    if event.kind is EventKind.CLOCK and "minutes" in event.data:
        minutes, increment = int(event.data["minutes"]), int(event.data["increment"])
        return Clock(minutes, increment, (60.0 * minutes,) * seats, event.at, to_act) if minutes else None
    if clock is None:
        return None
    data = event.data if event.kind is EventKind.CLOCK else {}
    left = clock.left if data.get("away") else clock.at(event.at)
    if event.kind is EventKind.ACTION:
        done = [seat for seat in clock.ticking if seat not in to_act]
        left = tuple(time + clock.increment * (seat in done) for seat, time in enumerate(left))
    held = (clock.held or event.kind in _DISPUTED) and event.kind not in _SETTLED
    run, held = bool(data.get("run", clock.run)), bool(data.get("held", held))
    return replace(clock, left=left, since=event.at, ticking=to_act, run=run, held=held)


# Chance made by the server, for tables without dice. Before the first draw the log publishes the SHA-256 of a secret
# seed. The n-th draw samples the game's chance with a generator seeded by seed and n. After the game the seed is
# published, so everybody can repeat all draws; a published seed is not used again.


@dataclass(frozen=True, slots=True)
class Luck:
    """`seq`: the event of the hash; `draws`: draws made; `is_published`: the seed is public."""

    seq: int
    seed: str
    draws: int = 0
    is_published: bool = False

    def next(self) -> random.Random:
        """The generator of the next draw."""
        return generator(self.seed, self.draws)

    def to_json(self) -> dict[str, Any]:
        return {"hash": hash_of(self.seed), "seed": self.seed if self.is_published else None, "draws": self.draws}


def new_seed() -> str:
    return secrets.token_hex(16)


def hash_of(seed: str) -> str:
    return sha256(seed.encode()).hexdigest()


def generator(seed: str, number: int) -> random.Random:
    """The generator of the n-th draw, from 0."""
    return random.Random(sha256(f"{seed}:{number}".encode()).hexdigest())


TAKEBACK_ASKED, TAKEBACK_REFUSED = "takeback_asked", "takeback_refused"


@dataclass(frozen=True, slots=True)
class CountedAction:
    """An action that counts, with the event that brought it."""

    seq: int
    action: Action
    state: Any = None
    """The position, where people confirmed the observed table."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """`by` asks to take back the last `count` actions, done by `seats`; `seq`: the event of the request."""

    seq: int
    by: str
    count: int
    seats: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": self.count, "seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The actions last taken back, until the game goes on."""

    seq: int
    by: str
    seats: tuple[int, ...]
    actions: tuple[CountedAction, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": len(self.actions), "seats": list(self.seats)}


def open_request(request: Takeback | None, event: Event, changes: bool) -> Takeback | None:
    """The open request after an event; `changes`: whether the event changed the position."""
    code = event.data.get("code") if event.kind is EventKind.NOTE else None
    if code == TAKEBACK_ASKED:
        facts = event.data["facts"]
        return Takeback(event.seq, event.by, int(facts["count"]), tuple(facts["seats"]))
    return None if code == TAKEBACK_REFUSED or changes else request


SEAT_WANTED, SEAT_REFUSED = "seat_wanted", "seat_refused"


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone and its owner's name."""

    phone: str
    name: str


@dataclass(slots=True)
class Roster:
    seats: dict[int, dict[str, Guest]] = field(default_factory=dict)
    wanted: dict[tuple[str, int], Guest] = field(default_factory=dict)
    hosts: int = 0
    """Number of host codes used."""
    moved_to: str | None = None
    places: tuple[int, ...] = ()
    """The next table's seat of each seat; empty where nobody moves."""
    previous_seats: dict[str, int] = field(default_factory=dict)
    """Seats that phones had at the previous table and that do not exist here."""

    def copy(self) -> Roster:
        return replace(
            self,
            seats={seat: dict(held) for seat, held in self.seats.items()},
            wanted=dict(self.wanted),
            previous_seats=dict(self.previous_seats),
        )

    def fold(self, event: Event) -> None:
        if event.kind is EventKind.JOINED:
            self._fold_join(event.data)
        elif event.kind is EventKind.MOVED:
            self.moved_to = event.data["table"]
            self.places = tuple(event.data.get("places", ()))
        elif event.kind is EventKind.NOTE and event.data.get("code") in (SEAT_WANTED, SEAT_REFUSED):
            facts = event.data["facts"]
            guest = Guest(str(facts["phone"]), str(facts["name"]))
            if event.data["code"] == SEAT_WANTED:
                self.wanted[guest.phone, int(facts["seat"])] = guest
            else:
                self.wanted.pop((guest.phone, int(facts["seat"])), None)

    def _fold_join(self, data: dict[str, Any]) -> None:
        if "host_code" in data:
            self.hosts = max(self.hosts, int(data["host_code"]) + 1)
        phone, seat = str(data.get("phone", "")), data.get("seat")
        if not phone:
            return
        for held in self.seats.values():
            held.pop(phone, None)
        self.wanted = {key: guest for key, guest in self.wanted.items() if key[0] != phone}
        if seat is not None:
            self.seats.setdefault(int(seat), {})[phone] = Guest(phone, str(data.get("name", "")))
        if "stood" in data:
            self.previous_seats[phone] = int(data["stood"])

    def holders(self, seat: int) -> tuple[Guest, ...]:
        return tuple(self.seats.get(seat, {}).values())

    def is_free_for(self, phone: str, seat: int) -> bool:
        """Whether the seat is free or held by this phone already."""
        return not self.seats.get(seat) or self.holds(phone, seat)

    def holds(self, phone: str, seat: int) -> bool:
        return phone in self.seats.get(seat, {})

    def name_of(self, seat: int) -> str:
        """The first holder's name; empty where none was given."""
        return next((guest.name for guest in self.holders(seat) if guest.name), "")
