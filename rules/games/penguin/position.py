"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Action, Seat, fields
from rules.games.penguin.geometry import IceBoard, Tiles, board_of, overlap, tiles_of, width
from rules.games.penguin.ice import Penguins, Stacks, begin_turn, penguin_cells
from rules.games.penguin.opening import (
    BY_SUIT,
    COINS,
    LETTERS,
    PER_SUIT,
    PLACING,
    SUIT_OF,
    UNKNOWN,
    Options,
    Phase,
    State,
    deal_problem,
    dealt_stacks,
    opening_state,
    starting_tiles,
)
from rules.pieces import SUITS, Suit, parse_suit

FIELDS = ("stacks", "deal", "penguins", "to_act", "phase", "left", "tiles", "first", "first_suit")
_COIN_SPELLED = re.compile(r"place_coin\((\w+\??),([\w-]+)\)\Z")


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    fields.refuse_unknown("penguin", data, FIELDS)
    pawns = tuple(seat.suit or SUITS[index] for index, seat in enumerate(seats)) or SUITS[:2]
    start = opening_state(options, tuple(Seat(pawn.value, pawn) for pawn in pawns))
    tiles = _tiles(data["tiles"], options) if "tiles" in data else starting_tiles(options)
    suits, stacks = _coins(data, options, board_of(tiles))
    placed = _penguins(data.get("penguins"), board_of(tiles), pawns)
    if not options.share:
        fields.each_once("penguins", [board_of(tiles).names[cell] for cell in placed if cell is not None])
    # As many pawns as penguins are named, those of the seats first.
    pawns = (pawns + tuple(suit for suit in SUITS if suit not in pawns))[: len(placed)]
    state = replace(start, pawns=pawns, tiles=tiles, suits=suits, stacks=stacks, rollers=())
    phase = _phase(data, options, placed, stacks)
    if phase is Phase.DEAL:
        return replace(start, phase=phase, rollers=())
    if not any(cell is not None for cell in placed) and phase not in PLACING:
        cells = penguin_cells(state)[: len(placed)]
        if len(cells) < len(placed):
            raise ValueError("say where the penguins stand")
        placed = tuple(cells)
    first = _seat("first", data.get("first", start.first), pawns)
    suit = _first_suit(data, start, options)
    state = replace(state, phase=phase, penguins=placed, first=first, to_act=first, first_suit=suit)
    return _begin(_with_turn(state, data), data)


def _tiles(given: object, options: Options) -> Tiles:
    if isinstance(given, str):
        tiles = tiles_of(given)
    else:
        corners = fields.a_list("tiles", given, "[[0, 0], [2, 0], [0, 2], [2, 2]]")
        tiles = tuple(None if item is None else _corner(item) for item in corners)
    corners = [corner for corner in tiles if corner]
    if len(tiles) != len(starting_tiles(options)) or not corners:
        raise fields.unfit("tiles", f"{len(starting_tiles(options))} tiles", given)
    if any(overlap(a, b) for i, a in enumerate(corners) for b in corners[:i]) or width(tiles) > 26:
        raise fields.unfit("tiles", "side by side", given)
    return tiles


def _corner(item: object) -> tuple[int, int]:
    x, y = (fields.a_number("tiles", number, -999, 999) for number in fields.a_list("tiles", item, "[2, 0]", 2))
    return x, y


def _coins(data: Mapping[str, object], options: Options, board: IceBoard) -> tuple[str, Stacks]:
    if "stacks" in data:
        return _stacks(data["stacks"], board)
    if "deal" not in data and options.start != "random":
        return BY_SUIT, ((),) * len(board.spots)
    letters = str(data.get("deal") or options.deal or LETTERS * PER_SUIT).upper()
    problem = deal_problem(letters, options)
    if problem or len(letters) != COINS:
        raise ValueError(f"deal: {problem or f'all {COINS} coins are dealt, not {len(letters)}'}")
    return letters, dealt_stacks(options)


def _stacks(given: object, board: IceBoard) -> tuple[str, Stacks]:
    """Stacks of the named coins, numbered in order; all other coins follow."""
    stacks: list[tuple[int, ...]] = [()] * len(board.spots)
    suits = ""
    for name, text in fields.an_object("stacks", given, '{"a1": "SM", "b2": "C"}').items():
        parts = text if isinstance(text, (list, tuple)) else str(text or "").replace("/", "").replace(" ", "").upper()
        letters = "".join(UNKNOWN if part == UNKNOWN else parse_suit(str(part)).letter for part in parts)
        if letters.endswith(UNKNOWN):
            raise ValueError("stacks: the top coin of a stack shows its suit")
        cell = board.cells[fields.a_place("stacks", name, board.cells)]
        stacks[cell] = tuple(range(len(suits), len(suits) + len(letters)))
        suits += letters
    return _with_loose(suits), tuple(stacks)


