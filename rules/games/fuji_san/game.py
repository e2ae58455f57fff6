"""Fuji-San: four priests climb a mountain of coins; a solitaire (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.fuji_san import climbing, turning
from rules.games.fuji_san.checks import CHECKS
from rules.games.fuji_san.mountain import GROUND, INDEX, PRESETS, STEP_SUITS, read_layout, write_layout
from rules.games.fuji_san.opening import Options, State, opening_state
from rules.games.fuji_san.position import read_position
from rules.games.fuji_san.story import END_CLAUSES, REASONS, story
from rules.games.fuji_san.table import dealt, lay_out, rolled
from rules.pieces import SUITS
from rules.table.change import Change
from rules.table.layout import Layout

_PLACE = ParamKind.PLACE
_NUMBER = ParamKind.NUMBER
CARD = GameCard(
    id="fuji_san",
    name="Fuji-San",
    version=1,
    seats=(1,),
    options_type=Options,
    verbs=(
        verb("deal", "the coins are turned: {layout}", "FUJI-3.2", layout=ParamKind.WORD),
        verb(
            "roll",
            "the dice show suns {suns}, moons {moons}, crowns {crowns}, arms {arms}",
            "FUJI-3.6",
            suns=_NUMBER,
            moons=_NUMBER,
            crowns=_NUMBER,
            arms=_NUMBER,
        ),
        verb("rescue", "the {suit} priest follows its die", "FUJI-3.6", suit=ParamKind.SUIT),
        verb("climb", "{from_} to {to}", "FUJI-4.1", from_=_PLACE, to=_PLACE),
        verb("side", "{from_} sideways {to}", "FUJI-4.2", from_=_PLACE, to=f"{_PLACE}?"),
        verb("cross", "{from_} across the summit {to}", "FUJI-4.3", from_=_PLACE, to=f"{_PLACE}?"),
        verb(
            "carry",
            "carry the summit coins down: g2 to {g2}, g1 to {g1}, h2 to {h2}, h1 to {h1}",
            "FUJI-9.4",
            g2=_PLACE,
            g1=_PLACE,
            h2=_PLACE,
            h1=_PLACE,
        ),
    ),
    turn_clause="FUJI-4.7",
    action_clause="FUJI-4.7",
    default_seats=1,
    seat_suits=(),
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="24 tiles, 24 coins, four pawns, four dice",
    designer="James Kyle (Droscha)",
    minutes="10",
    summary="Bring all four priests to the top of the mountain.",
)
_DEAL, _ROLL = chance("deal", 0), chance("roll", 0)


class FujiSan(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        state = opening_state(options)
        return turning.begin(state) if state.values else state

    def turn(self, state: State) -> Turn:
        if state.end:
            return OVER
        if state.phase in ("deal", "roll"):
            return _DEAL if state.phase == "deal" else _ROLL
        return of_seat(0, state.phase)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.end or seat not in (None, 0):
            return iter(())
        if state.phase in ("ascent", "descent"):
            return iter(climbing.moves(state))
        return _preparations(state.phase)

    def exhaustive(self, state: State) -> bool:
        """Deals are too many to list; the four presets stand for them."""
        return state.phase != "deal"

    def sample(self, state: State, rng: random.Random) -> Action:
        if state.phase == "deal":
            return Action("deal", (_shuffled(rng),))
        if state.phase == "roll":
            return Action("roll", tuple(str(rng.randrange(6)) for _ in SUITS))
        found = list(self.legal(state))
        return found[int(rng.random() * len(found))]

    def check(self, state: State, action: Action) -> Refusal | None:
        return CHECKS[action.verb](state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(story(state, action, after)))

    def advance(self, state: State, action: Action) -> State:
        return turning.play(state, action)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        """A deal and a roll are read from the table; there are too many to try."""
        if state.phase not in ("deal", "roll"):
            return super().suggest(state, change)
        seen = [*change.added, *(move.after for move in change.moved)]
        read = dealt(seen) if state.phase == "deal" else rolled(seen)
        return [] if read is None else [Action(state.phase, read)]

    def layout(self, state: State) -> Layout:
        return lay_out(state)

    def outcome(self, state: State) -> Outcome:
        if not state.end:
            return Outcome(scores=(state.moves,))
        winners = (0,) if state.end in ("summit", "down") else ()
        reason = REASONS[state.end].format(moves=state.moves)
        return Outcome(True, winners, (state.moves,), reason, END_CLAUSES[state.end])

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: layout, priests (places), phase, dice, foot, moves."""
        return read_position(data, opening_state(options))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "a1-e1" is a climb, a sidestep or a crossing, as the places lie; 24 values are a deal."""
        words = text.lower().replace("-", " ").split()
        if len(words) == 2 and all(word in INDEX for word in words):
            return Action(_verb_between(*words), tuple(words))
        if words == ["carry"]:
            return turning.DEFAULT_CARRY
        try:
            return Action("deal", (write_layout(read_layout(text)),)) if len(text) < 60 else None
        except ValueError:
            return None


def _verb_between(source: str, target: str) -> str:
    if source[0] == target[0]:
        return "side"
    return "cross" if {source[0], target[0]} == {"g", "h"} and source[1] == target[1] else "climb"


def _preparations(phase: str) -> Iterator[Action]:
    if phase == "deal":
        return (Action("deal", (layout,)) for layout in PRESETS.values())
    if phase == "roll":
        return (Action("roll", numbers) for numbers in product("012345", repeat=4))
    if phase == "rescue":
        return (Action("rescue", (suit.value,)) for suit in SUITS)
    return (Action("carry", places) for places in permutations(GROUND))


def _shuffled(rng: random.Random) -> str:
    piles = {suit: rng.sample(range(6), 6) for suit in SUITS}
    return write_layout(tuple(piles[suit].pop() for suit in STEP_SUITS * 2))


GAME = FujiSan()
