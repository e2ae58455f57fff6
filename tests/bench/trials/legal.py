"""Random games before the referee's eyes: how it judges legal turns."""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

from companion_api.simulated.incidents import state_after
from companion_api.trials.alike import looks_alike
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.decision import with_actions
from rules.referee.likelihood import unstated_nats
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.change import change_between
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout
from tests.bench.trials.alike import same_by_hand
from tests.bench.trials.score import JudgedTurn, TrialScore
from tests.bench.trials.setting import Part, Setting

_JUDGED = {
    VerdictKind.SETTLED: JudgedTurn.SILENT,
    VerdictKind.REFUSED: JudgedTurn.ACCUSED,
    VerdictKind.IMPOSSIBLE: JudgedTurn.AMBER,
}


def follow(game: AnyGame, seed: int, setting: Setting, limit: int) -> TrialScore:
    """After every action the table is shown once; what no camera can see is told to the referee."""
    trial = _Trial(game, seed, setting)
    for count, (state, action) in enumerate(islice(walk(game, seed), limit)):
        trial.act(count, state, action)
    trial.score.games = 1
    trial.score.exact = int(not trial.score.astray)
    return trial.score


class _Trial:
    def __init__(self, game: AnyGame, seed: int, setting: Setting) -> None:
        self.game = game
        self.score = TrialScore(game.card.id)
        self._setting = setting
        self._onlooker = setting.onlooker(seed)
        # Nobody can tell how a symmetric board is meant to lie.
        self._referee = Referee(game, History.begin(game), self._onlooker.board)
        self._unshown: list[Action] = []
        opening = self._onlooker.see(game.layout(self._referee.history.state))
        self._referee.begin(opening.table)
        self._referee.look(opening)

    def act(self, count: int, state: Any, action: Action) -> None:
        step = self.game.apply(state, action)
        self._onlooker.throw(step.effects)
        self._unshown.append(action)
        if _is_told(self.game, state, step.state):
            self._put_right(self._referee.history)
        elif not _shows_unknown(self.game, step.state):  # who turns a coin over shows its value in the same picture
            self._show(count, step.state)

    def _show(self, count: int, after: Any) -> None:
        layout = self.game.layout(after)
        seen = self._onlooker.see(layout)
        before = self._referee.history
        if Part.HISTORY in self._setting.without:
            self._referee = Referee(self.game, before)
        begun = time.thread_time()
        turn, told = self._judged(seen, layout, after)
        self.score.seconds.append(time.thread_time() - begun)
        self.score.turns[turn] += 1
        self._count_hidden(layout)
        if turn not in (JudgedTurn.RIGHT, JudgedTurn.UNSEEN):
            done = " + ".join(action.id for action in self._unshown)
            self.score.notes.append(f"ply {count} {done}: {turn.value}: {told[:160]}")
        if self._referee.history.state != after:
            self._put_right(before)
        self._unshown.clear()

    def _judged(self, seen: TableEvidence, layout: Layout, after: Any) -> tuple[JudgedTurn, str]:
        if Part.LEGAL in self._setting.without:
            right = self._onlooker.reads(seen.table, layout)
            return (JudgedTurn.RIGHT if right else JudgedTurn.WRONG), "pieces read one by one"
        start = self._referee.history.state
        verdict = self._referee.look(seen)
        return self._turn(verdict, start, after), f"{verdict.kind.value} {verdict.action_id or ''} {verdict.text}"

    def _turn(self, verdict: Verdict, start: Any, after: Any) -> JudgedTurn:
        now = self.game.layout(after)
        if verdict.kind is VerdictKind.ACCEPTED:
            state = self._referee.history.state
            is_right = state == after or same_by_hand(self.game.layout(state), now)
            return JudgedTurn.RIGHT if is_right else JudgedTurn.WRONG
        if verdict.kind is VerdictKind.AMBIGUOUS:
            return asked(self.game, verdict, start, after)
        unseen = verdict.kind is VerdictKind.SETTLED and looks_alike(self.game.layout(start), now)
        return JudgedTurn.UNSEEN if unseen else _JUDGED[verdict.kind]

    def _count_hidden(self, layout: Layout) -> None:
        believed = self.game.layout(self._referee.history.state)
        for placed in layout:
            if placed.piece != placed.shown:
                self.score.hidden += 1
                mine = believed.by_key(placed.key)
                self.score.kept += mine is not None and mine.piece == placed.piece

    def _put_right(self, before: History) -> None:
        """A person says what was done: the history goes on as it was really played."""
        self._referee.set_history(with_actions(before, self._unshown))
        self._unshown.clear()


def asked(game: AnyGame, verdict: Verdict, start: Any, after: Any) -> JudgedTurn:
    """Where all the answers leave the same table (which choice a voting coin is for) only people can know."""
    ends = [state_after(game, start, choice.actions) for choice in verdict.choices]
    layouts, now = [game.layout(end) for end in ends], game.layout(after)
    if not any(end == after or same_by_hand(layout, now) for end, layout in zip(ends, layouts, strict=True)):
        return JudgedTurn.ASKED_WRONG
    return JudgedTurn.UNSEEN if all(looks_alike(layout, now) for layout in layouts) else JudgedTurn.ASKED


def _is_told(game: AnyGame, state: Any, after: Any) -> bool:
    """Sealed choices come from phones; a whole deal is read by the set-up, not by the referee; what changes nothing on
    the table nobody can see."""
    turn = game.turn(state)
    if turn.kind is TurnKind.ALL or (turn.kind is TurnKind.CHANCE and not game.exhaustive(state)):
        return True
    return change_between(game.layout(state), game.layout(after)).is_empty


def _shows_unknown(game: AnyGame, state: Any) -> bool:
    unknown = (p for p in game.layout(state) if p.piece.kind is not Kind.DIE)
    return game.turn(state).kind is TurnKind.CHANCE and any(unstated_nats(p) for p in unknown)
