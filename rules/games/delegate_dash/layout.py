"""Layout: 24 states, fanned coins, pawns, four areas and the pool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rules.engine import Spot
from rules.games.delegate_dash import chart
from rules.games.delegate_dash.opening import AREA, ASIDE, DICE_PHASES, NOBODY, POOL, Phase, State, area_seat
from rules.pieces import RANKS, Face, die, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

_FAN = 1.3  # width of the row of pieces in one state, in spaces,
_ABREAST = 0.48  # and least distance of two pawns, so that none stands on another
_LOWER, _UPPER = -0.45, 0.45


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    _put_states(build, state)
    lying: dict[int, list[int]] = defaultdict(list)
    for marker, spot in enumerate(state.spots):
        lying[spot].append(marker)
    for spot in sorted(lying):
        if spot <= chart.GAP:
            _put_coins(build, state, spot, [marker for marker in lying[spot] if marker < chart.COINS])
            _put_pawns(build, spot, [marker for marker in lying[spot] if marker >= chart.COINS])
    for candidate, value in enumerate(_shown_dice(state)):
        suit = chart.REGION_SUITS[candidate]
        piece = die(suit, None if value is None else RANKS[value])
        build.aside(Zone.HAND, piece, key=f"die-{suit}", seat=area_seat(state, state.holder))
    for marker in range(chart.MARKERS):
        _put_aside(build, state, marker)
    return build.layout()


def _shown_dice(state: State) -> tuple[int | None, ...]:
    """Dice values of the layout; none while a throw is expected, when the dice may show anything."""
    if state.phase is Phase.ROLL:
        return NOBODY
    if state.dice != NOBODY or state.phase in DICE_PHASES:
        return state.dice
    return state.roll


def _put_states(build: LayoutBuilder, state: State) -> None:
    for cell in range(chart.GAP):
        x, y = chart.spot_at(cell)
        build.place(chart.NAMES[cell], x, y, 2.0, 2.0)
        value = 0 if cell in chart.NULLS else state.tiles[cell]
        if value is not None:
            piece = tile(chart.REGION_SUITS[chart.REGION_OF[cell]], RANKS[value])
            build.put(piece, x, y, key=f"tile-{piece.code[1:]}", face=Face.FRONT, place=chart.NAMES[cell])
    build.place(chart.NAMES[chart.GAP], *chart.spot_at(chart.GAP), 2.0, 2.0)
    laid = set(zip(chart.REGION_OF, state.tiles, strict=True))
    for region, suit in enumerate(chart.REGION_SUITS):
        for rank in RANKS[1:]:
            if (region, int(rank)) not in laid:
                build.aside(Zone.SUPPLY, tile(suit, rank), key=f"tile-{suit.letter}{int(rank)}", face=Face.FRONT)


def _fan_offset(count: int, index: int, least: float = 0.0) -> float:
    step = max(least, min(0.8, _FAN / (count - 1))) if count > 1 else 0.0
    return (index - (count - 1) / 2) * step


def _put_coins(build: LayoutBuilder, state: State, spot: int, coins: Sequence[int]) -> None:
    """Coins at stake lie value side up, unseen ones suit side up."""
    x, y = chart.spot_at(spot)
    for index, coin in enumerate(coins):
        face = Face.BACK if state.ranks[coin] is None else Face.FRONT
        piece = chart.marker_piece(coin, state.ranks[coin])
        east = x + _fan_offset(len(coins), index)
        build.put(piece, east, y + _LOWER, key=chart.marker_key(coin), face=face, level=1, place=chart.NAMES[spot])


def _put_pawns(build: LayoutBuilder, spot: int, pawns: Sequence[int]) -> None:
    x, y = chart.spot_at(spot)
    for index, pawn in enumerate(pawns):
        east = x + _fan_offset(len(pawns), index, _ABREAST)
        level = 0 if spot == chart.GAP else 1
        piece = chart.marker_piece(pawn, None)
        build.put(piece, east, y + _UPPER, key=chart.marker_key(pawn), level=level, place=chart.NAMES[spot])


def spot_of(state: State, where: int) -> Spot:
    if where == POOL:
        return Spot("pool", zone=Zone.SPENT)
    if where == ASIDE:
        return Spot(zone=Zone.SUPPLY)
    if where >= AREA:
        return Spot(zone=Zone.HAND, seat=area_seat(state, where - AREA))
    x, y = chart.spot_at(where)
    return Spot(chart.NAMES[where], x, y)


def _put_aside(build: LayoutBuilder, state: State, marker: int) -> None:
    where = state.spots[marker]
    if where <= chart.GAP:
        return
    rank = None if marker >= chart.COINS else state.ranks[marker]
    piece, key = chart.marker_piece(marker, rank), chart.marker_key(marker)
    face = None if marker >= chart.COINS else Face.BACK if rank is None else Face.FRONT
    spot = spot_of(state, where)
    build.aside(spot.zone, piece, key=key, seat=spot.seat, face=face)
