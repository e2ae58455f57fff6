"""Short ways to set up a position of Delegate Dash and to ask about it."""

from __future__ import annotations

from typing import Any

from rules.engine import Effect
from rules.engine.card import read_options, read_seats
from rules.games import game
from rules.games.delegate_dash.chart import CELLS, NAMES
from rules.games.delegate_dash.opening import Options

GAME = game("delegate_dash")


def position(options: Any = None, seats: object = 4, **fields: Any) -> Any:
    chosen: Options = read_options(GAME.card.options_type, options)
    return GAME.position(fields, chosen, read_seats(GAME.card, seats))


def said(state: Any, text: str) -> str:
    refusal = GAME.refusal(state, GAME.read(state, text))
    assert refusal is not None
    return refusal.text


def clause(state: Any, text: str) -> str | None:
    refusal = GAME.refusal(state, GAME.read(state, text))
    return refusal.clause if refusal else None


def done(state: Any, *texts: str) -> tuple[Any, tuple[Effect, ...]]:
    effects: tuple[Effect, ...] = ()
    for text in texts:
        assert clause(state, text) is None, GAME.refusal(state, GAME.read(state, text))
        step = GAME.apply(state, GAME.read(state, text))
        state, effects = step.state, effects + step.effects
    return state, effects


def ids(state: Any) -> set[str]:
    return {action.id for action in GAME.legal(state)}


def at(row: int, column: int) -> str:
    return NAMES[CELLS.index((row, column))]
