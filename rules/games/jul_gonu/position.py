"""Described positions (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Seat
from rules.engine.coin_steps import number
from rules.games.jul_gonu.deeds import with_stalemate
from rules.games.jul_gonu.opening import BOARD, COINS, GOAL, STEPS, Options, State, Trail, opening_state
from rules.pieces import Suit


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    """Fields: the two suits (lists of spaces), captured, to_act (a suit) and last (the last own moves)."""
    start = opening_state(options, seats)
    suits = start.suits
    coins = STEPS.coins(data, start, "captured", "to_act", "last")
    if coins[0] & coins[1]:
        raise ValueError("two coins are on the same space")
    to_act = STEPS.seat(data, start)
    captured = _pair(data.get("captured", [0, 0]))
    if min(captured) >= GOAL:
        raise ValueError(f"captured: only one side can have taken {GOAL} coins, then the game is over")
    state = replace(
        start,
        coins=coins,
        captured=captured,
        to_act=to_act,
        trails=_trails(data.get("last", {}), suits),
        seen=(number(coins, to_act),),
    )
    return _finished(state) or with_stalemate(state)


def _finished(state: State) -> State | None:
    winner = next((seat for seat, count in enumerate(state.captured) if count >= GOAL), None)
    return None if winner is None else replace(state, to_act=winner, end="captures", winner=winner)


def _pair(value: object) -> tuple[int, int]:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        first, second = value
        if type(first) is int and type(second) is int and 0 <= first <= COINS and 0 <= second <= COINS:
            return first, second
    raise ValueError("captured must be two numbers from 0 to 4, for example [2, 0]")


def _trails(value: object, suits: tuple[Suit, Suit]) -> tuple[Trail, Trail]:
    if not isinstance(value, Mapping) or set(value) - {suit.value for suit in suits}:
        raise ValueError('last must name suits, for example {"suns": ["a1-a2", "a2-a1"]}')
    first, second = (_trail(value.get(suit.value, [])) for suit in suits)
    return first, second


def _trail(value: object) -> Trail:
    if not isinstance(value, (list, tuple)):
        raise ValueError('the last moves are a list, for example ["a1-a2", "a2-a1"]')
    steps = tuple(tuple(str(move).split("-")) for move in value[-2:])
    for step in steps:
        if step not in BOARD.shift:
            raise ValueError(f"{'-'.join(step)[:20]!r} is not a step from a space to one beside it")
    back_and_forth = len(steps) == 2 and steps[0] == steps[1][::-1]
    return steps if back_and_forth else steps[-1:]
