"""Decay: a board without a grid that the players build, tear apart and fight over (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, Seat, Turn, TurnKind
from rules.engine.action import HIDDEN_ARGUMENT
from rules.engine.argument_value import Value, tile_of
from rules.engine.card import FIRST, FOR_TWO, OLD_HANDS
from rules.engine.turn import OVER, chance, of_seat
from rules.games.decay.deeds.agreement import OFFER, AcceptDraw, DeclineDraw, OfferDraw, Resign
from rules.games.decay.deeds.building import CreateTile, Roll
from rules.games.decay.deeds.fighting import DeclineCoin, KeepSection, MakeAttack, TakeCoin, WaiveAttack, victims
from rules.games.decay.deeds.moving_tiles import MoveTile, SkipTile
from rules.games.decay.deeds.narration import DOING, HERE, answering_seat, may_offer_draw, outcome_of
from rules.games.decay.deeds.slides import EndTurn, Slide
from rules.games.decay.deeds.walking import PAWN_STEP, EndPawnMove
from rules.games.decay.layout import drawing_of, layout_of
from rules.games.decay.opening import INDEX, LETTERS, Options, Phase, State, opening_state
from rules.games.decay.position import read_position, read_shorthand
from rules.games.decay.reading import attempts, suggestions
from rules.table.change import Change

DEEDS = (
    Roll(), CreateTile(), PAWN_STEP, EndPawnMove(), SkipTile(), MoveTile(), KeepSection(), MakeAttack(), WaiveAttack(),
    TakeCoin(), DeclineCoin(), Slide(), EndTurn(), OfferDraw(), AcceptDraw(), DeclineDraw(), Resign(),
)  # fmt: skip
PHASES = {phase.value: HERE for phase in DOING}


def turn_of(state: State) -> Turn:
    if state.phase is Phase.OVER:
        return OVER
    if state.phase is Phase.ROLL:
        waiting = [seat for seat in state.contenders if state.rolls[seat] is None]
        return chance(state.phase.value, *waiting)
    who = answering_seat(state) if state.phase is Phase.DRAW else state.to_act
    return of_seat(who, state.phase.value)


def sample(state: State, rng: random.Random) -> Action:
    """Draws, resignation and long walks are rare, as at a real table."""
    if may_offer_draw(state) and rng.random() < 0.002:
        return OFFER
    return Game.sample(GAME, state, rng)


def suggest(state: State, change: Change) -> Iterable[Action]:
    return suggestions(GAME, state, change)


def view(state: State, seat: int | None) -> State:
    """With closed hands a seat knows of the others only how many coins they hold; a seat that takes a coin by choice
    sees the choices."""
    if state.options.hands_open:
        return state
    seen = set() if seat is None else {state.purse(seat)}
    if state.phase is Phase.TAKE and seat == state.to_act:
        seen |= {state.purse(victim) for victim in victims(state)}
    hands = tuple(coins if purse in seen else (0, 0, 0, 0, sum(coins)) for purse, coins in enumerate(state.hands))
    return replace(state, hands=hands)


def redact(state: State, action: Action, seat: int | None) -> Action | None:
    """With closed hands only the two purses concerned know the coin that was taken (DECAY-8.1)."""
    if action.verb != "take_coin" or state.options.hands_open:
        return action
    victim = state.suits.index(LETTERS.index(action[0]))
    own = None if seat is None else state.purse(seat)
    if own in (state.purse(victim), state.purse(state.to_act)):
        return action
    return Action("take_coin", (action[0], HIDDEN_ARGUMENT), action.seat)


def position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    state = read_position(data, options, seats)
    if state.phase is Phase.OVER or any(True for _ in GAME.legal(state)):
        return state
    raise ValueError(
        f"nothing can be done in phase {state.phase.value} of this position; see the rulebook for its fields"
    )


def place_value(name: str) -> Value:
    """A place is a tile."""
    return tile_of(name) if name in INDEX else Game.place_value(GAME, name)


GAME = Game(
    card=GameCard(
        id="decay",
        name="Decay",
        seats=(3, 4),
        options_type=Options,
        turn_clause="DECAY-4.26",
        turn_clauses={
            Phase.ROLL: "DECAY-3.2",
            Phase.CREATE: "DECAY-3.3",
            Phase.KEEP: "DECAY-5.7",
            Phase.ATTACK: "DECAY-8.13",
            Phase.TAKE: "DECAY-5.16",
            Phase.DRAW: "DECAY-5.20",
        },
        action_clause="DECAY-4.1",
        default_seats=4,
        turns=(TurnKind.CHANCE, TurnKind.SEAT),
        needs="one piecepack and a free table",
        designer="Robert Mundschau and Matt Heistad",
        presets={
            FIRST: {"attack_optional": True, "allow_resign": True},
            OLD_HANDS: {"hands_open": False, "stolen_coin_usable": "next_turn"},
            FOR_TWO: {"two_persons": True, "shared_hand": True},
        },
        minutes="30-60",
        summary="Tear the board apart, steal coins, and be the last pawn standing.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=position,
    deeds=DEEDS,
    phases=PHASES,
    phase_facts=lambda state: {"doing": DOING[state.phase]},
    seats_of=lambda state: len(state.suits),
    sample=sample,
    suggest=suggest,
    attempts=attempts,
    view=view,
    redact=redact,
    shorthand=read_shorthand,
    diagram=drawing_of,
    place_value=place_value,
)
