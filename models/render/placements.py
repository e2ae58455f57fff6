"""Arrangements of pieces: random scatters with overlaps and leaning tiles, and boards like those of games."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from models.render.edition import SUITS, VALUES, PaintedSet
from models.render.glyphs import Random, one_of, random_seed
from models.render.scene import Body
from rules.pieces.decktet import DECKTET

Spot = tuple[float, float]


class Box:
    """The pieces of one set, drawn without replacement; each is none or one body."""

    def __init__(self, rng: Random, edition: PaintedSet) -> None:
        self._rng, self.edition = rng, edition
        pairs = [(suit, value) for suit in SUITS for value in VALUES]
        self._left = {kind: [pairs[i] for i in rng.permutation(len(pairs))] for kind in ("tile", "coin")}
        self._dice = [SUITS[i] for i in rng.permutation(4)]
        self._pawns = [SUITS[i] for i in rng.permutation(4)]

    def _seed(self) -> int:
        return random_seed(self._rng)

    def _angle(self) -> float:
        return self._rng.uniform(0, 360)

    def _flat(self, kind: str, spot: Spot, angle: float, face: str | None, z: float, front: float) -> Iterator[Body]:
        if self._left[kind]:
            suit, value = self._left[kind].pop()
            shown = face or ("front" if self._rng.random() < front else "back")
            yield Body(kind, *spot, z, angle, suit, value, shown, seed=self._seed())

    def tile(self, x: float, y: float, angle: float, face: str | None = None, z: float = 0.0) -> Iterator[Body]:
        return self._flat("tile", (x, y), angle, face, z, 0.68)

    def coin(self, x: float, y: float, angle: float, face: str | None = None, z: float = 0.0) -> Iterator[Body]:
        return self._flat("coin", (x, y), angle, face, z, 0.5)

    def die(self, x: float, y: float, z: float = 0.0) -> Iterator[Body]:
        """The next die, on any face."""
        if self._dice:
            value = one_of(self._rng, VALUES)
            yield Body("die", x, y, z, self._angle(), self._dice.pop(), value, seed=self._seed())

    def pawn(self, x: float, y: float, z: float = 0.0) -> Iterator[Body]:
        """The next pawn, now and then fallen over."""
        if self._pawns:
            suit, pose = self._pawns.pop(), "flat" if self._rng.random() < 0.08 else "upright"
            yield Body("pawn", x, y, z, self._angle(), suit, pose=pose, seed=self._seed())

    def pyramid(self, x: float, y: float, z: float = 0.0, pose: str = "upright") -> Iterator[Body]:
        """Any pyramid."""
        suit, size = one_of(self._rng, SUITS), one_of(self._rng, ("small", "medium", "large"))
        yield Body("pyramid", x, y, z, self._angle(), suit, size=size, pose=pose, seed=self._seed())


def _near(rng: Random, x: float, y: float, spread: float) -> Spot:
    """A point around another; `spread`: standard deviation in inches."""
    return x + rng.normal(0, spread), y + rng.normal(0, spread)


def _right_angle(rng: Random, spread: float = 1.2) -> float:
    return float(rng.integers(4)) * 90 + rng.normal(0, spread)


def _carelessness(rng: Random) -> float:
    """Standard deviation of the placement of pieces, in inches."""
    return float(rng.choice([0.001, 0.01, 0.03, 0.06]))


def scatter(rng: Random, box: Box) -> list[Body]:
    """Random places, with overlaps and leaning tiles."""
    reach = rng.uniform(3.5, 9.5)
    bodies: list[Body] = []
    for _ in range(int(rng.integers(4, 25))):
        tile = box.tile(*_random_spot(rng, reach), rng.uniform(0, 360))
        bodies += [dropped_tile(body, bodies, box.edition) for body in tile]
    small: list[Callable[[float, float], Iterator[Body]]] = [
        box.die, box.pawn, box.pyramid, lambda x, y: box.pyramid(x, y, pose="flat"),
    ]  # fmt: skip
    for _ in range(int(rng.integers(3, 24))):
        bodies += _put_down(bodies, box.coin(*_random_spot(rng, reach), rng.uniform(0, 360)), box.edition)
    with_pyramids = rng.random() < 0.4
    for _ in range(int(rng.integers(2, 10))):
        make = one_of(rng, small[: 4 if with_pyramids else 2])
        bodies += _put_down(bodies, make(*_random_spot(rng, reach)), box.edition)
    return bodies


def _random_spot(rng: Random, reach: float) -> Spot:
    return rng.uniform(-reach, reach), float(rng.uniform(-reach, reach) * 0.65)


def top_of(body: Body, edition: PaintedSet) -> float:
    """Height of a piece's upper side."""
    sizes = edition.sizes
    return body.z + {"tile": sizes.tile_thick, "coin": sizes.coin_thick, "die": sizes.die}.get(body.kind, 1.0)


