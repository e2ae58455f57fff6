"""Games to be seen once more."""

from __future__ import annotations

from companion_api.answers.base import Answer
from companion_api.answers.table import Drawn, Ending, GameHead, Happening, SeatAtTable


class Step(Answer):
    """A board, and the event that led to it; the first board has none."""

    event: Happening | None
    layout: Drawn
    scores: list[int]


class Replay(Answer):
    table: str
    game: GameHead
    seats: list[SeatAtTable]
    outcome: Ending
    steps: list[Step]
