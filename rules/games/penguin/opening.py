"""The Penguin Game: options, state and how it begins (PENG-1 to PENG-3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.games.penguin.geometry import SHAPES, Corner, IceBoard, board_of, default_second_level, tiles_of
from rules.pieces import SUITS, Suit
from rules.sentence import Sentence, say, sentence_of

COINS = 24
PER_SUIT = 6
UNKNOWN = "?"
LETTERS = "SMCA"
SUIT_OF = {suit.letter: suit for suit in SUITS}
BY_SUIT = "".join(letter * PER_SUIT for letter in LETTERS)
"""All coins as players lay them: numbered by suit."""


@dataclass(frozen=True, slots=True)
class Options:
    start: str = option(
        "random",
        "how the coins come onto the ice",
        choices=("random", "strategic", "irregular", "chaotic"),
        clause="PENG-9.2",
    )
    shape: str = option("square", "how the tiles lie", choices=tuple(SHAPES), clause="PENG-9.5")
    tiles: str = option("", "any other arrangement: south-west corners, 0,0+2,0+1,2+3,2", clause="PENG-9.5")
    second_level: str = option("", "the spaces that get a second coin, a4+d4+...", clause="PENG-9.5")
    flame_throwers: bool = option(False, "any free coin may be melted", clause="PENG-9.7")
    drifting: bool = option(False, "tiles may be moved after the melt", clause="PENG-9.8")
    match_first_suit: bool = option(False, "alone: end on the suit of the first coin", clause="PENG-9.1")
    share: bool = option(False, "penguins may stand on one coin", clause="PENG-8.1")
    placement: str = option(
        "clockwise", "the order in which penguins are placed", choices=("clockwise", "reverse"), clause="PENG-8.6"
    )
    drift_with_penguins: bool = option(True, "a tile with a penguin may drift", clause="PENG-8.10")
    remove_empty_tiles: bool = option(False, "a tile without coins is taken away", clause="PENG-8.11")
    show_buried: bool = option(False, "show the suits of covered coins", clause="PENG-6.1")
    start_player: int | str = option(
        0, "who begins: a seat, or roll for it", choices=(0, 1, 2, 3, "roll"), clause="PENG-3.5"
    )
    deal: str = option("", "the coins in the order they are drawn, 24 suit letters", clause="PENG-3.2")


class Phase(StrEnum):
    ROLL = "roll"
    DEAL = "deal"
    PLACE_COINS = "place_coins"
    PLACE_PENGUINS = "place_penguins"
    MOVE = "move"
    MELT = "melt"
    REVEAL = "reveal"
    DRIFT = "drift"
    OVER = "over"


LAYING = (Phase.ROLL, Phase.DEAL, Phase.PLACE_COINS)
"""Phases before all coins lie on the ice."""
PLACING = (*LAYING, Phase.PLACE_PENGUINS)


@dataclass(frozen=True, slots=True)
class State:
    """Coins are numbered: in the order they were drawn, or by suit where players lay them. `suits` has a letter for
    each ("?": unknown). `stacks` and `penguins` contain cells (see geometry.IceBoard). A penguin is None before it is
    placed and after it is out. `left` is the cell whose coin melts, or has just melted."""

    options: Options
    pawns: tuple[Suit, ...]
    phase: Phase
    tiles: tuple[Corner | None, ...]
    suits: str
    stacks: tuple[tuple[int, ...], ...]
    penguins: tuple[int | None, ...]
    first: int = 0
    to_act: int = 0
    left: int | None = None
    first_suit: str = ""
    rollers: tuple[int, ...] = ()

    @property
    def board(self) -> IceBoard:
        return board_of(self.tiles)


def starting_tiles(options: Options) -> tuple[Corner | None, ...]:
    if not options.tiles:
        return SHAPES[options.shape]
    try:
        return tiles_of(options.tiles)
    except ValueError as error:
        raise SetupError(say("option tiles: {why}", why=sentence_of(error))) from None


@lru_cache(maxsize=64)
def second_level(options: Options) -> tuple[int, ...]:
    """Cells of the second level, in the order of their coins."""
    tiles = starting_tiles(options)
    if not options.second_level:
        return default_second_level(tiles)
    cells = board_of(tiles).cells
    named = options.second_level.replace(",", "+").replace(" ", "+").split("+")
    for name in named:
        if name not in cells:
            raise SetupError(say("option second_level: there is no space {name} on this ice", name=repr(name[:20])))
    if len(set(named)) != len(named) or len(named) != COINS - len(cells):
        raise SetupError(say("option second_level must name {count} different spaces", count=COINS - len(cells)))
    return tuple(cells[name] for name in named)


def deal_problem(letters: str, options: Options) -> Sentence | None:
    """Why these cannot be the coins on the ice; a question mark stands for a covered, unseen coin."""
    if wrong := next((letter for letter in letters if letter not in LETTERS + UNKNOWN), None):
        return say(
            "“{wrong}” is not a suit; write S, M, C or A, and ? for a covered coin that nobody has seen", wrong=wrong
        )
    if len(letters) > COINS:
        return say("there are {most} coins in all, not {given}", most=COINS, given=len(letters))
    count = Counter(letters)
    if many := next((letter for letter in LETTERS if count[letter] > PER_SUIT), None):
        suit, given = SUIT_OF[many], count[many]
        return say("there are {count} coins of {suit}, not {given}", count=PER_SUIT, suit=suit, given=given)
    if any(letters[stack[-1]] == UNKNOWN for stack in dealt_stacks(options, len(letters)) if stack):
        return say("a coin on top of a stack shows its suit")
    return None


def deal_order(options: Options) -> tuple[int, ...]:
    """Cell of every coin in the order drawn."""
    return board_of(starting_tiles(options)).reading_order + second_level(options)


@lru_cache(maxsize=64)
def dealt_stacks(options: Options, count: int = COINS) -> tuple[tuple[int, ...], ...]:
    """Stacks of the first coins, this many."""
    stacks: list[tuple[int, ...]] = [()] * (4 * len(starting_tiles(options)))
    for number, cell in enumerate(deal_order(options)[:count]):
        stacks[cell] += (number,)
    return tuple(stacks)


def after_roll(options: Options) -> Phase:
    if options.start != "random":
        return Phase.PLACE_COINS
    return Phase.PLACE_PENGUINS if options.deal else Phase.DEAL


def first_placer(options: Options, first: int, seats: int) -> int:
    """Seat that places the first penguin (PENG-3.5, PENG-8.6)."""
    return first if options.placement == "clockwise" else (first - 1) % seats


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    count = len(seats)
    first = 0 if options.start_player == "roll" else int(options.start_player)
    if first >= count:
        raise SetupError(say("option start_player: seats are numbered from 0 to {last}", last=count - 1))
    deal = options.deal
    if deal:
        _check_deal(options)
    rolls = options.start_player == "roll" and count > 1
    phase = Phase.ROLL if rolls else after_roll(options)
    second_level(options)
    return State(
        options=options,
        pawns=tuple(seat.suit or SUITS[index] for index, seat in enumerate(seats)),
        phase=phase,
        tiles=starting_tiles(options),
        suits=deal or (UNKNOWN * COINS if options.start == "random" else BY_SUIT),
        stacks=dealt_stacks(options, len(deal)),
        penguins=(None,) * count,
        first=first,
        to_act=first_placer(options, first, count) if phase is Phase.PLACE_PENGUINS else first,
        first_suit=deal[:1],
        rollers=tuple(range(count)) if rolls else (),
    )


def _check_deal(options: Options) -> None:
    given = len(options.deal)
    if options.start != "random":
        raise SetupError(say("option deal belongs to the random start"))
    if given != COINS:
        raise SetupError(say("option deal: all {count} coins are dealt, not {given}", count=COINS, given=given))
    if problem := deal_problem(options.deal, options):
        raise SetupError(say("option deal: {why}", why=problem))
