"""Four Blind Mice: the cheese factory, options, state and how it begins (MICE-1 to MICE-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.engine.values import with_item
from rules.pieces import SUITS, Rank, Suit, parse_rank, parse_suit
from rules.sentence import InputError, say, sentence_of
from rules.table.build import square_names

SIZE = 8
CELLS = SIZE * SIZE
DIRECTIONS = "NESW"
WORDS = {"N": say("north"), "E": say("east"), "S": say("south"), "W": say("west")}
_STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}

NAMES = square_names(SIZE, SIZE)
CELL_OF: dict[str, int] = {name: cell for cell, name in enumerate(NAMES)}


def _ray(cell: int, direction: str) -> tuple[int, ...]:
    dx, dy = _STEPS[direction]
    x, y = cell % SIZE + dx, cell // SIZE + dy
    found = []
    while 0 <= x < SIZE and 0 <= y < SIZE:
        found.append(y * SIZE + x)
        x, y = x + dx, y + dy
    return tuple(found)


RAYS: dict[str, tuple[tuple[int, ...], ...]] = {
    direction: tuple(_ray(cell, direction) for cell in range(CELLS)) for direction in DIRECTIONS
}
INNER: tuple[int, ...] = tuple(
    cell for cell in range(CELLS) if 0 < cell % SIZE < SIZE - 1 and 0 < cell // SIZE < SIZE - 1
)
NEXT_TO: tuple[tuple[int, ...], ...] = tuple(
    tuple(RAYS[direction][cell][0] for direction in DIRECTIONS if RAYS[direction][cell]) for cell in range(CELLS)
)


def position_of(cell: int) -> tuple[int, int]:
    """Position of a space on the table."""
    return cell % SIZE + 1, cell // SIZE + 1


MIN_BID = 3
MAX_BID = 99
MAX_SEATS = 8
TIMER_MS = 60_000


@dataclass(frozen=True, slots=True)
class Options:
    goal: int = option(3, "this many cheeses win (0: play until no cheese is left)", low=0, high=8, clause="MICE-5.1")
    time_limit: int = option(0, "minutes until the end (0: none)", low=0, high=240, clause="MICE-5.1")
    claim_on: str = option("reach", "what a mouse must do on its cheese", choices=("reach", "stop"), clause="MICE-8.2")
    allow_reverse: bool = option(False, "a mouse may turn back", clause="MICE-8.3")
    count: str = option("slides", "what costs a move", choices=("slides", "slides+turns"), clause="MICE-8.4")
    exact: bool = option(False, "the number of moves must be exactly the bid", clause="MICE-8.7")
    replacement: bool = option(False, "won cheese goes back onto the board", clause="MICE-9.1")
    no_room: str = option(
        "waive", "when nothing can be placed: contact is allowed, or begin again", choices=("waive", "restart"),
        clause="MICE-8.10",
    )  # fmt: skip
    markers: bool = option(False, "dice mark where the mice began the round", clause="MICE-1.1")
    start_player: int | str = option(
        0, "who begins: a seat, or roll for it", choices=(*range(MAX_SEATS), "roll"), clause="MICE-3.3"
    )
    board: str = option("", "a laid board: c3:S0+f6:S1+...+b2:S (S0 a cheese, S a mouse)", clause="MICE-3.3")


class Phase(StrEnum):
    ROLL = "roll"
    PLACE_CHEESE = "place_cheese"
    PLACE_MICE = "place_mice"
    CHOOSE = "choose"
    REVEAL = "reveal"
    BID = "bid"
    ATTEMPT = "attempt"
    REPLACE = "replace"
    OVER = "over"


class Where(StrEnum):
    SUPPLY = "supply"
    BOARD = "board"
    HAND = "hand"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Cheese:
    """`suit` is None while unknown. A known suit is `public` once the coin has been turned (MICE-6)."""

    rank: Rank
    suit: Suit | None = None
    public: bool = False
    where: Where = Where.SUPPLY
    cell: int | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: its number of moves, its time in milliseconds since the coin was turned, its number in order."""

    moves: int
    time: int
    number: int


Mice = tuple[int | None, ...]
NO_MICE: Mice = (None,) * len(SUITS)
FULL_BOX: tuple[Cheese, ...] = tuple(Cheese(rank) for rank in (Rank.NULL, Rank.ACE) for _ in SUITS)


