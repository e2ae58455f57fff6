"""Fuji-San once more: four priests by place, the rows walked space by space."""

from __future__ import annotations

import re
from itertools import permutations, product
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

FILES = "abcdefghijklmn"
SUMMIT = {"g1", "g2", "h1", "h2"}
GROUND = {"a1", "a2", "n1", "n2"}
SUITS = {"S": "suns", "M": "moons", "C": "crowns", "A": "arms"}


class FujiSan:
    def __init__(self, layout: str, summit_cross: bool, aces_null: bool, road: str = "") -> None:
        """`road`: what becomes of priests back on the ground, where they climb down again."""
        far, near = layout.split("/")
        self.values = {f"{file}2": int(value) for file, value in zip(FILES[1:-1], far, strict=True)}
        self.values |= {f"{file}1": int(value) for file, value in zip(FILES[1:-1], near, strict=True)}
        if aces_null:
            self.values = {place: 0 if value == 1 else value for place, value in self.values.items()}
        self.priests = {"S": "a2", "M": "n2", "C": "n1", "A": "a1"}
        self.arrived: set[str] = set()
        self.summit_cross = summit_cross
        self.moves = 0
        self.road, self.phase = road, "up"
        self.dice: dict[str, int] = {}
        if not self.moving():
            self.phase = "roll"

    def legal(self) -> set[str]:
        if self.phase == "roll":
            return {f"roll(S{s}+M{m}+C{c}+A{a})" for s, m, c, a in product(range(6), repeat=4)}
        if self.phase == "rescue":
            return {f"rescue({name})" for name in SUITS.values()}
        if self.phase == "carry":
            return {f"carry({','.join(places)})" for places in permutations(sorted(GROUND))}
        return self.moving()

    def moving(self) -> set[str]:
        return {action for place in self.priests.values() for action in self.from_place(place)}

    def from_place(self, place: str) -> set[str]:
        taken = set(self.priests.values())
        found: set[str] = set()
        if self.phase == "down" and place in GROUND:
            return found
        if place not in self.arrived:
            found |= {f"climb({place},{goal})" for way in (-1, 1) for goal in self.climbs(place, way)}
        if place[0] in "an":
            return found
        beside = place[0] + ("1" if place[1] == "2" else "2")
        if beside not in taken:
            found.add(f"side({place},{beside})")
        across = {"g": "h", "h": "g"}.get(place[0], "") + place[1]
        if self.summit_cross and self.phase == "up" and across in SUMMIT and across not in taken:
            found.add(f"cross({place},{across})")
        return found

    def climbs(self, place: str, way: int) -> set[str]:
        found, counted, at = set(), 0, FILES.index(place[0]) + way
        low, high = (0, 13) if self.phase == "down" else (1, 12)
        while low <= at <= high:
            goal = FILES[at] + place[1]
            if goal not in self.priests.values():
                counted += 1
                if self.values[goal] == counted:
                    found.add(goal)
            at += way
        return found

    def play(self, action: str) -> None:
        verb, *args = re.findall(r"\w+", action)
        if verb == "roll":
            self.dice = {die[0]: int(die[1]) for die in args}
            self.phase = "rescue"
            return
        if verb == "rescue":
            self.walk(next(suit for suit, name in SUITS.items() if name == args[0]))
            return
        if verb == "carry":
            self.carry(args)
            return
        start, goal = re.findall(r"[a-n][12]", action)[:2]
        suit = next(suit for suit, place in self.priests.items() if place == start)
        self.priests[suit] = goal
        if self.phase == "up":
            self.arrived = {place for place in self.priests.values() if place in SUMMIT}
        self.moves += 1
        if self.phase == "down" and self.road == "vacate" and goal in GROUND:
            del self.priests[suit]
        if self.phase == "up" and self.road and set(self.priests.values()) == SUMMIT:
            self.phase = "carry"

    def walk(self, suit: str) -> None:
        """As many steps straight inward as the die shows, whatever lies there."""
        place, steps = self.priests[suit], self.dice[suit]
        at = FILES.index(place[0])
        self.priests[suit] = FILES[at + steps if at == 0 else at - steps] + place[1]
        self.moves += steps > 0
        self.phase = "up"

    def carry(self, places: list[str]) -> None:
        """The coins of g2, g1, h2 and h1 go to the ground; where they lay is null now."""
        for summit, ground in zip(("g2", "g1", "h2", "h1"), places, strict=True):
            self.values[ground] = self.values[summit] or 1
            self.values[summit] = 0
        self.arrived = set()
        self.phase = "down"

    def to_act(self) -> int | None:
        return None if self.phase == "roll" else 0

    def table(self) -> Any:
        return dict(self.priests)

    def seen(self, game: AnyGame, state: Any) -> Any:
        pawns = (placed for placed in game.layout(state).board if placed.piece.kind.value == "pawn")
        return {placed.piece.code[1]: placed.place for placed in pawns}

    def end(self) -> End | None:
        down = self.phase == "down" and set(self.priests.values()) <= GROUND
        if down or (not self.road and set(self.priests.values()) == SUMMIT):
            return End((0,))
        return None if self.legal() else End(())

    def scores(self) -> tuple[int, ...]:
        return (self.moves,)
