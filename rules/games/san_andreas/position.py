"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.engine import Action, Seat
from rules.engine.dice import write_dice
from rules.engine.fields import (
    a_list,
    a_number,
    a_place,
    an_object,
    apart,
    each_once,
    no_such,
    one_of,
    pairs,
    points_by_seat,
    refuse_unknown,
)
from rules.engine.open_grid import Cell, cell_of, name_of, read_cell
from rules.engine.values import with_item
from rules.games.san_andreas.deeds.quake import free_space
from rules.games.san_andreas.geometry import TILES, Above, cells_of, terrain
from rules.games.san_andreas.opening import City, Coin, Epicenter, Options, Phase, State, opening_state
from rules.pieces import RANKS, SUITS, Rank, Suit, parse_rank, parse_suit

FIELDS = (
    "tiles",
    "above",
    "shifts",
    "cities",
    "destroyed",
    "founded",
    "pawns",
    "dice",
    "remaining",
    "scores",
    "to_act",
    "phase",
)
_CELL = "x3y14 or [3, 14]"


def read_position(data: Mapping[str, Any], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("san_andreas", data, FIELDS)
    state = replace(opening_state(options, seats), phase=Phase.TURN)
    state = _read_ground(data, state)
    state = _read_coins(data, state)
    for word, where in _mapping(data, "pawns").items():
        if where is not None:
            pawns = with_item(state.pawns, SUITS.index(parse_suit(word)), _read_epicenter(state, where))
            state = replace(state, pawns=pawns)
    held = [state.cell(stands) for stands in (*state.cities, *state.pawns) if stands]
    apart("cities or pawns", map(name_of, held))
    to_act = a_number("to_act", data.get("to_act", state.to_act), 0, state.seats - 1)
    scores = points_by_seat("scores", data.get("scores", state.scores), state.suits[: state.seats])
    return _read_phase(data, replace(state, to_act=to_act, scores=scores))


_EXAMPLES = {
    "tiles": '{"r2c1": [2, 13], "r8c2": null}',
    "destroyed": '{"suns": [5, null]}',
    "founded": '{"suns": 2}',
    "pawns": '{"suns": "r2c1", "moons": [1, 15]}',
    "dice": '{"suns": 1, "moons": 0}',
}


def _mapping(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return an_object(name, data.get(name) or {}, _EXAMPLES[name])


def _read_ground(data: Mapping[str, Any], state: State) -> State:
    corners = dict(zip(TILES, state.tiles, strict=True))
    for name, corner in _mapping(data, "tiles").items():
        corners[a_place("tiles", name, TILES)] = None if corner is None else read_cell(corner, _CELL)
    given = pairs("above", data.get("above", ()), '["r2c1", "r2c2"]')
    above: Above = tuple(sorted((_plate(upper), _plate(lower)) for upper, lower in given))
    state = replace(state, tiles=tuple(corners.values()), above=above)
    for shifted, top in pairs("shifts", data.get("shifts", ()), '["r2c1", 3]'):
        name, rank = a_place("shifts", shifted, TILES), parse_rank(str(top))
        if rank is not Rank.NULL:
            moved = state.shifted(name, rank)
            state = replace(state, tiles=moved.tiles, above=moved.above)
    ground = terrain(state.tiles, state.above, False)
    for stack in ground.stacks.values():
        for i, lower in enumerate(stack):
            for upper in stack[i + 1 :]:
                if (upper, lower) not in state.above or (lower, upper) in state.above:
                    raise ValueError(f"{upper} and {lower} overlap; say in above which of them lies higher")
    return state


def _plate(name: object) -> str:
    return str(name) if name in TILES or cell_of(str(name)) else a_place("above", name, TILES)


def _read_coins(data: Mapping[str, Any], state: State) -> State:
    founded = dict.fromkeys(state.suits, 0)
    cities = []
    for item in a_list("cities", data.get("cities", ()), '["S4@(1,13)"]'):
        suit, value, seen, cell = _read_city(item)
        cities.append(City(Coin(suit, _next(founded, suit), value, seen), *_visible_corner(state, cell)))
    ruins = []
    for word, values in _mapping(data, "destroyed").items():
        for value in a_list("destroyed", values, '{"suns": [5, null]}'):
            suit = parse_suit(word)
            ruins.append(Coin(suit, _next(founded, suit), _value(value)))
    for word, number in _mapping(data, "founded").items():
        suit = parse_suit(word)
        founded[suit] = a_number(f"founded {suit}", number, founded.get(suit, 0), 6)
    coins = [city.coin for city in cities] + ruins
    for suit, number in founded.items():
        a_number(f"founded {suit}", number, 0, len(RANKS))
        each_once(f"coins of {suit}", (c.value for c in coins if c.suit is suit and c.value is not None))
    return replace(state, cities=tuple(cities), ruins=tuple(ruins), founded=tuple(founded.values()))


def _next(founded: dict[Suit, int], suit: Suit) -> int:
    if suit not in founded:
        raise ValueError(f"{suit} is not in this game; it has {', '.join(founded)}")
    founded[suit] += 1
    return founded[suit] - 1


def _value(value: object) -> Rank | None:
    return None if value in (None, "?") else parse_rank(str(value))


_CITY = re.compile(r"\s*([A-Za-z])([0-5na?]?)(!?)\s*@\s*(.+)")


def _read_city(item: object) -> tuple[Suit, Rank | None, bool, Cell]:
    """ "S4@(1,13)", "S?@x1y13", "S4!@x1y13" (seen by all), or an object with suit, value, cell, seen."""
    if isinstance(item, Mapping):
        if missing := next((name for name in ("suit", "cell") if name not in item), None):
            raise ValueError(f"a city has a {missing}; write S4@(1,13) or an object with suit, value, seen, cell")
        seen = bool(item.get("seen", False))
        return parse_suit(str(item["suit"])), _value(item.get("value")), seen, read_cell(item["cell"], _CELL)
    match = _CITY.fullmatch(str(item))
    if not match:
        raise no_such("city", item, "S4@(1,13) or S?@x1y13")
    return parse_suit(match[1]), _value(match[2] or None), bool(match[3]), read_cell(match[4], _CELL)


def _visible_corner(state: State, cell: Cell) -> tuple[str, int]:
    """The tile whose visible space this is, and the corner of the tile."""
    stands = state.terrain.corner_at(cell)
    if stands is None:
        raise ValueError(f"no visible space is on {name_of(cell)}; cities and pawns stand on one")
    return stands


def _read_epicenter(state: State, where: object) -> Epicenter:
    if isinstance(where, str) and where in TILES:
        cell = free_space(state, where)
        return Epicenter(where, cells_of(state.terrain.tiles[where]).index(cell))
    return Epicenter(*_visible_corner(state, read_cell(where, _CELL)))


def _read_phase(data: Mapping[str, Any], state: State) -> State:
    shown = {parse_suit(word): _value(top) for word, top in _mapping(data, "dice").items()}
    suns, moons, crowns, arms = dice = [shown.get(suit) for suit in SUITS]
    pawns = [bool(stands) for stands in state.pawns]
    acting = [suit for suit, top, stands in zip(SUITS, dice, pawns, strict=True) if top and stands]
    if "remaining" in data:
        remaining = a_list("remaining", data["remaining"], '["suns", "moons"]')
        acting = [suit for suit in map(parse_suit, map(str, remaining)) if suit in acting]
    default = Phase.QUAKE if acting else Phase.ROLL if all(pawns) else Phase.TURN
    known = [phase for phase in Phase if phase not in (Phase.SWAP, Phase.OVER)]
    phase = one_of("phase", data.get("phase", default), known)
    if phase is Phase.QUAKE and not acting:
        raise ValueError("phase: in a quake a die that is no null has its pawn on the board; give dice and pawns")
    if phase is not Phase.QUAKE and data.get("remaining"):
        raise ValueError(f"remaining: only in a quake pawns remain to move, not in the phase {phase}")
    acting = acting if phase is Phase.QUAKE else []
    return replace(state, dice=(suns, moons, crowns, arms), remaining=tuple(acting), phase=phase)


_WORDS = re.compile(r"[^a-z0-9-]+")


def read_shorthand(state: State, text: str) -> Action | None:
    """ "found S 3 14", "S4@(3,14)", "epicenter M r2c1", "die S", "roll 1 0 3 5"."""
    if re.match(r"[a-z_]+(\(|\Z)", text):
        return None
    words = [word for word in _WORDS.split(text.lower().replace("@", " @ ")) if word]
    try:
        if words[0] in ("die", "resolve") and len(words) == 2:
            return Action("resolve", (parse_suit(words[1]).value,))
        if words[0] == "roll" and len(words) == 5:
            return Action("roll", (write_dice(zip(SUITS, map(parse_rank, words[1:]), strict=True)),))
        if words[0] in ("found", "epicenter"):
            return Action(words[0], (parse_suit(words[1][:1]).value, _typed_place(state, words[2:])))
        if "@" in text:
            return Action("found", (parse_suit(words[0][:1]).value, _typed_place(state, words[1:])))
        return None
    except (ValueError, IndexError):
        return None


def _typed_place(state: State, words: list[str]) -> str:
    """ "3 14", "x3y14", or the first free space of a tile "r2c1"."""
    if len(words) == 2:
        return name_of((int(words[0]), int(words[1])))
    if words[0] in state.terrain.tiles:
        return name_of(free_space(state, words[0]))
    return words[0]
