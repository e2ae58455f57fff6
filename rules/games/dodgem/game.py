"""Piecepack Dodg'em: two armies of coins that want to leave over the far edge (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.coin_steps import random_move
from rules.engine.turn import OVER, of_seat
from rules.games.dodgem.deeds import DEEDS, is_over, moves, outcome_of
from rules.games.dodgem.layout import layout_of
from rules.games.dodgem.opening import SUITS, Options, State, opening_state
from rules.games.dodgem.position import read_position, read_shorthand


def turn_of(state: State) -> Turn:
    return OVER if is_over(state) else of_seat(state.to_act)


GAME = Game(
    card=GameCard(
        id="dodgem",
        name="Piecepack Dodg'em",
        version=2,
        seats=(2,),
        options_type=Options,
        turn_clause="DODG-4.4",
        action_clause="DODG-4.4",
        seat_suits=SUITS,
        needs="nine tiles, five coins of two suits",
        designer="Colin Vout, adapted by Michael Schoessow",
        presets={FIRST: {"size": 4}, OLD_HANDS: {"block_loses": True}},
        minutes="15",
        summary="Bring all your coins off the far edge of the board before the opponent does.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    sample=lambda state, rng: random_move(moves(state), rng),
    shorthand=read_shorthand,
)
