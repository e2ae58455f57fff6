"""San Andreas from its rulebook: which plate lies above which as pairs, and heights counted anew for every question."""

from __future__ import annotations

from itertools import product
from typing import Any, TypeVar

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, spelt

Space = tuple[int, int]
Coin = tuple[int, int]
At = tuple[Space, str]
"""A space, and the tile that it is on."""
Piece = TypeVar("Piece")
"""The seat, and the number in the order in which its coins were founded."""
SUITS = ("suns", "moons", "crowns", "arms")
WEST_EDGE = (1, 1, 1, 2, 3, 4, 5, 7)
"""The first column of every row of tiles (SAND-3.2)."""
EAST_BORDER = dict(zip(range(16, 0, -1), [6] * 6 + [7] * 2 + [8] * 2 + [9] * 2 + [10] * 4, strict=True))
"""The last column that is not land, of every row (SAND-2.3)."""
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SHIFTS = {1: ((1, 0), True), 2: ((0, 1), False), 3: ((0, 1), True), 4: ((0, -1), False), 5: ((0, -1), True)}
"""By the die: where to, and whether the tile lifts (SAND-5.3)."""
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


def named(space: Space) -> str:
    return f"x{space[0]}y{space[1]}"


def spaces_from(corner: Space) -> list[Space]:
    return [(corner[0] + x, corner[1] + y) for x, y in CORNERS]


def carried(pieces: dict[Piece, At], tile: str, way: Space) -> dict[Piece, At]:
    """What lies on the tile goes with it."""
    return {
        piece: ((east + way[0], north + way[1]) if below == tile else (east, north), below)
        for piece, ((east, north), below) in pieces.items()
    }


def space_of(name: str) -> Space:
    east, north = name[1:].split("y")
    return int(east), int(north)


def is_land(space: Space) -> bool:
    x, y = space
    return (y > 16 and x >= 1) or (y < 1 and x >= 7) or (1 <= y <= 16 and x > EAST_BORDER[y])


