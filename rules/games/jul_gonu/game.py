"""Jul-Gonu: catch three enemy coins between two of your own (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.card import OLD_HANDS
from rules.engine.coin_steps import random_move
from rules.engine.turn import OVER, of_seat
from rules.games.jul_gonu.deeds import DEEDS, moves, outcome_of
from rules.games.jul_gonu.layout import layout_of
from rules.games.jul_gonu.opening import STEPS, SUITS, Options, State, opening_state
from rules.games.jul_gonu.position import read_position


def turn_of(state: State) -> Turn:
    return OVER if state.end else of_seat(state.to_act)


GAME = Game(
    card=GameCard(
        id="jul_gonu",
        name="Jul-Gonu",
        seats=(2,),
        options_type=Options,
        turn_clause="JULG-3.3",
        action_clause="JULG-4.1",
        seat_suits=SUITS,
        needs="four tiles, four coins of two suits",
        designer="traditional Korean, adapted by Michael Schoessow",
        presets={OLD_HANDS: {"strict_shuttle": True}},
        minutes="15",
        summary="Catch three enemy coins between two of your own.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    sample=lambda state, rng: random_move(moves(state), rng),
    shorthand=STEPS.shorthand,
)
