"""The boards of the worked tests, and short ways to ask about them."""

from __future__ import annotations

from typing import Any

from rules.engine import Effect, EffectKind
from rules.engine.card import read_options, read_seats
from rules.games import game
from rules.games.decay.opening import Options
from tests.games.playing import Player

GAME = game("decay")
PLAYER = Player(GAME)
clause, done = PLAYER.refused, PLAYER.done

SPLIT = "A5@(0,0) M4@(16,4) S3@(32,0) C2@(20,20) S4@(36,24)"
DOUBLE = "C2@(0,0) S5@(-4,16) A4@(12,20) M2@(28,24) M3@(44,20)"
EVEN = "A5@(0,0) M4@(16,4) C2@(20,20) S4@(36,24) S5@(52,28) S2@(56,44)"
TRIPLE = "C2@(0,0) S3@(-10,-16) S4@(10,-16) M4@(16,6) M5@(32,10) A5@(14,-32)"
ROW = "Aa@(0,0) M2@(16,4) Sn@(32,8)"

# The slides of section 2.5: T is S5, the others in the order of the dossier.
SLIDE_1 = "S5@(0,0) M2@(-16,6) M3@(16,-4) M4@(-4,-16) M5@(12,-20) C2@(20,12) C3@(4,24)"
SLIDE_2 = "S5@(0,0) M2@(-16,6) M3@(16,-4) M4@(-4,-16) M5@(12,-20) C2@(20,12)"
SLIDE_3 = "S5@(0,0) M2@(-16,6) M3@(16,-4) M4@(-4,-16) C2@(20,12) C3@(4,24)"
SLIDE_4 = "S5@(0,0) M2@(-16,-4) M3@(4,-16) M4@(-12,-20) M5@(16,10) C2@(-16,20) C3@(-32,8)"
SLIDE_5 = "S5@(0,0) M2@(-16,13) M3@(-16,-7) M4@(16,9) M5@(5,-16) C2@(-11,-23) C3@(-32,3)"
SLIDE_6 = "S5@(0,0) M2@(-16,6) M3@(16,-4)"


def position(board: str = "", options: Any = None, **fields: Any) -> Any:
    chosen: Options = read_options(GAME.card.options_type, options)
    return GAME.position({"board": board, **fields}, chosen, read_seats(GAME.card, 4))


def told(effects: tuple[Effect, ...], kind: EffectKind) -> list[Effect]:
    return [effect for effect in effects if effect.kind is kind]


def ids(state: Any, start: str = "") -> set[str]:
    return {action.id for action in GAME.legal(state) if action.id.startswith(start)}


def on_board(state: Any) -> set[str]:
    return {placed.place for placed in GAME.layout(state).board}
