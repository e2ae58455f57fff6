"""Four Blind Mice: who sees the shortest route of a sliding mouse to its cheese (rulebook.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import parse_action, verb
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.games.four_blind_mice import actions, checks, choices
from rules.games.four_blind_mice.geometry import DIRECTIONS, NAMES, WORDS, position_of
from rules.games.four_blind_mice.opening import MAX_SEATS, Cheese, Options, Phase, State, Where, opening_state
from rules.games.four_blind_mice.position import read_position
from rules.games.four_blind_mice.story import outcome_of, story
from rules.pieces import SUITS, Face, coin, die, parse_rank, parse_suit, pawn
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

CARD = GameCard(
    id="four_blind_mice",
    name="Four Blind Mice",
    version=1,
    seats=tuple(range(1, MAX_SEATS + 1)),
    options_type=Options,
    verbs=(
        verb("uncover", "turn the cheese on {space}", "MICE-4.1", space=ParamKind.PLACE),
        verb("reveal", "the coin shows {suit}", "MICE-4.1", suit=ParamKind.SUIT),
        verb("bid", "bid {moves} moves", "MICE-4.2", moves=ParamKind.NUMBER, seconds="number?"),
        verb("close_bids", "the minute is over", "MICE-4.3", seconds="number?"),
        verb("slide", "{mouse} runs {direction}", "MICE-4.4", mouse=ParamKind.PIECE, direction=ParamKind.WORD),
        verb("fail", "give up and put the mice back", "MICE-4.10"),
        verb("discard", "take the cheese away", "MICE-4.11"),
        verb(
            "place_cheese",
            "place a {value} on {space}",
            "MICE-3.3",
            value=ParamKind.RANK,
            space=ParamKind.PLACE,
        ),
        verb(
            "place_mouse",
            "place {mouse} on {space}",
            "MICE-3.4",
            mouse=ParamKind.PIECE,
            space=ParamKind.PLACE,
        ),
        verb("replace", "put the cheese back on {space}", "MICE-9.1", space=ParamKind.PLACE),
        verb("restart", "begin again, because nothing can be placed", "MICE-8.10"),
        verb("time_up", "the time is up", "MICE-5.1"),
        verb("roll", "roll {dice} for the first turn", "MICE-3.3", dice=ParamKind.LIST),
    ),
    turn_clause="MICE-4.2",
    action_clause="MICE-4.4",
    seat_suits=(),
    turns=(TurnKind.SEAT, TurnKind.CHANCE, TurnKind.ALL),
    needs="16 tiles, the null and ace coins, four pawns, a one-minute timer",
    hidden=True,
    designer="Tim Farley, after a concept by Alex Randolph",
    minutes="30-60",
    summary="See the shortest route by which a sliding mouse gets to its cheese, bid, and prove it.",
)

_GIVE_UP = 0.08
_GUESSES = 12
_COMMON = frozenset({"close_bids", "discard", "time_up"})


@cache
def _seat_turn(seat: int, phase: str) -> Turn:
    return of_seat(seat, phase)


class FourBlindMice(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        phase = state.phase
        if phase is Phase.BID:
            return of_all(choices.bidders(state), "think" if state.first_bid is None else "bid")
        if phase is Phase.OVER:
            return OVER
        if phase in (Phase.ROLL, Phase.REVEAL):
            return chance(phase.value)
        return _seat_turn(state.to_act, phase.value)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        found = choices.legal_actions(state)
        if seat is None:
            return found
        mine = seat in self.turn(state).seats or not self.turn(state).seats
        return (action for action in found if action.verb in _COMMON or (mine and action.seat in (None, seat)))

    def exhaustive(self, state: State) -> bool:
        """Higher bids, and bids with their time, are allowed as well."""
        return state.phase is not Phase.BID

    def is_common(self, action: Action) -> bool:
        """The timer, the long silence and the agreed end belong to nobody."""
        return action.verb in _COMMON

    def sample(self, state: State, rng: random.Random) -> Action:
        """At luck's table somebody mostly bids, and mostly ends the round soon."""
        if state.phase is Phase.BID:
            return _sample_bid(state, rng)
        if state.phase is Phase.ATTEMPT and rng.random() > _GIVE_UP:
            return _sample_slide(state, rng) or choices.FAIL
        found = list(choices.legal_actions(state))
        return found[int(rng.random() * len(found))]

    def check(self, state: State, action: Action) -> Refusal | None:
        return checks.check(state, action)

    def advance(self, state: State, action: Action) -> State:
        return actions.advance(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = actions.advance(state, action)
        return Step(after, tuple(story(state, action, after)))

    def view(self, state: State, seat: int | None) -> State:
        """Nobody sees the suit of a covered cheese, even where the state has it (a laid board)."""
        if all(cheese.public or cheese.suit is None for cheese in state.cheeses):
            return state
        cheeses = tuple(c if c.public else replace(c, suit=None) for c in state.cheeses)
        return replace(state, cheeses=cheeses, options=replace(state.options, board=""))

    def layout(self, state: State) -> Layout:
        build = LayoutBuilder()
        build.grid_of_backs(8, 8)
        for number, cheese in enumerate(state.cheeses):
            _lay_cheese(build, number, cheese, uncovered=number == state.target and state.phase is not Phase.REVEAL)
        if state.options.markers:
            _lay_markers(build, state)
        _lay_mice(build, state)
        return build.layout()

    def outcome(self, state: State) -> Outcome:
        return outcome_of(state)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, seats)

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "S N" or "S E b2-d2": the suns mouse runs; "c3" is the cheese to turn or the place to put it back."""
        words = text.split()
        if len(words) == 1 and text in NAMES:
            verbs = {Phase.CHOOSE: "uncover", Phase.REPLACE: "replace"}
            return Action(verbs[state.phase], (text,)) if state.phase in verbs else None
        if len(words) in (2, 3) and words[1] in tuple(DIRECTIONS) and words[0] in _LETTERS:
            return Action("slide", (f"p{words[0]}", words[1]))
        return _other_spelling(text)

    def describe(self, action: Action) -> str:
        if action.verb == "slide" and len(action.args) == 2 and action[1] in WORDS:
            return f"the {_mouse_word(action[0])} mouse runs {WORDS[action[1]]}"
        return super().describe(action)


_LETTERS = tuple(suit.letter for suit in SUITS)
_SPELLED = re.compile(r"(slide|place_mouse|place_cheese|reveal)\((\w+)(,\w+)?\)\Z")


def _other_spelling(text: str) -> Action | None:
    """slide(suns,N) and place_cheese(0,c3) are slide(pS,N) and place_cheese(null,c3)."""
    match = _SPELLED.match(text)
    if not match:
        return None
    verb_name, word, rest = match.groups(default="")
    try:
        if verb_name == "place_cheese":
            word = parse_rank(word.removeprefix("c?")).word
        else:
            suit = parse_suit(word.removeprefix("p") if len(word) == 2 else word)
            word = suit.value if verb_name == "reveal" else pawn(suit).code
    except ValueError:
        return None
    return parse_action(f"{verb_name}({word}{rest})")


def _mouse_word(text: str) -> str:
    number = actions.MOUSE_OF.get(text)
    return text if number is None else SUITS[number].value


def _sample_slide(state: State, rng: random.Random) -> Action | None:
    """Guessing finds one sooner than listing them all."""
    for _ in range(_GUESSES):
        action = choices.slide_action(int(rng.random() * 4), DIRECTIONS[int(rng.random() * 4)])
        if checks.check(state, action) is None:
            return action
    return None


def _sample_bid(state: State, rng: random.Random) -> Action:
    bidders = choices.bidders(state)
    open_seats = [seat for seat in bidders if state.bids[seat] is None]
    if not open_seats or rng.random() < 0.25:
        return choices.DISCARD if state.first_bid is None else choices.CLOSE
    return Action("bid", (str(rng.randint(3, choices.HIGH_BID)),), rng.choice(open_seats))


_ZONES = {Where.SUPPLY: Zone.SUPPLY, Where.HAND: Zone.HAND, Where.GONE: Zone.SPENT}


def _lay_cheese(build: LayoutBuilder, number: int, cheese: Cheese, *, uncovered: bool) -> None:
    """Covered cheese shows its value, uncovered and won cheese its suit. Until it is told which suit a turned coin
    shows, it counts as covered: then what is seen can only mean both, the turning and the suit."""
    piece = coin(cheese.suit, cheese.rank)
    key = f"cheese{number}"
    if cheese.where is Where.BOARD and cheese.cell is not None:
        x, y = position_of(cheese.cell)
        face = Face.BACK if uncovered else Face.FRONT
        build.put(piece, x, y, key=key, face=face, level=1, place=NAMES[cheese.cell])
        return
    face = Face.FRONT if cheese.where is Where.SUPPLY or cheese.suit is None else Face.BACK
    build.aside(_ZONES[cheese.where], piece, key=key, seat=cheese.owner, face=face)


def _lay_markers(build: LayoutBuilder, state: State) -> None:
    """A die on the space that a mouse has left in this attempt, beside the board otherwise."""
    for suit, cell, home in zip(SUITS, state.mice, state.home, strict=True):
        if state.phase is Phase.ATTEMPT and home is not None and cell != home:
            x, y = position_of(home)
            build.put(die(suit), x, y, key=f"die-{suit}", level=1, place=NAMES[home])
        else:
            build.aside(Zone.SUPPLY, die(suit), key=f"die-{suit}")


def _lay_mice(build: LayoutBuilder, state: State) -> None:
    for suit, cell in zip(SUITS, state.mice, strict=True):
        key = f"mouse-{suit}"
        if cell is None:
            build.aside(Zone.SUPPLY, pawn(suit), key=key)
            continue
        x, y = position_of(cell)
        on_coin = any(cheese.cell == cell and cheese.where is Where.BOARD for cheese in state.cheeses)
        build.put(pawn(suit), x, y, key=key, level=2 if on_coin else 1, place=NAMES[cell])


GAME = FourBlindMice()
