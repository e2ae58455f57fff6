"""Zombie in my Piecepack: find the totem, bury it in the Graveyard, before time runs out (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, chance, of_seat
from rules.games.zombie.deeds import DEEDS, PHASES
from rules.games.zombie.ending import YOU, outcome_of
from rules.games.zombie.layout import layout_of, meters
from rules.games.zombie.night import DICE
from rules.games.zombie.opening import ROOMS, Options, Phase, State, opening_state
from rules.games.zombie.position import read_position, read_shorthand
from rules.games.zombie.reading import attempts, roll_seen
from rules.pieces import Suit
from rules.table.change import Change

_CHANCE = (Phase.DRAW, Phase.MOON, Phase.EVENT, Phase.SEARCH, Phase.COWER)


@cache
def _turn(phase: Phase) -> Turn:
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(YOU, phase.value)


class Zombie(Game[State, Options]):
    card = GameCard(
        id="zombie",
        name="Zombie in my Piecepack",
        version=1,
        seats=(1,),
        options_type=Options,
        turn_clause="ZOMB-4.2",
        action_clause="ZOMB-4.2",
        default_seats=1,
        seat_suits=(Suit.ARMS,),
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="18 tiles, 15 coins, three pawns and three dice of one piecepack",
        designer="Dan Beauchamp after Jeremiah Lee, edited by Ron Hale-Evans",
        presets={
            FIRST: {"search": "free"},
            OLD_HANDS: {"time": "action"},
        },
        minutes="5-20",
        summary="Alone against the clock and the undead: bring the totem from the temple to the graveyard.",
    )
    state_type = State
    by_tiles = True
    deeds = DEEDS
    phases = PHASES
    layout = staticmethod(layout_of)
    outcome = staticmethod(outcome_of)
    shorthand = staticmethod(read_shorthand)

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        return _turn(state.phase)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        return super().choices(state, seat) if seat in (None, YOU) else ()

    def sample(self, state: State, rng: random.Random) -> Action:
        if state.phase in DICE:
            return super().sample(state, rng)
        found = list(super().choices(state))
        return found[int(rng.random() * len(found))]

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        """A roll is read from the dice: there are too many to try. Of the few other choices what touches the change
        comes first, and the others after: a door leads to where nothing lies yet."""
        if state.phase in DICE:
            return roll_seen(state, change)
        return dict.fromkeys((*super().suggest(state, change), *self.legal(state)))

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        return attempts(state, change)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        state = read_position(data, options)
        if state.phase is not Phase.OVER and not any(True for _ in self.legal(state)):
            raise ValueError(f"nothing can be done in this position in the phase {state.phase.value}")
        return state

    def describe(self, action: Action) -> str:
        room = next((arg[1:] for arg in action.args if arg[:1] == "t" and arg[1:] in ROOMS), None)
        named = super().describe(action)
        return f"{named} ({ROOMS[room].name})" if room else named

    def diagram(self, state: State) -> str:
        """The map, how the rooms are joined, and the meters."""
        return "\n".join((super().diagram(state), *meters(state)))


GAME = Zombie()
