"""Joining, seats, game cards and statistics."""

from __future__ import annotations

from companion_api.access import Role
from companion_api.answers.base import Answer, OptionValue
from companion_api.answers.table import Board
from rules.engine.turn import TurnKind


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
