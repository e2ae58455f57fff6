"""How a hand carries pieces from one layout to the next: paths, heights, turning over."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.render import hands
from models.render.edition import Sizes
from models.render.resting import thickness
from models.render.scene import Body

_TOGETHER = 7
_AWAY = 15.0


@dataclass(frozen=True, slots=True)
class Carry:
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
class Moment:
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


def changes(before: Iterable[Body], after: Iterable[Body]) -> list[Carry]:
    """What has to be carried. What leaves goes first, the topmost before what is under it."""
    old, new = {b.name: b for b in before}, {b.name: b for b in after}
    gone = [Carry(b, None) for name, b in old.items() if name not in new]
    moved = [Carry(old.get(name), b) for name, b in new.items() if name not in old or not _same(old[name], b)]
    gone.sort(key=lambda c: -c.piece.z)
    moved.sort(key=lambda c: c.piece.z)
    return gone + moved


def _same(a: Body, b: Body) -> bool:
    still = math.hypot(a.x - b.x, a.y - b.y) < 0.08 and abs(a.z - b.z) < 0.02 and abs(a.angle - b.angle) < 4
    return still and (a.suit, a.value, a.face, a.pose) == (b.suit, b.value, b.face, b.pose)


def play(before: Sequence[Body], after: Sequence[Body], sizes: Sizes, player: Player, fps: float) -> Iterator[Moment]:
    """Every instant of the way from one table to the next, hand out of the picture at the end."""
    carries = changes(before, after)
    still = {b.name: b for b in before}
    for body in after:  # what only shifted by a hair is not worth a hand
        if body.name in still and not any(c.piece.name == body.name for c in carries):
            still[body.name] = body
    hand = _outside(carries[0].piece, player) if carries else None
    for carry in carries[:_TOGETHER]:
        assert hand is not None
        for moment in _one(carry, still, hand, sizes, player, fps):
            hand = moment[1]
            yield moment[0]
    if hand is None:
        return
    done = {b.name: b for b in after}
    rest = tuple(done.values()) if len(carries) > _TOGETHER else tuple(still.values())
    away = _outside(carries[-1].piece, player)
    for spot in _path(hand, away, player.seconds * 0.8, fps, 1.0):
        yield Moment(rest, (_hand(spot, player, "flat"),))
    yield Moment(tuple(after), ())


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


def _grip(body: Body, sizes: Sizes) -> Spot:
    """Where the finger tips take hold of a piece."""
    return body.x, body.y, body.z + max(thickness(body, sizes) * 0.6, 0.1)


def _one(
    carry: Carry, still: dict[str, Body], hand: Spot, sizes: Sizes, player: Player, fps: float
) -> Iterator[tuple[Moment, Spot]]:
    """Reach, take, carry, put down."""
    if carry.start is not None:
        for spot in _path(hand, _grip(carry.start, sizes), player.seconds * 0.8, fps, 0.6):
            yield Moment(tuple(still.values()), (_hand(spot, player, "pinch"),)), spot
        hand = _grip(carry.start, sizes)
        still.pop(carry.piece.name, None)
    away = _outside(carry.piece, player)
    source = carry.start or carry.piece
    goal = _grip(carry.end, sizes) if carry.end is not None else away
    count = max(2, round(player.seconds * 1.3 * fps))
    for index, spot in enumerate(_path(hand, goal, player.seconds * 1.3, fps, 1.0), 1):
        held = _held(source, carry.end or source, spot, index / count, sizes)
        yield Moment(tuple(still.values()), (_hand(spot, player, "pinch"), held)), spot
    if carry.end is not None:
        still[carry.piece.name] = carry.end


def _held(start: Body, end: Body, spot: Spot, t: float, sizes: Sizes) -> Body:
    """The piece in the fingers, turning towards its new direction and, where its face changes, over."""
    turned = (end.angle - start.angle + 180) % 360 - 180
    flipped = (start.face, start.value, start.pose) != (end.face, end.value, end.pose)
    tilt = 80 * math.sin(math.pi * min(t, 1.0)) if flipped else 6 * math.sin(math.pi * t)
    shown = end if t > 0.5 else start
    low = max(thickness(shown, sizes) * 0.6, 0.1)
    return replace(
        shown, x=spot[0], y=spot[1], z=max(spot[2] - low, 0.0), angle=start.angle + turned * t, lean=(tilt, 40.0)
    )
