"""Fuji-San: options, state and the first state."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import option
from rules.engine.card import SetupError
from rules.games.fuji_san.mountain import GROUND, INDEX, dealt
from rules.pieces import SUITS
from rules.sentence import say, sentence_of


@dataclass(frozen=True, slots=True)
class Options:
    layout: str = option(
        "", "easy, medium, hard, expert or 24 values, far row first; empty: dealt at the table", clause="FUJI-3.5"
    )
    summit_cross: bool = option(True, "priests may cross between the two summit columns", clause="FUJI-8.3")
    aces_null: bool = option(False, "aces count as null", clause="FUJI-9.3")
    country_road: bool = option(False, "after the summit the priests climb down again", clause="FUJI-9.4")
    ground: str = option(
        "occupied",
        "a priest back on the ground keeps its place or leaves the table",
        choices=("occupied", "vacate"),
        clause="FUJI-9.4",
    )
    descent_cross: bool = option(False, "crossing between the summit columns on the way down", clause="FUJI-9.4")
    priests: str = option("SMCA", "the suits of the priests on a2, n2, n1 and a1", clause="FUJI-8.9")
    stop_when_lost: bool = option(False, "the climb ends as soon as the summit is out of reach", clause="FUJI-5.2")


@dataclass(frozen=True, slots=True)
class State:
    """`values` are the 24 coins, far row then near row; empty before the deal. `priests` are the places of suns, moons,
    crowns and arms (numbers of mountain.NAMES; -1: has left the table). `foot` is the ground place of each summit coin
    carried down, in the order of mountain.SUMMIT. `phase` is deal, roll, rescue, ascent, carry or descent; `end` says
    why the game is over: summit, down, failed, stuck or lost."""

    options: Options
    values: tuple[int, ...]
    priests: tuple[int, ...]
    phase: str = "deal"
    dice: tuple[int, ...] = ()
    foot: tuple[str, ...] = ()
    moves: int = 0
    end: str = ""


def opening_state(options: Options) -> State:
    """Before the deal, or with the coins of the option `layout` already turned; see `climbs.begin`."""
    letters = options.priests.upper()
    if sorted(letters) != sorted(suit.letter for suit in SUITS):
        raise SetupError(say("option priests must have the letters S, M, C and A once each, for example SMCA"))
    priests = tuple(INDEX[GROUND[letters.index(suit.letter)]] for suit in SUITS)
    if not options.layout:
        return State(options, (), priests)
    try:
        values = dealt(options.layout)
    except ValueError as error:
        raise SetupError(say("option layout: {why}", why=sentence_of(error))) from None
    return State(options, values, priests, "ascent")
