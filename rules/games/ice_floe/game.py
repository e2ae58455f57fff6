"""IceFloe: teams of pyramids on floes that break, are voted on and explode (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rules.engine import Action, Code, Deed, Game, GameCard, PhaseText, Refusal, Turn, TurnKind
from rules.engine.refusal import Facts
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.engine.values import replace
from rules.games.ice_floe.deeds.balloting import CommitNumber, CommitSuit, RevealNumber, RevealSuit
from rules.games.ice_floe.deeds.exploding import Bonus, ChooseWinner, Decline, Explode, Score, Share
from rules.games.ice_floe.deeds.moving import Move, Pass, Slide
from rules.games.ice_floe.deeds.setting_up import Place, Roll, TakeSet
from rules.games.ice_floe.deeds.swaying import AddCoin, BreakTie, CloseCoins, KeepCoins, Sanction
from rules.games.ice_floe.layout import layout_of
from rules.games.ice_floe.opening import COIN_PHASES, SEALED, Options, Phase, State, opening_state
from rules.games.ice_floe.position import read_position, read_shorthand
from rules.games.ice_floe.reading import attempts
from rules.games.ice_floe.rounds import coin_seats, outcome_of, voters
from rules.sentence import Person, say
from rules.table.change import Change

DEEDS = (
    TakeSet(), Roll(), Place(), Move(), Slide(), Pass(), CommitNumber(), RevealNumber(), CommitSuit(), RevealSuit(),
    AddCoin(), KeepCoins(), CloseCoins(), BreakTie(), Sanction(), Explode(), Bonus(), Decline(), Score(),
    ChooseWinner(), Share(),
)  # fmt: skip
SAMPLERS = {deed.phases[0]: deed for deed in DEEDS if type(deed).sample is not Deed.sample}
"""Samplers of phases with many actions."""

PHASE_WORDS = {
    Phase.SETS: say("the choice of the sets"),
    Phase.ROLL: say("the start roll"),
    Phase.PLACE: say("the placing of the pyramids"),
    Phase.MOVE: say("the movement part"),
    Phase.NUMBER: say("the vote on the number"),
    Phase.NUMBER_COINS: say("the time for coins in the vote on the number"),
    Phase.NUMBER_TIE: say("the torch bearer's decision on the number"),
    Phase.SUIT: say("the vote on the suit"),
    Phase.SUIT_COINS: say("the time for coins in the vote on the suit"),
    Phase.SUIT_TIE: say("the torch bearer's decision on the suit"),
    Phase.EXPLODE: say("the explosion"),
    Phase.BONUS: say("the second explosion"),
    Phase.SCORE: say("the scoring"),
    Phase.WINNER: say("the choice of the winner"),
}
PHASES: dict[str, PhaseText] = {phase: PhaseText("", "now comes {now}") for phase in PHASE_WORDS}


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase in (Phase.NUMBER, Phase.SUIT):
        return of_all(voters(state), phase)
    if phase in COIN_PHASES and state.options.coin_stage == "free":
        return of_all(tuple(sorted(coin_seats(state))), phase)
    if phase == Phase.ENDED:
        return OVER
    return chance(Phase.ROLL) if phase == Phase.ROLL else of_seat(state.to_act, phase)


def sample(state: State, rng: random.Random) -> Action:
    """Sanctions are sampled rarely."""
    quick = SAMPLERS.get(state.phase)
    if quick and (action := quick.sample(state, rng)):
        return action
    actions = list(GAME.legal(state))
    if rng.random() < 0.98:
        actions = [action for action in actions if action.verb != "sanction"]
    return actions[int(rng.random() * len(actions))]


def seat_refusal(state: State, seat: int) -> Refusal | None:
    if state.phase not in (Phase.NUMBER, Phase.SUIT) or seat not in state.sanctioned:
        return None
    text = say("{seat} may not vote until the next round", seat=Person(seat))
    return Refusal(Code.NOT_YOUR_TURN, "ICE-4.26", text, {"seat": seat})


def suggest(state: State, change: Change) -> Iterable[Action]:
    return (action for action in attempts(state, change) if GAME.refusal(state, action) is None)


def view(state: State, seat: int | None) -> State:
    """Covered votes are visible to their voters only (ICE-6)."""
    if state.phase not in (Phase.NUMBER, Phase.SUIT):
        return state
    votes = tuple(SEALED if vote and n != seat else vote for n, vote in enumerate(state.ballot.votes))
    return replace(state, ballot=replace(state.ballot, votes=votes))


def diagram(state: State) -> str:
    """The table, and the facts beside it: round, torch and scores."""
    scores = ", ".join(f"{suit.letter} {n}" for suit, n in zip(state.suits, state.scores, strict=True))
    torch = state.suits[state.torch].value
    return f"{Game.diagram(GAME, state)}\nround {state.round} ({state.phase}), torch: {torch}, scores: {scores}"


def fact_values(facts: Facts) -> dict[str, object]:
    """Reasons of a score: of pyramids (S-A 1) size and points, since the effect names the seat."""
    values = Game.fact_values(GAME, facts)
    parts = facts.get("for")
    return {**values, "for": [part.partition("-")[2] for part in parts]} if isinstance(parts, list) else values


GAME = Game(
    card=GameCard(
        id="ice_floe",
        name="IceFloe",
        seats=(3, 4),
        options_type=Options,
        turn_clause="ICE-4.1",
        turn_clauses={
            Phase.NUMBER: "ICE-4.12",
            Phase.NUMBER_COINS: "ICE-4.20",
            Phase.NUMBER_TIE: "ICE-4.23",
            Phase.SUIT: "ICE-4.15",
            Phase.SUIT_COINS: "ICE-4.20",
            Phase.SUIT_TIE: "ICE-4.23",
            Phase.EXPLODE: "ICE-4.27",
            Phase.BONUS: "ICE-4.28",
            Phase.SCORE: "ICE-4.30",
            Phase.WINNER: "ICE-5.4",
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
