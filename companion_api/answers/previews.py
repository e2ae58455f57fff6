"""What would be: previews of actions, the ground they may go to, drawn choices, the table as it lies."""

from __future__ import annotations

from typing import Literal

from companion_api.answers.base import Act, Answer, Position, Refused
from companion_api.answers.table import Drawn, Happened, LaidPiece, LiesWrong, TurnTold


class Preview(Act):
    """It may be done, and this is what it would do. `state`: of which state of the table it was asked; `ghosts`: what
    would lie elsewhere or otherwise; `gone`: the keys of what would leave the board."""

    ok: Literal[True]
    state: int
    id: str
    text: str
    effects: list[Happened]
    ghosts: list[LaidPiece]
    gone: list[str]


class Forbidden(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused


class Hint(Answer):
    """`id`: the best action; None where nothing is better than anything else, or all is lost."""

    id: str | None
    state: int


class ReasonTold(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused | None


class Meant(Act):
    id: str
    text: str


class Carried(Answer):
    state: int
    choices: list[Meant]
    refusal: Refused | None


Spots = list[Position]


class After(Answer):
    layout: Drawn
    effects: list[Happened]


class Alternative(After):
    actions: list[str]
    acts: list[Act]
    text: str


class FittedTable(After):
    """The position that comes nearest to what the camera sees. `seats`: who else may be to move in it; `rest`: what
    still lies otherwise."""

    state: int
    turn: TurnTold
    seats: list[int]
    rest: list[LiesWrong]
