"""Jul-Gonu: catch three enemy coins between two of your own (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from rules.engine import (
    Action,
    Game,
    GameCard,
    Outcome,
    ParamKind,
    Refusal,
    Seat,
    Step,
    Turn,
    TurnKind,
)
from rules.engine.action import verb
from rules.engine.coin_steps import PASS, two_suits
from rules.engine.turn import OVER, of_seat
from rules.games.jul_gonu.checks import check_move, check_pass
from rules.games.jul_gonu.moves import moves, play
from rules.games.jul_gonu.opening import STEPS, Options, State, opening_state
from rules.games.jul_gonu.position import read_position
from rules.games.jul_gonu.story import END_CLAUSES, reason, story
from rules.pieces import Face, Suit, coin
from rules.table.layout import Layout, Zone

SUITS = (Suit.SUNS, Suit.CROWNS)
CARD = GameCard(
    id="jul_gonu",
    name="Jul-Gonu",
    version=1,
    seats=(2,),
    options_type=Options,
    verbs=(
        verb("move", "{from_} to {to}", "JULG-4.1", from_=ParamKind.PLACE, to=ParamKind.PLACE),
        verb("pass", "pass, because nothing can move", "JULG-4.3"),
    ),
    turn_clause="JULG-3.3",
    end_clause="JULG-5.1",
    action_clause="JULG-4.1",
    seat_suits=SUITS,
    turns=(TurnKind.SEAT,),
    needs="four tiles, four coins of two suits",
    designer="traditional Korean, adapted by Michael Schoessow",
    minutes="15",
    summary="Catch three enemy coins between two of your own.",
)
_TURNS = (of_seat(0), of_seat(1))


class JulGonu(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, two_suits(seats, SUITS))

    def turn(self, state: State) -> Turn:
        return OVER if state.end else _TURNS[state.to_act]

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.end or seat not in (None, state.to_act):
            return []
        return moves(state) or [PASS]

    def sample(self, state: State, rng: random.Random) -> Action:
        found = moves(state)
        return found[int(rng.random() * len(found))] if found else PASS

    def check(self, state: State, action: Action) -> Refusal | None:
        return check_pass(state) if action.verb == "pass" else check_move(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        return play(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = play(state, action)
        return Step(after, tuple(story(state, action, after)))

    def layout(self, state: State) -> Layout:
        build = STEPS.laid(state)
        for seat, suit in enumerate(state.suits):
            for index in range(state.captured[1 - seat]):
                build.aside(Zone.SPENT, coin(suit), key=f"{suit}-taken{index}", seat=1 - seat, face=Face.BACK)
        return build.layout()

    def outcome(self, state: State) -> Outcome:
        if not state.end:
            return Outcome(scores=state.captured)
        winners = () if state.winner is None else (state.winner,)
        return Outcome(True, winners, state.captured, reason(state), END_CLAUSES[state.end])

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: the two suits (lists of spaces), captured, to_act (a suit) and last (the last own moves)."""
        return read_position(data, opening_state(options, two_suits(seats, SUITS)))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "a1-a2" is a move."""
        return STEPS.shorthand(text)


GAME = JulGonu()
