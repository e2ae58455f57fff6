"""What every action does to the state. Only legal actions come here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine import Action
from rules.games.global_warming.cells import COMPASS, island, near
from rules.games.global_warming.coins import identity
from rules.games.global_warming.opening import (
    ACTIONS,
    COIN_INDEX,
    ENDED,
    LINE,
    MISSING,
    SELECT,
    SINK,
    START,
    TILE_INDEX,
    State,
)
from rules.games.global_warming.pawns import Pawns, can_step, stepped
from rules.pieces import SUITS, parse_rank, parse_suit

FACE_ORDER = "n5432a"
FACES = "na2345"
NO_COIN = ("", "-")
_SUITS = {suit.letter: suit for suit in SUITS}


def quota(face: str) -> int:
    """How many steps a face gives; the blank gives none, but a tile (GW-R1)."""
    return FACES.index(face)


def split(argument: str) -> list[str]:
    """The items of a list argument; "-" is the empty list."""
    return [] if argument in NO_COIN else argument.split("+")


def pawn_of(state: State, suit: str) -> int:
    """The index of a pawn that is in play."""
    return state.suits.index(_SUITS.get(suit) or parse_suit(suit))


# Setting up ---------------------------------------------------------------------------------------------------


def deal_island(state: State, action: Action) -> State:
    cells = island(state.options.setup)
    placed = dict(zip(split(action[0]), cells, strict=True))
    return replace(state, tiles=tuple(placed[code] for code in TILE_INDEX), phase=START)


def draw_start(state: State, action: Action) -> State:
    drawn = iter([state.tiles[COIN_INDEX[code]] for code in split(action[0])])
    pawns = tuple(place or next(drawn, "") for place in state.pawns)
    return replace(state, pawns=pawns, phase=START if "" in pawns else LINE)


def open_line(state: State, action: Action) -> State:
    return replace(state, line=tuple(split(action[0])), phase=SELECT)


# Choosing ------------------------------------------------------------------------------------------------------


def commit(state: State, action: Action) -> State:
    index = pawn_of(state, action[0])
    face = parse_rank(action[1]).letter
    return _faces_set(state, (*state.faces[:index], face, *state.faces[index + 1 :]))


def reveal(state: State, action: Action) -> State:
    """What is uncovered on the table; dice that were chosen on phones lie as they lay."""
    faces, shown = list(state.faces), list(state.shown)
    for item in split(action[0]):
        index = pawn_of(state, item[0])
        faces[index] = MISSING if item[1:] == MISSING else parse_rank(item[1:]).letter
        shown[index] = shown[index] if item[1:] == MISSING else faces[index]
    return _faces_set(replace(state, shown=tuple(shown)), tuple(faces))


def _faces_set(state: State, faces: tuple[str, ...]) -> State:
    """When every living pawn has its face, the dice are uncovered (GW-4.3)."""
    alive = state.alive
    if any(not faces[index] for index in alive):
        return replace(state, faces=faces)
    if MISSING in faces and state.options.missing_commit == "replay":
        return replace(state, faces=("",) * len(faces))
    return next_actor(state, acting_order(faces), state.tiles, state.pawns, faces)


def acting_order(faces: tuple[str, ...]) -> tuple[int, ...]:
    """Who acts after the equal faces have cancelled each other: blank first, then downwards (GW-4.4)."""
    single = [index for index, face in enumerate(faces) if face and face in FACE_ORDER and faces.count(face) == 1]
    return tuple(sorted(single, key=lambda index: FACE_ORDER.index(faces[index])))


def set_handler(state: State, action: Action) -> State:
    return replace(state, handler=int(action[0]))


def resign(state: State, seat: int) -> State:
    """The pawns leave the board as if they had drowned (GW-R14)."""
    lost = [owner == seat for owner in state.owners]
    pawns = tuple("" if gone else place for gone, place in zip(lost, state.pawns, strict=True))
    faces = tuple("" if gone else face for gone, face in zip(lost, state.faces, strict=True))
    after = replace(state, pawns=pawns, handler=_handler_after(state, pawns))
    if len(after.survivors) <= 1:
        return replace(after, phase=ENDED, faces=("",) * len(faces))
    return _faces_set(after, faces)


# Acting --------------------------------------------------------------------------------------------------------


def move_pawns(state: State, action: Action) -> State:
    pawns = state.pawns
    for item in split(action[0]):
        index = pawn_of(state, item[0])
        pawns = stepped(pawns, index, near(pawns[index])[COMPASS.index(item[1])])
    return next_actor(state, state.order[1:], state.tiles, pawns, state.faces)


def arrange(state: State, action: Action) -> State:
    return next_actor(state, state.order[1:], state.tiles, arranged(state, action[0]), state.faces)


def arranged(state: State, argument: str) -> Pawns:
    pawns = list(state.pawns)
    for item in split(argument):
        suit, place = item.split(">")
        pawns[pawn_of(state, suit)] = place
    return tuple(pawns)


def move_tile(state: State, action: Action) -> State:
    source, target = action.args
    tiles = tuple([target if place == source else place for place in state.tiles])
    return next_actor(state, state.order[1:], tiles, state.pawns, state.faces)


def decline(state: State, _action: Action) -> State:
    return next_actor(state, state.order[1:], state.tiles, state.pawns, state.faces)


def next_actor(
    state: State, order: tuple[int, ...], tiles: tuple[str, ...], pawns: Pawns, faces: tuple[str, ...]
) -> State:
    """Skip whoever cannot do anything (GW-4.7, GW-4.11); after the last one a tile sinks."""
    while order and _lapses(faces[order[0]], tiles, pawns):
        order = order[1:]
    phase = ACTIONS if order else SINK
    return replace(state, phase=phase, order=order, tiles=tiles, pawns=pawns, faces=faces)


def _lapses(face: str, tiles: tuple[str, ...], pawns: Pawns) -> bool:
    return not free_tiles(tiles, pawns) if face == "n" else not can_step(tiles, pawns)


def free_tiles(tiles: tuple[str, ...], pawns: Pawns) -> list[str]:
    """The cells of the tiles without a pawn."""
    return [place for place in tiles if place and place not in pawns]


# Sinking -------------------------------------------------------------------------------------------------------


def sink(state: State, action: Action) -> State:
    new, revealed = action.args
    index = identity(state.line[0], revealed)
    assert index is not None
    lost = state.tiles[index]
    pawns = tuple("" if place == lost else place for place in state.pawns)
    owners = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
    return replace(
        state,
        tiles=(*state.tiles[:index], "", *state.tiles[index + 1 :]),
        pawns=pawns,
        line=state.line[1:] if new in NO_COIN else (*state.line[1:], new),
        sunk=(*state.sunk, index),
        faces=("",) * len(pawns),
        handler=_handler_after(state, pawns),
        turn=state.turn + 1,
        phase=SELECT if len(owners) > 1 else ENDED,
    )


def _handler_after(state: State, pawns: Pawns) -> int:
    """The first seat that is out draws the coins from now on (GW-5.2)."""
    if state.options.handler == "fixed" or pawns == state.pawns:
        return state.handler
    before = set(state.survivors)
    left = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
    is_first = len(before) == len(set(state.owners))
    return min(before - left, default=state.handler) if is_first else state.handler


DO: dict[str, Callable[[State, Action], State]] = {
    "deal_island": deal_island,
    "draw_start": draw_start,
    "open_line": open_line,
    "commit": commit,
    "reveal": reveal,
    "set_handler": set_handler,
    "move_pawns": move_pawns,
    "arrange": arrange,
    "move_tile": move_tile,
    "decline": decline,
    "sink": sink,
}
