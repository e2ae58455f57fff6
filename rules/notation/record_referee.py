"""Referee of a PPN record: every table is explained by legal actions, or refused.

Several readings of the record are kept as long as its tables agree with all of them: a coin that supports a vote does
not show which, but the tile that explodes does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rules.engine.action import Action, parse_action
from rules.engine.card import by_name, read_seats
from rules.engine.contract import AnyGame
from rules.notation.game_match import StartHypothesis
from rules.notation.play import PlayedMove
from rules.notation.reader import PpnGame
from rules.notation.record_evidence import RecordEvidence
from rules.notation.record_reading import MAX_SUGGESTED, Reading, evidence, opening_reading
from rules.notation.record_search import alternatives, explain, search
from rules.notation.tabletop import Table
from rules.referee.hypothesis import Hypothesis
from rules.referee.wording import why_not
from rules.sentence import Joint, Sentence, say, several
from rules.table.change import Change

# What these numbers come from is in brackets, as in `rules/referee/tuning.py`.
_MAX_READINGS = 256
"""Readings followed together (budget)."""
_MAX_CHOICES = 8
"""Readings named (people)."""
_MAX_BETWEEN = 4
"""Tables of one turn between two that the rules know (people: a floe breaks after the move)."""
_MIN_SUGGESTED = 40
"""Tables compared along suggestions for each reading at least (budget)."""
_MAX_SEARCHED = 1_200
"""Tables compared where everything legal is tried (budget)."""
_MAX_TRIED = 200
"""Actions tried for what an unexplained table was meant as (budget)."""

Result = dict[str, Any]
Judged = list[tuple[PlayedMove, Result]]
Explained = list[tuple[Reading, Hypothesis]]
Search = Callable[[Any, RecordEvidence], list[Hypothesis]]


def move_result(played: PlayedMove, verdict: str) -> Result:
    """The result of one table with the fields that all verdicts have."""
    move = played.move
    return {"type": "move", "label": move.label, "text": move.text, "comment": move.comment, "verdict": verdict}


@dataclass(slots=True)
class RecordReferee:
    """`hypotheses`: readings that agree with all tables so far; `last`: the last table; `between`: tables not yet
    explained, perhaps within an action; `before`: the last explained table with the readings before it; `settled`: ids
    of its pieces; `wrong`: what is wrong with the refused table."""

    game: AnyGame
    record: PpnGame
    hypotheses: list[Reading] = field(default_factory=list)
    last: Table | None = None
    refused: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    between: list[PlayedMove] = field(default_factory=list)
    before: tuple[PlayedMove, list[Reading]] | None = None
    settled: frozenset[str] = frozenset()
    wrong: Sentence | None = None

    def look(self, played: PlayedMove) -> Judged:
        """The results known after this table: none while it may be within an action."""
        result = self._judged(played)
        if result is None:
            self.between.append(played)
            return []
        if self.between and result["verdict"] not in ("accepted", "ambiguous"):
            return [*self.flush(), *self._counted([(played, move_result(played, "unjudged"))])]
        results = [(table, move_result(table, "between")) for table in self.between]
        self.between.clear()
        return self._counted([*results, (played, result)])

    def flush(self) -> Judged:
        """Refuses the tables still not explained, at the first of them."""
        if not self.between:
            return []
        first, *later = self.between
        self.between.clear()
        unjudged = ((table, move_result(table, "unjudged")) for table in later)
        return self._counted([(first, self._refusal(first)), *unjudged])

    def _counted(self, judged: Judged) -> Judged:
        self.counts.update(str(result["verdict"]) for _, result in judged)
        return judged

    def _judged(self, played: PlayedMove) -> Result | None:
        """None if the table is not explained yet but the turn goes on."""
        before, self.last = self.last, played.table
        if self.refused:
            return move_result(played, "unjudged")
        if not self.hypotheses:
            return self._setup(played)
        announced = _action_in(played.move.comment)
        if played.table == before and not announced and not self.between:
            return {**move_result(played, "unchanged"), "actions": []}
        explained = self._explained(played, announced) or self._revised(played)
        if explained is not None or self._may_be_within_action(played):
            return explained
        return self._refusal(played) if not self.between else move_result(played, "unjudged")

    def _may_be_within_action(self, played: PlayedMove) -> bool:
        """Whether this table and those not explained belong to one turn and are not too many."""
        first = self.between[0] if self.between else played
        return len(self.between) < _MAX_BETWEEN and _is_same_turn(played, first)

    def _setup(self, played: PlayedMove) -> Result:
        """ "setup" until the table is an opening of the game, then "opening"."""
        found = opening_reading(self.record, self.game, played.table)
        if found is None:
            return move_result(played, "setup")
        self.hypotheses = [found]
        return {**move_result(played, "opening"), "options": dict(found.start.options)}

    def _explained(self, played: PlayedMove, announced: list[Action]) -> Result | None:
        """Explained by suggestions of the game, else by them after another reading of the table before, else by a
        search of all legal actions."""
        share = self._share(len(self.hypotheses))
        lines = self._lines(self.hypotheses, played, lambda s, t: explain(self.game, s, t, share, announced))
        if not lines and (reconsidered := self._reconsidered(played)):
            return reconsidered
        if not lines:
            tables = _MAX_SEARCHED / len(self.hypotheses)
            lines = self._lines(self.hypotheses, played, lambda s, t: search(self.game, s, t, tables))
        if not lines:
            return None
        self.before = (played, self.hypotheses)
        return self._accepted(played, lines)

    def _reconsidered(self, played: PlayedMove) -> Result | None:
        """Explained after more actions before the last table than the fewest that explain it."""
        if self.before is None:
            return None
        last, hypotheses = self.before
        share = self._share(len(hypotheses))
        others = self._lines(hypotheses, last, lambda s, t: alternatives(self.game, s, t, share))
        rivals = [hypothesis.after(line) for hypothesis, line in others]
        share = self._share(len(rivals))
        lines = self._lines(rivals, played, lambda s, t: explain(self.game, s, t, share))
        if not lines:
            return None
        self.before = (played, rivals)
        return {**self._accepted(played, lines), "revises": last.move.label}

    def _revised(self, played: PlayedMove) -> Result | None:
        """Explained from the table before the last, which may have shown the first half of one action."""
        if self.before is None:
            return None
        last, hypotheses = self.before
        if not _is_same_turn(last, played):
            return None
        tables = _MAX_SEARCHED / len(hypotheses)
        lines = self._lines(hypotheses, played, lambda s, t: search(self.game, s, t, tables, depth=1))
        return {**self._accepted(played, lines), "revises": last.move.label} if lines else None

    def _lines(self, hypotheses: list[Reading], played: PlayedMove, find: Search) -> Explained:
        """Each reading with each explanation of the table from its state; of equal states the first."""
        lines: dict[Any, tuple[Reading, Hypothesis]] = {}
        for hypothesis in hypotheses:
            for line in find(hypothesis.state, self._evidence(played.table, hypothesis)):
                lines.setdefault(line.state, (hypothesis, line))
        return list(lines.values())[:_MAX_READINGS]

    def _share(self, readings: int) -> float:
        """Tables compared along suggestions for each reading."""
        return max(MAX_SUGGESTED / max(readings, 1), _MIN_SUGGESTED)

    def _evidence(self, table: Table, hypothesis: Reading) -> RecordEvidence:
        return evidence(self.record, table, hypothesis.offset, self.settled)

    def _accepted(self, played: PlayedMove, lines: Explained) -> Result:
        self.hypotheses = [hypothesis.after(line) for hypothesis, line in lines]
        self.settled = frozenset(table_piece.id for table_piece in played.table)
        best, shortest = min(lines, key=lambda pair: len(pair[1].actions))
        choices = list(dict.fromkeys(line.actions for _, line in lines))
        result: Result = {
            **move_result(played, "accepted" if len(choices) == 1 else "ambiguous"),
            "actions": [action.id for action in shortest.actions],
            "says": [self.game.describe(action) for action in shortest.actions],
            "scores": self._scores(shortest.state, best.start),
        }
        if len(choices) > 1:
            result["choices"] = [[action.id for action in actions] for actions in choices[:_MAX_CHOICES]]
        return result

    def _refusal(self, played: PlayedMove) -> Result:
        self.refused = True
        best = self.hypotheses[0]
        layout, table = self.game.layout(best.state), self._evidence(played.table, best)
        change = table.change(layout, table.fit(layout))
        result = {**move_result(played, "refused"), "differs": [one.text for one in change.words], "refusal": None}
        differs: tuple[Sentence, ...] = tuple(change.words)
        if self.game.turn(best.state).is_over:
            change, differs = Change(), (say("the game is over, but the record goes on"),)
            result["differs"] = [one.text for one in differs]
        why = say("no legal action leads to this table")
        if reason := why_not(self.game, best.state, change, _MAX_TRIED):
            action, refusal = reason
            result |= {"action": action.id, "refusal": refusal.to_json()}
            why = say("{why} ({clause})", why=refusal.sentence, clause=refusal.clause)
        self.wrong = say("{differences}: {why}", differences=several(differs[:3], Joint.SEMICOLON), why=why)
        return result

    def _scores(self, state: Any, start: StartHypothesis) -> dict[str, int]:
        return self.game.outcome(state).points(by_name(read_seats(self.game.card, start.seats)))

    def end(self) -> Result:
        result: Result = {"type": "end", "judged": True, "ok": bool(self.hypotheses) and not self.refused}
        result["verdicts"] = dict(self.counts)
        if not self.hypotheses:
            return {**result, "error": f"no table of the record is an opening of {self.game.card.name} as we know it"}
        best = self.hypotheses[0]
        outcome = self.game.outcome(best.state)
        return {**result, "outcome": outcome.to_json(), "scores": self._scores(best.state, best.start)}


def _action_in(comment: str) -> list[Action]:
    """The action at the beginning of a comment, as in records of this program; empty without one."""
    try:
        return [parse_action(comment.split(";", 1)[0].strip())]
    except ValueError:
        return []


def _is_same_turn(one: PlayedMove, other: PlayedMove) -> bool:
    return one.move.label.rstrip(".") == other.move.label.rstrip(".")
