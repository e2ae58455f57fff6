"""Zombie in my Piecepack: rooms, options, state and how it begins (ZOMB-1 to ZOMB-3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine import Seat, option
from rules.sentence import Sentence, say

Cell = tuple[int, int]
Pair = tuple[str, str]

FOYER, TEMPLE, PATIO, GRAVEYARD, DINING = "S0", "S1", "M0", "M1", "A5"
STORAGES = ("A0", "C0")
KITCHENS = ("A1", "C1")
IN, OUT = "in", "out"
LARDER = 6
"""Maximum of health and weapon: six coins of each meter."""
HOUR = 8
INTENSITY = (0, 3, 5)


@dataclass(frozen=True, slots=True)
class RoomKind:
    """A room that a tile represents (ZOMB-2.2)."""

    words: Sentence
    zone: str
    doorways: int

    @property
    def name(self) -> str:
        return self.words.text


ROOMS: dict[str, RoomKind] = {
    FOYER: RoomKind(say("Foyer"), IN, 1),
    TEMPLE: RoomKind(say("Evil Temple"), IN, 1),
    "A0": RoomKind(say("Storage"), IN, 1),
    "A1": RoomKind(say("Kitchen"), IN, 2),
    "A2": RoomKind(say("room with {count} exits", count=2), IN, 2),
    "A3": RoomKind(say("room with {count} exits", count=3), IN, 3),
    "A4": RoomKind(say("room with {count} exits", count=4), IN, 4),
    DINING: RoomKind(say("Dining Room"), IN, 4),
    PATIO: RoomKind(say("Patio"), OUT, 2),
    GRAVEYARD: RoomKind(say("Graveyard"), OUT, 1),
    "C0": RoomKind(say("Shed"), OUT, 1),
    "C1": RoomKind(say("Garden"), OUT, 2),
    "C2": RoomKind(say("ground with {count} exits", count=2), OUT, 2),
    "C3": RoomKind(say("ground with {count} exits", count=3), OUT, 3),
    "C4": RoomKind(say("ground with {count} exits", count=4), OUT, 4),
    "C5": RoomKind(say("open ground with {count} exits", count=4), OUT, 4),
}
STACKS: dict[str, tuple[str, ...]] = {
    IN: ("A0", "A1", "A2", "A3", "A4", "A5", TEMPLE),
    OUT: ("C0", "C1", "C2", "C3", "C4", "C5", GRAVEYARD),
}


@dataclass(frozen=True, slots=True)
class Options:
    auto_connect: bool = option(True, "a new room joins the rooms it touches", clause="ZOMB-8.2")
    break_scope: str = option(
        "house",
        "where no door may be possible before zombies break in",
        choices=("house", "zone", "room"),
        clause="ZOMB-8.4",
    )
    break_where: str = option("room", "whose walls they break", choices=("room", "any"), clause="ZOMB-8.5")
    break_uses_door: bool = option(False, "a hole uses up a doorway", clause="ZOMB-8.6")
    enter_after_break: bool = option(False, "you enter the room behind a broken wall", clause="ZOMB-8.7")
    event_after_break: bool = option(True, "dice are rolled after a break-in too", clause="ZOMB-8.8")
    retreat: str = option("connected", "where to retreat", choices=("connected", "visited"), clause="ZOMB-8.9")
    walk: str = option("any", "which connected rooms one may walk to", choices=("any", "last"), clause="ZOMB-8.13")
    relocate_patio: bool = option(False, "a closed-in Dining Room lays the Patio elsewhere", clause="ZOMB-8.15")
    attack_roll: str = option("event", "the moons die of an attack", choices=("event", "reroll"), clause="ZOMB-8.16")
    bonus_after_retreat: bool = option(True, "Kitchen and Garden help after a retreat", clause="ZOMB-8.17")
    temple: str = option("stay", "when totem and grave are used", choices=("stay", "on_arrival"), clause="ZOMB-8.1")
    search: str = option("clock", "what a search costs", choices=("clock", "free"), clause="ZOMB-8.1")
    time: str = option("turn", "when the hand moves", choices=("turn", "action"), clause="ZOMB-8.19")


class Phase(StrEnum):
    CLOCK = "clock"
    MOVE = "move"
    DRAW = "draw"
    MOON = "moon"
    EVENT = "event"
    ATTACK = "attack"
    SPECIAL = "special"
    SEARCH = "search"
    COWER = "cower"
    OVER = "over"


class Totem(StrEnum):
    HIDDEN = "hidden"
    TEMPLE = "temple"
    CARRIED = "carried"
    BURIED = "buried"


@dataclass(frozen=True, slots=True)
class Room:
    """A tile on the map. `key` is its key in the layout: by order for tiles of the stacks."""

    code: str
    cell: Cell
    key: str


@dataclass(frozen=True, slots=True)
class TileToDraw:
    """A tile about to be drawn: its cell, the room that leads to it, and whether by a doorway or a hole."""

    cell: Cell
    room: str
    hole: bool


@dataclass(frozen=True, slots=True)
class State:
    """`doors` and `holes` join rooms (by code). `stayed`, `retreated` and `done` (the special action) belong to this
    turn. `moon` is the die of the attack to be answered, `breaking` whether it comes through a wall. `dice` are the
    values that the suns, moons and arms dice show: a throw is told by its difference from the one before."""

    options: Options
    phase: Phase = Phase.CLOCK
    rooms: tuple[Room, ...] = (Room(FOYER, (0, 0), "foyer"),)
    doors: tuple[Pair, ...] = ()
    holes: tuple[Pair, ...] = ()
    place: str = FOYER
    previous: str = FOYER
    visited: tuple[str, ...] = (FOYER,)
    hand: int = 0
    intensity: tuple[int, ...] = INTENSITY
    health: int = 5
    weapon: int = 1
    totem: Totem = Totem.HIDDEN
    opening: TileToDraw | None = None
    moon: int = 0
    breaking: bool = False
    stayed: bool = False
    retreated: bool = False
    done: bool = False
    dice: tuple[int, int, int] = (0, 0, 0)


def first_phase(options: Options) -> Phase:
    """First phase of a turn (ZOMB-8.19)."""
    return Phase.CLOCK if options.time == "turn" else Phase.MOVE


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    return State(options, first_phase(options))


def cell_name(cell: Cell) -> str:
    return f"{cell[0]}:{cell[1]}"
