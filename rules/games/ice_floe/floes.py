"""Pyramids on floes: weights, breaking, movement (ICE-4.1 to ICE-4.10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine.values import with_item
from rules.games.ice_floe.geometry import NOWHERE, PATHS, SLIDES
from rules.games.ice_floe.opening import CAPACITY, LOST, WEIGHTS, State

SPOTS = 5


def weight_on(pyramids: tuple[int, ...], cell: int) -> int:
    return sum(WEIGHTS[index % 6] for index, place in enumerate(pyramids) if place == cell)


def alive(state: State, seat: int) -> list[int]:
    return [index for index in range(6 * seat, 6 * seat + 6) if state.pyramids[index] >= 0]


def has_lost(pyramids: tuple[int, ...], seat: int) -> bool:
    """Whether all pyramids of a seat are lost."""
    return max(pyramids[6 * seat : 6 * seat + 6]) == LOST


def is_out(state: State, seat: int) -> bool:
    return has_lost(state.pyramids, seat)


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


@dataclass(frozen=True, slots=True)
class Waters:
    """The part of the state that changes when pyramids land and tiles break."""

    floes: tuple[str, ...]
    pyramids: tuple[int, ...]
    spots: tuple[int, ...]


def free_spot(pyramids: tuple[int, ...], spots: tuple[int, ...], cell: int) -> int:
    """First free spot on a tile; the exact place of a pyramid on it has no meaning (ICE-2.2)."""
    taken = {spots[index] for index, place in enumerate(pyramids) if place == cell}
    return next(spot for spot in range(SPOTS + 1) if spot not in taken)


def walk(state: State, index: int, path: tuple[int, int]) -> Waters:
    """The result of a move with all its landings; an overloaded tile breaks at once (ICE-4.7)."""
    first, second = path
    target = first if second == NOWHERE else second
    pyramids = with_item(state.pyramids, index, first)
    if second != NOWHERE and state.options.overweight_check == "every_landing" and _breaks(pyramids, first):
        return without_floe(state.floes, pyramids, state.spots, first)
    pyramids = with_item(pyramids, index, target)
    if _breaks(pyramids, target):
        return without_floe(state.floes, pyramids, state.spots, target)
    if target == state.pyramids[index]:
        return Waters(state.floes, pyramids, state.spots)
    spot = free_spot(state.pyramids, state.spots, target)
    return Waters(state.floes, pyramids, with_item(state.spots, index, spot))


def _breaks(pyramids: tuple[int, ...], cell: int) -> bool:
    return weight_on(pyramids, cell) > CAPACITY


def without_floe(floes: tuple[str, ...], pyramids: tuple[int, ...], spots: tuple[int, ...], cell: int) -> Waters:
    """The result of the loss of a tile with everything on it."""
    left = tuple([LOST if place == cell else place for place in pyramids])
    return Waters(with_item(floes, cell, ""), left, spots)


def after_slide(state: State, source: int, target: int) -> Waters:
    """The result of sliding a tile with everything on it (ICE-4.10)."""
    floes = list(state.floes)
    floes[target], floes[source] = floes[source], ""
    pyramids = tuple([target if place == source else place for place in state.pyramids])
    return Waters(tuple(floes), pyramids, state.spots)