@dataclass(frozen=True, slots=True)
class State:
    """`mice` and `home` (where they began the round) are in the order of the suits. `target` is the number of the
    cheese that is uncovered. `order` are the bidders still to try, `plan` the slides of the present one, like "SN".
    `barred` is the cheese that may not be uncovered next; `tied` are the players of a final round."""

    options: Options
    players: int
    phase: Phase
    cheeses: tuple[Cheese, ...] = FULL_BOX
    mice: Mice = NO_MICE
    to_act: int = 0
    chooser: int = 0
    home: Mice = NO_MICE
    target: int | None = None
    bids: tuple[Bid | None, ...] = ()
    order: tuple[int, ...] = ()
    used: int = 0
    plan: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    moves: int = 0
    barred: int | None = None
    tied: tuple[int, ...] = ()
    rollers: tuple[int, ...] = ()
    first_bid: int | None = None

    @property
    def uncovered(self) -> Cheese:
        assert self.target is not None
        return self.cheeses[self.target]

    def with_uncovered(self, **changes: Any) -> tuple[Cheese, ...]:
        """The cheeses after a change of the uncovered one."""
        assert self.target is not None
        return with_item(self.cheeses, self.target, replace(self.uncovered, **changes))

    @property
    def is_solo(self) -> bool:
        return self.players == 1

    @property
    def limit(self) -> int:
        """Largest number of moves of the present attempt; a lone player makes no bid."""
        bid = self.bids[self.to_act] if self.bids else None
        return MAX_BID if bid is None else bid.moves


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    players = len(seats)
    if options.replacement and not options.goal and not options.time_limit:
        raise SetupError(say("with replacement the cheese never runs out: set a goal or a time_limit"))
    rolls = options.start_player == "roll" and players > 1
    first = 0 if options.start_player == "roll" else int(options.start_player)
    if first >= players:
        raise SetupError(say("option start_player: seats are numbered from 0 to {last}", last=players - 1))
    state = State(options, players, Phase.ROLL, scores=(0,) * players, bids=(None,) * players)
    if rolls:
        return replace(state, rollers=tuple(range(players)))
    return begin(state, first)


def begin(state: State, first: int) -> State:
    """The state after the dice: the first player places, or the board of the option is used."""
    state = replace(state, rollers=(), to_act=first, phase=Phase.PLACE_CHEESE)
    if not state.options.board:
        return state
    try:
        cheeses, mice = _laid_board(state.options.board)
    except ValueError as error:
        raise SetupError(say("option board: {why}", why=sentence_of(error))) from None
    chooser = (first + len(FULL_BOX) + len(SUITS)) % state.players
    return replace(state, cheeses=cheeses, mice=mice, home=mice, phase=Phase.CHOOSE, to_act=chooser, chooser=chooser)


@lru_cache(maxsize=64)
def _laid_board(text: str) -> tuple[tuple[Cheese, ...], Mice]:
    """The eight cheeses and four mice of c3:S0+f6:S1+...+b2:S."""
    entries = [part.partition(":") for part in text.replace(",", "+").replace(" ", "+").split("+") if part]
    cheeses = cheeses_from((space, code) for space, _, code in entries if len(code) > 1)
    mice = mice_from((code, space) for space, _, code in entries if len(code) == 1)
    if None in mice or any(cheese.where is not Where.BOARD for cheese in cheeses):
        raise InputError(say("a laid board has eight cheeses and four mice"))
    cells = [cheese.cell for cheese in cheeses] + list(mice)
    if len(set(cells)) < len(cells):
        raise InputError(say("two things lie on one space"))
    return cheeses, mice


def cheeses_from(entries: Iterable[tuple[str, str]]) -> tuple[Cheese, ...]:
    """Cheeses of the coins on spaces; the rest of the eight is in the supply. A code is S0, cS1, Mn, ?a or a bare
    value."""
    found: list[Cheese] = []
    for space, code in entries:
        suit, rank = cheese_code(code)
        found.append(Cheese(rank, suit, False, Where.BOARD, cell_of(space)))
    for rank in (Rank.NULL, Rank.ACE):
        have = [cheese for cheese in found if cheese.rank is rank]
        if len(have) > len(SUITS):
            raise InputError(say("there are four cheeses of value {value}, not {given}", value=rank, given=len(have)))
        found += [Cheese(rank)] * (len(SUITS) - len(have))
    many = Counter((cheese.suit, cheese.rank) for cheese in found if cheese.suit)
    for (suit, rank), count in many.items():
        if count > 1:
            raise InputError(say("there is one {value} of {suit}, not {count}", value=rank, suit=suit, count=count))
    return tuple(sorted(found, key=lambda cheese: cheese.rank))


def cheese_code(code: str) -> tuple[Suit | None, Rank]:
    text = code.strip().removeprefix("c") if len(code.strip()) == 3 else code.strip()
    known = text[:1] if len(text) == 2 else "?"
    rank = parse_rank(text[1:] if len(text) == 2 else text)
    if rank not in (Rank.NULL, Rank.ACE):
        raise InputError(
            say("{code} is not a cheese; only nulls and aces are, S0 or S1 for example", code=repr(code[:10]))
        )
    return (None if known == "?" else parse_suit(known)), rank


def mice_from(entries: Iterable[tuple[str, str]]) -> Mice:
    mice: list[int | None] = [None] * len(SUITS)
    for who, space in entries:
        mice[SUITS.index(parse_suit(who.removeprefix("p")))] = cell_of(space)
    return tuple(mice)


def cell_of(space: str) -> int:
    if space not in CELL_OF:
        raise InputError(say("there is no space {space}; the board goes from a1 to h8", space=repr(str(space)[:20])))
    return CELL_OF[space]
