"""Edits of any state of any game by its type annotations alone: a place, a number, two coordinates, two items
swapped, an item moved from one list to another or left out."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from typing import Any, get_type_hints

from rules.engine.codec import decode, encode
from rules.table.layout import Layout

_NON_TABLE_FIELDS = ("options", "seen", "phase", "to_act", "winners", "ending", "end", "trails")
"""Fields that do not affect the layout."""
NO_POSITION = (ValueError, TypeError, KeyError, IndexError, AssertionError, ArithmeticError, StopIteration)
"""Exceptions of a game given an invalid state."""

Path = tuple[Any, ...]
Address = tuple[str, Path]


@dataclass(frozen=True, slots=True)
class Edit:
    """New values by address; an address is a field of the state and a path into it."""

    changes: tuple[tuple[Address, Any], ...]

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(address for address, _ in self.changes)

    def applied_to(self, state: Any) -> Any | None:
        """The edited state; None where it is invalid."""
        fields: dict[str, Any] = {}
        try:
            for (name, path), value in self.changes:
                tree = fields[name] if name in fields else encode(getattr(state, name))
                fields[name] = _put(tree, path, value)
            hints = _hints(state.__class__)
            return replace(state, **{name: decode(hints[name], tree) for name, tree in fields.items()})
        except NO_POSITION:
            return None


@dataclass(frozen=True, slots=True)
class Scope:
    """The values that an edit may use: all places of the board, and those near a difference."""

    places: tuple[str, ...]
    near: frozenset[str]
    max_number: int
    """Largest number tried."""

    @staticmethod
    def of(layout: Layout, near: Iterable[str], numbers: int) -> Scope:
        """`numbers`: the largest that is no place."""
        return Scope(tuple(place.name for place in layout.places), frozenset(near), max(len(layout.places), numbers))


def edits(state: Any, scope: Scope, only: frozenset[Address]) -> Iterator[Edit]:
    """All edits of one item, or of a list with one of the items `only`."""
    roots = {(name, path[:length]) for name, path in only for length in range(len(path) + 1)}
    for name, tree in encoded_fields(state).items():
        is_bits = is_bitboard(tree, scope.max_number)
        if not is_bits and (name, ()) not in roots:
            continue
        words = {leaf for _, leaf in leaves(tree) if isinstance(leaf, str)}
        for path, leaf in leaves(tree):
            if is_bits or (name, path) in only:
                yield from (Edit((((name, path), other),)) for other in _values(leaf, words, scope, is_bits))
        for path, items in _items(tree):
            if not isinstance(items, list):
                continue
            relevant = {i for i in range(len(items)) if (name, (*path, i)) in roots}
            others = (*_swaps(items, relevant), *_top_moves(items, relevant), *_removals(items, relevant))
            yield from (Edit((((name, path), other),)) for other in others)


def probes(state: Any, scope: Scope) -> Iterator[Edit]:
    """A few other values of every single item, to learn what it affects."""
    for name, tree in encoded_fields(state).items():
        if is_bitboard(tree, scope.max_number):
            continue
        words = sorted({leaf for _, leaf in leaves(tree) if isinstance(leaf, str)})[:2]
        probe_scope = replace(scope, places=scope.places[:2])
        for path, leaf in leaves(tree):
            numbers = (leaf + 1, leaf - 1, -1, 0, 1) if type(leaf) is int else (0, 1)
            values = [other for other in _values(leaf, set(words), probe_scope, False) if type(other) is not int]
            if leaf is None or type(leaf) is int:
                values += [number for number in dict.fromkeys(numbers) if number != leaf]
            yield from (Edit((((name, path), value),)) for value in values)


def coordinates(state: Any) -> Iterator[tuple[Address, int]]:
    """Every number that may be a coordinate."""
    for name, tree in encoded_fields(state).items():
        yield from (((name, path), leaf) for path, leaf in leaves(tree) if type(leaf) is int)


def paired(addresses: Iterable[Address]) -> Iterator[tuple[Address, Address]]:
    """Pairs of addresses within one item, as the two coordinates of a spot are."""
    groups: dict[tuple[str, Path], list[Address]] = defaultdict(list)
    for name, path in addresses:
        groups[name, path[:-1]].append((name, path))
    for group in groups.values():
        yield from combinations(group, 2)


def encoded_fields(state: Any) -> dict[str, Any]:
    names = (field.name for field in dataclasses.fields(state) if field.init and field.name not in _NON_TABLE_FIELDS)
    return {name: encode(getattr(state, name)) for name in names}


def leaves(tree: Any) -> Iterator[tuple[Path, Any]]:
    return ((path, item) for path, item in _items(tree) if not isinstance(item, (dict, list)))


def _items(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The tree and everything in it, with their paths."""
    yield path, tree
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, item in items:
        yield from _items(item, (*path, key))


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _put(tree: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    if isinstance(tree, dict):
        return {key: _put(item, path[1:], value) if key == path[0] else item for key, item in tree.items()}
    return [_put(item, path[1:], value) if i == path[0] else item for i, item in enumerate(tree)]


def _values(leaf: Any, words: set[str], scope: Scope, is_bits: bool) -> Iterator[Any]:
    numbers = range(-2, scope.max_number + 1)
    others: Iterable[Any] = ()
    if isinstance(leaf, bool):
        others = (not leaf,)
    elif isinstance(leaf, str):
        others = (*words, *scope.places, "")
    elif isinstance(leaf, int):
        others = _bitboard_edits(leaf, scope) if is_bits else numbers
    elif leaf is None:
        others = (*words, *scope.places, *numbers)
    return (other for other in others if other != leaf)


def _bitboard_edits(bitboard: int, scope: Scope) -> Iterator[int]:
    """A set of places in bits, edited near differences: a place more or less, or one for another."""
    bits = [1 << number for number, name in enumerate(scope.places) if name in scope.near]
    yield from (bitboard ^ bit for bit in bits)
    yield from (
        bitboard ^ one ^ other for one, other in combinations(bits, 2) if bool(bitboard & one) != bool(bitboard & other)
    )


def is_bitboard(tree: Any, max_number: int) -> bool:
    """Whether the numbers are sets of places in bits: larger than any count or place."""
    numbers = tree if isinstance(tree, list) else [tree]
    return all(type(number) is int for number in numbers) and max(numbers, default=0) > max_number


def _swaps(items: list[Any], relevant: set[int]) -> Iterator[list[Any]]:
    """Two items of one list swapped."""
    for i, j in combinations(range(len(items)), 2):
        if items[i] != items[j] and (i in relevant or j in relevant):
            swapped = [*items]
            swapped[i], swapped[j] = items[j], items[i]
            yield swapped


def _top_moves(heaps: list[Any], relevant: set[int]) -> Iterator[list[Any]]:
    """The top of one heap moved to another."""
    if not all(isinstance(heap, list) for heap in heaps):
        return
    for i, j in permutations(range(len(heaps)), 2):
        if heaps[i] and (i in relevant or j in relevant):
            moved = [[*other] for other in heaps]
            moved[j].append(moved[i].pop())
            yield moved


def _removals(items: list[Any], relevant: set[int]) -> Iterator[list[Any]]:
    yield from ([*items[:i], *items[i + 1 :]] for i in sorted(relevant))
