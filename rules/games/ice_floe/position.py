"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat, fields
from rules.engine.values import replace
from rules.games.ice_floe.floes import weight_on
from rules.games.ice_floe.geometry import NAMES, read_cell
from rules.games.ice_floe.opening import (
    CAPACITY,
    COIN_PHASES,
    LOST,
    NUMBER_PHASES,
    TILES,
    UNPLACED,
    Options,
    Phase,
    State,
    find_pyramid,
    opening_state,
)
from rules.games.ice_floe.rounds import COIN_WORTH, after_votes, final_scoring, next_coin, numbers_left, open_ballot
from rules.pieces import parse_rank, parse_suit

FIELDS = (
    "tiles", "holes", "gone", "pyramids", "phase", "to_act", "torch", "round", "scores", "coins", "votes",
    "number", "target", "sanctioned",
)  # fmt: skip
_BEGINNINGS = (Phase.PLACE, Phase.MOVE, Phase.NUMBER, Phase.SUIT, Phase.EXPLODE, Phase.BONUS, Phase.SCORE, "final")


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    fields.refuse_unknown("ice_floe", data, FIELDS)
    start = opening_state(replace(options, choose_sets=False), seats)
    floes = _floes(data, start)
    torch = fields.a_seat("torch", data.get("torch", 0), start.suits)
    sanctioned = fields.a_list("sanctioned", data.get("sanctioned", []), '["S"]')
    state = replace(
        start,
        options=options,
        floes=floes,
        rolling=(),
        torch=torch,
        to_act=fields.a_seat("to_act", data.get("to_act", torch), start.suits),
        round=fields.a_number("round", data.get("round", 1), 0, 999),
        scores=fields.points_by_seat("scores", data.get("scores", {}), start.suits),
        coins=_coins(data.get("coins", {}), start),
        sanctioned=tuple(fields.a_seat("sanctioned", seat, start.suits) for seat in sanctioned),
    )
    return _in_phase(_with_pyramids(state, data.get("pyramids")), data)


def _coins(value: object, state: State) -> tuple[int, ...]:
    """Voting coins that are left, as in {"S": ["a", "2"]}; by default both."""
    found = [sum(COIN_WORTH.values())] * state.players
    for who, coins in fields.an_object("coins", value, '{"S": ["a", "2"]}').items():
        letters = {parse_rank(str(coin)).letter for coin in fields.a_list("coins", coins, '["a", "2"]')}
        worth = sum(COIN_WORTH[fields.one_of("coins", letter, COIN_WORTH)] for letter in letters)
        found[fields.a_seat("coins", who, state.suits)] = worth
    return tuple(found)


def _tile(value: object) -> str:
    text = str(value).strip().removeprefix("t")
    name = text[:1].upper() + (parse_rank(text[1:]).letter if text[1:] else "")
    if name not in TILES:
        raise fields.no_such("tile", value, "S4 or Mn")
    return name


def _floes(data: Mapping[str, object], start: State) -> tuple[str, ...]:
    """`tiles` lists all that are left; `holes` and `gone` take some away from the first board."""
    floes = list(start.floes)
    if "tiles" in data:
        floes = [""] * len(floes)
        for cell, name in fields.an_object("tiles", data["tiles"], '{"a1": "A4"}').items():
            floes[read_cell(cell)] = _tile(name)
    for hole in fields.a_list("holes", data.get("holes", []), '["a1"]'):
        floes[read_cell(hole)] = ""
    gone = {_tile(name) for name in fields.a_list("gone", data.get("gone", []), '["S4"]')}
    floes = ["" if tile in gone else tile for tile in floes]
    names = [name for name in floes if name]
    fields.each_once("tiles", names)
    if not names:
        raise ValueError("at least one tile must be left")
    if not set(names) <= set(start.floes):
        raise ValueError("with three players the corner tiles S2, M3, A4 and C5 are not used")
    return tuple(floes)


def _with_pyramids(state: State, value: object) -> State:
    """Pyramids that are not named are lost; without the field nothing has been placed yet."""
    if value is None:
        return state
    pyramids = [LOST] * len(state.pyramids)
    spots = [0] * len(state.pyramids)
    for name, place in fields.an_object("pyramids", value, '{"S-A": "a1"}').items():
        index = find_pyramid(state, str(name).removeprefix("y"))
        if index is None:
            raise fields.no_such("pyramid of these players", name, "S-A")
        cell = read_cell(place)
        if not state.floes[cell]:
            raise ValueError(f"{name} cannot stand on a hole")
        spots[index] = pyramids.count(cell)
        pyramids[index] = cell
    if any(weight_on(tuple(pyramids), cell) > CAPACITY for cell in set(pyramids) - {LOST}):
        raise ValueError(f"no tile can carry more than {CAPACITY}")
    return replace(state, pyramids=tuple(pyramids), spots=tuple(spots))


def _in_phase(state: State, data: Mapping[str, object]) -> State:
    default = Phase.MOVE if "pyramids" in data else Phase.PLACE
    phase = fields.one_of("phase", data.get("phase", default), _BEGINNINGS)
    if phase == "final":
        return final_scoring(state)
    if phase == Phase.EXPLODE:
        target = _tile(data.get("target", ""))
        if target not in state.floes:
            raise ValueError(f"{target} is not on the board")
        if "to_act" in data and state.to_act != state.torch:
            raise ValueError("to_act: who holds the torch explodes the tile; give torch")
        return replace(state, phase=Phase.EXPLODE, target=target, number=target[1:], to_act=state.torch)
    if phase == Phase.PLACE and UNPLACED not in state.pyramids:
        raise ValueError("phase place is for a position without pyramids")
    if phase in (Phase.NUMBER, Phase.SUIT):
        return _with_votes(state, Phase(phase), data)
    return replace(state, phase=Phase(phase))


def _with_votes(state: State, phase: Phase, data: Mapping[str, object]) -> State:
    """The state with open votes; when all are given they are uncovered and coins may be added."""
    if phase == Phase.SUIT:
        number = parse_rank(str(data.get("number", ""))).letter
        if number not in numbers_left(state.floes):
            raise ValueError(f"no tile of value {number} is left")
        state = replace(state, number=number)
    state = open_ballot(state, phase)
    votes = [""] * state.players
    for voter, vote in fields.an_object("votes", data.get("votes", {}), '{"S": "5"}').items():
        choice = parse_rank(str(vote)) if phase in NUMBER_PHASES else parse_suit(str(vote))
        votes[fields.a_seat("votes", voter, state.suits)] = choice.letter
    after = after_votes(state, tuple(votes)) if any(votes) and state.phase == phase else state
    if "to_act" not in data or after.phase not in COIN_PHASES:
        return after
    return next_coin(replace(after, to_act=fields.a_seat("to_act", data["to_act"], after.suits)))


def read_shorthand(state: State, text: str) -> Action | None:
    """ "S-A a2 c4" or "S-A (0,1) (2,3)" moves or places, "slide c2 N" slides."""
    words = text.replace(">", " ").split()
    if not 2 <= len(words) <= 3:
        return None
    try:
        if words[0] == "slide" and len(words) == 3:
            return Action("slide", (NAMES[read_cell(words[1])], words[2].upper()[:1]))
        if find_pyramid(state, words[0]) is None:
            return None
        path = ">".join(NAMES[read_cell(word)] for word in words[1:])
    except ValueError:
        return None
    return Action("place" if state.phase == Phase.PLACE else "move", (words[0], path))
