"""Other histories that lead to the same table. One table can have several meanings (cowering and ending a turn both
move a clock on by one); the simplest was accepted, and the next table may refute it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.referee.tuning import AlternativeLimits
from rules.table.change import Change, change_between
from rules.table.layout import Layout


@dataclass(frozen=True, slots=True)
class Alternative:
    """Some actions, their state, and its remaining difference from the target."""

    actions: tuple[Action, ...]
    state: Any
    remaining: Change


@lru_cache(maxsize=4)
def alternative_histories(
    game: AnyGame, start: Any, accepted: Any, limits: AlternativeLimits
) -> tuple[tuple[Action, ...], ...]:
    """The paths to other states that look like the accepted one, shortest first; cached, since a table that nothing
    explains asks for the same again at every look."""
    target = game.layout(accepted)
    layer, states = [Alternative((), start, change_between(game.layout(start), target))], {start, accepted}
    found: list[tuple[Action, ...]] = []
    for _ in range(limits.max_actions):
        extended: list[Alternative] = []
        for path in layer:
            for step in _steps(game, path, target, limits):
                if step.state not in states:
                    states.add(step.state)
                    extended.append(step)
        found += [path.actions for path in extended if path.remaining.is_empty]
        layer = sorted((path for path in extended if path.remaining.count), key=lambda path: path.remaining.count)[
            : limits.beam
        ]
    return tuple(found[: limits.max_alternatives])


def _steps(game: AnyGame, path: Alternative, target: Layout, limits: AlternativeLimits) -> Iterator[Alternative]:
    """What may come next: suggestions, traceless actions, and all values of coins and dice."""
    turn = game.turn(path.state)
    if turn.is_over:
        return
    suggested = islice(game.suggest(path.state, path.remaining), limits.max_tried)
    legal = islice(game.legal(path.state), limits.max_tried)
    rest = legal if turn.kind is TurnKind.CHANCE else islice(game.without_targets(path.state), limits.max_tried)
    for action in dict.fromkeys(chain(suggested, rest)):
        if game.refusal(path.state, action) is None:
            after = game.advance(path.state, action)
            yield Alternative((*path.actions, action), after, change_between(game.layout(after), target))
