"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.engine import Action, Seat
from rules.engine.action import parse_action
from rules.engine.fields import a_list, a_number, an_object, apart, one_of, points_by_seat, refuse_unknown, unfit
from rules.engine.values import with_item
from rules.games.four_blind_mice.opening import (
    DIRECTIONS,
    MAX_BID,
    MIN_BID,
    NAMES,
    Bid,
    Options,
    Phase,
    State,
    Where,
    cell_of,
    cheeses_from,
    mice_from,
    opening_state,
)
from rules.games.four_blind_mice.rounds import bid_order
from rules.pieces import SUITS, parse_rank, parse_suit, pawn

FIELDS = (
    "cheese", "mice", "target", "phase", "to_act", "chooser", "bids", "attempt", "plan", "home", "scores", "moves",
    "barred", "tied",
)  # fmt: skip
_PLACING = (Phase.PLACE_CHEESE, Phase.PLACE_MICE)


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("four_blind_mice", data, FIELDS)
    start = opening_state(options, seats)
    if start.phase is Phase.ROLL:
        start = replace(start, rollers=(), phase=Phase.PLACE_CHEESE)
    cheeses = cheeses_from(_pairs(data["cheese"], "cheese")) if "cheese" in data else start.cheeses
    mice = mice_from(_pairs(data["mice"], "mice")) if "mice" in data else start.mice
    home = mice_from(_pairs(data["home"], "home")) if "home" in data else mice
    state = replace(start, cheeses=cheeses, mice=mice, home=home)
    state = replace(state, phase=_phase(data, state))
    if state.phase not in _PLACING:
        cheeses = tuple(replace(c, where=Where.GONE) if c.where is Where.SUPPLY else c for c in state.cheeses)
        if None in state.mice:
            raise unfit("mice", "the spaces of all four mice", data.get("mice"))
        state = replace(state, cheeses=cheeses)
    if state.phase is Phase.ROLL:
        return replace(start, phase=Phase.ROLL, rollers=tuple(range(start.players)))
    state = _with_round(_with_seats(state, data), data)
    others = [cheese for number, cheese in enumerate(state.cheeses) if number != state.target]
    lying = [cheese.cell for cheese in others if cheese.where is Where.BOARD]
    cells = [cell for cell in (*lying, *state.mice) if cell is not None]
    apart("things", (NAMES[cell] for cell in cells))
    return state


def _pairs(given: object, name: str) -> list[tuple[str, str]]:
    things = an_object(name, given, '{"c3": "S0"}' if name == "cheese" else '{"S": "b2"}')
    return [(str(key), str(value)) for key, value in things.items() if value is not None]


def _phase(data: Mapping[str, object], state: State) -> Phase:
    if "phase" in data:
        word = str(data["phase"]).lower()
        return one_of("phase", Phase.BID if word == "think" else word, Phase)
    if "attempt" in data or "plan" in data:
        return Phase.ATTEMPT
    if data.get("target") is not None:
        return Phase.ATTEMPT if state.is_solo else Phase.BID
    if "cheese" not in data and "mice" not in data:
        return state.phase
    return Phase.CHOOSE if None not in state.mice else Phase.PLACE_MICE if "mice" in data else _placing(state)


def _placing(state: State) -> Phase:
    missing = any(cheese.where is Where.SUPPLY for cheese in state.cheeses)
    return Phase.PLACE_CHEESE if missing else Phase.PLACE_MICE


def _with_seats(state: State, data: Mapping[str, object]) -> State:
    last = state.players - 1
    chooser = a_number("chooser", data.get("chooser", state.chooser), 0, last)
    to_act = a_number("to_act", data.get("to_act", chooser if "chooser" in data else state.to_act), 0, last)
    scores = points_by_seat("scores", data.get("scores", state.scores), (None,) * state.players)
    tied = tuple(a_number("tied", seat, 0, last) for seat in a_list("tied", data.get("tied", []), "[0, 2]"))
    moves = a_number("moves", data.get("moves", 0), 0, 10**6 - 1)
    if state.phase is Phase.CHOOSE:
        chooser = to_act
    return replace(state, chooser=chooser, to_act=to_act, scores=scores, tied=tied, moves=moves)