def _is_over(body: Body, x: float, y: float, margin: float, edition: PaintedSet) -> bool:
    """Whether a point lies over a tile or coin."""
    angle = math.radians(body.angle)
    dx, dy = x - body.x, y - body.y
    if body.kind == "coin":
        return math.hypot(dx, dy) < edition.sizes.coin / 2 + margin
    u, v = dx * math.cos(angle) + dy * math.sin(angle), dy * math.cos(angle) - dx * math.sin(angle)
    return max(abs(u), abs(v)) < edition.sizes.tile / 2 + margin


def _put_down(bodies: list[Body], fresh: Iterator[Body], edition: PaintedSet) -> list[Body]:
    """Small pieces at the height of what lies flat below them; left out where they would overhang an edge."""
    placed = []
    for body in fresh:
        reach = edition.sizes.coin / 2 if body.kind == "coin" else 0.35
        under = [other for other in bodies if _is_over(other, body.x, body.y, reach, edition)]
        flat = [other for other in under if other.kind in ("tile", "coin") and not other.lean[0]]
        firm = [other for other in flat if _is_over(other, body.x, body.y, -reach * 0.9, edition)]
        standing = [o for o in bodies if o.kind not in ("tile", "coin")]
        if len(firm) == len(under) and all(math.hypot(o.x - body.x, o.y - body.y) > 0.8 for o in standing):
            placed.append(replace(body, z=max((top_of(o, edition) for o in firm), default=0.0)))
    return placed


def dropped_tile(body: Body, bodies: list[Body], edition: PaintedSet) -> Body:
    """A tile on the table, flat on another tile, or leaning on one."""
    side = edition.sizes.tile
    near = [o for o in bodies if o.kind == "tile" and math.hypot(o.x - body.x, o.y - body.y) < side * 1.02]
    if not near:
        return body
    support = max(near, key=lambda o: top_of(o, edition) + 0.01 * abs(o.lean[0]))
    high = top_of(support, edition)
    away = math.hypot(body.x - support.x, body.y - support.y)
    if support.lean[0] or away < side * 0.45 or len(near) > 1:
        return replace(body, z=high + (0.12 if support.lean[0] else 0.0))
    azimuth = math.degrees(math.atan2(-(body.x - support.x), body.y - support.y))
    low, edge = _half_extent(body.angle - azimuth, side), _half_extent(support.angle - azimuth, side)
    run = max(away + low - edge, side * 0.3)
    tilt = math.atan2(edition.sizes.tile_thick, run)
    return replace(body, z=support.z + low * math.sin(tilt), lean=(math.degrees(tilt), azimuth))


def _half_extent(angle_deg: float, side: float) -> float:
    """Half the width of a square along a direction."""
    angle = math.radians(angle_deg)
    return side / 2 * min(abs(math.cos(angle)) + abs(math.sin(angle)), 1.25)


def island(rng: Random, box: Box) -> list[Body]:
    """Five by five tiles face up with a hole or two, pawns on them."""
    spread = _carelessness(rng)
    bodies: list[Body] = []
    hole = {(int(rng.integers(5)), int(rng.integers(5))) for _ in range(int(rng.integers(1, 9)))}
    front = rng.random() < 0.85
    for i, j in product(range(5), repeat=2):
        if (i, j) not in hole:
            face = "front" if front and rng.random() < 0.93 else "back"
            bodies += box.tile(*_near(rng, 2.04 * (i - 2), 2.04 * (j - 2), spread), _right_angle(rng), face)
    bodies += _on_tiles(rng, box, list(bodies), int(rng.integers(1, 9)))
    return bodies + _beside_board(rng, box, 6.2)


