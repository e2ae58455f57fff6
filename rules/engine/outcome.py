"""How a game stands or ended."""

from __future__ import annotations

from dataclasses import dataclass

from rules.sentence import Naming, Sentence, by_number


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winners` is empty while the game goes on, for a lost solitaire and for a plain draw; several share a win, or
    with `drawn` the draw that only they have. `scores` has one number per seat where the game counts anything.
    `others` is what those have who play without a seat, by name. `said` is why, `clause` its rule."""

    over: bool = False
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    said: Sentence | None = None
    clause: str = ""
    drawn: bool = False
    others: tuple[tuple[str, int], ...] = ()

    @property
    def reason(self) -> str:
        return self.said.text if self.said else ""

    def points(self, seat_names: Naming = by_number) -> dict[str, int]:
        """The scores by name, also of those who play without a seat; what judge, watch and replay print."""
        return {seat_names(seat): score for seat, score in enumerate(self.scores)} | dict(self.others)

    def to_json(self, seat_names: Naming = by_number) -> dict[str, object]:
        return {
            "over": self.over,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.said.told(seat_names) if self.said else "",
            "clause": self.clause,
            "drawn": self.drawn,
            "others": dict(self.others),
        }
