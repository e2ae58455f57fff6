"""A record of a game of ours before the referee: every table is explained by legal actions, or it is told where the
record goes wrong.

Several ways to understand the record are kept side by side for as long as its tables agree with all of them: a coin
that supports a vote does not say which, but the tile that explodes does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rules.engine.action import Action, parse_action
from rules.engine.card import by_name, read_seats
from rules.engine.contract import AnyGame
from rules.notation.evidence import evidence
from rules.notation.game_match import StartHypothesis
from rules.notation.play import PlayedMove
from rules.notation.reader import PpnGame
from rules.notation.record_reading import Reading, opening_reading
from rules.notation.tabletop import Table
from rules.referee.hypothesis import Hypothesis
from rules.referee.record_evidence import RecordEvidence
from rules.referee.record_search import alternatives, explain, search
from rules.referee.tuning import EXACT, Tuning
from rules.referee.wording import why_not
from rules.sentence import Joint, Sentence, say, several
from rules.table.change import Change

Result = dict[str, Any]
Judged = list[tuple[PlayedMove, Result]]
Explained = list[tuple[Reading, Hypothesis]]
Look = Callable[[Any, RecordEvidence], list[Hypothesis]]


def told(played: PlayedMove, verdict: str) -> Result:
    """What is said of every picture."""
    move = played.move
    return {"type": "move", "label": move.label, "text": move.text, "comment": move.comment, "verdict": verdict}


def said_in(comment: str) -> list[Action]:
    """The action that our own records name at the beginning of a comment."""
    try:
        return [parse_action(comment.split(";", 1)[0].strip())]
    except ValueError:
        return []


@dataclass(slots=True)
class RecordReferee:
    """A game of ours: every table is explained by legal actions, or the record is told where it goes wrong."""

    game: AnyGame
    record: PpnGame
    tuning: Tuning = EXACT
    hypotheses: list[Reading] = field(default_factory=list)
    last: Table | None = None
    refused: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    between: list[PlayedMove] = field(default_factory=list)
    before: tuple[PlayedMove, list[Reading]] | None = None
    settled: frozenset[str] = frozenset()
    wrong: Sentence | None = None
    """What is wrong with the table that was refused."""

    def look(self, played: PlayedMove) -> Judged:
        """What can be said now: nothing yet while a picture may be in the middle of an action."""
        result = self._judged(played)
        if result is None:
            self.between.append(played)
            return []
        if self.between and result["verdict"] not in ("accepted", "ambiguous"):
            return [*self.flush(), *self._counted([(played, told(played, "unjudged"))])]
        waiting = [(picture, told(picture, "between")) for picture in self.between]
        self.between.clear()
        return self._counted([*waiting, (played, result)])

    def flush(self) -> Judged:
        """Whatever was still in the middle of an action is not explained: it is refused at its first picture."""
        if not self.between:
            return []
        first, *later = self.between
        self.between.clear()
        refused = [(first, self._refusal(first)), *((picture, told(picture, "unjudged")) for picture in later)]
        return self._counted(refused)

    def _counted(self, judged: Judged) -> Judged:
        for _, result in judged:
            verdict = str(result["verdict"])
            self.counts[verdict] = self.counts.get(verdict, 0) + 1
        return judged

    def _judged(self, played: PlayedMove) -> Result | None:
        """None if the table is not explained yet but the turn goes on."""
        before, self.last = self.last, played.table
        if self.refused:
            return told(played, "unjudged")
        if not self.hypotheses:
            return self._beginning(played)
        said = said_in(played.move.comment)
        if played.table == before and not said and not self.between:
            return {**told(played, "unchanged"), "actions": []}
        explained = self._explained(played, said) or self._revised(played)
        if explained is not None or self._may_go_on(played):
            return explained
        return self._refusal(played) if not self.between else told(played, "unjudged")

    def _may_go_on(self, played: PlayedMove) -> bool:
        """Whether this picture and those before it belong to one turn, and are not too many."""
        first = self.between[0] if self.between else played
        return len(self.between) < self.tuning.record.max_between and played.move.label.rstrip(
            "."
        ) == first.move.label.rstrip(".")

    def _beginning(self, played: PlayedMove) -> Result:
        """Pieces are put down until the table is an opening of the game."""
        found = opening_reading(self.record, self.game, played.table)
        if found is None:
            return told(played, "setup")
        self.hypotheses = [found]
        return {**told(played, "opening"), "options": dict(found.cast.options)}

    # The moves -------------------------------------------------------------------------------------------------

    def _explained(self, played: PlayedMove, said: list[Action]) -> Result | None:
        """By what the game suggests, if need be after another reading of the picture before; else by trying."""
        share = self._share(len(self.hypotheses))
        lines = self._lines(self.hypotheses, played, lambda s, t: explain(self.game, s, t, share, said))
        if not lines and (reconsidered := self._reconsidered(played)):
            return reconsidered
        if not lines:
            tables = self.tuning.record.max_searched / len(self.hypotheses)
            lines = self._lines(self.hypotheses, played, lambda s, t: search(self.game, s, t, tables))
        if not lines:
            return None
        self.before = (played, self.hypotheses)
        return self._understood(played, lines)

    def _reconsidered(self, played: PlayedMove) -> Result | None:
        """More may have been done before the last picture than the least that explains it."""
        if self.before is None:
            return None
        picture, hypotheses = self.before
        share = self._share(len(hypotheses))
        others = self._lines(hypotheses, picture, lambda s, t: alternatives(self.game, s, t, share))
        rivals = [hypothesis.after(line) for hypothesis, line in others]
        share = self._share(len(rivals))
        lines = self._lines(rivals, played, lambda s, t: explain(self.game, s, t, share))
        if not lines:
            return None
        self.before = (played, rivals)
        return {**self._understood(played, lines), "revises": picture.move.label}

    def _revised(self, played: PlayedMove) -> Result | None:
        """The picture before may have shown the first half of one action: try again from the table before that."""
        if self.before is None:
            return None
        picture, hypotheses = self.before
        if picture.move.label.rstrip(".") != played.move.label.rstrip("."):
            return None
        tables = self.tuning.record.max_searched / len(hypotheses)
        lines = self._lines(hypotheses, played, lambda s, t: search(self.game, s, t, tables, depth=1))
        return {**self._understood(played, lines), "revises": picture.move.label} if lines else None

    def _lines(
        self, hypotheses: list[Reading], played: PlayedMove, look: Callable[[Any, RecordEvidence], list[Hypothesis]]
    ) -> Explained:
        """Every hypothesis with everything that explains the table from there; of equal states the first."""
        lines: dict[Any, tuple[Reading, Hypothesis]] = {}
        for hypothesis in hypotheses:
            for line in look(hypothesis.state, self._evidence(played.table, hypothesis)):
                lines.setdefault(line.state, (hypothesis, line))
        return list(lines.values())[: self.tuning.record.max_readings]

    def _share(self, readings: int) -> float:
        """How many tables are compared along suggestions for each of them."""
        return max(self.tuning.record.max_suggested / max(readings, 1), self.tuning.record.min_suggested)

    def _evidence(self, table: Table, hypothesis: Reading) -> RecordEvidence:
        return evidence(self.record, table, hypothesis.shift, self.settled)

    def _understood(self, played: PlayedMove, lines: Explained) -> Result:
        self.hypotheses = [hypothesis.after(line) for hypothesis, line in lines]
        self.settled = frozenset(table_piece.id for table_piece in played.table)
        best, shortest = min(lines, key=lambda pair: len(pair[1].actions))
        choices = list(dict.fromkeys(line.actions for _, line in lines))
        result = told(played, "accepted" if len(choices) == 1 else "ambiguous")
        result |= self._told(shortest, best)
        if len(choices) > 1:
            result["choices"] = [
                [action.id for action in actions] for actions in choices[: self.tuning.record.max_choices]
            ]
        return result

    def _told(self, line: Hypothesis, before: Reading) -> Result:
        return {
            "actions": [action.id for action in line.actions],
            "says": [self.game.describe(action) for action in line.actions],
            "scores": self._scores(line.state, before.cast),
        }

    def _refusal(self, played: PlayedMove) -> Result:
        self.refused = True
        best = self.hypotheses[0]
        layout, table = self.game.layout(best.state), self._evidence(played.table, best)
        change = table.change(layout, table.fit(layout))
        result = {**told(played, "refused"), "differs": [one.text for one in change.words], "refusal": None}
        differs: tuple[Sentence, ...] = tuple(change.words)
        if self.game.turn(best.state).is_over:
            change, differs = Change(), (say("the game is over, but the record goes on"),)
            result["differs"] = [one.text for one in differs]
        why = say("no legal action leads to this table")
        if reason := why_not(self.game, best.state, change, self.tuning.record.max_tried):
            action, refusal = reason
            result |= {"action": action.id, "refusal": refusal.to_json()}
            why = say("{why} ({clause})", why=refusal.sentence, clause=refusal.clause)
        self.wrong = say("{differences}: {why}", differences=several(differs[:3], Joint.SEMICOLON), why=why)
        return result

    # The end ---------------------------------------------------------------------------------------------------

    def _scores(self, state: Any, cast: StartHypothesis) -> dict[str, int]:
        return self.game.outcome(state).points(by_name(read_seats(self.game.card, cast.seats)))

    def end(self) -> Result:
        result: Result = {"type": "end", "judged": True, "ok": bool(self.hypotheses) and not self.refused}
        result["verdicts"] = dict(self.counts)
        if not self.hypotheses:
            return {**result, "error": f"no table of the record is an opening of {self.game.card.name} as we know it"}
        best = self.hypotheses[0]
        outcome = self.game.outcome(best.state)
        return {**result, "outcome": outcome.to_json(), "scores": self._scores(best.state, best.cast)}
