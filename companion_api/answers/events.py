"""What has happened at a table: each kind of event as a phone reads it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from companion_api.answers.base import Answer, Argument, OptionValue
from companion_api.answers.table import Decision, Happened, Judged, Pictures
from companion_api.log.event import EventKind
from rules.pieces import Suit


class ActionTold(Answer):
    """An action as an event tells it; `id` and `text` are null while it is sealed."""

    id: str | None
    text: str | None
    verb: str | None = None
    args: list[Argument] | None = None
    seat: int | None
    effects: list[Happened]
    secret: bool | None = None


class _Event(Answer):
    seq: int
    at: float
    by: str


class _Pictured(_Event):
    """`evidence` is the name of a kept picture, `margin` how sure the referee is, in nats."""

    evidence: str | None = None
    margin: float | None = None


class SeatGiven(Answer):
    name: str
    suit: Suit | None


class Started(_Event):
    kind: Literal[EventKind.STARTED]
    game: str
    rules: int
    options: dict[str, OptionValue]
    seats: list[SeatGiven]


class Joined(_Event):
    """`along`: the phone came with the host from another table, `stood`: where it had a seat that there is not here."""

    kind: Literal[EventKind.JOINED]
    name: str
    seat: int | None = None
    phone: str | None = None
    along: bool | None = None
    stood: int | None = None
    host_code: int | None = None


class Moved(_Event):
    kind: Literal[EventKind.MOVED]
    table: str
    places: list[int] | None = None


class Acted(_Pictured):
    """`luck`: the number of the draw, where it was drawn from the seed."""

    kind: Literal[EventKind.ACTION, EventKind.LAID]
    luck: int | None = None
    actions: list[ActionTold]


class Corrected(_Event):
    """`dropped`: so many later actions do not stand any more."""

    kind: Literal[EventKind.CORRECTED]
    corrects: int
    dropped: int
    actions: list[ActionTold]


class Sealed(_Event):
    """From now on dice and draws are made with a seed of this hash."""

    kind: Literal[EventKind.LUCK]
    hash: str


class TakenBack(_Pictured):
    """`seats`: whose steps they were; `granted`: who agreed to it."""

    kind: Literal[EventKind.UNDO]
    count: int
    seats: list[int] | None = None
    granted: str | None = None


class PutBack(_Event):
    kind: Literal[EventKind.REDO]
    undo: int
    count: int
    seats: list[int]


class Asked(Judged, _Event):
    """The camera saw something that needs people. `box`: where in the picture, in its pixels."""

    kind: Literal[EventKind.VERDICT]
    evidence: str | None
    before: str | None = None
    box: list[int] | None = None


class Claimed(_Event):
    kind: Literal[EventKind.CLAIM]
    text: str
    about: int | None
    pictures: Pictures
    question: int | None = None


class Decided(Decision, _Event):
    kind: Literal[EventKind.RULING, EventKind.OVERRULED]
    claim: int


class NoteFacts(Answer):
    """Who would share which seat; whose steps would be taken back; how far the camera was pushed; what is staged."""

    phone: str | None = None
    name: str | None = None
    seat: int | None = None
    mm: float | None = None
    degrees: float | None = None
    count: int | None = None
    seats: list[int] | None = None
    incident: str | None = None


class Noted(_Event):
    kind: Literal[EventKind.NOTE]
    code: str
    text: str
    facts: NoteFacts


class Timed(_Event):
    """The clock was set (no minutes: taken off), stopped or let go; `away`: the server was."""

    kind: Literal[EventKind.CLOCK]
    minutes: int | None = None
    increment: int | None = None
    run: bool | None = None
    held: bool | None = None
    away: bool | None = None


AnyEvent = (
    Started
    | Joined
    | Moved
    | Acted
    | Corrected
    | TakenBack
    | PutBack
    | Sealed
    | Asked
    | Claimed
    | Decided
    | Timed
    | Noted
)


class EventTold(RootModel[Annotated[AnyEvent, Field(discriminator="kind")]]):
    """An event, by its kind."""
