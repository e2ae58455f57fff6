"""Animation of hands that carry pieces from one layout to the next."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.render import hands
from models.render.edition import Sizes
from models.render.scene import Body
from models.render.shapes import thickness
from models.render.truth import visible_fields

_MAX_CARRIES = 7  # pieces carried by hand in one act; further ones change place unseen
_OUTSIDE_DISTANCE = 15.0  # inches
_CUP_GRIP = 3.3  # inches above its underside


@dataclass(frozen=True, slots=True)
class CarriedPiece:
    """A piece moved from one place to another; None: outside the picture."""

    start: Body | None
    end: Body | None

    @property
    def piece(self) -> Body:
        """The piece at its end, or at its start if it leaves."""
        found = self.end or self.start
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Instant:
    """Still and moving bodies of one frame."""

    still: tuple[Body, ...]
    moving: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """A hand: the direction it comes from (degrees), seconds per movement, appearance."""

    angle: float = 0.0
    seconds: float = 0.55
    seed: int = 0
    left: bool = False


def changes(before: Iterable[Body], after: Iterable[Body]) -> list[CarriedPiece]:
    """Pieces to carry, in order: those that leave first, the topmost of a stack before the ones below.

    Like pieces are named after their places: one whose name changed is carried from the old place to the new one.
    """
    old, new = {b.name: b for b in before}, {b.name: b for b in after}
    gone = sorted((b for name, b in old.items() if name not in new), key=lambda b: -b.z)
    carries = []
    for name, body in sorted(new.items(), key=lambda item: item[1].z):
        if name in old:
            carries += [] if _is_unmoved(old[name], body) else [CarriedPiece(old[name], body)]
        else:
            start = _nearest_like(body, gone)
            gone = [b for b in gone if b is not start]
            carries.append(CarriedPiece(start, body))
    return [CarriedPiece(b, None) for b in gone] + carries


def _nearest_like(body: Body, others: Iterable[Body]) -> Body | None:
    like = [b for b in others if _appearance(b) == _appearance(body)]
    return min(like, key=lambda b: math.hypot(b.x - body.x, b.y - body.y), default=None)


def _appearance(body: Body) -> tuple[object, ...]:
    return body.kind, body.size, body.pose, *visible_fields(body).values()


def _is_unmoved(a: Body, b: Body) -> bool:
    still = math.hypot(a.x - b.x, a.y - b.y) < 0.08 and abs(a.z - b.z) < 0.02 and abs(a.angle - b.angle) < 4
    return still and (a.suit, a.value, a.face, a.pose) == (b.suit, b.value, b.face, b.pose)


def carry_pieces(
    before: Sequence[Body], tables: Sequence[Sequence[Body]], sizes: Sizes, player: Player, fps: float
) -> Iterator[Instant]:
    """Frames of the way through some tables; the hand leaves the picture at the end only."""
    still = {b.name: b for b in before}
    hand: Spot | None = None
    piece: Body | None = None
    for after in tables:
        carries = changes(still.values(), after)
        carried = {c.piece.name for c in carries}
        # a piece that shifted by a hair is not carried
        still |= {b.name: b for b in after if b.name in still and b.name not in carried}
        for carry in carries[:_MAX_CARRIES]:
            piece = carry.piece
            for instant, spot in _carry(carry, still, hand or _outside(piece, player), sizes, player, fps):
                hand = spot
                yield instant
        if len(carries) > _MAX_CARRIES:
            still = {b.name: b for b in after}
    if hand is None or piece is None:
        return
    for spot in _path(hand, _outside(piece, player), player.seconds * 0.8, fps, 1.0):
        yield Instant(tuple(still.values()), (_hand(spot, player, "flat"),))
    yield Instant(tuple(tables[-1]), ())


def reach_over(
    before: Sequence[Body], after: Sequence[Body], height: float, player: Player, fps: float
) -> Iterator[Instant]:
    """Frames of an arm that reaches over the table and back; half-way `before` becomes `after`."""
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
    """Position of the finger tips of a hand outside the picture."""
    back = math.radians(player.angle)
    return piece.x + math.sin(back) * _OUTSIDE_DISTANCE, piece.y - math.cos(back) * _OUTSIDE_DISTANCE, 2.5


def _hand(spot: Spot, player: Player, pose: str) -> Body:
    body = hands.reaching(spot, player.angle, pose, 15.0, player.seed, player.left)
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


def _grip_height(body: Body, sizes: Sizes) -> float:
    """Height above its underside at which a body is held: a cup by its rim."""
    return _CUP_GRIP if body.kind == "clutter" else max(thickness(body, sizes) * 0.6, 0.1)


def _grip_point(body: Body, sizes: Sizes) -> Spot:
    return body.x, body.y, body.z + _grip_height(body, sizes)


def _carry(
    carry: CarriedPiece, still: dict[str, Body], hand: Spot, sizes: Sizes, player: Player, fps: float
) -> Iterator[tuple[Instant, Spot]]:
    """Frames of reaching for a piece, taking, carrying and putting it down, with the position of the hand."""
    if carry.start is not None:
        for spot in _path(hand, _grip_point(carry.start, sizes), player.seconds * 0.8, fps, 0.6):
            yield Instant(tuple(still.values()), (_hand(spot, player, "pinch"),)), spot
        hand = _grip_point(carry.start, sizes)
        still.pop(carry.start.name, None)
    away = _outside(carry.piece, player)
    source = carry.start or carry.piece
    goal = _grip_point(carry.end, sizes) if carry.end is not None else away
    count = max(2, round(player.seconds * 1.3 * fps))
    for index, spot in enumerate(_path(hand, goal, player.seconds * 1.3, fps, 1.0), 1):
        held = _held_piece(source, carry.end or source, spot, index / count, sizes)
        yield Instant(tuple(still.values()), (_hand(spot, player, "pinch"), held)), spot
    if carry.end is not None:
        still[carry.piece.name] = carry.end


def _held_piece(start: Body, end: Body, spot: Spot, t: float, sizes: Sizes) -> Body:
    """The piece in the fingers at `t` (0..1) of its way, rotating to its new angle and face."""
    turned = (end.angle - start.angle + 180) % 360 - 180
    flipped = (start.face, start.value, start.pose) != (end.face, end.value, end.pose)
    tilt = 80 * math.sin(math.pi * min(t, 1.0)) if flipped else 6 * math.sin(math.pi * t)
    seen = end if t > 0.5 else start
    z = max(spot[2] - _grip_height(seen, sizes), 0.0)
    return replace(seen, x=spot[0], y=spot[1], z=z, angle=start.angle + turned * t, lean=(tilt, 40.0))
