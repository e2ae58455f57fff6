"""Breakthrough: bring one coin to the far side of the board (rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import FIRST
from rules.engine.turn import OVER, of_seat
from rules.engine.two_armies import LEADERS
from rules.games.breakthrough.deeds import DEEDS
from rules.games.breakthrough.ending import is_over, outcome_of
from rules.games.breakthrough.layout import layout_of
from rules.games.breakthrough.opening import Options, State, opening_state
from rules.games.breakthrough.position import read_position, read_shorthand

_TURNS = (of_seat(0), of_seat(1))


class Breakthrough(Game[State, Options]):
    card = GameCard(
        id="breakthrough",
        name="Breakthrough",
        version=1,
        seats=(2,),
        options_type=Options,
        turn_clause="BRKT-3.3",
        action_clause="BRKT-4.1",
        pass_clause="BRKT-4.4",
        seat_suits=LEADERS,
        turns=(TurnKind.SEAT,),
        needs="nine tiles, all coins",
        designer="Dan Troyka",
        presets={
            FIRST: {"ranks": 1},
        },
        minutes="15",
        summary="Bring one coin to the far side of the board, or capture all others.",
    )
    state_type = State
    deeds = DEEDS
    layout = staticmethod(layout_of)
    outcome = staticmethod(outcome_of)

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        return OVER if is_over(state) else _TURNS[state.to_act]

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options)

    def shorthand(self, state: State, text: str) -> Action | None:
        return read_shorthand(text)


GAME = Breakthrough()
