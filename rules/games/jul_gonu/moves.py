"""Where coins can go and whom they catch there (JULG-4): the hot path of a random game."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.coin_steps import number
from rules.games.jul_gonu.opening import BOARD, STEPS, State
from rules.games.jul_gonu.traps import captured_by


def moves(state: State) -> list[Action]:
    found = STEPS.moves(state)
    return [action for action in found if not restores(state, action)] if state.options.ko else found


def restores(state: State, action: Action) -> bool:
    """JULG-8.6: whether the move brings back a position that stood there within the last four plies."""
    coins, _ = stepped(state, action)
    return number(coins, 1 - state.to_act) in state.seen[-4:]


def stepped(state: State, action: Action) -> tuple[tuple[int, int], int]:
    """The coins after the move, and those of them that were captured."""
    player = state.to_act
    own = state.coins[player] ^ BOARD.shift[action.args]
    enemy = state.coins[1 - player]
    taken = captured_by(own, enemy, BOARD.bit[action.args[1]])
    enemy &= ~taken
    return ((own, enemy) if player == 0 else (enemy, own)), taken
