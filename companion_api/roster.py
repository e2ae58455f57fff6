"""Who sits where at one table, read from its log: which phones hold which seat, who has asked to share one, how many
hosts have come in by their code, and where everybody went when the host opened another table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion_api.log.event import Event, EventKind

WANTED, REFUSED = "seat_wanted", "seat_refused"


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone and what its owner is called."""

    phone: str
    name: str


@dataclass(slots=True)
class Roster:
    seats: dict[int, dict[str, Guest]] = field(default_factory=dict)
    wanted: dict[tuple[str, int], Guest] = field(default_factory=dict)
    hosts: int = 0
    """How many codes of the host have been used."""
    moved_to: str | None = None
    places: tuple[int, ...] = ()
    """Which seat of the next table each seat goes to, where not to the same."""
    stood: dict[str, int] = field(default_factory=dict)
    """The seats that phones had at the table before, which there are not here."""

    def as_it_is(self) -> Roster:
        """A copy that stays as things are now."""
        return replace(
            self,
            seats={seat: dict(held) for seat, held in self.seats.items()},
            wanted=dict(self.wanted),
            stood=dict(self.stood),
        )

    def fold(self, event: Event) -> None:
        if event.kind is EventKind.JOINED:
            self._joined(event.data)
        elif event.kind is EventKind.MOVED:
            self.moved_to = event.data["table"]
            self.places = tuple(event.data.get("places", ()))
        elif event.kind is EventKind.NOTE and event.data.get("code") in (WANTED, REFUSED):
            self._asked(event.data["code"], event.data["facts"])

    def _joined(self, data: dict[str, Any]) -> None:
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
            self.stood[phone] = int(data["stood"])

    def _asked(self, code: str, facts: dict[str, Any]) -> None:
        guest = Guest(str(facts["phone"]), str(facts["name"]))
        if code == WANTED:
            self.wanted[guest.phone, int(facts["seat"])] = guest
        else:
            self.wanted.pop((guest.phone, int(facts["seat"])), None)

    def holders(self, seat: int) -> tuple[Guest, ...]:
        return tuple(self.seats.get(seat, {}).values())

    def may_sit(self, phone: str, seat: int) -> bool:
        """Whether a seat is free, or this phone's own already (somebody has agreed to share it)."""
        held = self.seats.get(seat, {})
        return not held or phone in held

    def holds(self, phone: str, seat: int) -> bool:
        return phone in self.seats.get(seat, {})

    def name_of(self, seat: int) -> str:
        """What people call whoever sits there; empty where nobody has said a name."""
        return next((guest.name for guest in self.holders(seat) if guest.name), "")
