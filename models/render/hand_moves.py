"""How a hand carries pieces from one layout to the next: paths, heights, turning over."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.render import hands
from models.render.edition import Sizes
from models.render.rest_height import thickness
from models.render.scene import Body
from models.render.truth import shown

_TOGETHER = 7
_AWAY = 15.0
_RIM = 3.3


@dataclass(frozen=True, slots=True)
class CarriedPiece:
    """A piece that goes from one place to another; None: from outside the picture, or out of it."""

    start: Body | None
    end: Body | None

    @property
    def piece(self) -> Body:
        """The piece itself."""
        found = self.end or self.start
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Instant:
    """What lies still and what moves at one instant."""

    still: tuple[Body, ...]
    moving: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """Whose hand it is: where it comes from (degrees), how fast it is, what it looks like."""

    angle: float = 0.0
    seconds: float = 0.55
    seed: int = 0
    left: bool = False


def changes(before: Iterable[Body], after: Iterable[Body]) -> list[CarriedPiece]:
    """What has to be carried. What leaves goes first, the topmost before what is under it.

    A piece that bears another name afterwards, because like pieces are named after their places, is carried there.
    """
    old, new = {b.name: b for b in before}, {b.name: b for b in after}
    gone = sorted((b for name, b in old.items() if name not in new), key=lambda b: -b.z)
    carries = []
    for name, body in sorted(new.items(), key=lambda item: item[1].z):
        if name in old:
            carries += [] if _same(old[name], body) else [CarriedPiece(old[name], body)]
        else:
            start = _nearest_like(body, gone)
            gone = [b for b in gone if b is not start]
            carries.append(CarriedPiece(start, body))
    return [CarriedPiece(b, None) for b in gone] + carries


def _nearest_like(body: Body, others: Iterable[Body]) -> Body | None:
    like = [b for b in others if _look(b) == _look(body)]
    return min(like, key=lambda b: math.hypot(b.x - body.x, b.y - body.y), default=None)


def _look(body: Body) -> tuple[object, ...]:
    return body.kind, body.size, body.pose, *shown(body).values()


def _same(a: Body, b: Body) -> bool:
    still = math.hypot(a.x - b.x, a.y - b.y) < 0.08 and abs(a.z - b.z) < 0.02 and abs(a.angle - b.angle) < 4
    return still and (a.suit, a.value, a.face, a.pose) == (b.suit, b.value, b.face, b.pose)


def play(
    before: Sequence[Body], tables: Sequence[Sequence[Body]], sizes: Sizes, player: Player, fps: float
) -> Iterator[Instant]:
    """Every instant of the way through some tables, hand out of the picture at the end and never in between."""
    still = {b.name: b for b in before}
    hand: Spot | None = None
    piece: Body | None = None
    for after in tables:
        carries = changes(still.values(), after)
        carried = {c.piece.name for c in carries}
        # what only shifted by a hair is not worth a hand
        still |= {b.name: b for b in after if b.name in still and b.name not in carried}
        for carry in carries[:_TOGETHER]:
            piece = carry.piece
            for moment, spot in _one(carry, still, hand or _outside(piece, player), sizes, player, fps):
                hand = spot
                yield moment
        if len(carries) > _TOGETHER:
            still = {b.name: b for b in after}
    if hand is None or piece is None:
        return
    for spot in _path(hand, _outside(piece, player), player.seconds * 0.8, fps, 1.0):
        yield Instant(tuple(still.values()), (_hand(spot, player, "flat"),))
    yield Instant(tuple(tables[-1]), ())


def pass_over(
    before: Sequence[Body], after: Sequence[Body], height: float, player: Player, fps: float
) -> Iterator[Instant]:
    """An arm that reaches over the table and draws back; half-way `before` becomes `after`."""
    middle = replace(before[0], x=float(np.mean([b.x for b in before])), y=float(np.mean([b.y for b in before])))
    outside, over = _outside(middle, player), (middle.x, middle.y, height)
    there = _path(outside, over, player.seconds * 1.5, fps, 0.5)
    back = _path(over, outside, player.seconds * 1.5, fps, 0.5)
    for still, way in ((before, there), (after, back)):
        for spot in way:
            yield Instant(tuple(still), (_hand(spot, player, "flat"),))
    yield Instant(tuple(after), ())


Spot = tuple[float, float, float]


def _outside(piece: Body, player: Player) -> Spot:
    """Where the finger tips are when the hand is out of the picture."""
    back = math.radians(player.angle)
    return piece.x + math.sin(back) * _AWAY, piece.y - math.cos(back) * _AWAY, 2.5


def _hand(spot: Spot, player: Player, pose: str) -> Body:
    body = hands.reaching(spot[0], spot[1], spot[2], player.angle, pose, 15.0, player.seed, player.left)
    return replace(body, name="hand")


def _path(start: Spot, end: Spot, seconds: float, fps: float, lift: float) -> Iterator[Spot]:
    """A smooth arc, slow at both ends."""
    count = max(2, round(seconds * fps))
    for t in np.arange(1, count + 1) / count:
        ease = t * t * (3 - 2 * t)
        high = lift * math.sin(math.pi * ease)
        yield (
            start[0] + (end[0] - start[0]) * ease, start[1] + (end[1] - start[1]) * ease,
            start[2] + (end[2] - start[2]) * ease + high,
        )  # fmt: skip


def _hold(body: Body, sizes: Sizes) -> float:
    """How high above its underside a thing is held: a cup by its rim."""
    return _RIM if body.kind == "clutter" else max(thickness(body, sizes) * 0.6, 0.1)


def _grip(body: Body, sizes: Sizes) -> Spot:
    """Where the finger tips take hold of a piece."""
    return body.x, body.y, body.z + _hold(body, sizes)


def _one(
    carry: CarriedPiece, still: dict[str, Body], hand: Spot, sizes: Sizes, player: Player, fps: float
) -> Iterator[tuple[Instant, Spot]]:
    """Reach, take, carry, put down."""
    if carry.start is not None:
        for spot in _path(hand, _grip(carry.start, sizes), player.seconds * 0.8, fps, 0.6):
            yield Instant(tuple(still.values()), (_hand(spot, player, "pinch"),)), spot
        hand = _grip(carry.start, sizes)
        still.pop(carry.start.name, None)
    away = _outside(carry.piece, player)
    source = carry.start or carry.piece
    goal = _grip(carry.end, sizes) if carry.end is not None else away
    count = max(2, round(player.seconds * 1.3 * fps))
    for index, spot in enumerate(_path(hand, goal, player.seconds * 1.3, fps, 1.0), 1):
        held = _held(source, carry.end or source, spot, index / count, sizes)
        yield Instant(tuple(still.values()), (_hand(spot, player, "pinch"), held)), spot
    if carry.end is not None:
        still[carry.piece.name] = carry.end


def _held(start: Body, end: Body, spot: Spot, t: float, sizes: Sizes) -> Body:
    """The piece in the fingers, turning towards its new direction and, where its face changes, over."""
    turned = (end.angle - start.angle + 180) % 360 - 180
    flipped = (start.face, start.value, start.pose) != (end.face, end.value, end.pose)
    tilt = 80 * math.sin(math.pi * min(t, 1.0)) if flipped else 6 * math.sin(math.pi * t)
    seen = end if t > 0.5 else start
    z = max(spot[2] - _hold(seen, sizes), 0.0)
    return replace(seen, x=spot[0], y=spot[1], z=z, angle=start.angle + turned * t, lean=(tilt, 40.0))
