"""Actions that explain a change of the table, found without trying thousands.

The camera sees the result of several steps, of several players, and perhaps of the sinking as well. A pawn that is gone
together with a tile stood on that tile; a player who is not the last to act moves the pawns part of the way.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.engine.throws import throw_seen
from rules.games.global_warming.cells import is_cell
from rules.games.global_warming.coins import SIDES, identity, other_sides, shows_suit, side_of
from rules.games.global_warming.layout import LINE_Y, cell_at
from rules.games.global_warming.opening import LINE_LENGTH, TILE_INDEX, TILES, Phase, State
from rules.games.global_warming.turns import arrange, quota, shortest_way
from rules.pieces import Kind
from rules.table.change import Change
from rules.table.layout import Placed, Zone


def suggestions(state: State, change: Change) -> Iterator[Action]:
    if state.phase == Phase.ACTIONS:
        face = state.faces[state.order[0]]
        if face == "n":
            for placed in _seen_on_board(change, Kind.TILE):
                code = placed.piece.code
                if code in TILE_INDEX:
                    yield Action("move_tile", (state.tiles[TILE_INDEX[code]], _place(placed)))
            yield Action("decline")
        else:
            yield from _pawns(state, change, quota(face))
    elif state.phase in _SUGGEST:
        yield from _SUGGEST[state.phase](state, change)


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Possible attempts, legal or not. Unmoved pawns are no attempt; a missing tile is a sinking at the wrong time."""
    for action in suggestions(state, change):
        if action != arrange(state, state.pawns):
            yield action
    if state.phase == Phase.ACTIONS and _gone(change, Kind.TILE):
        yield from _sink(state, change)


def _seen_on_board(change: Change, kind: Kind) -> list[Placed]:
    """Pieces of a kind that are new on the board or lie differently there."""
    return [p for p in change.placed if p.piece.kind is kind and p.zone is Zone.BOARD]


def _gone(change: Change, kind: Kind) -> list[Placed]:
    """Pieces of a kind that left the board."""
    left = [move.before for move in change.moved if move.after.zone is not Zone.BOARD]
    return [p for p in [*change.removed, *left] if p.piece.kind is kind and p.zone is Zone.BOARD]


def _place(placed: Placed) -> str:
    return placed.place if is_cell(placed.place) else cell_at(placed.x, placed.y)


def _deal(_state: State, change: Change) -> Iterator[Action]:
    lying = {_place(p): p.piece.code for p in _seen_on_board(change, Kind.TILE)}
    places = sorted(lying, key=lambda place: (-int(place.split("/")[1]), int(place.split("/")[0])))
    yield Action("deal_island", ("+".join(lying[place] for place in places),))


def _start(state: State, change: Change) -> Iterator[Action]:
    """Placements of the pawns that now stand, up to the first that is still missing."""
    standing = {p.piece.suit: _place(p) for p in _seen_on_board(change, Kind.PAWN)}
    coins = []
    for suit, place in zip(state.suits, state.pawns, strict=True):
        if place:
            continue
        if standing.get(suit) not in state.tiles:
            break
        coins.append("c" + TILES[state.tiles.index(standing[suit])].code[1:])
    if coins:
        yield Action("draw_start", ("+".join(coins),))


def _sides(change: Change) -> list[str]:
    """Coins newly on the board, from the left."""
    coins = sorted(_seen_on_board(change, Kind.COIN), key=lambda p: p.x)
    return [p.shown.code for p in coins]


def _line(_state: State, change: Change) -> Iterator[Action]:
    sides = _sides(change)
    if len(sides) == LINE_LENGTH:
        yield Action("open_line", ("+".join(sides),))


def _select(state: State, change: Change) -> Iterator[Action]:
    """All dice at once when every covered die is uncovered; a single turned die may be one that is being set."""
    if throw := throw_seen(change, [state.suits[index] for index in state.alive if not state.faces[index]]):
        yield Action("reveal", (throw,))


def _pawns(state: State, change: Change, steps: int) -> Iterator[Action]:
    pawns = list(state.pawns)
    for placed in _seen_on_board(change, Kind.PAWN):
        if placed.piece.suit in state.suits:
            pawns[state.suits.index(placed.piece.suit)] = _place(placed)
    tiles = [p.piece.code for p in _gone(change, Kind.TILE) if p.piece.code in TILE_INDEX]
    for placed in _gone(change, Kind.PAWN):
        if placed.piece.suit in state.suits and tiles:
            pawns[state.suits.index(placed.piece.suit)] = state.tiles[TILE_INDEX[tiles[0]]]
    goal = tuple(pawns)
    later = sum(quota(state.faces[index]) for index in state.order[1:] if state.faces[index] != "n")
    way = shortest_way(state.tiles, state.pawns, goal, steps + later)
    if way is None or not later or len(way) - 1 <= steps:
        yield arrange(state, goal)
    if way is None or not later:
        return
    for reached in range(min(steps, len(way) - 1), -1, -1):
        if reached % 2 == steps % 2 and len(way) - 1 - reached <= later:
            yield arrange(state, way[reached])


def _sink(state: State, change: Change) -> Iterator[Action]:
    """Sinkings of the missing tile or of the turned coin; the new coin lies at the right."""
    new = _new_coins(state, change)
    for revealed in _revealed_sides(state, change):
        for side in new:
            yield Action("sink", (side, revealed))


def _new_coins(state: State, change: Change) -> list[str]:
    if state.bag == 0:
        return ["-"]
    # A coin that seems to have moved within the line may be a new one that shows the same.
    in_line = sorted((p for p in _seen_on_board(change, Kind.COIN) if abs(p.y - LINE_Y) < 0.6), key=lambda p: -p.x)
    new = [p.shown.code for p in in_line]
    if not in_line:
        fresh = [p for p in change.added if p.piece.kind is Kind.COIN and p.zone is Zone.BOARD]
        fresh += [m.after for m in change.moved if m.after.piece.kind is Kind.COIN and m.before.zone is Zone.SUPPLY]
        new = [*(p.shown.code for p in fresh), *_sides(change)[-1:]]
    return [side for side in dict.fromkeys(new) if side in SIDES] or list(SIDES)


def _revealed_sides(state: State, change: Change) -> list[str]:
    possible = other_sides(state.line[0], state.sunk)
    turned = [p.shown.code for p in _seen_on_board(change, Kind.COIN)]
    # A tile at another place has sunk, since none is moved in this phase.
    elsewhere = [m.before for m in change.moved if m.before.piece.kind is Kind.TILE and m.before.zone is Zone.BOARD]
    tiles = [p.piece.code for p in (*_gone(change, Kind.TILE), *elsewhere)]
    want_suit = not shows_suit(state.line[0])
    turned += [side_of(TILE_INDEX[code], want_suit) for code in tiles if code in TILE_INDEX]
    found = [side for side in possible if side in turned]
    by_tile = [side for side in found if TILES[identity(state.line[0], side) or 0].code in tiles]
    return by_tile or found or possible


_SUGGEST = {Phase.DEAL: _deal, Phase.START: _start, Phase.LINE: _line, Phase.SELECT: _select, Phase.SINK: _sink}
