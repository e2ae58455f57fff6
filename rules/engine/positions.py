"""Reading of described positions of any game; errors name the field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Any, Final, TypeVar

from rules.engine.card import Seat
from rules.engine.contract import AnyGame, Game
from rules.pieces import Suit

M = TypeVar("M", bound=StrEnum)
S = TypeVar("S")
O = TypeVar("O")

MAX_POINTS: Final = 9999
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


def refuse_unknown(game: str, data: Mapping[str, object], fields: Sequence[str]) -> None:
    """ValueError for a field that positions of this game do not have."""
    if unknown := set(data) - set(fields):
        raise ValueError(f"a position of {game} has no field {min(unknown)!r}; it has: {', '.join(fields)}")


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


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """A word of a closed list; ValueError names the field and the list."""
    words = [str(choice) for choice in choices]
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, not {value!r:.40}")
    return str(value)


def member(kind: type[M], name: str, value: object) -> M:
    """The member of an enum by its word; ValueError names the field and the words."""
    try:
        return kind(str(value).lower())
    except ValueError:
        raise ValueError(f"{name} must be one of {', '.join(kind)}") from None


def overlap(masks: Sequence[int]) -> bool:
    """Whether two of these bit masks have a place in common."""
    return any(one & other for one, other in combinations(masks, 2))


def each_once(name: str, items: Iterable[object]) -> None:
    """ValueError where an item is named twice."""
    seen: set[str] = set()
    for text in map(str, items):
        if text in seen:
            raise ValueError(f"{name}: {text[:20]!r} is named twice")
        seen.add(text)


def points_by_seat(name: str, value: object, suits: Sequence[Suit | None]) -> tuple[int, ...]:
    """The points of every seat from a list, or from an object by suit, letter or number of the seat, where the others
    have none. `suits`: of the seats, in order."""
    if isinstance(value, (list, tuple)):
        given = dict(enumerate(value))
        if len(given) != len(suits):
            raise ValueError(f"{name} must have {len(suits)} numbers, one for each seat")
    elif isinstance(value, Mapping):
        given = {_seat_called(name, str(who), suits): number for who, number in value.items()}
        if len(given) < len(value):
            raise ValueError(f"{name} names a seat twice")
    else:
        raise ValueError(f'{name} must be numbers by seat, for example {{"S": 7}} or [7, 0], not {value!r:.40}')
    for number in given.values():
        if type(number) is not int or not 0 <= number <= MAX_POINTS:
            raise ValueError(f"{name} must be whole numbers from 0 to {MAX_POINTS}, not {number!r:.20}")
    return tuple(given.get(seat, 0) for seat in range(len(suits)))


def _seat_called(name: str, who: str, suits: Sequence[Suit | None]) -> int:
    if who.isdecimal() and int(who) < len(suits):
        return int(who)
    called = [seat for seat, suit in enumerate(suits) if suit and who.lower() in (suit.value, suit.letter.lower())]
    if not called:
        raise ValueError(f"{name}: no seat is called {who[:20]!r}")
    return called[0]


def a_number(name: str, value: object, low: int, high: int) -> int:
    """The value, if it is a whole number in this range; else a ValueError."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low} to {high}, not {str(value)[:20]!r}")
    return value


def any_list(value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list, not {str(value)[:40]!r}")
    return list(value)


def a_list(name: str, value: object, example: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name} must be a list, for example {example}, not {value!r:.40}")
    return list(value)
