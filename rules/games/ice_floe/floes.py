"""Pyramids on floes: weights, breaking, movement (ICE-4.1 to ICE-4.10)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.values import replace, with_item
from rules.games.ice_floe.geometry import NOWHERE, PATHS, SLIDES
from rules.games.ice_floe.opening import CAPACITY, LOST, WEIGHTS, State

SPOTS = 5


def weight_on(pyramids: tuple[int, ...], cell: int) -> int:
    return sum(WEIGHTS[index % 6] for index, place in enumerate(pyramids) if place == cell)


def alive(state: State, seat: int) -> list[int]:
    return [index for index in range(6 * seat, 6 * seat + 6) if state.pyramids[index] >= 0]


def is_out(pyramids: tuple[int, ...], seat: int) -> bool:
    """Whether all pyramids of a seat are lost."""
    return max(pyramids[6 * seat : 6 * seat + 6]) == LOST


def empty_floes(state: State) -> list[int]:
    """Cells of the tiles without a pyramid."""
    return [cell for cell, name in enumerate(state.floes) if name and cell not in state.pyramids]


def paths(state: State, index: int) -> Iterator[tuple[int, int]]:
    """Every path of a pyramid: its landings on tiles, except back to the start."""
    floes, start = state.floes, state.pyramids[index]
    may_return = state.options.null_move == "allow"
    for path in PATHS[start]:
        first, second = path
        if floes[first] and (second == NOWHERE or (floes[second] and (second != start or may_return))):
            yield path


def slides(state: State, seat: int) -> Iterator[tuple[int, str, int]]:
    """Slides of a seat: from, direction, to."""
    for cell in sorted({state.pyramids[index] for index in alive(state, seat)}):
        for way, target in SLIDES[cell]:
            if not state.floes[target]:
                yield cell, way, target


def can_act(state: State, seat: int) -> bool:
    """Whether a seat can move or slide at all (ICE-4.11)."""
    if next(slides(state, seat), None):
        return True
    return any(next(paths(state, index), None) for index in alive(state, seat))


def free_spot(state: State, cell: int) -> int:
    """First free spot on a tile; the exact place of a pyramid on it has no meaning (ICE-2.2)."""
    taken = {state.spots[index] for index, place in enumerate(state.pyramids) if place == cell}
    return next(spot for spot in range(SPOTS + 1) if spot not in taken)


def walk(state: State, index: int, path: tuple[int, int]) -> State:
    """The result of a move with all its landings; an overloaded tile breaks at once (ICE-4.7)."""
    first, second = path
    target = first if second == NOWHERE else second
    landed = replace(state, pyramids=with_item(state.pyramids, index, first))
    if second != NOWHERE and state.options.overweight_check == "every_landing" and _breaks(landed, first):
        return without_floe(landed, first)
    landed = replace(state, pyramids=with_item(state.pyramids, index, target))
    if _breaks(landed, target):
        return without_floe(landed, target)
    if target == state.pyramids[index]:
        return landed
    return replace(landed, spots=with_item(state.spots, index, free_spot(state, target)))


def _breaks(state: State, cell: int) -> bool:
    return weight_on(state.pyramids, cell) > CAPACITY


def without_floe(state: State, cell: int) -> State:
    """The result of the loss of a tile with everything on it."""
    left = tuple([LOST if place == cell else place for place in state.pyramids])
    return replace(state, floes=with_item(state.floes, cell, ""), pyramids=left)


def after_slide(state: State, source: int, target: int) -> State:
    """The result of sliding a tile with everything on it (ICE-4.10)."""
    floes = with_item(with_item(state.floes, target, state.floes[source]), source, "")
    pyramids = tuple([target if place == source else place for place in state.pyramids])
    return replace(state, floes=floes, pyramids=pyramids)
