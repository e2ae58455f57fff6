"""Quatri: bring three of your four coins into a row (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.card import OLD_HANDS
from rules.engine.coin_steps import random_move
from rules.engine.turn import OVER, of_seat
from rules.games.quatri.deeds import DEEDS, outcome_of
from rules.games.quatri.layout import layout_of
from rules.games.quatri.opening import STEPS, SUITS, Options, State, opening_state
from rules.games.quatri.position import read_position


def turn_of(state: State) -> Turn:
    return OVER if state.end else of_seat(state.to_act)


GAME = Game(
    card=GameCard(
        id="quatri",
        name="Quatri",
        seats=(2,),
        options_type=Options,
        turn_clause="QUAT-3.4",
        action_clause="QUAT-4.3",
        seat_suits=SUITS,
        needs="four tiles, four coins of two suits",
        designer="traditional, adapted by Michael Schoessow",
        presets={OLD_HANDS: {"stalemate": "loses"}},
        minutes="15",
        summary="Bring three of your coins into a row.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    sample=lambda state, rng: random_move(STEPS.moves(state), rng),
    shorthand=STEPS.shorthand,
)
