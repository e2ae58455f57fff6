"""Why something may not be done in San Andreas, in words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Facts
from rules.games.san_andreas.actions import PHASE_VERBS, dice_of, epicenter_cells, founding_cells, named_cell
from rules.games.san_andreas.geometry import Cell, beside, cell_of, is_land, name_of
from rules.games.san_andreas.opening import Phase, State
from rules.games.san_andreas.quake import taken_cells
from rules.games.san_andreas.scoring import ruin_of
from rules.pieces import SUITS, Rank, Suit

_PHASES: dict[Phase, tuple[str, str]] = {
    Phase.BEGIN: ("SAND-3.3", "the dice decide first who begins"),
    Phase.TURN: ("SAND-4.4", "a turn is one action: found a city, place an epicenter, or pass"),
    Phase.ROLL: ("SAND-5.1", "the fourth epicenter stands: the four dice are rolled now"),
    Phase.QUAKE: ("SAND-5.2", "the quake goes on: a die is resolved next"),
    Phase.SCORE: ("SAND-5.21", "the cities are scored: a coin is turned next"),
    Phase.SWAP: ("SAND-5.23", "the owner of the null chooses first: swap it or keep it"),
}


def why_not(state: State, action: Action) -> Refusal | None:
    if action.verb != "tell" and action.verb not in PHASE_VERBS[state.phase]:
        clause, text = _PHASES[state.phase]
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value})
    return _CHECKS[action.verb](state, action)


def _bad(clause: str, text: str, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:20]})


def _suit(text: str) -> Suit | None:
    return next((suit for suit in SUITS if suit.value == text), None)


def _rank(text: str) -> Rank | None:
    return next((rank for rank in Rank if rank.word == text), None)


def _begin(state: State, action: Action) -> Refusal | None:
    if action[0] in {str(seat) for seat in range(state.seats)}:
        return None
    return _bad("SAND-3.3", f"there are the seats 0 to {state.seats - 1}, no {action[0][:20]!r}", action[0])


def _found(state: State, action: Action) -> Refusal | None:
    suit = _suit(action[0])
    if suit is None:
        return _bad("SAND-1.2", "a city has a suit: suns, moons, crowns or arms", action[0])
    if suit not in state.suits_of(state.to_act):
        owner = state.owner(suit) if suit in state.suits else None
        whose = f"belongs to seat {owner}" if owner is not None else "is not in this game"
        return Refusal(Code.NOT_YOURS, "SAND-1.2", f"{suit} {whose}", {"suit": suit.value, "owner": owner})
    if not state.in_hand(suit):
        text = f"all six coins of {suit} have been played"
        return Refusal(Code.NO_SUCH_PIECE, "SAND-4.1", text, {"suit": suit.value})
    return _space(state, action, "SAND-4.1") or _ground(state, named_cell(action))


def _space(state: State, action: Action, clause: str) -> Refusal | None:
    """SAND-2.8: a visible space without a coin or pawn."""
    cell = named_cell(action)
    if cell is None:
        return _bad("SAND-2.1", "a space is written x3y14: third column from the west, fourteenth row", action[1])
    place = name_of(cell)
    stack = state.terrain.stacks.get(cell)
    if stack is None:
        what = "land beyond the border" if is_land(cell) else "no tile: open water or a hole"
        return Refusal(Code.NO_SUCH_PLACE, "SAND-2.8", f"on {place} there is {what}", {"place": place})
    if state.terrain.top(cell) is None:
        text = f"{place} lies under the land border; nothing can be put there"
        return Refusal(Code.BLOCKED, "SAND-5.13", text, {"place": place, "tile": stack[-2]})
    if cell in taken_cells(state):
        what = "a city" if state.city_at(cell) is not None else "an epicenter"
        return Refusal(Code.OCCUPIED, clause, f"there is {what} on {place} already", {"place": place, "by": what})
    return None


def _ground(state: State, cell: Cell | None) -> Refusal | None:
    """Room for a city: no neighbour, not too steep."""
    assert cell is not None, "_space has looked at it"
    near = [name_of(side) for side in beside(cell) if state.city_at(side) is not None]
    if near:
        text = f"{name_of(cell)} is next to the city on {near[0]}; only diagonally may cities touch"
        return Refusal(Code.NOT_ALLOWED, "SAND-4.1", text, {"place": name_of(cell), "cities": near})
    tile = state.terrain.top(cell) or ""
    steep, limit = state.terrain.steepness(tile), state.options.steep_limit
    if steep > limit:
        text = f"{tile} leans by {steep} thicknesses, too steep to hold a coin; it may be {limit} at most"
        facts: Facts = {
            "tile": tile,
            "lean": list(map(str, state.terrain.leans[tile])),
            "steepness": steep,
            "limit": limit,
        }
        return Refusal(Code.LIMIT, "SAND-4.1", text, facts)
    return None


def _epicenter(state: State, action: Action) -> Refusal | None:
    suit = _suit(action[0])
    if suit is None:
        return _bad("SAND-4.2", "an epicenter is one of the pawns suns, moons, crowns and arms", action[0])
    stands = state.pawns[SUITS.index(suit)]
    if stands:
        text = f"the {suit} pawn is on {stands.tile} already"
        return Refusal(Code.NO_SUCH_PIECE, "SAND-4.2", text, {"pawn": suit.value, "tile": stands.tile})
    if refusal := _space(state, action, "SAND-4.2"):
        return refusal
    cell = named_cell(action)
    tile = state.terrain.top(cell) if cell else None
    if tile not in state.terrain.coastal:
        text = f"{tile} is not on the coast: none of its spaces is orthogonally next to the ocean"
        return Refusal(Code.NOT_ALLOWED, "SAND-4.2", text, {"tile": tile, "coastal": sorted(state.terrain.coastal)})
    return None


def _pass(state: State, _action: Action) -> Refusal | None:
    coins = any(state.in_hand(suit) for suit in state.suits_of(state.to_act))
    cell = next(chain(founding_cells(state) if coins else (), epicenter_cells(state)), None)
    if cell is None:
        return None
    text = f"who can found a city or place an epicenter must do so; for example on {name_of(cell)}"
    return Refusal(Code.MUST_MOVE, "SAND-4.3", text, {"place": name_of(cell)})


def _roll(_state: State, action: Action) -> Refusal | None:
    if dice_of(action[0]) is not None:
        return None
    return _bad("SAND-5.1", "say what all four dice show, as in S1+M0+C3+A5", action[0])


def _resolve(state: State, action: Action) -> Refusal | None:
    suit = _suit(action[0])
    if suit is None:
        return _bad("SAND-5.2", "a die has a suit: suns, moons, crowns or arms", action[0])
    if suit in state.remaining:
        return None
    top = state.dice[SUITS.index(suit)]
    left = [other.value for other in state.remaining]
    if top is Rank.NULL:
        text = f"the {suit} die shows null: no shift, its pawn stays; left to resolve: {', '.join(left)}"
        return Refusal(Code.NOT_ALLOWED, "SAND-5.3", text, {"die": suit.value, "left": left})
    text = f"the {suit} die has been resolved; left: {', '.join(left)}"
    return Refusal(Code.REPEATS, "SAND-5.2", text, {"die": suit.value, "left": left})


def _city_and_value(state: State, action: Action) -> Refusal | None:
    cell = cell_of(action[0])
    if cell is None or state.city_at(cell) is None:
        text = f"there is no city on {action[0][:20]!r}"
        return Refusal(Code.EMPTY, "SAND-5.21", text, {"place": action[0][:20]})
    if _rank(action[1]) is None:
        return _bad("SAND-5.21", "a coin is null, ace, 2, 3, 4 or 5", action[1])
    return None


def _reveal(state: State, action: Action) -> Refusal | None:
    if refusal := _city_and_value(state, action):
        return refusal
    index = state.city_at(cell_of(action[0]) or (0, 0))
    if index not in state.waiting:
        return Refusal(Code.REPEATS, "SAND-5.21", f"the city on {action[0]} has been scored", {"place": action[0]})
    return _contradiction(state, index, action[1], "SAND-5.21")


def _contradiction(state: State, index: int, word: str, clause: str) -> Refusal | None:
    """Each value exists once per suit, and a value that was told stays."""
    city = state.cities[index]
    known = city.coin.value
    if known is not None:
        text = f"its founder has entered {known.word} for this city, not {word}"
        facts: Facts = {"known": known.word, "given": word}
        return None if known.word == word else Refusal(Code.CONTRADICTS, clause, text, facts)
    possible = [rank.word for rank in state.free_values(city.coin.suit)]
    if word in possible:
        return None
    text = f"the {word} of {city.coin.suit} is known to be another coin; this one is {', '.join(possible)}"
    return Refusal(Code.CONTRADICTS, clause, text, {"given": word, "possible": possible})


def _swap(state: State, action: Action) -> Refusal | None:
    value = _rank(action[0])
    suit = state.cities[state.waiting[0]].coin.suit
    if value is None:
        return _bad("SAND-5.23", "a coin is null, ace, 2, 3, 4 or 5", action[0])
    if value is Rank.NULL:
        text = "the null is on the board; it is exchanged for a destroyed coin"
        return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word})
    if ruin_of(state, suit, value):
        return None
    known = [ruin.value.word for ruin in state.ruins if ruin.suit is suit and ruin.value is not None]
    text = f"no destroyed coin of {suit} can be the {value.word}; known to be destroyed: {', '.join(known) or 'none'}"
    return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word, "known": known})


def _keep(_state: State, _action: Action) -> Refusal | None:
    return None


def _tell(state: State, action: Action) -> Refusal | None:
    """A founder enters the value of an own city, for nobody else to see."""
    if refusal := _city_and_value(state, action):
        return refusal
    index = state.city_at(cell_of(action[0]) or (0, 0))
    assert index is not None, "_city_and_value has looked"
    coin = state.cities[index].coin
    seat = state.to_act if action.seat is None else action.seat
    if seat != state.owner(coin.suit):
        text = f"the city on {action[0]} was founded by seat {state.owner(coin.suit)}"
        return Refusal(Code.NOT_YOURS, "SAND-6.1", text, {"place": action[0], "owner": state.owner(coin.suit)})
    if coin.seen:
        text = f"everybody has seen that {action[0]} is a {coin.value.word if coin.value is not None else '?'}"
        return Refusal(Code.REPEATS, "SAND-6.2", text, {"place": action[0]})
    return _contradiction(state, index, action[1], "SAND-6.2")


_CHECKS: dict[str, Callable[[State, Action], Refusal | None]] = {
    "begin": _begin,
    "found": _found,
    "epicenter": _epicenter,
    "pass": _pass,
    "roll": _roll,
    "resolve": _resolve,
    "reveal": _reveal,
    "swap": _swap,
    "keep": _keep,
    "tell": _tell,
}
