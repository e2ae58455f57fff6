"""Course of a quake: dice shift tiles, cities fall, islands sink (SAND-5.1 to 5.15). Places for cities and epicenters
(SAND-2.8, SAND-4); scores and outcome (SAND-5.26)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Code, EffectKind, Outcome, Refusal, Spot
from rules.engine.deed import Narration, TellingDeed
from rules.engine.open_grid import Cell, cell_of, name_of
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.san_andreas.geometry import SHIFTS, Shifted, Terrain, beside, cells_of, islands, without
from rules.games.san_andreas.opening import City, Dice, Epicenter, Phase, State
from rules.pieces import SUITS, Piece, Rank, Suit, coin, die, parse_rank, pawn, tile
from rules.sentence import Sentence, say
from rules.table.layout import Zone


def taken_cells(state: State) -> set[Cell]:
    """Spaces with a coin or pawn, also a piece that marks its covered tile (SAND-5.11)."""
    pawns = {state.cell(stands) for stands in state.pawns if stands}
    return pawns | {state.cell(city) for city in state.cities}


def founding_cells(state: State) -> list[Cell]:
    """Spaces for any city (SAND-4.1)."""
    ground = state.terrain
    limit = state.options.steep_limit
    bad = taken_cells(state)
    for city in state.cities:
        bad.update(beside(state.cell(city)))
    return [
        cell
        for name, shown in ground.shown.items()
        if ground.leans[name] == (0, 0) or ground.steepness(name) <= limit
        for _, cell in shown
        if cell not in bad
    ]


def epicenter_cells(state: State) -> list[Cell]:
    """Spaces for any pawn (SAND-4.2)."""
    ground = state.terrain
    taken = taken_cells(state)
    return [cell for name in ground.coastal for _, cell in ground.shown[name] if cell not in taken]


def free_space(state: State, tile: str) -> Cell:
    """A visible space of a tile without coin and pawn, or just its first one."""
    taken = taken_cells(state)
    free = [cell for _, cell in state.terrain.shown[tile] if cell not in taken]
    return free[0] if free else cells_of(state.terrain.tiles[tile])[0]


def bad(clause: str, text: Sentence, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:20]})


def suit_named(text: str) -> Suit | None:
    return next((suit for suit in SUITS if suit.value == text), None)


def rank_named(text: str) -> Rank | None:
    try:
        return parse_rank(text)
    except ValueError:
        return None


def city_on(state: State, place: str) -> int:
    """The index of the city on a place where there is one."""
    index = state.city_at(cell_of(place) or (0, 0))
    assert index is not None, "only legal actions are applied"
    return index


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = max(state.scores)
    winners = leaders(dict(enumerate(state.scores)))
    if len(winners) > 1:
        why = say("a player has played all coins; {best} is the highest total, and shared", best=best)
    else:
        why = say("a player has played all coins; {best} is the highest total", best=best)
    return Outcome(True, winners, state.scores, why, "SAND-5.26")


class SandDeed(TellingDeed[State, Narration[State]]):
    """Base of the deeds of San Andreas."""


SUPPLY = Spot(zone=Zone.SUPPLY)


def spot(cell: Cell) -> Spot:
    return Spot(name_of(cell), *cell)


def tile_spot(name: str, corner: Cell) -> Spot:
    return Spot(name, corner[0] + 0.5, corner[1] + 0.5)


def pass_turn(narration: Narration[State], clause: str = "") -> None:
    following = (narration.state.to_act + 1) % narration.state.seats
    narration.tell(EffectKind.TURN, seat=following, clause=clause)
    narration.set(phase=Phase.TURN, to_act=following)


def roll(narration: Narration[State], dice: Dice) -> None:
    """Roll the dice (SAND-5.1); nulls shift nothing and need no decision (SAND-5.3)."""
    seat = narration.state.to_act
    for suit, top in zip(SUITS, dice, strict=True):
        narration.tell(EffectKind.ROLL, die(suit, top), f"die-{suit}", seat=seat, clause="SAND-5.1")
    narration.set(dice=dice)
    acting = tuple(suit for suit, top in zip(SUITS, dice, strict=True) if top)
    if acting:
        narration.set(phase=Phase.QUAKE, remaining=acting)
        tell_dice_left(narration)
    elif narration.state.options.all_null == "reroll":
        narration.tell_phase("SAND-8.1", "roll again")
    else:
        for suit in SUITS:
            _return_pawn(narration, suit, "SAND-8.1")
        pass_turn(narration, "SAND-8.1")


def tell_dice_left(narration: Narration[State]) -> None:
    narration.tell_phase("SAND-5.2", Phase.QUAKE.value, dice=[suit.value for suit in narration.state.remaining])


def resolve(narration: Narration[State], suit: Suit) -> None:
    """One die: its tile shifts, its pawn returns. The caller goes on with `begin_scoring` after the last one."""
    state = narration.state
    epicenter = state.pawns[SUITS.index(suit)]
    top = state.dice[SUITS.index(suit)]
    assert epicenter is not None, "a die that is left to resolve has its pawn on the board"
    assert top is not None, "and has been rolled"
    before = state.terrain
    moved = state.shifted(epicenter.tile, top)
    _tell_shift(narration, epicenter.tile, suit, top, moved)
    narration.set(tiles=moved.tiles, above=moved.above, remaining=_without_suit(state.remaining, suit))
    _return_pawn(narration, suit, "SAND-5.4")
    _destroy(narration, before)
    for covered, stands in zip(SUITS, narration.state.pawns, strict=True):
        state = narration.state
        if stands is None or state.terrain.top(state.cell(stands)) == stands.tile:
            continue
        if state.options.covered_epicenter == "cancelled":
            _return_pawn(narration, covered, "SAND-8.9")
            narration.set(remaining=_without_suit(state.remaining, covered))
        else:
            _step_aside(narration, covered, stands)


def _without_suit(suits: Iterable[Suit], gone: Suit) -> tuple[Suit, ...]:
    return tuple(suit for suit in suits if suit is not gone)


def _tell_shift(narration: Narration[State], name: str, suit: Suit, top: Rank, moved: Shifted) -> None:
    how = SHIFTS[top]
    facts: Facts = {
        "tile": name,
        "die": suit.value,
        "shows": int(top),
        "direction": how.direction,
        "edge": "lift" if how.lifts else "dip",
        "now_over": list(moved.over),
        "now_under": list(moved.under),
        "pinned": list(moved.pinned),
    }
    ends = (tile_spot(name_of(corner), corner) for corner in (moved.source, moved.target))
    clause = "SAND-5.8" if moved.pinned else "SAND-5.3"
    narration.tell(EffectKind.MOVE, tile(), name, *ends, narration.state.to_act, clause=clause, facts=facts)
    _tell_riders(narration, name, moved)


def _tell_riders(narration: Narration[State], name: str, moved: Shifted) -> None:
    """Tell the moves of the pieces on the tile, which travel with it (SAND-5.6)."""
    state = narration.state
    east, north = moved.target[0] - moved.source[0], moved.target[1] - moved.source[1]
    riders: list[tuple[Piece, str, Cell]] = []
    riders += [(coin(c.coin.suit), c.coin.key, state.cell(c)) for c in state.cities if c.tile == name]
    pawns = zip(SUITS, state.pawns, strict=True)
    riders += [(pawn(suit), f"pawn-{suit}", state.cell(p)) for suit, p in pawns if p and p.tile == name]
    for piece, key, (x, y) in riders:
        narration.tell(EffectKind.MOVE, piece, key, spot((x, y)), spot((x + east, y + north)), clause="SAND-5.6")


def _destroy(narration: Narration[State], before: Terrain) -> None:
    """Destroy cities on tiles whose lean has changed (SAND-5.9), then covered ones (SAND-5.10)."""
    state = narration.state
    ground = state.terrain
    tilted = {name for name in ground.tiles if ground.leans[name] != before.leans[name]}
    for name in sorted(tilted):
        facts: Facts = {"lean": _lean_words(ground.leans[name]), "before": _lean_words(before.leans[name])}
        where = tile_spot(name, ground.tiles[name])
        narration.tell(EffectKind.ROTATE, tile(), name, where, clause="SAND-5.9", facts=facts)
    lost = {city: ("SAND-5.9", "tilted") for city in state.cities if city.tile in tilted}
    for city in state.cities:
        if ground.top(state.cell(city)) != city.tile:
            lost.setdefault(city, ("SAND-5.10", "buried"))
    _ruin(narration, lost)


def _lean_words(lean: tuple[int, int]) -> str:
    east, north = lean
    parts = [f"{'east' if east > 0 else 'west'} side up by {abs(east)}"] if east else []
    parts += [f"{'north' if north > 0 else 'south'} side up by {abs(north)}"] if north else []
    return " and ".join(parts) or "flat"


def _ruin(narration: Narration[State], lost: dict[City, tuple[str, str]]) -> None:
    state = narration.state
    for city, (clause, why) in lost.items():
        seat = state.owner(city.coin.suit)
        ends = spot(state.cell(city)), Spot(zone=Zone.SPENT, seat=seat)
        facts: Facts = {"why": why, "tile": city.tile}
        narration.tell(
            EffectKind.REMOVE, coin(city.coin.suit), city.coin.key, *ends, seat=seat, clause=clause, facts=facts
        )
    left = tuple(city for city in state.cities if city not in lost)
    narration.set(cities=left, ruins=state.ruins + tuple(city.coin for city in lost))


def _return_pawn(narration: Narration[State], suit: Suit, clause: str) -> None:
    state, index = narration.state, SUITS.index(suit)
    stands = state.pawns[index]
    if stands is not None:
        ends = spot(state.cell(stands)), SUPPLY
        narration.tell(EffectKind.REMOVE, pawn(suit), f"pawn-{suit}", *ends, clause=clause)
        narration.set(pawns=with_item(state.pawns, index, None))


def _step_aside(narration: Narration[State], suit: Suit, stands: Epicenter) -> None:
    state = narration.state
    taken = taken_cells(state)
    free = [corner for corner, cell in state.terrain.shown[stands.tile] if cell not in taken]
    if free:
        moved = Epicenter(stands.tile, free[0])
        ends = spot(state.cell(stands)), spot(state.cell(moved))
        narration.tell(EffectKind.MOVE, pawn(suit), f"pawn-{suit}", *ends, clause="SAND-5.11")
        narration.set(pawns=with_item(state.pawns, SUITS.index(suit), moved))


def remove_islands(narration: Narration[State]) -> None:
    """Remove islands and what stands on them (SAND-5.15)."""
    state = narration.state
    gone: set[str] = set()
    for group in islands(state.terrain.tiles):
        gone |= set(group)
        facts: Facts = {"places": list(group), "why": "surrounded by ocean"}
        narration.tell(EffectKind.COLLAPSE, clause="SAND-5.15", facts=facts)
    if not gone:
        return
    _ruin(narration, {c: ("SAND-5.15", "on an island") for c in state.cities if c.tile in gone})
    for suit, stands in zip(SUITS, state.pawns, strict=True):
        if stands and stands.tile in gone:
            _return_pawn(narration, suit, "SAND-5.15")
    for name in sorted(gone):
        where = tile_spot(name, state.terrain.tiles[name])
        narration.tell(EffectKind.REMOVE, tile(), name, where, Spot(zone=Zone.SPENT), clause="SAND-5.15")
    tiles, above = without(state.tiles, state.above, gone)
    narration.set(tiles=tiles, above=above)
