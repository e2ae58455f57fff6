"""What may be done (PENG-4). The hot path of a random game: no objects to spare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product, takewhile

from rules.engine import Action
from rules.games.penguin.geometry import Corner, Tiles, board_of, drift_targets, turned_local
from rules.games.penguin.opening import (
    COINS,
    LETTERS,
    PER_SUIT,
    SUIT_OF,
    UNKNOWN,
    Phase,
    State,
    deal_order,
    second_level,
)

Stacks = tuple[tuple[int, ...], ...]
Penguins = tuple[int | None, ...]
DROP_OUT = Action("drop_out")
PASS = Action("pass")
QUARTERS = {"0": 0, "1": 1, "2": 2, "3": 3, "90": 1, "180": 2, "270": 3, "360": 0}


def targets(tiles: Tiles, suits: str, stacks: Stacks, penguins: Penguins, cell: int, *, share: bool) -> list[int]:
    """Where the penguin on a cell may go: a step at equal height or a hop to the same suit."""
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


def legal_actions(state: State) -> Iterable[Action]:
    phase = state.phase
    if phase is Phase.MOVE:
        moves = state.board.moves
        return [moves[goal] for goal in own_targets(state)] or [DROP_OUT]
    if phase is Phase.MELT:
        melts = state.board.melts
        return [melts[cell] for cell in melt_cells(state)]
    return _RARE[phase](state)


def melt_cells(state: State) -> list[int]:
    assert state.left is not None
    if not state.options.flame_throwers:
        return [state.left]
    return [
        cell for cell, stack in enumerate(state.stacks) if stack and (cell not in state.penguins or cell == state.left)
    ]


def coin_cells(state: State) -> list[int]:
    """Where the next coin may be laid: the first level first (PENG-9.2 to 9.4)."""
    stacks = state.stacks
    empty = [cell for cell, stack in enumerate(stacks) if not stack]
    if empty:
        return empty
    start = state.options.start
    if start == "chaotic":
        return list(range(len(stacks)))
    allowed = second_level(state.options) if start == "strategic" else range(len(stacks))
    return [cell for cell in allowed if len(stacks[cell]) == 1]


def loose_coins(state: State) -> tuple[int, ...]:
    """The numbers of the coins that are not on the ice."""
    laid = {number for stack in state.stacks for number in stack}
    return tuple(number for number in range(COINS) if number not in laid)


def loose_suits(state: State) -> list[str]:
    loose = {state.suits[number] for number in loose_coins(state)}
    return [letter for letter in LETTERS if letter in loose]


def _coin_actions(state: State) -> Iterator[Action]:
    cells = coin_cells(state)
    names = state.board.names
    for letter in loose_suits(state):
        for cell in cells:
            yield Action("place_coin", (SUIT_OF[letter].value, names[cell]))


def penguin_cells(state: State) -> list[int]:
    taken = () if state.options.share else state.penguins
    return [cell for cell, stack in enumerate(state.stacks) if stack and cell not in taken]


def unknown_suits(state: State) -> list[str]:
    """What a covered coin that nobody has seen can be: a suit of which not all six are known."""
    return [letter for letter in LETTERS if state.suits.count(letter) < PER_SUIT]


def drifts(state: State) -> Iterator[Action]:
    """Every drift that changes something, each result of a turn once per place (PENG-7.11)."""
    for tile, own in enumerate(state.tiles):
        if own is None or not may_drift(state, tile):
            continue
        turns = _different_turns(state, tile)
        for corner in drift_targets(state.tiles, tile):
            for quarters in turns:
                if quarters or corner != own:
                    yield _drift_action(state.board.names[4 * tile], corner, quarters)


def may_drift(state: State, tile: int) -> bool:
    return state.options.drift_with_penguins or not penguins_on(state, tile)


def penguins_on(state: State, tile: int) -> list[int]:
    return [seat for seat, cell in enumerate(state.penguins) if cell is not None and cell // 4 == tile]


@cache
def _drift_action(name: str, corner: Corner, quarters: int) -> Action:
    return Action("drift", (name, str(corner[0]), str(corner[1]), str(90 * quarters)))


def _different_turns(state: State, tile: int) -> list[int]:
    """Turns that can be told apart: an empty tile looks the same from every side."""
    seen = []
    found = []
    for quarters in range(4):
        after = turn_tile(state, tile, quarters)
        if after not in seen:
            seen.append(after)
            found.append(quarters)
    return found


def _rolls(state: State) -> Iterator[Action]:
    for numbers in product("012345", repeat=len(state.rollers)):
        yield Action("roll", ("+".join(numbers),))


def dealt_letters(state: State) -> str:
    """The coins that lie already, in the order they were drawn."""
    return state.suits[: sum(map(len, state.stacks))]


def bag(state: State) -> list[str]:
    """What is still in the bag while the coins are dealt. Of covered coins that nobody has seen it is not known
    which they were; then the bag may seem too full."""
    dealt = dealt_letters(state)
    return [letter for letter in LETTERS for _ in range(PER_SUIT - dealt.count(letter))]


def _deals(state: State) -> list[Action]:
    """A sample: the coins can come in any order and any number at once (see `exhaustive`)."""
    left = COINS - len(dealt_letters(state))
    return [Action("deal", ("".join(bag(state)[:left]),))]


def suggested_deals(state: State, seen: dict[str, str]) -> Iterator[Action]:
    """What the coins that came to lie on these places say. Where the first level is complete, the second may be too:
    from above its lower coins are not seen."""
    order = deal_order(state.options)
    dealt = len(dealt_letters(state))
    cells = len(state.stacks)
    names = state.board.names
    if dealt < cells:
        new = [seen.get(names[cell], "") for cell in order[dealt:cells]]
        first = "".join(takewhile(bool, new))
        if first:
            yield Action("deal", (first,))
        if not dealt and len(first) == cells:
            yield Action("deal", (_seen_through(first, order),))
        return
    tops = [seen.get(names[cell], "") for cell in order[dealt:]]
    last = max((index for index, letter in enumerate(tops) if letter), default=-1)
    under = [state.suits[state.stacks[cell][-1]] for cell in order[dealt:]]
    if last >= 0:
        yield Action("deal", ("".join(letter or same for letter, same in zip(tops[: last + 1], under, strict=False)),))


def _seen_through(first: str, order: tuple[int, ...]) -> str:
    """All coins, if what is seen on the second level's spaces are its coins."""
    upper = order[len(first) :]
    lower = "".join(UNKNOWN if cell in upper else letter for cell, letter in zip(order, first, strict=False))
    return lower + "".join(first[order.index(cell)] for cell in upper)


