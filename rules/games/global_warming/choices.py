"""What may be done, and what dice, bags and careless players do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

from rules.engine import Action
from rules.games.global_warming import play, suggest
from rules.games.global_warming.cells import COMPASS, near, shore
from rules.games.global_warming.coins import SIDES, draw_hidden, draw_side, shows_suit, side_of
from rules.games.global_warming.opening import (
    ACTIONS,
    COIN_INDEX,
    COINS,
    DEAL,
    ENDED,
    LINE,
    LINE_LENGTH,
    SELECT,
    SINK,
    START,
    TILE_INDEX,
    State,
)
from rules.games.global_warming.pawns import reachable, stepped, steps
from rules.games.global_warming.sinking import check_sink, other_sides


def still_choosing(state: State) -> tuple[int, ...]:
    return tuple(sorted({state.owners[index] for index in state.alive if not state.faces[index]}))


# What is legal -------------------------------------------------------------------------------------------------


def _legal_deal(_state: State, _seat: int | None) -> Iterator[Action]:
    yield Action("deal_island", ("+".join(TILE_INDEX),))


def _legal_start(state: State, _seat: int | None) -> Iterator[Action]:
    for code, index in COIN_INDEX.items():
        if state.tiles[index] not in state.pawns:
            yield Action("draw_start", (code,))


def _legal_line(_state: State, _seat: int | None) -> Iterator[Action]:
    for line in product(SIDES, repeat=LINE_LENGTH):
        yield Action("open_line", ("+".join(line),))


def _legal_select(state: State, seat: int | None) -> Iterator[Action]:
    for index in state.alive:
        owner = state.owners[index]
        if seat in (None, owner) and not state.faces[index]:
            for face in play.FACES:
                yield Action("commit", (state.suits[index].letter, face), owner)
    if state.options.resign:
        for owner in still_choosing(state):
            if seat in (None, owner):
                yield Action("resign", (), owner)


def _legal_actions(state: State, _seat: int | None) -> Iterator[Action]:
    face = state.faces[state.order[0]]
    if face != "n":
        for goal in reachable(frozenset(state.tiles), state.pawns, play.quota(face)):
            yield suggest.arrange(state, goal)
        return
    for source in play.free_tiles(state.tiles, state.pawns):
        yield from _tile_moves(state, source)
    if state.options.blank_optional:
        yield Action("decline")


def _tile_moves(state: State, source: str) -> Iterator[Action]:
    others = [place for place in state.tiles if place and place != source]
    for target in shore(others):
        if target != source:
            yield Action("move_tile", (source, target))


def _legal_sink(state: State, _seat: int | None) -> Iterator[Action]:
    for new in SIDES if state.bag else ("-",):
        for revealed in other_sides(state.line[0], state.sunk):
            action = Action("sink", (new, revealed))
            if check_sink(state, action, None) is None:
                yield action


LEGAL: dict[str, Callable[[State, int | None], Iterator[Action]]] = {
    DEAL: _legal_deal,
    START: _legal_start,
    LINE: _legal_line,
    SELECT: _legal_select,
    ACTIONS: _legal_actions,
    SINK: _legal_sink,
    ENDED: lambda _state, _seat: iter(()),
}


# By luck -------------------------------------------------------------------------------------------------------


def _sample_deal(_state: State, rng: random.Random) -> Action:
    codes = list(TILE_INDEX)
    rng.shuffle(codes)
    return Action("deal_island", ("+".join(codes),))


def _sample_start(state: State, rng: random.Random) -> Action:
    return rng.choice(list(_legal_start(state, None)))


def _sample_line(_state: State, rng: random.Random) -> Action:
    drawn = rng.sample(range(len(COINS)), LINE_LENGTH)
    return Action("open_line", ("+".join(side_of(index, rng.random() < 0.5) for index in drawn),))


def _sample_select(state: State, rng: random.Random) -> Action:
    """Mostly sealed choices; now and then the dice are all read at once, or somebody gives up."""
    waiting = [index for index in state.alive if not state.faces[index]]
    luck = rng.random()
    if luck < 0.1:
        faces = [state.suits[index].letter + rng.choice(play.FACES + "-") for index in waiting]
        return Action("reveal", ("+".join(faces),))
    index = waiting[int(rng.random() * len(waiting))]
    if luck < 0.12 and state.options.resign:
        return Action("resign", (), state.owners[index])
    face = play.FACES[int(rng.random() * 6)]
    return Action("commit", (state.suits[index].letter, face), state.owners[index])


def _sample_actions(state: State, rng: random.Random) -> Action:
    face = state.faces[state.order[0]]
    return _sample_tile(state, rng) if face == "n" else _sample_steps(state, rng, play.quota(face))


def _sample_steps(state: State, rng: random.Random, count: int) -> Action:
    land, pawns, made = frozenset(state.tiles), state.pawns, []
    letters = [suit.letter for suit in state.suits]
    for _ in range(count):
        possible = steps(land, pawns)
        index, direction, target = possible[int(rng.random() * len(possible))]
        pawns = stepped(pawns, index, target)
        made.append(letters[index] + COMPASS[direction])
    return Action("move_pawns", ("+".join(made),))


def _sample_tile(state: State, rng: random.Random) -> Action:
    """A free tile next to some other tile; a few tries find one nearly always."""
    if state.options.blank_optional and rng.random() < 0.1:
        return Action("decline")
    free = play.free_tiles(state.tiles, state.pawns)
    source = free[int(rng.random() * len(free))]
    others = [place for place in state.tiles if place and place != source]
    targets: list[str] = []
    while not targets:
        anchor = others[int(rng.random() * len(others))]
        targets = [place for place in near(anchor) if place not in state.tiles]
    return Action("move_tile", (source, targets[int(rng.random() * len(targets))]))


def _sample_sink(state: State, rng: random.Random) -> Action:
    hidden = draw_hidden(rng, state.line, state.sunk)
    new = draw_side(rng, {*hidden, *state.sunk}) if state.bag else "-"
    return Action("sink", (new, side_of(hidden[0], not shows_suit(state.line[0]))))


SAMPLE: dict[str, Callable[[State, random.Random], Action]] = {
    DEAL: _sample_deal,
    START: _sample_start,
    LINE: _sample_line,
    SELECT: _sample_select,
    ACTIONS: _sample_actions,
    SINK: _sample_sink,
}
