"""Three actions before the camera sees the table again: do they come out, and in order?"""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from typing import Any

from companion_api.trials.score import Score
from companion_api.trials.setting import Setting
from companion_api.trials.synthetic import Onlooker
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.referee.referee import Referee
from rules.table.change import change_between

AT_ONCE = 3


def hurry(game: AnyGame, seed: int, setting: Setting, limit: int = 60, most: int = 100) -> Score:
    """Show every third table of a random game, as long as each action of the three leaves a trace of its own."""
    score = Score(game.card.id)
    played = list(islice(walk(game, seed), limit))
    for start in range(0, len(played) - AT_ONCE, AT_ONCE):
        if score.quick >= most:
            break
        states = [state for state, _ in played[start : start + AT_ONCE + 1]]
        actions = [action for _, action in played[start : start + AT_ONCE]]
        if _shows(game, states):
            score.quick += 1
            score.quick_right += _in_order(game, states, actions, Onlooker(1000 * seed + start, setting.noise))
    return score


def _shows(game: AnyGame, states: list[Any]) -> bool:
    """Somebody acts each time, and as many pieces lie otherwise in the end: a piece that goes on and on in one reach
    of the hand may as well have been moved too far."""
    acted = all(game.turn(state).kind is TurnKind.SEAT for state in states[:-1])
    layouts = [game.layout(state) for state in states]
    if not acted or any(change_between(one, other).is_nothing for one, other in pairwise(layouts)):
        return False
    change = change_between(layouts[0], layouts[-1])
    return len(change.moved) + len(change.added) + len(change.removed) >= AT_ONCE


def _in_order(game: AnyGame, states: list[Any], actions: list[Action], onlooker: Onlooker) -> bool:
    referee = Referee(game, History(game, states[0]))
    referee.registration = onlooker.board
    before = onlooker.see(game.layout(states[0]))
    referee.begin(before)
    referee.look(before)
    verdict = referee.look(onlooker.see(game.layout(states[-1])))
    same = Counter(verdict.actions) == Counter(actions)  # in which order one player did two things nobody can see
    return same and game.layout(referee.history.state) == game.layout(states[-1])
