"""Quatri: bring three of your four coins into a row (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import OLD_HANDS
from rules.engine.coin_steps import PASS, two_suits
from rules.engine.turn import OVER, of_seat
from rules.games.quatri.deeds import DEEDS
from rules.games.quatri.ending import outcome_of
from rules.games.quatri.layout import layout_of
from rules.games.quatri.opening import STEPS, SUITS, Options, State, opening_state
from rules.games.quatri.position import read_position

_TURNS = (of_seat(0), of_seat(1))


class Quatri(Game[State, Options]):
    card = GameCard(
        id="quatri",
        name="Quatri",
        version=1,
        seats=(2,),
        options_type=Options,
        turn_clause="QUAT-3.4",
        action_clause="QUAT-4.3",
        seat_suits=SUITS,
        turns=(TurnKind.SEAT,),
        needs="four tiles, four coins of two suits",
        designer="traditional, adapted by Michael Schoessow",
        presets={
            OLD_HANDS: {"stalemate": "loses"},
        },
        minutes="15",
        summary="Bring three of your coins into a row.",
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
        found = STEPS.moves(state)
        return found[int(rng.random() * len(found))] if found else PASS

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, two_suits(seats, SUITS))

    def shorthand(self, state: State, text: str) -> Action | None:
        return STEPS.shorthand(text)


GAME = Quatri()