def _with_loose(suits: str) -> str:
    for letter in LETTERS:
        fields.at_most(f"coins of {SUIT_OF[letter]}", suits.count(letter), PER_SUIT)
    fields.at_most("coins", len(suits), COINS)
    if UNKNOWN in suits:
        return suits + UNKNOWN * (COINS - len(suits))
    return suits + "".join(letter * (PER_SUIT - suits.count(letter)) for letter in LETTERS)


def _penguins(given: object, board: IceBoard, pawns: tuple[Suit, ...]) -> Penguins:
    if given is None:
        return (None,) * len(pawns)
    if isinstance(given, Mapping):
        named = {_seat("penguins", key, pawns): place for key, place in given.items()}
        given = [named.get(seat) for seat in range(len(pawns))]
    places = fields.a_list("penguins", given, '["b2", null]')
    if not 1 <= len(places) <= len(SUITS):
        raise fields.unfit("penguins", f"a list of one to {len(SUITS)} places", given)
    return tuple(None if at is None else board.cells[fields.a_place("penguins", str(at), board.cells)] for at in places)


def _seat(name: str, given: object, pawns: tuple[Suit, ...]) -> int:
    digit = str(given) if str(given).isdecimal() and len(str(given)) == 1 else ""
    return fields.a_seat(name, int(digit) if digit else str(given), pawns)


def _phase(data: Mapping[str, object], options: Options, placed: Penguins, stacks: Stacks) -> Phase:
    if "phase" in data:
        return fields.one_of("phase", str(data["phase"]).lower(), Phase)
    if data.get("left") is not None:
        return Phase.MELT
    if any(cell is not None for cell in placed):
        return Phase.MOVE
    complete = sum(map(len, stacks)) == COINS
    return Phase.PLACE_PENGUINS if options.start == "random" or complete else Phase.PLACE_COINS


def _first_suit(data: Mapping[str, object], start: State, options: Options) -> str:
    """The suit that was dealt first, which only a game that ends on it asks for (PENG-9.1)."""
    if options.match_first_suit and "first_suit" in data:
        return parse_suit(str(data["first_suit"])).letter
    dealt = "" if "stacks" in data else str(data.get("deal") or "")
    return start.first_suit or dealt[:1].upper()


def _with_turn(state: State, data: Mapping[str, object]) -> State:
    if state.phase is Phase.ROLL:
        return replace(state, rollers=tuple(range(len(state.penguins))))
    if "to_act" in data:
        return replace(state, to_act=_seat("to_act", data["to_act"], state.pawns))
    if state.phase is Phase.PLACE_PENGUINS:
        waiting = [seat for seat, cell in enumerate(state.penguins) if cell is None]
        return replace(state, to_act=waiting[0] if waiting else state.first)
    return state


def _begin(state: State, data: Mapping[str, object]) -> State:
    for seat, cell in enumerate(state.penguins):
        if cell is not None and not state.stacks[cell] and state.phase not in PLACING:
            raise ValueError(f"the {state.pawns[seat]} penguin stands in the water on {state.board.names[cell]}")
    if state.phase is Phase.MOVE:
        if not any(cell is not None for cell in state.penguins):
            raise ValueError("no penguin stands on the ice")
        return begin_turn(state)
    if state.phase in (Phase.MELT, Phase.REVEAL):
        left = data.get("left")
        cell = state.board.cells.get(str(left))
        if cell is None or not state.stacks[cell]:
            raise fields.unfit("left", "the space that the penguin has just left, with its coins", left)
        if state.penguins[state.to_act] is None:
            raise ValueError("the penguin whose turn it is is not on the ice")
        return replace(state, left=cell)
    return state


def read_shorthand(state: State, text: str) -> Action | None:
    """ "d4" is the target of the penguin (or its first place, or the coin that melts), "b2-d4" also names the start."""
    if other := _COIN_SPELLED.match(text):
        return _coin_spelled(*other.groups())
    cells = state.board.cells
    source, _, goal = text.rpartition("-") if text not in cells else ("", "", text)
    if goal not in cells or (source and source not in cells):
        return None
    if source:
        return Action("move", (goal,) if cells[source] == state.penguins[state.to_act] else (goal, source))
    verbs = {Phase.MOVE: "move", Phase.MELT: "melt", Phase.PLACE_PENGUINS: "place_penguin"}
    return Action(verbs[state.phase], (goal,)) if state.phase in verbs else None


def _coin_spelled(suit: str, space: str) -> Action | None:
    """place_coin(S,a4) and place_coin(cS?,a4) are place_coin(suns,a4)."""
    letter = suit[1:2] if len(suit) == 3 and suit.endswith("?") else suit
    try:
        return Action("place_coin", (parse_suit(letter).value, space))
    except ValueError:
        return None
