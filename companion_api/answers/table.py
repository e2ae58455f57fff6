"""The table: what lies there, whose turn it is, what may be done, what the referee makes of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from companion_api.access import Role
from companion_api.answers.base import Act, Answer, Argument, OptionValue, Position, Refused, SentenceTold, Statement
from companion_api.log.event import EventKind
from rules.engine.action import Luck
from rules.engine.effects import EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import Face, Kind, Pose, Size, Suit
from rules.referee.verdict import VerdictKind
from rules.table.layout import Zone


class LaidPiece(Answer):
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
    where: Argument | None = None
    """Its place as a value, where the referee speaks of it."""


class NamedPlace(Answer):
    name: str
    position: Position
    size: tuple[float, float]
    grid: tuple[str, str] | None
    """Column and row, where it has them."""


class Drawn(Answer):
    """What should lie on the table."""

    unit: Literal["inch"]
    pieces: list[LaidPiece]
    places: list[NamedPlace]
    borders: list[tuple[float, float, float, float]]


class TurnTold(Answer):
    kind: TurnKind
    seats: list[int]
    phase: str


class Picture(Answer):
    """A choice as a piece. `onto`: where it goes, or for what it votes."""

    kind: Kind
    suit: Suit | None
    value: str | None
    mark: str | None
    face: Face | None
    onto: Argument | None = None


class Listed(Act):
    """An action that may be done. `touches`: the places and pieces that point at it; where it `lays` a piece from
    beside the board, that piece first. `said`: the words of the text, where they hang on how the table lies."""

    id: str
    text: str
    said: SentenceTold | None
    touches: list[str]
    lays: bool
    plain: bool
    """It does nothing but what its words say, and can be done without being shown before."""
    picture: Picture | None
    seat: int | None
    common: bool


class Way(Answer):
    """One of the things that a part of an action may be: its code there, and what it is."""

    code: str
    value: Argument
    picture: Picture | None


class Part(Answer):
    before: str
    ways: list[Way]


class Together(Answer):
    """Dice that are rolled or coins that are drawn together, in more ways than anybody reads: each is chosen by itself.
    The id of the action is all codes with what stands before them, and the end."""

    parts: list[Part]
    end: str


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
    by_tiles: bool
    """Whether places have only numbers, so that people say on which tile or card a place is."""


class You(Answer):
    role: Role
    seat: int | None
    name: str
    phone: str


class ShareRequest(Answer):
    """Somebody who would share a seat."""

    seat: int
    phone: str
    name: str


class GameResult(Answer):
    over: bool
    winners: list[int]
    scores: list[int]
    reason: str
    clause: str
    drawn: bool
    others: dict[str, int]
    said: SentenceTold | None


class Possible(Answer):
    """What may have been done, and how probable it is."""

    action: str
    actions: list[str]
    acts: list[Act] | None = None
    text: str
    p: float


class LiesWrong(Answer):
    should: LaidPiece | None
    lies: LaidPiece | None


class SpotTold(Answer):
    """Where an effect begins or ends."""

    place: str
    position: Position | None
    zone: Zone
    seat: int | None
    value: Argument | None = None
    where: Argument | None = None
    """The same, where the referee looked again."""


class PieceTold(Answer):
    kind: Kind
    suit: Suit | None
    value: str | None
    size: Size | None
    mark: str | None


class Sums(BaseModel):
    """The facts of an effect, as the rules of its game tell them; these are told in more than one game."""

    model_config = ConfigDict(extra="allow")

    attackers: list[str] | None = None
    defenders: list[str] | None = None
    strength: int | None = None
    defence: int | None = None
    zombies: int | None = None
    damage: int | None = None
    victim_coins: int | None = None
    success: bool | None = None
    target: str | None = None
    places: list[str] | None = None
    lost: list[str] | None = None
    same_as: list[str] | None = None
    number: str | int | None = None
    tile: str | None = None
    face: str | int | None = None
    why: str | None = None
    sealed: bool | None = None
    cancelled: bool | None = None
    void: bool | None = None
    pawns_left: int | None = None


class EffectValues(Answer):
    """Those facts of an effect that are suits, values, pieces or places."""

    attackers: list[Argument] | None = None
    defenders: list[Argument] | None = None
    places: list[Argument] | None = None
    lost: list[Argument] | None = None
    same_as: list[Argument] | None = None
    for_: list[Argument] | Argument | None = Field(default=None, alias="for")
    number: Argument | None = None
    tile: Argument | None = None
    face: Argument | None = None
    candidate: Argument | None = None


class Happened(Answer):
    """One effect of an action; what does not belong to its kind is left out."""

    kind: EffectKind
    piece: str | None = None
    thing: PieceTold | None = None
    key: str | None = None
    from_: SpotTold | None = Field(default=None, alias="from")
    to: SpotTold | None = None
    seat: int | None = None
    other: int | None = None
    amount: int | None = None
    clause: str | None = None
    facts: Sums | None = None
    values: EffectValues | None = None
    said: Statement | None = None


class Judged(Answer):
    """What the referee makes of the table."""

    verdict: VerdictKind
    action: str | None
    actions: list[str]
    choices: list[Possible]
    refusal: Refused | None
    attempt: str | None
    blamed: list[str] | None = None
    effects: list[Happened]
    undone: int
    text: str
    said: Statement
    differences: list[str]
    back: list[str]
    said_differences: list[Statement]
    said_back: list[Statement]
    wrong: list[LiesWrong]
    margin: float


class Pictures(Answer):
    """The names of kept pictures."""

    before: str | None = None
    after: str | None = None
    now: str | None = None


class Decision(Answer):
    """What the referee or a person says to a claim. The referee's names the rule and what it has looked at again."""

    upheld: bool
    text: str
    about: int | None = None
    action: str | None = None
    legal: bool | None = None
    clause: str | None = None
    code: str | None = None
    reasons: list[str] | None = None
    said_reasons: list[Statement | str] | None = None
    again: Judged | None = None
    ruling: str | None = None
    seal: str | None = None


