"""Dodg'em, Quatri and Jul-Gonu once more: dictionaries of spaces, nothing prepared, nothing shared."""

from __future__ import annotations

import re
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, coins_by_place

Space = tuple[int, int]
NAMES = ("suns", "crowns")


def named(space: Space) -> str:
    return "abcdef"[space[0]] + str(space[1] + 1)


def space_of(name: str) -> Space:
    return "abcdef".index(name[0]), int(name[1]) - 1


def words(action: str) -> list[str]:
    return re.findall(r"[a-z_]+\d?", action)


class Coins:
    """Two sides with coins on a square board."""

    def __init__(self, size: int, suns: set[Space], crowns: set[Space]) -> None:
        self.size, self.coins, self.mover = size, [suns, crowns], 0
        self.history = [self.position()]
        self.passes = 0

    def position(self) -> tuple[frozenset[Space], frozenset[Space], int]:
        return frozenset(self.coins[0]), frozenset(self.coins[1]), self.mover

    def on_board(self, space: Space) -> bool:
        return 0 <= space[0] < self.size and 0 <= space[1] < self.size

    def free(self, space: Space) -> bool:
        return self.on_board(space) and space not in self.coins[0] and space not in self.coins[1]

    def next_turn(self) -> None:
        self.mover = 1 - self.mover
        self.history.append(self.position())

    def repeated(self) -> bool:
        return self.history.count(self.history[-1]) >= 3

    def to_act(self) -> int:
        return self.mover

    def table(self) -> Any:
        return {named(space): [letter] for letter, own in zip("SC", self.coins, strict=True) for space in own}

    def seen(self, game: AnyGame, state: Any) -> Any:
        return coins_by_place(game, state)

    def steps(self, ways: tuple[Space, ...]) -> set[str]:
        found = set()
        for x, y in self.coins[self.mover]:
            for dx, dy in ways:
                if self.free((x + dx, y + dy)):
                    found.add(f"move({named((x, y))},{named((x + dx, y + dy))})")
        return found

    def moved(self, action: str) -> Space:
        _, start, goal = words(action)
        self.coins[self.mover].remove(space_of(start))
        self.coins[self.mover].add(space_of(goal))
        self.passes = 0
        return space_of(goal)


AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0))
NORTH, SOUTH, EAST, WEST = AROUND


class Dodgem(Coins):
    def __init__(self, direction: str, size: int, block_loses: bool) -> None:
        side = range(size)
        suns, crowns = {(0, y) for y in side[:-1]}, {(size - 1, y) for y in side[1:]}
        if direction == "vout":
            suns, crowns = {(0, y) for y in side[1:]}, {(x, 0) for x in side[1:]}
        self.forward = {"literal": (NORTH, SOUTH), "facing": (EAST, WEST), "vout": (EAST, NORTH)}[direction]
        self.off = [0, 0]
        self.block_loses = block_loses
        self.blocked_by: int | None = None
        super().__init__(size, suns, crowns)

    def moves(self) -> set[str]:
        fx, fy = self.forward[self.mover]
        sideways = ((fy, fx), (-fy, -fx))
        leaving = {(x, y) for x, y in self.coins[self.mover] if not self.on_board((x + fx, y + fy))}
        return self.steps(((fx, fy), *sideways)) | {f"exit({named(space)})" for space in leaving}

    def legal(self) -> set[str]:
        return self.moves() or {"pass"}

    def play(self, action: str) -> None:
        if action == "pass":
            self.passes += 1
        elif action.startswith("exit"):
            self.coins[self.mover].remove(space_of(words(action)[1]))
            self.off[self.mover] += 1
            self.passes = 0
        else:
            self.moved(action)
        acted = self.mover
        self.next_turn()
        if self.block_loses and action != "pass" and self.coins[self.mover] and not self.moves():
            self.blocked_by = acted

    def end(self) -> End | None:
        for side in (0, 1):
            if self.off[side] == self.size - 1:
                return End((side,))
        if self.blocked_by is not None:
            return End((1 - self.blocked_by,))
        return End((), drawn=True) if self.passes == 2 or self.repeated() else None

    def scores(self) -> tuple[int, ...]:
        return tuple(self.off)


