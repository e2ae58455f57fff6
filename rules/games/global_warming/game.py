"""Global Warming: an island sinks tile by tile; the last pawn on it wins (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Action, Code, Game, GameCard, PhaseText, Refusal, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.engine.values import replace
from rules.games.global_warming.coins import danger
from rules.games.global_warming.deeds.choosing import Commit, Resign, Reveal
from rules.games.global_warming.deeds.common import outcome_of
from rules.games.global_warming.deeds.setting_up import DealIsland, DrawStart, OpenLine, SetHandler
from rules.games.global_warming.deeds.sinking import Decline, MoveTile, Sink
from rules.games.global_warming.deeds.stepping import Arrange, MovePawns
from rules.games.global_warming.layout import layout_of, picture
from rules.games.global_warming.opening import SEALED, Options, Phase, State, opening_state
from rules.games.global_warming.position import read_position, read_shorthand
from rules.games.global_warming.reading import attempts, suggestions
from rules.games.global_warming.turns import still_choosing
from rules.sentence import Person, say
from rules.table.change import Change

DEEDS = (
    DealIsland(), DrawStart(), OpenLine(), SetHandler(), Commit(), Reveal(), MovePawns(), Arrange(), MoveTile(),
    Decline(), Sink(), Resign(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    Phase.DEAL: PhaseText("GW-3.1", "that is not possible now: the tiles are being laid"),
    Phase.START: PhaseText("GW-3.3", "that is not possible now: the starting coins are being drawn"),
    Phase.LINE: PhaseText("GW-3.6", "that is not possible now: the line of coins is being laid"),
    Phase.SELECT: PhaseText("GW-4.1", "that is not possible now: the dice are being set in secret"),
    Phase.ACTIONS: PhaseText("GW-4.4", "that is not possible now: the uncovered dice are acting one after the other"),
    Phase.SINK: PhaseText("GW-4.12", "that is not possible now: a tile is sinking"),
}


def turn_of(state: State) -> Turn:
    if state.phase == Phase.SELECT:
        return of_all(still_choosing(state), Phase.SELECT)
    if state.phase == Phase.ACTIONS:
        return of_seat(state.owners[state.order[0]], Phase.ACTIONS)
    if state.phase == Phase.ENDED:
        return OVER
    if state.phase == Phase.START:
        return chance(Phase.START, state.owners[state.pawns.index("")])
    return chance(state.phase) if state.phase == Phase.DEAL else chance(state.phase, state.handler)


def seat_refusal(state: State, seat: int) -> Refusal | None:
    """Refusal of a seat whose pawns have all drowned."""
    if state.phase != Phase.SELECT or any(state.owners[index] == seat for index in state.alive):
        return None
    text = say("{seat} has drowned and does not choose", seat=Person(seat))
    return Refusal(Code.NOT_YOUR_TURN, "GW-4.2", text, {"seat": seat})


def exhaustive(state: State) -> bool:
    """The blank is listed completely; a number is not, since many sequences of steps have the same result."""
    if state.phase == Phase.ACTIONS:
        return state.faces[state.order[0]] == "n"
    return Game.exhaustive(GAME, state)


def suggest(state: State, change: Change) -> Iterable[Action]:
    return (action for action in suggestions(state, change) if GAME.refusal(state, action) is None)


def view(state: State, seat: int | None) -> State:
    """Covered dice of others are sealed; what the line reveals is computed for all (GW-6)."""
    faces = state.faces
    if state.phase == Phase.SELECT:
        faces = tuple(
            SEALED if face and owner != seat else face for owner, face in zip(state.owners, faces, strict=True)
        )
    return replace(state, faces=faces, danger=danger(state.line, state.sunk) if state.line else ())


GAME = Game(
    card=GameCard(
        id="global_warming",
        name="Global Warming",
        seats=(2, 3, 4),
        options_type=Options,
        turn_clause="GW-4.4",
        turn_clauses={Phase.SELECT: "GW-4.1", Phase.SINK: "GW-4.12"},
        action_clause="GW-4.5",
        default_seats=4,
        turns=(TurnKind.CHANCE, TurnKind.ALL, TurnKind.SEAT),
        needs="one piecepack and a bag",
        hidden=True,
        designer="Mark Biggar, Aron Wall and Gloria Wall",
        presets={
            FIRST: {"island": "ordered", "resign": True},
            OLD_HANDS: {"setup": "diagonal", "blank_optional": False},
        },
        minutes="20",
        summary="Be the last one on a sinking island: secret dice move pawns and tiles, "
        "half-seen coins tell what sinks.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    by_tiles=True,
    seats_of=lambda state: 1 + max(state.owners),
    seat_refusal=seat_refusal,
    exhaustive=exhaustive,
    suggest=suggest,
    attempts=attempts,
    view=view,
    shorthand=read_shorthand,
    diagram=picture,
)
