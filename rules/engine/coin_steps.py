"""Checks, reading and layout shared by games in which two sides step with coins on a small board.

A game gives the clauses of its own rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.engine.action import Action
from rules.engine.card import Seat
from rules.engine.positions import each_once
from rules.engine.refusal import Code, Fact, Refusal
from rules.engine.small_board import SmallBoard
from rules.pieces import Face, Suit, coin
from rules.sentence import Person, say
from rules.table.build import LayoutBuilder

PASS = Action("pass")


class Sides(Protocol):
    """State of such a game: `coins` are the spaces of each side as bit masks."""

    @property
    def suits(self) -> tuple[Suit, Suit]: ...
    @property
    def coins(self) -> tuple[int, int]: ...
    @property
    def to_act(self) -> int: ...


def not_own(state: Sides, bit: int, place: str, own_coin: str, empty: str) -> Refusal | None:
    """The refusal of a place, whose mask is `bit`, without an own coin; clauses for a coin of the other side and none."""
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
    count: int
    """Coins of each side."""
    on_board: str
    own_coin: str
    one_step: str
    straight: str

    def moves(self, state: Sides) -> list[Action]:
        coins = state.coins
        return self.board.moves(coins[state.to_act], self.board.full & ~(coins[0] | coins[1]))

    def check_move(self, state: Sides, source: str, target: str) -> Refusal | None:
        for place in (source, target):
            if place not in self.board.bit:
                text = say(
                    "there is no space “{place}” on this board; it goes from a1 to {last}",
                    place=place[:20],
                    last=next(reversed(self.board.bit)),
                )
                return Refusal(Code.NO_SUCH_PLACE, self.on_board, text, {"place": place[:20]})
        refusal = not_own(state, self.board.bit[source], source, self.own_coin, self.one_step)
        return refusal or self._check_step(state, source, target)

    def _check_step(self, state: Sides, source: str, target: str) -> Refusal | None:
        (x1, y1), (x2, y2) = self.board.xy(source), self.board.xy(target)
        files, ranks = abs(x2 - x1), abs(y2 - y1)
        facts: dict[str, Fact] = {"from": source, "to": target, "files": files, "ranks": ranks}
        if files + ranks == 0:
            return Refusal(
                Code.WRONG_DISTANCE, self.one_step, say("the coin on {source} stays where it is", source=source), facts
            )
        if files and ranks:
            text = say(
                "{target} is not in line with {source}; a coin never moves diagonally", target=target, source=source
            )
            return Refusal(Code.WRONG_DIRECTION, self.straight, text, facts)
        if files + ranks > 1:
            text = say(
                "{target} is {far} spaces from {source}; a coin moves exactly one space",
                target=target,
                far=files + ranks,
                source=source,
            )
            return Refusal(Code.NOT_ADJACENT, self.one_step, text, facts)
        return occupied(state, self.board.bit[target], target, self.one_step)

    def shorthand(self, _state: object, text: str) -> Action | None:
        """The move "a1-a2"."""
        words = tuple(text.replace("-", " ").split())
        return Action("move", words) if len(words) == 2 and all(word in self.board.bit for word in words) else None

    def mask(self, places: object, suit: Suit) -> int:
        """Bit mask of the places of a suit in a described position; ValueError says what is wrong."""
        if not isinstance(places, (list, tuple)) or len(set(map(str, places))) > self.count:
            raise ValueError(f"{suit} must be a list of up to {self.count} spaces")
        for place in places:
            if not isinstance(place, str) or place not in self.board.bit:
                raise ValueError(f"{suit}: there is no space {str(place)[:20]!r}; the board goes from a1 to d4")
        each_once(suit, places)
        return self.board.mask(places)

    def coins(self, data: Mapping[str, object], start: Sides, *more: str) -> tuple[int, int]:
        """The coins in a described position, where they are not named as in `start`; `more`: its further fields."""
        fields = (*(suit.value for suit in start.suits), *more)
        if unknown := set(data) - set(fields):
            raise ValueError(f"a position of {self.game} has {', '.join(fields)}, no {min(unknown)!r}")
        first, second = (
            self.mask(data[suit], suit) if suit in data else own
            for suit, own in zip(start.suits, start.coins, strict=True)
        )
        return first, second

    def seat(self, data: Mapping[str, object], start: Sides) -> int:
        """Who is to act in a described position."""
        first, second = start.suits
        to_act = data.get("to_act", start.suits[start.to_act])
        if to_act not in (first.value, second.value):
            raise ValueError(f"to_act must be {first} or {second}")
        return int(to_act == second.value)

    def layout_builder(self, state: Sides) -> LayoutBuilder:
        """A builder with the board of tile backs and the coins on it."""
        build = LayoutBuilder()
        build.grid_of_backs(self.board.size, self.board.size)
        for suit, own in zip(state.suits, state.coins, strict=True):
            for name in self.board.places(own):
                x, y = self.board.xy(name)
                build.put(coin(suit), x, y, key=f"{suit}@{name}", face=Face.BACK, place=name)
        return build


class Ending(Sides, Protocol):
    """A position that may have ended; `winner` is who has won then."""

    @property
    def end(self) -> str: ...
    @property
    def winner(self) -> int | None: ...


def merit(state: Sides, after: Ending, value: int | None, repeats: int) -> tuple[int, int]:
    """How good a move is, from the value of the position it leads to (`retrograde.Values`): the quickest win is best,
    then a draw that repeats little, then the slowest loss."""
    if after.end:
        return (0 if after.winner is None else 3 if after.winner == state.to_act else -3), 0
    if value is None:
        return 0, -repeats
    return (-2, value) if value > 0 else (2, value)


def two_suits(seats: Sequence[Seat], usual: tuple[Suit, Suit]) -> tuple[Suit, Suit]:
    """The suits of the two seats; those of `usual` where a seat has none."""
    first, second = (seat.suit for seat in seats) if seats else usual
    return first or usual[0], second or usual[1]


def number(coins: tuple[int, int], to_act: int) -> int:
    """One position as one number."""
    return coins[0] << 17 | coins[1] << 1 | to_act
