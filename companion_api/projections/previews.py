"""Previews: the table after an action, why a move is forbidden, what an earlier action may have been."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from typing import Any

from companion_api.projections.choices import action_json, effect_json
from companion_api.seat_view import SeatView
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.referee import wording
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone

MAX_TRIED = 40
PLACING = (EffectKind.MOVE, EffectKind.PLACE)
MAX_ALTERNATIVES = 6
MAX_SPOTS = 150
_MAX_DISTANCE = 1.5  # maximal distance in spaces between a tap and the place of a piece


def effects_of(game: AnyGame, state: Any, action: Action) -> list[dict[str, Any]]:
    """Effects of an action. Empty while choices are sealed, where the last vote's effects would reveal the count."""
    if game.card.hidden and game.turn(state).kind is not TurnKind.SEAT:
        return []
    return [effect_json(game, effect) for effect in game.apply(state, action).effects]


def ghosts_of(game: AnyGame, state: Any, action: Action) -> dict[str, Any]:
    """Pieces that will lie differently, in their new place, and the keys of those leaving the board. Empty for secret
    choices and chance."""
    if game.turn(state).kind is not TurnKind.SEAT:
        return {"ghosts": [], "gone": []}
    before = {placed.key: placed for placed in game.layout(state)}
    after = {placed.key: placed for placed in game.layout(game.advance(state, action))}
    changed = (placed for key, placed in after.items() if placed.zone is Zone.BOARD and placed != before.get(key))
    pieces = (key for key, placed in before.items() if placed.zone is Zone.BOARD)
    gone = [key for key in pieces if key not in after or after[key].zone is not Zone.BOARD]
    return {"ghosts": [placed.to_json() for placed in changed if _looks_changed(before, placed)], "gone": gone}


def _looks_changed(before: dict[str, Placed], placed: Placed) -> bool:
    """Whether its look or position changes; a new level or name of place alone does not count."""
    old = before.get(placed.key)
    if old is None or old.zone is not Zone.BOARD:
        return True
    looks = (old.x, old.y, old.face, old.angle, old.lean, old.pose, old.shown)
    return looks != (placed.x, placed.y, placed.face, placed.angle, placed.lean, placed.pose, placed.shown)


def spots_of(table: SeatView, source: str) -> list[list[float]]:
    """Some of the legal positions of a piece on a table without a grid."""
    game, state = table.game, table.state
    piece = _piece_to_move(game, state, source)
    if piece is None or game.turn(state).kind is not TurnKind.SEAT or game.exhaustive(state):
        return []
    found: dict[tuple[float, float], None] = {}
    for action in islice(game.legal(state, touching=(source,)), MAX_SPOTS):
        if target_xy := _landing(game, state, action, piece.key):
            found[round(target_xy[0], 2), round(target_xy[1], 2)] = None
    return [list(spot) for spot in found]


def _landing(game: AnyGame, state: Any, action: Action, key: str) -> tuple[float, float] | None:
    """Where an action places a piece, from its effects, else from the layout."""
    for effect in game.apply(state, action).effects:
        spot = effect.target if effect.key == key and effect.kind in PLACING else None
        if spot is not None and spot.zone is Zone.BOARD and spot.x is not None and spot.y is not None:
            return spot.x, spot.y
    target_xy = game.layout(game.advance(state, action)).by_key(key)
    return (target_xy.x, target_xy.y) if target_xy is not None and target_xy.zone is Zone.BOARD else None


def table_after(table: SeatView, actions: list[Action]) -> dict[str, Any] | None:
    """The table after some actions, as its seat sees it, and their effects; None if one is illegal."""
    game, state = table.game, table.state
    effects: list[dict[str, Any]] = []
    for action in actions:
        if game.refusal(state, action):
            return None
        if game.card.hidden and game.turn(state).kind is not TurnKind.SEAT:
            break
        effects += effects_of(game, state, action)
        state = game.advance(state, action)
    return {"layout": game.layout(game.view(state, table.seat)).to_json(), "effects": effects}


