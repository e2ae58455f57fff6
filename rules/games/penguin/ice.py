"""Coins and penguins on the ice, moves of penguins, order of turns (PENG-4). The hot path of random games."""

from __future__ import annotations

from rules.engine.values import replace
from rules.games.penguin.geometry import Tiles, board_of, turned_local
from rules.games.penguin.opening import COINS, LETTERS, PER_SUIT, SUIT_OF, UNKNOWN, Phase, State, second_level
from rules.pieces import Piece, coin

Stacks = tuple[tuple[int, ...], ...]
Penguins = tuple[int | None, ...]
QUARTERS = {"0": 0, "1": 1, "2": 2, "3": 3, "90": 1, "180": 2, "270": 3, "360": 0}


def targets(tiles: Tiles, suits: str, stacks: Stacks, penguins: Penguins, cell: int, *, share: bool) -> list[int]:
    """Targets of the penguin on a cell: steps at equal height and hops to the same suit."""
    here = stacks[cell]
    suit, height = suits[here[-1]], len(here)
    near = board_of(tiles).near[cell]
    taken = (cell,) if share else penguins
    return [
        goal
        for goal, stack in enumerate(stacks)
        if stack and (suits[stack[-1]] == suit or (len(stack) == height and near >> goal & 1)) and goal not in taken
    ]


def own_targets(state: State) -> list[int]:
    cell = state.penguins[state.to_act]
    if cell is None:
        return []
    return targets(state.tiles, state.suits, state.stacks, state.penguins, cell, share=state.options.share)


def melt_cells(state: State) -> list[int]:
    assert state.left is not None
    if not state.options.flame_throwers:
        return [state.left]
    return [
        cell for cell, stack in enumerate(state.stacks) if stack and (cell not in state.penguins or cell == state.left)
    ]


def coin_cells(state: State) -> list[int]:
    """Cells for the next coin: the first level first (PENG-9.2 to 9.4)."""
    stacks, start = state.stacks, state.options.start
    if empty := [cell for cell, stack in enumerate(stacks) if not stack]:
        return empty
    allowed = second_level(state.options) if start == "strategic" else range(len(stacks))
    return [cell for cell in allowed if start == "chaotic" or len(stacks[cell]) == 1]


def loose_coins(state: State) -> tuple[int, ...]:
    """Numbers of the coins that are not on the ice."""
    laid = {number for stack in state.stacks for number in stack}
    return tuple(number for number in range(COINS) if number not in laid)


def loose_suits(state: State) -> list[str]:
    loose = {state.suits[number] for number in loose_coins(state)}
    return [letter for letter in LETTERS if letter in loose]


def penguin_cells(state: State) -> list[int]:
    taken = () if state.options.share else state.penguins
    return [cell for cell, stack in enumerate(state.stacks) if stack and cell not in taken]


def unknown_suits(state: State) -> list[str]:
    """Possible suits of a covered, unseen coin: those of which not all six are known."""
    return [letter for letter in LETTERS if state.suits.count(letter) < PER_SUIT]


def may_drift(state: State, tile: int) -> bool:
    return state.options.drift_with_penguins or not penguins_on(state, tile)


def penguins_on(state: State, tile: int) -> list[int]:
    return [seat for seat, cell in enumerate(state.penguins) if cell is not None and cell // 4 == tile]


def different_turns(state: State, tile: int) -> list[int]:
    """Distinguishable quarter turns: an empty tile looks the same from every side."""
    seen = []
    found = []
    for quarters in range(4):
        after = turn_tile(state, tile, quarters)
        if after not in seen:
            seen.append(after)
            found.append(quarters)
    return found


def dealt_letters(state: State) -> str:
    """Dealt coins, in the order drawn."""
    return state.suits[: sum(map(len, state.stacks))]


def bag(state: State) -> list[str]:
    """Coins in the bag during the deal. Covered, unseen coins are unknown, so the bag may seem too full."""
    dealt = dealt_letters(state)
    return [letter for letter in LETTERS for _ in range(PER_SUIT - dealt.count(letter))]


def turn_tile(state: State, tile: int, quarters: int) -> tuple[Stacks, Penguins]:
    """Stacks and penguins after a tile was turned with everything on it."""
    place = {4 * tile + local: 4 * tile + turned_local(local, quarters) for local in range(4)}
    stacks = list(state.stacks)
    for source, target in place.items():
        stacks[target] = state.stacks[source]
    penguins = tuple(cell if cell is None else place.get(cell, cell) for cell in state.penguins)
    return tuple(stacks), penguins


def coin_piece(state: State, number: int) -> Piece:
    letter = state.suits[number]
    return coin(None if letter == UNKNOWN else SUIT_OF[letter])


def after_melt(state: State, tiles: Tiles, stacks: Stacks, penguins: Penguins, suits: str) -> State:
    if state.options.drifting and (len(penguins) == 1 or count_in(penguins) > 1):
        return replace(state, phase=Phase.DRIFT, tiles=tiles, suits=suits, stacks=stacks, penguins=penguins)
    return next_turn(state, tiles, suits, stacks, penguins)


def count_in(penguins: Penguins) -> int:
    return len(penguins) - penguins.count(None)


def next_turn(state: State, tiles: Tiles, suits: str, stacks: Stacks, penguins: Penguins) -> State:
    """The state with the next living penguin to move; it is over for the last one, and for a lone one without a
    move."""
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
    """The state at the start of the turn of the seat to act."""
    before = replace(state, to_act=(state.to_act - 1) % len(state.penguins))
    return next_turn(before, state.tiles, state.suits, state.stacks, state.penguins)
