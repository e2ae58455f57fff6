"""Coming in and finding a game: doors, seats, cards of games, evenings."""

from __future__ import annotations

from companion_api.access import Role
from companion_api.answers.base import Answer, OptionValue
from companion_api.answers.table import Board
from rules.engine.turn import TurnKind


class Welcome(Answer):
    """Who this phone is now. `token`: for programs that keep no cookies."""

    token: str
    table: str
    role: Role
    seat: int | None


class Entered(Welcome):
    board: Board


class Seated(Welcome):
    """`asked`: somebody sits there already and is asked first."""

    asked: bool | None = None


class ScreenRequest(Answer):
    """A big screen would come in: `id` is shown to everybody, `secret` is its own."""

    id: str
    secret: str


class LetIn(Answer):
    """Whether somebody has opened; then the cookie is set."""

    open: bool


class JoinCodes(Answer):
    """`host`: for the host alone."""

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
    """A game that can be played."""

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
    """Somebody who gave a name, over the evenings."""

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
    """What can be staged at this table."""

    incidents: list[str]


class StagedIncident(Answer):
    staged: str
