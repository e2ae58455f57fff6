"""Actions read from a change of the table: dice, turned coins, pawns and the map.

What leaves no trace (to stay, to be done) is inferred from the action of the next seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import dist

from rules.engine import Action
from rules.engine.contract import AnyGame
from rules.engine.dice import write_dice
from rules.games.delegate_dash import chart
from rules.games.delegate_dash.deeds.common import hidden_states, marker_of
from rules.games.delegate_dash.opening import DICE_PHASES, Phase, State
from rules.pieces import Kind, Rank
from rules.table.change import Change
from rules.table.layout import Placed, Zone


def readings(game: AnyGame, state: State, change: Change) -> Iterator[Action]:
    """Candidate actions from dice, coins, tiles and pawns that appeared, moved or were turned."""
    seen = change.placed
    if state.phase is Phase.DEAL:
        values = {p.place: p.piece.rank for p in seen if p.piece.kind is Kind.TILE and p.zone is Zone.BOARD}
        ranks = [[values.get(chart.NAMES[cell]) for cell in cells] for cells in chart.SHUFFLED]
        if all(rank is not None for region in ranks for rank in region):
            yield Action("deal", tuple("".join(str(int(rank or 0)) for rank in region) for region in ranks))
    elif state.phase is Phase.SCATTER:
        yield from _scatter(state, seen)
    elif state.phase is Phase.ROLL:
        yield from _roll(state, seen)
    elif state.phase is Phase.REVEAL:
        for cell in hidden_states(state):
            yield from _reveal(state, cell, change)
    elif state.phase in DICE_PHASES:
        dice = _dice_seen(seen)
        if all(candidate in dice for candidate in state.rollers):
            yield Action("dice", (_dice_text(state.rollers, [dice[candidate] for candidate in state.rollers]),))
    elif state.phase is Phase.MOVE:
        yield from _moves(game, state, seen)
    else:
        yield from _marker_moves(game, state, change)


def _moves(game: AnyGame, state: State, seen: list[Placed]) -> Iterator[Action]:
    """A move of the candidate whose pawn has moved; otherwise it stays."""
    candidate = state.order[0]
    piece = chart.marker_piece(chart.COINS + candidate, None)
    pawn = next((placed for placed in seen if placed.piece == piece and placed.zone is Zone.BOARD), None)
    if pawn is None:
        wanted = Action("stay", (chart.CANDIDATES[candidate],))
    else:
        wanted = Action("move", (chart.CANDIDATES[candidate], chart.NAMES[_state_of(pawn)]))
    if game.check(state, wanted) is None:
        yield wanted


def _state_of(pawn: Placed) -> int:
    """State under a pawn. A pawn shifted within its state has not moved."""
    return min(range(chart.GAP + 1), key=lambda place: dist(chart.spot_at(place), (pawn.x, pawn.y)))


def _marker_moves(game: AnyGame, state: State, change: Change) -> Iterator[Action]:
    """Takers of the markers that moved; if none moved, every legal action, `done` first."""
    went = {move.before.key: move.after.zone for move in change.moved} | {p.key: Zone.SUPPLY for p in change.removed}
    legal = list(game.legal(state))
    touched = [action for action in legal if action.verb in ("surrender", "take") and _key(state, action) in went]
    goals = {"surrender": Zone.SPENT, "take": Zone.HAND}
    touched.sort(key=lambda action: went[_key(state, action)] is not goals[action.verb])
    yield from touched or sorted(legal, key=lambda action: action.verb != "done")


def _key(state: State, action: Action) -> str:
    marker = marker_of(state, action[1])
    return "" if marker is None else chart.marker_key(marker)


def _dice_seen(seen: list[Placed]) -> dict[int, int]:
    dice = [p.piece for p in seen if p.piece.kind is Kind.DIE]
    return {chart.REGION_SUITS.index(d.suit): int(d.rank) for d in dice if d.suit is not None and d.rank is not None}


def _roll(state: State, seen: list[Placed]) -> Iterator[Action]:
    """A die that shows its earlier value keeps it."""
    dice = _dice_seen(seen)
    values = [dice.get(candidate, state.roll[candidate]) for candidate in range(4)]
    if dice and all(value is not None for value in values):
        yield Action("roll", (_dice_text(range(4), values),))


def _scatter(state: State, seen: list[Placed]) -> Iterator[Action]:
    """Dice that explain the new coins, whether or not dice are visible."""
    values = {}
    for placed in seen:
        cell = chart.BY_NAME.get(placed.place, chart.GAP)
        if placed.piece.kind is Kind.COIN and placed.zone is Zone.BOARD and cell != chart.GAP:
            values[chart.REGION_OF[cell]] = state.tiles[cell]
    if len(values) == len(chart.REGION_SUITS):
        yield Action("roll", (_dice_text(range(4), [values[region] for region in range(4)]),))
    else:
        yield from _roll(state, seen)


def _dice_text(candidates: Iterable[int], values: Iterable[int | None]) -> str:
    """Text of the dice of these candidates, all with a value."""
    return write_dice((chart.REGION_SUITS[c], Rank(value or 0)) for c, value in zip(candidates, values, strict=True))


def _reveal(state: State, cell: int, change: Change) -> Iterator[Action]:
    turned = {m.before.key: m.after.piece.rank for m in change.moved if m.after.piece.kind is Kind.COIN}
    values = [turned.get(chart.marker_key(coin)) for coin in state.hidden_at(cell)]
    if all(value is not None for value in values):
        yield Action("reveal", (chart.NAMES[cell], "+".join(str(int(value or 0)) for value in values)))


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Possible attempts, legal or not: pawns moved, coins of states turned, coins taken."""
    for move in change.moved:
        piece = move.before.piece
        if piece.suit is None or move.after.zone is not Zone.BOARD:
            continue
        if piece.kind is Kind.PAWN and _state_of(move.before) != _state_of(move.after):
            yield Action(
                "move", (chart.CANDIDATES[chart.REGION_SUITS.index(piece.suit)], chart.NAMES[_state_of(move.after)])
            )
    for cell in range(chart.GAP):
        hidden = {chart.marker_key(coin) for coin in state.hidden_at(cell)}
        if hidden and hidden == change.keys:
            yield from _reveal(state, cell, change)
    for gone in change.removed:
        if gone.piece.kind is Kind.COIN and state.takers:
            yield Action("take", (chart.CANDIDATES[state.takers[0]], gone.piece.code))
