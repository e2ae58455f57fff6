"""The clock of a table, folded from its log: whose time runs, and what is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion_api.log.event import Event, EventKind

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
        return _start(event, to_act, seats)
    if clock is None:
        return None
    data = event.data if event.kind is EventKind.CLOCK else {}
    left = clock.left if data.get("away") else clock.at(event.at)
    if event.kind is EventKind.ACTION:
        done = [seat for seat in clock.ticking if seat not in to_act]
        left = tuple(time + clock.increment * (seat in done) for seat, time in enumerate(left))
    held = (clock.held or event.kind in _DISPUTED) and event.kind not in _SETTLED
    return replace(
        clock,
        left=left,
        since=event.at,
        ticking=to_act,
        run=bool(data.get("run", clock.run)),
        held=bool(data.get("held", held)),
    )


def _start(event: Event, to_act: tuple[int, ...], seats: int) -> Clock | None:
    minutes, increment = int(event.data["minutes"]), int(event.data["increment"])
    return Clock(minutes, increment, (60.0 * minutes,) * seats, event.at, to_act) if minutes else None
