"""Who sits where, folded from the log: phones by seat, requests to share a seat, used host codes, and the table
everybody moved to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion_api.log.event import Event, EventKind

WANTED, REFUSED = "seat_wanted", "seat_refused"


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
        """A copy that later events do not change."""
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
        elif event.kind is EventKind.NOTE and event.data.get("code") in (WANTED, REFUSED):
            self._fold_request(event.data["code"], event.data["facts"])

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

    def _fold_request(self, code: str, facts: dict[str, Any]) -> None:
        guest = Guest(str(facts["phone"]), str(facts["name"]))
        if code == WANTED:
            self.wanted[guest.phone, int(facts["seat"])] = guest
        else:
            self.wanted.pop((guest.phone, int(facts["seat"])), None)

    def holders(self, seat: int) -> tuple[Guest, ...]:
        return tuple(self.seats.get(seat, {}).values())

    def is_free_for(self, phone: str, seat: int) -> bool:
        """Whether the seat is free or held by this phone already."""
        held = self.seats.get(seat, {})
        return not held or phone in held

    def holds(self, phone: str, seat: int) -> bool:
        return phone in self.seats.get(seat, {})

    def name_of(self, seat: int) -> str:
        """The first holder's name; empty where none was given."""
        return next((guest.name for guest in self.holders(seat) if guest.name), "")
