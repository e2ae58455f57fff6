"""The Penguin Game: stay on the melting ice longer than the others (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, chance, of_seat
from rules.games.penguin.deeds import DEEDS, PHASES
from rules.games.penguin.ending import outcome_of
from rules.games.penguin.layout import buried, layout_of
from rules.games.penguin.opening import Options, Phase, State, opening_state
from rules.games.penguin.position import read_position, read_shorthand
from rules.games.penguin.reading import deals_seen
from rules.table.change import Change

_CHANCE = (Phase.ROLL, Phase.DEAL, Phase.REVEAL)


@cache
def _turn(phase: Phase, seat: int) -> Turn:
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(seat, phase.value)


class Penguin(Game[State, Options]):
    card = GameCard(
        id="penguin",
        name="The Penguin Game",
        version=1,
        seats=(1, 2, 3, 4),
        options_type=Options,
        turn_clause="PENG-4.10",
        action_clause="PENG-4.7",
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="four tiles (or three), all coins, a pawn for each player, a bag",
        designer="Jonathan Dietrich",
        presets={
            FIRST: {"show_buried": True},
            OLD_HANDS: {"start": "strategic", "drifting": True, "flame_throwers": True},
        },
        minutes="10-20",
        summary="Step to a neighbour of the same height or hop to the same suit; the coin you leave melts. "
        "Be the last on the ice.",
    )
    state_type = State
    deeds = DEEDS
    phases = PHASES
    opening = staticmethod(opening_state)
    layout = staticmethod(layout_of)
    outcome = staticmethod(outcome_of)
    shorthand = staticmethod(read_shorthand)

    def turn(self, state: State) -> Turn:
        return _turn(state.phase, state.to_act)

    def seats_of(self, state: State) -> int:
        return len(state.pawns)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        if state.phase is not Phase.DEAL:
            return super().suggest(state, change)
        return [action for action in deals_seen(state, change) if self.check(state, action) is None]

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        state = read_position(data, options, seats)
        all_placed = state.phase is Phase.PLACE_PENGUINS and state.penguins[state.to_act] is not None
        if all_placed or (state.phase is not Phase.OVER and not any(True for _ in self.legal(state))):
            raise ValueError(f"nothing can be done in this position in the phase {state.phase.value}")
        return state

    def diagram(self, state: State) -> str:
        drawing = super().diagram(state)
        covered = ", ".join(buried(state)) if state.options.show_buried else ""
        return f"{drawing}\nbelow the top coins: {covered}" if covered else drawing


GAME = Penguin()
