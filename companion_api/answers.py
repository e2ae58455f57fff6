"""What the routes answer, in types: the OpenAPI document shows them, and the page's own types are made of them
(`companion_api/web/js/answers.d.ts`). They describe and never change what is sent; the tests hold answers of every
game against them, with nothing missing and nothing too much."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion_api.access import Role
from companion_api.log.event import EventKind
from rules.engine.effects import EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import Face, Kind, Pose, Size, Suit
from rules.referee.verdict import VerdictKind
from rules.table.layout import Zone

Position = tuple[float, float]
Telling = Any
"""What is said, as a value: `rules/sentence.py`; the page's `sentences.js` has its type."""


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Lying(Answer):
    """A piece of the layout, as far as its visible side tells."""

    key: str
    kind: Kind
    suit: Suit | None
    value: str | None
    size: Size | None
    mark: str | None
    code: str
    face: Face | None
    pose: Pose | None
    position: Position
    angle_deg: float
    level: int
    lean: tuple[int, int]
    zone: Zone
    seat: int | None
    place: str


class NamedPlace(Answer):
    name: str
    position: Position
    size: tuple[float, float]


class Drawn(Answer):
    """What should lie on the table."""

    unit: Literal["inch"]
    pieces: list[Lying]
    places: list[NamedPlace]
    borders: list[tuple[float, float, float, float]]


class ToMove(Answer):
    kind: TurnKind
    seats: list[int]
    phase: str


class Listed(Answer):
    """An action that may be done. `touches`: the places and pieces that point at it."""

    id: str
    text: str
    touches: list[str]
    seat: int | None
    common: bool


class SeatAtTable(Answer):
    seat: int
    name: str
    suit: Suit | None
    held: list[str]
    out: bool


class GameHead(Answer):
    id: str
    name: str
    rules: int
    hidden: bool


class You(Answer):
    role: Role
    seat: int | None
    name: str
    phone: str


class Asking(Answer):
    """Somebody who would share a seat."""

    seat: int
    phone: str
    name: str


class Ending(Answer):
    over: bool
    winners: list[int]
    scores: list[int]
    reason: str
    clause: str
    drawn: bool
    others: dict[str, Any]
    said: Telling


class Refused(Answer):
    code: str
    clause: str
    text: str
    facts: dict[str, Any]
    said: Telling


class Possible(Answer):
    """What may have been done, and how probable it is."""

    action: str
    actions: list[str]
    text: str
    p: float


class LiesWrong(Answer):
    should: Lying | None
    lies: Lying | None


class Place(Answer):
    """Where an effect begins or ends."""

    place: str
    position: Position | None
    zone: Zone
    seat: int | None


class Thing(Answer):
    kind: Kind
    suit: Suit | None
    value: str | None
    size: Size | None
    mark: str | None


class Happened(Answer):
    """One effect of an action; what does not belong to its kind is left out."""

    kind: EffectKind
    piece: str | None = None
    thing: Thing | None = None
    key: str | None = None
    from_: Place | None = Field(default=None, alias="from")
    to: Place | None = None
    seat: int | None = None
    other: int | None = None
    amount: int | None = None
    clause: str | None = None
    facts: dict[str, Any] | None = None
    said: Telling = None


class Waiting(Answer):
    """What the referee asks people, or tells them to look at."""

    verdict: VerdictKind
    action: str | None
    actions: list[str]
    choices: list[Possible]
    refusal: Refused | None
    attempt: str | None
    effects: list[Happened]
    undone: int
    text: str
    said: Telling
    differences: list[str]
    back: list[str]
    said_differences: list[Telling]
    said_back: list[Telling]
    wrong: list[LiesWrong]
    margin: float


class Board(Answer):
    """The whole snapshot of one phone."""

    table: str
    seq: int
    state: int
    game: GameHead
    options: dict[str, Any]
    seats: list[SeatAtTable]
    you: You
    wanted: list[Asking]
    status: str
    turn: ToMove
    layout: Drawn
    diagram: str
    legal: list[Listed]
    open: list[Listed]
    complete: bool
    scores: list[int]
    outcome: Ending
    pending: Waiting | None
    disputes: list[dict[str, Any]]
    actions: int


class Done(Answer):
    """An action as an event tells it; `id` and `text` are null while it is sealed."""

    id: str | None
    text: str | None
    seat: int | None
    effects: list[Happened]
    secret: bool | None = None


class Happening(BaseModel):
    """An event; beside these it has what belongs to its kind."""

    model_config = ConfigDict(extra="allow")

    seq: int
    at: float
    kind: EventKind
    by: str
    actions: list[Done] | None = None


class Past(Answer):
    seq: int
    layout: Drawn
    turn: ToMove
    scores: list[int]


def shaped(model: Any) -> dict[str, Any]:
    """For a route: what its answer looks like, told and not enforced."""
    return {"response_model": None, "responses": {200: {"model": model, "description": "as asked"}}}
