"""Jul-Gonu: catch three enemy coins between two of your own (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import OLD_HANDS
from rules.engine.coin_steps import PASS, two_suits
from rules.engine.turn import OVER, of_seat
from rules.games.jul_gonu.deeds import DEEDS
from rules.games.jul_gonu.ending import outcome_of
from rules.games.jul_gonu.layout import layout_of
from rules.games.jul_gonu.moves import moves
from rules.games.jul_gonu.opening import STEPS, SUITS, Options, State, opening_state
from rules.games.jul_gonu.position import read_position

_TURNS = (of_seat(0), of_seat(1))


class JulGonu(Game[State, Options]):
    card = GameCard(
        id="jul_gonu",
        name="Jul-Gonu",
        version=1,
        seats=(2,),
        options_type=Options,
        turn_clause="JULG-3.3",
        action_clause="JULG-4.1",
        seat_suits=SUITS,
        turns=(TurnKind.SEAT,),
        needs="four tiles, four coins of two suits",
        designer="traditional Korean, adapted by Michael Schoessow",
        presets={
            OLD_HANDS: {"strict_shuttle": True},
        },
        minutes="15",
        summary="Catch three enemy coins between two of your own.",
    )
    state_type = State
    deeds = DEEDS
    layout = staticmethod(layout_of)
    outcome = staticmethod(outcome_of)

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, two_suits(seats, SUITS))

    def turn(self, state: State) -> Turn:
        return OVER if state.end else _TURNS[state.to_act]

    def sample(self, state: State, rng: random.Random) -> Action:
        found = moves(state)
        return found[int(rng.random() * len(found))] if found else PASS

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: the two suits (lists of spaces), captured, to_act (a suit) and last (the last own moves)."""
        return read_position(data, opening_state(options, two_suits(seats, SUITS)))

    def shorthand(self, state: State, text: str) -> Action | None:
        return STEPS.shorthand(text)


GAME = JulGonu()
