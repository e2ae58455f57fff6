"""Global Warming: an island sinks tile by tile; the last pawn on it wins (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.games.global_warming import board, checks, choices, play, suggest
from rules.games.global_warming.cells import COMPASS, read_cell
from rules.games.global_warming.danger import danger
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
from rules.games.global_warming.position import read_position
from rules.games.global_warming.story import story
from rules.games.global_warming.words import describe, picture
from rules.table.change import Change
from rules.table.layout import Layout

_P = ParamKind
CARD = GameCard(
    id="global_warming",
    name="Global Warming",
    version=1,
    seats=(2, 3, 4),
    options_type=Options,
    verbs=(
        verb("deal_island", "the tiles are turned up", "GW-3.1", tiles=_P.LIST),
        verb("draw_start", "draw {coin} for the first place", "GW-3.3", coin=_P.LIST),
        verb("open_line", "lay the line {coins}", "GW-3.6", coins=_P.LIST),
        verb("set_handler", "seat {seat} draws the coins", "GW-3.5", seat=_P.SEAT),
        verb("commit", "set the {die} die to {face}", "GW-4.1", die=_P.SUIT, face=_P.RANK),
        verb("reveal", "uncover the dice: {faces}", "GW-4.3", faces=_P.LIST),
        verb("move_pawns", "move pawns: {steps}", "GW-4.5", steps=_P.LIST),
        verb("arrange", "move pawns to {targets}", "GW-4.5", targets=_P.LIST),
        verb("move_tile", "move the tile on {from_} to {to}", "GW-4.9", from_=_P.PLACE, to=_P.PLACE),
        verb("decline", "leave the tiles as they are", "GW-R2"),
        verb(
            "sink",
            "new coin {new}, the left coin shows {revealed}",
            "GW-4.12",
            new=_P.PIECE,
            revealed=_P.PIECE,
        ),
        verb("resign", "give up", "GW-R14"),
    ),
    turn_clause="GW-4.4",
    turn_clauses={SELECT: "GW-4.1", SINK: "GW-4.12"},
    action_clause="GW-4.5",
    default_seats=4,
    turns=(TurnKind.CHANCE, TurnKind.ALL, TurnKind.SEAT),
    needs="one piecepack and a bag",
    hidden=True,
    designer="Mark Biggar, Aron Wall and Gloria Wall",
    minutes="20",
    summary="Be the last one on a sinking island: secret dice move pawns and tiles, half-seen coins tell what sinks.",
)


class GlobalWarming(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        if state.phase == SELECT:
            return of_all(choices.still_choosing(state), SELECT)
        if state.phase == ACTIONS:
            return of_seat(state.owners[state.order[0]], ACTIONS)
        if state.phase == ENDED:
            return OVER
        if state.phase == START:
            return chance(START, state.owners[state.pawns.index("")])
        return chance(state.phase) if state.phase == DEAL else chance(state.phase, state.handler)

    def exhaustive(self, state: State) -> bool:
        """Not where many dice, coins or ways to spend the steps come to the same."""
        if state.phase == ACTIONS:
            return state.faces[state.order[0]] == "n"
        return state.phase not in (DEAL, START, SELECT)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        turn = self.turn(state)
        if seat is not None and turn.seats and seat not in turn.seats:
            return ()
        return choices.LEGAL[state.phase](state, seat)

    def sample(self, state: State, rng: random.Random) -> Action:
        return choices.SAMPLE[state.phase](state, rng)

    def check(self, state: State, action: Action) -> Refusal | None:
        return checks.check(state, action, self._seat(state, action))

    def _seat(self, state: State, action: Action) -> int | None:
        if action.seat is not None:
            return action.seat
        turn = self.turn(state)
        return turn.seats[0] if len(turn.seats) == 1 else None

    def is_common(self, action: Action) -> bool:
        """What is seen on the table has no actor."""
        return action.verb in ("reveal", "set_handler")

    def advance(self, state: State, action: Action) -> State:
        if action.verb == "resign":
            seat = self._seat(state, action)
            assert seat is not None
            return play.resign(state, seat)
        return play.DO[action.verb](state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(story(state, action, after, self._seat(state, action))))

    def layout(self, state: State) -> Layout:
        return board.layout(state)

    def describe(self, action: Action) -> str:
        return describe(action) or super().describe(action)

    def diagram(self, state: State) -> str:
        return picture(state)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        return (action for action in suggest.suggest(state, change) if self.refusal(state, action) is None)

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        """What somebody may have tried, also against the rules: for the refusal to say why it cannot be."""
        return suggest.suggest(state, change)

    def touches(self, action: Action) -> tuple[str, ...]:
        """Also the pawns and cells of a list of steps."""
        if action.verb in ("move_pawns", "arrange") and action.args:
            items = play.split(action[0])
            pawns = {f"p{item[0]}" for item in items if item}
            return (*sorted(pawns), *(item[2:] for item in items if ">" in item))
        return super().touches(action)

    def view(self, state: State, seat: int | None) -> State:
        """Covered dice of others are sealed; what the line betrays is worked out for everybody (GW-6)."""
        faces = state.faces
        if state.phase == SELECT:
            faces = tuple(
                SEALED if face and owner != seat else face for owner, face in zip(state.owners, faces, strict=True)
            )
        return replace(state, faces=faces, danger=danger(state.line, state.sunk) if state.line else ())

    def outcome(self, state: State) -> Outcome:
        if state.phase != ENDED:
            return Outcome()
        winners = tuple(state.survivors)
        left = ", ".join(state.suits[index].value for index in state.alive) or "nobody"
        return Outcome(True, winners, (), f"only {left} is left on the island", "GW-5.3")

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, seats)

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "0/0-2/2" moves a tile, "SE SN" moves pawns, a bare face is no action: it needs its die."""
        words = text.replace(" - ", " ").split()
        if len(words) == 1 and text.count("-") and "/" in text:
            words = _two_cells(text)
        if len(words) == 2 and all("/" in word for word in words):
            try:
                return Action("move_tile", (read_cell(words[0]), read_cell(words[1])))
            except ValueError:
                return None
        letters = {suit.letter for suit in state.suits}
        if words and all(len(w) == 2 and w[0] in letters and w[1] in COMPASS for w in words):
            return Action("move_pawns", ("+".join(words),))
        return None


def _two_cells(text: str) -> list[str]:
    """ "0/0--1/1" has a minus after the dash."""
    middle = text.find("-", text.find("/") + 2)
    return [text[:middle], text[middle + 1 :]] if middle > 0 else [text]


GAME = GlobalWarming()