class Ruled(Decision):
    seq: int
    kind: Literal[EventKind.RULING, EventKind.OVERRULED]
    by: str
    claim: int


class Disputed(Answer):
    claim: int
    by: str
    text: str
    about: int | None
    pictures: Pictures
    question: int | None = None
    rulings: list[Ruled]


class Time(Answer):
    """The clock: seconds left by seat, whose go by now, and why they may stand."""

    left: list[float]
    ticking: list[int]
    run: bool
    held: bool
    minutes: int
    increment: int


class Back(Answer):
    """Steps that somebody would take back or has taken back: the event that says so, who, and whose they are."""

    seq: int
    by: str
    count: int
    seats: list[int]


class LuckTold(Answer):
    """What dice and draws are made with: the SHA-256 of the seed, and the seed once the game is over."""

    hash: str
    seed: str | None
    draws: int


class Board(Answer):
    """The whole snapshot of one phone."""

    table: str
    seq: int
    version: int
    """Grows with every change; the stream tells what changed from one to the next."""
    state: int
    game: GameHead
    options: dict[str, OptionValue]
    seats: list[SeatAtTable]
    you: You
    wanted: list[ShareRequest]
    status: str
    simulated: bool
    hints: bool
    turn: TurnTold
    layout: Drawn
    diagram: str
    legal: list[Listed]
    open: list[Listed]
    complete: bool
    luck_by: Luck | None
    """How the table decides now, where it does."""
    together: Together | None
    scores: list[int]
    outcome: GameResult
    pending: Judged | None
    disputes: list[Disputed]
    actions: int
    clock: Time | None
    luck: LuckTold | None
    takeback: Back | None
    taken_back: Back | None


class Past(Answer):
    seq: int
    layout: Drawn
    turn: TurnTold
    scores: list[int]


class Points(Answer):
    """Everybody's points after an event."""

    seq: int
    scores: list[int]
