"""Dectana: cards form the board, pyramids point at cards, and six suits create, grow, move, steal, destroy and draw
(rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Action, Game, GameCard, PhaseText, Turn, TurnKind
from rules.engine.action import HIDDEN_ARGUMENT
from rules.engine.argument_value import cell_label
from rules.engine.card import OLD_HANDS
from rules.engine.turn import OVER, chance, of_seat
from rules.engine.values import replace
from rules.games.dectana.deeds.common import claims, outcome_of
from rules.games.dectana.deeds.hands import Discard, EndGame, Tell
from rules.games.dectana.deeds.on_cards import CreateCard, Destroy, DrawCard, GrowCard, MoveCard, Reveal, Steal
from rules.games.dectana.deeds.on_pyramids import Create, Draw, Grow, Move, Push, Shrink
from rules.games.dectana.deeds.powers_used import EndUse
from rules.games.dectana.deeds.setting_up import Deal, PlaceStart
from rules.games.dectana.deeds.turning import ACTIVATE, ALL_CHANGES_UP_TO, ENTER, PLAY, REORIENT, Redraw
from rules.games.dectana.layout import diagram_of, layout_of
from rules.games.dectana.opening import UNKNOWN, Held, Options, Phase, State, opening_state
from rules.games.dectana.position import read_position, read_shorthand
from rules.games.dectana.reading import attempts, suggestions
from rules.table.change import Change

DEEDS = (
    Deal(), PlaceStart(), ACTIVATE, PLAY, REORIENT, ENTER, Redraw(), Create(), CreateCard(), Grow(), GrowCard(), Move(),
    MoveCard(), Push(), Steal(), Shrink(), Destroy(), Draw(), DrawCard(), EndUse(), Reveal(), Discard(), EndGame(),
    Tell(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    Phase.DEAL: PhaseText("DEC-3.2", "the nine cards of the board are dealt first"),
    Phase.ENTER: PhaseText("DEC-3.5", "each player places one small pyramid first"),
    Phase.TURN: PhaseText("DEC-4.0", "choose one: activate, play, reorient, enter or redraw"),
    Phase.USE: PhaseText("DEC-4.3", "a card is being used: use its suit or end the use"),
    Phase.REVEAL: PhaseText("DEC-4.21", "a card is being drawn onto the board: say which it is"),
    Phase.DISCARD: PhaseText("DEC-4.10", "the hand has more than six cards: discard first"),
}


def turn_of(state: State) -> Turn:
    if state.stage is Phase.OVER:
        return OVER
    if state.stage is Phase.DEAL:
        return chance(state.stage.value)
    if state.stage is Phase.REVEAL:
        return chance(state.stage.value, state.to_act)
    return of_seat(state.to_act, state.stage.value)


def choices(state: State, seat: int | None = None) -> Iterable[Action]:
    """A seat that is not to act may still end the game (DEC-5.1)."""
    if seat in (None, state.to_act) or state.stage in (Phase.DEAL, Phase.OVER):
        return Game.choices(GAME, state)
    found = claims(state, seat) if 0 <= seat < state.seats else ()
    return (Action(action.verb, action.args, seat) for action in found)


def exhaustive(state: State) -> bool:
    if state.stage is Phase.TURN:
        return len(state.own(state.to_act)) <= ALL_CHANGES_UP_TO
    return Game.exhaustive(GAME, state)


def suggest(state: State, change: Change) -> Iterable[Action]:
    return suggestions(state, change, tuple(GAME.legal(state)))


def view(state: State, seat: int | None) -> State:
    """A hand is seen by its owner alone, except for cards that everybody saw go there."""
    hands = tuple(
        hand if owner == seat else tuple(sorted(held if held.public else Held(UNKNOWN) for held in hand))
        for owner, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands)


def redact(state: State, action: Action, seat: int | None) -> Action | None:
    """Only the owner sees the entered cards (DEC-6.2); the others see their number."""
    if action.verb != "tell" or seat == GAME.actor(state, action):
        return action
    return Action("tell", ("+".join(HIDDEN_ARGUMENT for _ in action[0].split("+")),), action.seat)


GAME = Game(
    card=GameCard(
        id="dectana",
        name="Dectana",
        seats=(2, 3, 4, 5),
        options_type=Options,
        turn_clause="DEC-3.4",
        turn_clauses={
            Phase.ENTER: "DEC-3.5",
            Phase.USE: "DEC-4.3",
            Phase.REVEAL: "DEC-4.21",
            Phase.DISCARD: "DEC-4.10",
        },
        action_clause="DEC-4.0",
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="two Decktets, three small, medium and large pyramids of one colour per player",
        hidden=True,
        designer="Ryan Hackel",
        presets={OLD_HANDS: {"pawns": True, "courts": True, "excuses": True}},
        minutes="30-60",
        summary="Find and hold the most valuable territories of a board made of cards.",
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
    seats_of=lambda state: state.seats,
    choices=choices,
    exhaustive=exhaustive,
    suggest=suggest,
    attempts=attempts,
    view=view,
    redact=redact,
    shorthand=read_shorthand,
    called=cell_label,
    diagram=diagram_of,
)
