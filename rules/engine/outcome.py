"""How a game stands or ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winners` is empty while the game goes on, for a lost solitaire and for a plain draw; several share a win.
    `scores` has one number per seat where the game counts anything. `reason` is a sentence, `clause` its rule."""

    over: bool = False
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    reason: str = ""
    clause: str = ""

    @property
    def is_draw(self) -> bool:
        return self.over and len(self.winners) != 1

    def to_json(self) -> dict[str, object]:
        return {
            "over": self.over,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.reason,
            "clause": self.clause,
        }
