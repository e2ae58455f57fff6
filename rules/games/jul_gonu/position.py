"""Described positions (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Seat
from rules.engine.coin_steps import number
from rules.engine.fields import a_list, an_object, numbers, unfit
from rules.games.jul_gonu.deeds import with_stalemate
from rules.games.jul_gonu.opening import BOARD, COINS, GOAL, STEPS, Options, State, Trail, opening_state
from rules.pieces import Suit


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    """Fields: the two suits (lists of spaces), captured, to_act (a suit) and last (the last own moves)."""
    start = opening_state(options, seats)
    coins, to_act = STEPS.read(data, start, "captured", "last")
    first, second = captured = numbers("captured", data.get("captured", [0, 0]), 2, COINS, "[2, 0]")
    if min(captured) >= GOAL:
        raise ValueError(f"captured: only one side can have taken {GOAL} coins, then the game is over")
    state = replace(
        start,
        coins=coins,
        captured=(first, second),
        to_act=to_act,
        trails=_trails(data.get("last", {}), start.suits),
        seen=(number(coins, to_act),),
    )
    return _finished(state) or with_stalemate(state)


def _finished(state: State) -> State | None:
    winner = next((seat for seat, count in enumerate(state.captured) if count >= GOAL), None)
    return None if winner is None else replace(state, to_act=winner, end="captures", winner=winner)


def _trails(value: object, suits: tuple[Suit, Suit]) -> tuple[Trail, Trail]:
    last = an_object("last", value, '{"suns": ["a1-a2", "a2-a1"]}', suits)
    first, second = (_trail(last.get(suit, [])) for suit in suits)
    return first, second


def _trail(value: object) -> Trail:
    moves = a_list("last", value, '["a1-a2", "a2-a1"]')
    steps = tuple(tuple(str(move).split("-")) for move in moves[-2:])
    for step in steps:
        if step not in BOARD.shift:
            raise unfit("last", "steps from a space to one beside it", "-".join(step))
    back_and_forth = len(steps) == 2 and steps[0] == steps[1][::-1]
    return steps if back_and_forth else steps[-1:]
