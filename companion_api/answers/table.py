"""The table: layout, turn, legal actions, verdicts; joining, seats, game cards and statistics."""

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
    """A piece of the layout, as far as its visible side shows."""

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
    """Its place as a value, in verdicts."""


class NamedPlace(Answer):
    name: str
    position: Position
    size: tuple[float, float]
    grid: tuple[str, str] | None
    """Column and row, if it has them."""


class Drawn(Answer):
    """The expected layout."""

    unit: Literal["inch"]
    pieces: list[LaidPiece]
    places: list[NamedPlace]
    borders: list[tuple[float, float, float, float]]


class TurnTold(Answer):
    kind: TurnKind
    seats: list[int]
    phase: str


class Picture(Answer):
    """A choice drawn as a piece. `onto`: its target."""

    kind: Kind
    suit: Suit | None
    value: str | None
    mark: str | None
    face: Face | None
    onto: Argument | None = None


class Listed(Act):
    """A legal action. `touches`: places and pieces that select it; where it `lays` an off-board piece, that piece
    first. `said`: its wording where it depends on the position."""

    id: str
    text: str
    said: SentenceTold | None
    touches: list[str]
    lays: bool
    plain: bool
    """Only passes or ends a phase, so it needs no preview."""
    picture: Picture | None
    seat: int | None
    common: bool


class Way(Answer):
    """An option of a part of an action: its code and value."""

    code: str
    value: Argument
    picture: Picture | None


class Part(Answer):
    before: str
    ways: list[Way]


class Together(Answer):
    """Dice or coins decided together in more ways than fit a list, chosen part by part. The action's id joins the
    codes, each after its `before`, and the end."""

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
    """Whether places have only numbers, so that people name a place by its tile or card."""


class You(Answer):
    role: Role
    seat: int | None
    name: str
    phone: str


class ShareRequest(Answer):
    """A request to share a seat."""

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
    """A possible explanation and its probability."""

    action: str
    actions: list[str]
    acts: list[Act] | None = None
    text: str
    p: float


class LiesWrong(Answer):
    should: LaidPiece | None
    lies: LaidPiece | None


class SpotTold(Answer):
    """Start or end of an effect."""

    place: str
    position: Position | None
    zone: Zone
    seat: int | None
    value: Argument | None = None
    where: Argument | None = None
    """The same, in verdicts."""


class PieceTold(Answer):
    kind: Kind
    suit: Suit | None
    value: str | None
    size: Size | None
    mark: str | None


class Sums(BaseModel):
    """Facts of an effect, by game; those shared by several games."""

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
    """Facts of an effect that are suits, values, pieces or places."""

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
    """An effect; fields that do not apply to its kind are left out."""

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
    """A verdict of the referee."""

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
    """Names of stored pictures."""

    before: str | None = None
    after: str | None = None
    now: str | None = None


class Decision(Answer):
    """A ruling on a claim. The referee's names the rule and the second look."""

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
    """Seconds left by seat, seats whose time runs, and whether it is stopped."""

    left: list[float]
    ticking: list[int]
    run: bool
    held: bool
    minutes: int
    increment: int


class Back(Answer):
    """A take-back, requested or done: its event, who, and the owners of the actions."""

    seq: int
    by: str
    count: int
    seats: list[int]


class LuckTold(Answer):
    """The SHA-256 of the seed of dice and draws, and the seed once the game is over."""

    hash: str
    seed: str | None
    draws: int


class Board(Answer):
    """The snapshot for one phone."""

    table: str
    seq: int
    version: int
    """Grows with every change; the stream sends the differences between versions."""
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
    """How chance decides now, if it does."""
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
    """Points by seat after an event."""

    seq: int
    scores: list[int]


class Welcome(Answer):
    """The phone's identity. `token`: for programs without cookies."""

    token: str
    table: str
    role: Role
    seat: int | None


class Entered(Welcome):
    board: Board


class Seated(Welcome):
    """`asked`: the seat is taken, and its holder is asked."""

    asked: bool | None = None


class ScreenRequest(Answer):
    """A screen's request to join: `id` is public, `secret` its own."""

    id: str
    secret: str


class LetIn(Answer):
    """Whether the request was granted; the cookie is set then."""

    open: bool


class JoinCodes(Answer):
    """`host`: only for the host."""

    player: str
    host: str | None = None


class Option(Answer):
    name: str
    default: OptionValue
    choices: list[OptionValue]
    low: int | None
    high: int | None
    clause: str
    text: str


class VerbTold(Answer):
    name: str
    params: list[str]
    clause: str


class Preset(Answer):
    name: str
    options: dict[str, OptionValue]


class Card(Answer):
    """A game's card."""

    id: str
    name: str
    version: int
    seats: list[int]
    default_seats: int
    options: list[Option]
    verbs: list[VerbTold]
    turns: list[TurnKind]
    needs: str
    hidden: bool
    designer: str
    minutes: str
    summary: str
    presets: list[Preset]


class Regular(Answer):
    """Statistics of a person's name."""

    name: str
    games: int
    won: int
    by_game: dict[str, int]


class PlayedGame(Answer):
    table: str
    at: float
    game: str
    people: list[str]
    winners: list[str]


class Evenings(Answer):
    people: list[Regular]
    games: list[PlayedGame]


class Incidents(Answer):
    """Incidents that can be staged at this table."""

    incidents: list[str]


class StagedIncident(Answer):
    staged: str
