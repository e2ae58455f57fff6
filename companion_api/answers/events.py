"""Events of a table as phones read them, replays, previews, the fitted table, and explanations of verdicts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from companion_api.answers import table as tables
from companion_api.answers.base import Act, Answer, Argument, Named, OptionValue, Position, Refused, Statement
from companion_api.log.event import EventKind
from rules.pieces import Kind, Suit
from rules.referee.fit import TermKind
from rules.referee.verdict import VerdictKind


class ActionTold(Answer):
    """An action of an event; `id` and `text` are null while it is sealed."""

    id: str | None
    text: str | None
    verb: str | None = None
    args: list[Argument] | None = None
    seat: int | None
    effects: list[tables.Happened]
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


class Asked(tables.Judged, _Event):
    """A verdict that needs people. `box`: its part of the picture in pixels."""

    kind: Literal[EventKind.VERDICT]
    evidence: str | None
    before: str | None = None
    box: list[int] | None = None


class Claimed(_Event):
    kind: Literal[EventKind.CLAIM]
    text: str
    about: int | None
    pictures: tables.Pictures
    question: int | None = None


class Decided(tables.Decision, _Event):
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
    layout: tables.Drawn
    scores: list[int]


class SolvedStep(Answer):
    """A board of a solution and the action that led to it; none for the first."""

    action: Named | None
    layout: tables.Drawn
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
    game: tables.GameHead
    seats: list[tables.SeatAtTable]
    outcome: tables.GameResult
    steps: list[Step]


class Preview(Named):
    """A legal action with its effects. `state`: the table's state it was computed for; `ghosts`: pieces in their new
    place; `gone`: keys of pieces leaving the board."""

    ok: Literal[True]
    state: int
    effects: list[tables.Happened]
    ghosts: list[tables.LaidPiece]
    gone: list[str]


class Forbidden(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused


class Hint(Answer):
    """`id`: the best action; None where no action is better than another."""

    id: str | None
    state: int


class ReasonTold(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused | None


class Carried(Answer):
    state: int
    choices: list[Named]
    refusal: Refused | None


Spots = list[Position]


class After(Answer):
    layout: tables.Drawn
    effects: list[tables.Happened]


class Alternative(After):
    actions: list[str]
    acts: list[Act]
    text: str


class FittedTable(After):
    """The position nearest to the observed table. `seats`: other seats that may be to move; `rest`: remaining
    differences."""

    state: int
    turn: tables.TurnTold
    seats: list[int]
    rest: list[tables.LiesWrong]


class CostTerm(Answer):
    """A term of a cost in nats; of off-board pieces only `kind` and `owner` (seat)."""

    term: TermKind
    nats: float
    piece: str | None
    place: str | None
    what: Argument | None
    where: Argument | None
    seen: str | None
    at: list[float] | None
    note: str
    kind: Kind | None
    owner: int | None


class Explained(Answer):
    """A hypothesis (no actions: nothing happened) with its cost; the likeliest first."""

    actions: list[str]
    acts: list[Act]
    text: str
    nats: float
    terms: list[CostTerm]


class Compared(Answer):
    """`table`: which reading of the table; `decided`: the decision thresholds with their numbers."""

    table: str
    explanations: list[Explained]
    decided: list[str]


class WhyJudged(Answer):
    """`hidden`: the game hides something, so that only conclusions from the public view are included."""

    verdict: VerdictKind
    text: str
    said: Statement
    hidden: bool
    comparisons: list[Compared]
    notes: list[str]
