"""Global Warming: an island sinks tile by tile; the last pawn on it wins (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Action, Code, Game, GameCard, Refusal, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.engine.values import replace
from rules.games.global_warming.coins import danger
from rules.games.global_warming.deeds import DEEDS, PHASES
from rules.games.global_warming.deeds.common import outcome_of
from rules.games.global_warming.layout import layout_of, picture
from rules.games.global_warming.opening import (
    ACTIONS,
    DEAL,
    ENDED,
    SEALED,
    SELECT,
    SINK,
    START,
    Options,
    State,
    opening_state,
)
from rules.games.global_warming.position import read_position, read_shorthand
from rules.games.global_warming.reading import attempts, suggestions
from rules.games.global_warming.turns import still_choosing
from rules.sentence import Person, say
from rules.table.change import Change


def turn_of(state: State) -> Turn:
    if state.phase == SELECT:
        return of_all(still_choosing(state), SELECT)
    if state.phase == ACTIONS:
        return of_seat(state.owners[state.order[0]], ACTIONS)
    if state.phase == ENDED:
        return OVER
    if state.phase == START:
        return chance(START, state.owners[state.pawns.index("")])
    return chance(state.phase) if state.phase == DEAL else chance(state.phase, state.handler)


def seat_refusal(state: State, seat: int) -> Refusal | None:
    """Whose pawns have all drowned does not choose any more."""
    if state.phase != SELECT or any(state.owners[index] == seat for index in state.alive):
        return None
    text = say("{seat} has drowned and does not choose", seat=Person(seat))
    return Refusal(Code.NOT_YOUR_TURN, "GW-4.2", text, {"seat": seat})


def exhaustive(state: State) -> bool:
    """The blank is listed whole, though a number is not: many ways to spend the steps come to the same."""
    if state.phase == ACTIONS:
        return state.faces[state.order[0]] == "n"
    return Game.exhaustive(GAME, state)


def suggest(state: State, change: Change) -> Iterable[Action]:
    return (action for action in suggestions(state, change) if GAME.refusal(state, action) is None)


def view(state: State, seat: int | None) -> State:
    """Covered dice of others are sealed; what the line betrays is worked out for everybody (GW-6)."""
    faces = state.faces
    if state.phase == SELECT:
        faces = tuple(
            SEALED if face and owner != seat else face for owner, face in zip(state.owners, faces, strict=True)
        )
    return replace(state, faces=faces, danger=danger(state.line, state.sunk) if state.line else ())


GAME = Game(
    card=GameCard(
        id="global_warming",
        name="Global Warming",
        version=1,
        seats=(2, 3, 4),
        options_type=Options,
        turn_clause="GW-4.4",
        turn_clauses={SELECT: "GW-4.1", SINK: "GW-4.12"},
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
