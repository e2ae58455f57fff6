"""The referee: looks at a table, compares it with what should lie there, and says what was done.

First it asks whether nothing happened (jostle, light, a passing hand), then whether one legal action explains the
table, then two or three, then whether something was taken back, and only then whether the rules were broken. It never
guesses silently: where two explanations are too close, a person chooses.
"""

from __future__ import annotations

from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.explanation import Explanation
from rules.referee.memory import Memory
from rules.referee.register import Registration
from rules.referee.step import after_correction, history_after, initial_memory, look
from rules.referee.tuning import TUNING, Tuning
from rules.referee.verdict import Verdict
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable


class Referee:
    """Keeps the history and what is known from earlier looks for somebody who follows one game. `lies`:
    where the board lies, if that was told."""

    def __init__(
        self,
        game: AnyGame,
        history: History,
        pose: Registration | None = None,
        tuning: Tuning = TUNING,
    ) -> None:
        self.game = game
        self.memory = Memory(registration=pose)
        self.tuning = tuning
        self.explanation = Explanation()
        """Of the last look."""
        self._history = history

    @property
    def history(self) -> History:
        return self._history

    @property
    def registration(self) -> Registration | None:
        """Where the board lies."""
        return self.memory.registration

    def judged(self, frame: TableEvidence) -> tuple[Verdict, Memory]:
        """What is to be said of a still moment, and what would be known then; nothing changes."""
        self.explanation = Explanation()
        return look(self.history, self.memory, frame, self.tuning, self.explanation)

    def look(self, frame: TableEvidence) -> Verdict:
        """Judge one still moment and follow it."""
        verdict, self.memory = self.judged(frame)
        self.follow(verdict)
        return verdict

    def follow(self, verdict: Verdict) -> None:
        self.set_history(history_after(self.history, verdict))

    def set_history(self, history: History) -> None:
        """The game stands like this: as a verdict tells it, as a log does, or as people say."""
        self._history = history

    def apply_correction(self, before: History, frame: TableEvidence) -> None:
        """People have carried the game on from there to where it stands; `seen` is how it lay when they did."""
        self.memory = after_correction(before, self.history, self.memory, frame, self.tuning)

    def begin(self, observed: ObservedTable) -> None:
        """How the dice lie before anything is done."""
        self.memory = initial_memory(self.history, self.memory, observed, self.tuning)
