"""Incidents at a simulated table on request: illegal acts, take-backs, two moves at once, and meaningless disturbances
(jostle, camera bump, lamp, cup, arm)."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion_api.simulated.synthetic import Noise, Onlooker
from companion_api.trials.alike import BY_HAND, looks_alike
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.pieces import Face, Kind, Pose
from rules.referee.exposure import exposed
from rules.referee.observed_change import nearest_place
from rules.referee.referee import Referee
from rules.table.layout import Layout, Place, Placed, Zone

# Illegal acts: a legal layout changed without asking the game's rules; the caller drops those that turn out legal

SMALL = (Kind.COIN, Kind.PAWN, Kind.PYRAMID)
MIN_TILES = 4  # fewer tiles leave it open which one was moved
Stage = Callable[[Layout, random.Random], Layout | None]


@dataclass(frozen=True, slots=True)
class Staged:
    """An act of a kind, applied to the layout of a state."""

    kind: str
    state: Any
    layout: Layout


def with_piece(layout: Layout, old: Placed, new: Placed | None) -> Layout:
    """The layout with one piece replaced on top of all others, or removed."""
    kept = tuple(p for p in layout.pieces if p.key != old.key)
    return replace(layout, pieces=(*kept, *((new,) if new else ())))


def _uncovered(layout: Layout, *kinds: Kind) -> list[Placed]:
    return [p for p, share in exposed(layout) if share >= 1.0 and p.piece.kind in kinds]


def _choose(rng: random.Random, pieces: list[Placed]) -> Placed | None:
    return rng.choice(pieces) if pieces else None


def _is_free(layout: Layout, place: Place) -> bool:
    return not any(
        p.piece.kind in SMALL and math.hypot(p.x - place.x, p.y - place.y) < 0.6 for p in layout.zone(Zone.BOARD)
    )


def _change_one(
    layout: Layout, rng: random.Random, pieces: list[Placed], change: Callable[[Placed], Placed | None]
) -> Layout | None:
    piece = _choose(rng, pieces)
    return with_piece(layout, piece, change(piece)) if piece else None


def _move_random(
    layout: Layout, rng: random.Random, fits: Callable[[float, float], bool], free: bool = True
) -> Layout | None:
    """A piece moved to a place; `fits` gets how far that is in x and in y, in spaces."""
    piece = _choose(rng, _uncovered(layout, *SMALL))
    here = next((p for p in layout.places if piece and piece.place and p.name == piece.place), None)
    if piece is None or here is None:
        return None
    places = [p for p in layout.places if p is not here and fits(abs(p.x - here.x), abs(p.y - here.y))]
    goals = [p for p in places if _is_free(layout, p) is free]
    if not goals:
        return None
    place = rng.choice(goals)
    return with_piece(layout, piece, replace(piece, x=place.x, y=place.y, place=place.name))


def _moved(fits: Callable[[float, float], bool]) -> Stage:
    return lambda layout, rng: _move_random(layout, rng, fits)


def _removed(*kinds: Kind) -> Stage:
    return lambda layout, rng: _change_one(layout, rng, _uncovered(layout, *kinds), lambda _: None)


def onto_another(layout: Layout, rng: random.Random) -> Layout | None:
    """Onto a different-looking piece: from above two equal pieces look like one."""
    done = _move_random(layout, rng, lambda dx, dy: dx + dy > 0, free=False)
    if done is None:
        return None
    tops = [p.shown for p in done.at(done.pieces[-1].place) if p.piece.kind in SMALL][-2:]
    return done if len(set(tops)) == 2 else None


def between_places(layout: Layout, rng: random.Random) -> Layout | None:
    piece = _choose(rng, _uncovered(layout, *SMALL))
    if piece is None:
        return None
    turn = rng.uniform(0, math.tau)
    x, y = piece.x + 1.55 * math.cos(turn), piece.y + 1.55 * math.sin(turn)
    place = nearest_place(layout, x, y)
    if place in ("", piece.place):
        return None
    return with_piece(layout, piece, replace(piece, x=x, y=y, place=place))


def two_at_once(layout: Layout, rng: random.Random) -> Layout | None:
    first = _move_random(layout, rng, lambda dx, dy: dx + dy < 2.3)
    return _move_random(first, rng, lambda dx, dy: dx + dy < 2.3) if first else None


def exchanged(layout: Layout, rng: random.Random) -> Layout | None:
    pieces = _uncovered(layout, *SMALL)
    one = _choose(rng, pieces)
    other = _choose(rng, [p for p in pieces if one and p.shown != one.shown])
    if one is None or other is None:
        return None
    swapped = with_piece(layout, one, replace(one, x=other.x, y=other.y, place=other.place))
    return with_piece(swapped, other, replace(other, x=one.x, y=one.y, place=one.place))


def added(layout: Layout, rng: random.Random) -> Layout | None:
    piece = _choose(rng, _uncovered(layout, *SMALL))
    free = [p for p in layout.places if _is_free(layout, p)]
    if piece is None or not free:
        return None
    place = rng.choice(free)
    extra = replace(piece, key="extra", x=place.x, y=place.y, place=place.name)
    return replace(layout, pieces=(*layout.pieces, extra))


def flipped(layout: Layout, rng: random.Random) -> Layout | None:
    known = [p for p in _uncovered(layout, Kind.COIN) if p.piece.suit is not None and p.piece.rank is not None]
    return _change_one(
        layout, rng, known, lambda coin: replace(coin, face=Face.FRONT if coin.face is Face.BACK else Face.BACK)
    )


def toppled(layout: Layout, rng: random.Random) -> Layout | None:
    pyramids = [p for p in _uncovered(layout, Kind.PYRAMID) if p.pose]
    return _change_one(
        layout, rng, pyramids, lambda p: replace(p, pose=Pose.FLAT if p.pose is Pose.UPRIGHT else Pose.UPRIGHT)
    )


def _supports_piece(layout: Layout, tile: Placed) -> bool:
    return any(p.piece.kind in SMALL and math.hypot(p.x - tile.x, p.y - tile.y) < 1.3 for p in layout.board)


def tile_moved(layout: Layout, rng: random.Random) -> Layout | None:
    tile = _choose(rng, [t for t in _uncovered(layout, Kind.TILE) if not _supports_piece(layout, t)])
    if tile is None or len(_uncovered(layout, Kind.TILE)) < MIN_TILES:
        return None
    turn = rng.choice((0, 90, 180, 270)) + rng.uniform(20, 70)
    x, y = tile.x + 1.3 * math.cos(math.radians(turn)), tile.y + 1.3 * math.sin(math.radians(turn))
    moved = replace(tile, x=x, y=y, place="")
    return None if _supports_piece(layout, moved) else with_piece(layout, tile, moved)


def tile_turned_over(layout: Layout, rng: random.Random) -> Layout | None:
    tiles = [p for p in _uncovered(layout, Kind.TILE) if p.piece.suit and p.face is Face.FRONT]
    return _change_one(layout, rng, tiles, lambda tile: replace(tile, face=Face.BACK))


KINDS: dict[str, Stage] = {
    "too_far": _moved(lambda dx, dy: max(dx, dy) > 2.2 and min(dx, dy) < 0.3),
    "diagonal": _moved(lambda dx, dy: 0.7 < dx < 2.3 and abs(dx - dy) < 0.2),
    # one step sideways: the wrong player's piece, or in a wrong direction
    "one_step": _moved(lambda dx, dy: 0.7 < dx + dy < 1.3),
    "knights_leap": _moved(lambda dx, dy: sorted((round(dx), round(dy))) == [1, 2]),
    "onto_another": onto_another,
    "anywhere_else": _moved(lambda dx, dy: dx + dy > 3),
    "between_places": between_places, "two_at_once": two_at_once, "exchanged": exchanged, "removed": _removed(*SMALL),
    "added": added, "flipped": flipped, "toppled": toppled, "tile_moved": tile_moved,
    "tile_removed": _removed(Kind.TILE), "tile_turned_over": tile_turned_over,
}  # fmt: skip


ILLEGAL = "illegal"  # whichever kind the table allows
WRONG_MOVE = "wrong_move"  # whichever of those that people would call a wrong move
TAKE_BACK, QUICK = "take_back", "quick"
DISTURBANCES = ("jostle", "bump", "lamp", "cup", "arm")
INCIDENTS = (ILLEGAL, WRONG_MOVE, *KINDS, TAKE_BACK, QUICK, *DISTURBANCES)
WRONG_MOVES = ("knights_leap", "too_far", "diagonal", "one_step", "anywhere_else")
STAGED = "staged"
"""Code of the note about an incident."""
MAX_RECENT = 6
"""Earlier states remembered: an act leading back to one of them is a take-back."""
_TRIES = 8


class ActKind(StrEnum):
    """What an act means for the game, whatever it looks like."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    PUT_RIGHT = "put right"  # an illegal act was undone
    TAKEN_BACK = "taken back"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Meaning:
    """Ground truth of an act: the actions of a legal one, the kind of an incident, and for an illegal act the citable
    clauses, where requested and where the game has words for it."""

    deed: ActKind
    actions: tuple[str, ...] = ()
    incident: str = ""
    clauses: frozenset[str] = frozenset()


