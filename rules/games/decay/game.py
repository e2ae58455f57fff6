"""Decay: a board without a grid that the players build, tear apart and fight over (rulebook.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import (
    Action,
    Effect,
    EffectKind,
    Game,
    GameCard,
    Outcome,
    ParamKind,
    Refusal,
    Seat,
    Step,
    Turn,
    TurnKind,
)
from rules.engine.action import UNTOLD, verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.decay.checks import check
from rules.games.decay.choices import actions_of, random_action
from rules.games.decay.drawing import drawing_of
from rules.games.decay.hints import attempts, suggestions
from rules.games.decay.money import NOTHING
from rules.games.decay.opening import INDEX, LETTERS, Options, Phase, State, opening_state, piece_of
from rules.games.decay.picture import layout_of
from rules.games.decay.play import act
from rules.games.decay.positions import position_of
from rules.games.decay.telling import outcome_of
from rules.games.decay.turns import who_answers
from rules.pieces import parse_rank, parse_suit
from rules.table.change import Change
from rules.table.layout import Layout

_P = ParamKind
CARD = GameCard(
    id="decay",
    name="Decay",
    version=1,
    seats=(3, 4),
    options_type=Options,
    verbs=(
        verb("roll", "the {seat} die shows {face}", "DECAY-3.2", seat=_P.SUIT, face=_P.NUMBER),
        verb("create_tile", "lay {tile} at ({x}, {y})", "DECAY-3.3", tile=_P.PIECE, x=_P.NUMBER, y=_P.NUMBER),
        verb("pawn_step", "step to {to}, paying {pay}", "DECAY-4.3", to=_P.PLACE, pay="list?", toll="suit?"),
        verb("end_pawn_move", "the pawn stays here", "DECAY-4.11"),
        verb(
            "move_tile",
            "move {tile} to ({x}, {y}), paying {pay}",
            "DECAY-4.15",
            tile=_P.PIECE,
            pay=_P.LIST,
            x=_P.NUMBER,
            y=_P.NUMBER,
        ),
        verb("skip_tile", "move no tile", "DECAY-4.20"),
        verb("keep_section", "the part with {tile} stays", "DECAY-5.7", tile=_P.PIECE),
        verb("attack", "attack", "DECAY-8.13"),
        verb("waive_attack", "do not attack", "DECAY-8.13"),
        verb("take_coin", "take a {suit} coin from {victim}", "DECAY-5.16", victim=_P.SUIT, suit=_P.SUIT),
        verb("decline_coin", "take no coin from {victim}", "DECAY-8.13", victim=_P.SUIT),
        verb(
            "slide",
            "slide {tile} by {k} u, paying {pay}",
            "DECAY-2.17",
            tile=_P.PIECE,
            k=_P.NUMBER,
            pay=_P.SUIT,
        ),
        verb("end_turn", "end the turn", "DECAY-4.26"),
        verb("offer_draw", "offer a draw", "DECAY-5.20"),
        verb("accept_draw", "agree on a draw", "DECAY-5.20"),
        verb("decline_draw", "refuse the draw", "DECAY-5.20"),
        verb("resign", "give up", "DECAY-8.17"),
    ),
    turn_clause="DECAY-3.2",
    action_clause="DECAY-4.1",
    default_seats=4,
    turns=(TurnKind.CHANCE, TurnKind.SEAT),
    needs="one piecepack and a free table",
    designer="Robert Mundschau and Matt Heistad",
    minutes="30-60",
    summary="Tear the board apart, steal coins, and be the last pawn standing.",
)
_TOLD = (EffectKind.ATTACK, EffectKind.COLLAPSE, EffectKind.ELIMINATE, EffectKind.END)
_SHORT_TILE = re.compile(r"([A-Za-z][na0-5])\s*@\s*\(?\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*\)?\Z")


class Decay(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        if state.phase is Phase.OVER:
            return OVER
        if state.phase is Phase.ROLL:
            waiting = [seat for seat in state.contenders if state.rolls[seat] is None]
            return chance(state.phase.value, *waiting)
        who = who_answers(state) if state.phase is Phase.DRAW else state.to_act
        return of_seat(who, state.phase.value)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if seat is not None and seat not in self.turn(state).seats:
            return iter(())
        return actions_of(state)

    def exhaustive(self, state: State) -> bool:
        """Places with a small gap, and other payments for each of many places, are legal though not listed."""
        return state.phase not in (Phase.CREATE, Phase.TILE)

    def sample(self, state: State, rng: random.Random) -> Action:
        return random_action(state, rng)

    def check(self, state: State, action: Action) -> Refusal | None:
        return check(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        telling = act(state, action)
        return Step(telling.state, tuple(telling.effects))

    def preview(self, state: State, action: Action) -> tuple[Effect, ...]:
        """What an action not yet made would bring: who is attacked with which sums, what falls off, who dies.
        Empty for what is not legal."""
        if self.refusal(state, action):
            return ()
        return tuple(effect for effect in self.apply(state, action).effects if effect.kind in _TOLD)

    def layout(self, state: State) -> Layout:
        return layout_of(state)

    def outcome(self, state: State) -> Outcome:
        return outcome_of(state)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        return suggestions(state, change)

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        """What may have been tried on the table, legal or not; `refusal` says what is wrong with it."""
        return attempts(state, change)

    def view(self, state: State, seat: int | None) -> State:
        """With closed hands a seat sees of the others only how many coins they hold."""
        if state.options.hands_open:
            return state
        own = None if seat is None else state.purse(seat)
        hands = tuple(coins if purse == own else (0, 0, 0, 0, sum(coins)) for purse, coins in enumerate(state.hands))
        return replace(state, hands=hands)

    def redact(self, state: State, action: Action, seat: int | None) -> Action | None:
        """With closed hands only the two purses that it concerns know which coin was taken (DECAY-8.1)."""
        if action.verb != "take_coin" or state.options.hands_open:
            return action
        victim = state.suits.index(LETTERS.index(action[0]))
        own = None if seat is None else state.purse(seat)
        if own in (state.purse(victim), state.purse(state.to_act)):
            return action
        return Action("take_coin", (action[0], UNTOLD), action.seat)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return position_of(data, options, seats)

    def describe(self, action: Action) -> str:
        text = super().describe(action)
        if action.verb in ("pawn_step", "move_tile"):
            text = text.replace(f"paying {NOTHING}", "for free")
        toll = action.args[2] if action.verb == "pawn_step" and len(action.args) > 2 else ""
        return f"{text}, toll {toll}" if toll else text

    def touches(self, action: Action) -> tuple[str, ...]:
        """A tile that is still in a hand has no place to be named by: it goes by its code."""
        if action.verb == "create_tile" and action[0] in INDEX:
            return (piece_of(INDEX[action[0]]).code,)
        return super().touches(action)

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "S4@(16,4)" lays a tile while the board is built; "end" and "skip" pass on; a suit's name for its letter."""
        match = _SHORT_TILE.match(text)
        if match and state.phase is Phase.CREATE:
            return Action("create_tile", (_tile_name(match[1]), match[2], match[3]))
        if text in ("end", "skip", "pass"):
            return _PASSES.get(state.phase)
        return None

    def diagram(self, state: State) -> str:
        return drawing_of(state)


_PASSES = {
    Phase.PAWN: Action("end_pawn_move"),
    Phase.TILE: Action("skip_tile"),
    Phase.SLIDE: Action("end_turn"),
}


def _tile_name(text: str) -> str:
    return parse_suit(text[0]).letter + parse_rank(text[1]).letter


GAME = Decay()
