"""Why a look was judged as it was."""

from __future__ import annotations

from companion_api.answers.base import Act, Answer, Argument, Statement
from rules.pieces import Kind
from rules.referee.fit import TermKind
from rules.referee.verdict import VerdictKind


class CostTerm(Answer):
    """A part of a cost, in nats. Of what lies beside the board only the `kind` and the seat of its `owner`."""

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
    """Something that may have been done (no actions: nothing), the likeliest first."""

    actions: list[str]
    acts: list[Act]
    text: str
    nats: float
    terms: list[CostTerm]


class Compared(Answer):
    """`table`: which reading of the table; `decided`: the gates, with their numbers."""

    table: str
    explanations: list[Explained]
    decided: list[str]


class WhyJudged(Answer):
    """`hidden`: something in the game is hidden, and so only what follows from the public view is told."""

    verdict: VerdictKind
    text: str
    said: Statement
    hidden: bool
    comparisons: list[Compared]
    notes: list[str]
