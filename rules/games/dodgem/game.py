"""Piecepack Dodg'em: two armies of coins that want to leave over the far edge (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, of_seat
from rules.games.dodgem.deeds import DEEDS, PASS
from rules.games.dodgem.ending import is_over, outcome_of
from rules.games.dodgem.layout import layout_of
from rules.games.dodgem.opening import SUITS, Options, State, opening_state
from rules.games.dodgem.paths import moves
from rules.games.dodgem.position import read_position, read_shorthand

_TURNS = (of_seat(0), of_seat(1))


class Dodgem(Game[State, Options]):
    card = GameCard(
        id="dodgem",
        name="Piecepack Dodg'em",
        version=2,
        seats=(2,),
        options_type=Options,
        turn_clause="DODG-4.4",
        action_clause="DODG-4.4",
        seat_suits=SUITS,
        turns=(TurnKind.SEAT,),
        needs="nine tiles, five coins of two suits",
        designer="Colin Vout, adapted by Michael Schoessow",
        presets={
            FIRST: {"size": 4},
            OLD_HANDS: {"block_loses": True},
        },
        minutes="15",
        summary="Bring all your coins off the far edge of the board before the opponent does.",
    )
    state_type = State
    deeds = DEEDS
    layout = staticmethod(layout_of)
    outcome = staticmethod(outcome_of)
    shorthand = staticmethod(read_shorthand)

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        return OVER if is_over(state) else _TURNS[state.to_act]

    def sample(self, state: State, rng: random.Random) -> Action:
        found = moves(state)
        return found[int(rng.random() * len(found))] if found else PASS

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options)


GAME = Dodgem()