def _on_tiles(rng: Random, box: Box, tiles: list[Body], count: int) -> list[Body]:
    """Pawns, coins or pyramids on some of the tiles."""
    found: list[Body] = []
    pyramids = rng.random() < 0.3
    for pick in rng.permutation(len(tiles))[:count]:
        under = tiles[int(pick)]
        (x, y), z = _near(rng, under.x, under.y, 0.2), top_of(under, box.edition)
        draw = rng.random()
        if pyramids and draw < 0.75:
            found += nest(rng, box, x, y, z)
        elif draw < 0.6:
            found += box.pawn(x, y, z)
        else:
            found += box.coin(x, y, rng.uniform(0, 360), None, z)
    return found


def _beside_board(rng: Random, box: Box, away: float) -> list[Body]:
    """A row of coins, some dice, now and then a stack of coins next to the board."""
    side = 1 if rng.random() < 0.5 else -1
    bodies: list[Body] = []
    for index in range(int(rng.integers(0, 8))):
        x, y = side * (away + rng.normal(0, 0.15)), -3 + index * rng.uniform(0.8, 1.1)
        bodies += box.coin(x, y, rng.uniform(0, 360))
    for index in range(int(rng.integers(0, 5))):
        bodies += box.die(-side * (away + rng.normal(0, 0.3)), -2 + index * rng.uniform(0.7, 1.3))
    if rng.random() < 0.4:
        bodies += stack(rng, box, -side * (away + 0.6), 3.2, int(rng.integers(2, 7)))
    return bodies


def stack(rng: Random, box: Box, x: float, y: float, count: int, z: float = 0.0) -> list[Body]:
    """Coins on top of one another, not quite straight."""
    thick, bodies = box.edition.sizes.coin_thick, list[Body]()
    for level in range(count):
        bodies += box.coin(*_near(rng, x, y, 0.03), rng.uniform(0, 360), None, z + level * thick)
    return bodies


def board(rng: Random, box: Box) -> list[Body]:
    """A board of tile backs with coins and stacks on its spaces."""
    size = int(rng.choice([2, 3, 4, 4]))
    spread = _carelessness(rng) * 0.5
    flush = rng.random() < (0.6 if max(box.edition.back_body) < 110 else 0.3)  # joints of dark boards are hard to see
    pitch, twist, spread = (2.0, 0.05, 0.002) if flush else (2.01, 0.7, spread)
    bodies: list[Body] = []
    for i, j in product(range(size), repeat=2):
        x, y = pitch * (i - (size - 1) / 2), pitch * (j - (size - 1) / 2)
        bodies += box.tile(*_near(rng, x, y, spread), _right_angle(rng, twist), "back")
    high = box.edition.sizes.tile_thick
    spaces = [*product(range(2 * size), repeat=2)]
    shift = 0 if rng.random() < 0.2 else 0.5
    face = one_of(rng, (None, "front", "back"))
    for pick in rng.permutation(len(spaces))[: int(rng.integers(3, 22))]:
        i, j = spaces[int(pick)]
        x, y = _near(rng, 1.005 * (i - size + shift), 1.005 * (j - size + shift), 0.05)
        bodies += _on_space(rng, box, x, y, high, face)
    return bodies + _beside_board(rng, box, size + 1.3)


def _on_space(rng: Random, box: Box, x: float, y: float, high: float, face: str | None) -> list[Body]:
    draw = rng.random()
    if draw < 0.12:
        return list(box.pawn(x, y, high))
    if draw < 0.2:
        return list(box.die(x, y, high))
    if draw < 0.32:
        return stack(rng, box, x, y, int(rng.integers(2, 5)), high)
    return list(box.coin(x, y, rng.uniform(0, 360), face, high))