def why_not(table: SeatView, source: str, target: str) -> Refusal | None:
    """The rule against moving a piece from one place to another; None if nothing can be said."""
    game, state = table.game, table.state
    change = _change_for_move(game.layout(state), source, target)
    if change is None or game.turn(state).is_over:
        return None
    return _refusal(game, state, change)


def _refusal(game: AnyGame, state: Any, change: Change) -> Refusal | None:
    tried = wording.why_not(game, state, change, MAX_TRIED)
    return tried[1] if tried else None


def actions_for_drop(table: SeatView, source: str, x: float, y: float) -> tuple[list[Action], Refusal | None]:
    """Legal actions for dropping a piece on a free spot, the likeliest first; without any, the rule against it. Games
    without a grid snap the spot."""
    game, state = table.game, table.state
    piece = _piece_to_move(game, state, source)
    if piece is None or game.turn(state).is_over:
        return [], None
    put = replace(piece, x=x, y=y, zone=Zone.BOARD, seat=None, place="")
    change = Change(moved=(MovedPiece(piece, put),))
    suggested = (a for a in islice(game.suggest(state, change), MAX_TRIED) if source in game.touches(a))
    legal = (action for action in dict.fromkeys(suggested) if game.refusal(state, action) is None)
    landings = ((action, _landing(game, state, action, put.key)) for action in legal)
    # near the tapped spot, or off the board
    found = [action for action, xy in landings if xy is None or math.hypot(xy[0] - x, xy[1] - y) < _MAX_DISTANCE]
    return found[:MAX_ALTERNATIVES], None if found else _refusal(game, state, change)


def _change_for_move(layout: Layout, source: str, target: str) -> Change | None:
    """The change of moving the top piece of a place to another place."""
    piece = next(reversed(_pieces_at(layout, source)), None)
    place = next((p for p in layout.places if p.name == target), None)
    if piece is None or place is None:
        return None
    put = Placed(piece.piece, piece.key, place.x, place.y, piece.face, piece.angle, place=target)
    return Change(moved=(MovedPiece(piece, put),))


def _pieces_at(layout: Layout, name: str) -> tuple[Placed, ...]:
    return layout.at(name) or tuple(p for p in layout if name in (p.piece.code, p.key))


def _piece_to_move(game: AnyGame, state: Any, name: str) -> Placed | None:
    """The piece that the actions of a place move, else its top piece."""
    pieces = _pieces_at(game.layout(state), name)
    action = next(iter(game.legal(state, touching=(name,))), None)
    moved = {effect.key for effect in game.apply(state, action).effects if effect.kind in PLACING} if action else set()
    return next((placed for placed in pieces if placed.key in moved), pieces[-1] if pieces else None)


def alternatives(table: SeatView, seq: int) -> list[dict[str, Any]]:
    """What the action of an event may have been, likeliest first, each with its resulting table."""
    index, game = table.index_of(seq), table.game
    if index is None:
        return []
    state, done = table.before(index), table.action_at(index).action
    sealed = game.card.hidden and game.turn(state).kind is TurnKind.ALL
    if done is None or sealed or not table.is_whole(index):
        return []
    legal = [a for a in islice(game.legal(state), 600) if a != done]
    nearest = sorted(legal, key=lambda action: -_likeness(game, action, done))[:MAX_ALTERNATIVES]
    return [
        {
            "actions": [action.id],
            "text": game.describe(action),
            "acts": [action_json(game, action)],
            "layout": game.layout(game.view(game.advance(state, action), table.seat)).to_json(),
            "effects": effects_of(game, state, action),
        }
        for action in nearest
    ]


def _likeness(game: AnyGame, action: Action, done: Action) -> float:
    shared = set(game.touches(action)) & set(game.touches(done))
    same_args = sum(a == b for a, b in zip(action.args, done.args, strict=False))
    return 2.0 * len(shared) + (action.verb == done.verb) + 0.1 * same_args
