"""From turn to turn: whose penguin moves next, and when the game is over (PENG-4)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.penguin.geometry import Tiles
from rules.games.penguin.ice import Penguins, Stacks, targets
from rules.games.penguin.opening import Phase, State


def after_melt(state: State, tiles: Tiles, stacks: Stacks, penguins: Penguins, suits: str) -> State:
    if state.options.drifting and (len(penguins) == 1 or count_in(penguins) > 1):
        return State(
            state.options, state.pawns, Phase.DRIFT, tiles, suits, stacks,
            penguins, state.first, state.to_act, state.left, state.first_suit,
        )  # fmt: skip
    return next_turn(state, tiles, suits, stacks, penguins)


def count_in(penguins: Penguins) -> int:
    return len(penguins) - penguins.count(None)


def next_turn(state: State, tiles: Tiles, suits: str, stacks: Stacks, penguins: Penguins) -> State:
    """The next penguin still in is to move; it is over for the last one, and for a lone one without a move."""
    count = len(penguins)
    seat = state.to_act
    if count == 1:
        cell = penguins[0]
        stuck = cell is None or not targets(tiles, suits, stacks, penguins, cell, share=False)
        phase = Phase.OVER if stuck else Phase.MOVE
    else:
        phase = Phase.MOVE if count_in(penguins) > 1 else Phase.OVER
        following = ((seat + further) % count for further in range(1, count + 1))
        seat = next((other for other in following if penguins[other] is not None), seat)
    return State(
        state.options, state.pawns, phase, tiles, suits, stacks, penguins, state.first, seat, None, state.first_suit
    )


def begin_turn(state: State) -> State:
    """The state as the seat to act finds it at the start of its turn."""
    before = replace(state, to_act=(state.to_act - 1) % len(state.penguins))
    return next_turn(before, state.tiles, state.suits, state.stacks, state.penguins)
