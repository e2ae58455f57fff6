"""Alquerque: capture all coins of the opponent by jumping over them (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.turn import OVER, of_seat
from rules.engine.two_armies import LEADERS
from rules.games.alquerque.deeds import DEEDS, PHASES, is_over, outcome_of, phase_of
from rules.games.alquerque.layout import layout_of
from rules.games.alquerque.opening import Options, State, opening_state
from rules.games.alquerque.position import read_position, read_shorthand


def turn_of(state: State) -> Turn:
    return OVER if is_over(state) else of_seat(state.to_act, phase_of(state))


GAME = Game(
    card=GameCard(
        id="alquerque",
        name="Alquerque",
        seats=(2,),
        options_type=Options,
        turn_clause="ALQU-3.3",
        action_clause="ALQU-4.1",
        pass_clause="ALQU-4.5",
        seat_suits=LEADERS,
        needs="nine tiles, all coins",
        designer="traditional",
        minutes="15",
        summary="Capture all coins of the opponent by jumping over them.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    phase_facts=lambda state: {"place": state.capturing} if state.capturing else {},
    shorthand=read_shorthand,
)
