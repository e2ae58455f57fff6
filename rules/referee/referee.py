"""The referee of one game, with its state: `step` is the pure function it calls."""

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
    """Keeps history and memory for a caller that follows one game. `pose`: the board's pose, if it is known."""

    def __init__(
        self, game: AnyGame, history: History, pose: Registration | None = None, tuning: Tuning = TUNING
    ) -> None:
        self.game = game
        self.memory = Memory(registration=pose)
        self.tuning = tuning
        self.explanation = Explanation()
        """Of the last look."""
        self.history = history

    @property
    def registration(self) -> Registration | None:
        return self.memory.registration

    def judged(self, frame: TableEvidence) -> tuple[Verdict, Memory]:
        """The verdict on a still moment and the memory after it; nothing changes."""
        self.explanation = Explanation()
        return look(self.history, self.memory, frame, self.tuning, self.explanation)

    def look(self, frame: TableEvidence) -> Verdict:
        """The verdict on one still moment, followed."""
        verdict, self.memory = self.judged(frame)
        self.follow(verdict)
        return verdict

    def follow(self, verdict: Verdict) -> None:
        self.history = history_after(self.history, verdict)

    def set_history(self, history: History) -> None:
        self.history = history

    def apply_correction(self, before: History, frame: TableEvidence) -> None:
        """Updates the memory after people have changed the history from `before`, at the table of `frame`."""
        self.memory = after_correction(before, self.history, self.memory, frame, self.tuning)

    def begin(self, observed: ObservedTable) -> None:
        """Records the dice before anything is done."""
        self.memory = initial_memory(self.history, self.memory, observed, self.tuning)
