"""Fuji-San once more: four priests by place, the rows walked space by space."""

from __future__ import annotations

import re
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

FILES = "abcdefghijklmn"
SUMMIT = {"g1", "g2", "h1", "h2"}


class FujiSan:
    def __init__(self, layout: str, summit_cross: bool, aces_null: bool) -> None:
        far, near = layout.split("/")
        self.values = {f"{file}2": int(value) for file, value in zip(FILES[1:-1], far, strict=True)}
        self.values |= {f"{file}1": int(value) for file, value in zip(FILES[1:-1], near, strict=True)}
        if aces_null:
            self.values = {place: 0 if value == 1 else value for place, value in self.values.items()}
        self.priests = {"S": "a2", "M": "n2", "C": "n1", "A": "a1"}
        self.arrived: set[str] = set()
        self.summit_cross = summit_cross
        self.moves = 0

    def legal(self) -> set[str]:
        return {action for place in self.priests.values() for action in self.from_place(place)}

    def from_place(self, place: str) -> set[str]:
        taken = set(self.priests.values())
        found = set()
        if place not in self.arrived:
            found |= {f"climb({place},{goal})" for way in (-1, 1) for goal in self.climbs(place, way)}
        if place[0] in "an":
            return found
        beside = place[0] + ("1" if place[1] == "2" else "2")
        if beside not in taken:
            found.add(f"side({place},{beside})")
        across = {"g": "h", "h": "g"}.get(place[0], "") + place[1]
        if self.summit_cross and across in SUMMIT and across not in taken:
            found.add(f"cross({place},{across})")
        return found

    def climbs(self, place: str, way: int) -> set[str]:
        found, counted, at = set(), 0, FILES.index(place[0]) + way
        while 1 <= at <= 12:
            goal = FILES[at] + place[1]
            if goal not in self.priests.values():
                counted += 1
                if self.values[goal] == counted:
                    found.add(goal)
            at += way
        return found

    def play(self, action: str) -> None:
        start, goal = re.findall(r"[a-n][12]", action)[:2]
        suit = next(suit for suit, place in self.priests.items() if place == start)
        self.priests[suit] = goal
        self.arrived = {place for place in self.priests.values() if place in SUMMIT}
        self.moves += 1

    def to_act(self) -> int:
        return 0

    def table(self) -> Any:
        return dict(self.priests)

    def seen(self, game: AnyGame, state: Any) -> Any:
        pawns = (placed for placed in game.layout(state) if placed.piece.kind.value == "pawn")
        return {placed.piece.code[1]: placed.place for placed in pawns}

    def end(self) -> End | None:
        if set(self.priests.values()) == SUMMIT:
            return End((0,))
        return None if self.legal() else End(())

    def scores(self) -> tuple[int, ...]:
        return (self.moves,)
