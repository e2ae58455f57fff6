"""How a game stands or ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winners` is empty while the game goes on, for a lost solitaire and for a plain draw; several share a win, or
    with `drawn` the draw that only they have. `scores` has one number per seat where the game counts anything.
    `others` is what those have who play without a seat, by name. `reason` is a sentence, `clause` its rule."""

    over: bool = False
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    reason: str = ""
    clause: str = ""
    drawn: bool = False
    others: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "over": self.over,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.reason,
            "clause": self.clause,
            "drawn": self.drawn,
            "others": dict(self.others),
        }