def turn_tile(state: State, tile: int, quarters: int) -> tuple[Stacks, Penguins]:
    """All that lies and stands on a tile, after turning it."""
    place = {4 * tile + local: 4 * tile + turned_local(local, quarters) for local in range(4)}
    stacks = list(state.stacks)
    for source, target in place.items():
        stacks[target] = state.stacks[source]
    penguins = tuple(cell if cell is None else place.get(cell, cell) for cell in state.penguins)
    return tuple(stacks), penguins


def _penguin_actions(state: State) -> Iterator[Action]:
    for cell in penguin_cells(state):
        yield Action("place_penguin", (state.board.names[cell],))


def _reveals(state: State) -> Iterator[Action]:
    assert state.left is not None
    for letter in unknown_suits(state):
        yield Action("reveal", (state.board.names[state.left], SUIT_OF[letter].value))


def _drift_or_pass(state: State) -> Iterator[Action]:
    yield PASS
    yield from drifts(state)


_RARE: dict[Phase, Callable[[State], Iterable[Action]]] = {
    Phase.ROLL: _rolls,
    Phase.DEAL: _deals,
    Phase.PLACE_COINS: _coin_actions,
    Phase.PLACE_PENGUINS: _penguin_actions,
    Phase.REVEAL: _reveals,
    Phase.DRIFT: _drift_or_pass,
    Phase.OVER: lambda _state: (),
}
