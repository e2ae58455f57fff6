"""Deeds of the founding: one city or epicenter a turn (SAND-3.3, SAND-4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from rules.engine import Action, Code, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PLACE, SEAT, SUIT, Luck, PieceIcon
from rules.engine.deed import Narration
from rules.engine.open_grid import Cell, cell_of, name_of
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.san_andreas.deeds.quake import (
    SUPPLY,
    SandDeed,
    bad,
    epicenter_cells,
    founding_cells,
    pass_turn,
    spot,
    suit_named,
    taken_cells,
)
from rules.games.san_andreas.geometry import beside, is_land
from rules.games.san_andreas.opening import City, Coin, Epicenter, Phase, State
from rules.pieces import SUITS, Kind, Suit, coin, pawn
from rules.sentence import Person, say
from rules.table.layout import Zone

PASS = Action("pass")


class Begin(SandDeed):
    verb = Verb.of("begin", "seat {seat} begins", "SAND-3.3", luck=Luck.BEGIN, seat=SEAT)
    phases = (Phase.BEGIN,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("begin", (str(seat),)) for seat in range(state.seats))

    def check(self, state: State, action: Action) -> Refusal | None:
        if action[0] in {str(seat) for seat in range(state.seats)}:
            return None
        return bad(
            "SAND-3.3",
            say("the seats are 0 to {seats}; there is no “{given}”", seats=state.seats - 1, given=action[0][:20]),
            action[0],
        )

    def play(self, narration: Narration[State], action: Action) -> None:
        seat = int(action[0])
        narration.tell(EffectKind.CHOOSE, seat=seat, clause="SAND-3.3", facts={"choice": "begins"})
        narration.tell(EffectKind.TURN, seat=seat)
        narration.set(phase=Phase.TURN, to_act=seat)


class Found(SandDeed):
    verb = Verb.of(
        "found",
        "found a city of {suit} on {cell}",
        "SAND-4.1",
        lays=PieceIcon(Kind.COIN, suit="suit"),
        suit=SUIT,
        cell=PLACE,
    )
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        suits = _suits_in_hand(state)
        cells = founding_cells(state) if suits else []
        return (_on_cell("found", suit, cell) for suit in suits for cell in cells)

    def sample(self, state: State, rng: random.Random) -> Action | None:
        """Any legal action of the turn with equal probability, without listing all."""
        coins = _suits_in_hand(state)
        found = ("found", coins, founding_cells(state) if coins else [])
        choices = found, ("epicenter", _pawns_in_supply(state), epicenter_cells(state))
        weights = [len(suits) * len(cells) for _, suits, cells in choices]
        if not any(weights):
            return None
        what, suits, cells = rng.choices(choices, weights)[0]
        return _on_cell(what, rng.choice(suits), rng.choice(cells))

    def check(self, state: State, action: Action) -> Refusal | None:
        suit = suit_named(action[0])
        if suit is None:
            return bad("SAND-1.2", say("a city has a suit: suns, moons, crowns or arms"), action[0])
        if suit not in state.suits_of(state.to_act):
            owner = state.owner(suit) if suit in state.suits else None
            text = (
                say("{suit} is not in this game", suit=suit)
                if owner is None
                else say(
                    "cities of {suit} are founded by {owner}, not by {active}",
                    suit=suit,
                    owner=Person(owner),
                    active=Person(state.to_act),
                )
            )
            return Refusal(Code.NOT_YOURS, "SAND-1.2", text, {"suit": suit.value, "owner": owner})
        if not state.in_hand(suit):
            text = say("all six coins of {suit} have been played", suit=suit)
            return Refusal(Code.NO_SUCH_PIECE, "SAND-4.1", text, {"suit": suit.value})
        return _space(state, action, "SAND-4.1") or _ground(state, cell_of(action[1]))

    def play(self, narration: Narration[State], action: Action) -> None:
        state, suit = narration.state, Suit(action[0])
        tile, corner, cell = _target(state, action)
        index = state.suits.index(suit)
        played = Coin(suit, state.founded[index])
        facts: Facts = {"tile": tile, "left_in_hand": state.in_hand(suit) - 1}
        ends = Spot(zone=Zone.HAND, seat=state.to_act), spot(cell)
        narration.tell(EffectKind.PLACE, coin(suit), played.key, *ends, state.to_act, clause="SAND-4.1", facts=facts)
        founded = with_item(state.founded, index, state.founded[index] + 1)
        narration.set(founded=founded, cities=(*state.cities, City(played, tile, corner)))
        pass_turn(narration)


class PlaceEpicenter(SandDeed):
    verb = Verb.of("epicenter", "the {pawn} pawn on {cell}", "SAND-4.2", pawn=SUIT, cell=PLACE)
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        cells = epicenter_cells(state)
        return (_on_cell("epicenter", suit, cell) for suit in _pawns_in_supply(state) for cell in cells)

    def check(self, state: State, action: Action) -> Refusal | None:
        suit = suit_named(action[0])
        if suit is None:
            return bad("SAND-4.2", say("an epicenter is one of the pawns suns, moons, crowns and arms"), action[0])
        stands = state.pawns[SUITS.index(suit)]
        if stands:
            text = say("the {pawn} pawn is on {tile} already", pawn=suit, tile=stands.tile)
            return Refusal(Code.NO_SUCH_PIECE, "SAND-4.2", text, {"pawn": suit.value, "tile": stands.tile})
        if refusal := _space(state, action, "SAND-4.2"):
            return refusal
        cell = cell_of(action[1])
        tile = state.terrain.top(cell) if cell else None
        if tile not in state.terrain.coastal:
            text = say("{tile} is not on the coast: none of its spaces is orthogonally next to the ocean", tile=tile)
            return Refusal(Code.NOT_ALLOWED, "SAND-4.2", text, {"tile": tile, "coastal": sorted(state.terrain.coastal)})
        return None

    def play(self, narration: Narration[State], action: Action) -> None:
        state, suit = narration.state, Suit(action[0])
        tile, corner, cell = _target(state, action)
        piece, ends = (pawn(suit), f"pawn-{suit}"), (SUPPLY, spot(cell))
        narration.tell(EffectKind.PLACE, *piece, *ends, state.to_act, clause="SAND-4.2", facts={"tile": tile})
        narration.set(pawns=with_item(state.pawns, SUITS.index(suit), Epicenter(tile, corner)))
        if None in narration.state.pawns:
            return pass_turn(narration)
        narration.tell_phase("SAND-5.1", Phase.ROLL.value)
        return narration.set(phase=Phase.ROLL)


class Pass(SandDeed):
    verb = Verb.of("pass", "pass, because nothing else is possible", "SAND-4.3")
    phases = (Phase.TURN,)
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        coins = _suits_in_hand(state)
        cell = next(chain(founding_cells(state) if coins else (), epicenter_cells(state)), None)
        if cell is None:
            return None
        text = say(
            "whoever can found a city or place an epicenter must do so; for example on {place}", place=name_of(cell)
        )
        return Refusal(Code.MUST_MOVE, "SAND-4.3", text)

    def play(self, narration: Narration[State], action: Action) -> None:
        narration.tell_choice("SAND-4.3", "pass")
        pass_turn(narration)


def _suits_in_hand(state: State) -> list[Suit]:
    return [suit for suit in state.suits_of(state.to_act) if state.in_hand(suit)]


def _pawns_in_supply(state: State) -> list[Suit]:
    return [suit for suit, stands in zip(SUITS, state.pawns, strict=True) if not stands]


@lru_cache(maxsize=4096)
def _on_cell(what: str, suit: Suit, cell: Cell) -> Action:
    return Action(what, (suit.value, name_of(cell)))


def _target(state: State, action: Action) -> tuple[str, int, Cell]:
    """Tile and corner under a cell on which something is put, and the cell."""
    cell = cell_of(action[1])
    assert cell is not None, "only legal actions are applied"
    stands = state.terrain.corner_at(cell)
    assert stands is not None, "only legal actions are applied"
    return *stands, cell


def _space(state: State, action: Action, clause: str) -> Refusal | None:
    """Refusal unless the space is visible and has no coin or pawn (SAND-2.8)."""
    cell = cell_of(action[1])
    if cell is None:
        return bad("SAND-2.1", say("a space is written x3y14: third column from the west, fourteenth row"), action[1])
    place = name_of(cell)
    stack = state.terrain.stacks.get(cell)
    if stack is None:
        what = say("land beyond the border") if is_land(cell) else say("no tile: open water or a hole")
        return Refusal(
            Code.NO_SUCH_PLACE, "SAND-2.8", say("on {place} there is {by}", place=place, by=what), {"place": place}
        )
    if state.terrain.top(cell) is None:
        text = say("{place} lies under the land border; nothing can be put there", place=place)
        return Refusal(Code.BLOCKED, "SAND-5.13", text, {"place": place, "tile": stack[-2]})
    if cell in taken_cells(state):
        what = say("a city") if state.city_at(cell) is not None else say("an epicenter")
        return Refusal(
            Code.OCCUPIED,
            clause,
            say("there is {by} on {place} already", by=what, place=place),
            {"place": place, "by": what.text},
        )
    return None


def _ground(state: State, cell: Cell | None) -> Refusal | None:
    """Refusal of a space for a city: too near to another, or too steep."""
    assert cell is not None, "_space has looked at it"
    near = [name_of(side) for side in beside(cell) if state.city_at(side) is not None]
    if near:
        text = say(
            "{place} is next to the city on {city}; only diagonally may cities touch", place=name_of(cell), city=near[0]
        )
        return Refusal(Code.NOT_ALLOWED, "SAND-4.1", text, {"place": name_of(cell), "cities": near})
    tile = state.terrain.top(cell) or ""
    steep, limit = state.terrain.steepness(tile), state.options.steep_limit
    if steep > limit:
        text = say(
            "{tile} leans by one thickness, too steep to hold a coin; it may be {limit} at most",
            "{tile} leans by {count} thicknesses, too steep to hold a coin; it may be {limit} at most",
            tile=tile,
            count=steep,
            limit=limit,
        )
        facts: Facts = {
            "tile": tile,
            "lean": list(map(str, state.terrain.leans[tile])),
            "steepness": steep,
            "limit": limit,
        }
        return Refusal(Code.LIMIT, "SAND-4.1", text, facts)
    return None
