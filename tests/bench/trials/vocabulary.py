"""Everything that people might try in a game's own words, and the table that it would leave.

No game is asked how to break its rules: arguments of legal actions are exchanged for others that the table or the game
so far knows. What the game refuses of that is an illegal act, and the clause it cites is the right one.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from companion_api.simulated.incidents import SMALL, with_piece
from rules.engine.action import Action, Param, ParamKind, Verb
from rules.engine.contract import AnyGame
from rules.pieces import Kind, parse_piece
from rules.referee.exposure import exposed
from rules.table.layout import Layout, Placed

MOST_LEGAL = 60
MOST_OF_A_VERB = 30
TILES_OF_A_SET = 24
# What a game may stumble over when it is made to do what it refuses.
_STUMBLES = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, StopIteration)


class Vocabulary:
    """Learns from the actions of a game which values its arguments take."""

    def __init__(self, game: AnyGame, rng: random.Random) -> None:
        self._game, self._rng = game, rng
        self._known: dict[tuple[str, int], set[str]] = defaultdict(set)

    def learn(self, action: Action) -> None:
        for index, arg in enumerate(action.args):
            self._known[action.verb, index].add(arg)

    def actions(self, state: Any) -> Iterator[Action]:
        """Of every verb: each legal action with one argument exchanged, or all that can be said where none is legal."""
        legal: dict[str, list[Action]] = defaultdict(list)
        for action in islice(self._game.legal(state), MOST_LEGAL):
            self.learn(action)
            legal[action.verb].append(action)
        layout = self._game.layout(state)
        for verb in self._game.card.verbs:
            said = list(dict.fromkeys(self._of_verb(verb, legal[verb.name], layout)))
            self._rng.shuffle(said)
            yield from said[:MOST_OF_A_VERB]

    def _of_verb(self, verb: Verb, legal: list[Action], layout: Layout) -> Iterator[Action]:
        pools = [self._pool(verb, index, param, layout) for index, param in enumerate(verb.params)]
        for action in legal:
            yield action
            for index in range(len(action.args)):
                for value in pools[index]:
                    yield Action(verb.name, (*action.args[:index], value, *action.args[index + 1 :]), action.seat)
        pools = pools[: verb.required]
        for pool in pools:
            self._rng.shuffle(pool)
        yield from (Action(verb.name, args) for args in islice(product(*pools), 4 * MOST_OF_A_VERB))

    def _pool(self, verb: Verb, index: int, param: Param, layout: Layout) -> list[str]:
        values = set(self._known[verb.name, index])
        if param.kind is ParamKind.PLACE:
            values |= {place.name for place in layout.places}
        elif param.kind is ParamKind.PIECE:
            values |= {placed.piece.code for placed in layout.board}
        return sorted(values)


@dataclass(frozen=True, slots=True)
class TriedAction:
    """An action with the table that it leaves."""

    action: Action
    layout: Layout


def deeds(game: AnyGame, state: Any, action: Action) -> Iterator[TriedAction]:
    """What the table looks like when it is done all the same: as the game would have it, and as hands do it."""
    before = game.layout(state)
    for after in (_by_the_game(game, state, action), _by_hand(game, before, action)):
        if after is not None and _pieces(after) == _pieces(before) and _each_once(after):
            yield TriedAction(action, after)


def _by_the_game(game: AnyGame, state: Any, action: Action) -> Layout | None:
    try:
        return game.layout(game.advance(state, action))
    except _STUMBLES:
        return None


def _pieces(layout: Layout) -> Counter[Kind]:
    return Counter(placed.piece.kind for placed in layout)


def _each_once(layout: Layout) -> bool:
    """A game made to do what it refuses may show one tile twice; hands cannot."""
    tiles = [p.piece.code for p in layout if p.piece.kind is Kind.TILE and p.piece.suit and p.piece.rank is not None]
    return len(tiles) > TILES_OF_A_SET or len(tiles) == len(set(tiles))


def _by_hand(game: AnyGame, layout: Layout, action: Action) -> Layout | None:
    """The piece that the action names, or the topmost where it comes from, is carried to where it goes."""
    at = {place.name: place for place in layout.places}
    places = [at[name] for name in game.touches(action) if name in at]
    piece = next((found for name in game.touches(action) if (found := _named(layout, name))), None)
    if piece is None and len(places) == 2:
        piece = next((p for p in reversed(layout.at(places[0].name)) if p.piece.kind in SMALL), None)
    if piece is None or not places or not any(p.key == piece.key for p, share in exposed(layout) if share >= 1.0):
        return None
    goal = places[-1]
    return with_piece(layout, piece, replace(piece, x=goal.x, y=goal.y, place=goal.name))


def _named(layout: Layout, name: str) -> Placed | None:
    try:
        wanted = parse_piece(name)
    except ValueError:
        return None
    found = [placed for placed in layout.board if placed.piece == wanted]
    return found[0] if len(found) == 1 else None