def caption(meaning: Meaning) -> dict[str, Any] | None:
    """A log note that tells people what is staged; None for plain play."""
    if not meaning.incident or meaning.deed is ActKind.TAKEN_BACK:
        return None
    facts = {"incident": meaning.incident}
    if meaning.deed is ActKind.PUT_RIGHT:
        return {"code": "put_right", "text": "it is put back as it lay", "facts": facts}
    return {"code": STAGED, "text": "at the simulated table this happens now", "facts": facts}


class Requests:
    """Queue of requested incidents, filled from any thread and read by the filming one."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._wanted: deque[str] = deque()
        for incident in first:
            self.ask(incident)

    def ask(self, incident: str) -> None:
        if incident not in INCIDENTS:
            raise ValueError(f"nothing is staged under the name {incident!r}; there are {', '.join(INCIDENTS)}")
        self._wanted.append(incident)

    def take(self) -> str | None:
        """The next request, if there is one."""
        return self._wanted.popleft() if self._wanted else None


def staged_at(
    game: AnyGame, state: Any, incident: str, rng: random.Random, recent: Sequence[Any] = ()
) -> Staged | None:
    """An illegal act of that kind (or any), if this table allows one; `recent`: states whose layout would make it a
    take-back."""
    layout = game.layout(state)
    candidates = {ILLEGAL: tuple(KINDS), WRONG_MOVE: WRONG_MOVES}.get(incident, (incident,))
    kinds = rng.sample(candidates, len(candidates)) if len(candidates) > 1 else candidates
    for kind in kinds:
        for _ in range(_TRIES):
            done = KINDS[kind](layout, rng)
            if done is not None and not _is_legal(game, state, done, recent):
                return Staged(kind, state, done)
    return None


def _is_legal(game: AnyGame, state: Any, layout: Layout, recent: Sequence[Any]) -> bool:
    """Whether legal actions, none, or a take-back explain this layout."""
    onlooker = Onlooker(0, Noise(jitter=0.0, doubt=0.0))
    referee = Referee(game, History(game, state))
    before = onlooker.see(game.layout(state))
    referee.begin(before.table)
    referee.look(before)
    verdict = referee.look(onlooker.see(layout))
    explained = (state_after(game, state, choice.actions) for choice in verdict.choices)
    ends = [state, referee.history.state, *explained, *recent]
    return any(looks_alike(game.layout(end), layout, BY_HAND) for end in ends)


def state_after(game: AnyGame, state: Any, actions: Iterable[Action]) -> Any:
    for action in actions:
        state = game.advance(state, action)
    return state
