"""Waits before it speaks, and does not contradict.

What is clearly legal is said at once; what needs a person, or accuses somebody, only when the table has been steady and
a later look says the same. Any new reading cancels an accusation not yet made. A piece that is only missing may be in
somebody's hand: that is waited for longest. A table that never lay as it should accuses nobody: nobody was seen to do
anything. What people said themselves (a correction, an undo, an answer) is not doubted before the table has changed.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from rules.engine.history import History
from rules.referee.accusation import please_look
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.step import history_after
from rules.referee.table_equal import tables_equal
from rules.referee.verdict import Verdict, VerdictKind
from rules.sentence import say
from rules.table.evidence import Evidence, TableEvidence


class Debounce:
    """`final`: there will be no later look (a photo), so everything is said at once."""

    def __init__(self, referee: Referee, final: bool = False) -> None:
        self.referee = referee
        self._waiting = referee.tuning.debounce
        self._final = final
        self._suspicion: tuple[VerdictKind, str] | None = None
        self._clear_at = self._since = 0.0
        self._times = 0
        self._begun = final
        self._known_table = final
        self._known: History = referee.history
        self._seen: TableEvidence | None = None
        self._said_of: TableEvidence | None = None

    def with_referee(self, referee: Referee) -> Debounce:
        """The same patience with a copy of the referee: what it considers changes nothing here."""
        other = copy(self)
        other.referee = referee
        return other

    def look(self, seen: Evidence, steady: bool, alone: bool = False) -> Verdict | None:
        """A verdict that may be told, and followed; None while it is too early. A table may come without a picture."""
        verdict = self.consider(TableEvidence.of(seen), steady, alone)
        if verdict is not None:
            self.referee.follow(verdict)
        return verdict

    def consider(self, seen: TableEvidence, steady: bool, alone: bool = False) -> Verdict | None:
        """The same for somebody who follows it elsewhere: the history stays as it is. `alone`: a still that is a
        moment of its own."""
        if not self._begun:
            self._begun = True
            self.referee.begin(seen.table)
        self._notice_correction()
        if self._said_of is not None and tables_equal(self._said_of.table, seen.table, self.referee.tuning.places):
            verdict: Verdict | None = Verdict(VerdictKind.SETTLED, say("people have said what was done here"))
        else:
            self._said_of = None
            verdict = self._judge(seen, steady, alone)
        after = self.referee.history if verdict is None else history_after(self.referee.history, verdict)
        self._known, self._seen = after, seen
        return verdict

    def _notice_correction(self) -> None:
        """Whether people have changed the history since the last look; then they know how that table lay."""
        if self._seen is not None and self.referee.history.actions != self._known.actions:
            self._said_of, self._suspicion = self._seen, None
            self.referee.begin(self._seen.table)
            self.referee.hears(self._known, self._seen)

    def _judge(self, seen: TableEvidence, steady: bool, alone: bool) -> Verdict | None:
        verdict, memory = self.referee.judged(seen)
        if verdict.kind is VerdictKind.ACCEPTED and not (alone or self._final or steady or self._is_sure(verdict)):
            return None  # what is not told changes nothing
        self.referee.memory = memory if steady or alone or self._final else self._keeping_keyframe(verdict, memory)
        if verdict.kind is VerdictKind.REFUSED and not self._known_table:
            verdict = please_look(verdict.differences, verdict.back, tuning=self.referee.tuning)
        if verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED):
            self._known_table = True
        elif verdict.kind is VerdictKind.IMPOSSIBLE and alone:
            self._known_table = self._final  # what was done there nobody knows: the next moment accuses nobody
        if verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED) or alone or self._final:
            self._suspicion, self._clear_at = None, seen.table.time
            return verdict
        if not steady:
            self._clear_at = seen.table.time  # another still moment
            return None
        return verdict if self._confirmed(verdict, seen.table.time) else None

    def _keeping_keyframe(self, verdict: Verdict, memory: Memory) -> Memory:
        """That nothing has changed, a first look may think because it sees badly; the next ones are to compare with the
        same picture."""
        before = self.referee.memory
        if verdict.kind is not VerdictKind.SETTLED or before.keyframe is None:
            return memory
        return replace(memory, keyframe=before.keyframe, off_board=before.off_board)

    def _is_sure(self, verdict: Verdict) -> bool:
        """Whether one look is enough to tell it: not what takes back what was told."""
        return verdict.margin >= self._waiting.sure_nats and not verdict.undone

    def _confirmed(self, verdict: Verdict, at: float) -> bool:
        """Whether later looks said the same for long enough; or, of what is no accusation, for longer that something is
        to be said, even if no two of them agree on what."""
        suspicion = (verdict.kind, verdict.attempt.id if verdict.attempt else verdict.text)
        if suspicion != self._suspicion:
            self._suspicion, self._since, self._times = suspicion, at, 0
        self._times += 1
        if verdict.kind is not VerdictKind.REFUSED and at - self._clear_at >= self._waiting.wavering_s:
            return True
        wait = self._waiting.in_hand_s if verdict.only_missing else self._waiting.confirm_s
        return self._times >= self._waiting.min_looks and at - self._since >= wait
