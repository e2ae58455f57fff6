"""Any position of any game from what people and programs write; what is wrong with it is told by its field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, TypeVar

from rules.engine.card import Seat
from rules.engine.contract import AnyGame, Game
from rules.pieces import Suit

S = TypeVar("S")
O = TypeVar("O")

MOST_POINTS: Final = 9999
_ODD = (TypeError, KeyError, IndexError, AttributeError, ArithmeticError, AssertionError)
"""What comes of values that no reader has thought of."""


def set_up(game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...]) -> Any:
    """The position, looked at once as a whole; ValueError says what is wrong, and in which field."""
    try:
        return _whole(game, data, options, seats)
    except ValueError as error:
        problem = str(error)
    blamed = _blamed(game, data, options, seats, problem)
    if blamed is None or re.search(rf"\b{re.escape(blamed)}\b", problem):
        raise ValueError(problem)
    raise ValueError(f"{blamed}: {problem}")


def playable(game: Game[S, O], state: S) -> S:
    """A position in which something can be done, or which is over; else a ValueError that says so."""
    turn = game.turn(state)
    if turn.is_over or any(True for _ in game.legal(state)):
        return state
    raise nothing_to_do(turn.phase)


def nothing_to_do(phase: str) -> ValueError:
    return ValueError(f"nothing can be done in this position in the phase {phase}")


def refuse_unknown(game: str, data: Mapping[str, object], fields: Sequence[str]) -> None:
    """A ValueError where a position names a field that positions of this game do not have."""
    if unknown := set(data) - set(fields):
        raise ValueError(f"a position of {game} has no field {min(unknown)!r}; it has: {', '.join(fields)}")


def _whole(game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...]) -> Any:
    """A position that cannot be laid out, or of which nobody can say whose turn it is, is refused here at once."""
    fields = _Fields(data)
    try:
        state = game.position(fields, options, seats)
        game.layout(state)
        game.turn(state)
        game.outcome(state)
    except _ODD:
        raise ValueError("this cannot be read; the section Position of the rulebook says how it is written") from None
    if idle := fields.unread():
        raise ValueError(f"{idle} says nothing in this position, which would be the same without it; leave it out")
    return state


class _Fields(Mapping[str, object]):
    """The fields of a position, and which of them the game has asked for: one that it does not look at is a mistake of
    whoever wrote it (votes where nobody votes), and must not be passed over in silence."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> object:
        self._asked.add(name)
        return self._given[name]

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def unread(self) -> str | None:
        """The first that says something and was not asked for."""
        said = (name for name, value in self._given.items() if value not in (None, "", [], {}, (), 0))
        return next((name for name in said if name not in self._asked), None)


def _blamed(
    game: AnyGame, data: Mapping[str, object], options: object, seats: tuple[Seat, ...], problem: str
) -> str | None:
    """The field that has this problem also alone, or the only one without which it would not be there."""

    def says(fields: Mapping[str, object]) -> str:
        try:
            _whole(game, fields, options, seats)
        except ValueError as error:
            return str(error)
        return ""

    if says({}) == problem:
        return None
    alone = [name for name in data if says({name: data[name]}) == problem]
    without = {name: says({other: data[other] for other in data if other != name}) for name in data}
    cured = [name for name, said in without.items() if not said]
    changed = [name for name, said in without.items() if said != problem]
    return next((names[0] for names in (alone, cured, changed) if len(names) == 1), None)


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """A word of a closed list; ValueError names the field and the list."""
    words = [str(choice) for choice in choices]
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, not {value!r:.40}")
    return str(value)


def overlap(masks: Sequence[int]) -> bool:
    """Whether two of these sets of places, as bit masks, have one in common."""
    return any(one & other for one, other in combinations(masks, 2))


def each_once(name: str, items: Iterable[object]) -> None:
    """What can be in one place only, or hold one thing only, is not named twice."""
    seen: set[str] = set()
    for text in map(str, items):
        if text in seen:
            raise ValueError(f"{name}: {text[:20]!r} is named twice")
        seen.add(text)


def points_by_seat(name: str, value: object, suits: Sequence[Suit | None]) -> tuple[int, ...]:
    """A number for every seat: a list of all, or an object by suit, letter or number of the seat, where others have
    none. `suits`: those of the seats in their order."""
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
        if type(number) is not int or not 0 <= number <= MOST_POINTS:
            raise ValueError(f"{name} must be whole numbers from 0 to {MOST_POINTS}, not {number!r:.20}")
    return tuple(given.get(seat, 0) for seat in range(len(suits)))


def _seat_called(name: str, who: str, suits: Sequence[Suit | None]) -> int:
    if who.isdecimal() and int(who) < len(suits):
        return int(who)
    called = [seat for seat, suit in enumerate(suits) if suit and who.lower() in (suit.value, suit.letter.lower())]
    if not called:
        raise ValueError(f"{name}: no seat is called {who[:20]!r}")
    return called[0]


def a_number(name: str, value: object, low: int, high: int) -> int:
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
