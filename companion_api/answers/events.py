"""Events of a table as phones read them, and replays of games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from companion_api.answers.base import Answer, Argument, Named, OptionValue
from companion_api.answers.table import Decision, Drawn, GameHead, GameResult, Happened, Judged, Pictures, SeatAtTable
from companion_api.log.event import EventKind
from rules.pieces import Suit


class ActionTold(Answer):
    """An action of an event; `id` and `text` are null while it is sealed."""

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
    """`evidence`: name of the stored picture; `margin`: the referee's margin in nats."""

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
    """`along`: the phone followed the host from another table; `stood`: its seat there that does not exist here."""

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
    """`luck`: the draw's number, if drawn from the seed."""

    kind: Literal[EventKind.ACTION, EventKind.LAID]
    luck: int | None = None
    actions: list[ActionTold]


class Corrected(_Event):
    """`dropped`: number of later actions that no longer stand."""

    kind: Literal[EventKind.CORRECTED]
    corrects: int
    dropped: int
    actions: list[ActionTold]


class Sealed(_Event):
    """The hash of the seed for dice and draws from now on."""

    kind: Literal[EventKind.LUCK]
    hash: str


class TakenBack(_Pictured):
    """`seats`: the owners of the actions; `granted`: who agreed."""

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
    """A verdict that needs people. `box`: its part of the picture in pixels."""

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
    """Facts of a note: seat sharing, take-backs, a moved camera, or a staged incident."""

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
    """The clock was set (no minutes: removed), stopped or started; `away`: after a restart of the server."""

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
    """An event; `kind` selects its type."""


class Step(Answer):
    """A board and the event that led to it; none for the first."""

    event: EventTold | None
    layout: Drawn
    scores: list[int]


class SolvedStep(Answer):
    """A board of a solution and the action that led to it; none for the first."""

    action: Named | None
    layout: Drawn
    scores: list[int]


class Solution(Answer):
    """Moves needed (None: unsolvable) and taken, with the steps; where it `counts` `left`, the pieces left."""

    counts: Literal["moves", "left"]
    needed: int | None
    taken: int
    steps: list[SolvedStep]


class Better(Answer):
    """Better actions than action number `index` (from 0): it gave away a win or a draw, or missed a route that began
    there."""

    index: int
    seat: int | None
    code: Literal["win", "draw", "route"]
    actions: list[Named]


class Study(Answer):
    solution: Solution | None
    better: list[Better]


class Replay(Answer):
    """`solved`: the game is over and its study is available."""

    table: str
    solved: bool
    game: GameHead
    seats: list[SeatAtTable]
    outcome: GameResult
    steps: list[Step]
