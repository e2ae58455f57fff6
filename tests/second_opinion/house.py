"""Zombie in my Piecepack from its rulebook: rooms by place, doors as pairs of rooms, and every question asked anew."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

Place = tuple[int, int]
DOORWAYS = {
    "S0": 1,
    "S1": 1,
    "A0": 1,
    "A1": 2,
    "A2": 2,
    "A3": 3,
    "A4": 4,
    "A5": 4,
    "M0": 2,
    "M1": 1,
    "C0": 1,
    "C1": 2,
    "C2": 2,
    "C3": 3,
    "C4": 4,
    "C5": 4,
}
"""ZOMB-2.2."""
FOYER, TEMPLE, DINING, PATIO, GRAVEYARD = "S0", "S1", "A5", "M0", "M1"
SEARCHED, HELPFUL = ("A0", "C0"), ("A1", "C1")
MOST = 6


def outdoors(room: str) -> bool:
    return room[0] in "MC"


def beside(place: Place) -> list[Place]:
    """North, east, south, west (ZOMB-2.4)."""
    return [(place[0] + east, place[1] + north) for east, north in ((0, 1), (1, 0), (0, -1), (-1, 0))]


class Zombie:
    def __init__(self, options: Mapping[str, Any]) -> None:
        self.rules = options
        self.rooms: dict[Place, str] = {(0, 0): FOYER}
        self.doors: set[frozenset[str]] = set()
        self.holes: set[frozenset[str]] = set()
        self.stacks = {False: {"S1", *(f"A{n}" for n in range(6))}, True: {"M1", *(f"C{n}" for n in range(6))}}
        """Indoors and outdoors (ZOMB-3.2)."""
        self.here, self.visited = FOYER, {FOYER}
        self.hand, self.intensity, self.health, self.weapon = 0, [0, 3, 5], 5, 1
        self.totem, self.phase = "hidden", "clock"
        self.opening: tuple[Place, bool] = ((0, 0), False)
        self.broken = self.stayed = self.retreated = self.done = False
        self.moon = 0

    # Rooms and doors ----------------------------------------------------------------------------------------

    def place_of(self, room: str) -> Place:
        return next(place for place, other in self.rooms.items() if other == room)

    def empty(self, room: str) -> list[Place]:
        return [place for place in beside(self.place_of(room)) if place not in self.rooms]

    def unused(self, room: str) -> int:
        holes = self.holes if self.rules.get("break_uses_door") else set[frozenset[str]]()
        return DOORWAYS[room] - sum(room in pair for pair in self.doors | holes)

    def free(self, room: str) -> int:
        """Without the one that the Dining Room keeps for the Patio."""
        return self.unused(room) - (room == DINING and PATIO not in self.rooms.values())

    def joined(self, room: str) -> set[str]:
        return {other for pair in self.doors | self.holes if room in pair for other in pair - {room}}

    def reached(self) -> set[str]:
        found, new = {self.here}, {self.here}
        while new:
            new = {other for room in new for other in self.joined(room)} - found
            found |= new
        return found

    def openings(self, room: str) -> set[str]:
        """The doors that can be opened in a room (ZOMB-4.4)."""
        found = set()
        for east, north in self.empty(room):
            if self.free(room) > 0 and self.stacks[outdoors(room)]:
                found.add(f"open({east}:{north},draw)")
            if room == DINING and PATIO not in self.rooms.values() and self.unused(room) > 0:
                found.add(f"open({east}:{north},patio)")
        return found

    def lay(self, room: str, place: Place, hole: bool) -> None:
        self.rooms[place] = room
        (self.holes if hole else self.doors).add(frozenset({self.here, room}))
        if room == TEMPLE:
            self.totem = "temple"
        for near in beside(place) if self.rules.get("auto_connect", True) else ():
            other = self.rooms.get(near)
            if other is None or other in self.joined(room) or outdoors(other) != outdoors(room):
                continue
            if self.free(room) > 0 and self.free(other) > 0:
                self.doors.add(frozenset({room, other}))

    def enter(self, room: str) -> None:
        self.here = room
        self.visited.add(room)

    # What can be done ---------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        found: set[str] = getattr(self, f"in_{self.phase}")()
        return found

    def in_clock(self) -> set[str]:
        return {"clock"}

    def in_move(self) -> set[str]:
        found = {"stay"} | {f"walk(t{room})" for room in self.joined(self.here)} | self.openings(self.here)
        scope = self.reached()
        if self.rules.get("break_scope") == "room":
            scope = {self.here}
        elif self.rules.get("break_scope") == "zone":
            scope = {room for room in scope if outdoors(room) == outdoors(self.here)}
        if not any(self.openings(room) for room in scope) and self.stacks[outdoors(self.here)]:
            found |= {f"break_wall({east}:{north})" for east, north in self.empty(self.here)}
        return found

    def in_draw(self) -> set[str]:
        return {f"draw(t{room})" for room in self.stacks[outdoors(self.here)]}

    def in_moon(self) -> set[str]:
        return {f"roll(M{number})" for number in range(6)}

    def in_event(self) -> set[str]:
        return {f"roll(S{suns}+M{moons}+A{arms})" for suns, moons, arms in product(range(6), repeat=3)}

    def in_attack(self) -> set[str]:
        """ZOMB-4.7, ZOMB-8.9."""
        known = self.visited - {self.here}
        goals = known if self.rules.get("retreat") == "visited" else known & self.joined(self.here)
        return {"fight"} | {f"retreat(t{room})" for room in goals}

    def in_special(self) -> set[str]:
        found = {"end_turn", "cower"}
        if self.retreated or self.done:
            return found
        long_enough = self.stayed or self.rules.get("temple") == "on_arrival"
        if self.here == TEMPLE and self.totem == "temple" and long_enough:
            found.add("take_totem")
        if self.here == GRAVEYARD and self.totem == "carried" and long_enough:
            found.add("bury")
        if self.here in SEARCHED:
            found.add("search")
        return found

    def in_search(self) -> set[str]:
        return {f"roll(A{number})" for number in range(6)}

    def in_cower(self) -> set[str]:
        return {f"roll(S{number})" for number in range(6)}

    # What it does -------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        verb, args = action.split("(")[0], re.findall(r"-?\d+:-?\d+|\b[a-z]+(?=\))|[A-Z]\d", action)
        getattr(self, f"do_{verb}")(*args)

    def tick(self) -> bool:
        """ZOMB-4.1; whether the game goes on."""
        self.hand = (self.hand + 1) % 8
        if self.hand == 0:
            self.intensity.pop(0)
        return bool(self.intensity)

    def do_clock(self) -> None:
        self.tick()
        self.phase = "move"

    def do_stay(self) -> None:
        self.stayed, self.phase = True, "event"

    def do_walk(self, room: str) -> None:
        self.enter(room)
        self.phase = "event"

    def do_open(self, cell: str, what: str) -> None:
        east, north = map(int, cell.split(":"))
        self.opening, self.phase = ((east, north), False), "draw"
        if what == "patio":
            self.lay(PATIO, (east, north), False)
            self.enter(PATIO)
            self.phase = "event"

    def do_break_wall(self, cell: str) -> None:
        east, north = map(int, cell.split(":"))
        self.opening, self.phase = ((east, north), True), "draw"

    def do_draw(self, room: str) -> None:
        place, hole = self.opening
        self.stacks[outdoors(self.here)].remove(room)
        self.lay(room, place, hole)
        self.broken, self.phase = hole, "moon" if hole else "event"
        if not hole or self.rules.get("enter_after_break"):
            self.enter(room)

    def do_roll(self, *dice: str) -> None:
        shown = {die[0]: int(die[1]) for die in dice}
        if self.phase == "moon":
            self.moon, self.phase = shown["M"], "attack"
        elif self.phase == "search":
            self.weapon += shown["A"] > self.weapon
            self.phase = "special"
        elif self.phase == "cower":
            self.health += shown["S"] > self.health
            self.do_end_turn()
        else:
            self.event(shown["S"], shown["M"], shown["A"])

    def event(self, suns: int, moons: int, arms: int) -> None:
        """ZOMB-4.6."""
        self.broken, self.phase = False, "special"
        if moons >= max(suns, arms):
            self.moon, self.phase = moons, "attack"
            if self.rules.get("attack_roll") == "reroll":
                self.phase = "moon"
        elif suns > arms:
            self.health = min(MOST, self.health + 1)
        elif arms > suns:
            self.weapon = min(MOST, self.weapon + 1)

    def do_fight(self) -> None:
        self.health -= max(0, self.moon + self.intensity[0] - self.weapon)
        self.after_attack()

    def do_retreat(self, room: str) -> None:
        self.health -= 1
        self.retreated = True
        self.enter(room)
        self.after_attack()

    def after_attack(self) -> None:
        self.phase = "event" if self.broken and self.rules.get("event_after_break", True) else "special"

    def do_take_totem(self) -> None:
        self.totem, self.done = "carried", True

    def do_bury(self) -> None:
        self.totem = "buried"

    def do_search(self) -> None:
        self.done, self.phase = True, "search"
        if self.rules.get("search", "clock") == "clock":
            self.tick()

    def do_cower(self) -> None:
        self.phase = "cower"
        self.tick()

    def do_end_turn(self) -> None:
        """ZOMB-4.12, ZOMB-8.17."""
        if self.here in HELPFUL and (not self.retreated or self.rules.get("bonus_after_retreat", True)):
            self.health = min(MOST, self.health + 1)
        self.broken = self.stayed = self.retreated = self.done = False
        self.phase = "clock"

    # What can be seen ---------------------------------------------------------------------------------------

    def to_act(self) -> int | None:
        return None if self.phase in ("draw", "moon", "event", "search", "cower") else 0

    def table(self) -> Any:
        rooms = {f"{east}:{north}": room for (east, north), room in self.rooms.items()}
        east, north = self.place_of(self.here)
        return rooms, f"{east}:{north}", self.hand, max(0, self.health), self.weapon, self.intensity

    def seen(self, game: AnyGame, state: Any) -> Any:
        board = game.layout(state).board
        tiles = [placed for placed in board if placed.piece.kind.value == "tile" and ":" in placed.place]
        rooms = {placed.place: placed.piece.code[1:] for placed in tiles}
        pawns = {placed.piece.code[1]: placed.place for placed in board if placed.piece.kind.value == "pawn"}
        coins = [placed for placed in board if placed.piece.kind.value == "coin"]
        health, weapon = (sum(placed.place.startswith(what) for placed in coins) for what in ("health", "weapon"))
        values = sorted(int(placed.piece.code[2]) for placed in coins if placed.place.startswith("intensity"))
        return rooms, pawns["A"], int(pawns["M"].removeprefix("clock")), health, weapon, values

    def end(self) -> End | None:
        if self.totem == "buried":
            return End((0,))
        return End(()) if self.health <= 0 or not self.intensity else None

    def scores(self) -> tuple[int, ...]:
        return ()
