"""Actions read from a change of the table (DECAY-2.23, 7); measured places are snapped to legal ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import copysign, hypot

from rules.engine import Action
from rules.engine.contract import AnyGame
from rules.games.decay import geometry
from rules.games.decay.deeds.agreement import ACCEPT, DECLINE, OFFER
from rules.games.decay.deeds.moving_tiles import SKIP, forbidden_to, move_action, tile_is_free, tile_prices
from rules.games.decay.deeds.narration import may_offer_draw
from rules.games.decay.deeds.slides import END_TURN, free_side, slides_of
from rules.games.decay.deeds.walking import END_PAWN, PAWN_STEP, step_action
from rules.games.decay.layout import U_PER_SPACE
from rules.games.decay.money import NOTHING, entry_payments, may_end_on, spell, suits_in
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Coins, Phase, State
from rules.pieces import SUITS, Face, Kind, Piece
from rules.pieces import pawn as pawn_of
from rules.table.change import Change
from rules.table.layout import Placed, Zone

_OVERLAP = 3.0  # largest measured overlap of touching tiles, in u


@dataclass(frozen=True, slots=True)
class Measured:
    """The relevant part of a change: present places of tiles and of the active pawn (in u), tiles removed from the
    board, coins spent or given."""

    tiles: dict[int, tuple[float, float]]
    gone: frozenset[int]
    pawn: tuple[float, float] | None
    spent: Coins
    given: Coins


def read_change(state: State, change: Change) -> Measured:
    tiles: dict[int, tuple[float, float]] = {}
    gone = {_tile_of(placed.piece) for placed in change.removed}
    pawn = None
    spent, given = [0] * len(LETTERS), [0] * len(LETTERS)
    pairs = [(move.before, move.after) for move in change.moved] + [(None, placed) for placed in change.added]
    for before, after in pairs:
        tile = _tile_of(after.piece)
        if tile is not None and after.zone is Zone.BOARD:
            tiles[tile] = _in_u(after)
        elif tile is not None:
            gone.add(tile)
        elif after.piece == pawn_of(SUITS[state.active_suit]) and after.zone is Zone.BOARD:
            pawn = _in_u(after)
        elif after.piece.kind is Kind.COIN and before is not None:
            _count_coin(state, before, after, spent, given)
    lost = frozenset(tile for tile in gone if tile is not None)
    return Measured(tiles, lost, pawn, tuple(spent), tuple(given))


def _tile_of(piece: Piece) -> int | None:
    if piece.kind is not Kind.TILE or piece.suit is None or piece.rank is None:
        return None
    return INDEX[piece.suit.letter + piece.rank.letter]


def _count_coin(state: State, before: Placed, after: Placed, spent: list[int], given: list[int]) -> None:
    suit = after.piece.suit
    if suit is None or before.zone is not Zone.HAND or before.seat != state.purse(state.to_act):
        return
    if after.zone is Zone.SPENT:
        spent[SUITS.index(suit)] += 1
    elif after.zone is Zone.HAND and after.seat != before.seat:
        given[SUITS.index(suit)] += 1


def _in_u(placed: Placed) -> tuple[float, float]:
    return placed.x * U_PER_SPACE, placed.y * U_PER_SPACE


def suggestions(game: AnyGame, state: State, change: Change) -> Iterator[Action]:
    """Candidate actions, likely ones first; those without a trace on the table (the end of a step) come last."""
    seen = read_change(state, change)
    offered = set()
    for action in (*_by_phase(game, state, seen), *_traceless_actions(state)):
        if action not in offered:
            offered.add(action)
            yield action


def _by_phase(game: AnyGame, state: State, seen: Measured) -> Iterable[Action]:
    if state.phase is Phase.CREATE:
        return _creations(state, seen)
    if state.phase is Phase.PAWN:
        return _steps(state, seen)
    if state.phase is Phase.TILE:
        return _moves(game, state, seen)
    if state.phase is Phase.SLIDE:
        return _slides(state, seen)
    return game.legal(state)


def _traceless_actions(state: State) -> Iterator[Action]:
    here = state.pawns[state.to_act]
    if state.phase is Phase.PAWN and here is not None and may_end_on(state, here):
        yield END_PAWN
    elif state.phase is Phase.TILE:
        yield SKIP
    elif state.phase is Phase.SLIDE:
        yield END_TURN
    elif state.phase is Phase.DRAW:
        yield from (ACCEPT, DECLINE)
    if may_offer_draw(state):
        yield OFFER


def _creations(state: State, seen: Measured) -> Iterator[Action]:
    for tile, (x, y) in seen.tiles.items():
        if state.tiles[tile] is not None or tile // 6 != state.active_suit:
            continue
        for spot in snapped(state.tiles, tile, x, y, state.touch) if any(state.tiles) else [(0, 0)]:
            yield Action("create_tile", (NAMES[tile], str(spot[0]), str(spot[1])))


def snapped(
    tiles: geometry.Tiles,
    tile: int,
    x: float,
    y: float,
    touch: geometry.Touch,
    forbidden: geometry.Forbidden = geometry.NOWHERE,
) -> Iterator[geometry.Position]:
    """Legal places for a measured one: made flush with its contacts, and the nearest of all."""
    flush = make_flush(tiles, tile, x, y, touch)
    if geometry.placement_fault(tiles, tile, *flush, touch, forbidden) is None:
        yield flush
    close = geometry.nearest(tiles, tile, x, y, touch, forbidden)
    if close is not None and close.spot != flush:
        yield close.spot


def make_flush(tiles: geometry.Tiles, tile: int, x: float, y: float, touch: geometry.Touch) -> geometry.Position:
    """The measured place with every contact made exact and the other coordinate rounded (DECAY-2.23)."""
    flush_x: list[float] = []
    flush_y: list[float] = []
    for index, other_x, other_y in geometry.on_table(tiles):
        dx, dy = x - other_x, y - other_y
        if index == tile:
            continue
        if _is_contact(dx, touch) and abs(dy) < geometry.SIDE - _OVERLAP:
            flush_x.append(other_x + copysign(geometry.SIDE, dx))
        elif _is_contact(dy, touch) and abs(dx) < geometry.SIDE - _OVERLAP:
            flush_y.append(other_y + copysign(geometry.SIDE, dy))
    return _middle(flush_x, x), _middle(flush_y, y)


def _is_contact(distance: float, touch: geometry.Touch) -> bool:
    return geometry.SIDE - _OVERLAP <= abs(distance) < geometry.SIDE + touch.gap + 0.5


def _middle(values: list[float], measured: float) -> int:
    return round(sum(values) / len(values)) if values else round(measured)


def _steps(state: State, seen: Measured) -> Iterator[Action]:
    """Steps onto or towards the tile under the pawn; those whose payment matches the coins come first."""
    if seen.pawn is None:
        return iter(())
    steps = list(PAWN_STEP.legal(state))
    goal = _tile_under(state, seen.pawn)
    near = geometry.contacts(state.tiles, state.touch)
    far = {goal: 0}
    todo = [goal]
    for tile in todo:
        for other in near[tile]:
            if other not in far:
                far[other] = far[tile] + 1
                todo.append(other)
    steps.sort(key=lambda action: (far.get(INDEX[action[0]], len(NAMES)), _mispaid(action, seen)))
    return iter(steps)


def _tile_under(state: State, spot: tuple[float, float]) -> int:
    places = geometry.on_table(state.tiles)
    return min(places, key=lambda place: max(abs(place[1] - spot[0]), abs(place[2] - spot[1])))[0]


def _mispaid(action: Action, seen: Measured) -> int:
    """Number of coins in which a payment with toll differs from the coins seen to move."""
    paid = action[1].split("+")
    toll = action.args[2:]
    wrong = sum(abs(paid.count(letter) - seen.spent[suit]) for suit, letter in enumerate(LETTERS))
    return wrong + sum(abs(toll.count(letter) - seen.given[suit]) for suit, letter in enumerate(LETTERS))


def _moves(game: AnyGame, state: State, seen: Measured) -> Iterator[Action]:
    if seen.gone and not seen.tiles:
        yield from _falls(game, state, seen)
    for tile, (x, y) in seen.tiles.items():
        if state.tiles[tile] is None or not tile_is_free(state, tile):
            continue
        spots = list(snapped(state.tiles, tile, x, y, state.touch, forbidden_to(state, tile)))
        found = [move_action(tile, price, spot) for spot in spots for price in tile_prices(state, tile)]
        found.sort(key=lambda action: _mispaid(Action("", action.args[:2]), seen))
        yield from found


def _falls(game: AnyGame, state: State, seen: Measured) -> Iterator[Action]:
    """Moves of a tile that fell off with its section: all places in the section have the same result."""
    left = {tile for tile, _, _ in geometry.on_table(state.tiles)} - seen.gone
    for tile in sorted(seen.gone):
        prices = tile_prices(state, tile) if state.tiles[tile] and tile_is_free(state, tile) else ()
        for edge in geometry.placements(state.tiles, tile, state.touch, forbidden_to(state, tile)) if prices else ():
            base = state.tiles[edge.base]
            assert base is not None
            action = move_action(tile, prices[0], geometry.beside(base, edge.side, edge.spans[0][0]))
            if {index for index, _, _ in geometry.on_table(game.advance(state, action).tiles)} == left:
                yield action
                break


def _slides(state: State, seen: Measured) -> Iterator[Action]:
    """The nearest legal distance for each tile that lies elsewhere, paid as the coins show."""
    near = geometry.contacts(state.tiles, state.touch)
    for tile, (x, y) in seen.tiles.items():
        spot, side, legal = state.tiles[tile], free_side(near, tile), slides_of(state, tile)
        if spot is None or side is None or not legal:
            continue
        dx, dy = geometry.STEPS[side]
        best = min(legal, key=lambda k: hypot(spot[0] + k * dx - x, spot[1] + k * dy - y))
        pays = suits_in(state.hand(state.to_act))
        for letter in sorted(pays, key=lambda letter: -seen.spent[LETTERS.index(letter)]):
            yield Action("slide", (NAMES[tile], str(best), letter))


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Possible attempts, legal or not, at the measured places, to explain why they are refused."""
    upright = tuple(move for move in change.moved if move.after.face is not Face.BACK)
    seen = read_change(state, replace(change, moved=upright))
    for tile, (x, y) in seen.tiles.items():
        flush = make_flush(state.tiles, tile, x, y, state.touch)
        where = (str(flush[0]), str(flush[1]))
        if state.tiles[tile] is None or state.phase is Phase.CREATE:
            yield Action("create_tile", (NAMES[tile], *where))
        elif state.phase is Phase.SLIDE:
            yield _attempted_slide(state, tile, x, y, seen)
        else:
            price = next(iter(tile_prices(state, tile)), None)
            yield Action("move_tile", (NAMES[tile], spell(price) if price and sum(price) else NOTHING, *where))
    if seen.pawn is not None and any(state.tiles):
        tile = _tile_under(state, seen.pawn)
        price = next(iter(entry_payments(state, tile, state.hand(state.to_act))), None)
        yield step_action(tile, price or NO_COINS, None)


def _attempted_slide(state: State, tile: int, x: float, y: float, seen: Measured) -> Action:
    was = state.tiles[tile] or (0, 0)
    coin = next((LETTERS[suit] for suit, count in enumerate(seen.spent) if count), None)
    held = suits_in(state.hand(state.to_act))
    far = round(max(abs(x - was[0]), abs(y - was[1])))
    return Action("slide", (NAMES[tile], str(far), coin or next(iter(held), NOTHING)))
