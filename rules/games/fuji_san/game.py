"""Fuji-San: four priests climb a mountain of coins; a solitaire (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rules.engine import Action, Game, GameCard, PhaseText, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.throws import throw_seen
from rules.engine.turn import OVER, chance, of_seat
from rules.games.fuji_san.climbs import begin, moves
from rules.games.fuji_san.deeds import Carry, Climb, Cross, Deal, Rescue, Roll, Side, outcome_of
from rules.games.fuji_san.layout import layout_of
from rules.games.fuji_san.mountain import NAMES, coin_at, write_layout
from rules.games.fuji_san.opening import Options, State, opening_state
from rules.games.fuji_san.position import read_position, read_shorthand
from rules.pieces import SUITS, Kind
from rules.table.change import Change

DEEDS = (Deal(), Roll(), Rescue(), Climb(), Side(), Cross(), Carry())
PHASES: dict[str, PhaseText] = {
    "deal": PhaseText("FUJI-3.2", "the coins have yet to be dealt and turned"),
    "roll": PhaseText("FUJI-3.6", "no priest can move; the dice have to be rolled"),
    "rescue": PhaseText("FUJI-3.6", "one of the dice has to be chosen"),
    "carry": PhaseText("FUJI-9.4", "the summit is reached; the four summit coins have to be carried down"),
    "ascent": PhaseText("FUJI-4.7", "the priests are on their way up"),
    "descent": PhaseText("FUJI-9.4", "the priests are on their way down"),
}


def chance_seen(phase: str, change: Change) -> list[Action]:
    """The deal of 24 coins, or the throw of four dice, if all of them are seen with their values."""
    read = _deal_seen(change) if phase == "deal" else throw_seen(change, SUITS)
    return [Action(phase, (read,))] if read else []


def _deal_seen(change: Change) -> str | None:
    ranks = {placed.place: placed.piece.rank for placed in change.placed if placed.piece.kind is Kind.COIN}
    values = [ranks.get(name) for name in NAMES if coin_at(name) is not None]
    known = tuple(int(rank) for rank in values if rank is not None)
    return write_layout(known) if len(known) == len(values) else None


_CHANCE = ("deal", "roll")


def opening(options: Options, _seats: tuple[Seat, ...]) -> State:
    state = opening_state(options)
    return begin(state) if state.values else state


def turn_of(state: State) -> Turn:
    if state.end:
        return OVER
    return chance(state.phase, 0) if state.phase in _CHANCE else of_seat(0, state.phase)


def sample(state: State, rng: random.Random) -> Action:
    if state.phase in _CHANCE:
        return Game.sample(GAME, state, rng)
    found = moves(state) if state.phase in ("ascent", "descent") else list(GAME.legal(state))
    return found[int(rng.random() * len(found))]


def suggest(state: State, change: Change) -> Iterable[Action]:
    return chance_seen(state.phase, change) if state.phase in _CHANCE else Game.suggest(GAME, state, change)


GAME = Game(
    card=GameCard(
        id="fuji_san",
        name="Fuji-San",
        seats=(1,),
        options_type=Options,
        turn_clause="FUJI-4.7",
        action_clause="FUJI-4.7",
        default_seats=1,
        seat_suits=(),
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="24 tiles, 24 coins, four pawns, four dice",
        designer="James Kyle (Droscha)",
        presets={FIRST: {"layout": "easy"}, OLD_HANDS: {"layout": "expert"}},
        minutes="10",
        summary="Bring all four priests to the top of the mountain.",
    ),
    state_type=State,
    opening=opening,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    sample=sample,
    suggest=suggest,
    shorthand=read_shorthand,
)
