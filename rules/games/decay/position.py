"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Action, Seat
from rules.engine.fields import (
    a_list,
    a_number,
    a_seat,
    an_object,
    at_most,
    each_once,
    no_such,
    one_of,
    refuse_unknown,
    words,
)
from rules.games.decay.deeds.narration import DecayNarration, start_turn
from rules.games.decay.geometry import Tiles
from rules.games.decay.opening import INDEX, LETTERS, NAMES, Coins, Options, Phase, State, ace_of, opening_state
from rules.pieces import SUITS, parse_rank, parse_suit

FIELDS = ("board", "pawns", "dice", "hands", "spent", "out", "to_act", "phase", "start", "moved", "gains", "slid")
_PHASES = (Phase.CREATE, Phase.PAWN, Phase.TILE, Phase.KEEP, Phase.ATTACK, Phase.TAKE, Phase.SLIDE)
_TILE_AT = re.compile(r"([A-Za-z][na0-5])\s*@?\s*\(?\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*\)?")
_HAND = re.compile(r"([SMCA])(\d{1,2})\Z")


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("decay", data, FIELDS)
    state = opening_state(options, seats)
    tiles = _board(data.get("board", {}))
    phase = one_of("phase", data.get("phase", Phase.PAWN if any(tiles) else Phase.CREATE), _PHASES)
    living = tuple(suit not in {_suit(item) for item in words("out", data.get("out"), '["S"]')} for suit in state.suits)
    state = replace(state, phase=phase, tiles=tiles, living=living, contenders=())
    state = replace(state, to_act=_seat(state, "to_act", data.get("to_act", 0)))
    state = _with_pieces(state, data)
    state = _with_coins(state, data)
    # A seat that cannot move is killed at once at the start of its turn (DECAY-4.13).
    fresh = not any(data.get(field) for field in ("start", "spent", "moved", "gains", "slid"))
    if state.phase is not Phase.PAWN or not fresh:
        return state
    narration = DecayNarration(state)
    start_turn(narration, state.to_act)
    return narration.state


def _with_pieces(state: State, data: Mapping[str, object]) -> State:
    pawns = _by_seat(state, data, "pawns")
    standing = [tile for tile in pawns if tile is not None]
    if "pawns" not in data and state.phase is not Phase.CREATE:
        pawns = tuple(ace_of(suit) if state.tiles[ace_of(suit)] else None for suit in state.suits)
    dice = _by_seat(state, data, "dice")
    for tile in (*standing, *(tile for tile in dice if tile is not None)):
        if state.tiles[tile] is None:
            raise ValueError(f"{NAMES[tile]} carries a pawn or a die but is not on the board")
    start = _tile(data["start"]) if data.get("start") else pawns[state.to_act]
    gains, slid = _tiles(data, "gains"), _tiles(data, "slid")
    moved = _tile(data["moved"]) if data.get("moved") else None
    return replace(state, pawns=pawns, dice=dice, start=start, gains=gains, slid=slid, moved=moved)


def _with_coins(state: State, data: Mapping[str, object]) -> State:
    given = an_object("hands", data.get("hands") or {}, '{"M": "M4 C2"}')
    named = {state.purse(_seat(state, "hands", name)): _coins(text) for name, text in given.items()}
    spent = _coins(data.get("spent") or "")
    used = [spent[suit] + sum(coins[suit] for coins in named.values()) for suit in range(len(LETTERS))]
    for suit, letter in enumerate(LETTERS):
        at_most(f"coins of {letter} in the game", used[suit], 6 if suit in state.suits else 0)
    hands = [named.get(purse) or _own_rest(state, purse, used) for purse in range(len(state.hands))]
    return replace(state, hands=tuple(hands), spent=spent)


def _own_rest(state: State, purse: int, used: list[int]) -> Coins:
    """Default hand of a purse that is not given: its own coins that nobody else holds."""
    seats = [seat for seat, alive in enumerate(state.living) if alive and state.purse(seat) == purse]
    own = {state.suits[seat] for seat in seats}
    return tuple(6 - used[suit] if suit in own else 0 for suit in range(len(LETTERS)))


def _board(data: object) -> Tiles:
    if isinstance(data, str):
        if rest := _TILE_AT.sub("", data).replace(",", " ").split():
            raise no_such("tile with its place", rest[0], "A5@(0,0) M4@(16,4)")
        given = [(_tile(name), (int(x), int(y))) for name, x, y in _TILE_AT.findall(data)]
    else:
        board = an_object("board", data, '{"A5": [0, 0]}, or a text, for example "A5@(0,0) M4@(16,4)"')
        given = [(_tile(name), _spot(spot)) for name, spot in board.items()]
    each_once("board", (NAMES[tile] for tile, _ in given))
    places = dict(given)
    return tuple(places.get(index) for index in range(len(NAMES)))


def _spot(value: object) -> tuple[int, int]:
    x, y = (a_number("board", u, -(10**6), 10**6) for u in a_list("board", value, "[16, 4]", 2))
    return x, y


def _tile(name: object) -> int:
    text = str(name)
    if text in INDEX:
        return INDEX[text]
    try:
        return INDEX[parse_suit(text[0]).letter + parse_rank(text[1:]).letter]
    except (ValueError, IndexError, KeyError):
        raise no_such("tile", text, "Sn, Ma, C2 or A5") from None


def _tiles(data: Mapping[str, object], name: str) -> tuple[int, ...]:
    tiles = tuple(_tile(item) for item in words(name, data.get(name), '["M4"]'))
    each_once(name, (NAMES[tile] for tile in tiles))
    return tiles


def _suit(name: object) -> int:
    return SUITS.index(parse_suit(str(name)))


def _seat(state: State, field: str, name: object) -> int:
    return a_seat(field, name, [SUITS[suit] for suit in state.suits])


def _by_seat(state: State, data: Mapping[str, object], name: str) -> tuple[int | None, ...]:
    given = {} if data.get(name) is None else an_object(name, data[name], '{"C": "M4"}')
    tiles = {_seat(state, name, seat): _tile(tile) for seat, tile in given.items()}
    return tuple(tiles.get(seat) for seat in range(len(state.suits)))


def _coins(value: object) -> Coins:
    """ "M4 C2", or {"M": 4, "C": 2}."""
    if isinstance(value, Mapping):
        counts = {_suit(name): count for name, count in value.items()}
        return tuple(a_number("coins in a hand", counts.get(suit, 0), 0, 24) for suit in range(len(LETTERS)))
    coins = [0] * len(LETTERS)
    for word in str(value).split():
        match = _HAND.match(word)
        if not match:
            raise no_such("part of a hand", word, "M4 C2")
        coins[LETTERS.index(match[1])] += int(match[2])
    return tuple(coins)


_SHORT_TILE = re.compile(r"([A-Za-z][na0-5])\s*@\s*\(?\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*\)?\Z")
_PASSES = {Phase.PAWN: Action("end_pawn_move"), Phase.TILE: Action("skip_tile"), Phase.SLIDE: Action("end_turn")}


def read_shorthand(state: State, text: str) -> Action | None:
    """ "S4@(16,4)" lays a tile while the board is built; "end" and "skip" end a step; a suit's name for its letter."""
    match = _SHORT_TILE.match(text)
    if match and state.phase is Phase.CREATE:
        name, x, y = match.groups()
        return Action("create_tile", (parse_suit(name[0]).letter + parse_rank(name[1]).letter, x, y))
    return _PASSES.get(state.phase) if text in ("end", "skip", "pass") else None
