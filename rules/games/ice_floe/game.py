"""IceFloe: teams of pyramids on floes that break, are voted on and explode (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rules.engine import Action, Code, Game, GameCard, Refusal, Turn, TurnKind
from rules.engine.refusal import Facts
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.engine.values import replace
from rules.games.ice_floe.deeds import BY_LUCK, DEEDS, PHASE_WORDS, PHASES
from rules.games.ice_floe.layout import layout_of
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    ROLL,
    SCORE,
    SEALED,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    WINNER,
    Options,
    State,
    opening_state,
)
from rules.games.ice_floe.position import read_position, read_shorthand
from rules.games.ice_floe.reading import attempts
from rules.games.ice_floe.rounds import coin_seats, outcome_of, voters
from rules.sentence import Person, say
from rules.table.change import Change


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase in (NUMBER, SUIT):
        return of_all(voters(state), phase)
    if phase in COIN_PHASES and state.options.coin_stage == "free":
        return of_all(tuple(sorted(coin_seats(state))), phase)
    if phase == ENDED:
        return OVER
    return chance(ROLL) if phase == ROLL else of_seat(state.to_act, phase)


def sample(state: State, rng: random.Random) -> Action:
    """Players who break the rules of conduct are rare."""
    quick = BY_LUCK.get(state.phase)
    if quick and (action := quick.sample(state, rng)):
        return action
    actions = list(GAME.legal(state))
    if rng.random() < 0.98:
        actions = [action for action in actions if action.verb != "sanction"]
    return actions[int(rng.random() * len(actions))]


def seat_refusal(state: State, seat: int) -> Refusal | None:
    if state.phase not in (NUMBER, SUIT) or seat not in state.sanctioned:
        return None
    text = say("{seat} may not vote until the next round", seat=Person(seat))
    return Refusal(Code.NOT_YOUR_TURN, "ICE-4.26", text, {"seat": seat})


def suggest(state: State, change: Change) -> Iterable[Action]:
    return (action for action in attempts(state, change) if GAME.refusal(state, action) is None)


def view(state: State, seat: int | None) -> State:
    """Covered votes are known to their voters only (ICE-6)."""
    if state.phase not in (NUMBER, SUIT):
        return state
    votes = tuple(SEALED if vote and n != seat else vote for n, vote in enumerate(state.ballot.votes))
    return replace(state, ballot=replace(state.ballot, votes=votes))


def diagram(state: State) -> str:
    """The table, and what does not lie on it: round, torch and scores."""
    scores = ", ".join(f"{suit.letter} {n}" for suit, n in zip(state.suits, state.scores, strict=True))
    torch = state.suits[state.torch].value
    return f"{Game.diagram(GAME, state)}\nround {state.round} ({state.phase}), torch: {torch}, scores: {scores}"


def fact_values(facts: Facts) -> dict[str, object]:
    """What a score is for: of pyramids (S-A 1) the size and the points, since the seat has the suit."""
    values = Game.fact_values(GAME, facts)
    parts = facts.get("for")
    return {**values, "for": [part.partition("-")[2] for part in parts]} if isinstance(parts, list) else values


GAME = Game(
    card=GameCard(
        id="ice_floe",
        name="IceFloe",
        version=1,
        seats=(3, 4),
        options_type=Options,
        turn_clause="ICE-4.1",
        turn_clauses={
            NUMBER: "ICE-4.12",
            NUMBER_COINS: "ICE-4.20",
            NUMBER_TIE: "ICE-4.23",
            SUIT: "ICE-4.15",
            SUIT_COINS: "ICE-4.20",
            SUIT_TIE: "ICE-4.23",
            EXPLODE: "ICE-4.27",
            BONUS: "ICE-4.28",
            SCORE: "ICE-4.30",
            WINNER: "ICE-5.4",
        },
        action_clause="ICE-4.1",
        default_seats=4,
        turns=(TurnKind.CHANCE, TurnKind.SEAT, TurnKind.ALL),
        needs="one piecepack, the piecepack pyramids of the suits that play, something like a torch",
        hidden=True,
        designer="Tim Schutz",
        minutes="60",
        summary="Jump from floe to floe, vote in secret which floe explodes, and score the tiles that suit you best.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    phase_facts=lambda state: {"now": PHASE_WORDS[state.phase]},
    seats_of=lambda state: state.players,
    seat_refusal=seat_refusal,
    sample=sample,
    suggest=suggest,
    attempts=attempts,
    view=view,
    shorthand=read_shorthand,
    diagram=diagram,
    fact_values=fact_values,
)
