"""Breakthrough, Alquerque and Konane from their rulebooks: a dictionary of spaces and suits, nothing prepared."""

from __future__ import annotations

from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, coins_by_place

Space = tuple[int, int]
OWNER = {"S": 0, "M": 0, "C": 1, "A": 1}
"""Suns and moons against crowns and arms (BRKT-1.1, ALQU-1.1, KONA-1.1)."""


def named(space: Space) -> str:
    return "abcdef"[space[0]] + str(space[1] + 1)


def space_of(name: str) -> Space:
    return "abcdef".index(name[0]), int(name[1]) - 1


class Armies:
    """Two armies of two suits; a turn moves one coin."""

    def __init__(self, files: int, ranks: int, coins: dict[str, str]) -> None:
        self.files, self.ranks, self.mover = files, ranks, 0
        self.coins: dict[Space, str] = {space_of(name): suit for suit, names in coins.items() for name in names.split()}

    def own(self, space: Space) -> bool:
        return space in self.coins and OWNER[self.coins[space]] == self.mover

    def foe(self, space: Space) -> bool:
        return space in self.coins and not self.own(space)

    def free(self, space: Space) -> bool:
        return 0 <= space[0] < self.files and 0 <= space[1] < self.ranks and space not in self.coins

    def armies(self) -> set[int]:
        return {OWNER[suit] for suit in self.coins.values()}

    def to_act(self) -> int:
        return self.mover

    def scores(self) -> tuple[int, ...]:
        return ()

    def table(self) -> Any:
        return {named(space): [suit] for space, suit in self.coins.items()}

    def seen(self, game: AnyGame, state: Any) -> Any:
        return coins_by_place(game, state)


class Breakthrough(Armies):
    def __init__(self, ranks: int) -> None:
        suits = {"S": 1, "M": 2, "C": 6, "A": 5}
        rows = {suit: row for suit, row in suits.items() if ranks == 2 or suit in "SC"}
        super().__init__(6, 6, {suit: " ".join(f"{file}{row}" for file in "abcdef") for suit, row in rows.items()})

    def legal(self) -> set[str]:
        """BRKT-4.1 to 4.3: ahead to an empty space, or diagonally ahead to one without an own coin."""
        up = 1 if self.mover == 0 else -1
        found = set()
        for space in filter(self.own, self.coins):
            for side in (-1, 0, 1):
                goal = (space[0] + side, space[1] + up)
                if self.free(goal) or (side != 0 and self.foe(goal)):
                    found.add(f"move({named(space)},{named(goal)})")
        return found

    def play(self, action: str) -> None:
        start, goal = action.removeprefix("move(").removesuffix(")").split(",")
        self.coins[space_of(goal)] = self.coins.pop(space_of(start))
        self.mover = 1 - self.mover

    def end(self) -> End | None:
        arrived = {OWNER[suit] for (_, rank), suit in self.coins.items() if rank == (5 if OWNER[suit] == 0 else 0)}
        if arrived or len(self.armies()) == 1:
            return End(tuple(arrived or self.armies()))
        return None


FIRST = ("c3", "b4", "a1", "d6")
LINES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


class Alquerque(Armies):
    def __init__(self, backward: bool) -> None:
        south, north = ("a1 b1 c1 d1 e1 a2", "b2 c2 d2 e2 d3 e3"), ("a5 b5 c5 d5 e5 e4", "a4 b4 c4 d4 a3 b3")
        super().__init__(5, 5, dict(zip("SMCA", (*south, *north), strict=True)))
        self.backward, self.quiet = backward, 0
        self.goes_on: Space | None = None

    def lines(self, space: Space) -> list[Space]:
        """ALQU-2.2: slanted ones only from the middle of a tile and where four tiles meet."""
        return LINES + (SLANTED if space[0] % 2 == space[1] % 2 else [])

    def jumps(self) -> dict[str, Space]:
        """By the action, the coin that is captured (ALQU-4.2 and 4.4)."""
        found = {}
        for space in [self.goes_on] if self.goes_on else filter(self.own, self.coins):
            for right, up in self.lines(space):
                over, goal = (space[0] + right, space[1] + up), (space[0] + 2 * right, space[1] + 2 * up)
                if self.foe(over) and self.free(goal):
                    found[f"capture({named(space)},{named(goal)})"] = over
        return found

    def steps(self) -> set[str]:
        found = set()
        for space in filter(self.own, self.coins):
            for right, up in self.lines(space):
                goal, back = (space[0] + right, space[1] + up), up == (-1 if self.mover == 0 else 1)
                if self.free(goal) and (self.backward or not back):
                    found.add(f"move({named(space)},{named(goal)})")
        return found

    def legal(self) -> set[str]:
        """ALQU-4.3: who can capture must."""
        return set(self.jumps()) or self.steps()

    def play(self, action: str) -> None:
        captured = self.jumps().get(action)
        start, goal = (space_of(name) for name in action[:-1].split("(")[1].split(","))
        self.coins[goal] = self.coins.pop(start)
        self.quiet += 1
        if captured:
            del self.coins[captured]
            self.quiet, self.goes_on = 0, goal
            if self.jumps():
                return
        self.goes_on, self.mover = None, 1 - self.mover

    def end(self) -> End | None:
        if self.goes_on:
            return None
        if self.mover not in self.armies():
            return End((1 - self.mover,))
        if self.quiet >= 40:
            return End(())
        return None if self.legal() else End((1 - self.mover,))


class Konane(Armies):
    def __init__(self, anywhere: bool) -> None:
        coins = {
            "S": "a1 c1 b2 d2 a3 c3",
            "C": "b1 d1 a2 c2 b3 d3",
            "M": "b4 d4 a5 c5 b6 d6",
            "A": "a4 c4 b5 d5 a6 c6",
        }
        super().__init__(4, 6, coins)
        self.anywhere, self.turns = anywhere, 0
        self.gap: Space = (-9, -9)

    def taken_off(self) -> list[Space]:
        """KONA-4.1 and 9.1, then KONA-4.2."""
        if self.turns == 0:
            return [at for at in self.coins if self.own(at) and (self.anywhere or named(at) in FIRST)]
        near = [(self.gap[0] + right, self.gap[1] + up) for right, up in LINES]
        return [at for at in near if at in self.coins]

    def jumps(self) -> dict[str, list[Space]]:
        """By the action, the coins that are captured (KONA-4.3 and 4.4)."""
        found = {}
        for space in filter(self.own, self.coins):
            for right, up in LINES:
                at, captured = space, list[Space]()
                while self.foe(over := (at[0] + right, at[1] + up)) and self.free(
                    behind := (over[0] + right, over[1] + up)
                ):
                    at, captured = behind, [*captured, over]
                    found[f"jump({named(space)},{named(at)})"] = captured
        return found

    def legal(self) -> set[str]:
        return {f"remove({named(at)})" for at in self.taken_off()} if self.turns < 2 else set(self.jumps())

    def play(self, action: str) -> None:
        if self.turns < 2:
            self.gap = space_of(action[-3:-1])
            del self.coins[self.gap]
        else:
            captured = self.jumps()[action]
            start, goal = (space_of(name) for name in action[5:-1].split(","))
            self.coins[goal] = self.coins.pop(start)
            for at in captured:
                del self.coins[at]
        self.turns, self.mover = self.turns + 1, 1 - self.mover

    def end(self) -> End | None:
        return None if self.legal() else End((1 - self.mover,))
