"""Four Blind Mice: who sees the shortest route of a sliding mouse to its cheese (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, PhaseText, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.positions import playable
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.games.four_blind_mice.deeds.bidding import (
    CLOSE,
    DISCARD,
    HIGH_BID,
    CloseBids,
    Discard,
    MakeBid,
    Reveal,
    TimeUp,
    Uncover,
)
from rules.games.four_blind_mice.deeds.running import FAIL, SLIDE, Fail, Replace
from rules.games.four_blind_mice.deeds.setting_up import PlaceCheese, PlaceMouse, Restart, Roll
from rules.games.four_blind_mice.layout import layout_of
from rules.games.four_blind_mice.opening import CELL_OF, DIRECTIONS, MAX_SEATS, Options, Phase, State, opening_state
from rules.games.four_blind_mice.position import read_position, read_shorthand
from rules.games.four_blind_mice.rounds import bidders, outcome_of
from rules.games.four_blind_mice.slides import slide, slide_action
from rules.pieces import SUITS, Kind
from rules.table.change import Change

DEEDS = (
    Uncover(), Reveal(), MakeBid(), CloseBids(), SLIDE, Fail(), Discard(), PlaceCheese(), PlaceMouse(), Replace(),
    Restart(), TimeUp(), Roll(),
)  # fmt: skip
_THINKING = PhaseText("MICE-4.2", "now everybody thinks and bids; the mice stand still")
PHASES: dict[str, PhaseText] = {
    Phase.ROLL: PhaseText("MICE-3.3", "first the dice decide who begins"),
    Phase.PLACE_CHEESE: PhaseText("MICE-3.3", "first all eight cheeses are placed"),
    Phase.PLACE_MICE: PhaseText("MICE-3.4", "first the four mice are placed"),
    Phase.CHOOSE: PhaseText("MICE-4.1", "now a cheese is chosen and uncovered"),
    Phase.REVEAL: PhaseText("MICE-4.1", "first say which suit the coin shows"),
    "think": _THINKING,
    "bid": _THINKING,
    Phase.ATTEMPT: PhaseText("MICE-4.4", "now the mice are moved"),
    Phase.REPLACE: PhaseText("MICE-9.1", "first the cheese that was won goes back onto the board"),
}


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Every slide that ends at the present place of a mouse, legal or not."""
    if state.phase is not Phase.ATTEMPT:
        return
    for move in change.moved:
        piece = move.before.piece
        if piece.kind is not Kind.PAWN or piece.suit is None:
            continue
        mouse, cell = SUITS.index(piece.suit), CELL_OF.get(move.after.place)
        if state.mice[mouse] not in (None, cell):
            for direction in DIRECTIONS:
                if slide(state, mouse, direction).stop == cell:
                    yield slide_action(mouse, direction)


_GIVE_UP = 0.08
_GUESSES = 12


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase is Phase.BID:
        return of_all(bidders(state), "think" if state.first_bid is None else "bid")
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in (Phase.ROLL, Phase.REVEAL) else of_seat(state.to_act, phase.value)


def sample(state: State, rng: random.Random) -> Action:
    """Random players usually bid, and usually end the round soon."""
    if state.phase is Phase.BID:
        open_seats = [seat for seat in bidders(state) if state.bids[seat] is None]
        if not open_seats or rng.random() < 0.25:
            return DISCARD if state.first_bid is None else CLOSE
        return Action("bid", (str(rng.randint(3, HIGH_BID)),), rng.choice(open_seats))
    if state.phase is Phase.ATTEMPT and rng.random() > _GIVE_UP:
        return _sample_slide(state, rng) or FAIL
    found = list(GAME.legal(state))
    return found[int(rng.random() * len(found))]


def _sample_slide(state: State, rng: random.Random) -> Action | None:
    """Random trials find a legal slide faster than a listing of all."""
    for _ in range(_GUESSES):
        action = slide_action(int(rng.random() * 4), DIRECTIONS[int(rng.random() * 4)])
        if SLIDE.check(state, action) is None:
            return action
    return None


def view(state: State, _seat: int | None) -> State:
    """Hides the suits of covered cheeses, which the state knows on a given board."""
    if all(cheese.public or cheese.suit is None for cheese in state.cheeses):
        return state
    cheeses = tuple(c if c.public else replace(c, suit=None) for c in state.cheeses)
    return replace(state, cheeses=cheeses, options=replace(state.options, board=""))


def position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    return playable(GAME, read_position(data, options, seats))


GAME = Game(
    card=GameCard(
        id="four_blind_mice",
        name="Four Blind Mice",
        seats=tuple(range(1, MAX_SEATS + 1)),
        options_type=Options,
        turn_clause="MICE-4.2",
        turn_clauses={
            Phase.PLACE_CHEESE: "MICE-3.3",
            Phase.PLACE_MICE: "MICE-3.4",
            Phase.CHOOSE: "MICE-4.1",
            Phase.REVEAL: "MICE-4.1",
            Phase.ATTEMPT: "MICE-4.3",
            Phase.REPLACE: "MICE-9.1",
        },
        action_clause="MICE-4.4",
        seat_suits=(),
        turns=(TurnKind.SEAT, TurnKind.CHANCE, TurnKind.ALL),
        needs="16 tiles, the null and ace coins, four pawns, a one-minute timer",
        hidden=True,
        designer="Tim Farley, after a concept by Alex Randolph",
        presets={FIRST: {"goal": 2}, OLD_HANDS: {"exact": True, "count": "slides+turns"}},
        minutes="30-60",
        summary="See the shortest route by which a sliding mouse gets to its cheese, bid, and prove it.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=position,
    deeds=DEEDS,
    phases=PHASES,
    seats_of=lambda state: state.players,
    sample=sample,
    attempts=attempts,
    view=view,
    shorthand=read_shorthand,
)
