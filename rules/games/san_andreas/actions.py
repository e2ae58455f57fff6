"""What may be done in every phase of San Andreas, as actions (SAND-4, SAND-5)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from rules.engine import Action, ParamKind, Verb
from rules.engine.action import verb
from rules.games.san_andreas.geometry import Cell, beside, cell_of, cells_of, name_of
from rules.games.san_andreas.opening import Dice, Phase, State
from rules.games.san_andreas.quake import taken_cells
from rules.games.san_andreas.scoring import swappable
from rules.pieces import RANKS, SUITS, Rank, Suit, parse_rank, parse_suit

VERBS: tuple[Verb, ...] = (
    verb("begin", "seat {seat} begins", "SAND-3.3", seat=ParamKind.SEAT),
    verb("found", "found a city of {suit} on {cell}", "SAND-4.1", suit=ParamKind.SUIT, cell=ParamKind.PLACE),
    verb("epicenter", "the {pawn} pawn on {cell}", "SAND-4.2", pawn=ParamKind.SUIT, cell=ParamKind.PLACE),
    verb("pass", "pass, because nothing else is possible", "SAND-4.3"),
    verb("roll", "the dice show {dice}", "SAND-5.1", dice=ParamKind.LIST),
    verb("resolve", "the {die} die shifts its tile", "SAND-5.2", die=ParamKind.SUIT),
    verb(
        "reveal",
        "the city on {cell} is worth {value}",
        "SAND-5.21",
        cell=ParamKind.PLACE,
        value=ParamKind.RANK,
    ),
    verb("swap", "exchange the null with a destroyed {value}", "SAND-5.23", value=ParamKind.RANK),
    verb("keep", "keep the null", "SAND-5.23"),
    verb("tell", "note that {cell} is a {value}", "SAND-6.2", cell=ParamKind.PLACE, value=ParamKind.RANK),
)
PHASE_VERBS: dict[Phase, tuple[str, ...]] = {
    Phase.BEGIN: ("begin",),
    Phase.TURN: ("found", "epicenter", "pass"),
    Phase.ROLL: ("roll",),
    Phase.QUAKE: ("resolve",),
    Phase.SCORE: ("reveal",),
    Phase.SWAP: ("swap", "keep"),
    Phase.OVER: (),
}
PASS = Action("pass")
_KEEP = Action("keep")


@cache
def _on_cell(what: str, suit: Suit, cell: Cell) -> Action:
    return Action(what, (suit.value, name_of(cell)))


def founding_cells(state: State) -> list[Cell]:
    """Where any city may stand (SAND-4.1)."""
    ground = state.terrain
    limit = state.options.steep_limit
    bad = taken_cells(state)
    for city in state.cities:
        bad.update(beside(state.cell(city)))
    return [
        cell
        for name, shown in ground.shown.items()
        if ground.leans[name] == (0, 0) or ground.steepness(name) <= limit
        for _, cell in shown
        if cell not in bad
    ]


def epicenter_cells(state: State) -> list[Cell]:
    """Where any pawn may stand (SAND-4.2)."""
    ground = state.terrain
    taken = taken_cells(state)
    return [cell for name in ground.coastal for _, cell in ground.shown[name] if cell not in taken]


def legal_in(state: State) -> Iterator[Action]:
    if state.phase is Phase.TURN:
        yield from _legal_turn(state)
    elif state.phase is Phase.BEGIN:
        yield from (Action("begin", (str(seat),)) for seat in range(state.seats))
    elif state.phase is Phase.ROLL:
        yield from all_rolls()
    elif state.phase is Phase.QUAKE:
        yield from (Action("resolve", (suit.value,)) for suit in state.remaining)
    elif state.phase is Phase.SCORE:
        yield from _legal_reveals(state)
    elif state.phase is Phase.SWAP:
        yield from (Action("swap", (rank.word,)) for rank in swappable(state))
        yield _KEEP


def _choices(state: State) -> tuple[tuple[str, list[Suit], list[Cell]], tuple[str, list[Suit], list[Cell]]]:
    """What may be put down, in which suits and where."""
    coins = [suit for suit in state.suits_of(state.to_act) if state.in_hand(suit)]
    pawns = [suit for suit, stands in zip(SUITS, state.pawns, strict=True) if not stands]
    cells = founding_cells(state) if coins else []
    return ("found", coins, cells), ("epicenter", pawns, epicenter_cells(state))


def _legal_turn(state: State) -> Iterator[Action]:
    choices = _choices(state)
    for what, suits, cells in choices:
        yield from (_on_cell(what, suit, cell) for suit in suits for cell in cells)
    if not any(cells for _, _, cells in choices):
        yield PASS


def _legal_reveals(state: State) -> Iterator[Action]:
    for index in state.waiting:
        city = state.cities[index]
        known = city.coin.value
        for value in state.free_values(city.coin.suit) if known is None else (known,):
            yield Action("reveal", (name_of(state.cell(city)), value.word))


def roll_action(dice: tuple[Rank | None, ...]) -> Action:
    tops = zip(SUITS, dice, strict=True)
    return Action("roll", ("+".join(f"{suit.letter}{int(top or 0)}" for suit, top in tops),))


@cache
def all_rolls() -> tuple[Action, ...]:
    return tuple(roll_action(dice) for dice in product(RANKS, repeat=4))


_ROLL = re.compile(r"S([0-5])\+M([0-5])\+C([0-5])\+A([0-5])\Z")


def dice_of(text: str) -> Dice | None:
    """S1+M0+C3+A5, in the order of the suits; None for anything else."""
    match = _ROLL.match(text)
    if match is None:
        return None
    suns, moons, crowns, arms = (Rank(int(top)) for top in match.groups())
    return suns, moons, crowns, arms


def sample_in(state: State, rng: random.Random) -> Action:
    if state.phase is Phase.ROLL:
        return roll_action(tuple(rng.choice(RANKS) for _ in SUITS))
    if state.phase is Phase.TURN:
        return _sample_turn(state, rng)
    return rng.choice(list(legal_in(state)))


def _sample_turn(state: State, rng: random.Random) -> Action:
    """Any legal action with the same chance, without making them all."""
    choices = _choices(state)
    weights = [len(suits) * len(cells) for _, suits, cells in choices]
    if not any(weights):
        return PASS
    what, suits, cells = rng.choices(choices, weights)[0]
    return _on_cell(what, rng.choice(suits), rng.choice(cells))


_WORDS = re.compile(r"[^a-z0-9-]+")


def shorthand(state: State, text: str) -> Action | None:
    """ "found S 3 14", "S4@(3,14)", "epicenter M r2c1", "die S", "roll 1 0 3 5"."""
    if re.match(r"[a-z_]+(\(|\Z)", text):
        return None
    words = [word for word in _WORDS.split(text.lower().replace("@", " @ ")) if word]
    try:
        return _short(state, words, at="@" in text)
    except (ValueError, IndexError):
        return None


def _short(state: State, words: list[str], *, at: bool) -> Action | None:
    if words[0] in ("die", "resolve") and len(words) == 2:
        return Action("resolve", (parse_suit(words[1]).value,))
    if words[0] == "roll" and len(words) == 5:
        return roll_action(tuple(parse_rank(word) for word in words[1:]))
    if words[0] in ("found", "epicenter"):
        return Action(words[0], (parse_suit(words[1][:1]).value, _place(state, words[2:])))
    if at:
        return Action("found", (parse_suit(words[0][:1]).value, _place(state, words[1:])))
    return None


def _place(state: State, words: list[str]) -> str:
    """ "3 14", "x3y14", or the first free space of a tile "r2c1"."""
    if len(words) == 2:
        return name_of((int(words[0]), int(words[1])))
    if words[0] in state.terrain.tiles:
        return name_of(free_space(state, words[0]))
    return words[0]


def free_space(state: State, tile: str) -> Cell:
    """A visible space of a tile without coin and pawn, or just its first one."""
    taken = taken_cells(state)
    free = [cell for _, cell in state.terrain.visible(tile) if cell not in taken]
    return free[0] if free else cells_of(state.terrain.tiles[tile])[0]


def named_cell(action: Action) -> Cell | None:
    return cell_of(action[0] if action.verb in ("reveal", "tell") else action[1])
