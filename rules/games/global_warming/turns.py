"""Order of choosing and acting, meaning of the faces (GW-4.1 to GW-4.5), arrangements after exactly k single steps
(GW-4.5 to GW-4.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.engine import Action
from rules.engine.values import replace, with_item
from rules.games.global_warming.cells import distances, near, point
from rules.games.global_warming.opening import MISSING, Phase, State
from rules.pieces import SUITS, parse_suit

Pawns = tuple[str, ...]
_PATIENCE = 20_000
_FAR = 10_000
FACE_ORDER = "n5432a"
FACES = "na2345"
NO_COIN = ("", "-")
_SUITS = {suit.letter: suit for suit in SUITS}


def steps(land: Collection[str], pawns: Pawns) -> list[tuple[int, int, str]]:
    """Single steps as pawn, direction, target cell (GW-4.6)."""
    return [
        (index, direction, target)
        for index, place in enumerate(pawns)
        if place
        for direction, target in enumerate(near(place))
        if target in land and target not in pawns
    ]


def can_step(land: Collection[str], pawns: Pawns) -> bool:
    return any(target in land and target not in pawns for place in pawns if place for target in near(place))


def reachable(land: Collection[str], pawns: Pawns, quota: int) -> Iterator[Pawns]:
    """Every arrangement after exactly `quota` steps, once, nearest first."""
    seen = {pawns}
    layer = [pawns]
    if not can_step(land, pawns):
        return
    for distance in range(quota + 1):
        if (quota - distance) % 2 == 0:
            yield from layer
        if distance < quota:
            found = []
            for current in layer:
                for index, _, target in steps(land, current):
                    after = with_item(current, index, target)
                    if after not in seen:
                        seen.add(after)
                        found.append(after)
            layer = found


def parity(pawns: Pawns) -> int:
    """Parity of an arrangement, which every step changes (GW-4.8)."""
    return sum(sum(point(place)) for place in pawns if place) % 2


def shortest_way(land: Collection[str], start: Pawns, goal: Pawns, limit: int) -> list[Pawns] | None:
    """Arrangements from start to goal, one step each, if at most `limit` steps are needed (IDA*)."""
    return _PawnSearch(land, goal).run(start, limit)


class _PawnSearch:
    """Iterative deepening by two steps; the lower bound is the distance of each pawn without the others."""

    def __init__(self, land: Collection[str], goal: Pawns) -> None:
        self.land = frozenset(land)
        self.goal = goal
        self.maps = [distances(self.land, place) if place else {"": 0} for place in goal]
        self.patience = _PATIENCE
        self.seen: dict[Pawns, int] = {}

    def run(self, start: Pawns, limit: int) -> list[Pawns] | None:
        left = sum(far.get(place, _FAR) for far, place in zip(self.maps, start, strict=True))
        for bound in range(left, limit + 1, 2):
            self.seen = {}
            way = [start]
            if self.deepen(way, left, bound):
                return way
        return None

    def deepen(self, way: list[Pawns], left: int, bound: int) -> bool:
        here = way[-1]
        if here == self.goal:
            return True
        self.patience -= 1
        if self.patience < 0 or self.seen.get(here, -1) >= bound:
            return False
        self.seen[here] = bound
        for index, _, target in steps(self.land, here):
            far = self.maps[index]
            rest = left - far.get(here[index], _FAR) + far.get(target, _FAR)
            if rest < bound:
                way.append(with_item(here, index, target))
                if self.deepen(way, rest, bound - 1):
                    return True
                way.pop()
        return False


def quota(face: str) -> int:
    """Number of steps of a face; the blank gives none, but moves a tile (GW-R1)."""
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
    """Seat that sets a die or resigns: the one named, or the only one still to choose."""
    if action.seat is not None:
        return action.seat
    seats = still_choosing(state)
    return seats[0] if len(seats) == 1 else None


def faces_set(state: State, faces: tuple[str, ...]) -> State:
    """The state with these faces; once every living pawn has one, the dice are uncovered (GW-4.3)."""
    alive = state.alive
    if any(not faces[index] for index in alive):
        return replace(state, faces=faces)
    if MISSING in faces and state.options.missing_commit == "replay":
        return replace(state, faces=("",) * len(faces))
    return next_actor(replace(state, order=acting_order(faces), faces=faces))


def acting_order(faces: tuple[str, ...]) -> tuple[int, ...]:
    """Order of action after equal faces have cancelled each other: blank first, then downwards (GW-4.4)."""
    single = [index for index, face in enumerate(faces) if face and face in FACE_ORDER and faces.count(face) == 1]
    return tuple(sorted(single, key=lambda index: FACE_ORDER.index(faces[index])))


def next_actor(state: State) -> State:
    """The state of the first in the order that can act (GW-4.7, GW-4.11); after the last one a tile sinks."""
    order = state.order
    while order and _is_skipped(state, state.faces[order[0]]):
        order = order[1:]
    return replace(state, phase=Phase.ACTIONS if order else Phase.SINK, order=order)


def after_action(state: State, **changes: tuple[str, ...]) -> State:
    """The state after the action of the first in the order, which has changed tiles or pawns."""
    return next_actor(replace(state, order=state.order[1:], **changes))


def _is_skipped(state: State, face: str) -> bool:
    return not (free_tiles(state) if face == "n" else can_step(state.tiles, state.pawns))


def free_tiles(state: State) -> list[str]:
    """The cells of the tiles without a pawn."""
    return [place for place in state.tiles if place and place not in state.pawns]


def handler_after(state: State, pawns: Pawns) -> int:
    """Seat that draws the coins from now on: the first that is out (GW-5.2)."""
    if state.options.handler == "fixed" or pawns == state.pawns:
        return state.handler
    before = set(state.survivors)
    left = {owner for owner, place in zip(state.owners, pawns, strict=True) if place}
    is_first = len(before) == len(set(state.owners))
    return min(before - left, default=state.handler) if is_first else state.handler


def arrange(state: State, goal: Pawns) -> Action:
    """The action that moves the pawns to these places."""
    changed = [
        f"{suit.letter}>{place}"
        for suit, old, place in zip(state.suits, state.pawns, goal, strict=True)
        if old != place
    ]
    return Action("arrange", ("+".join(changed) or "-",))