class SanAndreas:
    def __init__(self, players: int) -> None:
        self.players = players
        self.tiles: dict[str, Space] = {}
        for row, west in enumerate(WEST_EDGE):
            for column in range(2 if row == 7 else 3):
                self.tiles[f"r{row + 1}c{column + 1}"] = (west + 2 * column, 15 - 2 * row)
        self.above: set[tuple[str, str]] = set()
        """The upper and the lower of two plates that overlap; a space of land is a plate with its own name."""
        self.cities: dict[Coin, tuple[Space, str]] = {}
        """The space and the tile."""
        self.destroyed: set[Coin] = set()
        self.values: dict[Coin, int] = {}
        self.founded = [0] * players
        self.pawns: dict[str, tuple[Space, str]] = {}
        self.dice: dict[str, int] = {}
        self.phase, self.mover = "begin", 0
        self.points = [0] * players
        self.unseen: list[Coin] = []
        self.known: list[Coin] = []
        self.over = False

    # The map ------------------------------------------------------------------------------------------------

    def covering(self, space: Space) -> list[str]:
        """The plates on a space, the land too."""
        found = [name for name, corner in self.tiles.items() if space in spaces_from(corner)]
        return [*found, named(space)] if is_land(space) else found

    def top(self, space: Space) -> str:
        """The visible plate of a space, if there is any (SAND-2.8)."""
        plates = self.covering(space)
        return next((one for one in plates if not any((other, one) in self.above for other in plates)), "")

    def support(self, tile: str, space: Space) -> int:
        """SAND-2.5."""
        return sum(self.holds(tile, other) for other in self.covering(space) if other != tile)

    def lean(self, tile: str) -> tuple[int, int]:
        """Eastward and northward (SAND-2.6)."""
        south_west, south_east, north_west, north_east = (
            self.support(tile, at) for at in spaces_from(self.tiles[tile])
        )
        east, west = max(south_east, north_east), max(south_west, north_west)
        north, south = max(north_west, north_east), max(south_west, south_east)
        return east - west, north - south

    def ocean(self) -> set[Space]:
        """Spaces without a tile that the open sea reaches (SAND-2.9), with a margin of sea around the map."""
        around = product(range(-2, 14), range(-6, 20))
        open_spaces = {space for space in around if not is_land(space) and not self.covering(space)}
        found, new = set[Space](), {(-2, 8)}
        while new:
            found |= new
            new = {(x + dx, y + dy) for x, y in new for dx, dy in SIDES} & open_spaces - found
        return found

    def near(self, tile: str) -> set[Space]:
        """The spaces side by side with a tile."""
        return {(x + dx, y + dy) for x, y in spaces_from(self.tiles[tile]) for dx, dy in SIDES}

    def taken(self) -> set[Space]:
        return {space for space, _ in [*self.cities.values(), *self.pawns.values()]}

    def holds(self, upper: str, lower: str) -> bool:
        """Whether a chain of plates keeps one above the other."""
        found, new = set[str](), {upper}
        while new:
            new = {below for over, below in self.above if over in new} - found
            found |= new
        return lower in found

    # Legal --------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        found: set[str] = getattr(self, f"in_{self.phase}")()
        return found

    def in_begin(self) -> set[str]:
        return {f"begin({seat})" for seat in range(self.players)}

    def in_turn(self) -> set[str]:
        found, sea, taken = set[str](), self.ocean(), self.taken()
        cities = {space for space, _ in self.cities.values()}
        for tile, corner in self.tiles.items():
            flat, coastal = max(map(abs, self.lean(tile))) <= 1, bool(self.near(tile) & sea)
            for x, y in spaces_from(corner):
                if self.top((x, y)) != tile or (x, y) in taken:
                    continue
                lonely = not {(x + dx, y + dy) for dx, dy in SIDES} & cities
                if self.founded[self.mover] < 6 and flat and lonely:
                    found.add(f"found({SUITS[self.mover]},{named((x, y))})")
                if coastal:
                    found |= {f"epicenter({suit},{named((x, y))})" for suit in SUITS if suit not in self.pawns}
        return found or {"pass"}

    def in_roll(self) -> set[str]:
        throws = product(range(6), repeat=4)
        return {f"roll({'+'.join(f'{s}{n}' for s, n in zip('SMCA', throw, strict=True))})" for throw in throws}

    def in_quake(self) -> set[str]:
        return {f"resolve({suit})" for suit in self.dice}

    def in_score(self) -> set[str]:
        return {f"reveal({named(self.cities[coin][0])},{n})" for coin in self.unseen for n in self.possible(coin)}

    def possible(self, coin: Coin) -> set[int]:
        """SAND-6.2: of each suit each value exists once."""
        if coin in self.values:
            return {self.values[coin]}
        return set(range(6)) - {value for other, value in self.values.items() if other[0] == coin[0]}

    def lost(self, seat: int) -> list[Coin]:
        return [coin for coin in self.destroyed if coin[0] == seat]

    def in_swap(self) -> set[str]:
        lost = self.lost(self.known[0][0])
        return {"keep"} | {f"swap({value})" for coin in lost for value in self.possible(coin)}

    # Play ---------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        _, verb, given = spelt(action)
        getattr(self, f"do_{verb}")(*given)

    def do_begin(self, seat: str) -> None:
        self.mover, self.phase = int(seat), "turn"

    def next_player(self) -> None:
        self.mover, self.phase = (self.mover + 1) % self.players, "turn"

    do_pass = next_player

    def do_found(self, suit: str, cell: str) -> None:
        seat = SUITS.index(suit)
        self.cities[seat, self.founded[seat]] = (space_of(cell), self.top(space_of(cell)))
        self.founded[seat] += 1
        self.next_player()

    def do_epicenter(self, suit: str, cell: str) -> None:
        self.pawns[suit] = (space_of(cell), self.top(space_of(cell)))
        if len(self.pawns) == 4:
            self.phase = "roll"
        else:
            self.next_player()

    def do_roll(self, dice: str) -> None:
        """SAND-5.3; SAND-8.1: four nulls are rolled again."""
        self.dice = {suit: int(die[1]) for suit, die in zip(SUITS, dice.split("+"), strict=True) if die[1] != "0"}
        if self.dice:
            self.phase = "quake"

    def do_resolve(self, suit: str) -> None:
        way, lifts = SHIFTS[self.dice.pop(suit)]
        self.shift(self.pawns.pop(suit)[1], way, lifts=lifts)
        if not self.dice:
            self.sink_islands()
            self.begin_scoring()

    def shift(self, tile: str, way: Space, *, lifts: bool) -> None:
        """SAND-5.5 to 5.11."""
        leaned = {name: self.lean(name) for name in self.tiles}
        x, y = self.tiles[tile]
        self.tiles[tile] = (x + way[0], y + way[1])
        touched = {other for space in spaces_from(self.tiles[tile]) for other in self.covering(space)} - {tile}
        self.above = {pair for pair in self.above if tile not in pair or set(pair) - {tile} <= touched}
        new = touched - {other for pair in self.above if tile in pair for other in pair}
        over = {other for other in new if self.holds(other, tile) or not (lifts or self.holds(tile, other))}
        self.above |= {(other, tile) for other in over} | {(tile, other) for other in new - over}
        self.cities, self.pawns = carried(self.cities, tile, way), carried(self.pawns, tile, way)
        for coin, (space, below) in list(self.cities.items()):
            if self.lean(below) != leaned[below] or self.top(space) != below:
                self.destroy(coin)
        for suit, (space, below) in list(self.pawns.items()):
            if self.top(space) != below:
                free = [at for at in spaces_from(self.tiles[below]) if self.top(at) == below and at not in self.taken()]
                self.pawns[suit] = (free[0] if free else space, below)

    def destroy(self, coin: Coin) -> None:
        del self.cities[coin]
        self.destroyed.add(coin)

    def sink_islands(self) -> None:
        """SAND-5.15."""
        left = set(self.tiles)
        while left:
            group, new = set[str](), {min(left)}
            while new:
                group |= new
                reach = {space for tile in new for space in self.near(tile) | set(spaces_from(self.tiles[tile]))}
                new = {tile for tile in left - group if set(spaces_from(self.tiles[tile])) & reach}
            left -= group
            everywhere = {at for tile in group for at in self.near(tile) | set(spaces_from(self.tiles[tile]))}
            if any(map(is_land, everywhere)):
                continue
            for coin in [coin for coin, (_, below) in self.cities.items() if below in group]:
                self.destroy(coin)
            self.pawns = {suit: at for suit, at in self.pawns.items() if at[1] not in group}
            self.tiles = {tile: at for tile, at in self.tiles.items() if tile not in group}
            self.above = {pair for pair in self.above if not set(pair) & group}

    # Scoring ------------------------------------------------------------------------------------------------

    def begin_scoring(self) -> None:
        self.unseen = [coin for coin in self.cities if coin not in self.values]
        self.known = [coin for coin in self.cities if coin in self.values]
        self.go_on_scoring()

    def go_on_scoring(self) -> None:
        """A null waits for its owner."""
        while self.known:
            coin = self.known[0]
            if self.values[coin] == 0 and self.lost(coin[0]):
                self.phase = "swap"
                return
            self.score(self.known.pop(0))
        if self.unseen:
            self.phase = "score"
        else:
            self.over = 6 in self.founded
            self.next_player()

    def do_reveal(self, cell: str, value: str) -> None:
        coin = next(coin for coin, (space, _) in self.cities.items() if space == space_of(cell))
        self.values[coin] = int(value)
        self.unseen.remove(coin)
        self.known.append(coin)
        self.go_on_scoring()

    def do_keep(self) -> None:
        self.known.pop(0)
        self.go_on_scoring()

    def do_swap(self, value: str) -> None:
        """SAND-5.23."""
        null = self.known.pop(0)
        lost = sorted(self.lost(null[0]), key=lambda coin: self.values.get(coin) != int(value))
        back = next(coin for coin in lost if int(value) in self.possible(coin))
        self.values[back] = int(value)
        self.cities[back] = self.cities[null]
        self.destroyed.remove(back)
        self.destroy(null)
        self.score(back)
        self.go_on_scoring()

    def score(self, coin: Coin) -> None:
        """SAND-5.24; a null gives nothing in any case."""
        self.points[coin[0]] += max(0, self.values[coin] - self.distance(self.cities[coin][0], self.ocean()))

    def distance(self, space: Space, sea: set[Space]) -> int:
        """SAND-5.22; far away where no coast is reached."""
        found = [99]
        for dx, dy in SIDES:
            (x, y), passed = (space[0] + dx, space[1] + dy), 0
            while (x, y) not in sea and (self.covering((x, y)) != [named((x, y))]) and passed < 30:
                x, y, passed = x + dx, y + dy, passed + 1
            if (x, y) in sea:
                found.append(passed)
        return min(found)

    # What can be seen ---------------------------------------------------------------------------------------

    def to_act(self) -> int | None:
        if self.phase in ("begin", "roll", "score"):
            return None
        return self.known[0][0] if self.phase == "swap" else self.mover

    def table(self) -> Any:
        cities = {named(space): SUITS[seat] for (seat, _), (space, _) in self.cities.items()}
        pawns = {suit: named(space) for suit, (space, _) in self.pawns.items()}
        tiles = {name: (x + 0.5, y + 0.5) for name, (x, y) in self.tiles.items()}
        return tiles, cities, pawns, len(self.destroyed)

    def seen(self, game: AnyGame, state: Any) -> Any:
        layout = game.layout(state)
        tiles = {p.key: (p.x, p.y) for p in layout.board if p.piece.kind.value == "tile"}
        cities = {p.place: p.key.split("-")[0] for p in layout.board if p.piece.kind.value == "coin"}
        pawns = {p.key.split("-")[1]: p.place for p in layout.board if p.piece.kind.value == "pawn"}
        spent = [p for p in layout if p.zone.value == "spent" and p.piece.kind.value == "coin"]
        return tiles, cities, pawns, len(spent)

    def end(self) -> End | None:
        best = tuple(seat for seat in range(self.players) if self.points[seat] == max(self.points))
        return End(best) if self.over else None

    def scores(self) -> tuple[int, ...] | None:
        return None if self.phase == "swap" else tuple(self.points)
