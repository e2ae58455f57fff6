"""Delegate Dash: four candidates, five rounds of caucuses and a convention (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine import Action, Game, GameCard, PhaseText, Turn, TurnKind
from rules.engine.argument_value import one_of
from rules.engine.refusal import Facts
from rules.engine.turn import OVER, chance, of_seat
from rules.games.delegate_dash.chart import CANDIDATES, REGION_SUITS
from rules.games.delegate_dash.deeds.common import holdings, outcome_of
from rules.games.delegate_dash.deeds.convention import Shed
from rules.games.delegate_dash.deeds.dice import Deal, Roll, Throw
from rules.games.delegate_dash.deeds.moving import Done, Move, Stay, Surrender
from rules.games.delegate_dash.deeds.rounds import OpenCaucus, Reveal, Take
from rules.games.delegate_dash.layout import layout_of
from rules.games.delegate_dash.opening import CHANCE_PHASES, Options, Phase, State, opening_state
from rules.games.delegate_dash.position import read_position, read_shorthand
from rules.games.delegate_dash.reading import attempts, readings
from rules.table.change import Change

DEEDS = (
    Deal(), Roll(), Reveal(), Throw(), Stay(), Move(), Surrender(), Done(), OpenCaucus(), Take(), Shed(),
)  # fmt: skip
PHASES = {
    Phase.DEAL.value: PhaseText("", "that is not possible now: the states are laid out"),
    Phase.SCATTER.value: PhaseText(
        "", "that is not possible now: all four dice are rolled and a coin of each suit is placed"
    ),
    Phase.REVEAL.value: PhaseText("", "that is not possible now: the coins on this round's states are turned over"),
    Phase.ROLL.value: PhaseText("", "that is not possible now: all four dice are rolled for the order of moves"),
    Phase.MOVE.value: PhaseText("", "that is not possible now: a candidate moves"),
    Phase.AFTER.value: PhaseText(
        "", "that is not possible now: a candidate who has moved may surrender a marker or is done"
    ),
    Phase.REROLL.value: PhaseText("", "that is not possible now: the candidate who surrendered a marker rolls again"),
    Phase.CAUCUS.value: PhaseText("", "that is not possible now: the holder of the dice says which caucus comes next"),
    Phase.VOTE.value: PhaseText("", "that is not possible now: the candidates at a caucus roll their dice"),
    Phase.TAKE.value: PhaseText("", "that is not possible now: markers are taken"),
    Phase.SHED.value: PhaseText("", "that is not possible now: a candidate who is tied for last gives up a region"),
    Phase.DROP.value: PhaseText(
        "", "that is not possible now: those who are last without a marker roll for who is out"
    ),
    Phase.SHARE.value: PhaseText(
        "", "that is not possible now: dice are rolled for the uncommitted markers of a region"
    ),
    Phase.LEGISLATURE.value: PhaseText("", "that is not possible now: the dice decide between 304 and 304"),
}


def turn_of(state: State) -> Turn:
    if state.phase is Phase.OVER:
        return OVER
    if state.phase in CHANCE_PHASES:
        return chance(state.phase.value)
    return of_seat(state.seat_for(_acting_candidate(state)), state.phase.value)


def _acting_candidate(state: State) -> int:
    if state.phase is Phase.TAKE:
        return state.takers[0]
    if state.phase is Phase.SHED:
        return state.shedders[0]
    return state.holder if state.phase is Phase.CAUCUS else state.order[0]


def turn_clause(state: State, turn: Turn) -> str:
    if state.phase is Phase.TAKE and not state.campaigning:
        return "DASH-5.4"
    return Game.turn_clause(GAME, state, turn)


def suggest(state: State, change: Change) -> Iterable[Action]:
    return readings(GAME, state, change)


def diagram(state: State) -> str:
    """The table, then the holdings of every candidate."""
    return "\n".join([Game.diagram(GAME, state), *holdings(state)])


def describe(action: Action) -> str:
    """Candidates are said by name: North takes the 5 of arms coin."""
    words = Game.describe(GAME, action)
    return words[:1].upper() + words[1:] if words.partition(" ")[0] in CANDIDATES else words


def fact_values(facts: Facts) -> dict[str, object]:
    """Candidates are named by the side of the board: General West."""
    values, who = Game.fact_values(GAME, facts), facts.get("candidate")
    if not isinstance(who, str):
        return values
    side = one_of("side")(who.rpartition(" ")[2].lower())
    return {**values, "candidate": replace(side, called=who).to_json()}


GAME = Game(
    card=GameCard(
        id="delegate_dash",
        name="Delegate Dash",
        seats=(1, 2, 3, 4),
        options_type=Options,
        turn_clause="DASH-4.3",
        turn_clauses={
            Phase.AFTER: "DASH-4.6",
            Phase.CAUCUS: "DASH-8.4",
            Phase.TAKE: "DASH-4.8",
            Phase.SHED: "DASH-5.3",
        },
        action_clause="DASH-4.1",
        seat_suits=REGION_SUITS,
        turns=(TurnKind.CHANCE, TurnKind.SEAT),
        needs="one piecepack",
        designer="Chrystal and Glenn Overby",
        minutes="30",
        summary="Campaign from state to state for delegates and survive the convention.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    seats_of=lambda state: 1 + max(seat for seat in state.players if seat is not None),
    turn_clause=turn_clause,
    suggest=suggest,
    attempts=attempts,
    shorthand=read_shorthand,
    describe=describe,
    diagram=diagram,
    fact_values=fact_values,
)
