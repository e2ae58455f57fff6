"""Checks of the fields of a described position, each with one wording: the checked value, or a ValueError that says
which field is wrong, what it must be and what it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from rules.pieces import Suit, parse_suit

T = TypeVar("T", bound=str)

MAX_POINTS: Final = 9999


def unfit(name: str, wanted: str, value: object) -> ValueError:
    """The error of a field whose value is not what is wanted."""
    return ValueError(f"{name} must be {wanted}, not {value!r:.40}")


def no_such(kind: str, value: object, examples: str) -> ValueError:
    """The error of a name that no piece or place of this kind has."""
    return ValueError(f"there is no {kind} {value!r:.40}; write {examples}")


def at_most(things: str, count: int, most: int) -> None:
    """ValueError where there are more of these things than the game has."""
    if count > most:
        raise ValueError(f"there are {most} {things}, not {count}")


def refuse_unknown(game: str, data: Mapping[str, object], fields: Sequence[str]) -> None:
    """ValueError for a field that positions of this game do not have."""
    if unknown := set(data) - set(fields):
        raise ValueError(f"a position of {game} has no field {min(unknown)!r:.40}; it has: {', '.join(fields)}")


def a_number(name: str, value: object, low: int, high: int | None) -> int:
    """A whole number in this range; None: without an upper end."""
    if type(value) is not int or value < low or (high is not None and value > high):
        raise unfit(name, f"a number from {low}{'' if high is None else f' to {high}'}", value)
    return value


def a_flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise unfit(name, "true or false", value)
    return value


def a_list(name: str, value: object, example: str, count: int | None = None) -> list[Any]:
    """A list, of exactly `count` items where that is given."""
    if not isinstance(value, (list, tuple)) or count not in (None, len(value)):
        raise unfit(name, f"a list{'' if count is None else f' of {count}'}, for example {example}", value)
    return list(value)


def words(name: str, value: object, example: str) -> list[Any]:
    """A list, which may be written as its words in one text; of nothing, none."""
    if value is None:
        return []
    return value.replace(",", " ").split() if isinstance(value, str) else a_list(name, value, example)


def numbers(name: str, value: object, count: int, high: int, example: str) -> list[int]:
    """A list of so many numbers from 0."""
    return [a_number(name, number, 0, high) for number in a_list(name, value, example, count)]


def pairs(name: str, value: object, example: str) -> list[tuple[Any, Any]]:
    """A list of pairs; `example`: of one."""
    listed = [a_list(name, pair, example, 2) for pair in a_list(name, value, f"[{example}]")]
    return [(first, second) for first, second in listed]


def an_object(name: str, value: object, example: str, fields: Collection[str] | None = None) -> Mapping[str, Any]:
    """An object, with no other than these fields where they are given."""
    if not isinstance(value, Mapping) or (fields is not None and set(value) - set(fields)):
        raise unfit(name, f"an object, for example {example}", value)
    return value


def one_of(name: str, value: object, choices: Iterable[T]) -> T:
    """The choice that is called so."""
    by_name = {str(choice): choice for choice in choices}
    if not isinstance(value, str) or value not in by_name:
        raise unfit(name, f"one of {', '.join(by_name)}", value)
    return by_name[value]


def a_place(name: str, value: object, places: Collection[str]) -> str:
    """The name of one of these places, which are in order."""
    if not isinstance(value, str) or value not in places:
        first, *_, last = places
        raise ValueError(f"{name}: there is no place {value!r:.40}; they go from {first} to {last}")
    return value


def a_mask(name: str, value: object, bits: Mapping[str, int], most: int) -> int:
    """The bit mask of a list of up to so many places."""
    listed = [a_place(name, place, bits) for place in a_list(name, value, '["a1", "b2"]')]
    each_once(name, listed)
    if len(listed) > most:
        raise unfit(name, f"a list of up to {most} places", value)
    return sum(bits[place] for place in listed)


def a_seat(name: str, value: object, suits: Sequence[Suit]) -> int:
    """A seat by its number or its suit. `suits`: of the seats, in order."""
    if type(value) is int and 0 <= value < len(suits):
        return value
    try:
        return suits.index(parse_suit(str(value)))
    except ValueError:
        raise unfit(name, f"a seat, {', '.join(suits)} or 0 to {len(suits) - 1}", value) from None


def masks_by_suit(
    data: Mapping[str, object], suits: Sequence[Suit], at_first: Sequence[int], bits: Mapping[str, int]
) -> list[int]:
    """The places of the coins of each suit as a bit mask, up to as many as at first; of a suit that is not named, those
    at first."""
    masks = [
        a_mask(suit, data[suit], bits, first.bit_count()) if suit in data else first
        for suit, first in zip(suits, at_first, strict=True)
    ]
    apart("coins", (name for mask in masks for name, bit in bits.items() if bit & mask))
    return masks


def each_once(name: str, items: Iterable[object]) -> None:
    """ValueError where an item is named twice."""
    if (text := _repeated(map(str, items))) is not None:
        raise ValueError(f"{name}: {text[:20]!r} is named twice")


def apart(things: str, places: Iterable[str]) -> None:
    """ValueError where two of these things are on one place."""
    if (place := _repeated(places)) is not None:
        raise ValueError(f"two {things} are on {place}")


def _repeated(texts: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            return text
        seen.add(text)
    return None


def points_by_seat(name: str, value: object, suits: Sequence[Suit | None]) -> tuple[int, ...]:
    """The points of every seat from a list, or from an object by suit, letter or number of the seat, where the others
    have none. `suits`: of the seats, in order."""
    if isinstance(value, (list, tuple)):
        given = dict(enumerate(a_list(name, value, str([7, *[0] * (len(suits) - 1)]), len(suits))))
    else:
        named = an_object(name, value, '{"S": 7} or [7, 0]')
        seats = [_seat_called(name, str(who), suits) for who in named]
        each_once(f"{name} by seat", seats)
        given = dict(zip(seats, named.values(), strict=True))
    points = {seat: a_number(name, number, 0, MAX_POINTS) for seat, number in given.items()}
    return tuple(points.get(seat, 0) for seat in range(len(suits)))


def _seat_called(name: str, who: str, suits: Sequence[Suit | None]) -> int:
    if who.isdecimal() and int(who) < len(suits):
        return int(who)
    called = [seat for seat, suit in enumerate(suits) if suit and who.lower() in (suit.value, suit.letter.lower())]
    if not called:
        raise ValueError(f"{name}: no seat is called {who[:20]!r}")
    return called[0]
