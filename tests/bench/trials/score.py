"""What came of the trials of one game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from enum import StrEnum


class JudgedTurn(StrEnum):
    """How a legal turn was judged."""

    RIGHT = "right"
    UNSEEN = "unseen"  # the table shows the same before and after, or whatever was chosen
    ASKED = "asked"  # a question, and the right answer among its choices
    ASKED_WRONG = "asked_wrong"
    AMBER = "amber"  # people were asked to look
    ACCUSED = "accused"
    WRONG = "wrong"
    SILENT = "silent"


_FINE = (JudgedTurn.RIGHT, JudgedTurn.UNSEEN)
_ASTRAY = (JudgedTurn.WRONG, JudgedTurn.SILENT)


@dataclass
class TrialScore:
    """`notes` names what went wrong; `exact` counts games in which nothing had to be put right unasked; `kept` are
    identities that no camera sees and that the referee still knew after a turn, of `hidden`. Of the illegal acts,
    `flagged` were not let pass; where it can be told which clause is right, `cited` counts the acts and `right_clause`
    those that were refused with it. `quick` are three actions shown at once, `quick_right` those that came out in
    order, `quick_untold` those that no picture can tell from others, `quick_accused` those that were refused."""

    game: str
    turns: Counter[JudgedTurn] = field(default_factory=Counter)
    games: int = 0
    exact: int = 0
    hidden: int = 0
    kept: int = 0
    illegal: int = 0
    flagged: int = 0
    nameable: int = 0
    right_clause: int = 0
    quick: int = 0
    quick_right: int = 0
    quick_untold: int = 0
    quick_accused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def legal(self) -> int:
        return sum(self.turns.values())

    @property
    def fine(self) -> int:
        return sum(self.turns[turn] for turn in _FINE)

    @property
    def astray(self) -> int:
        return sum(self.turns[turn] for turn in _ASTRAY)

    def add(self, other: TrialScore) -> None:
        """Take in what another trial of the same game brought."""
        for each in fields(self):
            if each.name != "game":
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def to_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "turns": self.legal,
            "right": self.fine,
            "asked_then_right": self.turns[JudgedTurn.ASKED],
            "asked_wrongly": self.turns[JudgedTurn.ASKED_WRONG],
            "false_accusations": self.turns[JudgedTurn.ACCUSED],
            "amber": self.turns[JudgedTurn.AMBER],
            "wrong": self.turns[JudgedTurn.WRONG],
            "silent": self.turns[JudgedTurn.SILENT],
            "games": self.games,
            "games_exact": self.exact,
            "hidden": self.hidden,
            "hidden_kept": self.kept,
            "illegal": self.illegal,
            "illegal_flagged": self.flagged,
            "nameable": self.nameable,
            "right_clause": self.right_clause,
            "three_at_once": self.quick,
            "three_in_order": self.quick_right,
            "three_untold": self.quick_untold,
            "three_refused": self.quick_accused,
            "kinds": dict(self.kinds.most_common()),
            "seconds_p50": _quantile(self.seconds, 0.5),
            "seconds_p95": _quantile(self.seconds, 0.95),
            "notes": self.notes,
        }


def _quantile(values: list[float], share: float) -> float | None:
    return round(sorted(values)[int(len(values) * share)], 3) if values else None
