"""Slides of a mouse: obstacles, stops and claims (MICE-4.5 to MICE-4.8); places of cheeses and mice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.engine import Action
from rules.games.four_blind_mice.opening import DIRECTIONS, INNER, NEXT_TO, RAYS, Cheese, Mice, Options, State, Where
from rules.pieces import SUITS, pawn

TURNS_NEEDED = 2


@dataclass(frozen=True, slots=True)
class PossibleSlide:
    """One slide: where it ends and whether the mouse claims there."""

    mouse: int
    direction: str
    stop: int
    cost: int
    claims: bool


def walls(cheeses: Iterable[Cheese], target: int | None) -> int:
    """The covered cheeses, a bit for each space."""
    return sum(
        1 << cheese.cell
        for number, cheese in enumerate(cheeses)
        if cheese.where is Where.BOARD and cheese.cell is not None and number != target
    )


def with_mice(covered: int, mice: Mice) -> int:
    for cell in mice:
        if cell is not None:
            covered |= 1 << cell
    return covered


def stop_of(taken: int, cell: int, direction: str) -> int:
    """The last free space before an obstacle; the mouse's own space does not matter."""
    for step in RAYS[direction][cell]:
        if taken >> step & 1:
            break
        cell = step
    return cell


def cost_of(options: Options, slides: int) -> int:
    """Cost of the next slide of a mouse after this number of slides (MICE-4.7, MICE-8.4)."""
    return 2 if options.count == "slides+turns" and slides else 1


def may_turn(options: Options, last: str, direction: str) -> bool:
    if options.allow_reverse:
        return last != direction
    return (DIRECTIONS.index(last) - DIRECTIONS.index(direction)) % 2 == 1


def target_cell(state: State) -> int | None:
    return None if state.target is None else state.cheeses[state.target].cell


def target_mouse(state: State) -> int | None:
    suit = None if state.target is None else state.cheeses[state.target].suit
    return None if suit is None else SUITS.index(suit)


def own_slides(state: State, mouse: int) -> list[str]:
    """Directions of the slides of a mouse in this attempt."""
    letter = SUITS[mouse].letter
    return [slide[1] for slide in state.plan if slide[0] == letter]


def taken_spaces(state: State) -> int:
    return with_mice(walls(state.cheeses, state.target), state.mice)


def slide(state: State, mouse: int, direction: str) -> PossibleSlide:
    """The result of a slide of this mouse, legal or not."""
    return _slide(state, taken_spaces(state), len(own_slides(state, mouse)), mouse, direction)


def _slide(state: State, taken: int, made: int, mouse: int, direction: str) -> PossibleSlide:
    start = state.mice[mouse]
    assert start is not None
    stop = stop_of(taken, start, direction)
    cost = cost_of(state.options, made)
    if made < TURNS_NEEDED or mouse != target_mouse(state):
        return PossibleSlide(mouse, direction, stop, cost, False)
    goal = target_cell(state)
    in_time = not state.options.exact or state.used + cost == state.limit
    if in_time and goal is not None and reaches(state.options, start, stop, goal, direction):
        return PossibleSlide(mouse, direction, goal, cost, True)
    return PossibleSlide(mouse, direction, stop, cost, False)


def reaches(options: Options, start: int, stop: int, goal: int, direction: str) -> bool:
    """Whether a slide from start to stop touches the cheese, or ends on it with `claim_on` "stop" (MICE-8.2)."""
    if options.claim_on == "stop" or stop == goal:
        return stop == goal != start
    ray = RAYS[direction][start]
    return goal in ray and ray.index(goal) < (ray.index(stop) if stop != start else -1)


def possible_slides(state: State) -> Iterator[PossibleSlide]:
    left = state.limit - state.used
    taken = taken_spaces(state)
    for mouse, cell in enumerate(state.mice):
        made = own_slides(state, mouse)
        if cell is None or cost_of(state.options, len(made)) > left:
            continue
        for direction in DIRECTIONS:
            if made and not may_turn(state.options, made[-1], direction):
                continue
            found = _slide(state, taken, len(made), mouse, direction)
            if found.stop != cell:
                yield found


def occupied(state: State) -> set[int]:
    """All cells with a coin or a pawn, the target included."""
    coins = {cheese.cell for cheese in state.cheeses if cheese.where is Where.BOARD}
    return {cell for cell in (*coins, *state.mice) if cell is not None}


def strict_places(state: State) -> list[int]:
    taken = occupied(state)
    return [cell for cell in INNER if cell not in taken and not taken.intersection(NEXT_TO[cell])]


def free_places(state: State) -> list[int]:
    """Free places; contact is allowed if it cannot be avoided (MICE-3.5, MICE-8.10)."""
    taken = occupied(state)
    return strict_places(state) or [cell for cell in INNER if cell not in taken]


def places(state: State) -> list[int]:
    """Legal places during the set-up; the players may have agreed to restart instead."""
    return strict_places(state) if state.options.no_room == "restart" else free_places(state)


def slide_action(mouse: int, direction: str) -> Action:
    return _SLIDES[mouse, direction]


_SLIDES = {
    (mouse, direction): Action("slide", (pawn(suit).code, direction))
    for mouse, suit in enumerate(SUITS)
    for direction in DIRECTIONS
}
