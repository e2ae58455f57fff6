"""How things are written in an action: lists, paths, suits."""

from __future__ import annotations

from collections.abc import Container

from rules.games.ice_floe.geometry import CELL_OF, NOWHERE
from rules.games.ice_floe.opening import FACES, State
from rules.pieces import parse_rank, parse_suit
from rules.sentence import Fact


def split(argument: str) -> list[str]:
    return argument.split("+") if argument else []


def seat_of(state: State, suit: str) -> int:
    return state.suits.index(parse_suit(suit))


def set_at(values: tuple[str, ...], index: int, value: str) -> tuple[str, ...]:
    return (*values[:index], value, *values[index + 1 :])


def read_path(argument: str) -> tuple[int, int]:
    first, _, second = argument.partition(">")
    return CELL_OF[first], CELL_OF[second] if second else NOWHERE


def letter_among(text: str, letters: Container[str]) -> str | None:
    """The letter of a value, by any of its names, where it is one of these."""
    try:
        letter = parse_rank(text).letter
    except ValueError:
        return None
    return letter if letter in letters else None


def told_choice(choice: str) -> Fact:
    """What is voted for, as people say it."""
    return parse_rank(choice) if choice in FACES else parse_suit(choice)
