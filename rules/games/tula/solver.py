"""Advice for Tula: shuffles for hidden tiles, exact search for known ones; solution of whole deals for the command
line."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rules.engine import Action, TurnKind
from rules.games.tula.deeds import MERCIFUL
from rules.games.tula.game import GAME
from rules.games.tula.opening import State, hidden, read_tiles
from rules.games.tula.temple import SETUPS, Temple, TempleSearch, bits, matches, temple
from rules.pieces import Piece

SHUFFLES = 40
CAREFUL = 24
"""Largest number of tiles for which every shuffle is searched exactly."""


def hint(state: State) -> Action | None:
    """Reveal what can be revealed; then take the tile that leaves most shuffles of the unknown tiles winnable. A
    prepared deal is not used."""
    actions = [] if GAME.turn(state).seat is None else list(GAME.legal(state))
    free = next((action for action in actions if action.verb in ("start", "reveal")), None)
    if free or len(actions) < 2:
        return free or next(iter(actions), None)
    rng = random.Random(state.present)
    trials = [_TempleTrial(state, rng) for _ in range(SHUFFLES)]
    return max(actions, key=lambda action: sum(trial.prospect(action) for trial in trials))


STATES = 200_000
"""Limit of states examined for the best line of a game: some seconds. The original has fewer."""


def solution(first: State, last: State) -> tuple[State, tuple[Action, ...]] | None:
    """The line that leaves as few tiles as possible, by the tiles revealed in the game, and its first state; None where
    exchanges, two ends or too many states would be involved."""
    options = first.options
    if options.mercy or options.demerit or options.line:
        return None
    tiles = last.deal or last.tiles
    rest = hidden(last)
    deal = tuple(piece or rest.pop() for piece in tiles)
    built = temple(options.setup)
    known = sum(1 << place for place, piece in enumerate(tiles) if piece is not None)
    top_place = built.full.bit_length() - 1 if options.setup == "original" else None
    if top_place is not None and not known >> top_place & 1:
        return None
    standing = built.full if top_place is None else built.full ^ 1 << top_place
    path = TempleSearch(built, deal).fewest(known, standing, top_place, STATES)
    if path is None:
        return None
    start = replace(first, deal=deal, options=replace(options, auto_reveal=False))
    return start, tuple(_line(start, path))


def _line(state: State, path: list[int]) -> Iterator[Action]:
    """Actions of a line: every tile is revealed if necessary, and taken."""
    names = temple(state.options.setup).names
    wanted = [Action("start")] if state.options.setup == "original" else []
    for place in path:
        wanted += [Action("reveal", (names[place],)), Action("remove", (names[place],))]
    for action in wanted:
        if GAME.refusal(state, action) is None:
            yield action
            state = GAME.advance(state, action)
        while GAME.turn(state).kind is TurnKind.CHANCE:
            shown = next(iter(GAME.legal(state)))
            yield shown
            state = GAME.advance(state, shown)


class _TempleTrial:
    """One random assignment of the unknown tiles, from one position."""

    def __init__(self, state: State, rng: random.Random) -> None:
        rest = hidden(state)
        rng.shuffle(rest)
        self._state, self._tiles = state, tuple(piece or rest.pop() for piece in state.tiles)
        self._searches: dict[tuple[int, ...], TempleSearch] = {}

    def prospect(self, action: Action) -> float:
        """1 if the position after this action can be won, else the share of the temple that a greedy one removes."""
        after = GAME.advance(self._state, action)
        if not after.present:
            return 1.0
        search, top = self._search(after), after.lies.index(after.stack[-1])
        if after.present.bit_count() <= CAREFUL:
            return float(search.solve(after.present, top) is not None)
        return 1.0 - search.greedy(after.present, top).bit_count() / len(after.lies)

    def _search(self, state: State) -> TempleSearch:
        if state.lies not in self._searches:
            lying = tuple(self._tiles[number] for number in state.lies)
            self._searches[state.lies] = TempleSearch(state.temple, lying)
        return self._searches[state.lies]


def solve(tiles: str, setup: str | None = None, *, mercy: bool = False) -> dict[str, Any]:
    """Whether a deal can be won with all tiles known, and the removals in their order (reveals are left out). `tiles`
    may begin with the name of the temple and a colon; 24 tiles alone are the original. ValueError if they cannot be
    read."""
    name, text = _split_name(tiles, setup)
    built = temple(name)
    dealt = read_tiles(text, built)
    began = time.perf_counter()
    searches = [TempleSearch(built, dealt)]
    top, under_it = len(dealt) - 1, built.full ^ 1 << len(dealt) - 1
    if name == "original":
        first, path = ["start"], searches[0].solve(under_it, top)
    else:
        first, path = [], searches[0].solve(built.full, None)
    if path is None and mercy and name in MERCIFUL:
        for exchanged, swapped in _exchanges(built, dealt):
            searches.append(TempleSearch(built, swapped))
            path = searches[-1].solve(under_it, top)
            if path is not None:
                first = [*(first or [f"remove({built.names[top]})"]), f"exchange({built.names[exchanged]})"]
                break
    solution = None if path is None else [*first, *(f"remove({built.names[place]})" for place in path)]
    return {
        "solvable": solution is not None,
        "moves": None if solution is None else len(solution),
        "solution": solution or [],
        "states": sum(search.states for search in searches),
        "ms": round((time.perf_counter() - began) * 1000, 3),
        "setup": name,
    }


_NAME = re.compile(r"\s*(?!(?:[SMCA][na0-5])+\s*\Z)[A-Za-z]{3,}\d*\s*\Z")
"""Pattern of the name of a temple, which no tiles like SaMn match."""


def _split_name(tiles: str, setup: str | None) -> tuple[str, str]:
    head, colon, rest = tiles.partition(":")
    named = head.strip().lower() if colon and _NAME.match(head) else None
    for name in (named, setup):
        if name is not None and name not in SETUPS:
            raise ValueError(f"there is no temple {name[:20]!r}; choose one of {', '.join(SETUPS)}")
    if named is None:
        return setup or "original", tiles
    if setup not in (None, named):
        raise ValueError(f"the tiles are for the temple {named}, but {setup} was asked for; name one of them")
    return named, rest


def _exchanges(built: Temple, dealt: tuple[Piece, ...]) -> Iterator[tuple[int, tuple[Piece, ...]]]:
    """Deals after an exchange of the top tile, if no tile of the next layer matches it (TULA-9.1)."""
    last = len(dealt) - 1
    open_places = TempleSearch(built, dealt).accessible(built.full ^ 1 << last)
    below = list(bits(open_places & built.layer(built.layers - 1)))
    if any(matches(dealt[place], dealt[last]) for place in below):
        return
    for place in below:
        swapped = list(dealt)
        swapped[place], swapped[last] = dealt[last], dealt[place]
        yield place, tuple(swapped)
