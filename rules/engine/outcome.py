"""The outcome of a game, final or so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.sentence import SeatNames, Sentence, by_number

T = TypeVar("T")


def leaders(points: Mapping[T, Any]) -> tuple[T, ...]:
    """Those with the most points, or with the highest roll."""
    most = max(points.values(), default=None)
    return tuple(who for who, number in points.items() if number == most)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winners` is empty while the game goes on, for a lost solitaire and for a draw of all; several share a win or,
    with `drawn`, a draw. `scores`: one number per seat, empty where the game has no score. `others`: scores of players
    without a seat, by name. `sentence`: the reason, `clause`: its rule."""

    over: bool = False
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    sentence: Sentence | None = None
    clause: str = ""
    drawn: bool = False
    others: tuple[tuple[str, int], ...] = ()

    @property
    def reason(self) -> str:
        return self.sentence.text if self.sentence else ""

    def points(self, seat_names: SeatNames = by_number) -> dict[str, int]:
        """Scores by name, also of players without a seat."""
        return {seat_names(seat): score for seat, score in enumerate(self.scores)} | dict(self.others)

    def to_json(self, seat_names: SeatNames = by_number) -> dict[str, object]:
        return {
            "over": self.over,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.sentence.english(seat_names) if self.sentence else "",
            "clause": self.clause,
            "drawn": self.drawn,
            "others": dict(self.others),
        }