def mountain(rng: Random, box: Box) -> list[Body]:
    """Layers of tiles, each over the joints of the one below, with coins and pawns on them."""
    bodies: list[Body] = []
    wide, deep = int(rng.integers(4, 9)), int(rng.integers(1, 3))
    thick, face = box.edition.sizes.tile_thick, "back" if rng.random() < 0.6 else None
    for layer in range(3):
        across, along = max(1, wide - layer * int(rng.integers(1, 3))), max(1, deep - layer)
        for i, j in product(range(across), range(along)):
            spot = _near(rng, 2.01 * (i - (across - 1) / 2), 2.01 * (j - (along - 1) / 2), 0.02)
            bodies += box.tile(*spot, _right_angle(rng, 0.6), face, layer * thick)
        wide = across - 1
        if wide < 1:
            break
    tops = [b for b in bodies if not any(o.z > b.z and abs(o.x - b.x) < 2.2 and abs(o.y - b.y) < 2.2 for o in bodies)]
    return bodies + _on_tiles(rng, box, tops, 8) + _beside_board(rng, box, 6.5)


def freeform(rng: Random, box: Box) -> list[Body]:
    """Tiles laid edge to edge, half a side shifted or not, growing in all directions."""
    cells: list[Spot] = [(0.0, 0.0)]
    steps = [(2.03, 0.0), (-2.03, 0.0), (0.0, 2.03), (0.0, -2.03)]
    for _ in range(int(rng.integers(6, 22))):
        (x, y), (dx, dy) = one_of(rng, cells), one_of(rng, steps)
        slide = float(rng.choice([0, 0, 1.0, -1.0]))
        spot = (x + dx + (slide if dx == 0 else 0), y + dy + (slide if dy == 0 else 0))
        if all(max(abs(spot[0] - a), abs(spot[1] - b)) > 1.98 for a, b in cells) and max(map(abs, spot)) < 9:
            cells.append(spot)
    spread = _carelessness(rng)
    shifted = [_near(rng, x, y, spread) for x, y in cells]
    bodies = [b for x, y in shifted for b in box.tile(x, y, _right_angle(rng))]
    return bodies + _on_tiles(rng, box, list(bodies), int(rng.integers(1, 10))) + _beside_board(rng, box, 8.0)


def crowd(rng: Random, box: Box, guests: Sequence[PaintedSet]) -> list[Body]:
    """Pawns and pyramids of many sets, on tiles and beside them: they are rare in games and differ between sets."""
    bodies = one_of(rng, (island, board, scatter, freeform))(rng, box)
    tiles = [body for body in bodies if body.kind == "tile"]
    for _ in range(int(rng.integers(24, 48))):
        x, y = _tile_or_spot(rng, tiles, 0.75, 8.0)
        guest = Box(rng, one_of(rng, guests))
        pose = "flat" if rng.random() < 0.25 else "upright"
        spot = _near(rng, x, y, 0.4)
        fresh = guest.pawn(*spot) if rng.random() < 0.6 else guest.pyramid(*spot, pose=pose)
        bodies += _of_guest(_put_down(bodies, fresh, box.edition), guest)
    return bodies


def throws(rng: Random, box: Box, guests: Sequence[PaintedSet]) -> list[Body]:
    """Dice of many sets, the tiles' own among them, in groups on tiles and beside them: a game has four, and each shows
    one of six sides."""
    bodies = one_of(rng, (island, board, scatter, freeform))(rng, box)
    tiles = [body for body in bodies if body.kind == "tile"]
    reach = rng.uniform(5.0, 10.0)
    for _ in range(int(rng.integers(8, 20))):
        x, y = _tile_or_spot(rng, tiles, 0.4, reach)
        guest = Box(rng, one_of(rng, [box.edition, *guests]))
        for _ in range(int(rng.integers(2, 5))):
            bodies += _of_guest(_put_down(bodies, guest.die(*_near(rng, x, y, 0.9)), box.edition), guest)
    return bodies


def _tile_or_spot(rng: Random, tiles: list[Body], on_tile: float, reach: float) -> Spot:
    """The middle of a tile with that chance, else any point."""
    under = one_of(rng, tiles) if tiles and rng.random() < on_tile else None
    return (under.x, under.y) if under else _random_spot(rng, reach)


def _of_guest(bodies: list[Body], guest: Box) -> list[Body]:
    return [replace(body, guest=guest.edition) for body in bodies]


