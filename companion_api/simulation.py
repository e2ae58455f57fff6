"""A simulated table that plays a game by itself: random players move rendered pieces before the real eyes.

What only phones can know (sealed choices, a whole deal read at the set-up) is told as a phone would tell it. When the
referee has not understood an act, the simulated players do what people do: they enter it by hand and go on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from companion_api.lying_dice import LyingDice
from companion_api.session import Session
from models.render.simulated import Act, Filming, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game as find_game
from rules.referee.referee import Referee
from rules.table.change import change_between

Tell = Callable[[Action], None]
ENOUGH = 400


def acts(
    game: AnyGame,
    first: Any,
    seed: int,
    tell: Tell,
    understood: Callable[[Any, Action], bool],
    most: int = ENOUGH,
    pause: float | None = None,
) -> Iterator[Act]:
    """A random game as things that happen on a table. `understood` is asked after each act, when the table has been
    still for a while; `most` counts the acts that a camera can see."""
    rng = random.Random(seed)
    dice = LyingDice(random.Random(seed))
    state = first
    yield Act(dice.laid(game.layout(state)), meaning=None, kind="wait", pause=2.0)
    shown = 0
    while shown < most:
        turn = game.turn(state)
        if turn.is_over:
            break
        action = game.sample(state, rng)
        step = game.apply(state, action)
        after = step.state
        dice.throw_all(step.effects)
        table = dice.laid(game.layout(after))
        if _only_told(game, state, after):
            tell(action)
            if game.layout(after) != game.layout(state):
                yield Act(table, meaning=action.id, seat=0, pause=pause)
        else:
            shown += 1
            yield Act(table, meaning=action.id, seat=turn.seat or 0, pause=pause)
            if not understood(after, action):
                tell(action)
        state = after
    yield Act(dice.laid(game.layout(state)), meaning=None, kind="wait", pause=5.0 if pause is None else pause)


def _only_told(game: AnyGame, state: Any, after: Any) -> bool:
    """Whether no camera could see it: a sealed choice, a shuffle, something that leaves the table as it was."""
    turn = game.turn(state)
    if turn.kind is TurnKind.ALL or (turn.kind is TurnKind.CHANCE and not game.exhaustive(state)):
        return True
    return change_between(game.layout(state), game.layout(after)).is_nothing


def simulated_for(session: Session, seed: int) -> SimulatedCamera:
    """A simulated table for a served session; it goes on from where the session is."""
    game = session.game

    def tell(action: Action) -> None:
        session.act("host", action.id, expected=None, key=None)

    script = acts(game, session.state, seed, tell, lambda after, _: bool(session.state == after))
    table = SimulatedTable(script, Filming(seed=seed, seats=len(session.seats)))
    return SimulatedCamera(table, realtime=True)


def simulated_camera(name: str, options: Any, seats: Any, seed: int, referee: Referee) -> SimulatedCamera:
    """The same for a bare referee (`companion watch simulated`)."""
    game = find_game(name)

    def tell(action: Action) -> None:
        if game.refusal(referee.history.state, action) is None:
            referee.history = referee.history.play(action)

    first = History.begin(game, options, seats).state
    script = acts(game, first, seed, tell, lambda after, _: bool(referee.history.state == after))
    return SimulatedCamera(SimulatedTable(script, Filming(seed=seed)), realtime=False)
