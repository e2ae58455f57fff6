"""Short ways to set up a position of Delegate Dash and to ask about it."""

from __future__ import annotations

from typing import Any

from rules.games import game
from rules.games.delegate_dash.chart import CELLS, NAMES
from tests.games.playing import Player

GAME = game("delegate_dash")
PLAYER = Player(GAME, 4)
clause, done, position, ids = PLAYER.refused, PLAYER.done, PLAYER.position, PLAYER.ids


def said(state: Any, text: str) -> str:
    refusal = GAME.refusal(state, GAME.read(state, text))
    assert refusal is not None
    return refusal.text


def at(row: int, column: int) -> str:
    return NAMES[CELLS.index((row, column))]
