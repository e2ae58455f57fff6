"""Holds a verdict back until it is stable.

A clearly legal action is told at once. A question or an accusation is told only on a steady table when a later look
agrees; any other verdict in between cancels it. A piece that is only missing may be in a hand: that is waited for
longest. A table that was never explained accuses nobody. What people said themselves (a correction, an undo, an answer)
is not questioned before the table has changed.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace

from rules.engine.history import History
from rules.referee.accusation import without_accusation
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.step import history_after
from rules.referee.tuning import TUNING, Places
from rules.referee.verdict import Verdict, VerdictKind
from rules.sentence import say
from rules.table.evidence import Evidence, TableEvidence
from rules.table.observed import ObservedTable, Sighting


class Debounce:
    """`final`: there will be no later look (a photo), so every verdict is told at once."""

    def __init__(self, referee: Referee, final: bool = False) -> None:
        self.referee = referee
        self._times_s = referee.tuning.debounce
        self._final = final
        self._suspicion: tuple[VerdictKind, str] | None = None
        self._last_clear_s = self._suspected_since = 0.0
        self._confirmations = 0
        self._has_begun = final
        self._table_was_explained = final
        self._last_history: History = referee.history
        self._last_frame: TableEvidence | None = None
        self._corrected_frame: TableEvidence | None = None

    def with_referee(self, referee: Referee) -> Debounce:
        """A copy with another referee: what it judges changes nothing here."""
        other = copy(self)
        other.referee = referee
        return other

    def look(self, frame: Evidence, steady: bool, alone: bool = False) -> Verdict | None:
        """The verdict if it may be told, followed; None while it is too early. A table may come without a picture."""
        verdict = self.consider(TableEvidence.of(frame), steady, alone)
        if verdict is not None:
            self.referee.follow(verdict)
        return verdict

    def consider(self, frame: TableEvidence, steady: bool, alone: bool = False) -> Verdict | None:
        """The verdict if it may be told; the history is left as it is. `alone`: a still that is a moment of its own."""
        if not self._has_begun:
            self._has_begun = True
            self.referee.begin(frame.table)
        self._detect_correction()
        if self._corrected_frame is not None and tables_equal(
            self._corrected_frame.table, frame.table, self.referee.tuning.places
        ):
            verdict: Verdict | None = Verdict(VerdictKind.SETTLED, say("people have said what was done here"))
        else:
            self._corrected_frame = None
            verdict = self._judge(frame, steady, alone)
        history = self.referee.history if verdict is None else history_after(self.referee.history, verdict)
        self._last_history, self._last_frame = history, frame
        return verdict

    def _detect_correction(self) -> None:
        """Takes note of a history that people have changed since the last look: they knew how that table lay."""
        if self._last_frame is not None and self.referee.history.actions != self._last_history.actions:
            self._corrected_frame, self._suspicion = self._last_frame, None
            self.referee.begin(self._last_frame.table)
            self.referee.apply_correction(self._last_history, self._last_frame)

    def _judge(self, frame: TableEvidence, steady: bool, alone: bool) -> Verdict | None:
        verdict, memory = self.referee.judged(frame)
        is_told_at_once = alone or self._final
        is_explained = verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
        if verdict.kind is VerdictKind.ACCEPTED and not (is_told_at_once or steady or self._is_certain(verdict)):
            return None  # what is not told does not change the memory
        is_kept = is_told_at_once or steady
        self.referee.memory = memory if is_kept else self._with_previous_keyframe(verdict, memory)
        if not self._table_was_explained:
            verdict = without_accusation(verdict, self.referee.tuning)
        if is_explained:
            self._table_was_explained = True
        elif verdict.kind is VerdictKind.IMPOSSIBLE and alone:
            self._table_was_explained = self._final  # unknown actions: the next moment accuses nobody
        if is_explained or is_told_at_once:
            self._suspicion, self._last_clear_s = None, frame.table.time
            return verdict
        if not steady:
            self._last_clear_s = frame.table.time  # the table was moving
            return None
        return verdict if self._is_confirmed(verdict, frame.table.time) else None

    def _with_previous_keyframe(self, verdict: Verdict, memory: Memory) -> Memory:
        """The memory with the previous keyframe where nothing has changed, as an unsteady look may only see badly."""
        before = self.referee.memory
        if verdict.kind is not VerdictKind.SETTLED or before.keyframe is None:
            return memory
        return replace(memory, keyframe=before.keyframe, off_board=before.off_board)

    def _is_certain(self, verdict: Verdict) -> bool:
        """Whether one look is enough to tell it; what takes back a told verdict never is."""
        return verdict.margin >= self._times_s.sure_nats and not verdict.undone

    def _is_confirmed(self, verdict: Verdict, time_s: float) -> bool:
        """Whether later looks gave the same verdict for long enough. What is no accusation is told after a longer time
        even if no two looks agree on it."""
        suspicion = (verdict.kind, verdict.attempt.id if verdict.attempt else verdict.text)
        if suspicion != self._suspicion:
            self._suspicion, self._suspected_since, self._confirmations = suspicion, time_s, 0
        self._confirmations += 1
        if verdict.kind is not VerdictKind.REFUSED and time_s - self._last_clear_s >= self._times_s.wavering_s:
            return True
        wait_s = self._times_s.in_hand_s if verdict.only_missing else self._times_s.confirm_s
        return self._confirmations >= self._times_s.min_looks and time_s - self._suspected_since >= wait_s


def tables_equal(before: ObservedTable, after: ObservedTable, places: Places = TUNING.places) -> bool:
    """Whether every piece lies where it lay and shows what it showed, within detection errors."""
    return len(before.sightings) == len(after.sightings) and all(
        any(_may_be_same(one, other, places) for other in after.sightings) for one in before.sightings
    )


def _may_be_same(one: Sighting, other: Sighting, places: Places) -> bool:
    is_elsewhere = math.hypot(one.x - other.x, one.y - other.y) >= places.elsewhere
    if is_elsewhere or (one.kind, one.face, one.pose) != (other.kind, other.face, other.pose):
        return False
    return max(one.chance_of(*other.best), other.chance_of(*one.best)) > places.misread
