"""Goes through a PPN file table by table: judges it if it is of a game of ours, draws it in any case.

`replay_file` is what `companion replay` prints; every result is a plain JSON object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.engine.card import read_seats
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.notation.agreement import Care, Seen, Shift, seen_on
from rules.notation.casting import Cast, begun, casts, game_of, rules_note
from rules.notation.diagram import draw_table
from rules.notation.errors import MoveError, NotationError
from rules.notation.inference import MAX_DEPTH, MAX_TABLES, Line, Target, change_of, explain, hints_in, why_not
from rules.notation.play import Played
from rules.notation.reader import PpnGame, read_file
from rules.notation.tabletop import Table
from rules.pieces import Kind
from rules.table.change import Change
from rules.table.layout import Layout

Result = dict[str, Any]
Judged = list[tuple[Played, Result]]
MAX_HYPOTHESES = 8
# Pictures of one turn that may stand between two tables that the rules know: a floe breaks after the move.
MAX_BETWEEN = 4


def replay_file(path: str | Path, *, forgiving: bool = False, diagrams: bool = False) -> Iterator[Result]:
    """One object for each game, each of its moves, and its end. A file that cannot be read raises NotationError."""
    yield from replay_games(read_file(path, forgiving=forgiving), diagrams=diagrams)


def replay_games(games: Iterable[PpnGame], *, diagrams: bool = False) -> Iterator[Result]:
    for number, record in enumerate(games, 1):
        for result in replay_game(record, diagrams=diagrams):
            yield {"game": number, **result}


def replay_game(record: PpnGame, *, diagrams: bool = False) -> Iterator[Result]:
    found = game_of(record)
    yield _announced(record, found)
    trial: _Trial | _Show = _Show() if found is None else _Trial(found, record)
    try:
        for played in record.play():
            for picture, result in trial.look(played):
                yield _drawn(picture, result) if diagrams or found is None else result
    except MoveError as error:
        yield {"type": "error", "label": error.label, "text": error.raw, "error": error.reason}
    except NotationError as error:
        yield {"type": "error", "error": str(error)}
    for picture, result in trial.flush():
        yield _drawn(picture, result) if diagrams else result
    yield trial.end()


def _drawn(played: Played, result: Result) -> Result:
    return {**result, "diagram": draw_table(played.table)}


def _announced(record: PpnGame, found: AnyGame | None) -> Result:
    result: Result = {
        "type": "game",
        "name": record.name,
        "judged": found is not None,
        "moves": len(record.moves),
        "warnings": list(record.warnings),
    }
    if found is not None:
        result |= {"id": found.card.id, "rules": found.card.version}
        if note := rules_note(record, found):
            result["warnings"] = [*record.warnings, note]
    return result


def _move(played: Played, verdict: str) -> Result:
    move = played.move
    return {"type": "move", "label": move.label, "text": move.text, "comment": move.comment, "verdict": verdict}


class _Show:
    """A game that we do not know: its tables are shown, not judged."""

    def __init__(self) -> None:
        self._count = 0

    def look(self, played: Played) -> Judged:
        self._count += 1
        return [(played, {**_move(played, "shown"), "pieces": len(played.table)})]

    def flush(self) -> Judged:
        return []

    def end(self) -> Result:
        return {"type": "end", "judged": False, "tables": self._count}


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """One way to understand the record so far."""

    cast: Cast
    shift: Shift
    state: Any


@dataclass(slots=True)
class _Trial:
    """A game of ours: every table is explained by legal actions, or the record is told where it goes wrong."""

    game: AnyGame
    record: PpnGame
    hypotheses: list[_Hypothesis] = field(default_factory=list)
    last: Table | None = None
    refused: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    between: list[Played] = field(default_factory=list)
    before: tuple[str, list[_Hypothesis]] = ("", [])
    settled: frozenset[str] = frozenset()

    def look(self, played: Played) -> Judged:
        """What can be said now: nothing yet while a picture may be in the middle of an action."""
        result = self._judged(played)
        if result is None:
            self.between.append(played)
            return []
        if self.between and result["verdict"] not in ("accepted", "ambiguous"):
            return [*self.flush(), *self._counted([(played, _move(played, "unjudged"))])]
        waiting = [(picture, _move(picture, "between")) for picture in self.between]
        self.between.clear()
        return self._counted([*waiting, (played, result)])

    def flush(self) -> Judged:
        """Whatever was still in the middle of an action is not explained: it is refused at its first picture."""
        if not self.between:
            return []
        first, *later = self.between
        self.between.clear()
        refused = [(first, self._refusal(first)), *((picture, _move(picture, "unjudged")) for picture in later)]
        return self._counted(refused)

    def _counted(self, judged: Judged) -> Judged:
        for _, result in judged:
            verdict = str(result["verdict"])
            self.counts[verdict] = self.counts.get(verdict, 0) + 1
        return judged

    def _judged(self, played: Played) -> Result | None:
        """None if the table is not explained yet but the turn goes on."""
        before, self.last = self.last, played.table
        if self.refused:
            return _move(played, "unjudged")
        if not self.hypotheses:
            return self._beginning(played)
        hints = hints_in(played.move.comment)
        if played.table == before and not hints and not self.between:
            return {**_move(played, "unchanged"), "actions": []}
        explained = self._explained(played, hints) or self._revised(played)
        if explained is not None or self._may_go_on(played):
            return explained
        return self._refusal(played) if not self.between else _move(played, "unjudged")

    def _may_go_on(self, played: Played) -> bool:
        """Whether this picture and those before it belong to one turn, and are not too many."""
        first = self.between[0] if self.between else played
        return len(self.between) < MAX_BETWEEN and played.move.label.rstrip(".") == first.move.label.rstrip(".")

    # The beginning ---------------------------------------------------------------------------------------------

    def _beginning(self, played: Played) -> Result:
        """Pieces are put down until the table is an opening of the game."""
        self.hypotheses = list(self._openings(played.table))
        if self.hypotheses:
            return {**_move(played, "opening"), "options": dict(self.hypotheses[0].cast.options)}
        return _move(played, "setup")

    def _openings(self, table: Table) -> Iterator[_Hypothesis]:
        """The first way to begin whose table is this one; else one that a deal or a roll leads to it."""
        begun_so = [(cast, state) for cast in casts(self.record, self.game) if (state := begun(self.game, cast))]
        for depth, tried in ((0, begun_so), (2, [b for b in begun_so[:4] if self._is_chance(b[1])])):
            for cast, state in tried:
                shift = _shift(self.game.layout(state), seen_on(table))
                target = self._target(table, shift)
                # An empty table explains only a game that begins with one.
                lines = explain(self.game, state, target, depth=depth if target.seen else 0)
                if lines:
                    yield _Hypothesis(cast, shift, lines[0].state)
                    return

    def _target(self, table: Table, shift: Shift) -> Target:
        own = "Companion" in self.record.metadata
        if own:
            return Target(seen_on(table, shift))
        return Target(seen_on(table, shift), Care.LOOSE, self.settled)

    def _is_chance(self, state: Any) -> bool:
        return self.game.turn(state).kind is TurnKind.CHANCE

    # The moves -------------------------------------------------------------------------------------------------

    def _explained(self, played: Played, hints: list[Any]) -> Result | None:
        lines = self._lines(self.hypotheses, played, hints, MAX_DEPTH)
        if not lines:
            return None
        self.before = (played.move.label, self.hypotheses)
        return self._understood(played, lines)

    def _revised(self, played: Played) -> Result | None:
        """The picture before may have shown the first half of one action: try again from the table before that."""
        label, hypotheses = self.before
        if not hypotheses or label.rstrip(".") != played.move.label.rstrip("."):
            return None
        lines = self._lines(hypotheses, played, [], 1)
        return {**self._understood(played, lines), "revises": label} if lines else None

    def _lines(
        self, hypotheses: list[_Hypothesis], played: Played, hints: list[Any], depth: int
    ) -> list[tuple[_Hypothesis, Line]]:
        lines: list[tuple[_Hypothesis, Line]] = []
        for hypothesis in hypotheses:
            target = self._target(played.table, hypothesis.shift)
            found = explain(self.game, hypothesis.state, target, hints, depth, MAX_TABLES // len(hypotheses))
            lines += [(hypothesis, line) for line in found[: MAX_HYPOTHESES - len(lines)]]
        return lines

    def _understood(self, played: Played, lines: list[tuple[_Hypothesis, Line]]) -> Result:
        self.hypotheses = [_Hypothesis(h.cast, h.shift, line.state) for h, line in lines]
        self.settled = frozenset(lying.id for lying in played.table)
        shortest = min((line for _, line in lines), key=lambda line: len(line.actions))
        result = _move(played, "accepted" if len(lines) == 1 else "ambiguous")
        result |= self._told(shortest, lines[0][0])
        if len(lines) > 1:
            result["choices"] = [[action.id for action in line.actions] for _, line in lines]
        return result

    def _told(self, line: Line, before: _Hypothesis) -> Result:
        return {
            "actions": [action.id for action in line.actions],
            "says": [self.game.describe(action) for action in line.actions],
            "scores": self._scores(line.state, before.cast),
        }

    def _refusal(self, played: Played) -> Result:
        self.refused = True
        best = self.hypotheses[0]
        layout = self.game.layout(best.state)
        target = self._target(played.table, best.shift)
        change = change_of(layout, target.line(self.game, (), best.state).agreement)
        result = {**_move(played, "refused"), "differs": change.words, "refusal": None}
        if self.game.turn(best.state).is_over:
            change = Change()
            result["differs"] = ["the game is over, but the record goes on"]
        if reason := why_not(self.game, best.state, change):
            action, refusal = reason
            result |= {"action": action.id, "refusal": refusal.to_json()}
        return result

    # The end ---------------------------------------------------------------------------------------------------

    def _scores(self, state: Any, cast: Cast) -> dict[str, int]:
        names = [seat.name for seat in read_seats(self.game.card, cast.seats)]
        return dict(zip(names, self.game.outcome(state).scores, strict=False))

    def end(self) -> Result:
        result: Result = {"type": "end", "judged": True, "ok": bool(self.hypotheses) and not self.refused}
        result["verdicts"] = dict(self.counts)
        if not self.hypotheses:
            return {**result, "error": f"no table of the record is an opening of {self.game.card.name} as we know it"}
        best = self.hypotheses[0]
        outcome = self.game.outcome(best.state)
        return {**result, "outcome": outcome.to_json(), "scores": self._scores(best.state, best.cast)}


def _shift(layout: Layout, seen: list[Seen]) -> Shift:
    """Lays the board of the record on ours by the south-west corner of their tiles."""
    ours = [(p.x, p.y) for p in layout.board if p.piece.kind is Kind.TILE]
    theirs = [(s.x, s.y) for s in seen if s.look.piece.kind is Kind.TILE]
    if not ours or not theirs:
        return Shift()
    (left, low), (west, south) = (tuple(map(min, zip(*spots, strict=True))) for spots in (ours, theirs))
    return Shift(round(left - west, 3), round(low - south, 3))
