"""What an action does to the state (PENG-4)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Action
from rules.games.penguin.choices import (
    QUARTERS,
    Penguins,
    Stacks,
    dealt_letters,
    loose_coins,
    targets,
    turn_tile,
)
from rules.games.penguin.geometry import Corner, Tiles, moved
from rules.games.penguin.opening import COINS, UNKNOWN, Phase, State, after_roll, dealt_stacks, first_placer
from rules.pieces import parse_suit


def advance(state: State, action: Action) -> State:
    if action.verb == "move":
        return _move(state, state.board.cells[action.args[0]])
    if action.verb == "melt":
        return _melt(state, melted_cell(state, action))
    return _OTHERS[action.verb](state, action)


def melted_cell(state: State, action: Action) -> int:
    assert state.left is not None
    return state.board.cells[action.args[0]] if action.args and action.args[0] else state.left


def _move(state: State, goal: int) -> State:
    seat, penguins = state.to_act, state.penguins
    return State(
        state.options, state.pawns, Phase.MELT, state.tiles, state.suits, state.stacks,
        (*penguins[:seat], goal, *penguins[seat + 1 :]), state.first, seat, penguins[seat], state.first_suit,
    )  # fmt: skip


def _melt(state: State, cell: int) -> State:
    stacks = state.stacks
    stack = stacks[cell][:-1]
    after = (*stacks[:cell], stack, *stacks[cell + 1 :])
    penguins = state.penguins
    if not stack and cell in penguins:
        # Only with `share` can somebody still stand there: the coin melts beneath them (PENG-8.1).
        penguins = tuple(None if where == cell else where for where in penguins)
    tiles = _without_empty(state.tiles, after) if state.options.remove_empty_tiles else state.tiles
    if stack and state.suits[stack[-1]] == UNKNOWN:
        return replace(state, stacks=after, phase=Phase.REVEAL, left=cell)
    return _after_melt(state, tiles, after, penguins, state.suits)


def _without_empty(tiles: Tiles, stacks: Stacks) -> Tiles:
    return tuple(corner if any(stacks[4 * tile : 4 * tile + 4]) else None for tile, corner in enumerate(tiles))


def _after_melt(state: State, tiles: Tiles, stacks: Stacks, penguins: Penguins, suits: str) -> State:
    if state.options.drifting and (len(penguins) == 1 or _count_in(penguins) > 1):
        return State(
            state.options, state.pawns, Phase.DRIFT, tiles, suits, stacks,
            penguins, state.first, state.to_act, state.left, state.first_suit,
        )  # fmt: skip
    return _next_turn(state, tiles, suits, stacks, penguins)


def _count_in(penguins: Penguins) -> int:
    return len(penguins) - penguins.count(None)


def _next_turn(state: State, tiles: Tiles, suits: str, stacks: Stacks, penguins: Penguins) -> State:
    """The next penguin still in is to move; it is over for the last one, and for a lone one without a move."""
    count = len(penguins)
    seat = state.to_act
    if count == 1:
        cell = penguins[0]
        stuck = cell is None or not targets(tiles, suits, stacks, penguins, cell, share=False)
        phase = Phase.OVER if stuck else Phase.MOVE
    else:
        phase = Phase.MOVE if _count_in(penguins) > 1 else Phase.OVER
        following = ((seat + further) % count for further in range(1, count + 1))
        seat = next((other for other in following if penguins[other] is not None), seat)
    return State(
        state.options,
        state.pawns,
        phase,
        tiles,
        suits,
        stacks,
        penguins,
        state.first,
        seat,
        None,
        state.first_suit,
    )


def begin_turn(state: State) -> State:
    """The state as the seat to act finds it at the start of its turn."""
    before = replace(state, to_act=(state.to_act - 1) % len(state.penguins))
    return _next_turn(before, state.tiles, state.suits, state.stacks, state.penguins)


def _drop_out(state: State, _action: Action) -> State:
    penguins = tuple(None if seat == state.to_act else cell for seat, cell in enumerate(state.penguins))
    return _next_turn(state, state.tiles, state.suits, state.stacks, penguins)


def _pass(state: State, _action: Action) -> State:
    return _next_turn(state, state.tiles, state.suits, state.stacks, state.penguins)


def drift_of(state: State, action: Action) -> tuple[int, Corner, int]:
    """The tile, its new corner and the quarter turns of a drift."""
    tile = state.board.cells[action[0]] // 4
    return tile, (int(action[1]), int(action[2])), QUARTERS[action[3]]


def _drift(state: State, action: Action) -> State:
    tile, corner, quarters = drift_of(state, action)
    stacks, penguins = turn_tile(state, tile, quarters)
    return _next_turn(state, moved(state.tiles, tile, corner), state.suits, stacks, penguins)


def _reveal(state: State, action: Action) -> State:
    assert state.left is not None
    number = state.stacks[state.left][-1]
    suits = state.suits[:number] + parse_suit(action[1]).letter + state.suits[number + 1 :]
    return _after_melt(state, state.tiles, state.stacks, state.penguins, suits)


def _roll(state: State, action: Action) -> State:
    numbers = action[0].split("+")
    best = tuple(seat for seat, number in zip(state.rollers, numbers, strict=True) if number == max(numbers))
    if len(best) > 1:
        return replace(state, rollers=best)
    phase = after_roll(state.options)
    placing = phase is Phase.PLACE_PENGUINS
    first = best[0]
    to_act = first_placer(state.options, first, len(state.penguins)) if placing else first
    return replace(state, rollers=(), first=first, to_act=to_act, phase=phase)


def _deal(state: State, action: Action) -> State:
    """The next coins out of the bag; with the last one the penguins come."""
    dealt = dealt_letters(state) + action[0]
    laid = replace(
        state,
        suits=dealt + UNKNOWN * (COINS - len(dealt)),
        stacks=dealt_stacks(state.options, len(dealt)),
        first_suit=dealt[0],
    )
    if len(dealt) < COINS:
        return laid
    to_act = first_placer(state.options, state.first, len(state.penguins))
    return replace(laid, phase=Phase.PLACE_PENGUINS, to_act=to_act)


def _place_coin(state: State, action: Action) -> State:
    letter = parse_suit(action[0]).letter
    loose = loose_coins(state)
    number = next(number for number in loose if state.suits[number] == letter)
    cell = state.board.cells[action[1]]
    stacks = (*state.stacks[:cell], (*state.stacks[cell], number), *state.stacks[cell + 1 :])
    count = len(state.penguins)
    after = replace(state, stacks=stacks, to_act=(state.to_act + 1) % count, first_suit=state.first_suit or letter)
    if len(loose) > 1:
        return after
    return replace(after, phase=Phase.PLACE_PENGUINS, to_act=first_placer(state.options, state.first, count))


def _place_penguin(state: State, action: Action) -> State:
    seat = state.to_act
    cell = state.board.cells[action[0]]
    penguins = (*state.penguins[:seat], cell, *state.penguins[seat + 1 :])
    if None in penguins:
        step = 1 if state.options.placement == "clockwise" else -1
        return replace(state, penguins=penguins, to_act=(seat + step) % len(penguins))
    return begin_turn(replace(state, penguins=penguins, to_act=state.first))


_OTHERS = {
    "roll": _roll,
    "deal": _deal,
    "place_coin": _place_coin,
    "place_penguin": _place_penguin,
    "drop_out": _drop_out,
    "reveal": _reveal,
    "drift": _drift,
    "pass": _pass,
}
