"""Tables of other games, as negative examples for the detectors: many things of a kind, on a board, in the order of
play."""

import math
from collections.abc import Callable
from dataclasses import replace

from models.render.glyphs import Random, one_of, random_seed
from models.render.scene import Body, clutter_body
from models.render.things import MEN


def random_games(rng: Random) -> list[Body]:
    """One other game, or two beside each other."""
    games = [one_of(rng, _GAMES)(rng) for _ in range(1 if rng.random() < 0.7 else 2)]
    bodies: list[Body] = []
    edge = 0.0
    for game in games:
        left = min(body.x for body in game)
        shift = edge - left if bodies else 0.0
        bodies += [replace(body, x=body.x + shift) for body in game]
        edge = max(body.x for body in bodies) + rng.uniform(3, 6)
    return bodies


def _draughts(rng: Random) -> list[Body]:
    """A chequered board, men of two colours on its squares and beside it."""
    return _on_chequers(rng, f"man:{rng.uniform(0.33, 0.46):.2f}:{rng.uniform(0.15, 0.4):.2f}", alike=True)


def _chess(rng: Random) -> list[Body]:
    return _on_chequers(rng, f"turned:{rng.uniform(0.24, 0.42):.2f}:{rng.uniform(0.8, 2.2):.2f}", alike=False)


def _on_chequers(rng: Random, man: str, alike: bool) -> list[Body]:
    cells, cell = int(rng.choice([8, 8, 8, 10])), rng.uniform(0.9, 2.2)
    board = clutter_body(0, 0, f"chequers:{cells}:{cell:.2f}", random_seed(rng))
    name, radius, high = man.split(":")
    shape = f"{name}:{float(radius) * cell:.2f}:{float(high) * (1 if alike else cell):.2f}"
    sets = [[random_seed(rng) for _ in range(1 if alike else 5)] for _ in range(2)]
    colours = [int(pick) for pick in rng.permutation(len(MEN))[:2]]
    share = rng.uniform(0.15, 0.7)
    bodies = [board]
    for row in range(cells):
        for column in range(cells):
            if rng.random() < share and (not alike or (row + column) % 2 == 0):
                side = int(row * 2 >= cells) if rng.random() < 0.8 else int(rng.integers(2))
                x, y = ((place - (cells - 1) / 2) * cell + rng.normal(0, 0.05) * cell for place in (column, row))
                bodies.append(clutter_body(x, y, f"{shape}:{colours[side]}", one_of(rng, sets[side]), 0.2))
    for _ in range(int(rng.integers(0, 8))):
        side = int(rng.integers(2))
        x, y = (cells / 2 + rng.uniform(0.8, 2)) * cell * rng.choice([-1, 1]), rng.uniform(-4, 4) * cell
        bodies.append(clutter_body(x, y, f"{shape}:{colours[side]}", one_of(rng, sets[side])))
    return bodies


def _go(rng: Random) -> list[Body]:
    cells, cell, seed = int(rng.choice([9, 13, 19])), rng.uniform(0.8, 1.1), random_seed(rng)
    bodies = [clutter_body(0, 0, f"lines:{cells}:{cell:.2f}", seed)]
    share = rng.uniform(0.05, 0.5)
    for row in range(cells):
        for column in range(cells):
            if rng.random() < share:
                x, y = ((place - (cells - 1) / 2) * cell + rng.normal(0, 0.03) for place in (column, row))
                bodies.append(clutter_body(x, y, f"stone:{0.46 * cell:.2f}:{int(rng.integers(2))}", seed, 0.2))
    return bodies


def _words(rng: Random) -> list[Body]:
    """Letter tiles in crossing words, on a board or on the bare table, and a row of them before a player."""
    cells, cell, seed = 15, rng.uniform(0.75, 0.95), random_seed(rng)
    letter = f"letter:{cell * 0.93:.2f}:{seed}"
    on_board = rng.random() < 0.6
    bodies = [clutter_body(0, 0, f"premium:{cells}:{cell:.2f}", seed)] if on_board else []
    taken: set[tuple[int, int]] = set()
    for _ in range(int(rng.integers(4, 14))):
        down, long = bool(rng.integers(2)), int(rng.integers(2, 8))
        x, y = int(rng.integers(-7, 8 - (0 if down else long))), int(rng.integers(-7, 8 - (long if down else 0)))
        taken |= {(x, y + step) if down else (x + step, y) for step in range(long)}
    high = 0.2 if on_board else 0.0
    bodies += [
        clutter_body(x * cell, y * cell, letter, random_seed(rng), high, rng.normal(0, 1.5)) for x, y in sorted(taken)
    ]
    start = rng.uniform(-4, 0)
    rack = [(start + step * cell * 1.03, -8.6 * cell) for step in range(7)]
    return bodies + [clutter_body(x, y, letter, random_seed(rng), 0.0, rng.normal(0, 3)) for x, y in rack]


