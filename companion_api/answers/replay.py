"""Games to be seen once more."""

from __future__ import annotations

from typing import Literal

from companion_api.answers.base import Act, Answer
from companion_api.answers.events import EventTold
from companion_api.answers.table import Drawn, GameHead, GameResult, SeatAtTable


class Step(Answer):
    """A board, and the event that led to it; the first board has none."""

    event: EventTold | None
    layout: Drawn
    scores: list[int]


class Named(Act):
    id: str
    text: str


class SolvedStep(Answer):
    """A board of a solution, and the action that led to it; the first has none."""

    action: Named | None
    layout: Drawn
    scores: list[int]


class Solution(Answer):
    """How many moves a puzzle needs (None: it cannot be solved), how many it took, and how it is solved; where it
    `counts` what is left, how many pieces have to be left and were."""

    counts: Literal["moves", "left"]
    needed: int | None
    taken: int
    steps: list[SolvedStep]


class Better(Answer):
    """What would have been better than the action of this number (from 0): a win or a draw was given away by it, or a
    route began there that was to be found."""

    index: int
    seat: int | None
    code: Literal["win", "draw", "route"]
    actions: list[Named]


class Study(Answer):
    solution: Solution | None
    better: list[Better]


class Replay(Answer):
    """`solved`: the game is over and can be studied."""

    table: str
    solved: bool
    game: GameHead
    seats: list[SeatAtTable]
    outcome: GameResult
    steps: list[Step]
