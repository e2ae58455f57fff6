"""Tula: take a temple of tiles down, each tile matching the one before; a solitaire (rulebook.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.tula import taking
from rules.games.tula.checks import CHECKS
from rules.games.tula.opening import Options, State, hidden, opening_state, read_tile
from rules.games.tula.position import read_position
from rules.games.tula.story import outcome, story
from rules.games.tula.table import lay_out, sketch
from rules.games.tula.temple import bits, temple
from rules.pieces import Piece
from rules.table.layout import Layout

_PLACE = ParamKind.PLACE
CARD = GameCard(
    id="tula",
    name="Tula",
    version=1,
    seats=(1,),
    options_type=Options,
    verbs=(
        verb("start", "take the top tile as the first of the stack", "TULA-4.1"),
        verb("reveal", "turn the tile on {place}", "TULA-4.2", place=_PLACE),
        verb("show", "{place} shows {tile}", "TULA-4.2", place=_PLACE, tile=ParamKind.PIECE),
        verb("remove", "take the tile on {place} {end}", "TULA-4.3", place=_PLACE, end="word?"),
        verb("exchange", "exchange the stack for the tile on {place}", "TULA-4.4", place=_PLACE),
        verb("demerit", "bring the bottom tile of the stack to its top", "TULA-9.4"),
    ),
    turn_clause="TULA-4.5",
    action_clause="TULA-4.5",
    default_seats=1,
    seat_suits=(),
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="24 tiles; 48 (two piecepacks) for the variants 2 to 4",
    designer="James Kyle, further temples by Tim Schutz",
    minutes="10",
    summary="Take the temple down: every tile must match the one before in suit or value.",
)
_PLAYER, _REVEAL = of_seat(0, "take"), chance("reveal", 0)


class Tula(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        if state.end:
            return OVER
        return _REVEAL if taking.chances(state) else _PLAYER

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.end or seat not in (None, 0):
            return iter(())
        if taking.chances(state):
            return _shows(state)
        if taking.can_demerit(state):
            return iter([Action("demerit")])
        return taking.plain_actions(state)

    def sample(self, state: State, rng: random.Random) -> Action:
        places = list(bits(taking.chances(state)))
        if places:
            place = rng.choice(places)
            piece = state.deal[state.lies[place]] if state.deal else rng.choice(hidden(state))
            return _show(state, place, piece)
        found = list(self.legal(state))
        return found[int(rng.random() * len(found))]

    def check(self, state: State, action: Action) -> Refusal | None:
        return CHECKS[action.verb](state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(story(state, action, after)))

    def advance(self, state: State, action: Action) -> State:
        return taking.play(state, action)

    def layout(self, state: State) -> Layout:
        return lay_out(state)

    def diagram(self, state: State) -> str:
        return sketch(state)

    def view(self, state: State, seat: int | None) -> State:
        """Nobody knows a prepared deal before it is turned up."""
        return replace(state, deal=(), options=replace(state.options, tiles="")) if state.deal else state

    def outcome(self, state: State) -> Outcome:
        return outcome(state)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: gone or present (places), face_up (tiles by place), stack (tiles), mercy_used, demerits, pending."""
        return read_position(data, opening_state(options))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "reveal 3:(3,5)" as the rulebook writes places; a tile alone ("S3") is what has been turned."""
        plain = text.translate(_PLAIN_PLACES)
        words = plain.split()
        if len(words) == 2 and words[0] in self.verbs and _PLACE_NAME.match(words[1]):
            return Action(words[0], (words[1],))
        if len(words) != 1 or state.pending is None:
            return None
        try:
            return _show(state, state.pending, read_tile(words[0]))
        except ValueError:
            return None


_PLACE_NAME = re.compile(r"\d{1,2}:\d{1,2}-\d{1,2}\Z")
_PLAIN_PLACES = str.maketrans({"(": "", ")": "", ",": "-"})


def _shows(state: State) -> Iterator[Action]:
    """What a tile that is being turned may show."""
    anything = list(dict.fromkeys(hidden(state)))
    for place in bits(taking.chances(state)):
        pieces = [state.deal[state.lies[place]]] if state.deal else anything
        yield from (_show(state, place, piece) for piece in pieces)


def _show(state: State, place: int, piece: Piece) -> Action:
    return Action("show", (temple(state.options.setup).names[place], piece.code))


GAME = Tula()
