"""Breakthrough: bring one coin to the far side of the board (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.card import FIRST
from rules.engine.turn import OVER, of_seat
from rules.engine.two_armies import LEADERS
from rules.games.breakthrough.deeds import DEEDS, is_over, outcome_of
from rules.games.breakthrough.layout import layout_of
from rules.games.breakthrough.opening import Options, State, opening_state
from rules.games.breakthrough.position import read_position, read_shorthand


def turn_of(state: State) -> Turn:
    return OVER if is_over(state) else of_seat(state.to_act)


GAME = Game(
    card=GameCard(
        id="breakthrough",
        name="Breakthrough",
        seats=(2,),
        options_type=Options,
        turn_clause="BRKT-3.3",
        action_clause="BRKT-4.1",
        pass_clause="BRKT-4.4",
        seat_suits=LEADERS,
        needs="nine tiles, all coins",
        designer="Dan Troyka",
        presets={FIRST: {"ranks": 1}},
        minutes="15",
        summary="Bring one coin to the far side of the board, or capture all others.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    shorthand=read_shorthand,
)
