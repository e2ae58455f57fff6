"""Shortest climb or descent from any position, and the solution of whole deals for the command line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from rules.engine import Action
from rules.games.fuji_san import climbs
from rules.games.fuji_san.game import GAME
from rules.games.fuji_san.mountain import INDEX, NAMES, dealt, write_layout
from rules.games.fuji_san.opening import Options, State, opening_state
from rules.pieces import SUITS

_TABLE_ORDER = ("a2", "n2", "a1", "n1")


def route(state: State) -> tuple[Action, ...] | None:
    """A shortest path to the goal from this state; None where there is none, or where dice or people decide first."""
    if state.end or state.phase not in ("ascent", "descent"):
        return None
    task = climbs.task_of(state)
    path = climbs.search(task, climbs.occupied(state)).path
    if path is None:
        return None
    actions: list[Action] = []
    for source, target in climbs.steps_of(task, path):
        action = GAME.read(state, f"{NAMES[source]}-{NAMES[target]}")
        actions.append(action)
        state = GAME.advance(state, action)
    return tuple(actions)


def hint(state: State) -> Action | None:
    """The first move of a shortest solution; None where there is none, or where the dice decide."""
    if state.end or state.phase in ("deal", "roll"):
        return None
    if state.phase == "carry":
        return climbs.DEFAULT_CARRY
    if state.phase == "rescue":
        lengths = {}
        for action in GAME.legal(state):
            after = GAME.advance(state, action)
            path = None if after.end else climbs.search(climbs.task_of(after), climbs.occupied(after)).path
            if path:
                lengths[action] = len(path)
        return min(lengths, key=lambda action: lengths[action], default=None)
    return next(iter(route(state) or ()), None)


def solve(coins: str, *, aces_null: bool = False, summit_cross: bool = True, dice: str | None = None) -> dict[str, Any]:
    """The shortest climb of a deal, or the proof that there is none. `dice` for the rescue: four values in the order
    suns, moons, crowns, arms; with a slash in the order of the priests, far row then near row (PPN). The rescue counts
    as a move. ValueError if the coins or the dice cannot be read, or if no deal can lie like this."""
    values = dealt(coins)
    rolled = None if dice is None else _read_dice(dice)
    began = time.perf_counter()
    options = Options(layout=write_layout(values), aces_null=aces_null, summit_cross=summit_cross)
    state = State(options, values, opening_state(Options()).priests, "ascent")
    needs_dice = not climbs.moves(state)
    rescues = dict(_rescues(state, rolled)) if needs_dice and rolled else {}
    found = climbs.search(climbs.task_of(state), climbs.occupied(state), rescues)
    solution = _step_texts(state, found, rescues)
    return {
        "solvable": found.path is not None,
        "moves": None if found.path is None else len(found.path) - 1,
        "solution": solution,
        "states": found.states,
        "ms": round((time.perf_counter() - began) * 1000, 3),
        "needs_dice": needs_dice,
    }


def _read_dice(text: str) -> dict[int, int]:
    """The number of the die for every ground place."""
    far, slash, near = text.strip().partition("/")
    try:
        signs = [int("012345".index(sign.lower().replace("n", "0").replace("a", "1"))) for sign in far + near]
    except ValueError:
        signs = []
    if len(signs) != 4:
        raise ValueError(f"{text[:40]!r} are no dice; write four values 0 to 5 (or n and a), for example 0352")
    order = [INDEX[place] for place in _TABLE_ORDER] if slash else opening_state(Options()).priests
    return dict(zip(order, signs, strict=True))


def _rescues(state: State, rolled: dict[int, int]) -> Iterator[tuple[int, str]]:
    """By die that moves a priest: the places afterwards, and the suit."""
    mask = climbs.occupied(state)
    for suit, start in zip(SUITS, state.priests, strict=True):
        if number := rolled[start]:
            yield mask ^ 1 << start ^ 1 << climbs.rescued_to(start, number), suit.value


def _step_texts(state: State, found: climbs.SearchedPath, rescues: dict[int, str]) -> list[str]:
    if found.path is None:
        return []
    steps = [f"{NAMES[a]}-{NAMES[b]}" for a, b in climbs.steps_of(climbs.task_of(state), found.path)]
    if rescues:
        steps[0] = f"rescue({rescues[found.path[1]]})"
    return steps
