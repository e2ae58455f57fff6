"""Attacks and splits: what a moved tile does to the board (DECAY-5.2, 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.games.decay.geometry import Contacts, contacts, sections
from rules.games.decay.opening import State, suit_of, value_of


@dataclass(frozen=True, slots=True)
class Attack:
    """`attackers` and `defenders` are the tiles whose values make the two sums; the target defends itself."""

    target: int
    victim: int
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]

    @property
    def strength(self) -> int:
        return sum(map(value_of, self.attackers))

    @property
    def defence(self) -> int:
        return sum(map(value_of, self.defenders))

    @property
    def succeeds(self) -> bool:
        return self.strength > self.defence


def attacks(state: State, tile: int) -> Iterator[Attack]:
    """What a tile attacks where it lies now, moved by the seat to act."""
    if suit_of(tile) != state.active_suit or value_of(tile) == 0 or state.tiles[tile] is None:
        return
    near = contacts(state.tiles, state.touch)
    for target in sorted(near[tile]):
        victim = _victim(state, target)
        if victim is not None:
            yield Attack(
                target,
                victim,
                _near_of(near, target, suit_of(tile)),
                (target, *_near_of(near, target, suit_of(target))),
            )


def _victim(state: State, target: int) -> int | None:
    owner = state.seat_of(suit_of(target))
    if owner is None or value_of(target) < 2 or not state.living[owner]:
        return None
    friendly = state.person(owner) == state.person(state.to_act)
    own = owner == state.to_act or (friendly and not state.options.friendly_attack)
    return None if own else owner


def _near_of(near: Contacts, tile: int, suit: int) -> tuple[int, ...]:
    return tuple(sorted(other for other in near[tile] if suit_of(other) == suit))


@dataclass(frozen=True, slots=True)
class Split:
    """How the board falls apart. `kept` is None where the active seat must choose among `tied`."""

    parts: tuple[frozenset[int], ...]
    kept: frozenset[int] | None
    tied: tuple[frozenset[int], ...] = ()
    clause: str = ""


def split_of(state: State, moved: int) -> Split | None:
    """The board's sections once a moved tile is back on the table; None if it hangs together."""
    parts = sections(state.tiles, contacts(state.tiles, state.touch))
    if len(parts) < 2:
        return None
    parts.sort(key=lambda part: (-len(part), min(part)))
    tied = [part for part in parts if len(part) == len(parts[0])]
    clause = "DECAY-5.7" if len(parts) > 2 else "DECAY-5.5" if len(tied) == 1 else "DECAY-5.6"
    return Split(tuple(parts), _kept(state, tied, moved), tuple(tied), clause)


def _kept(state: State, tied: list[frozenset[int]], moved: int) -> frozenset[int] | None:
    if len(tied) == 1:
        return tied[0]
    for anchor in (state.pawns[state.to_act], moved):
        for part in tied:
            if anchor in part:
                return part
    return None
