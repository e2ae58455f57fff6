"""Reading of described positions of any game; errors name the field (what games check: `fields.py`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from rules.engine.card import Seat
from rules.engine.contract import AnyGame, Game

S = TypeVar("S")
O = TypeVar("O")

_READER_ERRORS = (TypeError, KeyError, IndexError, AttributeError, ArithmeticError, AssertionError)
"""Errors of readers on values of unexpected types."""


def set_up(game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...]) -> Any:
    """The position described by `data`; ValueError says what is wrong, and in which field."""
    try:
        return _read_position(game, data, options, seats)
    except ValueError as error:
        problem = str(error)
    field = _faulty_field(game, data, options, seats, problem)
    if field is None or re.search(rf"\b{re.escape(field)}\b", problem):
        raise ValueError(problem)
    raise ValueError(f"{field}: {problem}")


def playable(game: Game[S, O], state: S) -> S:
    """The state, if it has a legal action or the game is over; else a ValueError."""
    turn = game.turn(state)
    if turn.is_over or any(True for _ in game.legal(state)):
        return state
    raise nothing_to_do(turn.phase)


def nothing_to_do(phase: str) -> ValueError:
    return ValueError(f"nothing can be done in this position in the phase {phase}")


def _read_position(game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...]) -> Any:
    """The state, also checked for having a layout, a turn and an outcome."""
    fields = _Fields(data)
    try:
        state = game.position(fields, options, seats)
        game.layout(state)
        game.turn(state)
        game.outcome(state)
    except _READER_ERRORS:
        raise ValueError("this cannot be read; the section Position of the rulebook says how it is written") from None
    if unread := fields.first_unread():
        raise ValueError(f"{unread} says nothing in this position, which would be the same without it; leave it out")
    return state


class _Fields(Mapping[str, object]):
    """The fields of a position and which of them the game has read: an unread field is a mistake of the writer (votes
    where nobody votes) and is reported."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> object:
        self._read.add(name)
        return self._given[name]

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def first_unread(self) -> str | None:
        """The first field that is not empty and was not read."""
        filled = (name for name, value in self._given.items() if value not in (None, "", [], {}, (), 0))
        return next((name for name in filled if name not in self._read), None)


def _faulty_field(
    game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...], problem: str
) -> str | None:
    """The field that alone has this problem, or else the only one without which the problem disappears or changes."""

    def problem_of(fields: Mapping[str, object]) -> str:
        try:
            _read_position(game, fields, options, seats)
        except ValueError as error:
            return str(error)
        return ""

    if problem_of({}) == problem:
        return None
    alone = [name for name in data if problem_of({name: data[name]}) == problem]
    without = {name: problem_of({other: data[other] for other in data if other != name}) for name in data}
    cured = [name for name, other_problem in without.items() if not other_problem]
    changed = [name for name, other_problem in without.items() if other_problem != problem]
    return next((names[0] for names in (alone, cured, changed) if len(names) == 1), None)
