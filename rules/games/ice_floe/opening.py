"""IceFloe: options, the state, and the pond before the first pyramid (ICE-3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.games.ice_floe.geometry import CORNERS
from rules.pieces import RANKS, SUITS, Piece, Suit, tile
from rules.sentence import say


class Phase(StrEnum):
    SETS = "sets"
    ROLL = "roll"
    PLACE = "place"
    MOVE = "move"
    NUMBER = "number"
    NUMBER_COINS = "number_coins"
    NUMBER_TIE = "number_tie"
    SUIT = "suit"
    SUIT_COINS = "suit_coins"
    SUIT_TIE = "suit_tie"
    EXPLODE = "explode"
    BONUS = "bonus"
    SCORE = "score"
    WINNER = "winner"
    ENDED = "ended"


NUMBER_PHASES = (Phase.NUMBER, Phase.NUMBER_COINS, Phase.NUMBER_TIE)
COIN_PHASES = (Phase.NUMBER_COINS, Phase.SUIT_COINS)
TIE_PHASES = (Phase.NUMBER_TIE, Phase.SUIT_TIE)
UNPLACED, LOST = -1, -2
NOT_ROLLED = -1
SEALED = "?"

LETTERS = "ABCDEF"
WEIGHTS = (1, 1, 2, 2, 3, 3)
CAPACITY = 5
SET_NAMES = ("n", "3", "4", "5")
FACES = "na2345"
SUIT_LETTERS = "".join(suit.letter for suit in SUITS)

_PATTERN = """
S2 S3 Ca M2 M3
S4 S5 Aa M4 M5
Mn Cn -- Sn An
A2 A3 Ma C2 C3
A4 A5 Sa C4 C5"""
FLOES: tuple[str, ...] = tuple(
    "" if name == "--" else name for line in reversed(_PATTERN.strip().splitlines()) for name in line.split()
)
TILES: dict[str, Piece] = {f"{suit.letter}{rank.letter}": tile(suit, rank) for suit in SUITS for rank in RANKS}


@dataclass(frozen=True, slots=True)
class Options:
    start_player: str = option(
        "roll", "who begins: the highest die, or a seat", choices=("roll", "0", "1", "2", "3"), clause="ICE-3.4"
    )
    choose_sets: bool = option(False, "the players choose their sets of coins themselves", clause="ICE-3.3")
    points_f: int = option(6, "what an F pyramid scores", choices=(6, 0, 3), clause="ICE-R1")
    overweight_check: str = option(
        "every_landing",
        "when a floe breaks: at every landing, or only where the move ends",
        choices=("every_landing", "final_landing"),
        clause="ICE-R3",
    )
    null_move: str = option("forbid", "a move that ends where it began", choices=("forbid", "allow"), clause="ICE-R4")
    coin_stage: str = option(
        "rounds_from_tb",
        "how voting coins are added: in turn from the torch bearer, or freely",
        choices=("rounds_from_tb", "free"),
        clause="ICE-R6",
    )
    end_timing: str = option(
        "phase_end", "when a lost team ends the game", choices=("phase_end", "immediate"), clause="ICE-R7"
    )
    all_votes_void: str = option(
        "tb_chooses_any_valid",
        "what happens if no vote is valid",
        choices=("tb_chooses_any_valid", "revote"),
        clause="ICE-R8",
    )
    support_unvoted_choice: bool = option(False, "coins may support what nobody voted for", clause="ICE-R10")
    forced_suit_vote: str = option(
        "hold", "the suit vote when only one tile is left to choose", choices=("hold", "skip"), clause="ICE-R12"
    )
    sanctioned_may_add_coins: bool = option(True, "who may not vote may still add coins", clause="ICE-R20")


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote. `votes` by seat: "" not yet, "?" where the viewer may not know it. `support` are the coins added:
    choice, weight and seat. `passed` are the seats that added none since the last coin. `choices` are those that
    a tie leaves to the torch bearer."""

    votes: tuple[str, ...] = ()
    support: tuple[tuple[str, int, int], ...] = ()
    passed: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """`floes` are the tiles by cell, "" a hole. `pyramids` are the cells by seat * 6 + letter (-1 not placed yet, -2
    lost), `spots` where on its tile each stands. `coins` is the value of the voting coins that a seat still has: ace 1,
    two 2, both 3. `dice` are the faces that the dice showed last. `number` is the value that won the vote, `target` the
    tile to explode. `rolling` are the seats that have still to roll, `rolled` what the others rolled (-1: nothing)."""

    options: Options
    suits: tuple[Suit, ...]
    sets: tuple[str, ...]
    phase: Phase
    floes: tuple[str, ...]
    pyramids: tuple[int, ...]
    spots: tuple[int, ...]
    scores: tuple[int, ...]
    coins: tuple[int, ...]
    dice: tuple[str, ...]
    ballot: Ballot = field(default_factory=Ballot)
    to_act: int = 0
    torch: int = 0
    round: int = 1
    rolling: tuple[int, ...] = ()
    rolled: tuple[int, ...] = ()
    sanctioned: tuple[int, ...] = ()
    number: str = ""
    target: str = ""
    winners: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.suits)


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    suits = tuple(seat.suit for seat in seats if seat.suit)
    count = len(suits)
    starts = options.start_player
    if starts != "roll" and int(starts) >= count:
        raise SetupError(say("start_player {starts} is not a seat among {count} players", starts=starts, count=count))
    first = 0 if starts == "roll" else int(starts)
    return State(
        options,
        suits,
        sets=() if options.choose_sets else SET_NAMES[:count],
        phase=Phase.SETS if options.choose_sets else after_sets(options),
        floes=first_floes(count),
        pyramids=(UNPLACED,) * (6 * count),
        spots=(0,) * (6 * count),
        scores=(0,) * count,
        coins=(3,) * count,
        dice=("",) * count,
        to_act=0 if options.choose_sets else first,
        torch=first,
        rolling=tuple(range(count)) if starts == "roll" else (),
        rolled=(NOT_ROLLED,) * count,
    )


def after_sets(options: Options) -> Phase:
    return Phase.ROLL if options.start_player == "roll" else Phase.PLACE


def first_floes(players: int) -> tuple[str, ...]:
    """With three players the corners are holes (ICE-3.2)."""
    if players == 3:
        return tuple("" if cell in CORNERS else name for cell, name in enumerate(FLOES))
    return FLOES


def pyramid_name(state: State, index: int) -> str:
    return f"{state.suits[index // 6].letter}-{LETTERS[index % 6]}"


def find_pyramid(state: State, name: str) -> int | None:
    """The index of a pyramid that is called like S-E."""
    letters = [suit.letter for suit in state.suits]
    if len(name) != 3 or name[1] != "-" or name[0] not in letters or name[2] not in LETTERS:
        return None
    return letters.index(name[0]) * 6 + LETTERS.index(name[2])


def points(options: Options, index: int) -> int:
    """Points of a pyramid (ICE-1.5)."""
    letter = index % 6
    return options.points_f if letter == 5 else letter + 1