def _islands(rng: Random) -> list[Body]:
    """Six-sided land with number tokens, roads and houses on it."""
    across, high = rng.uniform(2.2, 3.4), 0.08
    token, lands = random_seed(rng), [random_seed(rng) for _ in range(5)]
    bodies: list[Body] = []
    for row in range(-2, 3):
        for column in range(-2, 3):
            if abs(row + column) <= 2 and rng.random() < 0.95:
                x, y = across * (column + row / 2), across * row * math.sqrt(3) / 2
                bodies.append(clutter_body(x, y, f"land:{across:.2f}", one_of(rng, lands)))
                if rng.random() < 0.8:
                    bodies.append(clutter_body(x, y, "token", token + int(rng.integers(10)), high, rng.uniform(0, 360)))
    for _ in range(int(rng.integers(3, 25))):
        angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 2.6) * across
        shape = str(rng.choice(["stick:0.9", "pips", "counter", "chocolate"]))
        bodies.append(
            clutter_body(
                reach * math.cos(angle), reach * math.sin(angle), shape, random_seed(rng), high, rng.uniform(0, 360)
            )
        )
    return bodies


def _cards(rng: Random) -> list[Body]:
    """Playing cards in rows, often half over each other, chips or coins among them."""
    seed, step = random_seed(rng), rng.uniform(0.6, 2.9)
    bodies: list[Body] = []
    for row in range(int(rng.integers(1, 5))):
        for column in range(int(rng.integers(2, 8))):
            spot = (column * step + rng.normal(0, 0.06), row * 3.9 + rng.normal(0, 0.06))
            bodies.append(clutter_body(*spot, f"suited:{seed}", random_seed(rng), 0.012 * column, rng.normal(0, 3)))
    kind, look = str(rng.choice(["chip", "money", "counter"])), random_seed(rng)
    for _ in range(int(rng.integers(0, 16))):
        x, y = rng.uniform(-2, 8 * step), rng.choice([-3.0, 16.0]) + rng.normal(0, 0.8)
        bodies.append(clutter_body(x, y, kind, look + int(rng.integers(3)), 0.0, rng.uniform(0, 360)))
    return bodies


def _strewn(rng: Random) -> list[Body]:
    """Many of one or two kinds, strewn about: men, money, buttons, bricks with studs, stones."""
    kinds = [
        f"man:{rng.uniform(0.3, 0.8):.2f}:{rng.uniform(0.12, 0.35):.2f}:{int(rng.integers(len(MEN)))}",
        f"bricks:{int(rng.integers(1, 4))}:{int(rng.integers(2, 7))}",
        f"button:{rng.uniform(0.3, 0.7):.2f}",
        f"ring:{rng.uniform(0.3, 0.8):.2f}",
        "token", "money", "chip", "domino", "counter", "go", "marble", "pips", "chocolate", "chessman",
    ]  # fmt: skip
    chosen = [str(kinds[int(pick)]) for pick in rng.permutation(len(kinds))[: int(rng.integers(1, 4))]]
    looks = [random_seed(rng) for _ in range(int(rng.integers(1, 6)))]
    reach, bodies = rng.uniform(4, 9), list[Body]()
    for _ in range(int(rng.integers(12, 45))):
        x, y = rng.uniform(-reach, reach, 2)
        if all(math.hypot(x - each.x, y - each.y) > 1.1 for each in bodies):
            bodies.append(clutter_body(x, y, one_of(rng, chosen), one_of(rng, looks), 0.0, rng.uniform(0, 360)))
    return bodies


_GAMES: tuple[Callable[[Random], list[Body]], ...] = (
    _draughts, _draughts, _chess, _chess, _go, _words, _islands, _cards, _strewn, _strewn,
)  # fmt: skip
