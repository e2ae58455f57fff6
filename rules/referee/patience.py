"""Waits before it speaks. What is clearly legal is said at once; what needs a person, or accuses somebody, only when
the table has been steady and a later look says the same. Any new reading cancels an accusation not yet made. A piece
that is only missing may be in somebody's hand: that is waited for longest."""

from __future__ import annotations

from rules.referee.referee import Referee
from rules.referee.verdict import Kind, Verdict
from rules.table.observed import ObservedTable

SURE = 6.0
LOOKS_BEFORE_ACCUSING = 2
WAIT_S = 0.8
IN_HAND_S = 4.0


class Patience:
    """`final`: there will be no later look (a photo), so everything is said at once."""

    def __init__(self, referee: Referee, final: bool = False) -> None:
        self.referee = referee
        self._final = final
        self._suspicion: tuple[Kind, str] | None = None
        self._since = 0.0
        self._times = 0
        self._begun = final

    def look(self, observed: ObservedTable, steady: bool, alone: bool = False) -> Verdict | None:
        """A verdict that may be told; None while it is too early. What is not told changes nothing. `alone`: a still
        that is a moment of its own."""
        if not self._begun:
            self._begun = True
            self.referee.begin(observed)
        before = self.referee.history
        verdict = self.referee.look(observed)
        if verdict.kind is Kind.SETTLED or alone or self._final:
            self._suspicion = None
            return verdict
        if verdict.kind is Kind.ACCEPTED:
            if steady or verdict.margin >= SURE:
                self._suspicion = None
                return verdict
            self.referee.history = before
            return None
        return verdict if steady and self._confirmed(verdict, observed.time) else None

    def _confirmed(self, verdict: Verdict, at: float) -> bool:
        suspicion = (verdict.kind, verdict.attempt.id if verdict.attempt else verdict.text)
        if suspicion != self._suspicion:
            self._suspicion, self._since, self._times = suspicion, at, 0
        self._times += 1
        wait = IN_HAND_S if verdict.only_missing else WAIT_S
        return self._times >= LOOKS_BEFORE_ACCUSING and at - self._since >= wait
