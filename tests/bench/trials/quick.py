"""Three actions before the camera sees the table again: do they come out, and in order?"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, islice, pairwise
from typing import Any

from companion_api.simulated.synthetic import Onlooker
from companion_api.trials.alike import looks_alike
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.change import change_between
from tests.bench.trials.alike import same_by_hand
from tests.bench.trials.legal import asked
from tests.bench.trials.score import JudgedTurn, TrialScore
from tests.bench.trials.setting import Setting

AT_ONCE = 3


def hurry(game: AnyGame, seed: int, setting: Setting, limit: int = 60, most: int = 100) -> TrialScore:
    """Show every third table of a random game, as long as each action of the three leaves a trace of its own."""
    score = TrialScore(game.card.id)
    played = list(islice(walk(game, seed), limit))
    for start in range(0, len(played) - AT_ONCE, AT_ONCE):
        if score.quick >= most:
            break
        states = [state for state, _ in played[start : start + AT_ONCE + 1]]
        actions = [action for _, action in played[start : start + AT_ONCE]]
        if _shows(game, states):
            _count(score, game, states, actions, Onlooker(1000 * seed + start, setting.noise))
    return score


def _shows(game: AnyGame, states: list[Any]) -> bool:
    """Somebody acts each time, and as many pieces lie otherwise in the end: a piece that goes on and on in one reach
    of the hand may as well have been moved too far."""
    acted = all(game.turn(state).kind is TurnKind.SEAT for state in states[:-1])
    layouts = [game.layout(state) for state in states]
    if not acted or any(change_between(one, other).is_empty for one, other in pairwise(layouts)):
        return False
    change = change_between(layouts[0], layouts[-1])
    return len(change.moved) + len(change.added) + len(change.removed) >= AT_ONCE


def _count(score: TrialScore, game: AnyGame, states: list[Any], actions: list[Action], onlooker: Onlooker) -> None:
    referee = Referee(game, History(game, states[0]), pose=onlooker.board)
    before = onlooker.see(game.layout(states[0]))
    referee.begin(before.table)
    referee.look(before)
    verdict = referee.look(onlooker.see(game.layout(states[-1])))
    turn = _turn(game, states, actions, verdict)
    score.quick += 1
    score.quick_right += turn is JudgedTurn.RIGHT
    score.quick_untold += turn is JudgedTurn.UNSEEN
    score.quick_accused += turn is JudgedTurn.ACCUSED
    if turn not in (JudgedTurn.RIGHT, JudgedTurn.UNSEEN):
        done = " + ".join(action.id for action in actions)
        score.notes.append(f"three at once {done}: {verdict.kind.value} {verdict.text[:140]}")


def _turn(game: AnyGame, states: list[Any], actions: list[Action], verdict: Verdict) -> JudgedTurn:
    """`UNSEEN`: what was accepted, or all the answers to a question, leads to a table that shows the very same."""
    if verdict.kind is VerdictKind.AMBIGUOUS:
        return asked(game, verdict, states[0], states[-1])
    if verdict.kind is not VerdictKind.ACCEPTED:
        return JudgedTurn.ACCUSED if verdict.kind is VerdictKind.REFUSED else JudgedTurn.AMBER
    found = list(accumulate(verdict.actions, game.advance, initial=states[0]))
    if _in_order(game, list(verdict.actions), found, actions, states):
        return JudgedTurn.RIGHT
    unseen = looks_alike(game.layout(found[-1]), game.layout(states[-1]))
    return JudgedTurn.UNSEEN if unseen else JudgedTurn.WRONG


def _in_order(game: AnyGame, found: list[Action], reached: list[Any], actions: list[Action], states: list[Any]) -> bool:
    """The same actions (in which order two things were done nobody can see), or the same verbs in the same order, where
    a piece may lie anywhere, each leaving the same table as far as a hand can place it."""
    tables, wanted = [game.layout(state) for state in reached], [game.layout(state) for state in states]
    if Counter(found) == Counter(actions):
        return looks_alike(tables[-1], wanted[-1])
    same_verbs = [action.verb for action in found] == [action.verb for action in actions]
    return same_verbs and all(same_by_hand(one, other) for one, other in zip(tables, wanted, strict=True))
