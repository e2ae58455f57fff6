"""Shortest route of a mouse to its cheese, and the hint that follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rules.engine import Action
from rules.engine.values import with_item
from rules.games.four_blind_mice.deeds.running import FAIL
from rules.games.four_blind_mice.opening import DIRECTIONS, MIN_BID, Options, Phase, State
from rules.games.four_blind_mice.slides import (
    TURNS_NEEDED,
    cost_of,
    may_turn,
    own_slides,
    reaches,
    slide_action,
    stop_of,
    target_cell,
    target_mouse,
    walls,
    with_mice,
)

LONGEST = 8
"""Maximum length of a route; longer ones are not found at a table, and the search would take long."""

Route = tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class ChaseSearch:
    """The constants of a search."""

    options: Options
    walls: int
    goal: int
    mouse: int


class Node(NamedTuple):
    """Positions of the mice, last direction of each ("": none yet), and number of slides of the target mouse."""

    mice: tuple[int, ...]
    last: tuple[str, ...]
    slides: int


def shortest_route(state: State, longest: int = LONGEST) -> Route | None:
    """Cheapest slides of the mouse of the uncovered cheese to it from this state, breadth first. None if there is no
    uncovered cheese, or no route that costs at most `longest`."""
    return _search(state, longest, exactly=False)


def exact_route(state: State, cost: int) -> Route | None:
    """A route with exactly this cost (MICE-8.7)."""
    return _search(state, cost, exactly=True)


def route(state: State) -> Route | None:
    """The shortest route of the mouse at the start of bidding; None at other times."""
    return shortest_route(state) if state.phase is Phase.BID and not any(state.bids) else None


def hint(state: State) -> Action | None:
    """The next slide of the best plan, the bid to make, or giving up; None where there is nothing to advise."""
    if state.phase is Phase.BID:
        route = shortest_route(state)
        if route is None:
            return None
        moves = max(MIN_BID, _cost(state, route))
        lowest = min((bid.moves for bid in state.bids if bid), default=moves + 1)
        return Action("bid", (str(moves),)) if moves < lowest else None
    if state.phase is not Phase.ATTEMPT:
        return None
    left = state.limit - state.used
    if not state.options.exact:
        route = shortest_route(state, min(left, LONGEST))
    elif left <= LONGEST:
        route = exact_route(state, left)
    else:
        return None
    return route[0] if route else FAIL


def _cost(state: State, route: Route) -> int:
    made: dict[str, int] = defaultdict(int)
    cost = 0
    for action in route:
        cost += cost_of(state.options, made[action[0]])
        made[action[0]] += 1
    return cost


def _search(state: State, longest: int, *, exactly: bool) -> Route | None:
    goal, mouse = target_cell(state), target_mouse(state)
    if goal is None or mouse is None or None in state.mice or longest > 99:
        return None
    search = ChaseSearch(state.options, walls(state.cheeses, state.target), goal, mouse)
    made = [own_slides(state, number) for number in range(len(state.mice))]
    cells = tuple(cell for cell in state.mice if cell is not None)
    first = Node(cells, tuple(steps[-1] if steps else "" for steps in made), min(len(made[mouse]), TURNS_NEEDED))
    # Increasing limits: near its limit a search prunes more nodes, which is much faster.
    limits = (longest,) if exactly else range(1, longest + 1)
    routes = (_by_cost(search, first, limit, exactly=exactly) for limit in limits)
    return next((route for route in routes if route), None)


def _by_cost(search: ChaseSearch, first: Node, longest: int, *, exactly: bool) -> Route | None:
    """Layers by cost. A position already seen at a lower cost is skipped; if the cost must be exact, only within its
    layer."""
    layers: dict[int, dict[Node, Route]] = defaultdict(dict)
    layers[0][first] = ()
    seen: set[Node] = set()
    for cost in range(longest):
        for node, route in layers.pop(cost, {}).items():
            if node in seen and not exactly:
                continue
            seen.add(node)
            for action, price, claims, after in _steps(search, node):
                left = longest - cost - price
                if left < 0:
                    continue
                if claims and (not exactly or left == 0):
                    return (*route, action)
                # The target mouse must still be able to make its turns; this prunes most of the search.
                if left >= max(1, TURNS_NEEDED + 1 - after.slides):
                    layers[cost + price].setdefault(after, (*route, action))
    return None


def _steps(search: ChaseSearch, node: Node) -> Iterator[tuple[Action, int, bool, Node]]:
    """Every slide with its cost, whether it may claim, and the node that it leads to otherwise."""
    taken = with_mice(search.walls, node.mice)
    for mouse, cell in enumerate(node.mice):
        last = node.last[mouse]
        price = cost_of(search.options, 1 if last else 0)
        ready = mouse == search.mouse and node.slides >= TURNS_NEEDED
        for direction in DIRECTIONS:
            if last and not may_turn(search.options, last, direction):
                continue
            stop = stop_of(taken, cell, direction)
            if stop != cell:
                claims = ready and reaches(search.options, cell, stop, search.goal, direction)
                way = direction if search.options.allow_reverse else {"S": "N", "W": "E"}.get(direction, direction)
                mice = with_item(node.mice, mouse, stop)
                after = Node(
                    mice, with_item(node.last, mouse, way), min(TURNS_NEEDED, node.slides + (mouse == search.mouse))
                )
                yield slide_action(mouse, direction), price, claims, after
