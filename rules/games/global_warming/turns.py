"""Who chooses, what the faces mean, and who acts next (GW-4.1 to GW-4.5)."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.values import replace
from rules.games.global_warming.opening import ACTIONS, MISSING, SINK, State
from rules.games.global_warming.pawns import Pawns, can_step
from rules.pieces import SUITS, parse_suit

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


def still_choosing(state: State) -> tuple[int, ...]:
    return tuple(sorted({state.owners[index] for index in state.alive if not state.faces[index]}))


def actor_of(state: State, action: Action) -> int | None:
    """Who sets a die or gives up: the seat it names, or the only one that has still to choose."""
    if action.seat is not None:
        return action.seat
    seats = still_choosing(state)
    return seats[0] if len(seats) == 1 else None


def faces_set(state: State, faces: tuple[str, ...]) -> State:
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


def handler_after(state: State, pawns: Pawns) -> int:
    """The first seat that is out draws the coins from now on (GW-5.2)."""
    if state.options.handler == "fixed" or pawns == state.pawns:
        return state.handler
    before = set(state.survivors)
    left = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
    is_first = len(before) == len(set(state.owners))
    return min(before - left, default=state.handler) if is_first else state.handler


def arrange(state: State, goal: Pawns) -> Action:
    """The action that leads the pawns to these places."""
    changed = [
        f"{suit.letter}>{place}"
        for suit, old, place in zip(state.suits, state.pawns, goal, strict=True)
        if old != place
    ]
    return Action("arrange", ("+".join(changed) or "-",))
