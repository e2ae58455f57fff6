"""What may be done (MICE-3, MICE-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from rules.engine import Action
from rules.games.four_blind_mice.geometry import NAMES
from rules.games.four_blind_mice.opening import MIN_BID, Phase, State, Where
from rules.games.four_blind_mice.slides import free_places, places, possible_slides
from rules.pieces import SUITS, Rank, Suit, pawn

HIGH_BID = 9
"""Bids up to here are listed; higher ones are allowed too (MICE-8.11)."""
FAIL = Action("fail")
DISCARD = Action("discard")
CLOSE = Action("close_bids")
TIME_UP = Action("time_up")
RESTART = Action("restart")


def legal_actions(state: State) -> Iterable[Action]:
    return _LISTS[state.phase](state)


def bidders(state: State) -> tuple[int, ...]:
    """Everybody, or those who are tied (MICE-5.2)."""
    return state.tied or tuple(range(state.players))


def waiting_values(state: State) -> list[Rank]:
    return sorted({cheese.rank for cheese in state.cheeses if cheese.where is Where.SUPPLY})


def waiting_mice(state: State) -> list[Suit]:
    return [suit for suit, cell in zip(SUITS, state.mice, strict=True) if cell is None]


def covered(state: State) -> list[int]:
    return [
        number for number, cheese in enumerate(state.cheeses) if cheese.where is Where.BOARD and number != state.target
    ]


def open_to_choice(state: State) -> list[int]:
    """The cheeses that may be uncovered; the bar falls if there is no other (MICE-9.1)."""
    found = covered(state)
    return [number for number in found if number != state.barred] or found


def possible_suits(state: State) -> list[Suit]:
    """What the uncovered coin can be: of each suit there is one null and one ace."""
    assert state.target is not None
    rank = state.cheeses[state.target].rank
    seen = {cheese.suit for cheese in state.cheeses if cheese.rank is rank}
    return [suit for suit in SUITS if suit not in seen]


def slide_action(mouse: int, direction: str) -> Action:
    return _SLIDES[mouse, direction]


_SLIDES = {
    (mouse, direction): Action("slide", (pawn(suit).code, direction))
    for mouse, suit in enumerate(SUITS)
    for direction in "NESW"
}


def _rolls(state: State) -> Iterator[Action]:
    for numbers in product("012345", repeat=len(state.rollers)):
        yield Action("roll", ("+".join(numbers),))


def _cheese_places(state: State) -> Iterator[Action]:
    cells = places(state)
    if not cells:
        yield RESTART
    for rank in waiting_values(state):
        for cell in cells:
            yield Action("place_cheese", (rank.word, NAMES[cell]))


def _mouse_places(state: State) -> Iterator[Action]:
    cells = places(state)
    if not cells:
        yield RESTART
    for suit in waiting_mice(state):
        for cell in cells:
            yield Action("place_mouse", (pawn(suit).code, NAMES[cell]))


def _choices(state: State) -> Iterator[Action]:
    for number in open_to_choice(state):
        yield Action("uncover", (NAMES[state.cheeses[number].cell or 0],))
    if may_end_by_time(state):
        yield TIME_UP


def may_end_by_time(state: State) -> bool:
    return bool(state.options.time_limit) and not state.tied


def _reveals(state: State) -> Iterator[Action]:
    for suit in possible_suits(state):
        yield Action("reveal", (suit.value,))


def _bids(state: State) -> Iterator[Action]:
    yield DISCARD if state.first_bid is None else CLOSE
    for seat in bidders(state):
        own = state.bids[seat]
        for moves in range(MIN_BID, HIGH_BID + 1 if own is None else own.moves):
            yield Action("bid", (str(moves),), seat)


def _attempts(state: State) -> Iterator[Action]:
    for found in possible_slides(state):
        yield slide_action(found.mouse, found.direction)
    yield FAIL
    if state.is_solo:
        yield DISCARD


def _replacements(state: State) -> Iterator[Action]:
    for cell in free_places(state):
        yield Action("replace", (NAMES[cell],))


_LISTS: dict[Phase, Callable[[State], Iterable[Action]]] = {
    Phase.ROLL: _rolls,
    Phase.PLACE_CHEESE: _cheese_places,
    Phase.PLACE_MICE: _mouse_places,
    Phase.CHOOSE: _choices,
    Phase.REVEAL: _reveals,
    Phase.BID: _bids,
    Phase.ATTEMPT: _attempts,
    Phase.REPLACE: _replacements,
    Phase.OVER: lambda _state: (),
}
