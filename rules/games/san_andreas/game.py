"""San Andreas: found cities on a moving California, keep them near the coast (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, PhaseText, Seat, Turn, TurnKind
from rules.engine.action import HIDDEN_ARGUMENT
from rules.engine.argument_value import cell_label
from rules.engine.card import FIRST
from rules.engine.deed import Narration
from rules.engine.dice import write_dice
from rules.engine.turn import OVER, chance, of_seat
from rules.games.san_andreas.deeds.founding import Begin, Found, Pass, PlaceEpicenter
from rules.games.san_andreas.deeds.quake import outcome_of
from rules.games.san_andreas.deeds.scoring import Keep, Resolve, Reveal, Roll, Swap, Tell, begin_scoring
from rules.games.san_andreas.layout import diagram_of, layout_of
from rules.games.san_andreas.opening import Coin, Options, Phase, State, opening_state
from rules.games.san_andreas.position import read_position, read_shorthand
from rules.pieces import SUITS, Kind
from rules.table.change import Change

DEEDS = (Begin(), Found(), PlaceEpicenter(), Pass(), Roll(), Resolve(), Reveal(), Swap(), Keep(), Tell())
PHASES: dict[str, PhaseText] = {
    Phase.BEGIN: PhaseText("SAND-3.3", "say first who rolled highest and begins"),
    Phase.TURN: PhaseText("SAND-4.4", "a turn is one action: found a city, place an epicenter, or pass"),
    Phase.ROLL: PhaseText("SAND-5.1", "the fourth epicenter stands: the four dice are rolled now"),
    Phase.QUAKE: PhaseText("SAND-5.2", "the quake goes on: a die is resolved next"),
    Phase.SCORE: PhaseText("SAND-5.21", "the cities are scored: a coin is turned next"),
    Phase.SWAP: PhaseText("SAND-5.23", "the owner of the null chooses first: swap it or keep it"),
}


def roll_seen(state: State, change: Change) -> tuple[Action, ...]:
    tops = dict(zip(SUITS, state.dice, strict=True))
    seen = [placed.piece for placed in change.placed]
    tops |= {piece.suit: piece.rank for piece in seen if piece.kind is Kind.DIE and piece.suit}
    dice = [(suit, top) for suit in SUITS if (top := tops[suit]) is not None]
    return (Action("roll", (write_dice(dice),)),) if len(dice) == len(SUITS) else ()


def shakers(state: State, change: Change) -> list[Action]:
    """Dice whose tile lies elsewhere now; all remaining ones if there is none."""
    moved = {move.before.key for move in change.moved}
    stands = dict(zip(SUITS, state.pawns, strict=True))
    acting = [suit for suit in state.remaining if (pawn := stands[suit]) and pawn.tile in moved]
    return [Action("resolve", (suit.value,)) for suit in acting or state.remaining]


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase is Phase.OVER:
        return OVER
    if phase is Phase.SWAP:
        return of_seat(state.owner(state.cities[state.waiting[0]].coin.suit), phase.value)
    if phase in (Phase.BEGIN, Phase.SCORE):
        return chance(phase.value)
    return chance(phase.value, state.to_act) if phase is Phase.ROLL else of_seat(state.to_act, phase.value)


def view(state: State, seat: int | None) -> State:
    """Founders see their own values; others see visible ones, and with `show_known_values` earlier ones."""
    pending = state.waiting[0] if state.phase is Phase.SWAP else None
    cities = [
        city if index == pending else replace(city, coin=_seen_by(state, city.coin, seat))
        for index, city in enumerate(state.cities)
    ]
    return replace(state, cities=tuple(cities), ruins=tuple(_seen_by(state, ruin, seat) for ruin in state.ruins))


def _seen_by(state: State, known: Coin, seat: int | None) -> Coin:
    if seat == state.owner(known.suit) or (known.seen and state.options.show_known_values):
        return known
    return replace(known, value=None)


def redact(state: State, action: Action, seat: int | None) -> Action | None:
    """Only the founder sees an entered value (SAND-6.2)."""
    if action.verb != "tell" or seat == GAME.actor(state, action):
        return action
    return Action("tell", (action[0], HIDDEN_ARGUMENT), action.seat)


def suggest(state: State, change: Change) -> Iterable[Action]:
    if state.phase is Phase.QUAKE:
        return shakers(state, change)
    return roll_seen(state, change) if state.phase is Phase.ROLL else Game.suggest(GAME, state, change)


def position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    state = read_position(data, options, seats)
    if state.phase is not Phase.SCORE:
        return state
    scored = Narration(state)
    begin_scoring(scored)
    return scored.state


GAME = Game(
    card=GameCard(
        id="san_andreas",
        name="San Andreas",
        version=2,
        seats=(2, 3, 4),
        options_type=Options,
        turn_clause="SAND-4.4",
        turn_clauses={
            Phase.ROLL: "SAND-5.1",
            Phase.QUAKE: "SAND-5.2",
            Phase.SCORE: "SAND-5.21",
            Phase.SWAP: "SAND-5.23",
        },
        action_clause="SAND-4.4",
        default_seats=4,
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="23 tiles, the coins, pawns and dice of one piecepack, some pencils for the borders",
        hidden=True,
        designer="James Kyle",
        presets={FIRST: {"show_known_values": True}},
        minutes="45",
        summary="Found cities near the coast of California and let the quakes bury those of the others.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=position,
    deeds=DEEDS,
    phases=PHASES,
    by_tiles=True,
    seats_of=lambda state: state.seats,
    suggest=suggest,
    view=view,
    redact=redact,
    shorthand=read_shorthand,
    called=cell_label,
    diagram=diagram_of,
)