def carried(rng: Random, box: Box, guests: Sequence[PaintedSet]) -> list[Body]:
    """Coins under pieces, and tiles whose sign a pyramid, a die or a coin hides: common in games, rare by chance."""
    bodies = one_of(rng, (island, board, freeform))(rng, box)
    bodies = [body for body in bodies if body.kind == "tile"]
    for pick in rng.permutation(len(bodies))[: int(rng.integers(5, 18))]:
        under, shift = bodies[int(pick)], float(rng.choice([0.0, 0.5]))
        x, y = (at + shift * int(rng.choice([-1, 1])) + rng.normal(0, 0.08) for at in (under.x, under.y))
        high = top_of(under, box.edition)
        coins = stack(rng, box, x, y, int(rng.choice([1, 1, 1, 2])), high) if rng.random() < 0.6 else []
        if rng.random() < 0.75:
            guest = Box(rng, one_of(rng, guests))
            make = one_of(rng, (guest.pawn, guest.pyramid, guest.pyramid, guest.die))
            top = top_of(coins[-1], box.edition) if coins else high
            bodies += _of_guest(list(make(*_near(rng, x, y, 0.05), top)), guest)
        bodies += coins
    return bodies + _beside_board(rng, box, 7.0)


def occupied(rng: Random, box: Box) -> list[Body]:
    """A board with a pyramid, a pawn or a die on most of its tiles: their faces and their sides are hidden in part."""
    tiles = [body for body in one_of(rng, (island, island, board, freeform))(rng, box) if body.kind == "tile"]
    share, spread = rng.uniform(0.5, 1.0), rng.uniform(0.02, 0.3)
    bodies = list(tiles)
    for under in tiles:
        if rng.random() < share:
            spot = (*_near(rng, under.x, under.y, spread), top_of(under, box.edition))
            pose = "flat" if rng.random() < 0.15 else "upright"
            draw = rng.random()
            bodies += box.pyramid(*spot, pose) if draw < 0.85 else box.pawn(*spot) if draw < 0.93 else box.die(*spot)
    return bodies + _beside_board(rng, box, 7.0)


ALONE_DISTANCE = 5.0
"""Least inches between pieces of `alone`."""


def alone(rng: Random, box: Box) -> list[Body]:
    """A few pieces, often one, mostly tiles, each with bare table around it."""
    bodies: list[Body] = []
    for _ in range(int(rng.choice([1, 1, 3, 6, 9]))):
        x, y = _random_spot(rng, 14.0)
        if all(math.hypot(x - each.x, y - each.y) > ALONE_DISTANCE for each in bodies):
            kind = str(rng.choice(["tile", "coin", "die", "pawn", "pyramid"], p=[0.6, 0.15, 0.1, 0.08, 0.07]))
            if kind in ("tile", "coin"):
                bodies += (box.tile if kind == "tile" else box.coin)(x, y, rng.uniform(0, 360))
            else:
                bodies += {"die": box.die, "pawn": box.pawn, "pyramid": box.pyramid}[kind](x, y)
    return bodies


def spread(rng: Random, box: Box) -> list[Body]:
    """Decktet cards in rows, pyramids, pawns and coins among them."""
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(2, 7))
    deck, careless = _shuffled_deck(rng), _carelessness(rng)
    bodies: list[Body] = []
    for row, column in product(range(rows), range(columns)):
        face = "front" if rng.random() < 0.85 else "back"
        angle = rng.normal(0, 2) + (90.0 if rng.random() < 0.1 else 0.0)
        spot = _near(rng, 2.7 * (column - (columns - 1) / 2), 3.7 * (row - (rows - 1) / 2), careless)
        bodies.append(Body("card", *spot, 0.0, angle, None, deck.pop(), face, seed=random_seed(rng)))
    for pick in rng.permutation(len(bodies))[: int(rng.integers(2, 12))]:
        under = bodies[int(pick)]
        bodies += nest(rng, box, under.x + rng.normal(0, 0.4), under.y + rng.normal(0, 0.6), 0.012)
    return bodies + _beside_board(rng, box, 2.7 * columns / 2 + 1.2)


