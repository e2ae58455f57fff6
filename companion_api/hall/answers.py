"""Types of the hub's answers, for its OpenAPI document, from which the page's types are generated."""

from __future__ import annotations

from companion_api.answers.base import Act, Answer, Argument, Statement
from companion_api.answers.events import EventTold
from companion_api.answers.table import TurnTold
from companion_api.hall.people import HallRole
from companion_api.hall.tournament import TournamentKind


class Inside(Answer):
    """A person's session. `token`: for programs that keep no cookies."""

    token: str
    role: HallRole
    name: str


class Admitted(Answer):
    """A table server's membership."""

    station: str
    name: str
    credentials: str
    seal: str


class Me(Answer):
    role: HallRole
    name: str
    hall: str


class Hubs(Answer):
    """Addresses of other hubs of this hall; `handed`: a token that is valid there."""

    hubs: list[str]
    handed: str


class GameName(Answer):
    id: str
    name: str


class TableStanding(Answer):
    """A table after its last event. `claims`, `question`: the events that wait for an umpire."""

    game: GameName
    seats: list[str]
    turn: TurnTold
    scores: list[int]
    over: bool
    winners: list[int]
    reason: str
    actions: int
    claims: list[int]
    question: int | None


class RowTold(Answer):
    """A game at a table of the hall: `station` is the id of the table in the room, `name` its name."""

    station: str
    table: str
    seq: int
    began: float
    at: float
    standing: TableStanding
    name: str


class WallTold(Answer):
    version: int
    now: float
    tables: list[RowTold]


class OneTable(RowTold):
    events: list[EventTold]


class Result(Answer):
    station: str
    name: str
    table: str
    at: float
    minutes: float
    game: GameName
    seats: list[str]
    winners: list[int]
    scores: list[int]
    reason: str


class LeagueStanding(Answer):
    name: str
    games: int
    wins: int
    draws: int
    points: float


class Said(Answer):
    """An action: its id if known, its English text, and its arguments as values."""

    id: str | None
    text: str | None
    verb: str | None = None
    args: list[Argument] | None = None


class About(Answer):
    """The disputed event."""

    seq: int
    text: str
    actions: list[Said]


class NamedPicture(Answer):
    when: str
    name: str


class RefereeSays(Answer):
    text: str | None
    upheld: bool | None
    clause: str | None
    said: list[Statement | str]


class ChoiceTold(Answer):
    actions: list[str]
    acts: list[Act] | None = None
    text: str


class Given(Answer):
    at: float
    by: str
    text: str


class OpenQuestion(Answer):
    """A claim or question that waits for an umpire; `said`: the text as a template for any language."""

    station: str
    name: str
    table: str
    game: GameName
    seats: list[str]
    seq: int
    at: float
    kind: str
    by: str
    text: str
    said: Statement | None
    about: About | None
    pictures: list[NamedPicture]
    referee: RefereeSays | None
    clause: str
    clause_text: str
    choices: list[ChoiceTold]
    differences: list[str]
    said_differences: list[Statement]
    answer: Given | None


class Answered(Answer):
    ok: bool
    id: str


class Ready(Answer):
    broker: bool
    database: bool


class Door(Answer):
    code: str
    link: str


class Doors(Answer):
    director: Door
    umpire: Door
    guest: Door
    table: Door


class PairingTold(Answer):
    """`results`: the results that may be entered for it."""

    players: list[str]
    table: str | None
    result: str | None
    corrected: str | None
    results: list[str]


class RoundTold(Answer):
    number: int
    at: float
    pairings: list[PairingTold]


class TournamentStanding(Answer):
    place: int
    name: str
    points: float
    ties: list[float]
    played: int


class TournamentShown(Answer):
    id: str
    version: int
    name: str
    kind: TournamentKind
    game: str
    planned: int
    rounds: list[RoundTold]
    standings: list[TournamentStanding]
    ties: list[str]
    may_pair: bool
    unmet: int


class GameForMany(Answer):
    id: str
    name: str
    seats: list[int]


class Tournaments(Answer):
    tournaments: list[TournamentShown]
    director: bool
    games: list[GameForMany]


class Begun(Answer):
    id: str


class NewVersion(Answer):
    version: int