class Quatri(Coins):
    def __init__(self, mirror: bool, stalemate: str) -> None:
        suns, crowns = ({space_of(name) for name in text.split()} for text in ("a1 c1 b4 d4", "b1 d1 a4 c4"))
        self.stalemate = stalemate
        super().__init__(4, *((crowns, suns) if mirror else (suns, crowns)))

    def legal(self) -> set[str]:
        return self.steps(AROUND) or {"pass"}

    def play(self, action: str) -> None:
        if action == "pass":
            self.passes += 1
        else:
            self.moved(action)
        self.next_turn()

    def has_line(self, side: int) -> bool:
        own = self.coins[side]
        ways = ((1, 0), (0, 1), (1, 1), (1, -1))
        return any({(x, y), (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)} <= own for x, y in own for dx, dy in ways)

    def end(self) -> End | None:
        for side in (0, 1):
            if self.has_line(side):
                return End((side,))
        if self.passes == 2 or self.repeated():
            return End((), drawn=True)
        return End((1 - self.mover,)) if self.stalemate == "loses" and not self.steps(AROUND) else None

    def to_act(self) -> int:
        return self.mover

    def scores(self) -> tuple[int, ...]:
        return ()


class JulGonu(Coins):
    def __init__(self, strict: bool, stalemate: str, ko: bool = False) -> None:
        self.ko = ko
        self.captured = [0, 0]
        self.recent: list[list[str]] = [[], []]
        self.strict, self.stalemate = strict, stalemate
        self.shuttled: int | None = None
        super().__init__(4, {(x, 0) for x in range(4)}, {(x, 3) for x in range(4)})

    def legal(self) -> set[str]:
        return self.moves() or {"pass"}

    def moves(self) -> set[str]:
        found = self.steps(AROUND)
        return {action for action in found if not self.restores(action)} if self.ko else found

    def restores(self, action: str) -> bool:
        """Whether it brings back what stood there two or four plies before."""
        kept, passes = [set(own) for own in self.coins], self.passes
        taken = self.fallen(self.moved(action))
        self.coins[1 - self.mover] -= taken
        later = (frozenset(self.coins[0]), frozenset(self.coins[1]), 1 - self.mover)
        self.coins, self.passes = kept, passes
        return later in (self.history[-2:-1] + self.history[-4:-3])

    def fallen(self, arrived: Space) -> set[Space]:
        own, enemy = self.coins[self.mover], self.coins[1 - self.mover]
        found: set[Space] = set()
        for dx, dy in AROUND:
            run: list[Space] = []
            x, y = arrived[0] + dx, arrived[1] + dy
            while (x, y) in enemy:
                run.append((x, y))
                x, y = x + dx, y + dy
            if 1 <= len(run) <= 2 and (x, y) in own:
                found |= set(run)
        return found

    def play(self, action: str) -> None:
        if action == "pass":
            self.passes += 1
            self.recent[self.mover] = []
            return self.next_turn()
        taken = self.fallen(self.moved(action))
        self.coins[1 - self.mover] -= taken
        self.captured[self.mover] += len(taken)
        if taken and not self.strict:
            self.recent = [[], []]
        self.recent[self.mover].append(action)
        if not self.ko and self.captured[self.mover] < 3 and self.over_back_over(self.recent[self.mover][-3:]):
            self.shuttled = self.mover
        return self.next_turn()

    def over_back_over(self, last: list[str]) -> bool:
        if len(last) < 3:
            return False
        (_, a, b), (_, c, d), (_, e, f) = map(words, last)
        return (a, b) == (d, c) == (e, f)

    def end(self) -> End | None:
        for side in (0, 1):
            if self.captured[side] >= 3:
                return End((side,))
        if self.shuttled is not None:
            return End((1 - self.shuttled,))
        if self.passes == 2 or self.repeated():
            return End((), drawn=True)
        return End((1 - self.mover,)) if self.stalemate == "loses" and not self.moves() else None

    def scores(self) -> tuple[int, ...]:
        return tuple(self.captured)
