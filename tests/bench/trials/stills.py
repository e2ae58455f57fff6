"""Short games in stills: every moment of a random game as a table to be drawn, without hands, and illegal acts of
several kinds at the last table before somebody's turn, each put right again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from companion_api.simulated.incidents import KINDS, MAX_RECENT, ActKind, Meaning, staged_at
from companion_api.simulated.rolled_dice import RolledDice
from models.render.camera import Viewpoint
from models.render.simulated import Act
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.referee.decision import with_actions
from rules.table.change import change_between
from rules.table.layout import Layout
from tests.bench.trials.hand_laid import HandLaid
from tests.bench.trials.illegal import clauses_for
from vision.frame import Frame

MOST_TILT = 45.0
MOST_TURN = 20.0
OUTCOMES = 8
"""So many outcomes of chance are compared."""
SKIPPED = (0, 4, 12)
"""A sequence begins after one of so many moments of its game."""
ROLLS = 0.3
"""So far (in spaces) a thrown die comes to rest from where it lay: not on a board that has no room for it."""


@dataclass(frozen=True, slots=True)
class Still:
    """A table to be shown, what was done since the one before, and what came of it; `meant`: where it was no play."""

    layout: Layout
    actions: tuple[Action, ...]
    state: Any
    meant: Meaning | None = None


class FrameCamera:
    """Stills that were drawn before."""

    name, live, stills = "film", False, True

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._left = list(frames)

    @property
    def ended(self) -> bool:
        return not self._left

    def read(self) -> Frame | None:
        return self._left.pop(0) if self._left else None

    def close(self) -> None:
        self._left.clear()


def sequence(game: AnyGame, seed: int, moments: int) -> tuple[History, Layout, list[Still]]:
    """The game after what only people can tell (a deal), how its table lies then, and stills from somewhere in it. It
    ends where people would have to tell something again. Of throws one after the other each is shown: the dice lie."""
    skipped = random.Random(seed).choice(SKIPPED)
    hands = HandLaid(RolledDice(random.Random(seed), ROLLS))
    history, stills, since = History.begin(game), list[Still](), list[Action]()
    first = hands.laid(game.layout(history.state))
    for state, action in walk(game, seed):
        if len(stills) == moments:
            break
        if _is_told(game, state):
            if stills or since:
                break
            history = history.play(action)
            hands.anew()
            first = hands.laid(game.layout(history.state))
            continue
        step = game.apply(state, action)
        hands.throw_all(step.effects)
        since.append(action)
        last = stills[-1].state if stills else history.state
        thrown = _rolls(step.effects)
        is_seen = thrown or not change_between(game.layout(last), game.layout(step.state)).is_empty
        if is_seen and (thrown or not _goes_on(game, step.state)):
            if skipped > 0:
                hands.anew()  # the table that is shown first is laid out tidily
            table = hands.laid(game.layout(step.state))
            if skipped > 0:
                skipped, history, first = skipped - 1, with_actions(history, since), table
            else:
                stills.append(Still(table, tuple(since), step.state))
            since = []
    return history, first, stills


def with_acts(game: AnyGame, begin: History, stills: Sequence[Still], most: int, rng: random.Random) -> list[Still]:
    """After the last of these tables at which somebody is to act, so many illegal acts, each put right again."""
    turns = [number for number, still in enumerate(stills) if game.turn(still.state).kind is TurnKind.SEAT]
    if not turns or not most:
        return list(stills)
    now = stills[turns[-1]]
    history = with_actions(begin, (action for still in stills[: turns[-1] + 1] for action in still.actions))
    lately = [history.undo(count).state for count in range(1, min(MAX_RECENT, len(history.entries)) + 1)]
    staged = (staged_at(game, now.state, kind, rng, lately) for kind in rng.sample(list(KINDS), len(KINDS)))
    shown = list(stills[: turns[-1] + 1])
    for act in islice((one for one in staged if one is not None), most):
        clauses = clauses_for(game, now.state, act.layout)
        table = _laid_as(now.layout, game.layout(now.state), act.layout)
        shown.append(Still(table, (), now.state, Meaning(ActKind.ILLEGAL, (), act.kind, clauses)))
        shown.append(replace(now, actions=(), meant=Meaning(ActKind.PUT_RIGHT, (), act.kind)))
    return [*shown, *stills[turns[-1] + 1 :]]


def _laid_as(table: Layout, tidy: Layout, done: Layout) -> Layout:
    """What an act did not touch lies where it lay on the table."""
    lies, untouched = {placed.key: placed for placed in table}, set(tidy.pieces)
    return replace(done, pieces=tuple(lies[placed.key] if placed in untouched else placed for placed in done))


def _is_told(game: AnyGame, state: Any) -> bool:
    """Whether only people can tell what comes next: a deal, or who begins, which leaves no trace on the table."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.CHANCE or not game.exhaustive(state):
        return turn.kind in (TurnKind.ALL, TurnKind.CHANCE)
    layout = game.layout(state)
    ends = (game.apply(state, action) for action in islice(game.legal(state), OUTCOMES))
    return all(game.layout(end.state) == layout and not _rolls(end.effects) for end in ends)


def _rolls(effects: Iterable[Effect]) -> bool:
    return any(effect.kind is EffectKind.ROLL for effect in effects)


def _goes_on(game: AnyGame, state: Any) -> bool:
    """Whether dice or coins will show something before anybody looks."""
    return game.turn(state).kind is TurnKind.CHANCE and not _is_told(game, state)


def view_of(seed: int) -> Viewpoint:
    """Where the camera stands."""
    rng = np.random.default_rng([seed, 41])
    return Viewpoint(
        tilt_deg=float(rng.uniform(0, MOST_TILT)),
        fov_deg=float(rng.uniform(50, 78)),
        turn_deg=float(rng.uniform(-MOST_TURN, MOST_TURN)),
    )


def acts(first: Layout, stills: Iterable[Still]) -> Iterator[Act]:
    yield Act(first, kind="wait")
    for still in stills:
        yield Act(still.layout, kind="cut")