def _with_round(state: State, data: Mapping[str, object]) -> State:
    if data.get("barred") is not None:
        state = replace(state, barred=_cheese_at(state, str(data["barred"])))
    if data.get("target") is None:
        if state.phase in (Phase.BID, Phase.ATTEMPT, Phase.REVEAL, Phase.REPLACE):
            raise unfit("target", "the space of the uncovered cheese", None)
        return state
    number = _cheese_at(state, str(data["target"]))
    cheese = replace(state.cheeses[number], public=state.phase is not Phase.REVEAL)
    if cheese.suit is None and state.phase is not Phase.REVEAL:
        raise ValueError("the uncovered cheese has a suit, for example S0")
    state = replace(state, target=number, cheeses=with_item(state.cheeses, number, cheese))
    state = _with_bids(state, data.get("bids", {}))
    return _with_attempt(state, data) if state.phase is Phase.ATTEMPT else state


def _cheese_at(state: State, space: str) -> int:
    cell = cell_of(space)
    for number, cheese in enumerate(state.cheeses):
        if cheese.cell == cell and cheese.where is Where.BOARD:
            return number
    raise ValueError(f"no cheese lies on {space}")


def _with_bids(state: State, given: object) -> State:
    """{"0": 4} or {"0": [4, 12.5]} with the seconds."""
    given = an_object("bids", given, '{"0": 4, "1": [3, 12.5]}')
    bids: list[Bid | None] = [None] * state.players
    for number, (key, value) in enumerate(given.items(), 1):
        moves, *time = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        seconds = time[0] if time else 0
        a_number("a bid", moves, MIN_BID, MAX_BID)
        if not _is_time(seconds):
            raise unfit("bids", "moves or [moves, seconds]", value)
        seat = int(key) if str(key).isdecimal() else key
        bids[a_number("bids by seat", seat, 0, state.players - 1)] = Bid(moves, round(1000 * seconds), number)
    times = [bid.time for bid in bids if bid]
    return replace(state, bids=tuple(bids), first_bid=min(times, default=None))


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**6


def _with_attempt(state: State, data: Mapping[str, object]) -> State:
    """{"seat": 0, "bid": 5}: the seat of the attempt and its bid; by default the first bidder, else seat 0 with any
    number."""
    attempt = an_object("attempt", data.get("attempt", {}), '{"seat": 0, "bid": 5}', ("seat", "bid"))
    order = bid_order(state)
    seat = a_number("seat", attempt.get("seat", order[0] if order else state.to_act), 0, state.players - 1)
    if "bid" in attempt:
        given = {str(seat): [bid.moves, bid.time / 1000] for seat, bid in enumerate(state.bids) if bid}
        state = _with_bids(state, {**given, str(seat): attempt["bid"]})
        order = bid_order(state)
    later = order[order.index(seat) + 1 :] if seat in order else ()
    plan, used = _plan(state, data.get("plan", []))
    return replace(state, to_act=seat, order=later, plan=plan, used=used)


def _plan(state: State, given: object) -> tuple[tuple[str, ...], int]:
    """Slides already made: ["SN", "SE"]."""
    plan: list[str] = []
    used = 0
    for step in a_list("plan", given, '["SN", "SE"]'):
        text = str(step).replace(" ", "")
        if len(text) != 2 or text[1] not in DIRECTIONS:
            raise unfit("plan", "slides of a mouse and a direction, SN", step)
        letter = parse_suit(text[0]).letter
        turns = any(other[0] == letter for other in plan)
        used += 2 if turns and state.options.count == "slides+turns" else 1
        plan.append(letter + text[1])
    return tuple(plan), used


_LETTERS = tuple(suit.letter for suit in SUITS)
_SPELLED = re.compile(r"(slide|place_mouse|place_cheese|reveal)\((\w+)(,\w+)?\)\Z")


def read_shorthand(state: State, text: str) -> Action | None:
    """ "S N" or "S E b2-d2": the suns mouse runs; "c3" is the cheese to turn or the place to put it back."""
    words = text.split()
    if len(words) == 1 and text in NAMES:
        verbs = {Phase.CHOOSE: "uncover", Phase.REPLACE: "replace"}
        return Action(verbs[state.phase], (text,)) if state.phase in verbs else None
    if len(words) in (2, 3) and words[1] in tuple(DIRECTIONS) and words[0] in _LETTERS:
        return Action("slide", (f"p{words[0]}", words[1]))
    match = _SPELLED.match(text)
    if not match:
        return None
    verb_name, word, rest = match.groups(default="")
    try:
        if verb_name == "place_cheese":
            word = parse_rank(word.removeprefix("c?")).digit
        else:
            suit = parse_suit(word.removeprefix("p") if len(word) == 2 else word)
            word = suit.value if verb_name == "reveal" else pawn(suit).code
    except ValueError:
        return None
    return parse_action(f"{verb_name}({word}{rest})")
