"""IceFloe from its rulebook: tiles and pyramids by cell, weights added up anew for every landing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, spelt

SUITS = "SMCA"
ROWS = ("S2 S3 C1 M2 M3", "S4 S5 A1 M4 M5", "M0 C0 -- S0 A0", "A2 A3 M1 C2 C3", "A4 A5 S1 C4 C5")
"""ICE-3.1, the north row first."""
WEIGHT = dict(zip("ABCDEF", (1, 1, 2, 2, 3, 3), strict=True))
POINTS = dict(zip("ABCDEF", range(1, 7), strict=True))
CELLS = [file + rank for rank in "12345" for file in "abcde"]
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ALL_WAYS = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0)]


def beyond(cell: str, way: tuple[int, int], far: int) -> str:
    return chr(ord(cell[0]) + far * way[0]) + chr(ord(cell[1]) + far * way[1])


class IceFloe:
    def __init__(self, players: int, last_step: bool = False) -> None:
        """`last_step`: weights are looked at only where a move ends (ICE-R3)."""
        self.players, self.last_step = players, last_step
        rows = zip("54321", ROWS, strict=True)
        self.tiles = {f: t for rank, row in rows for f, t in zip([x + rank for x in "abcde"], row.split(), strict=True)}
        for cell in ("c3", *(("a5", "e5", "a1", "e1") if players == 3 else ())):
            del self.tiles[cell]
        self.pyramids: dict[str, str] = {}
        self.to_place = [(seat, letter) for letter in "ABCDEF" for seat in range(players)]
        self.phase, self.torch, self.mover, self.round = "roll", 0, 0, 1
        self.rolling, self.rolled = list(range(players)), dict[int, int]()
        self.coins = {seat: {"1", "2"} for seat in range(players)}
        self.votes: dict[int, str] = {}
        self.added: dict[str, int] = {}
        self.kept: set[int] = set()
        self.banned: set[int] = set()
        self.number = self.target = ""
        self.points = [0] * players
        self.won: tuple[int, ...] | None = None

    # Who and where ------------------------------------------------------------------------------------------

    def seats(self, first: int) -> list[int]:
        """Clockwise from there."""
        return [(first + n) % self.players for n in range(self.players)]

    def own(self, seat: int) -> list[str]:
        return [name for name in self.pyramids if name[0] == SUITS[seat]]

    def on(self, cell: str) -> list[str]:
        return [name for name, at in self.pyramids.items() if at == cell]

    def weight(self, cell: str) -> int:
        return sum(WEIGHT[name[-1]] for name in self.on(cell))

    # Legal --------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return self.listed() | self.sanctions()

    def sanctions(self) -> set[str]:
        voting = self.phase.split("_")[0] in ("number", "suit")
        return {f"sanction({seat})" for seat in range(self.players) if voting and seat not in self.banned}

    def listed(self) -> set[str]:
        found: set[str] = getattr(self, f"in_{self.phase}")()
        return found

    def in_place(self) -> set[str]:
        seat, letter = self.to_place[0]
        return {f"place({SUITS[seat]}-{letter},{cell})" for cell in self.tiles if not self.on(cell)}

    def in_move(self) -> set[str]:
        found = {f"move({name},{path})" for name in self.own(self.mover) for path in self.paths(name)}
        for cell in {self.pyramids[name] for name in self.own(self.mover)}:
            holes = [name for name, way in WAYS.items() if beyond(cell, way, 1) in set(CELLS) - set(self.tiles)]
            found |= {f"slide({cell},{name})" for name in holes}
        return found or {"pass"}

    def landings(self, cell: str) -> Iterator[tuple[str, int]]:
        """Steps and jumps that end on a tile, each with what it counts (ICE-4.2, ICE-4.3)."""
        for way, far in product(ALL_WAYS, (1, 2)):
            if (goal := beyond(cell, way, far)) in self.tiles:
                yield goal, far

    def paths(self, name: str) -> Iterator[str]:
        start = self.pyramids[name]
        for first, cost in self.landings(start):
            yield first
            for second, more in self.landings(first):
                if cost + more <= 3 and second != start:
                    yield f"{first}>{second}"

    def left_of(self, number: str) -> set[str]:
        """The suits of which a tile of this value is left."""
        return {tile[0] for tile in self.tiles.values() if tile[1] == number}

    def open_choices(self) -> set[str]:
        """What a valid vote can name (ICE-4.13, ICE-4.16)."""
        if self.phase.startswith("suit"):
            return self.left_of(self.number)
        return {tile[1] for tile in self.tiles.values()}

    def in_number_coins(self) -> set[str]:
        choices = set(self.votes.values())
        added = {f"add_coin({coin},{choice})" for coin in self.coins[self.mover] for choice in choices}
        return added | {"keep_coins", "close_coins"}

    in_suit_coins = in_number_coins

    def in_number_tie(self) -> set[str]:
        return {f"break_tie({choice})" for choice in self.heaviest()}

    in_suit_tie = in_number_tie

    def in_explode(self) -> set[str]:
        return {f"explode({self.cell_of(self.target)})"}

    def in_bonus(self) -> set[str]:
        return {"decline"} | {f"bonus({cell})" for cell in self.unoccupied()}

    def in_score(self) -> set[str]:
        return {f"score({cell})" for cell in self.tiles}

    def in_final(self) -> set[str]:
        best = [seat for seat in range(self.players) if self.points[seat] == max(self.points)]
        return {"share"} | {f"choose_winner({SUITS[seat]})" for seat in best}

    def cell_of(self, tile: str) -> str:
        return next(cell for cell, other in self.tiles.items() if other == tile)

    def unoccupied(self) -> list[str]:
        return [cell for cell in self.tiles if not self.on(cell)]

    # Play ---------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        seat, verb, given = spelt(action)
        if verb.startswith(("commit", "reveal")):
            self.vote({seat: given[0]} if seat is not None else {SUITS.index(v[0]): v[1] for v in given[0].split("+")})
        else:
            getattr(self, f"do_{verb}")(*given)

    def do_roll(self, dice: str) -> None:
        """ICE-3.4."""
        self.rolled |= {SUITS.index(die[0]): int(die[1]) for die in dice.split("+")}
        if set(self.rolled) == set(self.rolling):
            best = max(self.rolled.values())
            self.rolling = [seat for seat in self.rolling if self.rolled[seat] == best]
            self.rolled = {}
            if len(self.rolling) == 1:
                self.torch = self.rolling[0]
                self.to_place = [(seat, letter) for letter in "ABCDEF" for seat in self.seats(self.torch)]
                self.phase, self.mover = "place", self.torch

    def do_place(self, name: str, cell: str) -> None:
        self.pyramids[name] = cell
        self.to_place.pop(0)
        if self.to_place:
            self.mover = self.to_place[0][0]
        else:
            self.begin_round()

    def begin_round(self) -> None:
        self.banned = set()
        self.phase, self.waiting = "move", self.seats(self.torch)
        self.next_mover()

    def next_mover(self) -> None:
        self.waiting = [seat for seat in self.waiting if self.own(seat)]
        if self.waiting:
            self.mover = self.waiting.pop(0)
        elif not self.over(moved=True):
            self.call("number")

    def do_move(self, name: str, path: str) -> None:
        """ICE-4.7: a first landing that breaks a tile ends the move."""
        for cell in path.split(">")[-1:] if self.last_step else path.split(">"):
            self.pyramids[name] = cell
            if self.weight(cell) > 5:
                self.remove(cell)
                break
        self.next_mover()

    def do_slide(self, cell: str, way: str) -> None:
        goal = beyond(cell, WAYS[way], 1)
        self.tiles[goal] = self.tiles.pop(cell)
        self.pyramids |= dict.fromkeys(self.on(cell), goal)
        self.next_mover()

    def do_pass(self) -> None:
        self.next_mover()

    def remove(self, cell: str) -> None:
        for name in self.on(cell):
            del self.pyramids[name]
        del self.tiles[cell]

    # Votes --------------------------------------------------------------------------------------------------

    def call(self, what: str) -> None:
        self.phase, self.votes, self.added, self.kept = what, {}, {}, set()
        self.counted()

    def vote(self, votes: dict[int, str]) -> None:
        self.votes |= votes
        self.counted()

    def counted(self) -> None:
        """When everybody has voted who may (ICE-4.12)."""
        if set(self.votes) | self.banned < set(range(self.players)):
            return
        self.votes = {seat: choice for seat, choice in self.votes.items() if choice in self.open_choices()}
        self.phase += "_coins"
        self.mover = self.torch - 1
        self.ask_next()

    def ask_next(self) -> None:
        """ICE-4.20."""
        asked = [seat for seat in self.seats(self.mover + 1) if self.coins[seat] and seat not in self.kept]
        if asked and self.votes:
            self.mover = asked[0]
        else:
            self.do_close_coins()

    def do_add_coin(self, coin: str, choice: str) -> None:
        self.coins[self.mover].remove(coin)
        self.added[choice] = self.added.get(choice, 0) + int(coin)
        self.kept = set()
        self.ask_next()

    def do_keep_coins(self) -> None:
        self.kept.add(self.mover)
        self.ask_next()

    def do_close_coins(self) -> None:
        self.phase, self.mover = self.phase.replace("coins", "tie"), self.torch
        if len(self.heaviest()) == 1:
            self.do_break_tie(*self.heaviest())

    def heaviest(self) -> set[str]:
        """Without any valid vote: all that is left (ICE-R8)."""
        weights: dict[str, int] = {}
        for choice in self.votes.values():
            weights[choice] = weights.get(choice, self.added.get(choice, 0)) + 1
        if not weights:
            return self.open_choices()
        return {choice for choice, weight in weights.items() if weight == max(weights.values())}

    def do_break_tie(self, choice: str) -> None:
        if self.phase.startswith("number"):
            self.number = choice
            self.call("suit")
        else:
            self.target = choice + self.number
            self.phase, self.mover = "explode", self.torch

    def do_sanction(self, seat: str) -> None:
        self.banned.add(int(seat))
        if self.phase in ("number", "suit"):
            self.votes.pop(int(seat), None)
            self.counted()

    # Explosion, scoring, end --------------------------------------------------------------------------------

    def do_explode(self, cell: str) -> None:
        self.remove(cell)
        self.phase = "bonus"
        if len(self.unoccupied()) < 2:
            self.do_decline()

    def do_bonus(self, cell: str) -> None:
        self.remove(cell)
        self.do_decline()

    def do_decline(self) -> None:
        if self.over():
            return
        if self.round > self.players:
            self.phase, self.waiting = "score", self.seats(self.torch)
            self.mover = self.waiting.pop(0)
        else:
            self.pass_torch()

    def do_score(self, cell: str) -> None:
        self.count(self.on(cell))
        if self.waiting:
            self.mover = self.waiting.pop(0)
        else:
            self.pass_torch()

    def count(self, names: list[str]) -> None:
        for name in names:
            self.points[SUITS.index(name[0])] += POINTS[name[-1]]

    def pass_torch(self) -> None:
        self.torch, self.round = (self.torch + 1) % self.players, self.round + 1
        self.begin_round()

    def over(self, *, moved: bool = False) -> bool:
        """ICE-5.1 to 5.4."""
        together = moved and len(set(self.pyramids.values())) == 1
        if all(self.own(seat) for seat in range(self.players)) and not together:
            return False
        self.count(list(self.pyramids))
        best = tuple(seat for seat in range(self.players) if self.points[seat] == max(self.points))
        self.phase, self.mover = "final", self.torch
        if len(best) == 1:
            self.won = best
        return True

    def do_choose_winner(self, suit: str) -> None:
        self.won = (SUITS.index(suit),)

    def do_share(self) -> None:
        self.won = tuple(seat for seat in range(self.players) if self.points[seat] == max(self.points))

    # What can be seen ---------------------------------------------------------------------------------------

    def to_act(self) -> int | None:
        return None if self.phase in ("roll", "number", "suit") else self.mover

    def table(self) -> Any:
        coins = {f"{SUITS[seat]}{coin}" for seat, left in self.coins.items() for coin in left}
        return self.tiles, self.pyramids, coins

    def seen(self, game: AnyGame, state: Any) -> Any:
        layout = game.layout(state)
        by_kind: dict[str, dict[str, str]] = {"t": {}, "y": {}}
        for placed in layout.board:
            by_kind[placed.piece.code[0]][placed.key[1:]] = placed.place
        hands = {p.key[1:] for p in layout if p.zone.value == "hand" and p.key[0] == "c" and p.key[2] in "12"}
        return {cell: tile for tile, cell in by_kind["t"].items()}, by_kind["y"], hands

    def end(self) -> End | None:
        return End(self.won) if self.won else None

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)
