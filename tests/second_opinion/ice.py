"""The Penguin Game once more: stacks as lists, looked through whole for every question."""

from __future__ import annotations

import re
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, coins_by_place

SPACES = [file + rank for rank in "4321" for file in "abcd"]
SECOND = ["a4", "d4", "b3", "c3", "b2", "c2", "a1", "d1"]


class Penguin:
    def __init__(self, players: int, flames: bool = False, reverse: bool = False) -> None:
        self.players, self.flames, self.reverse = players, flames, reverse
        self.stacks: dict[str, list[str]] = {space: [] for space in SPACES}
        self.penguins: dict[int, str] = {}
        self.out: set[int] = set()
        self.dealt = False
        self.mover = 0
        self.left: str | None = None

    def to_act(self) -> int | None:
        return self.mover if self.dealt else None

    def legal(self) -> set[str]:
        taken = set(self.penguins.values())
        if self.left is not None:
            free = {space for space in SPACES if self.stacks[space] and space not in taken}
            return {f"melt({space})" for space in (free if self.flames else {self.left})}
        if len(self.penguins) + len(self.out) < self.players:
            return {f"place_penguin({space})" for space in SPACES if self.stacks[space] and space not in taken}
        here = self.penguins[self.mover]
        goals = {space for space in SPACES if self.stacks[space] and space not in taken and self.reaches(here, space)}
        return {f"move({space})" for space in goals} or {"drop_out"}

    def reaches(self, here: str, space: str) -> bool:
        near = abs(ord(here[0]) - ord(space[0])) <= 1 and abs(int(here[1]) - int(space[1])) <= 1
        step = near and len(self.stacks[here]) == len(self.stacks[space])
        return step or self.stacks[here][-1] == self.stacks[space][-1]

    def play(self, action: str) -> None:
        verb, place = (re.findall(r"\w+", action) + [""])[:2]
        if verb == "deal":
            for space, letter in zip(SPACES + SECOND, place, strict=True):
                self.stacks[space].append(letter)
            self.dealt = True
            self.mover = self.players - 1 if self.reverse else 0
        elif verb == "place_penguin":
            self.penguins[self.mover] = place
            self.mover = (self.mover + (-1 if self.reverse else 1)) % self.players
            if len(self.penguins) == self.players:
                self.mover = 0
        elif verb == "move":
            self.left = self.penguins[self.mover]
            self.penguins[self.mover] = place
        elif verb == "melt":
            self.stacks[place].pop()
            self.left = None
            self.next_player()
        else:
            del self.penguins[self.mover]
            self.out.add(self.mover)
            self.next_player()

    def next_player(self) -> None:
        self.mover = (self.mover + 1) % self.players
        while self.mover in self.out:
            self.mover = (self.mover + 1) % self.players

    def table(self) -> Any:
        return {space: stack for space, stack in self.stacks.items() if stack}, self.penguins

    def seen(self, game: AnyGame, state: Any) -> Any:
        pawns = (placed for placed in game.layout(state).board if placed.piece.kind.value == "pawn")
        return coins_by_place(game, state), {placed.seat: placed.place for placed in pawns}

    def end(self) -> End | None:
        everybody = len(self.penguins) + len(self.out) == self.players
        return End((next(iter(self.penguins)),)) if everybody and len(self.penguins) == 1 else None

    def scores(self) -> tuple[int, ...]:
        return ()