def _shuffled_deck(rng: Random) -> list[str]:
    return [list(DECKTET)[i] for i in rng.permutation(len(DECKTET))]


def territory(rng: Random, box: Box) -> list[Body]:
    """A table of Dectana: cards in a chessboard pattern, upright and across; pyramids of some colours on and around
    them, upright or pointing at a neighbour; each player's reserve in a row beside it, hands of cards face down behind,
    and two piles."""
    deck, careless = _shuffled_deck(rng), _carelessness(rng)
    columns, rows = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    cells = [(x, y) for x in range(columns) for y in range(rows) if rng.random() < 0.93]
    bodies = [_card(rng, 3.0 * x, 3.0 * y, 90.0 * ((x + y) % 2), deck.pop(), careless) for x, y in cells]
    suits = [SUITS[i] for i in rng.permutation(4)][: int(rng.integers(2, 5))]
    for side, suit in enumerate(suits):
        for _ in range(int(rng.integers(0, 5))):
            x, y = one_of(rng, cells) if rng.random() < 0.7 and cells else (columns, rows - 1)
            bodies += _pointing(rng, box, suit, *_near(rng, 3.0 * x, 3.0 * y, 0.45))
        bodies += _players(rng, box, suit, side, (3.0 * columns, 3.0 * rows))
    for pile in range(int(rng.integers(0, 3))):
        mark = deck.pop() if rng.random() < 0.5 else ""
        bodies.append(_card(rng, 3.0 * columns + 3.0 + 3.0 * pile, 3.0 * rows, 0.0, mark, careless))
    return [replace(body, x=body.x - 1.5 * columns, y=body.y - 1.5 * rows) for body in bodies]


def _card(rng: Random, x: float, y: float, angle: float, mark: str, careless: float) -> Body:
    face = "front" if mark else "back"
    turned = angle + 180.0 * int(rng.integers(2)) + rng.normal(0, 1.5)
    spot = _near(rng, x, y, careless)
    return Body("card", *spot, 0.0, turned, None, mark or None, face, seed=random_seed(rng))


def _pointing(rng: Random, box: Box, suit: str, x: float, y: float) -> Iterator[Body]:
    """A pyramid of a player, upright or on its side along the grid."""
    pose = "flat" if rng.random() < 0.6 else "upright"
    for body in box.pyramid(x, y, 0.012, pose):
        yield replace(body, suit=suit, angle=_right_angle(rng, 6.0))


def _players(rng: Random, box: Box, suit: str, side: int, reach: Spot) -> Iterator[Body]:
    """A player's reserve beside the board: a row of pyramids from small to large, and a hand of cards."""
    upright = side % 2 == 0  # south and north of the board, west and east of it
    across = -2.7 if side < 2 else (reach[1] if upright else reach[0]) - 0.3
    hand = across + (-2.8 if side < 2 else 2.8)
    at = -1.5
    for size, wide in (("small", 0.7), ("medium", 0.95), ("large", 1.15)):
        for _ in range(int(rng.integers(1, 4))):
            spot = (at + rng.normal(0, 0.06), across + rng.normal(0, 0.12))
            for body in box.pyramid(*(spot if upright else spot[::-1])):
                yield replace(body, suit=suit, size=size, angle=_right_angle(rng, 5.0))
            at += wide
    for held in range(int(rng.integers(0, 6))):
        spot = (3.6 * held, hand)
        yield _card(rng, *(spot if upright else spot[::-1]), 0.0, "", 0.1)


def nest(rng: Random, box: Box, x: float, y: float, z: float) -> list[Body]:
    """One pyramid, or several over one another, smaller ones below or on top."""
    first = next(box.pyramid(x, y, z))
    bodies = [first]
    while rng.random() < 0.35 and len(bodies) < 4:
        top = next(box.pyramid(x, y, bodies[-1].z + 0.32))
        bodies.append(replace(top, size=first.size, angle=first.angle + rng.normal(0, 6)))
    return bodies


KINDS: dict[str, Callable[[Random, Box], list[Body]]] = {
    "scatter": scatter, "island": island, "board": board, "mountain": mountain, "freeform": freeform,
    "spread": spread, "territory": territory, "alone": alone, "occupied": occupied,
}  # fmt: skip
