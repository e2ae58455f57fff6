"""Global Warming once more, from its rulebook: dictionaries of tiles and pawns, arrangements walked to step by step."""

from __future__ import annotations

from itertools import product
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

Cell = tuple[int, int]
SUITS = "SMCA"
COINS = [suit + value for suit in SUITS for value in "012345"]
SIDES = [f"c{suit}?" for suit in SUITS] + [f"c?{value}" for value in "012345"]
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
READING_ORDER = [(x, y) for y in (4, 3, 2, 1, 0) for x in range(5) if (x, y) != (2, 2)]


def named(cell: Cell) -> str:
    return f"{cell[0]}/{cell[1]}"


def cell_of(name: str) -> Cell:
    x, y = name.split("/")
    return int(x), int(y)


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in STEPS.values()]


def fits(coin: str, side: str) -> bool:
    return side[1:] in (f"{coin[0]}?", f"?{coin[1]}")


class GlobalWarming:
    """Four players. `tiles` are the cells by tile, `pawns` those by suit."""

    def __init__(self, replay: bool = False, must_move: bool = False) -> None:
        self.replay, self.must_move = replay, must_move
        self.tiles: dict[str, Cell] = {}
        self.pawns: dict[str, Cell] = {}
        self.line: list[str] = []
        self.sunk: list[str] = []
        self.faces: dict[str, str] = {}
        self.order: list[str] = []
        self.bag = 24
        self.phase = "deal"

    def to_act(self) -> int | None:
        return SUITS.index(self.order[0]) if self.phase == "actions" else None

    def end(self) -> End | None:
        return End((SUITS.index(next(iter(self.pawns))),)) if self.phase == "sunk" and len(self.pawns) == 1 else None

    def scores(self) -> tuple[int, ...]:
        return ()

    def table(self) -> Any:
        dealt = {named(cell): tile for tile, cell in self.tiles.items()}
        pawns = {suit: named(cell) for suit, cell in self.pawns.items()}
        return dealt, pawns, self.line, sorted(self.sunk), self.legal() if self.few_ways() else set()

    def few_ways(self) -> bool:
        """Whether all arrangements are compared: up to three steps."""
        return self.phase == "actions" and self.faces[self.order[0]] in "0123"

    def seen(self, game: AnyGame, state: Any) -> Any:
        board, spent = game.layout(state).board, [p for p in game.layout(state) if p.zone.value == "spent"]
        tiles = {p.place: p.piece.code[1:] for p in board if p.piece.kind.value == "tile" and p.piece.suit}
        pawns = {p.piece.code[1]: p.place for p in board if p.piece.kind.value == "pawn"}
        coins = sorted((p.x, p.shown.code) for p in board if p.piece.kind.value == "coin")
        gone = sorted(p.piece.code[1:] for p in spent if p.piece.kind.value == "tile")
        listed = {action.id for action in game.legal(state)} if self.few_ways() else set()
        return tiles, pawns, [code for _, code in coins], gone, listed

    # What may be done ---------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        if self.phase == "line":
            return {f"open_line({'+'.join(sides)})" for sides in product(SIDES, repeat=3)}
        if self.phase == "actions":
            return self.blank() if self.faces[self.order[0]] == "0" else self.arrangements()
        return {f"sink({new},{turned})" for new, turned in self.sinkings()}

    def blank(self) -> set[str]:
        """GW-4.9 and 4.10."""
        found = set() if self.must_move else {"decline"}
        for tile in self.free():
            rest = {cell for other, cell in self.tiles.items() if other != tile}
            goals = {goal for cell in rest for goal in beside(cell)} - rest - {self.tiles[tile]}
            found |= {f"move_tile({named(self.tiles[tile])},{named(goal)})" for goal in goals}
        return found

    def free(self) -> list[str]:
        return [tile for tile, cell in self.tiles.items() if cell not in self.pawns.values()]

    def arrangements(self) -> set[str]:
        """Where the pawns can be after exactly so many steps (GW-4.5 to 4.7)."""
        suits = [suit for suit in SUITS if suit in self.pawns]
        now = {tuple(self.pawns[suit] for suit in suits)}
        for _ in range(int(self.faces[self.order[0]])):
            now = {goal for here in now for goal in self.one_step(here)}
        return {self.arranged(dict(zip(suits, goal, strict=True))) for goal in now}

    def one_step(self, here: tuple[Cell, ...]) -> set[tuple[Cell, ...]]:
        land = set(self.tiles.values())
        found = set()
        for n, cell in enumerate(here):
            for goal in beside(cell):
                if goal in land and goal not in here:
                    found.add((*here[:n], goal, *here[n + 1 :]))
        return found

    def arranged(self, goal: dict[str, Cell]) -> str:
        moved = [f"{suit}>{named(cell)}" for suit, cell in goal.items() if cell != self.pawns[suit]]
        return f"arrange({'+'.join(moved) or '-'})"

    def sinkings(self) -> set[tuple[str, str]]:
        """What can be read so that all coins of the line are different ones that have not sunk (GW-7.3)."""
        left = [coin for coin in COINS if coin not in self.sunk and fits(coin, self.line[0])]
        found = set()
        for coin in left:
            turned = f"c?{coin[1]}" if self.line[0].endswith("?") else f"c{coin[0]}?"
            for new in SIDES if self.bag else ["-"]:
                rest = self.line[1:] + ([new] if self.bag else [])
                if self.fillable(rest, {*self.sunk, coin}):
                    found.add((new, turned))
        return found

    def fillable(self, sides: list[str], taken: set[str]) -> bool:
        if not sides:
            return True
        free = (coin for coin in COINS if coin not in taken and fits(coin, sides[0]))
        return any(self.fillable(sides[1:], taken | {coin}) for coin in free)

    # What it does -------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        verb, _, inner = action.split(":")[-1].rstrip(")").partition("(")
        getattr(self, f"do_{verb}")(*inner.split(","))

    def do_deal_island(self, tiles: str) -> None:
        self.tiles = {code[1:]: cell for code, cell in zip(tiles.split("+"), READING_ORDER, strict=True)}
        self.phase = "start"

    def do_draw_start(self, coins: str) -> None:
        for coin in coins.split("+"):
            self.pawns[SUITS[len(self.pawns)]] = self.tiles[coin[1:]]
        if len(self.pawns) == 4:
            self.phase = "line"

    def do_open_line(self, sides: str) -> None:
        self.line, self.bag = sides.split("+"), self.bag - 3
        self.phase = "select"

    def do_commit(self, suit: str, face: str) -> None:
        self.faces[suit] = face
        self.uncovered()

    def do_reveal(self, dice: str) -> None:
        for die in dice.split("+"):
            self.faces[die[0]] = die[1:]
        self.uncovered()

    def uncovered(self) -> None:
        """GW-4.3 and 4.4; GW-R10 for a die that was not set."""
        if self.faces.keys() < self.pawns.keys():
            return
        faces = list(self.faces.values())
        if "-" in faces and self.replay:
            self.faces = {}
            return
        acting = [suit for suit, face in self.faces.items() if face != "-" and faces.count(face) == 1]
        self.order = sorted(acting, key=lambda suit: "054321".index(self.faces[suit]))
        self.phase = "actions"
        self.skip()

    def skip(self) -> None:
        """Whoever can move nothing does nothing (GW-4.7, 4.11)."""
        while self.order:
            here = tuple(self.pawns.values())
            if self.free() if self.faces[self.order[0]] == "0" else self.one_step(here):
                return
            self.order.pop(0)
        self.phase = "sink"

    def acted(self) -> None:
        self.order.pop(0)
        self.skip()

    def do_decline(self, _: str) -> None:
        self.acted()

    def do_move_tile(self, source: str, goal: str) -> None:
        tile = next(tile for tile, cell in self.tiles.items() if named(cell) == source)
        self.tiles[tile] = cell_of(goal)
        self.acted()

    def do_move_pawns(self, steps: str) -> None:
        assert len(steps.split("+")) == int(self.faces[self.order[0]]), "all steps must be used (GW-4.7)"
        for step in steps.split("+"):
            suit, way = step[0], step[1]
            (x, y), (right, up) = self.pawns[suit], STEPS[way]
            goal = (x + right, y + up)
            assert goal in self.tiles.values(), f"no tile (GW-4.6): {steps}"
            assert goal not in self.pawns.values(), f"a pawn stands there (GW-4.6): {steps}"
            self.pawns[suit] = goal
        self.acted()

    def do_arrange(self, goals: str) -> None:
        assert f"arrange({goals})" in self.arrangements()
        for goal in goals.split("+") if goals != "-" else ():
            suit, place = goal.split(">")
            self.pawns[suit] = cell_of(place)
        self.acted()

    def do_sink(self, new: str, turned: str) -> None:
        assert (new, turned) in self.sinkings()
        sides = self.line.pop(0), turned
        if new != "-":
            self.line.append(new)
            self.bag -= 1
        coin = next(coin for coin in COINS if all(fits(coin, side) for side in sides))
        cell = self.tiles.pop(coin)
        self.sunk.append(coin)
        self.pawns = {suit: place for suit, place in self.pawns.items() if place != cell}
        self.faces = {}
        self.phase = "sunk" if len(self.pawns) == 1 else "select"
