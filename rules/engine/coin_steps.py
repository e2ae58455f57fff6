"""Board, checks, reading and layout shared by games in which two sides step with coins on a small board.

A game gives the clauses of its own rulebook.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol, TypeVar

from rules.engine.action import Action
from rules.engine.card import Seat
from rules.engine.contract import Game
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.fields import masks_by_suit, one_of, refuse_unknown
from rules.engine.refusal import Code, Fact, Refusal
from rules.pieces import Face, Suit, coin
from rules.sentence import Person, say
from rules.table.build import LayoutBuilder, square_names

PASS = Action("pass")


class SmallBoard:
    """A square board as bit masks: a1 is bit 0, then along the rank. Steps are precomputed; solvers reduce positions by
    the eight symmetries of the board."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.names = square_names(size, size)
        self.bit = {name: 1 << number for number, name in enumerate(self.names)}
        self.full = (1 << size * size) - 1
        self.near = {self.bit[name]: sum(self.bit[at] for at in self._beside(name)) for name in self.names}
        self.shift: dict[tuple[str, ...], int] = {
            (a, b): self.bit[a] | self.bit[b] for a in self.names for b in self._beside(a)
        }
        self._from = {self.bit[name]: (self.near[self.bit[name]], self._choices(name)) for name in self.names}

        self._pairs = {low: (near, self._bits(choices)) for low, (near, choices) in self._from.items()}
        self._images: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]] = {}

    def xy(self, name: str) -> tuple[int, int]:
        """Position of a space on the table; a1 is 1, 1."""
        return ord(name[0]) - 96, int(name[1:])

    def spot(self, name: str) -> Spot:
        return Spot(name, *self.xy(name))

    def apart(self, source: str, target: str) -> tuple[int, int]:
        """The files and ranks between two spaces."""
        (x1, y1), (x2, y2) = self.xy(source), self.xy(target)
        return abs(x2 - x1), abs(y2 - y1)

    def places(self, own: int) -> list[str]:
        return [name for name, bit in self.bit.items() if bit & own]

    def mask(self, places: Iterable[str]) -> int:
        return sum(self.bit[place] for place in set(places))

    def moves(self, own: int, free: int) -> list[Action]:
        """The steps of coins (mask `own`) to neighbouring free spaces (mask `free`), as move(from,to)."""
        found: list[Action] = []
        while own:
            low = own & -own
            near, choices = self._from[low]
            found += choices[free & near]
            own ^= low
        return found

    def steps(self, own: int, free: int) -> list[tuple[int, int]]:
        """The same as pairs of bits: source and target."""
        found: list[tuple[int, int]] = []
        while own:
            low = own & -own
            near, pairs = self._pairs[low]
            found += pairs[free & near]
            own ^= low
        return found

    def sets(self, count: int) -> Iterable[int]:
        """The masks of all sets of `count` spaces."""
        return (sum(1 << bit for bit in bits) for bits in combinations(range(self.size * self.size), count))

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """The smallest image of a pair of masks under the symmetries of the board."""
        try:
            least, turns, _ = self._images[own]
            images = self._images[other][2]
        except KeyError:
            self._add_images(own)
            self._add_images(other)
            return self.canonical(own, other)
        if len(turns) == 1:
            return least, images[turns[0]]
        return least, min([images[turn] for turn in turns])

    def key(self, own: int, other: int) -> int:
        """`canonical` as one number: `own` above the sixteenth bit."""
        own, other = self.canonical(own, other)
        return own << 16 | other

    def _add_images(self, own: int) -> None:
        """Caches the smallest image of a mask, the symmetries that give it, and all eight images."""
        spots = [(bit % self.size, bit // self.size) for bit in range(self.size**2) if own >> bit & 1]
        moved = ([turn(x, y, self.size - 1) for x, y in spots] for turn in _TURNS)
        images = tuple(sum(1 << (y * self.size + x) for x, y in image) for image in moved)
        turns = tuple(turn for turn, image in enumerate(images) if image == min(images))
        self._images[own] = (min(images), turns, images)

    def not_one_step(self, source: str, target: str, one_step: str, straight: str, *, far: Code) -> Refusal | None:
        """The refusal of a step that does not go to a space beside; with the clauses to cite, and the code of a step
        that is too long."""
        files, ranks = self.apart(source, target)
        facts: dict[str, Fact] = {"from": source, "to": target, "files": files, "ranks": ranks}
        if files + ranks == 0:
            text = say("the coin on {source} stays where it is", source=source)
            return Refusal(Code.WRONG_DISTANCE, one_step, text, facts)
        if files and ranks:
            text = say(
                "{target} is not in line with {source}; a coin never moves diagonally", target=target, source=source
            )
            return Refusal(Code.WRONG_DIRECTION, straight, text, facts)
        if files + ranks == 1:
            return None
        text = say(
            "{target} is {far} spaces from {source}; a coin moves exactly one space",
            target=target,
            far=files + ranks,
            source=source,
        )
        return Refusal(far, one_step, text, facts)

    def moved(self, state: Sides, source: str, target: str, clause: str) -> Effect:
        """The MOVE of an own coin to another space."""
        suit, ends = state.suits[state.to_act], (self.spot(source), self.spot(target))
        return Effect(EffectKind.MOVE, coin(suit), f"{suit}@{source}", *ends, state.to_act, clause=clause)

    def layout_builder(self, state: Sides) -> LayoutBuilder:
        """A builder with the board of tile backs and the coins on it. A board of an odd size is on one more space."""
        build = LayoutBuilder()
        size = self.size + self.size % 2
        build.grid_of_backs(size, size)
        for suit, own in zip(state.suits, state.coins, strict=True):
            for name in self.places(own):
                build.put(coin(suit), *self.xy(name), key=f"{suit}@{name}", face=Face.BACK, place=name)
        return build

    def _beside(self, name: str) -> Iterator[str]:
        x, y = self.xy(name)
        for dx, dy in ((0, 1), (-1, 0), (1, 0), (0, -1)):
            if 1 <= x + dx <= self.size and 1 <= y + dy <= self.size:
                yield self.names[(y + dy - 1) * self.size + x + dx - 1]

    def _choices(self, name: str) -> dict[int, tuple[Action, ...]]:
        """The moves of a coin by the mask of the free neighbouring spaces."""
        steps = [(self.bit[target], Action("move", (name, target))) for target in self._beside(name)]
        sets = (sum(bits) for count in range(5) for bits in combinations([bit for bit, _ in steps], count))
        return {free: tuple(action for bit, action in steps if bit & free) for free in sets}

    def _bits(self, choices: dict[int, tuple[Action, ...]]) -> dict[int, tuple[tuple[int, int], ...]]:
        return {free: tuple((self.bit[a[0]], self.bit[a[1]]) for a in found) for free, found in choices.items()}


_TURNS: tuple[Callable[[int, int, int], tuple[int, int]], ...] = (
    lambda x, y, _: (x, y),
    lambda x, y, _: (y, x),
    lambda x, y, last: (last - x, y),
    lambda x, y, last: (x, last - y),
    lambda x, y, last: (last - x, last - y),
    lambda x, y, last: (last - y, x),
    lambda x, y, last: (y, last - x),
    lambda x, y, last: (last - y, last - x),
)


class Sides(Protocol):
    """State of such a game: `coins` are the spaces of each side as bit masks."""

    @property
    def suits(self) -> tuple[Suit, Suit]: ...
    @property
    def coins(self) -> tuple[int, int]: ...
    @property
    def to_act(self) -> int: ...


def not_own(state: Sides, bit: int, place: str, own_coin: str, empty: str) -> Refusal | None:
    """The refusal of a place, whose mask is `bit`, without an own coin; with the clauses to cite."""
    suit, other = state.suits[state.to_act], state.suits[1 - state.to_act]
    if state.coins[state.to_act] & bit:
        return None
    if state.coins[1 - state.to_act] & bit:
        return not_yours(place, 1 - state.to_act, other, own_coin)
    text = say("there is no {suit} coin on {place}", suit=suit, place=place)
    return Refusal(Code.EMPTY, empty, text, {"place": place, "suit": suit.value})


def not_yours(place: str, owner: int, suit: Suit, clause: str) -> Refusal:
    """The refusal of a coin of the other of two players."""
    text = say(
        "the coin on {place} belongs to {owner}; it is the turn of {who}",
        place=place,
        owner=Person(owner),
        who=Person(1 - owner),
    )
    return Refusal(Code.NOT_YOURS, clause, text, {"place": place, "owner": suit.value})


def occupied(state: Sides, bit: int, place: str, clause: str) -> Refusal | None:
    if not (state.coins[0] | state.coins[1]) & bit:
        return None
    text = say("{target} is occupied; a coin moves to an empty space", target=place)
    return Refusal(Code.OCCUPIED, clause, text, {"place": place})


def no_such_space(known: Sequence[str], place: str, clause: str) -> Refusal | None:
    """The refusal of a place that is none of the spaces of a board."""
    if place in known:
        return None
    text = say("there is no space “{place}” on this board; it goes from a1 to {last}", place=place[:20], last=known[-1])
    return Refusal(Code.NO_SUCH_PLACE, clause, text, {"place": place[:20]})


def check_pass(moves: Sequence[Action], clause: str) -> Refusal | None:
    """Why passing is refused; `moves`: the legal moves."""
    if not moves:
        return None
    text = say("a side that can move must move; for example {move}", move=moves[0])
    return Refusal(Code.MUST_MOVE, clause, text, {"moves": [move.id for move in moves]})


@dataclass(frozen=True, slots=True)
class CoinSteps:
    """Step rules of one game with the clauses that its refusals cite."""

    game: str
    board: SmallBoard
    on_board: str
    own_coin: str
    one_step: str
    straight: str

    def moves(self, state: Sides) -> list[Action]:
        coins = state.coins
        return self.board.moves(coins[state.to_act], self.board.full & ~(coins[0] | coins[1]))

    def check_move(self, state: Sides, source: str, target: str) -> Refusal | None:
        board = self.board
        return (
            no_such_space(board.names, source, self.on_board)
            or no_such_space(board.names, target, self.on_board)
            or not_own(state, board.bit[source], source, self.own_coin, self.one_step)
            or board.not_one_step(source, target, self.one_step, self.straight, far=Code.NOT_ADJACENT)
            or occupied(state, board.bit[target], target, self.one_step)
        )

    def shorthand(self, _state: object, text: str) -> Action | None:
        """The move "a1-a2"."""
        words = tuple(text.replace("-", " ").split())
        return Action("move", words) if len(words) == 2 and all(word in self.board.bit for word in words) else None

    def read(self, data: Mapping[str, object], start: Sides, *more: str) -> tuple[tuple[int, int], int]:
        """The coins and the seat to act of a described position, where they are not named as in `start`; `more`:
        further fields that the game reads itself."""
        refuse_unknown(self.game, data, (*start.suits, "to_act", *more))
        first, second = masks_by_suit(data, start.suits, start.coins, self.board.bit)
        to_act = one_of("to_act", data.get("to_act", start.suits[start.to_act]), start.suits)
        return (first, second), start.suits.index(to_act)


class Ending(Sides, Protocol):
    """A position that may have ended; `winner` is who has won then."""

    @property
    def end(self) -> str: ...
    @property
    def winner(self) -> int | None: ...


E = TypeVar("E", bound=Ending)


def best_move(
    game: Game[E, Any], state: E, value_of: Callable[[E], int | None], repeats: Callable[[E], int]
) -> Action | None:
    """The best move by the values of the positions (`retrograde.Values`): the quickest win, else a draw that repeats
    least, else the slowest loss."""

    def merit(action: Action) -> tuple[int, int]:
        after = game.advance(state, action)
        if after.end:
            return (0 if after.winner is None else 3 if after.winner == state.to_act else -3), 0
        value = value_of(after)
        if value is None:
            return 0, -repeats(after)
        return (-2, value) if value > 0 else (2, value)

    return max(game.legal(state), key=merit, default=None)


def random_move(moves: Sequence[Action], rng: random.Random) -> Action:
    """One of these moves; a pass if there is none."""
    return moves[int(rng.random() * len(moves))] if moves else PASS


def two_suits(seats: Sequence[Seat], usual: tuple[Suit, Suit]) -> tuple[Suit, Suit]:
    """The suits of the two seats; those of `usual` where a seat has none."""
    first, second = (seat.suit for seat in seats) if seats else usual
    return first or usual[0], second or usual[1]


def number(coins: tuple[int, int], to_act: int) -> int:
    """One position as one number."""
    return coins[0] << 17 | coins[1] << 1 | to_act
