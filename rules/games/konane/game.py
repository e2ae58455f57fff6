"""Konane: jump, and leave the opponent no jump (rulebook.md)."""

from __future__ import annotations

from rules.engine import Game, GameCard, Turn
from rules.engine.turn import OVER, of_seat
from rules.engine.two_armies import LEADERS
from rules.games.konane.deeds import DEEDS, PHASES, is_over, outcome_of, phase_of
from rules.games.konane.layout import layout_of
from rules.games.konane.opening import Options, State, opening_state
from rules.games.konane.position import read_position, read_shorthand


def turn_of(state: State) -> Turn:
    return OVER if is_over(state) else of_seat(state.to_act, phase_of(state))


GAME = Game(
    card=GameCard(
        id="konane",
        name="Konane",
        seats=(2,),
        options_type=Options,
        turn_clause="KONA-3.3",
        action_clause="KONA-4.3",
        pass_clause="KONA-4.5",
        seat_suits=LEADERS,
        needs="six tiles, all coins",
        designer="traditional",
        minutes="10",
        summary="Jump over the opponent’s coins; whoever can jump no more has lost.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    shorthand=read_shorthand,
)
