"""Previews of actions, targets and corrections, the fitted table, and explanations of verdicts."""

from __future__ import annotations

from typing import Literal

from companion_api.answers.base import Act, Answer, Argument, Named, Position, Refused, Statement
from companion_api.answers.table import Drawn, Happened, LaidPiece, LiesWrong, TurnTold
from rules.pieces import Kind
from rules.referee.fit import TermKind
from rules.referee.verdict import VerdictKind


class Preview(Named):
    """A legal action with its effects. `state`: the table's state it was computed for; `ghosts`: pieces in their new
    place; `gone`: keys of pieces leaving the board."""

    ok: Literal[True]
    state: int
    effects: list[Happened]
    ghosts: list[LaidPiece]
    gone: list[str]


class Forbidden(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused


class Hint(Answer):
    """`id`: the best action; None where no action is better than another."""

    id: str | None
    state: int


class ReasonTold(Answer):
    ok: Literal[False]
    state: int
    refusal: Refused | None


class Carried(Answer):
    state: int
    choices: list[Named]
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
    """The position nearest to the observed table. `seats`: other seats that may be to move; `rest`: remaining
    differences."""

    state: int
    turn: TurnTold
    seats: list[int]
    rest: list[LiesWrong]


class CostTerm(Answer):
    """A term of a cost in nats; of off-board pieces only `kind` and `owner` (seat)."""

    term: TermKind
    nats: float
    piece: str | None
    place: str | None
    what: Argument | None
    where: Argument | None
    seen: str | None
    at: list[float] | None
    note: str
    kind: Kind | None
    owner: int | None


class Explained(Answer):
    """A hypothesis (no actions: nothing happened) with its cost; the likeliest first."""

    actions: list[str]
    acts: list[Act]
    text: str
    nats: float
    terms: list[CostTerm]


class Compared(Answer):
    """`table`: which reading of the table; `decided`: the decision thresholds with their numbers."""

    table: str
    explanations: list[Explained]
    decided: list[str]


class WhyJudged(Answer):
    """`hidden`: the game hides something, so that only conclusions from the public view are included."""

    verdict: VerdictKind
    text: str
    said: Statement
    hidden: bool
    comparisons: list[Compared]
    notes: list[str]
