"""Illegal acts, staged by changing the table of legal play by hand: no game is asked how to break its rules.

What the acts mean is told by the game's own shorthand ("a1-b1") where it has one; that is the clause that should be
cited. An act that turns out to be legal is no staged act and is left out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.pieces import Face, Kind, Pose
from rules.referee.likelihood import exposed
from rules.table.layout import Layout, Place, Placed, Zone

SMALL = (Kind.COIN, Kind.PAWN, Kind.PYRAMID)


@dataclass(frozen=True)
class Staged:
    """`source` and `goal` are the places of a piece that was moved: what people would call "a1-c1"."""

    kind: str
    state: Any
    layout: Layout
    source: str = ""
    goal: str = ""


Stage = Callable[[Layout, random.Random], tuple[Layout, str, str] | None]


def staged(game: AnyGame, seed: int, each: int = 1, limit: int = 40) -> Iterator[Staged]:
    """Acts of every kind that the table allows, at moments of a random game when somebody is to move."""
    rng = random.Random(seed)
    for count, (state, _) in enumerate(walk(game, seed)):
        if count >= limit:
            return
        if game.turn(state).kind is not TurnKind.SEAT or rng.random() > 0.35:
            continue
        for kind, stage in KINDS.items():
            for _ in range(each):
                done = stage(game.layout(state), rng)
                if done is not None:
                    yield Staged(kind, state, *done)


def _open(layout: Layout, *kinds: Kind) -> list[Placed]:
    return [p for p, share in exposed(layout) if share >= 1.0 and p.piece.kind in kinds]


def _choose(rng: random.Random, pieces: list[Placed]) -> Placed | None:
    return rng.choice(pieces) if pieces else None


def _free(layout: Layout, place: Place) -> bool:
    return not any(
        p.piece.kind in SMALL and math.hypot(p.x - place.x, p.y - place.y) < 0.6 for p in layout.zone(Zone.BOARD)
    )


def _carried(layout: Layout, piece: Placed, place: Place) -> tuple[Layout, str, str]:
    there = replace(piece, x=place.x, y=place.y, place=place.name)
    return _with(layout, piece, there), piece.place, place.name


def _with(layout: Layout, old: Placed, new: Placed | None) -> Layout:
    kept = tuple(p for p in layout.pieces if p.key != old.key)
    return replace(layout, pieces=(*kept, *((new,) if new else ())))


def _moved(layout: Layout, rng: random.Random, fits: Callable[[float, float], bool], free: bool = True) -> Any:
    piece = _choose(rng, _open(layout, *SMALL))
    if piece is None or not piece.place:
        return None
    here = next((p for p in layout.places if p.name == piece.place), None)
    if here is None:
        return None
    goals = [
        p
        for p in layout.places
        if p is not here and fits(abs(p.x - here.x), abs(p.y - here.y)) and _free(layout, p) is free
    ]
    return _carried(layout, piece, rng.choice(goals)) if goals else None


def too_far(layout: Layout, rng: random.Random) -> Any:
    return _moved(layout, rng, lambda dx, dy: max(dx, dy) > 2.2 and min(dx, dy) < 0.3)


def diagonal(layout: Layout, rng: random.Random) -> Any:
    return _moved(layout, rng, lambda dx, dy: 0.7 < dx < 2.3 and abs(dx - dy) < 0.2)


def one_step(layout: Layout, rng: random.Random) -> Any:
    """Anybody's piece, a step to the side: the wrong player's, or the wrong way."""
    return _moved(layout, rng, lambda dx, dy: 0.7 < dx + dy < 1.3)


def knights_leap(layout: Layout, rng: random.Random) -> Any:
    return _moved(layout, rng, lambda dx, dy: sorted((round(dx), round(dy))) == [1, 2])


def onto_another(layout: Layout, rng: random.Random) -> Any:
    """Onto a piece that looks otherwise: from above nobody can tell one of two like pieces from both."""
    done = _moved(layout, rng, lambda dx, dy: True, free=False)
    if done is None:
        return None
    tops = [p.shown for p in done[0].at(done[2]) if p.piece.kind in SMALL][-2:]
    return done if len(set(tops)) == 2 else None


def anywhere_else(layout: Layout, rng: random.Random) -> Any:
    return _moved(layout, rng, lambda dx, dy: dx + dy > 3)


def between_places(layout: Layout, rng: random.Random) -> Any:
    piece = _choose(rng, _open(layout, *SMALL))
    if piece is None:
        return None
    turn = rng.uniform(0, math.tau)
    there = replace(piece, x=piece.x + 1.55 * math.cos(turn), y=piece.y + 1.55 * math.sin(turn), place="")
    return _with(layout, piece, there), "", ""


def two_at_once(layout: Layout, rng: random.Random) -> Any:
    first = _moved(layout, rng, lambda dx, dy: dx + dy < 2.3)
    second = first and _moved(first[0], rng, lambda dx, dy: dx + dy < 2.3)
    return (second[0], "", "") if second else None


def exchanged(layout: Layout, rng: random.Random) -> Any:
    pieces = _open(layout, *SMALL)
    one = _choose(rng, pieces)
    other = _choose(rng, [p for p in pieces if one and p.shown != one.shown])
    if one is None or other is None:
        return None
    swapped = _with(layout, one, replace(one, x=other.x, y=other.y, place=other.place))
    return _with(swapped, other, replace(other, x=one.x, y=one.y, place=one.place)), "", ""


def removed(layout: Layout, rng: random.Random) -> Any:
    piece = _choose(rng, _open(layout, *SMALL))
    return (_with(layout, piece, None), "", "") if piece else None


def added(layout: Layout, rng: random.Random) -> Any:
    piece = _choose(rng, _open(layout, *SMALL))
    free = [p for p in layout.places if _free(layout, p)]
    if piece is None or not free:
        return None
    place = rng.choice(free)
    extra = replace(piece, key="extra", x=place.x, y=place.y, place=place.name)
    return replace(layout, pieces=(*layout.pieces, extra)), "", ""


def flipped(layout: Layout, rng: random.Random) -> Any:
    known = [p for p in _open(layout, Kind.COIN) if p.piece.suit is not None and p.piece.rank is not None]
    coin = _choose(rng, known)
    if coin is None:
        return None
    return _with(layout, coin, replace(coin, face=Face.FRONT if coin.face is Face.BACK else Face.BACK)), "", ""


def toppled(layout: Layout, rng: random.Random) -> Any:
    piece = _choose(rng, [p for p in _open(layout, Kind.PYRAMID) if p.pose])
    if piece is None:
        return None
    return _with(layout, piece, replace(piece, pose=Pose.FLAT if piece.pose is Pose.UPRIGHT else Pose.UPRIGHT)), "", ""


def tile_moved(layout: Layout, rng: random.Random) -> Any:
    tile = _choose(rng, _open(layout, Kind.TILE))
    if tile is None:
        return None
    turn = rng.choice((0, 90, 180, 270)) + rng.uniform(20, 70)
    x, y = tile.x + 1.3 * math.cos(math.radians(turn)), tile.y + 1.3 * math.sin(math.radians(turn))
    return _with(layout, tile, replace(tile, x=x, y=y, place="")), "", ""


def tile_removed(layout: Layout, rng: random.Random) -> Any:
    tile = _choose(rng, _open(layout, Kind.TILE))
    return (_with(layout, tile, None), "", "") if tile else None


def tile_turned_over(layout: Layout, rng: random.Random) -> Any:
    tile = _choose(rng, [p for p in _open(layout, Kind.TILE) if p.piece.suit and p.face is Face.FRONT])
    return (_with(layout, tile, replace(tile, face=Face.BACK)), "", "") if tile else None


KINDS: dict[str, Stage] = {
    stage.__name__: stage
    for stage in (
        too_far, diagonal, one_step, knights_leap, onto_another, anywhere_else, between_places, two_at_once, exchanged,
        removed, added, flipped, toppled, tile_moved, tile_removed, tile_turned_over,
    )
}  # fmt: skip
